"""What helps to find a fault later: a small log on disk, the pictures of the last plays, and all of it in one file."""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
import zipfile
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from firmware.errors import FirmwareError

LOG: Final = "arbitro.log"
LOG_BYTES: Final = 200_000
KEPT_PLAYS: Final = 3
PLAYS: Final = "plays"


def runtime_directory(environment: Mapping[str, str] = os.environ) -> Path | None:
    """systemd's folder in memory for this service, or None: pictures of plays must not wear out the card."""
    given = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return Path(given) if given else None


def keep_log(state: Path) -> logging.Handler:
    """Begin a ring of two log files in the state directory; images of today keep the journal in memory only."""
    handler = logging.handlers.RotatingFileHandler(state / LOG, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    return handler


class PlayPictures:
    """The pictures of the last three plays, in a folder in memory. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / PLAYS
        self._files: deque[tuple[int, Path]] = deque()
        if self._folder is not None:
            self._folder.mkdir(mode=0o750, exist_ok=True)
            self._files.extend(sorted((_number(file), file) for file in self._folder.glob("*.jpg")))

    def keep(self, play: int, frame: int, picture: NDArray[np.uint8]) -> None:
        """Keep one picture (BGR) of a play; those of the fourth last play go."""
        if self._folder is None:
            return
        import cv2

        file = self._folder / f"{play:05}-{frame:07}.jpg"
        cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
        self._files.append((play, file))
        recent = sorted({number for number, _ in self._files})[-KEPT_PLAYS:]
        while self._files and self._files[0][0] not in recent:
            self._files.popleft()[1].unlink(missing_ok=True)


def write_bundle(file: Path, findings: Iterable[object], state: Path, runtime: Path | None, settings: object) -> int:
    """One ZIP file with the findings, the settings, the log and the pictures of the last plays; how many entries it
    has. Raises `FirmwareError` when it cannot be written.
    """
    entries = {"findings.json": msgspec.json.format(msgspec.json.encode(list(findings)))}
    entries["settings.json"] = msgspec.json.format(msgspec.json.encode(settings))
    for log in sorted(state.glob(LOG + "*")):
        entries[f"log/{log.name}"] = log.read_bytes()
    for picture in sorted((runtime / PLAYS).glob("*.jpg")) if runtime else ():
        entries[f"plays/{picture.name}"] = picture.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), content)  # the clock may be wrong anyway
    try:
        file.write_bytes(packed.getvalue())
    except OSError as error:
        raise FirmwareError(f"expected a file that can be written, got {file}: {error}") from error
    return len(entries)


def _number(file: Path) -> int:
    digits = file.name.split("-")[0]
    return int(digits) if digits.isdigit() else 0
