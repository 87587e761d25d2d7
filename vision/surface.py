"""The table without cards: what stands out from it, where nothing lies, and from which edge something reaches in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Picture
from vision.motion import NOISE, Mask, brightness
from vision.observation import Corners

ABSORB: Final = 6.0
"""Seconds after which a thing that lies perfectly still, and is no card, belongs to the table (a glass, a phone)."""
EDGE_BAND: Final = 0.06
"""An arm begins within this share of the picture from an edge: a sleeve of the table's colour hides."""
LEAST_ARM: Final = 0.001
"""Least area of what reaches in, as a share of the picture."""
DROWNED: Final = 250
GLARE: Final = 0.25
"""Share of a card at the end of the scale from which glare is why it cannot be read."""
_GROWN: Final = np.ones((3, 3), np.uint8)
_SPECK: Final = np.ones((2, 2), np.uint8)


def filled(shape: tuple[int, ...], quads: Sequence[Corners], factor: float, grow: float = 0.0) -> Mask:
    """1 inside any of the quadrilaterals (pixels of the full picture), each grown by `grow` of its own size."""
    mask = np.zeros(shape[:2], np.uint8)
    for quad in quads:
        points = np.asarray(quad, np.float32) / factor - 0.5 + 0.5 / factor
        centre = points.mean(axis=0)
        points = centre + (points - centre) * (1.0 + grow)
        cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), 1)
    return mask


class Surface:
    """The bare table as learnt from what lies uncovered, in small pictures."""

    def __init__(self) -> None:
        self._bare: NDArray[np.float32] | None = None
        self._guessed: Mask = np.zeros((0, 0), np.uint8)
        self._changed_at: NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self._learnt_at = 0.0

    def matches(self, small: Picture) -> bool:
        """True when a table of this size has been learnt."""
        return self._bare is not None and self._bare.shape == small.shape

    def begin(self, small: Picture, occupied: Mask, time: float) -> None:
        """Take the first frame for the table; what is under cards (`occupied`) is guessed from around them."""
        bare = cv2.inpaint(small, occupied, 3, cv2.INPAINT_TELEA) if occupied.any() else small
        self._bare = bare.astype(np.float32)
        self._guessed = occupied.copy()
        self._changed_at = np.full(small.shape[:2], time, np.float32)
        self._learnt_at = time

    def stands_out(self, small: Picture) -> Mask:
        """1 where something lies on or hangs over the table; shadows do not count."""
        bare = self._expected().astype(np.uint8)
        expected = cv2.convertScaleAbs(bare, alpha=brightness(small, bare))
        difference = _largest(cv2.absdiff(small, expected))
        limit = np.where(self._guessed == 1, np.uint8(3 * NOISE), np.uint8(1.5 * NOISE))
        # Both are lifted so that noise in black places makes no ratio; 128 stands for equal.
        lift = np.full_like(small, 8)
        ratio = cv2.divide(cv2.add(small, lift), cv2.add(expected, lift), scale=128)
        high, low = _largest(ratio), _smallest(ratio)
        shadow = (high < 128) & (low > 51) & (high - low < 20)
        mask = ((difference > limit) & ~shadow).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK), np.uint8)

    def forget(self, quads: Sequence[Corners], factor: float) -> None:
        """A card or a pile lies there that had been taken for a part of the table: guess what is under it anew."""
        bare = self._expected()
        occupied = filled(bare.shape, quads, factor, 0.08)
        guess = cv2.inpaint(bare.astype(np.uint8), occupied, 3, cv2.INPAINT_TELEA)
        bare[occupied == 1] = guess[occupied == 1]
        self._guessed[occupied == 1] = 1

    def moved(self, mask: Mask, time: float) -> None:
        """Note where something moved at `time`."""
        self._changed_at[mask == 1] = time

    def learn(self, small: Picture, out: Mask, occupied: Mask, time: float) -> None:
        """Follow slow changes where the table is bare. `occupied` are the places of cards: nothing is learnt there."""
        if time - self._learnt_at < 0.5:
            return
        self._learnt_at = time
        bare = self._expected()
        free = np.asarray((occupied | out) == 0, np.uint8)
        at_once = free & self._guessed
        cv2.accumulateWeighted(small, bare, 0.2, mask=free)  # in place, a fifth of numpy's time
        rested = (occupied == 0) & (out == 1) & (time - self._changed_at > ABSORB)
        sure = np.asarray(rested | (at_once == 1))
        bare[sure] = small[sure]
        self._guessed[sure] = 0

    def _expected(self) -> NDArray[np.float32]:
        if self._bare is None:
            raise RuntimeError("Surface.begin comes first")
        return self._bare


def _largest(picture: NDArray[np.generic]) -> NDArray[np.uint8]:
    blue, green, red = cv2.split(np.asarray(picture))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _smallest(picture: NDArray[np.generic]) -> NDArray[np.uint8]:
    blue, green, red = cv2.split(np.asarray(picture))
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def glaring(small: Picture, quad: Corners, factor: float) -> bool:
    """True when a reflection drowns a good part of a place: pixels at the end of the scale in all channels."""
    inside = filled(small.shape, [quad], factor) == 1
    return float((_smallest(small)[inside] >= DROWNED).sum()) > GLARE * max(1, int(inside.sum()))


def reaching(out: Mask) -> tuple[tuple[str, ...], Mask]:
    """Edges `N E S W` from which something reaches in, and the mask of it. `out` is what stands out and is no card."""
    joined = cv2.dilate(out, _GROWN)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    height, width = out.shape
    edges: list[str] = []
    arms = np.zeros_like(out)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < LEAST_ARM * out.size:
            continue
        blob = labels == label
        found = _edges(blob, max(1, round(EDGE_BAND * height)), max(1, round(EDGE_BAND * width)))
        if found:
            arms[blob] = 1
            edges += [edge for edge in found if edge not in edges]
    return tuple(sorted(edges, key="NESW".index)), arms


def _edges(blob: NDArray[np.bool_], rows: int, columns: int) -> list[str]:
    """The edge that a blob touches most, and its opposite if two arms meet in one blob."""
    height, width = blob.shape
    touch = {  # how broad the blob is inside the band of each edge
        "N": np.count_nonzero(blob[:rows].any(axis=0)),
        "S": np.count_nonzero(blob[height - rows :].any(axis=0)),
        "W": np.count_nonzero(blob[:, :columns].any(axis=1)),
        "E": np.count_nonzero(blob[:, width - columns :].any(axis=1)),
    }
    best = max(touch, key=lambda edge: touch[edge])
    if touch[best] < 3:
        return []
    opposite = {"N": "S", "S": "N", "W": "E", "E": "W"}[best]
    return [edge for edge in (best, opposite) if touch[edge] >= 3]
