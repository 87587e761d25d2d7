"""Motion, stillness and change of light, told from a small copy of each frame.

Everything that must run on every frame runs on a copy about 384 pixels wide: averaging takes out noise, and a frame in
which nothing moved costs little more than making the copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Picture

Mask = NDArray[np.uint8]
"""0 or 1, height x width of the small copy."""

SMALL_WIDTH: Final = 384
NOISE: Final = 12
"""Least difference of a channel, 0..255, that counts; about twice what sensor noise leaves in the small copy."""
SPECKS: Final = 12
"""Fewer changed pixels of the small copy than this are noise, not motion."""
LIGHT_STEP: Final = 0.06
"""Relative change of the whole picture's brightness between two frames that is reported as a change of light."""
_SPECK: Final = np.ones((2, 2), np.uint8)


@dataclass(frozen=True, slots=True)
class Change:
    """What differs from the frame before. `mask` is 1 where something moved; `gain` is the ratio of brightness."""

    mask: Mask
    moved: bool
    light: bool
    gain: float


def shrink(picture: Picture, little: Picture | None = None) -> tuple[Picture, int]:
    """A small copy and how many pixels of `picture` one of its pixels stands for; `little` if it has that size."""
    factor = max(1, round(picture.shape[1] / SMALL_WIDTH))
    if little is not None and little.shape == (picture.shape[0] // factor, picture.shape[1] // factor, 3):
        return little, factor
    if factor == 1:
        return picture.copy(), 1
    size = (max(1, picture.shape[1] // factor), max(1, picture.shape[0] // factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def brightness(now: Picture, before: NDArray[np.generic]) -> float:
    """Median ratio of brightness of two small pictures, by every fourth pixel: an arm cannot shift it."""
    a = now[::4, ::4].astype(np.float32).sum(axis=2) + 6.0
    b = before[::4, ::4].astype(np.float32).sum(axis=2) + 6.0
    return float(np.median(a / b))


def differs(now: Picture, before: Picture, gain: float = 1.0) -> Mask:
    """1 where two small pictures differ by more than noise, after `before` is made `gain` times as bright."""
    if abs(gain - 1.0) > 0.004:
        before = np.asarray(cv2.convertScaleAbs(before, alpha=gain), np.uint8)
    # The largest of the three channels: a brown arm over brown wood differs in one only.
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    largest = cv2.max(cv2.max(blue, green), red)
    mask = cv2.threshold(largest, NOISE, 1, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK), np.uint8)


class Motion:
    """Compares each small frame with the one before."""

    def __init__(self) -> None:
        self._before: Picture | None = None

    def update(self, small: Picture) -> Change:
        """The change since the last frame; the first frame, or one of another size, has changed everywhere."""
        before, self._before = self._before, small
        if before is None or before.shape != small.shape:
            return Change(np.ones(small.shape[:2], np.uint8), moved=True, light=False, gain=1.0)
        gain = brightness(small, before)
        mask = differs(small, before, gain)
        count = cv2.countNonZero(mask)
        # A lamp at one side leaves a wide difference that one factor does not explain: light too.
        light = abs(gain - 1.0) > LIGHT_STEP or count > 0.6 * mask.size
        return Change(mask, moved=count >= SPECKS, light=light, gain=gain)
