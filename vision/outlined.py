"""What has an outline of its own on a picture: whole cards, and backs, which are known by their outlines only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.deck import Deck
from vision.faces import Picture
from vision.overlap import Table
from vision.recognise import Match, match_patches, rectify
from vision.refine import refine_corners
from vision.segment import Array, Contour, Outline, Regions, find_outlines
from vision.sizes import OTHER_SIZE, long_of
from vision.templates import features

DOUBTFUL_QUALITY: Final = 0.42
"""Correlation from which a patch is a card of the deck at all."""
BACK_QUALITY: Final = 0.18
"""Correlation with the learnt back from which a patch is one; piles are uneven, cloth stays under 0.1."""
CLEAR_BACK: Final = 0.4
"""Correlation from which it certainly is the learnt back, however ragged its outline."""
BACK_SYMMETRY: Final = 0.5
"""Correlation of a back with itself turned by 180 degrees."""
MOST_UNLEARNT: Final = 24
"""Backs of one picture whose print was not learnt."""
SLIVERS: Final = np.ones((5, 5), np.uint8)
"""What is thinner, in pixels of the small picture, is left of a card's rim and shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    outline: Outline
    match: Match
    patch: Picture


def outlined(picture: Picture, regions: Regions, deck: Deck, known: list[Array]) -> list[Found]:
    """What has an outline of its own, each place once, but for what is `known`."""
    outlines = [
        replace(o, corners=refine_corners(picture, o.corners))
        for o in find_outlines(regions, deck.aspect)
        if all(_overlap(o.corners, corners) < 0.3 for corners in known)
    ]
    patches = [rectify(picture, outline.corners, deck.templates.width) for outline in outlines]
    matches = match_patches(patches, deck.templates)
    return _one_each([Found(*parts) for parts in zip(outlines, matches, patches, strict=True)])


def _one_each(found: list[Found]) -> list[Found]:
    """One outline of those that lie on one another: the best explained card, else a back, else the largest."""

    def rank(one: Found) -> tuple[float, bool, float]:
        return (-max(one.match.quality, DOUBTFUL_QUALITY), not _is_back(one), -one.outline.area)

    quads = np.array([one.outline.corners for one in found], np.float32).reshape(-1, 4, 2)
    low, high = quads.min(axis=1), quads.max(axis=1)
    kept: list[int] = []
    for index in sorted(range(len(found)), key=lambda place: rank(found[place])):
        touching = (low[kept] <= high[index]).all(axis=1) & (high[kept] >= low[index]).all(axis=1)
        if all(_overlap(quads[index], quads[other]) < 0.3 for other in np.array(kept, int)[touching]):
            kept.append(index)
    return [found[index] for index in kept]


def _overlap(one: Array, two: Array) -> float:
    """Common area of two four-sided regions as a share of the smaller one, 0..1."""
    common, _ = cv2.intersectConvexConvex(one, two)
    return float(common) / max(min(cv2.contourArea(one), cv2.contourArea(two)), 1e-6)


def backs_of(found: list[Found]) -> list[Array]:
    """Corners of backs; what is as frequent as the checks of a cloth is no card, unless it is the learnt back.

    What only looks like some back must be of the size of the learnt ones.
    """
    backs = [one for one in found if _is_back(one)]
    learnt = [one for one in backs if one.match.back >= BACK_QUALITY]
    if len(backs) > MOST_UNLEARNT:
        backs = learnt
    most = max((long_of(one.outline.corners) for one in learnt), default=np.inf) * (1 + OTHER_SIZE)
    return [one.outline.corners for one in backs if one in learnt or long_of(one.outline.corners) < most]


def backs_beside(regions: Regions, table: Table, deck: Deck, picture: Picture) -> list[Array]:
    """Backs that touch cards: what those leave of a region, if it is a card's shape."""
    left: list[Contour] = []
    for contour in regions.heaps:
        x, y, width, height = cv2.boundingRect(contour)
        free = table.free[y : y + height, x : x + width]
        if not free.all():
            mask = np.zeros_like(free)
            cv2.drawContours(mask, [contour], -1, 255, cv2.FILLED, offset=(-x, -y))
            rest = cv2.morphologyEx(cv2.bitwise_and(mask, free), cv2.MORPH_OPEN, SLIVERS)
            pieces, _ = cv2.findContours(rest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))
            left += [np.asarray(piece, np.int32) for piece in pieces]
    found = outlined(picture, replace(regions, contours=left, rims=[]), deck, table.lying)
    return [one.outline.corners for one in found if _is_back(one)]


def _is_back(found: Found) -> bool:
    """Backs look the same upside down and are printed all over; the learnt back decides where there is one."""
    if found.match.quality >= DOUBTFUL_QUALITY or (found.outline.fit < 0.85 and found.match.back < CLEAR_BACK):
        return False
    if found.match.back >= max(BACK_QUALITY, 2 * found.match.quality):
        return True
    planes = features(found.patch)
    centred = planes - planes.mean(axis=(0, 1))
    power = float((centred**2).sum())
    turned = float((centred * centred[::-1, ::-1]).sum())
    return power > 0.002 * centred.size and turned > BACK_SYMMETRY * power
