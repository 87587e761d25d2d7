"""The eight suit signs, drawn around the origin of a pen, about 20 units high (swords and batons: 2 x `half`)."""

from __future__ import annotations

import math

from vision.synthetic.pen import INK, Colour, Pen, arc
from vision.synthetic.style import Palette


def coin(pen: Pen, ink: Palette) -> None:
    """Denari: a gold ring around a rosette."""
    pen.disc(0, 0, 10, ink.gold)
    pen.disc(0, 0, 7.4, ink.paper)
    for k in range(8):
        petal = pen.at(0, 0, turn=45 * k)
        petal.blob([(-2.2, -2), (0, -7.6), (2.2, -2), (0, 0)], ink.red if k % 2 else ink.gold, width=0.7)
    pen.disc(0, 0, 2.2, ink.blue, width=0.8)


def sun(pen: Pen, ink: Palette) -> None:
    """The great coin of ace and five: rays around a face."""
    for k in range(16):
        ray = pen.at(0, 0, turn=22.5 * k)
        ray.polygon([(-1.7, -6), (0, -10.5), (1.7, -6)], ink.red if k % 2 else ink.gold, width=0.5)
    pen.disc(0, 0, 7, ink.gold, width=0.7)
    pen.disc(0, 0, 5, ink.skin, width=0.5)
    for x in (-1.8, 1.8):
        pen.disc(x, -1.2, 0.6, INK, None)
    pen.line([(0, -0.6), (0, 1)], width=0.5)
    pen.line(arc(0, 1, 2.2, 1.8, 20, 160), ink.red, 0.7)


def cup(pen: Pen, ink: Palette) -> None:
    """Coppe: a bowl with two ears on a foot."""
    for side in (-1, 1):
        pen.line(arc(side * 6.8, -5, 2.6, 3, 0, 360), INK, 1.6)
    pen.polygon([(-2, 4), (2, 4), (3, 8), (6.5, 10.5), (-6.5, 10.5), (-3, 8)], ink.green, width=0.9)
    pen.polygon([*arc(0, -6, 7.2, 9.5, 0, 180), (-7.2, -8), (7.2, -8)], ink.red, width=0.9)
    pen.polygon([(-6.9, -3.6), (6.9, -3.6), (6.2, -0.2), (-6.2, -0.2)], ink.gold, width=0.7)
    pen.ellipse(0, -8, 7.2, 2.5, ink.gold, width=0.9)
    pen.disc(0, 4, 2.2, ink.gold, width=0.8)


def sword(pen: Pen, ink: Palette, half: float = 10) -> None:
    """Spade: a straight blade, point up, with its hilt."""
    pen.polygon([(0, -half), (1.9, 3 - half), (1.9, half - 7), (-1.9, half - 7), (-1.9, 3 - half)], ink.blue, width=0.7)
    pen.line([(0, 2 - half), (0, half - 7.5)], ink.paper, 0.6)
    pen.polygon([(-5, half - 7.4), (5, half - 7.4), (5, half - 5.2), (-5, half - 5.2)], ink.gold, width=0.7)
    pen.polygon([(-1.2, half - 5), (1.2, half - 5), (1.2, half - 1.5), (-1.2, half - 1.5)], ink.red, width=0.7)
    pen.disc(0, half - 0.8, 1.7, ink.gold, width=0.7)


def scimitar(pen: Pen, ink: Palette, half: float, bend: float, colour: Colour) -> None:
    """Spade of the North: a blade bent by `bend` units to the right between its ends at (0, +-half)."""
    spine = [(bend * math.cos(math.pi * t / 2), half * t) for t in (k / 12 - 1 for k in range(25))]
    pen.band(spine, colour, 3.6, 0.9)
    pen.line(spine, ink.gold, 0.8)
    hilt = pen.at(*spine[-1], turn=38 if bend > 0 else -38)
    hilt.polygon([(-5, -1.2), (5, -1.2), (5, 1.2), (-5, 1.2)], ink.gold, width=0.8)
    hilt.polygon([(-1.3, 1.2), (1.3, 1.2), (1.3, 6), (-1.3, 6)], ink.red, width=0.8)


def club(pen: Pen, ink: Palette, half: float = 10) -> None:
    """Bastoni of the South: a knotty club, thick end up."""
    shape = [
        (-1.4, half),
        (1.4, half),
        (2.6, 0),
        (4.2, -half * 0.6),
        (2.4, -half),
        (-2.4, -half),
        (-4.2, -half * 0.6),
        (-2.6, 0),
    ]
    pen.blob(shape, ink.green, width=0.9)
    pen.blob([(-1.2, -half * 0.8), (1, -half * 0.7), (0.6, 0), (-0.8, 0)], ink.gold, None)
    for k, side in enumerate((1, -1, 1)):
        y = half * (0.45 - 0.45 * k)
        pen.blob([(side * 1.6, y + 1.6), (side * 4.8, y - 0.8), (side * 1.8, y - 2)], ink.red, width=0.7)


def staff(pen: Pen, ink: Palette, half: float, colour: Colour) -> None:
    """Bastoni of the North: a turned staff with a knob at both ends."""
    pen.polygon([(-1.8, -half), (1.8, -half), (1.8, half), (-1.8, half)], colour, width=0.9)
    for y in (-half * 0.55, half * 0.55):
        pen.polygon([(-1.8, y - 1), (1.8, y - 1), (1.8, y + 1), (-1.8, y + 1)], ink.gold, width=0.5)
    for end in (-1, 1):
        pen.polygon(
            [(-2.8, end * half), (2.8, end * half), (2, end * (half - 4)), (-2, end * (half - 4))], ink.gold, width=0.8
        )
        pen.disc(0, end * (half + 1.2), 2.6, ink.red, width=0.8)


def diamond(pen: Pen, colour: Colour) -> None:
    """Quadri."""
    pen.polygon([(0, -10.5), (7.4, 0), (0, 10.5), (-7.4, 0)], colour, None)


def heart(pen: Pen, colour: Colour) -> None:
    """Cuori."""
    for side in (-1, 1):
        pen.disc(side * 4.2, -4.2, 4.7, colour, None)
    pen.polygon([(-8.6, -2.4), (0, -4), (8.6, -2.4), (0, 10.2)], colour, None)


def spade(pen: Pen, colour: Colour) -> None:
    """Picche: a heart upside down on a stalk."""
    for side in (-1, 1):
        pen.disc(side * 4.2, 2.2, 4.6, colour, None)
    pen.polygon([(-8.5, 0.6), (0, -10.5), (8.5, 0.6), (0, 4)], colour, None)
    pen.polygon([(0, 1), (3.6, 10.2), (-3.6, 10.2)], colour, None)


def clover(pen: Pen, colour: Colour) -> None:
    """Fiori."""
    for x, y in ((0, -5.6), (-5, 1.8), (5, 1.8)):
        pen.disc(x, y, 4.7, colour, None)
    pen.polygon([(0, -5), (3.6, 10.2), (-3.6, 10.2)], colour, None)


FRENCH_SIGNS = (diamond, heart, spade, clover)
"""The French signs in the order of `engine.cards.SUITS`."""
