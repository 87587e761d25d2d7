"""Calibration on tables that are drawn here, with one thing wrong at a time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import DECK
from vision.calibrate import calibrate, colour_order
from vision.deck import Deck, make_deck
from vision.detect import read
from vision.read_box import read_box
from vision.synthetic.deck import faces

SIZE = (1024, 576)
CLOTH = (70, 110, 50)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("ours", faces(width=160))


def cloth(colour: tuple[int, int, int] = CLOTH) -> np.ndarray:
    noise = np.random.default_rng(3).normal(0, 2, (SIZE[1], SIZE[0], 3))
    return np.clip(np.full((SIZE[1], SIZE[0], 3), colour) + noise, 0, 255).astype(np.uint8)


def with_cards(deck: Deck, table: np.ndarray, width: int = 90) -> np.ndarray:
    table = table.copy()
    for place, card in enumerate(DECK[4:9]):
        face = deck.face(card)
        small = cv2.resize(face, (width, round(width * deck.aspect)), interpolation=cv2.INTER_AREA)
        top, left = 80 + 30 * place, 100 + 170 * place
        table[top : top + small.shape[0], left : left + width] = small
    return table


def test_an_empty_table_in_good_light() -> None:
    found = calibrate(cloth())
    assert found.good
    assert found.corners == (True,) * 4
    assert found.light.verdict == "good"
    assert found.reflections == ()
    assert found.blur is None, "a bare cloth has no edges to judge focus by"
    assert found.card_width is None


def test_cards_on_the_table_do_not_spoil_it(deck: Deck) -> None:
    table = with_cards(deck, cloth())
    found = calibrate(table, read(table, deck))
    assert found.good
    assert found.card_width == pytest.approx(90, abs=1.5)
    assert found.light.middle == pytest.approx(calibrate(cloth()).light.middle, abs=1)


@pytest.mark.parametrize(("factor", "verdict"), [(0.15, "dark"), (2.6, "bright"), (1.0, "good")])
def test_light(factor: float, verdict: str) -> None:
    assert calibrate(cv2.convertScaleAbs(cloth((80, 100, 90)), alpha=factor)).light.verdict == verdict


def test_light_from_one_side() -> None:
    ramp = np.linspace(0.3, 1.0, SIZE[0])[None, :, None]
    found = calibrate((cloth() * ramp).astype(np.uint8))
    assert found.light.verdict == "uneven"
    assert not found.good


def test_a_reflection_is_found_where_it_is() -> None:
    table = cloth()
    cv2.circle(table, (700, 200), 40, (255, 255, 255), -1)
    found = calibrate(table)
    assert len(found.reflections) == 1
    assert found.reflections[0] == pytest.approx((660, 160, 81, 81), abs=3)
    assert not found.good


def test_a_corner_that_is_not_table() -> None:
    table = cloth()
    table[400:, 800:] = (40, 60, 190)
    assert calibrate(table).corners == (True, True, False, True)


@pytest.mark.parametrize("sigma", [1.0, 1.5, 2.0, 3.0])
def test_blur_is_measured_in_pixels(deck: Deck, sigma: float) -> None:
    sharp = calibrate(with_cards(deck, cloth())).blur
    assert sharp is not None
    blurred = calibrate(cv2.GaussianBlur(with_cards(deck, cloth()), (0, 0), sigma))
    assert blurred.blur == pytest.approx(np.hypot(sharp, sigma), rel=0.15)
    assert blurred.focus is not None
    assert (blurred.focus < 50) == (blurred.blur > 1.6)


def test_small_cards_are_judged(deck: Deck) -> None:
    table = with_cards(deck, cloth(), 44)
    reading = read(table, deck)
    assert reading.cards
    assert not calibrate(table, reading).good


def test_tc4_swapped_colours_are_told(deck: Deck) -> None:
    table = with_cards(deck, cloth())
    assert colour_order(table, deck) == "right"
    assert colour_order(np.ascontiguousarray(table[:, :, ::-1]), deck) == "swapped"
    assert colour_order(cloth(), deck) == "unknown"


def test_the_read_box_lies_in_the_best_light_beside_reflections() -> None:
    table = cloth()
    table[200:420, 600:800] += 60
    table[250:300, 650:700] = 255
    left, top, width, height = read_box(table, 90, avoid=((650, 250, 50, 50),))
    assert (width, height) == (155, 109)
    assert left >= 600
    assert left + width <= 800
    assert top >= 300
    assert top + height <= 420


def test_the_read_box_is_not_where_a_card_lies(deck: Deck) -> None:
    table = with_cards(deck, cloth())
    table[300:440, 500:760] += 30
    found = calibrate(table, read(table, deck))
    assert found.read_box is not None
    left, top, width, height = found.read_box
    assert 500 <= left + width / 2 <= 760
    assert 300 <= top + height / 2 <= 440
