"""Corners to a fraction of a pixel: each side is moved onto the strongest step of brightness near it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.faces import Picture
from vision.segment import Array, cross_sides

PLACES: Final = 28
"""Profiles across a side, between its rounded ends."""
REACH: Final = 0.035
"""How far to either side a profile goes, as a share of the card's long side; at least three pixels."""
STEPS: Final = 25
"""Samples of a profile."""


def refine_corners(picture: Picture, corners: Array) -> Array:
    """Corners (4, 2) moved onto the card's edges in the picture itself; unchanged where no edge is clear."""
    long = float(np.linalg.norm(corners[1] - corners[2]))
    reach = max(3.0, REACH * long)
    ends = np.roll(corners, -1, axis=0)
    along = (ends - corners) / np.maximum(np.linalg.norm(ends - corners, axis=1, keepdims=True), 1e-6)
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    places = np.linspace(0.13, 0.87, PLACES, dtype=np.float32)[None, :, None, None]
    offsets = np.linspace(-reach, reach, STEPS, dtype=np.float32)[None, None, :, None]
    base = corners[:, None, None] + (ends - corners)[:, None, None] * places
    points = (base + outward[:, None, None] * offsets).astype(np.float32)
    grid = points.reshape(4 * PLACES, STEPS, 2)
    profiles = cv2.remap(picture, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    peaks, strength = _steepest(np.asarray(profiles, np.float32))
    on_edge = (base[:, :, 0] + outward[:, None] * peaks.reshape(4, PLACES, 1) * reach).astype(np.float32)
    lines = [_line(on_edge[side], strength.reshape(4, PLACES)[side], corners[side], ends[side]) for side in range(4)]
    moved = cross_sides(lines)
    if moved is None or np.abs(moved - corners).max() > 2 * reach:
        return corners
    return moved


def _steepest(profiles: Array) -> tuple[Array, Array]:
    """Where along each profile (-1..1 of the reach) all channels together step most, and by how much."""
    step = np.abs(profiles[:, 3:] - profiles[:, :-3]).sum(axis=2)
    step *= np.hanning(step.shape[1] + 2)[1:-1] * 0.5 + 0.5  # of two like steps the nearer one
    peak = step.argmax(axis=1)
    rows = np.arange(len(step))
    left, right = step[rows, np.maximum(peak - 1, 0)], step[rows, np.minimum(peak + 1, step.shape[1] - 1)]
    top = step[rows, peak]
    bend = np.maximum(2 * top - left - right, 1e-3)
    position = peak + np.clip((right - left) / (2 * bend), -0.5, 0.5) + 1.5
    return (position / (profiles.shape[1] - 1) * 2 - 1).astype(np.float32), top.astype(np.float32)


def _line(points: Array, strength: Array, start: Array, end: Array) -> tuple[float, float, float]:
    """The line through the clear points of a side, or the side itself where there are too few."""
    clear = points[strength >= 0.4 * np.median(strength)]
    if len(clear) >= PLACES // 2:
        vx, vy, x, y = cv2.fitLine(clear, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    else:
        (vx, vy), (x, y) = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6), start
    return (-float(vy), float(vx), float(-vy * x + vx * y))
