"""Where things belong on the table: its centre, each seat's pile, and the box where a doubtful card is read.

Nobody has to keep to them; they tell the display what to show and the referee where to look first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Edge = Literal["N", "E", "S", "W"]
Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

SEATS: Final[dict[int, tuple[Edge, ...]]] = {2: ("S", "N"), 3: ("S", "E", "N"), 4: ("S", "E", "N", "W")}
"""Edges of the picture by number of players, anticlockwise as Italians play, from the one who sits at the bottom."""

MARGIN: Final = 0.18
"""Share of the view along each edge that belongs to the player there."""
READ_BOX: Final = (100 / 58, 70 / 94)
"""The box of 10 x 7 cm in widths and heights of a usual card (58 x 94 mm)."""


@dataclass(frozen=True, slots=True)
class Zones:
    """`piles` by seat, in the order of `seats`."""

    seats: tuple[Edge, ...]
    centre: Box
    piles: tuple[Box, ...]
    read_box: Box


def place_zones(picture: NDArray[np.uint8], players: int, card_width: float, avoid: tuple[Box, ...] = ()) -> Zones:
    """Zones for a view (BGR) of the table with 2 to 4 players and cards `card_width` pixels wide.

    The read box lies in the centre where the light is best and none of the boxes `avoid` (reflections) is.
    """
    height, width = picture.shape[:2]
    seats = SEATS[players]
    across, down = round(MARGIN * width), round(MARGIN * height)
    centre = (across, down, width - 2 * across, height - 2 * down)
    strips: dict[Edge, Box] = {
        "N": (across, 0, width - 2 * across, down),
        "S": (across, height - down, width - 2 * across, down),
        "W": (0, down, across, height - 2 * down),
        "E": (width - across, down, across, height - 2 * down),
    }
    size = (round(READ_BOX[0] * card_width), round(READ_BOX[1] * card_width * 94 / 58))
    return Zones(seats, centre, tuple(strips[seat] for seat in seats), _brightest(picture, centre, size, avoid))


def _brightest(picture: NDArray[np.uint8], within: Box, size: tuple[int, int], avoid: tuple[Box, ...]) -> Box:
    left, top, width, height = within
    w, h = min(size[0], width), min(size[1], height)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    for x, y, wide, high in avoid:  # a spot too bright to read makes every box that touches it the worst
        grey[y : y + high, x : x + wide] = -1e5
    sums = cv2.integral(grey[top : top + height, left : left + width])
    light = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
    best_y, best_x = np.unravel_index(int(light.argmax()), light.shape)
    return left + int(best_x), top + int(best_y), w, h
