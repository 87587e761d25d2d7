"""Laying faces exactly over the picture: small errors of corners are found by comparing with the cards' drawings."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.drawing import Drawing, Features
from vision.glance import Copy, features_of, onto
from vision.segment import Array
from vision.templates import HEIGHT

Floats = NDArray[np.float64]

ROUNDS: Final = 5
"""Steps of the fit at most."""
GIVE: Final = np.array([2.5, 2.5, 0.03, 0.03, 0.03, 0.03, 1.5e-4, 1.5e-4])
"""Standard deviations of what the fit may change: shift in pixels of the patch (of HEIGHT for the long side), stretch
and shear, perspective."""
NOISE: Final = 0.25
"""Standard deviation of a compared value, in standard deviations of the face: how evidence pulls against GIVE."""
COMPARED: Final = 1344.0
"""Values of a whole face that tell something of their own: blur ties neighbours together."""
FARTHEST: Final = 0.12
"""Long sides that a corner may move. A face that fits only farther away does not lie here."""
LEAST: Final = 30
"""Compared pixels without which nothing is moved."""


def align(copy: Copy, quads: Array, faces: NDArray[np.int64], drawing: Drawing, free: Copy) -> Array:
    """Corners (n, 4, 2) moved so that the picture between them follows faces (n, each 0..79); unchanged where it does
    not.

    `free` is 0 where cards are covered. Gauss-Newton on the eight parameters of a homography with normal priors, so
    that what little shows of a card does not bend it; brightness and contrast are free.
    """
    masks = free.patches(quads, drawing.size, drawing.step) > 200
    shown = masks.reshape(len(quads), -1)
    wanted, spread = _scaled(drawing.values[faces], shown)
    steepest = drawing.steepest[faces] * (np.repeat(shown, 3, axis=1) / spread)[:, None]
    weight = COMPARED / shown.shape[1] / NOISE**2 / 3
    normal = (steepest @ steepest.transpose(0, 2, 1)).astype(np.float64) * weight + np.diag(1 / GIVE**2)
    moved = np.zeros((len(quads), 8))
    laid = quads
    for _ in range(ROUNDS):
        seen = features_of(copy.patches(laid, drawing.size, drawing.step), masks).reshape(wanted.shape)
        error = (_scaled(seen, shown)[0] - wanted).reshape(len(quads), -1, 1)
        pull = (steepest @ error)[:, :, 0] * weight - moved / GIVE**2
        step = np.linalg.solve(normal, pull[:, :, None])[:, :, 0]
        moved = moved + step
        laid = _moved(quads, moved, drawing.size)
        if np.abs(step[:, :2]).max() < 0.05 and np.abs(step[:, 2:6]).max() < 0.001:
            break
    long = np.linalg.norm(quads[:, 1] - quads[:, 2], axis=1)
    fits = (np.abs(laid - quads).max(axis=(1, 2)) <= FARTHEST * long) & (shown.sum(axis=1) >= LEAST)
    return np.where(fits[:, None, None], laid, quads)


def _scaled(values: Features, shown: NDArray[np.bool_]) -> tuple[Features, Features]:
    """Values (n, places, 3) with mean 0 a channel and standard deviation 1 over all that is shown, 0 elsewhere; and
    what that deviation was (n, 1)."""
    weights = shown[:, :, None].astype(np.float32)
    count = np.maximum(weights.sum(axis=1, keepdims=True), 1)
    centred = (values - (values * weights).sum(axis=1, keepdims=True) / count) * weights
    spread = np.sqrt(np.maximum((centred**2).sum(axis=(1, 2)) / (3 * count[:, 0, 0]), 1e-12))[:, None]
    return np.asarray(centred / spread[:, :, None], np.float32), np.asarray(spread, np.float32)


def _moved(quads: Array, moved: Floats, size: tuple[int, int]) -> Array:
    """Where the patches' corners lie in the picture once the faces have moved over the patches by small homographies.

    A pixel of the patch shows what the changed place of the face shows, so that the face's corners lie where the
    inverse of the change leads.
    """
    dx, dy, a, b, c, d, p, q = moved.T
    change = np.stack([1 + a, b, dx, c, 1 + d, dy, p, q, np.ones_like(p)], axis=1).reshape(-1, 3, 3)
    whole = np.array([HEIGHT * size[1] / size[0], HEIGHT])
    frame = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]) * [*whole / 2, 1]
    back = frame @ np.linalg.inv(change).transpose(0, 2, 1)
    units = back[:, :, :2] / back[:, :, 2:] / whole + 0.5
    return np.asarray(onto(quads, units[:, :, 0], units[:, :, 1]), np.float32)
