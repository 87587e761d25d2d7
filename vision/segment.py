"""Finding cards by their outlines: four-sided regions of the deck's proportions, on any table, in any light."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Picture

Array = NDArray[np.float32]
Contour = NDArray[np.int32]
"""Points (n, 1, 2) in the order of the region's rim, as OpenCV gives them."""

WORK_SIZE: Final = 768
"""Pixels of the long side of the picture in which outlines are sought."""
LEVELS: Final = (10, 16, 24, 36, 52, 72, 96, 128)
"""Distances from the colour of the table at which it is cut: each card shows whole at some of them."""
STEPS: Final = (8, 11, 15, 20, 26, 34, 48, 68)
"""Steps of brightness at which the picture is cut along its edges."""
NEAR: Final = 8
"""The same for a rim."""
SAME: Final = 1.5
"""Pixels by which the contours of two levels may differ and still be one."""
SAME_CORNERS: Final = 2.5
"""Pixels between the corners of two outlines of one thing."""
MOST_OUTLINES: Final = 250
"""Outlines of one picture that are looked at: a checked cloth must not take for ever."""
SHORTEST: Final = 0.035
"""Long side of the smallest card, as a share of the picture's long side."""
FRESH: Final = 0.01
"""Share of a region's box that must be fresh for the region to be read again: less is noise."""
NEXT: Final = [1, 2, 3, 0]
"""Numbers of the corners that follow a card's four."""
BOTH_WAYS: Final = np.array([(0, 1, 2, 3), (2, 3, 0, 1)])
"""Numbers of a card's corners as it lies, and turned by 180 degrees."""
PROPORTION: Final = 1.22
"""Factor by which a card's proportions may differ from the deck's: tilt to 25 degrees and crooked cuts."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A four-sided region. `corners`: float32 (4, 2), clockwise, the first side a short one; `fit`: share 0..1 of its
    contour that lies on the four sides."""

    corners: Array
    fit: float

    @property
    def area(self) -> float:
        """Square pixels."""
        return float(cv2.contourArea(self.corners))


@dataclass(frozen=True, eq=False)
class Regions:
    """A picture cut from its table. `small`: the picture made `factor` as large; `distance`: how far each pixel is from
    the table's colour. `contours`: int32 (n, 1, 2) each, in its pixels; `rims`: those along edges. `shortest`: pixels
    there of the smallest card's long side."""

    small: Picture
    distance: NDArray[np.uint8]
    contours: list[Contour]
    rims: list[Contour]
    factor: float
    shortest: float

    @cached_property
    def heaps(self) -> list[Contour]:
        """Outer contours, one of those that hardly differ from level to level; of rims only where no region is like it:
        white cards on a pale table in little light show by their rims alone."""
        kept: list[Contour] = []
        known = np.empty((0, 5))
        for number, contour in enumerate((*self.contours, *self.rims)):
            signed = cv2.contourArea(contour, oriented=True)
            if signed < 0:  # not the rim of a hole
                what = np.array([*cv2.boundingRect(contour), np.sqrt(-signed)])
                like = SAME if number < len(self.contours) else NEAR
                if not len(known) or np.abs(known - what).max(axis=1).min() > like:
                    known = np.vstack([known, what])
                    kept.append(contour)
        return kept

    def touching(self, fresh: NDArray[np.uint8]) -> Regions:
        """The regions in whose box something is `fresh` (1, else 0; the picture at any size)."""
        height, width = self.small.shape[:2]
        sums = cv2.integral(cv2.resize(fresh, (width, height), interpolation=cv2.INTER_NEAREST))

        def touches(contour: Contour) -> bool:
            x, y, w, h = cv2.boundingRect(contour)
            return bool(sums[y + h, x + w] - sums[y, x + w] - sums[y + h, x] + sums[y, x] > FRESH * w * h)

        contours, rims = ([c for c in group if touches(c)] for group in (self.contours, self.rims))
        return replace(self, contours=contours, rims=rims)

    def full(self, corners: Array) -> Array:
        """Corners in pixels of the whole picture."""
        return np.asarray((corners + 0.5) / self.factor - 0.5, np.float32)

    def shrunk(self, corners: Array) -> Array:
        """Corners of the whole picture in pixels of the smaller one."""
        return np.asarray((corners + 0.5) * self.factor - 0.5, np.float32)


