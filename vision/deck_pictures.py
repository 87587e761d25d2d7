"""Learning a deck from pictures of cards on a table: four pictures of ten, a suit each, or forty of one card each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.deck import FACE_HEIGHT, Deck, make_deck
from vision.errors import DeckError
from vision.faces import ENDINGS, Picture, read_picture
from vision.refine import refine_corners
from vision.segment import Array, Outline, Regions, cut, find_outlines

ASPECTS: Final = (1.4, 1.6, 1.8, 2.05)
"""Proportions that are tried; each finds cards a fifth more or less slender."""
CROOKED: Final = 0.88
"""Regularity below which an outline took a piece of the table for the card."""
SLENDER: Final = 1.35
"""Least proportions of a card."""
INSET: Final = 0.7
"""Pixels by which a face is cut inside of its rim, which may be a pixel of table."""
OWN_SIZE: Final = 0.25
"""Share by which cards of one picture may differ in length."""


def learn_pictures(folder: Path, name: str) -> Deck:
    """Learn from a folder of pictures, taken in the order of their names; cards lie with their tops to the upper edge.

    Four pictures show denari, coppe, spade, bastoni, ace to king, row by row from the left. Forty show a card each in
    the same order. Raises `DeckError` that names the picture in which other than ten cards, or one, were found.
    """
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in ENDINGS)
    if len(files) not in (4, len(DECK)):
        raise DeckError(f"expected 4 pictures of ten cards or 40 of one in {folder}, got {len(files)}")
    each = len(DECK) // len(files)
    faces: dict[Card, Picture] = {}
    for number, file in enumerate(files):
        found = faces_on(read_picture(file), each)
        if len(found) != each:
            raise DeckError(f"expected {each} separate cards on {file.name}, got {len(found)}")
        faces.update(zip(DECK[number * each :], found, strict=False))
    return make_deck(name, faces)


def faces_on(picture: Picture, count: int) -> list[Picture]:
    """The faces of up to `count` separate cards of one size, row by row from the left, upright, BGR."""
    regions = cut(picture)
    places = max((_places(regions, aspect) for aspect in ASPECTS), key=lambda p: (min(len(p), count), -len(p)))
    corners = [_upright(refine_corners(picture, place)) for place in places]
    return [_straight(picture, place) for place in _in_rows(corners)]


def _places(regions: Regions, aspect: float) -> list[Array]:
    """Outlines of one size that do not lie on one another, the largest first."""
    kept: list[Array] = []
    outlines = find_outlines(regions, aspect)
    for outline in sorted(outlines, key=lambda o: -o.area * o.fit * _regular(o.corners)):
        if _regular(outline.corners) < CROOKED or _is_block(outline, outlines):
            continue
        apart = all(cv2.intersectConvexConvex(outline.corners, other)[0] < 0.1 * outline.area for other in kept)
        if apart and (not kept or _long(outline.corners) > (1 - OWN_SIZE) * _long(kept[0])):
            kept.append(outline.corners)
    return kept


def _regular(corners: Array) -> float:
    """How alike opposite sides are, 0..1: a card under a camera above it is nearly a rectangle."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0], sides[2]) / max(sides[0], sides[2]) * min(sides[1], sides[3]) / max(sides[1], sides[3]))


def _is_block(outer: Outline, outlines: Sequence[Outline]) -> bool:
    """True for the outline of several cards: two others lie in it side by side. The halves of a card with two heads,
    which also do, are not as slender as a card.
    """
    inner = [
        other
        for other in outlines
        if 0.1 * outer.area < other.area < 0.6 * outer.area
        and _long(other.corners) > SLENDER * _short(other.corners)
        and cv2.pointPolygonTest(outer.corners, tuple(map(float, other.corners.mean(axis=0))), False) > 0
    ]
    return any(
        cv2.intersectConvexConvex(one.corners, other.corners)[0] < 0.1 * other.area
        for one, other in combinations(inner, 2)
    )


def _upright(corners: Array) -> Array:
    """The corners from the top left of the short side that lies nearer to the upper edge of the picture."""
    turned = np.roll(corners, -2, axis=0)
    return corners if corners[:2, 1].sum() <= turned[:2, 1].sum() else turned


def _in_rows(places: Sequence[Array]) -> list[Array]:
    """Row by row, each from the left: a card begins a row if its middle is below the lower half of the row above."""
    rows: list[list[Array]] = []
    for place in sorted(places, key=lambda p: float(p[:, 1].mean())):
        if rows and place[:, 1].mean() - rows[-1][0][:, 1].mean() < 0.5 * _long(place):
            rows[-1].append(place)
        else:
            rows.append([place])
    return [place for row in rows for place in sorted(row, key=lambda p: float(p[:, 0].mean()))]


def _straight(picture: Picture, corners: Array) -> Picture:
    """The card between its corners, as large as it is on the picture but no larger than a stored face."""
    wide = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    high = min(round(_long(corners)), 2 * FACE_HEIGHT)
    width = max(8, round(high * wide / _long(corners)))
    left, right, bottom = -0.5 - INSET, width - 0.5 + INSET, high - 0.5 + INSET
    frame = np.array([(left, left), (right, left), (right, bottom), (left, bottom)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), frame)
    return np.asarray(cv2.warpPerspective(picture, matrix, (width, high), flags=cv2.INTER_AREA), np.uint8)


def _short(corners: Array) -> float:
    return float(np.linalg.norm(corners[0] - corners[1]) + np.linalg.norm(corners[2] - corners[3])) / 2


def _long(corners: Array) -> float:
    return float(np.linalg.norm(corners[1] - corners[2]) + np.linalg.norm(corners[3] - corners[0])) / 2
