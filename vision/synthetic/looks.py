"""Tables that differ: camera, cover, light, lens, sensor and wear of the cards, drawn from a seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import DECK
from engine.errors import InvalidPlay
from vision.synthetic.camera import Camera
from vision.synthetic.deck import SUIT_WORDS, back, faces
from vision.synthetic.light import Glare, Light, Sensor
from vision.synthetic.painter import Look
from vision.synthetic.pen import Picture
from vision.synthetic.sprites import Pack
from vision.synthetic.style import DEFAULT_STYLE, STYLES
from vision.synthetic.surface import SURFACES

_SHUTTER: Final = 0.03
"""Seconds of exposure under a lamp."""
_ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp", ".bmp")


def our_pack(style: str = DEFAULT_STYLE) -> Pack:
    """A pack of a pattern of ours."""
    return Pack(faces(style), back(style), STYLES[style].millimetres)


def folder_pack(folder: Path) -> Pack:
    """A pack whose faces are in a folder, `denari_1.png` and so on; a back of ours if it holds none.

    Cards are taken to be 54 mm wide at most and 94 mm high at most. Raises `InvalidPlay` if a face is missing.
    """
    words = tuple(SUIT_WORDS.values())
    found = {card: _face(folder, [f"{suits[card.suit]}_{card.value}" for suits in words]) for card in DECK}
    missing = [str(card) for card, picture in found.items() if picture is None]
    if missing:
        raise InvalidPlay(f"expected forty faces such as denari_1.png in {folder}, missing {' '.join(missing)}")
    complete = {card: picture for card, picture in found.items() if picture is not None}
    high, wide = complete[DECK[0]].shape[:2]
    width = min(58.0, 94.0 * wide / high)
    reverse = _face(folder, ["back"])
    return Pack(complete, back() if reverse is None else reverse, (width, width * high / wide))


def _face(folder: Path, names: list[str]) -> Picture | None:
    for file in (folder / (name + ending) for name in names for ending in _ENDINGS):
        if file.exists():
            picture = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
            return None if picture is None else np.asarray(picture, np.uint8)
    return None


def plain_look(pack: Pack, width: int = 1536, height: int = 864, fps: int = 5) -> Look:
    """A quiet table: green cloth, one lamp, camera straight above."""
    return Look(Camera(width, height), "cloth", Light(), Sensor(exposure=_SHUTTER * fps), pack)


def random_look(
    pack: Pack, rng: np.random.Generator, hard: bool, width: int = 1536, height: int = 864, fps: int = 5
) -> Look:
    """Some table. `hard` ones lean, glare, are lit unevenly and may be covered with anything."""
    plain = ("cloth", "blue cloth", "red cloth", "wood", "light wood")
    cover = str(rng.choice(sorted(SURFACES) if hard else plain))
    strength = 1.0 if hard else 0.4
    camera = Camera(
        width,
        height,
        distance=float(rng.uniform(650, 760)),
        tilt=float(rng.uniform(-18, 18)) * strength,
        roll=float(rng.normal(0, 1.5)),
        lens=float(rng.uniform(-0.05, 0)),
        y=float(rng.uniform(-15, 15)),
    )
    worn = replace(pack, wear=float(rng.uniform(0, 1)) * strength, curl=float(rng.uniform(0, 1)) * strength)
    if hard and rng.random() < 0.15:
        worn = replace(worn, sleeved=True)
    sensor = Sensor(
        blur=float(rng.uniform(0.7, 1.0 + 0.5 * strength)),
        noise=float(rng.uniform(4.2, 5 + 4 * strength)),
        stain=float(rng.uniform(0.5, 1 + 2 * strength)),
        vignette=float(rng.uniform(0.05, 0.1 + 0.3 * strength)),
        exposure=_SHUTTER * fps,
    )
    return Look(camera, cover, _some_light(rng, strength, hard), sensor, worn)


def _some_light(rng: np.random.Generator, strength: float, hard: bool) -> Light:
    warm = float(rng.uniform(-1, 1)) * strength
    spots = int(rng.integers(1, 3)) if hard else int(rng.random() < 0.2)
    return Light(
        x=float(rng.uniform(-350, 350)),
        y=float(rng.uniform(-300, 300)),
        reach=float(rng.uniform(450, 900)),
        ambient=float(rng.uniform(0.6 - 0.3 * strength, 0.8)),
        window=float(rng.uniform(-0.6, 0.6)) * strength,
        level=float(rng.uniform(0.8 - 0.4 * strength, 1.1)),
        cast=(1 - 0.16 * warm, 1 - 0.03 * abs(warm), 1 + 0.12 * warm),
        glare=tuple(_some_glare(rng) for _ in range(spots)),
        softness=float(rng.uniform(2, 7)),
    )


def _some_glare(rng: np.random.Generator) -> Glare:
    x, y = rng.uniform(-300, 300), rng.uniform(-180, 180)
    return Glare(float(x), float(y), float(rng.uniform(30, 75)), float(rng.uniform(40, 130)))
