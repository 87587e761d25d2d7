"""Cards on one another, painted with decks of our own: what shows enough is read, what does not is never guessed."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from vision.deck import Deck, make_deck
from vision.detect import read, table_cards
from vision.observation import BackDetection, CardDetection, PictureReading
from vision.synthetic.deck import back, faces

Picture = NDArray[np.uint8]
LONG: Final = 160
"""Pixels of a card's long side."""


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("ours", faces())


def cloth() -> Picture:
    noise = np.random.default_rng(4).normal(0, 4, (864, 1536, 1))
    return np.asarray(np.clip(np.array([40, 80, 30]) + noise, 0, 255), np.uint8)


def place(x: float, y: float, turn: float, aspect: float) -> NDArray[np.float32]:
    """Corners of a card about a point, clockwise turned by degrees."""
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * LONG / 2 * np.array([1 / aspect, 1])
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(half @ np.array([(c, s), (-s, c)]) + (x, y), np.float32)


def lay(table: Picture, face: Picture, corners: NDArray[np.float32]) -> None:
    """Paint a face over a table."""
    height, width = face.shape[:2]
    soft = cv2.GaussianBlur(face, (0, 0), 0.35 * height / LONG)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(frame, corners)
    size = (table.shape[1], table.shape[0])
    share = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size)[..., None] / 255.0
    table[:] = table * (1 - share) + cv2.warpPerspective(soft, warp, size, borderMode=cv2.BORDER_REPLICATE) * share


def named(reading: PictureReading) -> set[str]:
    return {str(card.card) for card in reading.cards if card.card is not None}


def test_a_pair_is_read_with_its_hidden_corners(deck: Deck) -> None:
    table = cloth()
    below, above = place(600, 400, 20, deck.aspect), place(650, 440, 100, deck.aspect)
    lay(table, deck.face(Card.parse("Rs")), below)
    lay(table, deck.face(Card.parse("5c")), above)
    lay(table, deck.face(Card.parse("7d")), place(1100, 300, 70, deck.aspect))
    reading = read(table, deck)
    assert named(reading) == {"Rs", "5c", "7d"}
    hidden = next(card for card in reading.cards if card.card == Card.parse("Rs"))
    assert 0.3 < hidden.visible < 0.9
    off = min(np.abs(np.roll(hidden.corners, turn, axis=0) - below).max() for turn in (0, 2))
    assert off < 0.02 * LONG


def test_a_pair_alone_tells_its_own_size(deck: Deck) -> None:
    table = cloth()
    lay(table, deck.face(Card.parse("Fb")), place(700, 420, 0, deck.aspect))
    lay(table, deck.face(Card.parse("As")), place(745, 450, 75, deck.aspect))
    assert named(read(table, deck)) == {"Fb", "As"}


def test_what_two_cards_share_is_not_guessed(deck: Deck) -> None:
    table = cloth()
    lay(table, deck.face(Card.parse("6d")), place(600, 400, 0, deck.aspect))
    lay(table, deck.face(Card.parse("Rb")), place(600, 345, 90, deck.aspect))
    lay(table, deck.face(Card.parse("Ac")), place(1000, 400, 90, deck.aspect))
    assert named(read(table, deck)) <= {"6d", "Rb", "Ac"}


def test_a_mark_under_a_pile_is_no_card_of_the_table(deck: Deck) -> None:
    table = cloth()
    lay(table, deck.face(Card.parse("Cs")), place(300, 300, 90, deck.aspect))
    lay(table, back(), place(300, 300, 3, deck.aspect))
    lay(table, deck.face(Card.parse("2b")), place(900, 500, 30, deck.aspect))
    assert named(read(table, deck)) == {"2b"}


@pytest.mark.parametrize("turn", range(0, 360, 45))
def test_any_angle_gives_the_same_answer(deck: Deck, turn: int) -> None:
    table = cloth()
    lay(table, deck.face(Card.parse("Cd")), place(700, 420, turn, deck.aspect))
    lay(table, deck.face(Card.parse("4b")), place(752, 432, turn + 60, deck.aspect))
    lay(table, deck.face(Card.parse("Ad")), place(1150, 300, 2 * turn, deck.aspect))
    assert named(read(table, deck)) == {"Cd", "4b", "Ad"}


def test_a_face_under_a_back_is_no_card_of_the_table() -> None:
    mark = CardDetection(Card.parse("Cs"), 1.0, (), ((20, 60), (180, 60), (180, 140), (20, 140)), 0.4)
    beside = CardDetection(Card.parse("7d"), 1.0, (), ((160, 20), (240, 20), (240, 180), (160, 180)), 0.8)
    above = CardDetection(Card.parse("2b"), 1.0, (), ((70, 30), (130, 30), (130, 150), (70, 150)), 1.0)
    pile = BackDetection(((60, 20), (140, 20), (140, 180), (60, 180)))
    assert table_cards(PictureReading(300, 200, (mark, beside), (pile,))) == (beside,)
    assert table_cards(PictureReading(300, 200, (above, beside), (pile,))) == (above, beside)
    assert table_cards(PictureReading(300, 200, (mark, beside), ())) == (mark, beside)


def test_a_card_cut_short_is_no_whole_card_where_others_tell_the_proportions(deck: Deck) -> None:
    table = cloth()
    for x, card in ((300, "Rs"), (550, "4c"), (1250, "As")):
        lay(table, deck.face(Card.parse(card)), place(x, 300, 0, deck.aspect))
    short = place(900, 500, 0, deck.aspect)
    short[2:, 1] -= 0.15 * LONG
    face = deck.face(Card.parse("7b"))
    lay(table, np.ascontiguousarray(face[: round(0.85 * len(face))]), short)
    assert named(read(table, deck)) == {"Rs", "4c", "As"}


def test_a_face_that_something_hides_across_the_middle_is_not_told_as_whole(deck: Deck) -> None:
    table = cloth()
    for x, card in ((300, "Rs"), (550, "6c"), (1250, "As")):
        lay(table, deck.face(Card.parse(card)), place(x, 300, 0, deck.aspect))
    hidden = place(900, 500, 90, deck.aspect)
    lay(table, deck.face(Card.parse("4d")), hidden)
    left, right = (round(900 + side * 0.22 * LONG) for side in (-1, 1))
    table[400:600, left:right] = np.where(
        np.indices((200, right - left)).sum(axis=0)[..., None] % 8 < 4, 230, (160, 90, 60)
    )
    assert named(read(table, deck)) == {"Rs", "6c", "As"}
