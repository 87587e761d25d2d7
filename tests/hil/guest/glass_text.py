"""Reads the glass as a person does: the picture's rows as text, by the font of the appliance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from firmware.font import CELL, big_glyph, glyphs
from firmware.idle import SHIFTS

Dots = NDArray[np.bool_]
UNKNOWN = "�"

SMALL = {glyphs()[sign].tobytes(): sign for sign in reversed(list(glyphs()))}
BIG = {big_glyph(sign).tobytes(): sign for sign in reversed(list(glyphs()))}


def rows(picture: Image.Image) -> list[str]:
    """Texts from top to bottom, a big one once; `UNKNOWN` where there is no letter."""
    dots = np.pad(np.asarray(picture.convert("L")) > 0, ((0, 2), (0, 2)))
    readings = [_rows(dots[down : down + 64, right : right + 128]) for right, down in SHIFTS]
    return min(readings, key=lambda texts: "".join(texts).count(UNKNOWN))


def _rows(dots: Dots) -> list[str]:
    texts, top = [], 0
    while top < 64:
        small = _line(dots[top : top + 8], CELL, SMALL)
        big = _line(dots[top : top + 16], (2 * CELL[0], 2 * CELL[1]), BIG) if top <= 48 else UNKNOWN
        reverse = _line(~dots[top : top + 8], CELL, SMALL)
        best = min((small, big, reverse), key=lambda text: text.count(UNKNOWN))
        texts.append(best.rstrip())
        top += 16 if best is big and best is not small else 8
    return texts


def _line(dots: Dots, cell: tuple[int, int], signs: dict[bytes, str]) -> str:
    width = cell[0]
    cells = [dots[:, left : left + width] for left in range(0, 128 - width + 1, width)]
    return "".join(signs.get(np.ascontiguousarray(one).tobytes(), UNKNOWN) for one in cells)
