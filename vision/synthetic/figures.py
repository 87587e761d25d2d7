"""Fante, cavallo and re: standing figures for the South, half figures for patterns with two heads."""

from __future__ import annotations

from engine.cards import Card
from vision.synthetic.pen import INK, Colour, Pen, arc
from vision.synthetic.pips import FRENCH_SIGNS, club, coin, cup, sword
from vision.synthetic.style import Palette, Style

_FANTE, _CAVALLO, _RE = 8, 9, 10


def draw_figure(pen: Pen, card: Card, style: Style) -> None:
    """Print a whole figure, feet on the ground, on an empty face."""
    ink, coat, cloak = style.palette, *_garments(card, style.palette)
    pen = pen.at(50, style.height / 2, 0.86 if style.inset or style.numbers else 1.0)
    ground = style.height / 2 - 10
    pen.polygon(
        [(-36, ground - 4), (36, ground - 4), (38, ground + 3), (-38, ground + 3)],
        ink.green if card.suit % 2 else ink.red,
    )
    if card.value == _CAVALLO:
        _horse(pen.at(0, ground - 40), ink, card.suit)
        _torso(pen.at(2, -8, 0.82), coat, cloak, ink)
        pen.blob([(-2, 18), (12, 16), (14, 44), (22, 52), (8, 52)], coat)
        _head(pen.at(2, -8 - 34 * 0.82, 0.82), card.value, ink, cloak)
        _emblem(pen.at(-27, -34, 1.05), card, style)
        return
    if card.value == _RE:
        pen.blob([(-18, -18), (18, -18), (34, ground - 2), (-34, ground - 2)], cloak)
        pen.polygon([(-9, -16), (9, -16), (17, ground - 6), (-17, ground - 6)], coat)
        for k in range(5):
            pen.disc(0, 2 + 12 * k, 2.2, ink.gold, width=0.7)
    else:
        for side in (-1, 1):
            pen.blob(
                [(side * 2, 12), (side * 14, 12), (side * 13, 34), (side * 10, ground - 8), (side * 5, ground - 8)],
                cloak,
            )
            pen.blob(
                [(side * 4, ground - 9), (side * 11, ground - 9), (side * 20, ground - 3), (side * 4, ground - 3)],
                ink.gold,
            )
        pen.blob([(-20, 4), (20, 4), (24, 24), (0, 20), (-24, 24)], coat)
    _torso(pen.at(0, -8), coat, cloak, ink)
    _head(pen.at(0, -42), card.value, ink, cloak)
    _emblem(pen.at(-31, -20, 1.15), card, style)


def draw_half_figure(pen: Pen, card: Card, style: Style) -> None:
    """Print the upper half of a figure with two heads; the lower half is this one turned round."""
    ink, coat, cloak = style.palette, *_garments(card, style.palette)
    middle = style.height / 2
    pen = pen.at(50, middle, 0.92 if style.suits == "french" else min(1.12, (middle - 100 * style.inset - 2) / 72))
    if card.value == _CAVALLO and style.suits == "latin":
        _horse_head(pen.at(22, -22), ink, card.suit)
    pen.blob([(-30, 12), (-22, -26), (22, -26), (30, 12)], cloak)
    pen.polygon([(-12, 0), (-12, -28), (12, -28), (12, 0)], coat)
    for k in range(4):
        pen.polygon([(-12, -6 - 6 * k), (0, -3 - 6 * k), (12, -6 - 6 * k), (0, -9 - 6 * k)], ink.gold, width=0.8)
    pen.blob([(-28, -6), (-20, -22), (-6, -10), (-16, 0)], coat)
    _head(pen.at(0, -40, 1.05), card.value, ink, cloak, lady=style.suits == "french" and card.value == _CAVALLO)
    _emblem(pen.at(-27, -32, 1.05), card, style)


def _garments(card: Card, ink: Palette) -> tuple[Colour, Colour]:
    """Coat and cloak; every suit and rank has a pair of its own."""
    cloth = (ink.red, ink.blue, ink.green, ink.gold)
    return cloth[(card.suit + card.value) % 4], cloth[(card.suit + card.value + 1 + card.suit % 2) % 4]


def _emblem(pen: Pen, card: Card, style: Style) -> None:
    if style.suits == "french":
        FRENCH_SIGNS[card.suit](pen.at(0, -6, 0.8), style.palette.red if card.suit < 2 else INK)
    elif card.suit < 2:
        (coin, cup)[card.suit](pen.at(0, -4), style.palette)
    else:
        (sword, club)[card.suit - 2](pen.at(0, -2, 1.3), style.palette, 21)


