"""Learning under a camera: hands come and go, cards are laid one after another or ten at once."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.deck_check import check_deck
from vision.enrol import Enrolment
from vision.errors import DeckError
from vision.recognise import match_patches
from vision.synthetic.deck import back, faces
from vision.templates import HEIGHT

SIZE = (540, 960)
Faces = dict[Card, np.ndarray]


@pytest.fixture(scope="module")
def drawn() -> Faces:
    return faces(width=110)


class Table:
    """A camera at five frames a second above a cloth on which cards are laid."""

    def __init__(self) -> None:
        self.enrolment = Enrolment()
        self.now = 0.0
        self.seed = 0

    def frame(self, picture: np.ndarray) -> tuple[Card, ...]:
        self.now += 0.2
        self.seed += 1
        noise = np.random.default_rng(self.seed).normal(0, 2, picture.shape)
        return self.enrolment.update(np.clip(picture + noise, 0, 255).astype(np.uint8), self.now)

    def lay(self, *cards: np.ndarray, rest: int = 6, blur: float = 0) -> tuple[Card, ...]:
        """A hand lays these cards in rows of five and goes; what was taken while they lay there."""
        picture = cloth()
        for place, face in enumerate(cards):
            top, left = 40 + 250 * (place // 5), 60 + 170 * (place % 5)
            picture[top : top + face.shape[0], left : left + face.shape[1]] = face
        picture = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
        hand = picture.copy()
        hand[200 + self.seed % 40 :, 300:500] = (90, 120, 170)
        return (*self.frame(hand), *(card for _ in range(rest) for card in self.frame(picture)))


def cloth() -> np.ndarray:
    return np.full((*SIZE, 3), (60, 90, 40), np.uint8)


def named(enrolment: Enrolment, drawn: Faces) -> list[Card | None]:
    """What the learnt deck takes the drawn faces for."""
    templates = enrolment.deck("learnt").templates
    patches = [cv2.resize(drawn[card], (templates.width, HEIGHT), interpolation=cv2.INTER_AREA) for card in DECK]
    return [match.card for match in match_patches(patches, templates)]


def in_order(table: Table, cards: Iterable[Card], drawn: Faces) -> None:
    for card in cards:
        assert table.enrolment.wanted == card
        assert table.lay(drawn[card], rest=4) == (card,)


def test_card_after_card_then_ten_at_once_then_the_back(drawn: Faces) -> None:
    table = Table()
    in_order(table, DECK[:10], drawn)
    for suit in (1, 2, 3):
        ten = DECK[10 * suit : 10 * suit + 10]
        assert table.lay(*(drawn[card] for card in ten)) == ten
    assert table.enrolment.wanted is None
    assert table.lay(drawn[DECK[39]]) == ()
    assert (table.enrolment.remark, table.enrolment.back) == ("same", None)
    assert table.lay(cv2.resize(back(), (110, drawn[DECK[0]].shape[0]), interpolation=cv2.INTER_AREA)) == ()
    assert table.enrolment.remark == "done"
    assert table.enrolment.deck("learnt").back is not None
    assert named(table.enrolment, drawn) == list(DECK)
    assert [fault for fault in check_deck(table.enrolment.deck("learnt")) if fault.what != "small"] == []


def test_nothing_is_taken_while_a_hand_moves_or_the_table_is_empty(drawn: Faces) -> None:
    table = Table()
    assert [table.lay(drawn[DECK[0]], rest=1) for _ in range(5)] == [()] * 5
    assert table.enrolment.remark == "moving"
    assert table.lay() == ()
    assert table.enrolment.remark == "empty"
    assert table.lay(drawn[DECK[0]], drawn[DECK[1]]) == ()
    assert table.enrolment.remark == "many"


def test_a_card_is_taken_once_however_it_is_moved(drawn: Faces) -> None:
    table = Table()
    in_order(table, DECK[:3], drawn)
    turned = np.ascontiguousarray(drawn[DECK[1]][::-1, ::-1])
    assert table.lay(turned) == ()
    assert (table.enrolment.remark, table.enrolment.taken) == ("same", DECK[1])
    assert table.lay(drawn[DECK[3]]) == (DECK[3],)


def test_soft_and_shining_cards_are_refused_until_people_insist(drawn: Faces) -> None:
    table = Table()
    assert table.lay(drawn[DECK[0]], blur=3) == ()
    assert table.enrolment.remark == "soft"
    dim = (drawn[DECK[0]] * 0.7).astype(np.uint8)
    cv2.circle(dim, (55, 60), 30, (255, 255, 255), -1)
    assert table.lay(dim) == ()
    assert table.enrolment.remark == "glare"
    table.enrolment.force()
    assert table.lay(dim) == (DECK[0],)


def test_skipped_cards_come_last_and_the_last_can_be_redone(drawn: Faces) -> None:
    table = Table()
    in_order(table, DECK[:2], drawn)
    table.enrolment.skip()
    in_order(table, DECK[3:5], drawn)
    table.enrolment.redo()
    in_order(table, DECK[4:6], drawn)
    for _ in DECK[6:]:
        table.enrolment.skip()
    assert table.enrolment.wanted == DECK[2]
    with pytest.raises(DeckError, match="got 5: 3d 7d Fd Cd"):
        table.enrolment.deck("learnt")
