"""Learnt decks on disk: by name in the state directory, or learnt on the fly from a folder of faces and kept."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.cards import DECK
from firmware.errors import UsageError
from vision import synthetic
from vision.deck import Deck, learn_folder, load_deck, make_deck, save_deck
from vision.deck_pictures import learn_pictures
from vision.errors import DeckError
from vision.faces import ENDINGS, face_names, find_face
from vision.synthetic.deck import back, faces

ENDING: Final = ".deck"
OWN: Final = "arbitro"
"""The project's own deck is known without being learnt."""


def decks_folder(state_dir: Path) -> Path:
    """Where learnt decks are kept."""
    return state_dir / "decks"


def deck_path(name: str, state_dir: Path) -> Path:
    """The file of a learnt deck. Raises `UsageError` for a name that cannot be one."""
    if not name or len(name) > 64 or name.startswith(".") or not all(c.isalnum() or c in "-_. " for c in name):
        raise UsageError(f"expected a deck's name of letters, digits, - and _, got {name!r}")
    return decks_folder(state_dir) / (name + ENDING)


def learn(source: Path, name: str) -> Deck:
    """Learn from a folder of named faces, else of pictures of cards on a table. Raises `DeckError`."""
    named = source.is_dir() and any(find_face(source, face_names(card)) for card in DECK)
    pictures = sum(file.suffix.lower() in ENDINGS for file in source.iterdir()) if source.is_dir() else 0
    return learn_pictures(source, name) if pictures and not named else learn_folder(source, name)


def deck_names(state_dir: Path) -> tuple[str, ...]:
    """Names of all learnt decks, sorted."""
    folder = decks_folder(state_dir)
    return tuple(sorted(file.stem for file in folder.glob("*" + ENDING))) if folder.is_dir() else ()


def open_deck(name_or_folder: str, state_dir: Path) -> Deck:
    """The deck of that name, or the one in that folder, learnt once and kept in a cache below `state_dir`.

    Raises `DeckError` that says what is missing, `UsageError` for a name that cannot be one.
    """
    folder = Path(name_or_folder)
    if folder.is_dir():
        return _cached(folder.resolve(), state_dir)
    if len(folder.parts) > 1:
        raise DeckError(f"expected a learnt deck or a folder of faces, got {name_or_folder}, which does not exist")
    path = deck_path(name_or_folder, state_dir)
    if not path.is_file() and name_or_folder == OWN:
        return _own(state_dir)
    if not path.is_file():
        known = ", ".join(deck_names(state_dir)) or "none"
        raise DeckError(f"expected a learnt deck or a folder of faces, got {name_or_folder!r} (learnt: {known})")
    return load_deck(path)


def _own(state_dir: Path) -> Deck:
    """Drawn once, which takes a second or two, then kept; drawn anew when the code that draws has changed."""
    digest = hashlib.sha256()
    for file in sorted(Path(synthetic.__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return _kept(
        state_dir / "cache" / f"{OWN}-{digest.hexdigest()[:16]}{ENDING}", lambda: make_deck(OWN, faces(), back())
    )


def _cached(folder: Path, state_dir: Path) -> Deck:
    """A changed file of the folder changes the key, so the cache is never stale."""
    digest = hashlib.sha256(str(folder).encode())
    for file in sorted(folder.iterdir()):
        status = file.stat()
        digest.update(f"{file.name}|{status.st_size}|{status.st_mtime_ns}".encode())
    path = state_dir / "cache" / (digest.hexdigest()[:24] + ENDING)
    return _kept(path, lambda: learn_folder(folder, folder.name))


def _kept(path: Path, make: Callable[[], Deck]) -> Deck:
    if path.is_file():
        try:
            return load_deck(path)
        except DeckError:
            path.unlink()  # written by another version: a cache may always be made again
    deck = make()
    with contextlib.suppress(OSError):  # where nothing can be kept it is made again each time
        save_deck(deck, path)
    return deck
