"""TC12 and TC13 of the field faults: every card of a deck, in any light, on any cloth, at any angle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck, make_deck
from vision.detect import read
from vision.synthetic.deck import faces

Picture = NDArray[np.uint8]
Array = NDArray[np.float32]
LONG: Final = 140
"""Pixels of a card's long side."""
SIZE: Final = (1536, 864)
CLOTHS: Final = {"green": (50, 95, 40), "wood": (60, 95, 140)}
LIGHTS: Final = {
    "bright": (1.1, 1.1, 1.1), "dim": (0.3, 0.3, 0.3), "warm": (0.55, 0.8, 1.0), "cool": (1.05, 0.9, 0.7),
}  # fmt: skip
"""Gains of blue, green and red."""


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("ours", faces())


def table(deck: Deck, cards: tuple[Card, ...], turn: float, cloth: str) -> tuple[Picture, dict[Card, Array]]:
    """Twenty cards in rows of five, each turned by degrees, and where their middles lie."""
    noise = np.random.default_rng(7).normal(0, 3, (SIZE[1], SIZE[0], 1))
    picture = np.asarray(np.clip(np.array(CLOTHS[cloth]) + noise, 0, 255), np.uint8)
    middles = {}
    for place, card in enumerate(cards):
        middle = np.array([170 + 298 * (place % 5), 110 + 214 * (place // 5)], np.float32)
        face = deck.face(card)
        factor = LONG / face.shape[0]
        small = cv2.resize(face, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        warp = cv2.getRotationMatrix2D(((small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2), turn + place, 1)
        warp[:, 2] += 85 - np.array([(small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2])
        left, top = (middle - 85).astype(int)
        cell = np.ascontiguousarray(picture[top : top + 171, left : left + 171])
        cv2.warpAffine(small, warp, (171, 171), dst=cell, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
        picture[top : top + 171, left : left + 171] = cell
        middles[card] = middle
    return picture, middles


def seen_aslant(picture: Picture, middles: dict[Card, Array]) -> tuple[Picture, dict[Card, Array]]:
    """The table as a camera sees it that leans by about 15 degrees: the far side is a fifth shorter."""
    width, height = SIZE
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    leaning = np.array([(140, 20), (width - 140, 20), (width, height - 5), (0, height - 5)], np.float32)
    warp = cv2.getPerspectiveTransform(frame, leaning)
    seen = cv2.warpPerspective(picture, warp, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), {
        card: np.asarray(cv2.perspectiveTransform(middle[None, None], warp)[0, 0], np.float32)
        for card, middle in middles.items()
    }


def judged(deck: Deck, picture: Picture, middles: dict[Card, Array]) -> Iterator[tuple[Card, bool]]:
    """Each card and whether it was read; fails if any other was named in its place."""
    told = [(card.card, np.mean(card.corners, axis=0)) for card in read(picture, deck).cards if card.card is not None]
    for name, place in told:
        assert np.abs(place - middles[name]).max() < 0.1 * LONG, f"{name} was told where it does not lie"
    names = {name for name, _ in told}
    yield from ((card, card in names) for card in middles)


@pytest.mark.parametrize("aslant", [False, True])
def test_tc13_each_card_at_24_angles_gives_the_same_answer(deck: Deck, aslant: bool) -> None:
    results: list[tuple[Card, bool]] = []
    for turn in range(0, 360, 15):
        for half in (DECK[::2], DECK[1::2]):
            picture, middles = table(deck, half, turn, "green")
            results += judged(deck, *(seen_aslant(picture, middles) if aslant else (picture, middles)))
    assert len(results) == 40 * 24
    missed = [str(card) for card, found in results if not found]
    assert len(missed) < 0.02 * len(results), missed


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("cloth", CLOTHS)
def test_tc12_every_card_of_every_suit_in_every_light(deck: Deck, light: str, cloth: str) -> None:
    lamp = np.linspace(0.6, 1.0, SIZE[0])[None, :, None]  # stands to the right
    for half in (DECK[::2], DECK[1::2]):
        picture, middles = table(deck, half, 20, cloth)
        lit = np.asarray(np.clip(picture * lamp * np.array(LIGHTS[light]), 0, 255), np.uint8)
        assert [str(card) for card, found in judged(deck, lit, middles) if not found] == []
