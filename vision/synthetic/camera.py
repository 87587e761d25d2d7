"""A pinhole camera over the table: millimetres of the table to pixels and back.

The table is the plane z = 0; x runs to the right and y downwards in the picture, z towards the camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""One point a row."""
_FIELD: Final = 0.8
"""Square of the tangent of the angle, beyond the corners of any picture, from which the lens bends no more."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at the point (`x`, `y`) of the table from `distance` millimetres.

    `tilt` (degrees) leans it towards the lower edge, `roll` turns the picture, `field` is the horizontal angle of view,
    `lens` the first radial coefficient of distortion (negative: barrel).
    """

    width: int = 1536
    height: int = 864
    distance: float = 720.0
    tilt: float = 0.0
    roll: float = 0.0
    field: float = 66.0
    lens: float = 0.0
    x: float = 0.0
    y: float = 0.0

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(self.field) / 2)

    @property
    def scale(self) -> float:
        """Pixels per millimetre in the middle of the table."""
        return self.focal / self.distance

    def project(self, points: Points) -> Points:
        """Pixels of points (n x 3, millimetres). They must lie below the camera."""
        right, down, forward, eye = self._axes()
        ray = np.asarray(points, float) - eye
        flat = np.stack([ray @ right, ray @ down], axis=1) / (ray @ forward)[:, None]
        reach = np.minimum((flat**2).sum(axis=1), _FIELD)  # further out the bend would turn back
        bent = flat * (1 + self.lens * reach)[:, None]
        return np.asarray(bent * self.focal + (self.width / 2, self.height / 2))

    def unproject(self, pixels: Points) -> Points:
        """Points of the table (n x 2, millimetres) that pixels (n x 2) show."""
        right, down, forward, eye = self._axes()
        bent = (np.asarray(pixels, float) - (self.width / 2, self.height / 2)) / self.focal
        flat = bent.copy()
        for _ in range(4):  # the distortion is weak: this converges at once
            flat = bent / (1 + self.lens * (flat**2).sum(axis=1))[:, None]
        ray = flat[:, :1] * right + flat[:, 1:] * down + forward
        reach = -eye[2] / ray[:, 2]
        return np.asarray((eye + ray * reach[:, None])[:, :2])

    def _axes(self) -> tuple[Points, Points, Points, Points]:
        """Right, down and forward of the camera and its place."""
        tilt, roll = math.radians(self.tilt), math.radians(self.roll)
        level, fall = np.array([1.0, 0, 0]), np.array([0, math.cos(tilt), -math.sin(tilt)])
        forward = np.array([0, -math.sin(tilt), -math.cos(tilt)])
        eye = np.array([self.x, self.y, 0]) - self.distance * forward
        right = math.cos(roll) * level + math.sin(roll) * fall
        return right, math.cos(roll) * fall - math.sin(roll) * level, forward, eye
