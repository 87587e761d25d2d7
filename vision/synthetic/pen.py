"""A pen that draws filled shapes with outlines on a picture, in its own movable coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Rows, columns, BGR; 0..255."""
Colour = tuple[int, int, int]
"""Blue, green, red; 0..255."""
XY = tuple[float, float]

SHIFT = 4
"""Binary digits behind the point that OpenCV gives to the coordinates of polygons."""
INK: Colour = (38, 30, 30)


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws on `picture`. `matrix` (2 x 3) takes the pen's coordinates to pixels."""

    picture: Picture
    matrix: NDArray[np.float64]

    @classmethod
    def on(cls, picture: Picture, pixels_per_unit: float) -> Pen:
        """A pen whose origin is the top left corner of `picture`."""
        return cls(picture, np.array([[pixels_per_unit, 0, 0], [0, pixels_per_unit, 0]], float))

    def at(self, x: float, y: float, scale: float = 1.0, turn: float = 0.0, squeeze: float = 1.0) -> Pen:
        """A pen with its origin at (x, y), `scale` times as large, turned by `turn` degrees clockwise.

        `squeeze` multiplies its width only; a negative one mirrors.
        """
        cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
        local = np.array([[cos * squeeze, -sin, x], [sin * squeeze, cos, y], [0, 0, 1]])
        return Pen(self.picture, self.matrix @ local)

    def polygon(self, points: Sequence[XY], fill: Colour | None, edge: Colour | None = INK, width: float = 1.2) -> None:
        """A closed shape. `width` of its outline is in the pen's units."""
        pixels = self._pixels(points)
        if fill is not None:
            cv2.fillPoly(self.picture, [pixels], fill, cv2.LINE_AA, SHIFT)
        if edge is not None:
            cv2.polylines(self.picture, [pixels], True, edge, self._thickness(width), cv2.LINE_AA, SHIFT)

    def blob(self, points: Sequence[XY], fill: Colour | None, edge: Colour | None = INK, width: float = 1.2) -> None:
        """A closed shape with its corners rounded away."""
        self.polygon(rounded(points, 3), fill, edge, width)

    def ellipse(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: Colour | None,
        edge: Colour | None = INK,
        width: float = 1.2,
    ) -> None:
        """An ellipse around (x, y) with half axes `rx`, `ry`."""
        angles = np.linspace(0, 2 * math.pi, 48, endpoint=False)
        self.polygon([(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles], fill, edge, width)

    def disc(
        self, x: float, y: float, r: float, fill: Colour | None, edge: Colour | None = INK, width: float = 1.2
    ) -> None:
        """A circle."""
        self.ellipse(x, y, r, r, fill, edge, width)

    def line(self, points: Sequence[XY], colour: Colour = INK, width: float = 1.2) -> None:
        """An open line."""
        cv2.polylines(self.picture, [self._pixels(points)], False, colour, self._thickness(width), cv2.LINE_AA, SHIFT)

    def band(self, points: Sequence[XY], colour: Colour, width: float, edge: float = 1.2) -> None:
        """A broad line with an outline of `edge` units on both sides."""
        self.line(points, INK, width + 2 * edge)
        self.line(points, colour, width)

    def text(self, x: float, y: float, words: str, height: float, colour: Colour = INK) -> None:
        """Words in a plain face, centred at (x, y). Unlike shapes they do not turn with the pen."""
        font, (px, py) = cv2.FONT_HERSHEY_DUPLEX, (self.matrix @ (x, y, 1.0)).tolist()
        size = height * self._scale() / 21
        thick = max(1, round(size * 2.2))
        (wide, high), _ = cv2.getTextSize(words, font, size, thick)
        cv2.putText(
            self.picture, words, (round(px - wide / 2), round(py + high / 2)), font, size, colour, thick, cv2.LINE_AA
        )

    def _pixels(self, points: Sequence[XY]) -> NDArray[np.int32]:
        flat = np.asarray(points, float) @ self.matrix[:, :2].T + self.matrix[:, 2]
        return np.rint(flat * (1 << SHIFT)).astype(np.int32)

    def _scale(self) -> float:
        return math.sqrt(abs(float(np.linalg.det(self.matrix[:, :2]))))

    def _thickness(self, width: float) -> int:
        return max(1, round(width * self._scale()))


def rounded(points: Sequence[XY], times: int) -> list[XY]:
    """The closed polygon with each corner cut `times` times (Chaikin 1974), which ends in a smooth curve."""
    shape = np.asarray(points, float)
    for _ in range(times):
        after = np.roll(shape, -1, axis=0)
        shape = np.stack([0.75 * shape + 0.25 * after, 0.25 * shape + 0.75 * after], axis=1).reshape(-1, 2)
    return [(float(x), float(y)) for x, y in shape]


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float, count: int = 24) -> list[XY]:
    """Points of an arc of an ellipse, angles in degrees, clockwise from the right."""
    angles = np.radians(np.linspace(start, end, count))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]
