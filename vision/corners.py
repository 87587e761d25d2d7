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

Side = tuple[Array, Array, float]


def whole_cards(contour: NDArray[np.int32], scale: Scale) -> list[Array]:
    """Corners (4, 2), short side first, of every card that could have one of the contour's corners.

    `contour` and `scale` are in the same pixels.
    """
    sides = _sides(contour, scale.pixels(contour[:, 0].mean(axis=0), np.array([1, 0], np.float32)))
    if len(sides) > MOST_SIDES:
        return []
    turns = [_corner(one, two, scale) for one, two in zip(sides, sides[1:] + sides[:1], strict=True)]
    sizes = (1.0, 0.9) if len(scale.middles) < ENOUGH else (1.0,)
    found: list[Array] = []
    for index, corner in enumerate(turns):
        before, after = sides[index], sides[(index + 1) % len(sides)]
        if corner is None:
            continue
        back, on = _unit(before[0] - before[1]), _unit(after[1] - after[0])
        found += [_from_corner(corner, back, on, scale, long, size) for long in (True, False) for size in sizes]
        end = turns[(index + 1) % len(turns)]
        if end is not None:
            found += _from_side(corner, end, before, sides[(index + 2) % len(sides)], scale)
    return found


def side_cards(contour: NDArray[np.int32], scale: Scale) -> list[Array]:
    """Corners (4, 2), short side first, of every card of which a piece of a side shows, but neither of its corners.

    Where along the side it lies is not known: it is proposed in small steps. `contour`, `scale` in the same pixels.
    """
    sides = _sides(contour, scale.pixels(contour[:, 0].mean(axis=0), np.array([1, 0], np.float32)))
    if len(sides) > MOST_SIDES:
        return []
    turns = [_corner(one, two, scale) for one, two in zip(sides, sides[1:] + sides[:1], strict=True)]
    found: list[Array] = []
    for index, (start, end, _) in enumerate(sides):
        if turns[index] is not None or turns[index - 1] is not None:
            continue
        middle, back = np.asarray((start + end) / 2, np.float32), _unit(start - end)
        width, on = scale.pixels(middle, back), scale.across(middle, back)
        seen = float(np.linalg.norm(end - start)) / width
        for long_first, length in ((True, scale.aspect), (False, 1.0)):
            if LEAST_SIDE < seen < length:
                shifts = np.linspace(0, length - seen, 2 + int((length - seen) / STEP)) * width
                found += [_from_corner(end - back * shift, back, on, scale, long_first, 1.0) for shift in shifts]
    return found


def card_width(contours: list[NDArray[np.int32]], aspect: float) -> float | None:
    """The width on which most sides between two corners agree, as a card's short side or its long one; None without.

    For a picture without a card that lies alone. Pixels of the contours.
    """
    votes = [
        length / share
        for contour in contours
        for length in _whole_sides(contour, aspect)
        for share in (1.0, aspect)
    ]  # fmt: skip
    if not votes:
        return None
    logs = np.log(np.array(votes))
    agree = np.abs(logs[:, None] - logs[None]) < AGREE
    best = agree[agree.sum(axis=1).argmax()]
    return float(np.exp(logs[best].mean()))


def _whole_sides(contour: NDArray[np.int32], aspect: float) -> list[float]:
    """Lengths of the sides between two corners; how wide a card is follows roughly if these are one card to three."""
    width = float(np.sqrt(cv2.contourArea(contour) / (2 * aspect)))
    sides = _sides(contour, width)
    turns = [_corner(one, two, None) for one, two in zip(sides, sides[1:] + sides[:1], strict=True)]
    pairs = zip(turns, turns[1:] + turns[:1], strict=True)
    return [float(np.linalg.norm(b - a)) for a, b in pairs if a is not None and b is not None and a is not b]


def _corner(one: Side, two: Side, scale: Scale | None) -> Array | None:
    """Where two sides that follow one another meet, if a card's corner can lie there."""
    (start, end, gap), (other_start, other_end, _) = one, two
    corner = _meet(start, end, other_start, other_end)
    back, on = _unit(start - end), _unit(other_end - other_start)
    if corner is None or not _turns_out(back, on):
        return None
    square = abs(float(back @ on)) < ASLANT
    if scale is None:
        return corner if square and gap < np.linalg.norm(end - start) else None
    near = gap < ROUND * scale.pixels(end, on)
    return corner if near and (square or abs(scale.angle(corner, back, on)) < SQUARE) else None


def _sides(contour: NDArray[np.int32], width: float) -> list[Side]:
    """Straight pieces (start, end, distance to the next piece) in the order of the contour, fitted to its points."""
    points = contour[:, 0, :].astype(np.float32)
    if cv2.contourArea(contour, oriented=True) < 0:
        points = points[::-1]
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


def _from_corner(corner: Array, one: Array, two: Array, scale: Scale, long_first: bool, size: float) -> Array:
    """The card whose sides leave a corner in two directions, `size` times as large as the scale tells."""
    lengths = (scale.aspect * size, size) if long_first else (size, scale.aspect * size)
    reach = [
        side * length * scale.pixels(corner + side * length * 0.5 * scale.pixels(corner, side), side)
        for side, length in zip((one, two), lengths, strict=True)
    ]
    corners = np.stack([corner, corner + reach[0], corner + reach[0] + reach[1], corner + reach[1]])
    return short_side_first(np.asarray(corners, np.float32))


def _from_side(start: Array, end: Array, before: Side, after: Side, scale: Scale) -> list[Array]:
    """The cards of which the piece between two corners is a whole side: a short one, a long one."""
    middle = np.asarray((start + end) / 2, np.float32)
    back, on = _unit(before[0] - before[1]), _unit(after[1] - after[0])
    units = float(np.linalg.norm(end - start)) / scale.pixels(middle, _unit(end - start))
    found = []
    for own, other in ((1.0, scale.aspect), (scale.aspect, 1.0)):
        if abs(units / own - 1) < WHOLE:
            reach = units / own * other * scale.pixels(middle, back)
            corners = np.stack([start, end, end + on * reach, start + back * reach])
            found.append(short_side_first(np.asarray(corners, np.float32)))
    return found


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6), np.float32)
