"""A learnt deck: forty faces, their proportions and perhaps the back; kept as one file."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, cast, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card, Family
from vision.errors import DeckError, PictureError
from vision.faces import SUIT_NAMES, Picture, face_names, find_face, read_picture, upright
from vision.templates import Templates

FORMAT: Final = 1
"""Version of the file. A deck of another version is refused: learn it again."""
FACE_HEIGHT: Final = 288
"""Pixels of a stored face's long side: more than a card ever has on the table of a camera above it."""


@dataclass(frozen=True, eq=False)
class Deck:
    """Forty faces in the order of `engine.cards.DECK`.

    `faces`: uint8 BGR (40, FACE_HEIGHT, width, 3), all of one size. `aspect`: long side by short side, 1.2 to 2.4.
    `pixels`: those of the long side in the picture that each face was learnt from (40). `back`: one face or None.
    `family`: what people call its cards.
    """

    name: str
    faces: Picture
    aspect: float
    pixels: tuple[int, ...]
    back: Picture | None = None
    family: Family = "italian"

    @cached_property
    def templates(self) -> Templates:
        """What the recogniser compares with, made on first use."""
        return Templates.of(self.faces, self.back)

    def with_back(self, back: Picture) -> Deck:
        """The same deck with the picture of its back, uint8 BGR of any size."""
        return replace(self, back=_scaled(back, (self.faces.shape[2], self.faces.shape[1])))

    def face(self, card: Card) -> Picture:
        """The picture of one card, BGR."""
        return np.asarray(self.faces[card.index], np.uint8)


def make_deck(name: str, faces: dict[Card, Picture], back: Picture | None = None) -> Deck:
    """A deck from forty upright pictures of whole faces, of any sizes. Raises `DeckError`, naming what is missing."""
    missing = [str(card) for card in DECK if card not in faces]
    if missing:
        raise DeckError(f"expected 40 faces, got {40 - len(missing)}: {' '.join(missing)} missing")
    aspect = float(np.median([face.shape[0] / face.shape[1] for face in faces.values()]))
    if not 1.2 <= aspect <= 2.4:
        raise DeckError(f"expected faces 1.2 to 2.4 times as high as wide, got {aspect:.2f}")
    size = (round(FACE_HEIGHT / aspect), FACE_HEIGHT)
    stack = np.stack([_scaled(faces[card], size) for card in DECK])
    pixels = tuple(faces[card].shape[0] for card in DECK)
    return Deck(name, stack, aspect, pixels, None if back is None else _scaled(upright(back), size))


def learn_folder(folder: Path, name: str) -> Deck:
    """Learn a deck from a folder of faces. Raises `DeckError` that names every face missing or unreadable."""
    if not folder.is_dir():
        raise DeckError(f"expected a folder of forty faces, got {folder}")
    faces: dict[Card, Picture] = {}
    french = 0
    wrong: list[str] = []
    for card in DECK:
        file = find_face(folder, face_names(card))
        if file is None:
            wrong.append(f"{face_names(card)[0]} missing")
            continue
        try:
            faces[card] = upright(read_picture(file))
            french += file.name.startswith(SUIT_NAMES[card.suit][1])
        except PictureError:
            wrong.append(f"{file.name} unreadable")
    if wrong:
        raise DeckError(f"expected 40 faces in {folder}, got {len(faces)}: {', '.join(wrong)}")
    back = find_face(folder, ("back",))
    deck = make_deck(name, faces, None if back is None else read_picture(back))
    return replace(deck, family="french") if french == len(DECK) else deck


def save_deck(deck: Deck, path: Path) -> None:
    """Write a deck so that a power cut leaves the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **_arrays(deck))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _arrays(deck: Deck) -> dict[str, NDArray[np.generic]]:
    arrays = {"format": FORMAT, "name": deck.name, "faces": deck.faces, "aspect": deck.aspect, "pixels": deck.pixels}
    arrays["family"] = deck.family
    if deck.back is not None:
        arrays["back"] = deck.back
    return {key: np.asarray(value) for key, value in arrays.items()}


_UNREADABLE: Final = (
    *(OSError, KeyError, TypeError, EOFError, ValueError, ArithmeticError, NotImplementedError, RuntimeError),
    *(MemoryError, zipfile.BadZipFile, zlib.error, struct.error, SyntaxError),
)
"""What numpy and zipfile raise for files that are none of theirs, damaged, or made to do harm."""


def load_deck(path: Path) -> Deck:
    """Read a deck that `save_deck` wrote. Raises `DeckError` for anything else or another version."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            version = int(stored["format"])
            if version != FORMAT:
                raise DeckError(f"expected a deck of format {FORMAT}, got {version} in {path}: learn it again")
            back = stored["back"] if "back" in stored.files else None
            pixels = tuple(int(height) for height in stored["pixels"])
            family = str(stored["family"]) if "family" in stored.files else "italian"
            known = cast("Family", family if family in get_args(Family) else "italian")
            deck = Deck(str(stored["name"]), stored["faces"], float(stored["aspect"]), pixels, back, known)
    except _UNREADABLE as error:
        if isinstance(error, DeckError):
            raise
        raise DeckError(f"expected a learnt deck, got {path}: {error}") from error
    if deck.faces.dtype != np.uint8 or deck.faces.ndim != 4 or deck.faces.shape[0] != len(DECK):
        raise DeckError(f"expected forty faces, got {deck.faces.shape} in {path}")
    return deck


def _scaled(face: Picture, size: tuple[int, int]) -> Picture:
    shrinks = face.shape[0] > size[1]
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC), np.uint8)
