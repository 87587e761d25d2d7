"""Cards that lie on one another: every corner proposes a card, the best explained one is taken, then the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import align
from vision.corners import whole_cards
from vision.faces import Picture
from vision.recognise import Match, match_masked, rectify
from vision.scale import Scale
from vision.segment import Array
from vision.templates import Templates, features

INSIDE: Final = 0.93
"""Share of a proposed card that must lie inside the region whose corner proposed it."""
PROMISING: Final = 0.3
"""Correlation from which a proposed card is worth laying exactly over the picture."""
TRIES: Final = 14
"""Proposed cards of one region that are laid exactly."""
CLEAR: Final = 0.85
"""Correlation from which a laid card is taken at once: nothing covers it."""
NEAR: Final = 0.03
"""Corners nearer than this, in long sides, propose the same card: laying it exactly mends the rest."""
MOST_CARDS: Final = 16
"""Largest region that is taken for a heap."""
COARSE_BLUR: Final = 0.6
"""Standard deviation, pixels of the coarse patch."""
LEAST_SEEN: Final = 0.2
"""Share of a face without which nothing is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A card that may lie there: corners (4, 2) in pixels of the picture, what it reads as, and with which features."""

    corners: Array
    match: Match


@dataclass(slots=True, eq=False)
class Table:
    """One picture while its regions are being explained. `small`: the picture made `factor` as large. `free`: uint8 of
    that size, 0 where something is taken already."""

    picture: Picture
    small: Picture
    factor: float
    templates: Templates
    free: Picture

    def take(self, corners: Array) -> None:
        """Cards below this one are hidden here."""
        cv2.fillConvexPoly(self.free, np.round(self.shrunk(corners)).astype(np.int32), 0)

    def shrunk(self, corners: Array) -> Array:
        """Corners in pixels of `small`."""
        return np.asarray((corners + 0.5) * self.factor - 0.5, np.float32)

    def glance(self, places: list[Array]) -> list[Proposal]:
        """Read what is free of many cards, coarsely."""
        faces = self.templates.coarse
        height, width = faces.size
        small = [self.shrunk(corners) for corners in places]
        planes = [features(rectify(self.small, corners, width, height), COARSE_BLUR) for corners in small]
        masks = [rectify(self.free, corners, width, height) > 200 for corners in small]
        matches = match_masked(np.stack(planes), np.stack(masks), faces) if places else []
        return [Proposal(*both) for both in zip(places, matches, strict=True)]

    def look(self, corners: Array) -> Match:
        """Read what is free of one card, with all pixels."""
        width = self.templates.width
        planes = features(rectify(self.picture, corners, width))
        mask = rectify(self.free, self.shrunk(corners), width) > 200
        return match_masked(planes[None], mask[None], self.templates.fine)[0]

    def lay(self, proposal: Proposal) -> Proposal:
        """The proposal moved until its best face fits, and read with all pixels."""
        place = proposal.match.card.index + (40 if proposal.match.turned else 0)
        face = np.ascontiguousarray(self.templates.planes[place, :, :, 0])
        corners = align(self.picture, proposal.corners, face, self.free, self.factor)
        return Proposal(corners, self.look(corners))


def propose(contour: NDArray[np.int32], scale: Scale, free: Picture) -> list[Array]:
    """Cards (4, 2), in the contour's pixels, that have one of its corners and lie inside it, unless `free` is gone."""
    left, top, width, height = cv2.boundingRect(contour)
    wide = scale.pixels(np.array([left + width / 2, top + height / 2]), np.array([1.0, 0.0]))
    card = scale.aspect * wide**2
    cards = cv2.contourArea(contour) / card
    rims = 2 * (1 + scale.aspect) * wide * cards
    if not 0.4 < cards < MOST_CARDS or len(contour) > 1.3 * rims:  # longer than all rims together: cloth, wood
        return []
    region = np.zeros((height, width), np.uint8)
    cv2.drawContours(region, [contour], -1, 255, cv2.FILLED, offset=(-left, -top))
    if cv2.countNonZero(cv2.bitwise_and(region, free[top : top + height, left : left + width])) < LEAST_SEEN * card:
        return []
    origin = np.array([left, top], np.float32)
    return [corners for corners in whole_cards(contour, scale) if inside(region, corners - origin) >= INSIDE]


def inside(region: Picture, corners: Array) -> float:
    """Share of a card that lies inside a filled region; both in the region's pixels."""
    card = np.zeros_like(region)
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(card, np.round(middle + (corners - middle) * 0.96).astype(np.int32), 255)
    within = cv2.countNonZero(cv2.bitwise_and(card, region))
    return within / max(float(cv2.contourArea(corners)) * 0.96**2, 1.0)


def distinct(proposals: list[Array]) -> list[Array]:
    """One of those that nearly coincide."""
    if not proposals:
        return []
    stack = np.stack(proposals)
    near = NEAR * np.linalg.norm(stack[:, 1] - stack[:, 2], axis=1)
    left = np.ones(len(stack), bool)
    kept = []
    for index in range(len(stack)):
        if left[index]:
            kept.append(proposals[index])
            off = np.abs(stack - stack[index]).max(axis=(1, 2))
            turned = np.abs(stack - np.roll(stack[index], 2, axis=0)).max(axis=(1, 2))
            left &= np.minimum(off, turned) > near[index]
    return kept


def explain(table: Table, corners: list[Array], sure: Callable[[Match], bool]) -> tuple[list[Proposal], list[Proposal]]:
    """Cards of a heap, from the top down, out of proposed corners; and what stayed unsure, each a place of its own."""
    waiting = table.glance(corners)
    taken: list[Proposal] = []
    while True:
        laid = _lay_best(table, waiting)
        best = max((p for p in laid if sure(p.match)), key=lambda p: p.match.quality, default=None)
        if best is None:
            return taken, _one_a_place(laid, taken)
        taken.append(best)
        table.take(best.corners)
        waiting = table.glance([p.corners for p in (*waiting, *laid) if _apart(p.corners, best.corners) > 0.2])


def _lay_best(table: Table, waiting: list[Proposal]) -> list[Proposal]:
    """Lay the most promising proposals, until one leaves no doubt."""
    laid: list[Proposal] = []
    for proposal in sorted(waiting, key=lambda p: -p.match.quality):
        if proposal.match.quality < PROMISING or len(laid) == TRIES:
            break
        if proposal.match.seen >= LEAST_SEEN and all(_apart(proposal.corners, p.corners) > 0.04 for p in laid):
            laid.append(table.lay(proposal))
            if laid[-1].match.quality > CLEAR:
                break
    return laid


def _one_a_place(laid: list[Proposal], taken: list[Proposal]) -> list[Proposal]:
    kept: list[Proposal] = []
    for proposal in sorted(laid, key=lambda p: -p.match.quality):
        if all(_apart(proposal.corners, other.corners) > 0.3 for other in (*kept, *taken)):
            kept.append(proposal)
    return kept


def _apart(one: Array, two: Array) -> float:
    """Largest distance of the corners of two cards, whichever way round, in long sides."""
    long = float(np.linalg.norm(one[1] - one[2]))
    return min(float(np.abs(one - np.roll(two, turn, axis=0)).max()) for turn in (0, 2)) / max(long, 1e-6)
