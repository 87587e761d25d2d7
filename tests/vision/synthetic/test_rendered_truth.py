"""The truth of frames against their pictures: packs of black and white faces tell which card every pixel shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from engine.rules import variant
from vision.synthetic.director import Plan
from vision.synthetic.light import Light, Sensor
from vision.synthetic.looks import plain_look
from vision.synthetic.painter import Look, Painter
from vision.synthetic.pen import Picture
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.scene import Scene
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace
from vision.synthetic.visible import visible_cards

BITS = 6
"""Enough for forty cards."""
CLEAR = Sensor(blur=0, noise=0, stain=0, vignette=0, exposure=0)


def painted(look: Look, scenes: Iterable[Scene], white: Callable[[Card], bool]) -> list[NDArray[np.int16]]:
    """Grey pictures with faces that are all white or all black."""
    blank: dict[bool, Picture] = {shade: np.full((90, 54, 3), 255 * shade, np.uint8) for shade in (False, True)}
    pack = replace(look.pack, faces={card: blank[white(card)] for card in DECK}, wear=0, curl=0)
    painter = Painter(replace(look, pack=pack, sensor=CLEAR, light=Light(ambient=1.0)), 1)
    return [cv2.cvtColor(painter.paint(scene), cv2.COLOR_BGR2GRAY).astype(np.int16) for scene in scenes]


def cards_by_pixel(look: Look, scenes: list[Scene]) -> list[NDArray[np.int16]]:
    """The index of the card that each pixel shows, -1 where none does."""
    light, dark = (painted(look, scenes, lambda _, shade=shade: shade) for shade in (True, False))
    planes = [painted(look, scenes, lambda card, bit=bit: bool(card.index >> bit & 1)) for bit in range(BITS)]
    found = []
    for k, (upper, lower) in enumerate(zip(light, dark, strict=True)):
        middle = (upper + lower) // 2
        index = sum(((plane[k] > middle).astype(np.int16) << bit for bit, plane in enumerate(planes)), np.int16(0))
        found.append(np.where(upper - lower > 40, index, np.int16(-1)))
    return found


@pytest.mark.parametrize(
    ("rules", "plan"),
    [
        ("scopa_3", {"disturbed": 0.4, "hidden": 0.4, "faults": ("must_take", "two_cards")}),
        ("cirulla_2", {"knocks": True, "hidden": 0.6}),
        ("scopa_4", {"disturbed": 0.5, "disturbances": ("bump", "object", "flip"), "count": True}),
    ],
)
def test_the_truth_lists_exactly_the_cards_that_the_picture_shows(
    rules: str, plan: dict[str, object], pack: Pack
) -> None:
    """A card is listed with the share of it that shows; a row of pixels along one side of it is not told apart."""
    plain = plain_look(pack, 768, 432)
    look = replace(plain, camera=replace(plain.camera, tilt=9))
    match = RenderedMatch(Plan(variant(rules), **plan), look, Pace(), 5, 5, mess=0.9)  # type: ignore[arg-type]
    scenes = [scene for scene in match.director.scenes() if scene.frame % 17 == 5]
    seen = 0
    for scene, owners in zip(scenes, cards_by_pixel(look, scenes), strict=True):
        told = {card.card: card for card in visible_cards(scene, look.camera, pack)}
        pixels = dict(zip(*np.unique(owners[owners >= 0], return_counts=True), strict=True))
        for card, one in told.items():
            shown = pixels.pop(card.index, 0) / cv2.contourArea(np.array(one.corners, np.float32))
            assert one.share == pytest.approx(shown, abs=0.08), f"{card} in frame {scene.frame}"
        assert all(count < 60 for count in pixels.values()), f"frame {scene.frame} shows what is not told: {pixels}"
        seen += len(told)
    assert seen > 100
