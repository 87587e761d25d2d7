"""Laying pictures with opacity over each other, and the rectangles in which that happens.

A layer is premultiplied: its colours are already weakened by its opacity (rows, columns, BGR and opacity, 0..255).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, right and bottom excluded."""
Layer = NDArray[np.uint8]


def cut(picture: NDArray[Any], rect: Rect) -> NDArray[Any]:
    """The part of a picture inside a rectangle; writing into it changes the picture."""
    return picture[rect[1] : rect[3], rect[0] : rect[2]]


def meet(one: Rect, other: Rect) -> Rect | None:
    """What two rectangles share."""
    rect = max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    return rect if rect[2] > rect[0] and rect[3] > rect[1] else None


def shifted(rect: Rect, origin: Rect) -> Rect:
    """A rectangle counted from the corner of another one."""
    return rect[0] - origin[0], rect[1] - origin[1], rect[2] - origin[0], rect[3] - origin[1]


def around(pixels: NDArray[np.float64], margin: float, width: int, height: int) -> Rect:
    """The rectangle around points, inside of a picture; empty if they are all outside."""
    low, high = pixels.min(axis=0) - margin, pixels.max(axis=0) + margin
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    return left, top, max(left, min(width, int(high[0]))), max(top, min(height, int(high[1])))


def trimmed(rect: Rect, layer: Layer) -> tuple[Rect, Layer]:
    """A layer without the empty margins around what it shows."""
    left, top, wide, high = cv2.boundingRect(layer[:, :, 3])
    inner = (left, top, left + wide, top + high)
    return (rect[0] + left, rect[1] + top, rect[0] + left + wide, rect[1] + top + high), cut(layer, inner)


def blend(target: NDArray[np.uint8], sprite: NDArray[np.uint8]) -> None:
    """Lay a sprite (colours not premultiplied) over a picture or a layer of the same size."""
    opacity = sprite[:, :, 3:].astype(np.float32) * np.float32(1 / 255)
    colours = sprite.astype(np.float32)
    colours[:, :, 3] = 255
    colours = colours[:, :, : target.shape[2]]
    target[:] = (target + (colours - target) * opacity + np.float32(0.5)).astype(np.uint8)


def lay(target: NDArray[np.uint8], layer: Layer) -> None:
    """Lay a layer over a picture of the same size."""
    through = 1 - layer[:, :, 3:].astype(np.float32) * np.float32(1 / 255)
    target[:] = (target * through + layer[:, :, :3] + np.float32(0.5)).astype(np.uint8)


def darken(target: NDArray[np.uint8], shadow: NDArray[np.uint8], strength: float) -> None:
    """Let a shadow (rows, columns) fall on a picture or a layer of the same size."""
    pass_on = 1 - shadow[:, :, None].astype(np.float32) * np.float32(strength / 255)
    lit = target * pass_on
    if target.shape[2] == 4:
        lit[:, :, 3:] = 255 - (255 - target[:, :, 3:]) * pass_on
    target[:] = lit.astype(np.uint8)


def soften(mask: NDArray[np.uint8], sigma: float) -> NDArray[np.uint8]:
    """A Gaussian blur; broad ones are computed on a smaller picture."""
    step = int(sigma / 2.5)
    if step < 2 or min(mask.shape) < 4 * step:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.3)), np.uint8)
    small = cv2.resize(mask, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), sigma / step)
    return np.asarray(cv2.resize(blurred, mask.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def smear(layer: Layer, way: tuple[float, float]) -> Layer:
    """A layer as the shutter sees it that stays open while it moves `way` pixels and ends where it is.

    Each pass joins the layer with itself shifted by half of what is left, which gives 16 places along the way.
    """
    x, y = way
    for _ in range(4 if abs(x) + abs(y) > 12 else 3):
        x, y = x / 2, y / 2
        shift = np.array([[1, 0, -x], [0, 1, -y]])
        layer = cv2.addWeighted(layer, 0.5, cv2.warpAffine(layer, shift, layer.shape[1::-1]), 0.5, 0)  # type: ignore[assignment]
    return layer
