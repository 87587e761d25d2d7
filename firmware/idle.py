"""What keeps an OLED from burning in: it dims, goes dark, and its picture moves by a dot or two every minute.

Pure: motion, presses and the time come in, brightness and the picture go out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from firmware.draw import draw
from firmware.screens_page import Screen

BRIGHT: Final = 255
DIM: Final = 24
"""Contrast of the panel, 0 to 255, in use and at rest."""

SHIFTS: Final = ((0, 0), (1, 0), (1, 1), (2, 1), (2, 0), (0, 1))
"""Dots to the right and down, a minute each; at those edges there is little to lose."""


@dataclass(frozen=True, slots=True)
class Idle:
    """How long nothing has happened. Times in seconds on any clock that does not go back.

    `dim_after` and `off_after` count from the last motion on the table or press. While an alarm is open the display
    stays on, though it dims.
    """

    dim_after: float = 60.0
    off_after: float = 600.0
    last: float = 0.0
    alarm: bool = False

    def moved(self, now: float) -> Idle:
        """Something moved on the table."""
        return replace(self, last=now)

    def pressed(self, now: float) -> tuple[Idle, bool]:
        """A button was pressed. False: it only woke the display and means nothing else."""
        return replace(self, last=now), not self.dark(now)

    def dark(self, now: float) -> bool:
        """Whether the display is off."""
        return not self.alarm and now - self.last >= self.off_after

    def contrast(self, now: float) -> int:
        """The brightness now, 0 when the display is off."""
        return 0 if self.dark(now) else DIM if now - self.last >= self.dim_after else BRIGHT


def glass(
    screen: Screen,
    now: float,
    size: tuple[int, int] = (128, 64),
    *,
    held: float = 0.0,
    aside: Screen | None = None,
    colour: bool = False,
) -> Image.Image:
    """The picture to show now: moved by a dot or two each minute, an alarm's title reversed every other minute.

    `aside` and `colour` as in `firmware.draw.draw`.
    """
    minute = int(now // 60)
    calm = replace(screen, alarm=screen.alarm and minute % 2 == 0)
    dots = _dots(calm, size, held, aside, colour)
    right, down = SHIFTS[minute % len(SHIFTS)]
    moved = np.zeros_like(dots)
    moved[down:, right:] = dots[: size[1] - down, : size[0] - right]
    return Image.fromarray(moved)


@lru_cache(maxsize=4)
def _dots(screen: Screen, size: tuple[int, int], held: float, aside: Screen | None, colour: bool) -> NDArray[Any]:
    """Drawn once while a page stays as it is."""
    return np.asarray(draw(screen, size, held=held, aside=aside, colour=colour))
