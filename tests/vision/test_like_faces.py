"""Faces that are nearly alike are told apart by a closer look, or told as a choice; what touches a card is seen too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from tests.vision.test_detect import lay, table
from vision.deck import Deck, make_deck
from vision.detect import read
from vision.synthetic.looks import our_pack

LIKE = ("2s", "3s", "4s", "6s", "7s", "2b", "3b", "4b", "6b", "7b")
"""Spades and clubs: one drawing in two shapes, both black."""


@pytest.fixture(scope="module")
def french() -> Deck:
    pack = our_pack("francese")
    return make_deck("french", {card: pack.faces[card] for card in DECK}, pack.back)


def dim(picture: NDArray[np.uint8], blur: float, gain: float) -> NDArray[np.uint8]:
    """Out of focus and in little light."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float32) * gain
    noise = np.random.default_rng(5).normal(0, 2, picture.shape)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("long", [120, 150])
def test_spades_and_clubs_are_told_apart(french: Deck, long: int) -> None:
    picture = table(3)
    for place, name in enumerate(LIKE):
        face = french.face(Card.parse(name))
        lay(picture, face, 190 + 280 * (place % 5), 220 + 400 * (place // 5), 25 * place, long)
    reading = read(dim(picture, 1.4, 0.6), french)
    assert sorted(str(found.card) for found in reading.cards) == sorted(LIKE)


def test_what_cannot_be_told_apart_is_a_choice(french: Deck) -> None:
    picture = table(3)
    for place, name in enumerate(("2s", "Rd", "Fc")):
        lay(picture, french.face(Card.parse(name)), 300 + 400 * place, 430, 5, 110)
    reading = read(dim(picture, 2.2, 0.6), french)
    unsure = [found for found in reading.cards if found.card is None]
    assert Card.parse("Rd") in {found.card for found in reading.cards}
    assert [{str(card) for card, _ in found.options[:2]} for found in unsure] == [{"2s", "2b"}]
    assert all(share <= 0.75 for found in unsure for _, share in found.options)


@pytest.mark.parametrize("gap", [-3, 0, 2])
def test_a_back_that_touches_a_card_is_a_back(french: Deck, gap: int) -> None:
    picture, long, width = table(4), 140, 140 / french.aspect
    assert french.back is not None
    lay(picture, french.back, 600, 430, 0, long)
    lay(picture, french.face(Card.parse("As")), 600 + width + gap, 433, 2, long)
    lay(picture, french.face(Card.parse("Rc")), 1100, 430, 30, long)
    reading = read(picture, french)
    assert sorted(str(found.card) for found in reading.cards) == ["As", "Rc"]
    (back,) = reading.backs
    assert np.abs(np.mean(back.corners, axis=0) - (600, 430)).max() < 3
