"""TC4 of the field faults: red and blue swapped by the camera's driver is noticed, on every pattern of ours."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import parse_cards
from vision.colours import exchanged, red_and_blue_swapped
from vision.deck import make_deck
from vision.detect import read
from vision.synthetic.deck import faces
from vision.synthetic.style import STYLES


@pytest.mark.parametrize("style", sorted(STYLES))
def test_swapped_channels_are_noticed_and_right_ones_are_not(style: str) -> None:
    drawn = faces(style, 110)
    deck = make_deck(style, drawn)
    picture = np.full((400, 900, 3), (40, 70, 50), np.uint8)
    for place, card in enumerate(parse_cards("7d Rc 5s Fb")):
        face = drawn[card]
        picture[80 : 80 + face.shape[0], 60 + 210 * place : 60 + 210 * place + face.shape[1]] = face
    assert len([c for c in read(picture, deck).cards if c.card]) == 4
    assert not red_and_blue_swapped(picture, read(picture, deck), deck)
    wrong = exchanged(picture)
    assert red_and_blue_swapped(wrong, read(wrong, deck), deck)


def test_an_empty_table_says_nothing() -> None:
    deck = make_deck("drawn", faces(width=110))
    picture = np.full((400, 900, 3), (40, 70, 50), np.uint8)
    assert not red_and_blue_swapped(picture, read(picture, deck), deck)
