"""The table as coloured text: where it fits beside or below the display in a terminal, and its picture there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware.frame import Picture

_BESIDE: Final = 66
"""Columns of the display and the gap after it."""
_BELOW: Final = 19
"""Lines of the display, the keys and the gaps around them."""
_LEAST: Final = 40
"""Columns below which a table shows nothing."""
_MOST: Final = 112


@dataclass(frozen=True, slots=True)
class Spot:
    """Row and column of the terminal (from 1) where the table begins, and its width in columns."""

    row: int
    column: int
    width: int


def spot(terminal: os.terminal_size, size: tuple[int, int]) -> Spot | None:
    """Where a table of `size` (width, height in pixels) is drawn, the larger of beside and below; None without room."""
    shape = 2 * size[0] / size[1]  # a line shows two rows of pixels
    beside = Spot(1, _BESIDE + 1, int(min(terminal.columns - _BESIDE, (terminal.lines - 1) * shape, _MOST)))
    below = Spot(_BELOW + 1, 1, int(min(terminal.columns, (terminal.lines - _BELOW - 1) * shape, _MOST)))
    best = max(beside, below, key=lambda one: one.width)
    return best if best.width >= _LEAST else None


def blocks(picture: Picture, width: int) -> list[str]:
    """A picture, BGR uint8, as lines of half blocks `width` columns wide, in 24-bit colours of the terminal."""
    rows = 2 * max(1, round(picture.shape[0] * width / picture.shape[1] / 2))
    small = np.asarray(cv2.resize(picture, (width, rows), interpolation=cv2.INTER_AREA))[:, :, ::-1]
    return [
        "".join(map(_cell, upper.tolist(), lower.tolist())) + "\x1b[0m"
        for upper, lower in zip(small[0::2], small[1::2], strict=True)
    ]


def _cell(upper: list[int], lower: list[int]) -> str:
    red, green, blue = upper
    return f"\x1b[38;2;{red};{green};{blue};48;2;{lower[0]};{lower[1]};{lower[2]}m▀"