def cut(picture: Picture) -> Regions:
    """The regions that differ from the table, at every level."""
    factor = min(1.0, WORK_SIZE / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    distance = distance_from_table(small)
    shortest = SHORTEST * max(small.shape[:2])
    contours = [c for level in LEVELS for c in _contours(distance > level, shortest)]
    steps = steepness(small)
    rims = [c for level in STEPS for c in _contours(steps > level, shortest)]
    return Regions(small, distance, contours, rims, factor, shortest)


def _contours(mask: NDArray[np.bool_], shortest: float) -> list[Contour]:
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return [np.asarray(contour, np.int32) for contour in contours if len(contour) > 2.2 * shortest]


def _known(box: NDArray[np.float64], boxes: NDArray[np.float64], rim: bool) -> bool:
    """Whether a box is one of those fitted already; a rim is only wanted where no region is."""
    return bool(np.abs(boxes - box).max(axis=1).min() <= (NEAR if rim else SAME))


def _taut(points: cv2.typing.MatLike) -> Contour:
    """A hull with a point a pixel: a rim that is broken here and there still spans the card."""
    hull = np.asarray(points[:, 0], np.float64)
    ends = np.roll(hull, -1, axis=0)
    counts = np.maximum(np.abs(ends - hull).max(axis=1), 1).astype(int)
    pieces = [a + (b - a) * np.arange(n)[:, None] / n for a, b, n in zip(hull, ends, counts, strict=True)]
    return np.asarray(np.rint(np.concatenate(pieces)), np.int32)[:, None]


def find_outlines(regions: Regions, aspect: float) -> list[Outline]:
    """Outlines that a card of this aspect could have, best first; several may describe one card."""
    fitted: list[Outline] = []
    boxes = np.empty((0, 4))
    for number, contour in enumerate((*regions.contours, *regions.rims)):
        left, top, width, height = cv2.boundingRect(contour)
        box = np.array([left, top, left + width, top + height], np.float64)
        rim = number >= len(regions.contours)
        if max(width, height) < regions.shortest or (len(boxes) and _known(box, boxes, rim)):
            continue
        outline = fit_outline(contour, aspect, regions.shortest, rim)
        if outline is not None:
            fitted.append(outline)
            boxes = np.vstack([boxes, box])
    return [Outline(regions.full(o.corners), o.fit) for o in _distinct(fitted)]


def distance_from_table(picture: Picture) -> NDArray[np.uint8]:
    """How far each pixel's colour is from the table around it: uint8, of the picture's size.

    The table is the median of a wide surrounding, so that light may change slowly across it.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    tiny = cv2.resize(lab, (96, max(1, round(96 * lab.shape[0] / lab.shape[1]))), interpolation=cv2.INTER_AREA)
    table = cv2.medianBlur(tiny, 61)
    table = cv2.resize(table, (lab.shape[1], lab.shape[0]), interpolation=cv2.INTER_LINEAR)
    light, a, b = cv2.split(cv2.absdiff(lab, table))
    colour = cv2.addWeighted(a, 1.5, b, 1.5, 0)
    return np.asarray(cv2.max(light, cv2.addWeighted(light, 0.6, colour, 1.0, 0)), np.uint8)


def steepness(picture: Picture) -> NDArray[np.uint8]:
    """The largest step of any channel around each pixel: uint8. Rims of cards stand out on cloth of any pattern."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.8)
    blue, green, red = cv2.split(cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def fit_outline(contour: Contour, aspect: float, shortest: float, rim: bool = False) -> Outline | None:
    """Four lines through a contour (through its hull for a `rim`), if it is the contour of something card-like."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull if rim else contour)
    if area < shortest**2 / (1.7 * aspect):
        return None
    (_, _), (width, height), _ = box = cv2.minAreaRect(hull)
    long, short = max(width, height), min(width, height)
    if long < shortest or short * aspect * 1.35 < long or short * aspect > long * 1.35 or area < 0.8 * long * short:
        return None
    contour = _taut(hull) if rim else contour
    points = contour[:, 0, :].astype(np.float32)
    corners = _fit_sides(points, _start(hull, box))
    if corners is None:
        return None
    corners = short_sides_first(corners[None])[0]
    sides = np.linalg.norm(corners[NEXT] - corners, axis=1)
    proportion = (sides[1] + sides[3]) / (sides[0] + sides[2])
    if not aspect / PROPORTION < proportion < aspect * PROPORTION or sides.min() < 0.3 * sides.max():
        return None
    fit = float(np.mean(_distance_to_sides(points, corners) < max(1.0, 0.012 * long)))
    return Outline(corners, fit) if fit > 0.8 else None


def short_sides_first(quads: Array) -> Array:
    """Corners (n, 4, 2) of convex quads, each clockwise from one whose following side is a short one."""
    one, two = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    left = one[:, 0] * two[:, 1] < one[:, 1] * two[:, 0]
    quads = np.where(left[:, None, None], quads[:, ::-1], quads)
    sides = np.linalg.norm(quads[:, NEXT] - quads, axis=2)
    long = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    return np.asarray(np.where(long[:, None, None], quads[:, NEXT], quads), np.float32)


def _start(hull: cv2.typing.MatLike, box: cv2.typing.RotatedRect) -> Array:
    """Four rough corners: of the hull's polygon where it has four, else of the smallest rectangle."""
    polygon = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
    return np.asarray(polygon[:, 0, :] if len(polygon) == 4 else cv2.boxPoints(box), np.float32)


def _fit_sides(points: Array, corners: Array) -> Array | None:
    """Fit a line to the contour's points along each side, without its rounded ends, and cross the lines."""
    lines = []
    for start, end in zip(corners, corners[NEXT], strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < 4:
            return None
        along = along / length
        offset = points - start
        place = offset @ along / length
        across = np.abs(offset @ np.array([-along[1], along[0]], np.float32))
        near = points[(place > 0.14) & (place < 0.86) & (across < 0.08 * length + 2)]
        if len(near) < 4:
            return None
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((-vy, vx, -vy * x + vx * y))
    return cross_sides(lines)


def cross_sides(lines: list[tuple[float, float, float]]) -> Array | None:
    """Corners where each side meets the one before it. A line is (a, b, c) with a x + b y = c."""
    corners = np.empty((4, 2), np.float32)
    for index in range(4):
        (a, b, c), (d, e, f) = lines[index - 1], lines[index]
        determinant = a * e - b * d
        if abs(determinant) < 0.3:  # sides of a card meet at more than 17 degrees, however it is seen
            return None
        corners[index] = ((c * e - b * f) / determinant, (a * f - c * d) / determinant)
    return corners


def _distance_to_sides(points: Array, corners: Array) -> Array:
    best = np.full(len(points), np.inf, np.float32)
    for start, end in zip(corners, corners[NEXT], strict=True):
        along = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        best = np.minimum(best, np.abs((points - start) @ np.array([-along[1], along[0]], np.float32)))
    return best


def _distinct(outlines: list[Outline]) -> list[Outline]:
    """One outline for those whose corners lie within two pixels and a half of one another, best fit first."""
    ordered = sorted(outlines, key=lambda o: -o.fit)
    quads = np.array([outline.corners for outline in ordered], np.float32).reshape(-1, 4, 2)
    kept: list[int] = []
    for index, corners in enumerate(quads):
        if not kept or corners_apart(quads[kept], corners).min() > SAME_CORNERS:
            kept.append(index)
            if len(kept) == MOST_OUTLINES:
                break
    return [ordered[index] for index in kept]


def corners_apart(quads: Array, one: Array) -> Array:
    """Largest distances of corners, in pixels, of cards (n, 4, 2) from one card, whichever way round."""
    ways = np.abs(quads[:, None] - one[BOTH_WAYS]).reshape(len(quads), 2, -1)
    return np.asarray(ways.max(axis=2).min(axis=1), np.float32)
