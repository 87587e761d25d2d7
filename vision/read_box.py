"""The read box: where a doubtful card is best shown to the camera, in the best light and beside all reflections.

Nobody has to keep to it. Where the piles and the players are is not calibrated: piles are known by their backs, and
from which side each player reaches in is learnt while they play.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

MARGIN: Final = 0.18
"""Share of the view along each edge where hands and piles are."""
SIZE: Final = (100 / 58, 70 / 94)
"""10 x 7 cm in widths and heights of a usual card (58 x 94 mm)."""
USUAL_CARD: Final = 99 / 1536
"""Width of a card as a share of the view's width, where none was seen: a view 90 cm wide."""


def read_box(picture: NDArray[np.uint8], card_width: float | None, avoid: tuple[Box, ...] = ()) -> Box:
    """The brightest box in the middle of a picture (BGR) that none of the boxes `avoid` touches; `card_width` in
    pixels.
    """
    height, width = picture.shape[:2]
    card = card_width or USUAL_CARD * width
    left, top = round(MARGIN * width), round(MARGIN * height)
    across, down = width - 2 * left, height - 2 * top
    w, h = min(round(SIZE[0] * card), across), min(round(SIZE[1] * card * 94 / 58), down)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    for x, y, wide, high in avoid:  # a spot too bright to read makes every box that touches it the worst
        grey[y : y + high, x : x + wide] = -1e5
    sums = cv2.integral(grey[top : top + down, left : left + across])
    light = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
    best_y, best_x = np.unravel_index(int(light.argmax()), light.shape)
    return left + int(best_x), top + int(best_y), w, h