def _torso(pen: Pen, coat: Colour, cloak: Colour, ink: Palette) -> None:
    """Chest with belt, one arm out to the emblem and one on the hip; about 50 units high."""
    pen.blob([(-18, -20), (-34, -6), (-28, 2), (-14, -6)], cloak)
    pen.blob([(18, -20), (30, -2), (20, 14), (12, 8), (18, -2), (12, -10)], cloak)
    pen.polygon([(-16, -22), (16, -22), (13, 16), (-13, 16)], coat)
    pen.polygon([(-14, 10), (14, 10), (13.5, 16), (-13.5, 16)], ink.gold, width=0.9)
    pen.line([(0, -22), (0, 10)], width=0.9)
    pen.disc(-31, -3, 4.2, ink.skin, width=0.9)
    pen.polygon([(-10, -24), (10, -24), (6, -17), (-6, -17)], ink.gold, width=0.9)


def _head(pen: Pen, value: int, ink: Palette, cloth: Colour, lady: bool = False) -> None:
    """A head about 26 units high; its cap, hat or crown tells the rank."""
    hair: Colour = (60, 96, 150) if value != _RE else (210, 214, 220)
    pen.blob([(-13, 12), (-12, -12), (12, -12), (13, 12)], (70, 170, 220) if lady else hair)
    pen.ellipse(0, 0, 9, 11, ink.skin, width=1)
    for x in (-3.6, 3.6):
        pen.disc(x, -2, 1.1, INK, None)
    pen.line([(0, -1), (-1.6, 3), (0.6, 3)], width=0.7)
    pen.line([(-2.6, 6.2), (2.6, 6.2)], ink.red, 1.2)
    if value == _RE:
        pen.blob([(-8, 4), (-4, 6), (4, 6), (8, 4), (6, 18), (0, 22), (-6, 18)], hair)
        _crown(pen, ink)
    elif value == _CAVALLO:
        if lady:
            _crown(pen.at(0, 2, 0.8), ink)
            return
        pen.blob([(-20, -6), (-10, -16), (10, -16), (20, -6), (0, -9)], cloth)
        pen.blob([(4, -14), (22, -30), (26, -20), (12, -10)], ink.red)
    else:
        pen.blob([(-13, -6), (-12, -18), (4, -24), (14, -14), (12, -6)], cloth)
        pen.blob([(-10, -14), (-26, -24), (-24, -12), (-12, -8)], ink.gold)


def _crown(pen: Pen, ink: Palette) -> None:
    pen.polygon([(-12, -8), (-15, -26), (-6, -17), (0, -28), (6, -17), (15, -26), (12, -8)], ink.gold)
    pen.disc(0, -12, 2, ink.red, width=0.6)


def _horse(pen: Pen, ink: Palette, suit: int) -> None:
    """A horse at a walk, facing right, about 70 units wide."""
    hide = ((70, 110, 170), (200, 206, 212), (60, 66, 84), (96, 150, 204))[suit]
    for x, lift in ((-24, 0), (-12, 4), (16, 6), (24, 0)):
        pen.blob([(x - 4, 0), (x + 6, 0), (x + 3, 22), (x + 6, 37 - lift), (x - 3, 37 - lift)], hide)
    pen.blob([(-34, -2), (-46, 26), (-34, 30), (-30, 8)], INK)
    pen.blob([(-34, -10), (0, -16), (28, -14), (32, 8), (8, 14), (-32, 14)], hide)
    pen.blob([(18, 2), (22, -22), (36, -42), (44, -36), (52, -22), (44, -16), (38, -20), (34, 4)], hide)
    pen.blob([(16, -4), (22, -30), (36, -44), (32, -26), (24, -6)], INK)
    pen.disc(40, -31, 1.3, INK, None)
    pen.polygon([(-12, -14), (14, -15), (12, 2), (-8, 2)], ink.red)
    pen.line(arc(28, -22, 18, 16, 30, 170), ink.gold, 1.6)


def _horse_head(pen: Pen, ink: Palette, suit: int) -> None:
    hide = ((70, 110, 170), (200, 206, 212), (60, 66, 84), (96, 150, 204))[suit]
    pen.blob([(-10, 24), (-8, -14), (2, -32), (10, -28), (20, -6), (12, 0), (4, -6), (6, 24)], hide)
    pen.blob([(-12, 16), (-10, -16), (2, -34), (-2, -14), (-6, 18)], INK)
    pen.disc(6, -18, 1.4, INK, None)
    pen.line([(12, -2), (2, -12), (-8, 10)], ink.gold, 1.6)
