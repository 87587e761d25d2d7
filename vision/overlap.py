"""Cards that lie on one another: every corner proposes a card, the best explained one is taken, then the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.align import align
from vision.faces import Picture
from vision.recognise import Match, against, correlate, match_masked, rectify
from vision.scale import Scale
from vision.segment import Array
from vision.templates import Templates, features

Proposing = Callable[[NDArray[np.int32], Scale], list[Array]]

INSIDE: Final = 0.93
"""Share of a proposed card that must lie inside the region whose corner proposed it."""
PROMISING: Final = 0.3
"""Correlation from which a proposed card is worth laying exactly over the picture."""
TRIES: Final = 10
"""Proposed cards of one region that are laid exactly."""
PROMISED: Final = 0.6
"""Correlation from which a laid card is laid a second time,"""
CLEAR: Final = 0.85
"""and from which it is taken at once: nothing covers it."""
LIKELY: Final = 0.35
"""A face whose correlation is less than this below the best one's is laid too."""
NEAR: Final = 0.03
"""Corners nearer than this, in long sides, propose the same card: laying it exactly mends the rest."""
PLACED: Final = 0.9
"""Correlation from which a card certainly lies there, whichever it is."""
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
class Guess:
    """A place that was only glanced at: the face (0..79) that it is most like, and their correlation. `laid`: that face
    laid exactly, once it has been."""

    corners: Array
    face: int
    quality: float
    laid: Proposal | None = None

    @property
    def place(self) -> Array:
        """The corners as well as they are known."""
        return self.corners if self.laid is None else self.laid.corners


@dataclass(slots=True, eq=False)
class Table:
    """One picture while its regions are being explained. `small`: the picture made `factor` as large. `free`: uint8 of
    that size, 0 where something is taken already. `lying`: what was taken."""

    picture: Picture
    small: Picture
    factor: float
    templates: Templates
    free: Picture
    lying: list[Array] = field(default_factory=list)

    def take(self, corners: Array) -> None:
        """Cards below this one are hidden here."""
        self.lying.append(corners)
        cv2.fillConvexPoly(self.free, np.round(self.shrunk(corners)).astype(np.int32), 0)

    def shrunk(self, corners: Array) -> Array:
        """Corners in pixels of `small`."""
        return np.asarray((corners + 0.5) * self.factor - 0.5, np.float32)

    def glance(self, places: list[Array]) -> list[Guess]:
        """Read what is free of many cards, coarsely; those of which too little is free are left out."""
        faces = self.templates.coarse
        height, width = faces.size
        small = [self.shrunk(corners) for corners in places]
        masks = [rectify(self.free, corners, width, height) > 200 for corners in small]
        seen = [float(mask.mean()) for mask in masks]
        open_ = [index for index, share in enumerate(seen) if share >= LEAST_SEEN]
        if not open_:
            return []
        planes = [features(rectify(self.small, small[i], width, height), COARSE_BLUR, masks[i]) for i in open_]
        scores, _, _ = correlate(np.stack(planes), np.stack([masks[i] for i in open_]), faces)
        return [Guess(places[i], int(row.argmax()), float(row.max())) for i, row in zip(open_, scores, strict=True)]

    def look(self, corners: Array) -> Match:
        """Read what is free of one card, with all pixels."""
        width = self.templates.width
        mask = cv2.erode(rectify(self.free, self.shrunk(corners), width), EDGE) > 200
        return match_masked(features(rectify(self.picture, corners, width), shown=mask), mask, self.templates.fine)

    def lay(self, corners: Array, face: int) -> Proposal:
        """The card moved until a face (0..79) fits, and read with all pixels."""
        laid = self._move(corners, face)
        if PROMISED < laid.match.quality < CLEAR:  # the place was farther off than one fit may move a card
            again = self._move(laid.corners, laid.match.places[0])
            return max(laid, again, key=lambda p: p.match.quality)
        return laid

    def _move(self, corners: Array, face: int) -> Proposal:
        laid = align(self.picture, corners, self.templates.planes[face], self.free, self.factor)
        return Proposal(laid, self.look(laid))

    def challenge(self, proposal: Proposal) -> Proposal:
        """Let every other likely face be laid where it fits best itself: a wrong place flatters a wrong face."""
        best = proposal
        rivals: dict[Card, float] = {}
        first = proposal.match
        for (_, score), place in list(zip(first.ranked, first.places, strict=True))[1:]:
            if score > first.quality - LIKELY:
                other = self.lay(proposal.corners, place)
                best = max(best, other, key=lambda p: p.match.quality)
                for card, quality in other.match.ranked:
                    rivals[card] = max(rivals.get(card, 0.0), quality)
        for card, quality in first.ranked:
            rivals[card] = max(rivals.get(card, 0.0), quality)
        return Proposal(best.corners, against(best.match, rivals))


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
    clear = np.asarray(cv2.bitwise_and(region, free[top : top + height, left : left + width]), np.uint8)
    if cv2.countNonZero(clear) < LEAST_SEEN * card:
        return []
    origin = np.array([left, top], np.float32)
    found = how(contour, scale)
    whole = [c for c in found if inside(region, c - origin) >= INSIDE]
    return [c for c in whole if inside(clear, c - origin) >= LEAST_SEEN]


