"""Naming a patch: the margin and the evidence mean what they say, on cards drawn by the project."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.deck import Deck, make_deck
from vision.recognise import evidence_for, match_masked, match_patches, rectify
from vision.synthetic.deck import faces
from vision.templates import HEIGHT, features


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("drawn", faces(width=150))


def patch(deck: Deck, card: Card) -> np.ndarray:
    return cv2.resize(deck.face(card), (deck.templates.width, HEIGHT), interpolation=cv2.INTER_AREA)


def test_each_face_is_itself_either_way_up(deck: Deck) -> None:
    patches = [patch(deck, card) for card in DECK]
    for card, match in zip(DECK, match_patches(patches, deck.templates), strict=True):
        assert match.card == card
        assert match.quality == pytest.approx(1, abs=1e-3)
        assert match.margin == pytest.approx(1, abs=1e-2)
    turned = match_patches([p[::-1, ::-1] for p in patches], deck.templates)
    assert [match.card for match in turned] == list(DECK)


def test_half_way_between_two_faces_has_no_margin(deck: Deck) -> None:
    six, seven = (patch(deck, Card.parse(name)).astype(float) for name in ("6c", "7c"))
    (match,) = match_patches([((six + seven) / 2).astype(np.uint8)], deck.templates)
    assert match.margin < 0.15
    assert {card for card, _ in match.ranked[:2]} == {Card.parse("6c"), Card.parse("7c")}


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.5, 0.5, 0.5), (0.7, 0.9, 1.0), (1.0, 0.8, 0.6)])
def test_the_lamps_colour_and_brightness_do_not_matter(deck: Deck, light: tuple[float, float, float]) -> None:
    lit = [(patch(deck, card) * np.array(light)).astype(np.uint8) for card in DECK]
    for card, match in zip(DECK, match_patches(lit, deck.templates), strict=True):
        assert match.card == card
        assert match.quality > 0.97


def test_where_the_difference_is_hidden_there_is_no_evidence(deck: Deck) -> None:
    card, other = Card.parse("6c"), Card.parse("7c")
    seen = features(patch(deck, card))
    differ = np.abs(deck.templates.planes[card.index] - deck.templates.planes[other.index]).max(axis=2) > 0.005
    hidden = ~cv2.dilate(differ.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    masks = np.stack([np.ones_like(hidden), hidden])
    whole, part = match_masked(np.stack([seen, seen]), masks, deck.templates)
    assert whole.card == card
    assert whole.evidence > 100
    assert part.evidence < whole.evidence / 10
    assert part.seen == pytest.approx(hidden.mean())


def test_evidence_is_the_ratio_of_two_residuals() -> None:
    assert evidence_for(0.8, 0.8, 1.0) == 0
    assert evidence_for(0.9, 0.6, 0.5) == pytest.approx(45 * math.log((1 - 0.36) / (1 - 0.81)))


def test_rectify_takes_what_lies_between_the_corners(deck: Deck) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    face = patch(deck, DECK[6])
    picture[100 : 100 + HEIGHT, 50 : 50 + face.shape[1]] = face
    right, low = face.shape[1] + 49.5, HEIGHT + 99.5
    corners = np.array([(49.5, 99.5), (right, 99.5), (right, low), (49.5, low)])
    assert np.abs(rectify(picture, corners.astype(np.float32), face.shape[1]).astype(int) - face).max() <= 1
