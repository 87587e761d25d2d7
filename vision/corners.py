"""Cards that others cover in part: a visible corner and the size of a card say where the whole card lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scale import Scale
from vision.segment import Array, Contour, short_sides_first

SIDE: Final = 0.16
"""Shortest straight piece of a contour that counts as a card's side, in card widths."""
ROUND: Final = 0.35
"""Longest piece between two sides that counts as their rounded corner, in card widths."""
SQUARE: Final = 0.17
"""Largest cosine, on the table, of the angle between two sides that meet in a card's corner."""
ASLANT: Final = 0.3
"""The same on the picture, where it is not known how the camera looks."""
WHOLE: Final = 0.25
"""How far a side between two corners may be from a card's side, as a share."""
AGREE: Final = 0.08
"""Sides that agree on a card's width differ by less than this share."""
ENOUGH: Final = 3
"""Cards from which a scale is exact. One alone, or a pile that is higher than the table, may be a tenth too large."""
LEAST_SIDE: Final = 0.35
"""Card widths of a side that show at least, where no corner does."""
MOST_SIDES: Final = 32
"""Straight pieces of the contour of a heap; more are cloth or clutter."""
STEP: Final = 0.1
"""Card widths from one place along a side to the next; laying a card exactly mends half of it."""
NO_CARDS: Final = np.empty((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The straight pieces of a contour in its order, k of them, and where each meets the next.

    `starts`, `ends`: float32 (k, 2); `along`: unit directions. `corners` (k, 2): where a piece meets the following one,
    `convex` (k,): whether a card's corner can lie there.
    """

    starts: Array
    ends: Array
    along: Array
    corners: Array
    convex: NDArray[np.bool_]

    @classmethod
    def of(cls, contour: Contour, width: float, scale: Scale | None) -> Sides | None:
        """The sides of a contour on which cards are about `width` pixels wide; None if there are none, or too many."""
        found = _straight(contour, width)
        if found is None or len(found[0]) > MOST_SIDES:
            return None
        starts, ends = found
        along = _unit(ends - starts)
        following, on = np.roll(starts, -1, axis=0), np.roll(along, -1, axis=0)
        turning = along[:, 0] * on[:, 1] - along[:, 1] * on[:, 0]
        offset = following - starts
        reach = (offset[:, 0] * on[:, 1] - offset[:, 1] * on[:, 0]) / np.where(turning > 0.5, turning, 1.0)
        corners = np.asarray(starts + along * reach[:, None], np.float32)
        gaps, cosines = np.linalg.norm(following - ends, axis=1), np.abs((along * on).sum(axis=1))
        if scale is None:
            near, square = gaps < np.linalg.norm(ends - starts, axis=1), cosines < ASLANT
        else:
            near = gaps < ROUND * scale.pixels(ends, on)
            square = (cosines < ASLANT) | (np.abs(scale.angle(corners, -along, on)) < SQUARE)
        return cls(starts, ends, along, corners, (turning > 0.5) & near & square)

    @property
    def whole(self) -> NDArray[np.int64]:
        """Numbers of the corners that the next corner follows: the side between them shows from end to end."""
        return np.flatnonzero(self.convex & np.roll(self.convex, -1)) if len(self.convex) > 1 else np.empty(0, np.int64)


def sides_of(contour: Contour, scale: Scale) -> Sides | None:
    """The sides of a contour; contour and `scale` in the same pixels."""
    middle = contour[:, 0].mean(axis=0)
    return Sides.of(contour, float(scale.pixels(middle, np.array([1.0, 0.0]))), scale)


def whole_cards(sides: Sides, scale: Scale) -> Array:
    """Corners (n, 4, 2), short side first, of every card that could have one of the corners."""
    places = np.flatnonzero(sides.convex)
    if not len(places):
        return NO_CARDS
    back, on = -sides.along[places], np.roll(sides.along, -1, axis=0)[places]
    found = [
        _from_corners(sides.corners[places], back, on, scale, long_first, size)
        for long_first in (True, False)
        for size in ((1.0, 0.9) if len(scale.middles) < ENOUGH else (1.0,))
    ]
    return np.concatenate([*found, _from_whole_sides(sides, scale)])


def side_cards(sides: Sides, scale: Scale) -> Array:
    """Corners (n, 4, 2), short side first, of every card of which a piece of a side shows, but neither of its corners.

    Where along the side it lies is not known: it is proposed in small steps.
    """
    places = np.flatnonzero(~sides.convex & ~np.roll(sides.convex, 1))
    if not len(places):
        return NO_CARDS
    starts, ends, back = sides.starts[places], sides.ends[places], -sides.along[places]
    middles = np.asarray((starts + ends) / 2, np.float32)
    width, on = scale.pixels(middles, back), scale.across(middles, back)
    seen = np.linalg.norm(ends - starts, axis=1) / width
    found = [NO_CARDS]
    for long_first, length in ((True, scale.aspect), (False, 1.0)):
        fits = np.flatnonzero((seen > LEAST_SIDE) & (seen < length))
        counts = 2 + ((length - seen[fits]) / STEP).astype(int)
        which = np.repeat(fits, counts)
        shares = np.concatenate([np.linspace(0, 1, count) for count in counts]) if len(fits) else np.empty(0)
        shifts = shares * (length - seen[which]) * width[which]
        corners = np.asarray(ends[which] - back[which] * shifts[:, None], np.float32)
        found.append(_from_corners(corners, back[which], on[which], scale, long_first, 1.0))
    return np.concatenate(found)


def card_width(contours: list[Contour], aspect: float) -> float | None:
    """The width on which most sides between two corners agree, as a card's short side or its long one; None without.

    For a picture without a card that lies alone. Pixels of the contours.
    """
    lengths = np.array([length for contour in contours for length in _whole_lengths(contour, aspect)])
    lengths = lengths[lengths > 1]
    if not len(lengths):
        return None
    logs = np.log(np.concatenate([lengths, lengths / aspect]))
    agree = np.abs(logs[:, None] - logs[None]) < AGREE
    best = agree[agree.sum(axis=1).argmax()]
    return float(np.exp(logs[best].mean()))


def _whole_lengths(contour: Contour, aspect: float) -> Array:
    """Lengths of the sides between two corners; how wide a card is follows roughly if these are one card to three."""
    sides = Sides.of(contour, float(np.sqrt(cv2.contourArea(contour) / (2 * aspect))), None)
    if sides is None:
        return np.empty(0, np.float32)
    lengths = np.linalg.norm(np.roll(sides.corners, -1, axis=0) - sides.corners, axis=1)
    return np.asarray(lengths[sides.whole], np.float32)


def _straight(contour: Contour, width: float) -> tuple[Array, Array] | None:
    """Starts and ends (k, 2) of the straight pieces in the order of the contour, fitted to its points."""
    points = contour[:, 0, :].astype(np.float32)
    if cv2.contourArea(contour, oriented=True) < 0:
        points = points[::-1]
    polygon = np.asarray(cv2.approxPolyDP(points[:, None], max(1.5, 0.025 * width), True)[:, 0, :], np.float32)
    lengths = np.linalg.norm(np.roll(polygon, -1, axis=0) - polygon, axis=1)
    first = _places(points, polygon)
    last = np.roll(first, -1)
    last = np.where(last > first, last, last + len(points))
    long = lengths >= SIDE * width
    return _fitted(points, first[long], last[long]) if long.any() else None


def _places(points: Array, vertices: Array) -> NDArray[np.int64]:
    """Index in `points` of each vertex, which is one of them."""
    codes, wanted = (p[:, 0] + p[:, 1] * 65536.0 for p in (points.astype(np.float64), vertices.astype(np.float64)))
    order = np.argsort(codes)
    return np.asarray(order[np.searchsorted(codes, wanted, sorter=order)], np.int64)


def _fitted(points: Array, first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[Array, Array]:
    """Ends of the lines through the middles of runs of a closed contour's points: `first` to `last`, which may be past
    its end. Least squares by sums that are formed once."""
    twice = np.concatenate([points, points, points[:1]]).astype(np.float64)
    origin = twice.mean(axis=0)
    x, y = (twice - origin).T
    sums = np.concatenate([np.zeros((1, 5)), np.cumsum(np.stack([x, y, x * x, x * y, y * y], axis=1), axis=0)])
    cut = np.maximum(1, (last + 1 - first) // 8)
    cut = np.where(last + 1 - first > 3 * cut, cut, 0)
    begin, end = first + cut, last + 1 - cut
    mx, my, xx, xy, yy = ((sums[end] - sums[begin]) / (end - begin)[:, None]).T
    turn = 0.5 * np.arctan2(2 * (xy - mx * my), (xx - mx * mx) - (yy - my * my))
    along = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    through = np.stack([mx, my], axis=1) + origin
    starts, ends = (
        through + along * ((twice[place] - through) * along).sum(axis=1, keepdims=True) for place in (first, last)
    )
    return np.asarray(starts, np.float32), np.asarray(ends, np.float32)


def _from_corners(corners: Array, ones: Array, twos: Array, scale: Scale, long_first: bool, size: float) -> Array:
    """The cards whose sides leave corners in two directions, all (n, 2), `size` times as large as the scale tells."""
    lengths = (scale.aspect * size, size) if long_first else (size, scale.aspect * size)
    one, two = (
        sides * (length * scale.pixels(_halfway(corners, sides, length, scale), sides))[:, None]
        for sides, length in zip((ones, twos), lengths, strict=True)
    )
    return short_sides_first(np.stack([corners, corners + one, corners + one + two, corners + two], axis=1))


def _halfway(corners: Array, sides: Array, length: float, scale: Scale) -> Array:
    """The middles of sides, `length` card widths long, that leave corners."""
    return np.asarray(corners + sides * (length * 0.5 * scale.pixels(corners, sides))[:, None], np.float32)


def _from_whole_sides(sides: Sides, scale: Scale) -> Array:
    """The cards of which the piece between two corners is a whole side: a short one, a long one."""
    places = sides.whole
    if not len(places):
        return NO_CARDS
    starts, ends = sides.corners[places], np.roll(sides.corners, -1, axis=0)[places]
    back, on = -sides.along[places], np.roll(sides.along, -2, axis=0)[places]
    middles = np.asarray((starts + ends) / 2, np.float32)
    units = np.linalg.norm(ends - starts, axis=1) / scale.pixels(middles, _unit(ends - starts))
    found = []
    for own, other in ((1.0, scale.aspect), (scale.aspect, 1.0)):
        fits = np.abs(units / own - 1) < WHOLE
        reach = (units / own * other * scale.pixels(middles, back))[fits, None]
        start, end = starts[fits], ends[fits]
        found.append(np.stack([start, end, end + on[fits] * reach, start + back[fits] * reach], axis=1))
    return short_sides_first(np.concatenate(found))


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)
