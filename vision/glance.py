"""Looking at many places at once, coarsely: what the cards that might lie there would show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing import Features
from vision.faces import Picture
from vision.segment import Array
from vision.templates import MIX

Floats = NDArray[np.float64]

LARGEST: Final = 1.2
"""Pixels of the copy for one of a patch: cards are shown about as large as the faces that they are compared with."""
SAMPLED: Final = 5
"""Every so many pixels of a patch tell the colour of its paper."""
PLACES: Final = (9, 13)
"""Points, across and along, by which shares of a card are told."""
INNER: Final = 0.96
"""Of a card's sides, so that its rim does not count."""


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A copy of a picture (or of a mask), `factor` times as large."""

    picture: Picture
    factor: float

    @classmethod
    def of(cls, picture: Picture, long_side: float, height: int, blur: float) -> Copy:
        """A small copy of a picture whose cards have long sides of `long_side` pixels, for patches of `height` pixels:
        cards have about their size there. `blur`: standard deviation, pixels of a patch."""
        factor = min(1.0, LARGEST * height / long_side)
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return cls(np.asarray(cv2.GaussianBlur(small, (0, 0), blur * factor * long_side / height), np.uint8), factor)

    def patches(self, quads: Array, size: tuple[int, int], step: tuple[int, int] = (1, 1)) -> Picture:
        """What lies between corners (n, 4, 2), pixels of the picture itself: uint8 (n, height, width, ...), or only
        every `step` (down, across) of these pixels; past the picture's rim its nearest pixels."""
        points = grid(quads, size, step)
        n, height, width, _ = points.shape
        points = ((points + np.float32(0.5)) * np.float32(self.factor) - np.float32(0.5)).reshape(n * height, width, 2)
        found = cv2.remap(
            self.picture, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found.reshape(n, height, width, *found.shape[2:]), np.uint8)


def grid(quads: Array, size: tuple[int, int], step: tuple[int, int] = (1, 1)) -> Array:
    """The middles of height x width cells between four corners each, of every `step` (down, across) cells:
    (n, rows, columns, 2), in perspective."""
    u, v = _cells(size, step)
    cells = onto(quads, u.reshape(1, -1), v.reshape(1, -1))
    return np.asarray(cells.reshape(len(quads), *u.shape, 2), np.float32)


@lru_cache(maxsize=16)
def _cells(size: tuple[int, int], step: tuple[int, int]) -> tuple[Array, Array]:
    """Places across and down the unit square, each (rows, columns), of every `step` cells."""
    across, down = (
        (np.arange(0, count, each, dtype=np.float32) + np.float32(0.5)) / np.float32(count)
        for count, each in zip(size[::-1], step[::-1], strict=True)
    )
    u, v = np.meshgrid(across, down)
    return u, v


def onto(quads: Array, u: Array | Floats, v: Array | Floats) -> Array | Floats:
    """Where places (n or 1, k) of the unit square lie between four corners each: (n, k, 2). Heckbert 1989."""
    a, b, c, d = (quads[:, corner, None] for corner in range(4))
    bent, one, two = a - b + c - d, b - c, d - c
    whole = one[..., 0] * two[..., 1] - two[..., 0] * one[..., 1]
    whole = np.where(np.abs(whole) < 1e-6, 1e-6, whole)
    g = (bent[..., 0] * two[..., 1] - two[..., 0] * bent[..., 1]) / whole
    h = (one[..., 0] * bent[..., 1] - bent[..., 0] * one[..., 1]) / whole
    below = g * u + h * v + 1
    cells = np.empty((*below.shape, 2), below.dtype)
    for i in (0, 1):
        along = (b[..., i] - a[..., i] + g * b[..., i]) * u + (d[..., i] - a[..., i] + h * d[..., i]) * v
        np.divide(along + a[..., i], below, out=cells[..., i])
    return cells


def features_of(patches: Picture, masks: NDArray[np.bool_]) -> Features:
    """As `templates.features`, of many soft patches at once; their paper is the brightest tenth of what masks leave."""
    n, height, width, _ = patches.shape
    pixels = patches.reshape(n, -1, 3)
    shown = masks.reshape(n, -1)[:, ::SAMPLED]
    values = np.sort((pixels[:, ::SAMPLED] * shown[:, :, None]).transpose(0, 2, 1), axis=2)
    place = shown.shape[1] - 1 - shown.sum(axis=1) // 10
    paper = np.maximum(values[np.arange(n), :, place], 24).astype(np.float32)
    planes = pixels.astype(np.float32) @ (MIX.T[None] / paper[:, :, None])
    return np.clip(planes, -1.2, 1.2, out=planes).reshape(n, height, width, 3)


def shares(masks: tuple[Picture, ...], quads: Array) -> list[NDArray[np.float64]]:
    """Share of each card (n, 4, 2), less its rim, on which each mask (0 or 255, all of one size) is set; outside of
    them there is nothing."""
    middles = quads.mean(axis=1, keepdims=True)
    points = grid(np.asarray(middles + (quads - middles) * INNER, np.float32), PLACES[::-1])
    x, y = np.rint(points).astype(np.int32).transpose(3, 0, 1, 2)
    height, width = masks[0].shape
    there = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    place = np.where(there, y * width + x, 0)
    return [((mask.ravel()[place] > 0) & there).mean(axis=(1, 2)) for mask in masks]
