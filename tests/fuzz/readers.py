"""The readers of files, each with whole files of its kind to be broken."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from engine.notation import parse
from engine.rules import variant
from firmware import config
from firmware.events import decode, encode
from firmware.referee import Referee
from firmware.store import Store
from hardware.recorded import open_recording, read_picture
from tests.soak.evening import evening
from vision.deck import Deck, load_deck, save_deck

MATCHES = (
    "Variant: scopa_2\nRules: target=16 napola=true\nPlayers: Anna, Bruno\nDealer: Bruno\nDate: 2026-11-30\n\n"
    "deal 2d 6c Cc 2s\n1. Anna: 7d\n2. Bruno: 6s x 6c ; a comment\n3. Anna: 4c|4s x 2d+2s\n4. Bruno: 7c !\nundo\n",
    "Variant: sette_e_mezzo\nPlayers: Anna, Bruno, Carla\nDealer: Bruno\n\n",
    "Variant: cirulla_2\nPlayers: Anna, Bruno\nDealer: Anna\n\ndeal 2d 6c Cc 2s\n1. Bruno: ?\nresult 51-40 Anna\n",
)
SETTINGS = (
    '[camera]\nwidth = 1280\nheight = 720\n\n[display]\ndriver = "sh1106"\ndim_after = 60\n\n'
    "[buttons]\nno = 17\nok = 23\n\n[times]\nbad_take = 1.5\n"
)


def _match(file: Path) -> None:
    parse(file.read_bytes().decode("utf-8", "replace"))


def _events(file: Path) -> None:
    for line in file.read_bytes().split(b"\n"):
        decode(line)


def _database(file: Path) -> None:
    with Store.look(file.parent) as store:
        _all(store)
    with Store.open(file.parent) as store:
        _all(store)


def _all(store: Store) -> None:
    for row in store.matches():
        store.events(row.id)


def _video(file: Path) -> None:
    video = open_recording(file.rename(file.with_suffix(".mp4")))
    try:
        for _ in video:
            pass
    finally:
        video.close()


READERS: dict[str, Callable[[Path], object]] = {
    "match": _match,
    "events": _events,
    "settings": config.load,
    "deck": load_deck,
    "picture": read_picture,
    "video": _video,
    "database": _database,
}


def corpus(name: str) -> list[bytes]:
    """Whole files for a reader."""
    if name == "match":
        return [text.encode() for text in MATCHES]
    if name == "settings":
        return [SETTINGS.encode()]
    if name == "picture":
        return [_picture(kind) for kind in ("PNG", "JPEG", "BMP", "WEBP", "TIFF")]
    return {"events": _played, "deck": _deck, "video": _film, "database": _stored}[name]()


def _played() -> list[bytes]:
    told = []
    for seen in filter(None, map(evening, range(3))):
        rules = variant(seen.name)
        referee = Referee(rules, [str(player) for player in range(rules.players)])
        events = list(referee.begin()) + [event for one in seen.observations for event in referee.observe(one)]
        told.append(b"\n".join(map(encode, events)))
    return told


def _deck() -> list[bytes]:
    """A small one, since a real deck has megabytes that are only picture."""
    deck = Deck("small", np.zeros((40, 8, 5, 3), np.uint8), 1.6, (8,), np.zeros((8, 5, 3), np.uint8))
    with tempfile.TemporaryDirectory() as folder:
        save_deck(deck, Path(folder) / "small.deck")
        return [(Path(folder) / "small.deck").read_bytes()]


def _picture(kind: str) -> bytes:
    luck = np.random.default_rng(3)
    file = io.BytesIO()
    Image.fromarray(luck.integers(0, 255, (48, 64, 3), np.uint8)).save(file, kind)
    return file.getvalue()


def _film() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 5, (64, 48))
        for shade in range(0, 250, 25):
            writer.write(np.full((48, 64, 3), shade, np.uint8))
        writer.release()
        return [file.read_bytes()]


def _stored() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(Path(folder)) as store:
            for text in _played():
                store.begin("fuzz", [decode(line) for line in text.split(b"\n")], "2026-01-01")  # type: ignore[misc]
        return [(Path(folder) / "arbitro.db").read_bytes()]
