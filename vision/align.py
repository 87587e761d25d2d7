"""Laying a face exactly over the picture: small errors of a card's corners are found by comparing with its drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Picture
from vision.recognise import rectify
from vision.segment import Array
from vision.templates import HEIGHT, Features, features

Floats = NDArray[np.float64]

ROUNDS: Final = 6
"""Steps of the fit at most."""
STRIDE: Final = 2
"""Every second pixel of every second row of the patch is compared."""
GIVE: Final = np.array([2.5, 2.5, 0.03, 0.03, 0.03, 0.03, 1.5e-4, 1.5e-4])
"""Standard deviations of what the fit may change: shift in pixels of the patch (of HEIGHT for the long side), stretch
and shear, perspective."""
NOISE: Final = 0.25
"""Standard deviation of a compared value, in standard deviations of the face: how evidence pulls against GIVE."""
TIED: Final = 3
"""Compared values that tell no more than one: blur ties neighbours together."""
FARTHEST: Final = 0.12
"""Long sides that a corner may move. A face that fits only farther away does not lie here."""
LEAST: Final = 30
"""Compared pixels without which nothing is moved."""


def align(picture: Picture, corners: Array, face: Features, mask: Picture, factor: float) -> Array:
    """Corners (4, 2) moved so that the picture between them follows a face; unchanged where it does not.

    `face`: float32 (HEIGHT, width, 3) features. `mask`: uint8, `factor` times the picture's size, 0 where the card is
    covered. Gauss-Newton on the eight parameters of a homography with normal priors, so that what little shows of a
    card does not bend it; brightness and contrast are free.
    """
    width = face.shape[1]
    shown = rectify(mask, np.asarray((corners + 0.5) * factor - 0.5, np.float32), width) > 200
    places = _places(shown)
    if len(places) < LEAST:
        return corners
    model = _Model.of(face, places)
    moved = np.zeros(8)
    laid = corners
    for _ in range(ROUNDS):
        seen = features(rectify(picture, laid, width)).reshape(-1, 3)[places]
        step = model.step(seen, moved)
        moved = moved + step
        laid = _moved(corners, moved, width)
        if np.abs(step[:2]).max() < 0.05 and np.abs(step[2:6]).max() < 0.001:
            break
    if np.abs(laid - corners).max() > FARTHEST * float(np.linalg.norm(corners[1] - corners[2])):
        return corners
    return laid


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """A face at the compared places: `wanted` (n, 3), `steepest` (3 n, 8), how its values change, `normal` (8, 8)."""

    wanted: Features
    steepest: Floats
    normal: Floats

    @classmethod
    def of(cls, face: Features, places: NDArray[np.int64]) -> _Model:
        steepest = _steepest(face, places)
        normal = steepest.T @ steepest / (NOISE**2 * TIED) + np.diag(1 / GIVE**2)
        return cls(_scaled(face.reshape(-1, 3)[places]), steepest, normal)

    def step(self, seen: Features, moved: Floats) -> Floats:
        """The next change of the eight parameters, which are `moved` so far."""
        error = _scaled(seen) - self.wanted
        pull = self.steepest.T @ error.ravel() / (NOISE**2 * TIED) - moved / GIVE**2
        return np.asarray(np.linalg.solve(self.normal, pull), np.float64)


def _places(shown: NDArray[np.bool_]) -> NDArray[np.int64]:
    grid = np.zeros(shown.shape, bool)
    grid[::STRIDE, ::STRIDE] = True
    return np.flatnonzero(grid & shown)


def _scaled(values: Features) -> Features:
    """Values (n, 3) with mean 0 a channel and standard deviation 1 over all."""
    centred = values - values.mean(axis=0)
    return np.asarray(centred / max(float(centred.std()), 1e-6), np.float32)


def _steepest(face: Features, places: NDArray[np.int64]) -> Floats:
    """How the compared values (3 a place) change with each of the parameters, about the patch's middle."""
    height, width = face.shape[:2]
    values = face.reshape(-1, 3)[places]
    scale = max(float((values - values.mean(axis=0)).std()), 1e-6)
    across = cv2.Sobel(face, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8).reshape(-1, 3)[places] / scale
    down = cv2.Sobel(face, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8).reshape(-1, 3)[places] / scale
    x = (places % width - (width - 1) / 2)[:, None]
    y = (places // width - (height - 1) / 2)[:, None]
    radial = across * x + down * y
    columns = [across, down, across * x, across * y, down * x, down * y, -radial * x, -radial * y]
    return np.stack([column.ravel() for column in columns], axis=1)


def _moved(corners: Array, moved: Floats, width: int) -> Array:
    """Where the patch's corners lie in the picture once the face has moved over the patch by a small homography.

    A pixel of the patch shows what the changed place of the face shows, so that the face's corners lie where the
    inverse of the change leads.
    """
    dx, dy, a, b, c, d, p, q = moved
    change = np.array([[1 + a, b, dx], [c, 1 + d, dy], [p, q, 1]])
    frame = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([width, HEIGHT]) / 2
    back = cv2.perspectiveTransform(frame[None], np.linalg.inv(change))
    to_picture = cv2.getPerspectiveTransform(frame.astype(np.float32), corners)
    return np.asarray(cv2.perspectiveTransform(back, to_picture)[0], np.float32)
