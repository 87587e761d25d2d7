"""Pictures of faces as they come from a file or a camera: read, orient, put on paper, name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.cards import Card
from vision.errors import PictureError

Picture = NDArray[np.uint8]

SUIT_NAMES: Final = (("denari", "quadri"), ("coppe", "cuori"), ("spade", "picche"), ("bastoni", "fiori"))
"""File names of the suits in the order of the cards, Latin and French."""
ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


LARGEST_PICTURE: Final = 100_000_000
"""Pixels; cameras of telephones take 12 to 50 million."""
LARGEST_FILE: Final = 200_000_000
"""Bytes."""


def read_picture(path: Path) -> Picture:
    """A picture file as BGR uint8 (height, width, 3); transparent parts become paper. Raises `PictureError`."""
    if not path.is_file() or path.stat().st_size > LARGEST_FILE:  # a pipe or a device would never end
        raise PictureError(f"expected a picture file of at most {LARGEST_FILE // 1_000_000} MB, got {path.name}")
    _check_size(path)
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
    except cv2.error as error:  # OpenCV refuses some broken or huge files by raising
        raise PictureError(f"expected a picture, got {path.name}: {error.err}") from error
    if picture is None or picture.size == 0:
        raise PictureError(f"expected a picture, got {path.name}, which cannot be decoded")
    return as_bgr(picture)


def _check_size(path: Path) -> None:
    """A few bytes can unpack to gigabytes: the size that a file claims is asked before it is unpacked."""
    try:
        with Image.open(path) as head:
            width, height = head.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise PictureError(f"expected a picture, got {path.name}, which cannot be decoded: {error}") from error
    if width * height > LARGEST_PICTURE:
        raise PictureError(
            f"expected at most {LARGEST_PICTURE // 1_000_000} megapixels, got {width}x{height}: {path.name}"
        )


def as_bgr(picture: NDArray[np.generic]) -> Picture:
    """Any picture array (grey, BGR, BGRA; 8 or 16 bit) as BGR uint8. Raises `PictureError` for other shapes."""
    if picture.dtype == np.uint16:
        picture = (picture.astype(np.uint16) >> 8).astype(np.uint8)
    if picture.dtype != np.uint8 or picture.size == 0 or picture.ndim not in (2, 3):
        raise PictureError(f"expected a picture of 8-bit pixels, got {picture.dtype} {picture.shape}")
    if picture.ndim == 2 or picture.shape[2] == 1:
        grey = np.asarray(picture, np.uint8).reshape(picture.shape[:2])
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        return np.ascontiguousarray(picture, np.uint8)
    if picture.shape[2] == 4:
        return _on_paper(np.asarray(picture, np.uint8))
    raise PictureError(f"expected 1, 3 or 4 channels, got {picture.shape[2]}")


def _on_paper(picture: Picture) -> Picture:
    """A cut-out face without its empty rim, its transparent corners filled with the colour of its own paper."""
    left, top, width, height = cv2.boundingRect(np.asarray(picture[..., 3] > 127, np.uint8))
    if not width:
        return np.ascontiguousarray(picture[..., :3])
    inner = picture[top : top + height, left : left + width]
    colour, alpha = inner[..., :3], inner[..., 3]
    if alpha.min() > 250:
        return np.ascontiguousarray(colour)
    paper = np.percentile(colour[alpha > 127], 90, axis=0)
    share = (alpha / 255.0)[..., None]
    return np.asarray(colour * share + paper * (1 - share) + 0.5, np.uint8)


def upright(face: Picture) -> Picture:
    """The face with its long side standing: a picture that lies is turned by a quarter."""
    return face if face.shape[0] >= face.shape[1] else np.ascontiguousarray(np.rot90(face))


def face_names(card: Card) -> tuple[str, ...]:
    """Names, without ending, that the face of a card may have in a folder: `denari_7`, `quadri_7`."""
    return tuple(f"{suit}_{card.value}" for suit in SUIT_NAMES[card.suit])


def find_face(folder: Path, names: tuple[str, ...]) -> Path | None:
    """The first file of a folder with one of these names and a usual picture ending, or None."""
    files = {file.name.lower(): file for file in folder.iterdir() if file.is_file()}
    wanted = (name + ending for name in names for ending in ENDINGS)
    return next((files[name] for name in wanted if name in files), None)
