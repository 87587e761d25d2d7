"""Dim, off, shift and wake; an evening of eight hours burns no dot in."""

from __future__ import annotations

import random

import numpy as np

from engine.cards import DECK
from firmware import screens
from firmware.draw import draw
from firmware.idle import BRIGHT, DIM, SHIFTS, Idle, glass
from firmware.text import Words


def test_it_dims_after_a_minute_and_goes_dark_after_ten() -> None:
    idle = Idle().moved(100.0)
    assert [idle.contrast(100.0 + after) for after in (0, 59.9, 60, 599.9, 600)] == [BRIGHT, BRIGHT, DIM, DIM, 0]


def test_an_alarm_never_goes_dark() -> None:
    assert Idle(alarm=True).contrast(10_000.0) == DIM


def test_the_waking_press_does_nothing_else() -> None:
    woken, counts = Idle().pressed(700.0)
    assert not counts
    assert woken.contrast(700.0) == BRIGHT
    assert woken.pressed(701.0)[1]


def test_a_press_while_dim_counts() -> None:
    assert Idle().pressed(100.0)[1]


def test_the_shift_loses_at_most_the_last_row_and_two_columns_of_a_picture() -> None:
    screen = screens.off(Words("it"), number=14)
    still = np.asarray(draw(screen), bool)
    for minute, (right, down) in enumerate(SHIFTS):
        moved = np.asarray(glass(screen, minute * 60.0), bool)
        assert np.array_equal(moved[down:, right:], still[: 64 - down, : 128 - right])
        assert not moved[:down].any()
        assert not moved[:, :right].any()


def evening(chance: random.Random) -> list[tuple[float, np.ndarray]]:
    """Eight hours of play as (seconds, lit dots): plays, pauses at the table, and long silences."""
    say, shown, now = Words("it"), [], 0.0
    while now < 8 * 3600:
        table = chance.sample(DECK, chance.randint(0, 7))
        names, hand = ("ANNA", "UGO"), int(now // 400) + 1
        screen = screens.play(
            say,
            turn=chance.choice(names),
            table=table,
            names=names,
            piles=(chance.randint(0, 20), chance.randint(0, 20)),
            stock=24,
            hand=hand,
            number=chance.randint(1, 36),
            plays=36,
        )
        lasts = chance.choice([5.0, 8.0, 15.0, 40.0, 120.0])
        if chance.random() < 0.01:
            lasts = 1500.0  # a walk in the garden, the play page left on
        shown.append((now, lasts, screen))
        now += lasts
    lit = []
    for start, lasts, screen in shown:
        idle = Idle().moved(start)
        for part in np.arange(start, start + lasts, 5.0):
            dots = np.asarray(glass(screen, part), bool) & (idle.contrast(part) > 0)
            lit.append((min(5.0, start + lasts - part), dots))
    return lit


def test_no_dot_is_lit_for_more_than_95_percent_of_an_evening() -> None:
    lit, on, total = np.zeros((64, 128)), 0.0, 0.0
    for lasts, dots in evening(random.Random(11)):
        lit += lasts * dots
        on += lasts * dots.any()
        total += lasts
    assert total > 7.9 * 3600
    assert on / total > 0.8, "the display was dark for most of the evening: that would prove nothing"
    assert lit.max() / total <= 0.95


def test_even_one_page_left_on_by_an_alarm_all_evening_burns_no_dot_in() -> None:
    screen = screens.lost(Words("it"), was=DECK[:4], now=DECK[3:7], changes=4)
    minutes = np.zeros((64, 128))
    for minute in range(480):
        minutes += np.asarray(glass(screen, minute * 60.0), bool)
    assert minutes.max() / 480 <= 0.95