def inside(region: Picture, corners: Array) -> float:
    """Share of a card that lies inside a region (0 or 255); both in the region's pixels."""
    middle = corners.mean(axis=0)
    smaller = np.round(middle + (corners - middle) * 0.96).astype(np.int32)
    left, top, width, height = cv2.boundingRect(smaller)
    x, y = max(left, 0), max(top, 0)
    there = region[y : max(top + height, 0), x : max(left + width, 0)]
    if not there.size:
        return 0.0
    card = np.zeros_like(there)
    cv2.fillConvexPoly(card, smaller - (x, y), 255)
    within = cv2.countNonZero(cv2.bitwise_and(card, there))
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


def explain(
    table: Table, corners: list[Array], sure: Callable[[Proposal], bool]
) -> tuple[list[Proposal], list[Proposal]]:
    """Cards of a heap, from the top down, out of proposed corners; and what stayed unsure, each a place of its own."""
    waiting = table.glance(corners[:MOST])
    taken: list[Proposal] = []
    unsure: list[Proposal] = []
    while True:
        laid, best = _lay_best(table, waiting, sure)
        if best is not None:
            taken.append(best)
        else:  # a card of which only the name is in doubt still hides what lies below
            best = max((p for p in laid if p.match.quality > PLACED), key=lambda p: p.match.quality, default=None)
            if best is None:
                return taken, unsure + _one_a_place(laid, [*taken, *unsure])
            unsure.append(best)
        table.take(best.corners)
        waiting = _beside(table, waiting, best.corners)


def _beside(table: Table, waiting: list[Guess], taken: Array) -> list[Guess]:
    """What may still lie there beside a card just taken; what it hides in part is read anew."""
    left = [guess for guess in waiting if _apart(guess.place, taken) > 0.2]
    touched = [cv2.intersectConvexConvex(guess.place, taken)[0] > 0 for guess in left]
    kept = [guess for guess, hidden in zip(left, touched, strict=True) if not hidden]
    return kept + table.glance([guess.place for guess, hidden in zip(left, touched, strict=True) if hidden])


def _lay_best(
    table: Table, waiting: list[Guess], sure: Callable[[Proposal], bool]
) -> tuple[list[Proposal], Proposal | None]:
    """Lay the most promising guesses, until one leaves no doubt: all that were laid, and the best that is sure."""
    laid: list[Proposal] = []
    best: Proposal | None = None
    for guess in sorted(waiting, key=lambda g: -g.quality):
        if guess.quality < PROMISING or len(laid) == TRIES:
            break
        if any(_apart(guess.place, p.corners) <= 0.04 for p in laid):
            continue
        if guess.laid is None:
            guess.laid = table.lay(guess.corners, guess.face)
            if sure(guess.laid):
                guess.laid = table.challenge(guess.laid)
        laid.append(guess.laid)
        if sure(guess.laid) and (best is None or guess.laid.match.quality > best.match.quality):
            best = guess.laid
            if best.match.quality > CLEAR:
                break
    return laid, best


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
