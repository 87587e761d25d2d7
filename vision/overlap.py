"""Cards that lie on one another: every corner proposes a card, the best explained one is taken, then the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import align
from vision.faces import Picture
from vision.recognise import Match, evidence_for, match_masked, rectify
from vision.scale import Scale
from vision.segment import Array
from vision.templates import Templates, features

Proposing = Callable[[NDArray[np.int32], Scale], list[Array]]

INSIDE: Final = 0.93
"""Share of a proposed card that must lie inside the region whose corner proposed it."""
PROMISING: Final = 0.3
"""Correlation from which a proposed card is worth laying exactly over the picture."""
TRIES: Final = 14
"""Proposed cards of one region that are laid exactly."""
CLEAR: Final = 0.85
"""Correlation from which a laid card is taken at once: nothing covers it."""
LIKELY: Final = 0.35
"""A face whose correlation is less than this below the best one's is laid too."""
NEAR: Final = 0.03
"""Corners nearer than this, in long sides, propose the same card: laying it exactly mends the rest."""
MOST_CARDS: Final = 16
"""Largest region that is taken for a heap."""
COARSE_BLUR: Final = 0.6
"""Standard deviation, pixels of the coarse patch."""
MOST: Final = 400
"""Proposals of one picture that are looked at."""
EDGE: Final = np.ones((3, 3), np.uint8)
"""Pixels of a patch that are left out around what hides a card: blur and shadow carry it over its edge."""
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
        mask = cv2.erode(rectify(self.free, self.shrunk(corners), width), EDGE) > 200
        return match_masked(planes[None], mask[None], self.templates.fine)[0]

    def lay(self, proposal: Proposal, place: int | None = None) -> Proposal:
        """The proposal moved until its best face fits, or that of template `place`, and read with all pixels."""
        chosen = proposal.match.places[0] if place is None else place
        face = self.templates.planes[chosen]
        corners = align(self.picture, proposal.corners, face, self.free, self.factor)
        return Proposal(corners, self.look(corners))

    def challenge(self, proposal: Proposal) -> Proposal:
        """Let every other likely face be laid where it fits best itself: a wrong place flatters a wrong face."""
        best, rival = proposal, 0.0
        for (_, score), place in list(zip(proposal.match.ranked, proposal.match.places, strict=True))[1:]:
            if score > proposal.match.quality - LIKELY:
                other = self.lay(proposal, place)
                if other.match.card == best.match.card:
                    best = max(best, other, key=lambda p: p.match.quality)
                    continue
                loser, best = sorted((best, other), key=lambda p: p.match.quality)
                rival = max(rival, loser.match.quality)
        match = best.match
        evidence = min(match.evidence, evidence_for(match.quality, rival, match.seen))
        return Proposal(best.corners, replace(match, evidence=evidence))


def propose(contour: NDArray[np.int32], scale: Scale, free: Picture, how: Proposing) -> list[Array]:
    """Cards (4, 2), in the contour's pixels, that `how` finds and that lie inside it, unless `free` is gone."""
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
    return [corners for corners in how(contour, scale) if inside(region, corners - origin) >= INSIDE]


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
    waiting = table.glance(corners[:MOST])
    taken: list[Proposal] = []
    while True:
        laid = _lay_best(table, waiting)
        best = _surest(table, laid, sure)
        if best is None:
            return taken, _one_a_place(laid, taken)
        taken.append(best)
        table.take(best.corners)
        waiting = table.glance([p.corners for p in (*waiting, *laid) if _apart(p.corners, best.corners) > 0.2])


def _surest(table: Table, laid: list[Proposal], sure: Callable[[Match], bool]) -> Proposal | None:
    """The best of the laid proposals that is sure, also after its rivals have been laid."""
    for proposal in sorted((p for p in laid if sure(p.match)), key=lambda p: -p.match.quality):
        challenged = table.challenge(proposal)
        if sure(challenged.match):
            return challenged
    return None


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
