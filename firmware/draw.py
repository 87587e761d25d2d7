"""A screen as a picture of one bit a pixel, as text for a terminal, and a sequence of pictures as a GIF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from firmware.font import CELL, Bitmap, big_glyph, glyph
from firmware.screens_page import BIG, Screen

GLASS: Final = ((6, 10, 16), (170, 220, 255))
"""Colours of a GIF's dark and lit pixels, close to a blue-white OLED."""
ALARM: Final = (255, 90, 70)
LOUD: Final = (255, 225, 140)
_YELLOW, _RED, _BLUE, _GREEN = (255, 200, 60), (255, 110, 90), (120, 170, 255), (120, 220, 120)
SUITS: Final = dict(zip("◉⚱†♧♦♥♠♣", (_YELLOW, _RED, _BLUE, _GREEN) * 2, strict=True))
"""Colours of a display that has them: the title of an alarm, BIG rows, and the signs of the suits."""
_DOTS: Final = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


def draw(
    screen: Screen,
    size: tuple[int, int] = (128, 64),
    *,
    held: float = 0.0,
    aside: Screen | None = None,
    colour: bool = False,
) -> Image.Image:
    """The screen on a display of `size` (width, height in pixels, at least 128x64), mode "1", or "RGB" in `colour`.

    `held`, 0 to 1, is how far a held button has got: a bar along the bottom edge. `aside` is a second page for
    displays with room for it beside or below the first one.
    """
    block = _rows(screen)
    if held > 0:
        block[-3:, :] = False
        block[-2:, : round(min(held, 1.0) * block.shape[1])] = True
    pages = [(block, screen), *([(_rows(aside), aside)] if aside else [])]
    tints: list[NDArray[Any]] = [_painted(dots, shown) if colour else dots for dots, shown in pages]
    canvas = np.zeros((size[1], size[0], *tints[0].shape[2:]), tints[0].dtype)
    left, top = 0, 0
    for page in tints:
        times = min((size[0] - left) // page.shape[1], (size[1] - top) // page.shape[0])
        if times < 1:
            break
        large = np.repeat(np.repeat(page, times, 0), times, 1)
        canvas[top : top + large.shape[0], left : left + large.shape[1]] = large
        beside = size[0] - large.shape[1] >= page.shape[1]
        left, top = (large.shape[1], 0) if beside else (0, large.shape[0])
    return Image.fromarray(canvas)


def _painted(block: Bitmap, screen: Screen) -> NDArray[np.uint8]:
    """The lit pixels in colours: BIG rows and signs of suits stand out, and the title of an alarm."""
    tints = np.zeros((*block.shape, 3), np.uint8)
    tints[:] = GLASS[1]
    top = 0
    for place, row in enumerate(screen.rows):
        width, height = (12, 16) if row.startswith(BIG) else CELL
        if screen.alarm and place == 0:
            tints[top : top + height] = ALARM
        elif row.startswith(BIG):
            tints[top : top + height] = LOUD
        for cell, sign in enumerate(row.removeprefix(BIG)):
            if sign in SUITS:
                tints[top : top + height, cell * width : (cell + 1) * width] = SUITS[sign]
        top += height
    return tints * block[..., None]


def _rows(screen: Screen) -> Bitmap:
    """The 64x128 pixels of a screen's rows."""
    block = np.zeros((64, 128), bool)
    top = 0
    for place, row in enumerate(screen.rows):
        big = row.startswith(BIG)
        line = np.hstack([big_glyph(c) for c in row[1:]] or [np.zeros((16, 0), bool)]) if big else _line(row)
        height = line.shape[0]
        block[top : top + height, : line.shape[1]] = line
        if screen.alarm and place == 0:
            block[top : top + height] ^= True
        top += height
    return block


def _line(row: str) -> Bitmap:
    return np.hstack([glyph(c) for c in row] or [np.zeros((CELL[1], 0), bool)])


def terminal(picture: Image.Image, *, wide: bool = False) -> str:
    """A picture as lines of text: braille signs of 2x4 pixels, or, if `wide`, half blocks of 1x2 pixels."""
    dots = np.asarray(picture, bool)
    return "\n".join(_half_blocks(dots) if wide else _braille(dots))


def _braille(dots: Bitmap) -> list[str]:
    height, width = dots.shape
    cells = dots.reshape(height // 4, 4, width // 2, 2).transpose(0, 2, 1, 3)
    codes = 0x2800 + (cells * _DOTS).sum(axis=(2, 3))
    return ["".join(map(chr, line)) for line in codes]


def _half_blocks(dots: Bitmap) -> list[str]:
    pairs = dots[0::2] + 2 * dots[1::2].astype(int)
    return ["".join(" ▀▄█"[pair] for pair in line) for line in pairs]


def enlarge(picture: Image.Image, times: int = 3) -> Image.Image:
    """A picture for people to look at: `times` larger, in the colours of the glass."""
    large = picture.convert("L").resize((picture.width * times, picture.height * times), Image.Resampling.NEAREST)
    shown = large.point(lambda level: level // 255).convert("P")
    shown.putpalette([*GLASS[0], *GLASS[1]])
    return shown


def write_gif(path: Path, pictures: Sequence[Image.Image], seconds: Sequence[float]) -> None:
    """Write the pictures, each shown for its seconds, as an endless GIF."""
    large = [enlarge(picture) for picture in pictures]
    waits = [max(20, round(second * 1000)) for second in seconds]
    large[0].save(path, save_all=True, append_images=large[1:], duration=waits, loop=0, optimize=False)
