"""The cards from ace to seven: where the signs of each suit lie, in coordinates of a card that is 100 wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.cards import Card
from vision.synthetic.pen import Pen
from vision.synthetic.pips import FRENCH_SIGNS, club, coin, cup, scimitar, staff, sun, sword
from vision.synthetic.style import Palette, Style

_PLACES: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((0, -0.56), (0, 0.56)),
    3: ((0, -0.7), (0, 0), (0, 0.7)),
    4: ((-0.56, -0.62), (0.56, -0.62), (-0.56, 0.62), (0.56, 0.62)),
    5: ((-0.56, -0.68), (0.56, -0.68), (-0.56, 0.68), (0.56, 0.68), (0, 0)),
    6: ((-0.54, -0.7), (0.54, -0.7), (-0.54, 0), (0.54, 0), (-0.54, 0.7), (0.54, 0.7)),
    7: ((-0.54, -0.72), (0.54, -0.72), (-0.54, 0.06), (0.54, 0.06), (-0.54, 0.74), (0.54, 0.74), (0, -0.33)),
}
"""Centres of the signs of round suits; -1 to 1 spans the printed part of the card."""
_SIZES: Final[dict[int, float]] = {1: 3.1, 2: 2.0, 3: 1.75, 4: 1.6, 5: 1.4, 6: 1.35, 7: 1.25}


def draw_number(pen: Pen, card: Card, style: Style) -> None:
    """Print the signs of an ace to seven on an empty face."""
    middle = pen.at(50, style.height / 2)
    if style.suits == "french":
        _french(middle, card, style)
    elif card.suit == 0:
        _round(middle, card.value, style, coin, sun)
    elif card.suit == 1:
        _round(middle, card.value, style, cup, cup)
    elif card.value == 1:
        _long_ace(middle, card, style)
    elif style.long_suits == "columns":
        _columns(middle, card.value, style, sword if card.suit == 2 else club)
    else:
        (_mandorla if card.suit == 2 else _lattice)(middle, card.value, style)


def _round(
    pen: Pen, value: int, style: Style, sign: Callable[[Pen, Palette], None], great: Callable[[Pen, Palette], None]
) -> None:
    size = _SIZES[value] * style.pip
    if value == 1:
        great(pen.at(0, 0, size), style.palette)
        return
    wide, high = _spread(style)
    if value >= 4:  # two in a row must not touch
        size = min(size, wide * 0.54 / 11.6)
    for k, (x, y) in enumerate(_PLACES[value]):
        centre = value == 5 and k == 4
        (great if centre else sign)(pen.at(wide * x, high * y, size * (1.35 if centre else 1)), style.palette)


def _french(pen: Pen, card: Card, style: Style) -> None:
    colour = style.palette.red if card.suit < 2 else (34, 30, 30)
    if card.value == 1:
        FRENCH_SIGNS[card.suit](pen.at(0, 0, 2.2), colour)
        return
    for x, y in _PLACES[card.value]:
        FRENCH_SIGNS[card.suit](pen.at(40 * x, 52 * y, 0.95, turn=180 if y > 0.2 else 0), colour)


def _long_ace(pen: Pen, card: Card, style: Style) -> None:
    """One great sword or club that a hand holds, with a ribbon."""
    ink = style.palette
    half = style.height * 0.34
    pen.band([(-26, 30), (-8, 12), (-24, -6), (14, -22), (26, -40)], ink.gold, 4)
    if style.long_suits == "crossed" and card.suit == 3:
        staff(pen.at(0, -4, 2.3), ink, half / 2.3, ink.green)
    else:
        (sword if card.suit == 2 else club)(pen.at(0, -4, 2.3), ink, half / 2.3)
    pen.blob(
        [(-34, half + 8), (-36, half - 16), (-8, half - 20), (8, half - 12), (6, half + 6), (-8, half + 10)], ink.red
    )
    pen.blob([(-12, half - 18), (10, half - 18), (12, half - 4), (-8, half)], ink.skin)
    for k in range(3):
        pen.line([(-6, half - 15 + 4.5 * k), (8, half - 15 + 4.5 * k)], width=0.9)


def _columns(pen: Pen, value: int, style: Style, sign: Callable[[Pen, Palette, float], None]) -> None:
    """Swords or clubs side by side; an odd one lies across the middle, two and three cross."""
    wide, high = _spread(style)
    if value <= 3:
        for turn in ((-28, 28), (-32, 32, 0))[value - 2]:
            sign(pen.at(0, 0, 2.1 * style.pip, turn=turn), style.palette, high / 2.1)
        return
    columns = (-0.62, 0.62) if value < 6 else (-0.68, 0.0, 0.68)
    for x in columns:
        for y, turn in ((-0.6, 0), (0.6, 180)):
            sign(pen.at(wide * x, high * y, 1.5 * style.pip, turn), style.palette, high * 0.27)
    if value % 2:
        sign(pen.at(0, 0, 1.5 * style.pip, turn=90), style.palette, wide * 0.56)


def _mandorla(pen: Pen, value: int, style: Style) -> None:
    """Bent swords that close an almond; an odd value holds a straight one within."""
    ink, (wide, high) = style.palette, _spread(style)
    colours = (ink.blue, ink.red, ink.green)
    for k in range(value // 2):
        for mirror in (-1, 1):
            scimitar(pen.at(0, 0, squeeze=mirror), ink, high * (0.94 - 0.02 * k), wide * (1.0 - 0.3 * k), colours[k])
    if value % 2:
        sword(pen.at(0, 0, 1.9), ink, high * 0.44)
    elif value == 2:
        pen.blob([(0, -16), (9, 0), (0, 16), (-9, 0)], ink.gold)


def _lattice(pen: Pen, value: int, style: Style) -> None:
    """Staves that cross in the middle; an odd value has an upright one."""
    ink, (_, high) = style.palette, _spread(style)
    colours = (ink.blue, ink.red, ink.green)
    for k in range(value // 2):
        shift, lean = 9.0 * (k - (value // 2 - 1) / 2), 24
        for mirror in (-1, 1):
            staff(pen.at(shift, 0, 1.7, turn=mirror * lean), ink, high / 1.7 - 3, colours[k if mirror > 0 else k - 1])
    if value % 2:
        staff(pen.at(0, 0, 1.9), ink, high / 1.9 - 3, ink.green)
    pen.at(0, 0).blob([(-18, 4), (-8, -5), (0, 0), (8, -5), (18, 4), (0, 7)], ink.blue)


def _spread(style: Style) -> tuple[float, float]:
    """Half the width and height that signs may fill."""
    frame = 100 * style.inset
    corner = 4 if style.numbers else 0
    return 38 - frame - corner, style.height / 2 - 14 - frame - corner
