"""The state in one file, and back: matches, choices and calibration (the database), and learnt decks.

A file is complete or not there: it is written beside its place, brought to disk, then renamed. What a restore replaces
is kept as a backup of its own in the state directory.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.decks import ENDING, decks_folder
from firmware.errors import FirmwareError, UsageError
from firmware.store import Store

DATABASE: Final = "arbitro.db"
DECKS: Final = "decks/"
MOST_BYTES: Final = 1_000_000_000
"""A backup whose content is larger than this is none of ours."""


def write_backup(store: Store, state: Path, file: Path) -> int:
    """Write the state into `file` (ZIP), in place of one that is there; how many decks it holds.

    Raises `FirmwareError` where it cannot be written, `StoreError` for a state that cannot be read.
    """
    decks = sorted(decks_folder(state).glob("*" + ENDING))
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".arbitro-") as folder:
            store.copy_to(Path(folder) / DATABASE)
            whole = Path(folder) / "backup.zip"
            with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(Path(folder) / DATABASE, DATABASE)
                for deck in decks:
                    archive.write(deck, DECKS + deck.name)
            _to_disk(whole)
            os.replace(whole, file)
        _to_disk(file.parent)
    except OSError as error:
        raise FirmwareError(f"expected a place where a backup can be written, got {file}: {error}") from error
    return len(decks)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def restore_backup(store: Store, state: Path, file: Path) -> Path:
    """Put the state back as it was in `file`; where the state that it replaces is kept.

    Decks that the backup does not know stay. Raises `UsageError` for a file that is no backup: nothing is changed then.
    """
    with tempfile.TemporaryDirectory(dir=state, prefix=".restore-") as name:
        folder = Path(name)
        decks = _unpacked(file, folder)
        store.check(folder / DATABASE)
        before = _free_name(state, "before-restore")
        write_backup(store, state, before)
        decks_folder(state).mkdir(exist_ok=True)
        for deck in decks:
            os.replace(deck, decks_folder(state) / deck.name)
        store.take_from(folder / DATABASE)
    return before


def _unpacked(file: Path, folder: Path) -> list[Path]:
    """The files of a backup in a folder; the paths of its decks."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            strange = [name for name in names if name != DATABASE and not _is_deck(name)]
            if DATABASE not in names or strange or sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
                raise UsageError(f"expected a backup of arbitro, got {file} with {', '.join(strange) or 'no matches'}")
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"expected a backup of arbitro, got {file}: {error}") from error
    return [folder / name for name in names if name != DATABASE]


def _is_deck(name: str) -> bool:
    short = name.removeprefix(DECKS)
    return name.startswith(DECKS) and short.endswith(ENDING) and Path(short).name == short and not short.startswith(".")


def _free_name(folder: Path, name: str) -> Path:
    """The first of `name-0001.zip`, `name-0002.zip`, ... after the last one that is there: the clock may be wrong."""
    numbers = [file.stem.rpartition("-")[2] for file in folder.glob(f"{name}-*.zip")]
    return folder / f"{name}-{max((int(n) for n in numbers if n.isdigit()), default=0) + 1:04}.zip"


def stick(root: Path, mounted: Callable[[Path], bool] = os.path.ismount) -> Path | None:
    """The folder of a USB stick: the first one that is mounted below /media or /run/media and can be written."""
    places = [*root.glob("media/*"), *root.glob("media/*/*"), *root.glob("run/media/*/*")]
    return next((place for place in sorted(places) if mounted(place) and os.access(place, os.W_OK)), None)


def copies(folder: Path) -> tuple[Path, ...]:
    """The backups on a stick, the newest first."""
    return tuple(sorted(folder.glob("arbitro-*.zip"), reverse=True))


def backup_to_stick(store: Store, state: Path, folder: Path) -> Path:
    """One backup more on a stick; its file. Raises as `write_backup` does."""
    file = _free_name(folder, "arbitro")
    write_backup(store, state, file)
    return file
