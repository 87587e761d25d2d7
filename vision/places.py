"""What has become of a place where a card lay and where this frame's reading finds none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import cv2
import numpy as np

from vision.motion import Mask
from vision.observation import Corners
from vision.surface import filled

SHRINK: Final = -0.12
"""The rim of a place is left out: outlines are not exact to the pixel."""
UNCOVERED: Final = 0.2
"""Share of a place that nothing covers from which it can be judged."""
EMPTY: Final = 0.6
"""Share of its uncovered part that shows the bare table from which no card lies there."""
COVERED: Final = 0.1
"""Share of a place under a hand from which the hand may be why nothing is found there."""
OVERLAID: Final = 0.4
"""Share of a place under other cards from which they may hide what lies below."""
STRADDLED: Final = 0.08
"""Share of the strip beside a face that must show something unknown, at both sides, to be a pile lying across it."""


class Place(Enum):
    """`UNCHANGED` pixels, `EMPTY` of the card, under a `HAND` or another `CARD`, or `UNKNOWN`: something lies there."""

    UNCHANGED = auto()
    EMPTY = auto()
    HAND = auto()
    CARD = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One frame, small: what stands out from the table, which of it is hands, and what moved since the last frame."""

    out: Mask
    arms: Mask
    moved: Mask
    factor: int

    def place(self, corners: Corners, above: Sequence[Corners], below: Sequence[Corners]) -> Place:
        """State of a place. `above`: what is shown and came after the card; `below`: what lay there before."""
        inside = filled(self.out.shape, [corners], self.factor, SHRINK) == 1
        size = max(1, int(inside.sum()))
        hand = float(self.arms[inside].sum()) / size
        # Neither a hand nor a card can show the table: where nothing covers the place and the table shows, it is empty.
        free = inside & (self.arms == 0) & (filled(self.out.shape, above, self.factor, 0.08) == 0)
        bare = int((self.out[free] == 0).sum())
        if free.sum() >= UNCOVERED * size and bare >= EMPTY * free.sum():
            return Place.EMPTY
        if hand < COVERED and sum(shared(corners, other) for other in below) >= OVERLAID:
            return Place.EMPTY  # what lay under it shows again
        if self.moved[inside].sum() <= 0.03 * size:
            return Place.UNCHANGED
        if sum(shared(corners, other) for other in above) >= OVERLAID:
            return Place.CARD
        return Place.HAND if hand >= COVERED else Place.UNKNOWN

    def straddled(self, corners: Corners, cards: Sequence[Corners]) -> bool:
        """True when something that is no hand and none of `cards` shows beyond both long sides of a face."""
        unknown = self.out & ~self.arms & ~filled(self.out.shape, [*cards, corners], self.factor, 0.08)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
        ux, uy = 0.4 * (bx - ax), 0.4 * (by - ay)
        sides: tuple[Corners, Corners] = (
            ((ax - ux, ay - uy), (ax, ay), (dx, dy), (dx - ux, dy - uy)),
            ((bx, by), (bx + ux, by + uy), (cx + ux, cy + uy), (cx, cy)),
        )
        shares = []
        for side in sides:
            beside = filled(self.out.shape, [side], self.factor) == 1
            shares.append(float(unknown[beside].sum()) / max(1, int(beside.sum())))
        return min(shares) > STRADDLED


def shared(quad: Corners, other: Corners) -> float:
    """Share 0..1 of `quad` that lies inside `other`."""
    a, b = np.asarray(quad, np.float32), np.asarray(other, np.float32)
    area = abs(float(cv2.contourArea(a)))
    return float(cv2.intersectConvexConvex(a, b)[0]) / area if area > 0 else 0.0
