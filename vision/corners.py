"""Cards that others cover in part: a visible corner and the size of a card say where the whole card lies."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scale import Scale
from vision.segment import Array, short_side_first

SIDE: Final = 0.16
"""Shortest straight piece of a contour that counts as a card's side, in card widths."""
ROUND: Final = 0.35
"""Longest piece between two sides that counts as their rounded corner, in card widths."""
SQUARE: Final = 0.17
"""Largest cosine, on the table, of the angle between two sides that meet in a card's corner."""


def whole_cards(contour: NDArray[np.int32], scale: Scale) -> list[Array]:
    """Corners (4, 2), short side first, of every card that could have one of the contour's corners.

    `contour` and `scale` are in the same pixels.
    """
    sides = _sides(contour, scale)
    found = []
    for (start, end, gap), (other_start, other_end, _) in zip(sides, sides[1:] + sides[:1], strict=True):
        corner = _meet(start, end, other_start, other_end)
        if corner is None or gap > ROUND * scale.pixels(end, _unit(other_end - other_start)):
            continue
        back, on = _unit(start - end), _unit(other_end - other_start)
        if _turns_out(back, on) and abs(scale.angle(corner, back, on)) < SQUARE:
            found += [_card(corner, back, on, scale, long_first) for long_first in (True, False)]
    return found


def _sides(contour: NDArray[np.int32], scale: Scale) -> list[tuple[Array, Array, float]]:
    """Straight pieces (start, end, distance to the next piece) in the order of the contour, fitted to its points."""
    points = contour[:, 0, :].astype(np.float32)
    if cv2.contourArea(contour, oriented=True) < 0:
        points = points[::-1]
    width = scale.pixels(points.mean(axis=0), np.array([1, 0], np.float32))
    polygon = np.asarray(cv2.approxPolyDP(points[:, None], max(1.5, 0.025 * width), True)[:, 0, :], np.float32)
    order = _places(points, polygon)
    lengths = np.linalg.norm(np.roll(polygon, -1, axis=0) - polygon, axis=1)
    pieces = []
    for first, last, length in zip(order, order[1:] + order[:1], lengths, strict=True):
        if length >= SIDE * width:
            run = points[first : last + 1] if last > first else np.concatenate([points[first:], points[: last + 1]])
            pieces.append(_fitted(run))
    following = pieces[1:] + pieces[:1]
    return [
        (*piece, float(np.linalg.norm(after[0] - piece[1]))) for piece, after in zip(pieces, following, strict=True)
    ]


def _places(points: Array, vertices: Array) -> list[int]:
    """Index in `points` of each vertex, which is one of them."""
    codes, wanted = (p[:, 0] + p[:, 1] * 65536.0 for p in (points.astype(np.float64), vertices.astype(np.float64)))
    order = np.argsort(codes)
    return [int(i) for i in order[np.searchsorted(codes, wanted, sorter=order)]]


def _fitted(run: Array) -> tuple[Array, Array]:
    """Ends of the line through the middle of a run of points."""
    cut = max(1, len(run) // 8)
    vx, vy, x, y = cv2.fitLine(run[cut:-cut] if len(run) > 3 * cut else run, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    through, along = np.array([x, y], np.float32), np.array([vx, vy], np.float32)
    first, last = ((run[0] - through) @ along, (run[-1] - through) @ along)
    return through + along * first, through + along * last


def _meet(a: Array, b: Array, c: Array, d: Array) -> Array | None:
    """Where the line through a, b crosses the line through c, d; None if they are nearly parallel."""
    one, two = b - a, d - c
    cross = float(one[0] * two[1] - one[1] * two[0])
    if abs(cross) <= 0.5 * float(np.linalg.norm(one) * np.linalg.norm(two)):
        return None
    offset = c - a
    return np.asarray(a + one * ((offset[0] * two[1] - offset[1] * two[0]) / cross), np.float32)


def _turns_out(back: Array, on: Array) -> bool:
    """True for a corner of the region, false for one that cuts into it."""
    return bool(back[0] * on[1] - back[1] * on[0] < 0)


def _card(corner: Array, one: Array, two: Array, scale: Scale, long_first: bool) -> Array:
    lengths = (scale.aspect, 1.0) if long_first else (1.0, scale.aspect)
    reach = [
        side * length * scale.pixels(corner + side * length * 0.5 * scale.pixels(corner, side), side)
        for side, length in zip((one, two), lengths, strict=True)
    ]
    corners = np.stack([corner, corner + reach[0], corner + reach[0] + reach[1], corner + reach[1]])
    return short_side_first(np.asarray(corners, np.float32))


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6), np.float32)
