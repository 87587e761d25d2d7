"""The bitmap font: cells of 6x8 pixels, read from `font.txt`, which we drew; accents and suit signs included.

`font.txt` is made of bands: a line of characters, each above the left edge of its glyph, then eight lines of dots.
BIG glyphs are the same ones at twice the size with smoothed edges (the Scale2x rule of A. Mazzoleni, scale2x.it).
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

CELL: Final = (6, 8)
"""Width and height of a cell in pixels; the sixth column and usually the eighth row are the gap."""

Bitmap = NDArray[np.bool_]


@cache
def glyphs() -> dict[str, Bitmap]:
    """Every character drawn, as arrays of 8 rows and 6 columns."""
    found: dict[str, Bitmap] = {" ": np.zeros((CELL[1], CELL[0]), bool)}
    lines = [line for line in files("firmware").joinpath("font.txt").read_text("utf-8").splitlines() if line]
    for start in range(0, len(lines), 1 + CELL[1]):
        band = lines[start + 1 : start + 1 + CELL[1]]
        for left, character in enumerate(lines[start]):
            if character != " ":
                rows = [[dot == "#" for dot in row[left : left + 5].ljust(CELL[0])] for row in band]
                found[character] = np.array(rows, bool)
    return found


@cache
def glyph(character: str) -> Bitmap:
    """A character of 8x6 pixels; one that the font lacks without its accents, else as a question mark."""
    known = glyphs()
    plain = unicodedata.normalize("NFKD", character)[:1]
    return known.get(character, known.get(plain, known["?"]))


@cache
def big_glyph(character: str) -> Bitmap:
    """The same character of 16x12 pixels."""
    small = np.pad(glyph(character), 1)
    centre, up, down = small[1:-1, 1:-1], small[:-2, 1:-1], small[2:, 1:-1]
    left, right = small[1:-1, :-2], small[1:-1, 2:]
    edge = (up != down) & (left != right)
    big = np.repeat(np.repeat(centre, 2, 0), 2, 1)
    for row, column, a, b in ((0, 0, up, left), (0, 1, up, right), (1, 0, down, left), (1, 1, down, right)):
        big[row::2, column::2] = np.where(edge & (a == b), a, centre)
    return big
