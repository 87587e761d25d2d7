"""Cards that lie on one another: every corner proposes a card, the best explained one is taken, then the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.align import align
from vision.closer import EDGE, look_closer
from vision.corners import NO_CARDS, Sides, sides_of
from vision.drawing import Features
from vision.faces import Picture
from vision.glance import Copy, features_of, shares
from vision.recognise import Match, against, correlate, match_masked, rectify
from vision.scale import Scale
from vision.segment import Array, Contour, corners_apart
from vision.templates import BLUR, COARSE_STEP, HEIGHT, Templates, features

Proposing = Callable[[Sides, Scale], Array]

INSIDE: Final = 0.93
"""Share of a proposed card that must lie inside the region whose corner proposed it."""
PROMISING: Final = 0.3
"""Correlation from which a proposed card is worth laying over the picture,"""
WORTH: Final = 0.55
"""and from which one that was laid roughly is worth laying exactly."""
TRIES: Final = 16
"""Proposed cards of one picture that are laid roughly at a time."""
COARSE_BLUR: Final = 0.6
"""Standard deviation, pixels of a coarse patch."""
ALIKE: Final = 0.04
"""Long sides within which two places are one."""
PROMISED: Final = 0.75
"""Correlation from which a laid card is laid a second time,"""
CLEAR: Final = 0.85
"""and from which it is taken at once: nothing covers it."""
LIKELY: Final = 0.35
"""A face whose correlation is less than this below the best one's is laid too."""
NEAR: Final = 0.03
"""Corners nearer than this, in long sides, propose the same card: laying it exactly mends the rest."""
SAME: Final = 0.2
"""Long sides within which two places cannot both hold a card."""
PLACED: Final = 0.9
"""Correlation from which a card certainly lies there, whichever it is."""
LEAST_CARDS: Final = 0.4
MOST_CARDS: Final = 16
"""Smallest and largest region that is taken for a heap, in cards."""
RAGGED: Final = 1.3
"""Rims of all its cards together: a longer contour is cloth or wood."""
MOST: Final = 400
"""Proposals of one picture that are looked at."""
LEAST_SEEN: Final = 0.2
"""Share of a face without which nothing is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A card that may lie there: corners (4, 2) in pixels of the picture, what it reads as, and with which features."""

    corners: Array
    match: Match


@dataclass(slots=True, eq=False)
class Guess:
    """A place that was only glanced at: the face (0..79) that it is most like, and their correlation. `near`: whether
    it was moved to where that face fits roughly; `laid`: that face laid exactly, once it has been."""

    corners: Array
    face: int
    quality: float
    near: bool = False
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
    copies: dict[int, Copy] = field(default_factory=dict)

    def take(self, corners: Array) -> None:
        """Cards below this one are hidden here."""
        self.lying.append(corners)
        self.cover(corners)

    def cover(self, corners: Array) -> None:
        """Something hides what lies here."""
        cv2.fillConvexPoly(self.free, np.round(self.shrunk(corners)).astype(np.int32), 0)

    def shrunk(self, corners: Array) -> Array:
        """Corners in pixels of `small`."""
        return np.asarray((corners + 0.5) * self.factor - 0.5, np.float32)

    def glance(self, places: Array) -> list[Guess]:
        """Read what is free of many cards (n, 4, 2), coarsely; those of which too little is free are left out."""
        if not len(places):
            return []
        seen, scores = self._scores(places)
        enough = np.flatnonzero(seen >= LEAST_SEEN)
        return [Guess(places[i], int(scores[i].argmax()), float(scores[i].max())) for i in enough]

    def approach(self, guesses: list[Guess]) -> None:
        """Move guesses roughly to where their faces fit, and look at them once more."""
        if not guesses:
            return
        places, faces = np.stack([guess.corners for guess in guesses]), np.array([guess.face for guess in guesses])
        copy = self._copy(places, self.templates.coarse_size[0])
        laid = align(copy, places, faces, self.templates.coarse_drawing, self._free)
        _, scores = self._scores(laid)
        for guess, corners, row in zip(guesses, laid, scores, strict=True):
            guess.corners, guess.near = corners, True
            guess.face, guess.quality = int(row.argmax()), float(row.max())

    def _scores(self, places: Array) -> tuple[NDArray[np.float64], Features]:
        """Shares of places (n, 4, 2) that are free, and correlations (n, 80) there."""
        faces, size = self.templates.coarse, self.templates.coarse_size
        masks = self._free.patches(places, size, COARSE_STEP) > 200
        patches = self._copy(places, size[0]).patches(places, size, COARSE_STEP)
        return masks.mean(axis=(1, 2)), correlate(features_of(patches, masks), masks, faces)[0]

    def _copy(self, places: Array, height: int) -> Copy:
        """The picture as large as patches of `height` pixels need it; the first places asked for tell how large."""
        if height not in self.copies:
            long = float(np.median(np.linalg.norm(places[:, 1] - places[:, 2], axis=1)))
            self.copies[height] = Copy.of(self.picture, long, height, BLUR if height == HEIGHT else COARSE_BLUR)
        return self.copies[height]

    @property
    def _free(self) -> Copy:
        return Copy(self.free, self.factor)

    def look(self, places: Array) -> list[Match]:
        """Read what is free of cards (n, 4, 2), at full size."""
        width = self.templates.width
        masks = [cv2.erode(rectify(self.free, self.shrunk(corners), width), EDGE) > 200 for corners in places]
        patches = [rectify(self.picture, corners, width) for corners in places]
        seen = [features(patch, shown=mask) for patch, mask in zip(patches, masks, strict=True)]
        return match_masked(np.stack(seen), np.stack(masks), self.templates)

    def lay(self, corners: Array, faces: list[int]) -> list[Proposal]:
        """The card moved until each of the faces (0..79) fits, and read with all pixels."""
        first = self._move(np.stack([corners] * len(faces)), faces)
        # Some places were farther off than one fit may move a card.
        far = [index for index, p in enumerate(first) if PROMISED < p.match.quality < CLEAR]
        again = (
            self._move(np.stack([first[i].corners for i in far]), [first[i].match.places[0] for i in far])
            if far
            else []
        )
        for index, proposal in zip(far, again, strict=True):
            first[index] = max(first[index], proposal, key=lambda p: p.match.quality)
        return first

    def _move(self, places: Array, faces: list[int]) -> list[Proposal]:
        copy = self._copy(places, HEIGHT)
        laid = align(copy, places, np.array(faces), self.templates.fine_drawing, self._free)
        return [Proposal(*parts) for parts in zip(laid, self.look(laid), strict=True)]

    def challenge(self, proposal: Proposal) -> Proposal:
        """Let every other likely face be laid where it fits best itself: a wrong place flatters a wrong face."""
        first = proposal.match
        likely = zip(first.ranked[1:], first.places[1:], strict=True)
        faces = [place for (_, score), place in likely if score > first.quality - LIKELY]
        others = self.lay(proposal.corners, faces) if faces else []
        rivals: dict[Card, float] = {}
        for match in (first, *(other.match for other in others)):
            for card, quality in match.ranked:
                rivals[card] = max(rivals.get(card, 0.0), quality)
        best = max([proposal, *others], key=lambda p: p.match.quality)
        places = [proposal.corners, *(other.corners for other in others)]
        return Proposal(best.corners, self.look_closer(against(best.match, rivals), places))

    def look_closer(self, match: Match, places: list[Array]) -> Match:
        """The match as faces that are nearly alike tell it where each of them was laid."""
        return look_closer(self.picture, self._free, self.templates, places, match)


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """A region in which cards may lie on one another: `mask` (0 or 255) and its `origin` in the small picture."""

    sides: Sides | None
    mask: Picture
    origin: tuple[int, int]

    @classmethod
    def of(cls, contour: Contour, scale: Scale, free: Picture) -> Heap | None:
        """None for what is too small or too large for cards, too ragged (cloth, wood), or taken already."""
        left, top, width, height = cv2.boundingRect(contour)
        wide = float(scale.pixels(np.array([left + width / 2, top + height / 2]), np.array([1.0, 0.0])))
        card = scale.aspect * wide**2
        cards = cv2.contourArea(contour) / card
        if not LEAST_CARDS < cards < MOST_CARDS or len(contour) > RAGGED * 2 * (1 + scale.aspect) * wide * cards:
            return None
        mask = np.zeros((height, width), np.uint8)
        cv2.drawContours(mask, [contour], -1, 255, cv2.FILLED, offset=(-left, -top))
        heap = cls(None, mask, (left, top))
        if cv2.countNonZero(heap.clear(free)) < LEAST_SEEN * card:
            return None
        return replace(heap, sides=sides_of(contour, scale))

    def clear(self, free: Picture) -> Picture:
        """What of the mask is still free."""
        (left, top), (height, width) = self.origin, self.mask.shape
        return np.asarray(cv2.bitwise_and(self.mask, free[top : top + height, left : left + width]), np.uint8)

    def places(self, scale: Scale, free: Picture, how: Proposing) -> Array:
        """Cards (n, 4, 2), in the small picture's pixels, that `how` finds inside it, unless `free` is gone."""
        found = NO_CARDS if self.sides is None else how(self.sides, scale)
        if not len(found):
            return NO_CARDS
        inside, clear = shares((self.mask, self.clear(free)), found - np.array(self.origin, np.float32))
        return found[(inside >= INSIDE) & (clear >= LEAST_SEEN)]


def distinct(quads: Array) -> Array:
    """One of those (n, 4, 2) that nearly coincide: the first."""
    near = NEAR * np.linalg.norm(quads[:, 1] - quads[:, 2], axis=1)
    middles = quads.mean(axis=1)
    close = np.abs(middles[:, None] - middles[None]).max(axis=2) <= near[:, None]
    ones, twos = np.nonzero(np.triu(close, 1))
    ways = [np.abs(quads[ones] - np.roll(quads[twos], turn, axis=1)).max(axis=(1, 2)) for turn in (0, 2)]
    same = np.minimum(*ways) <= near[ones]
    left = [True] * len(quads)
    for one, two in zip(ones[same].tolist(), twos[same].tolist(), strict=True):
        if left[one]:
            left[two] = False
    return quads[left]


def explain(table: Table, places: Array, sure: Callable[[Proposal], bool]) -> tuple[list[Proposal], list[Proposal]]:
    """Cards of a heap, from the top down, out of proposed corners; and what stayed unsure, each a place of its own."""
    waiting = table.glance(places[:MOST])
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
    if not waiting:
        return []
    apart = _all_apart(np.stack([guess.place for guess in waiting]), taken)
    left = [guess for guess, far in zip(waiting, (apart > SAME).tolist(), strict=True) if far]
    touched = _touched([guess.place for guess in left], taken)
    kept = [guess for guess, hidden in zip(left, touched, strict=True) if not hidden]
    again = [guess.place for guess, hidden in zip(left, touched, strict=True) if hidden]
    return kept + (table.glance(np.stack(again)) if again else [])


def _touched(places: list[Array], taken: Array) -> list[bool]:
    """Whether each of these shares something with a card."""
    quads = np.array(places, np.float32).reshape(-1, 4, 2)
    near = (quads.min(axis=1) < taken.max(axis=0)).all(axis=1) & (quads.max(axis=1) > taken.min(axis=0)).all(axis=1)
    return [bool(n and cv2.intersectConvexConvex(q, taken)[0] > 0) for n, q in zip(near, quads, strict=True)]


def _lay_best(
    table: Table, waiting: list[Guess], sure: Callable[[Proposal], bool]
) -> tuple[list[Proposal], Proposal | None]:
    """Lay the most promising guesses, until one leaves no doubt: all that were laid, and the best that is sure."""
    laid: list[Proposal] = []
    best: Proposal | None = None
    chosen = _promising(waiting)
    table.approach([guess for guess in chosen if not guess.near])
    for guess in sorted(chosen, key=lambda g: -g.quality):
        if guess.quality < WORTH or any(_apart(guess.place, p.corners) <= ALIKE for p in laid):
            continue
        if guess.laid is None:
            guess.laid = table.lay(guess.corners, [guess.face])[0]
            if sure(guess.laid):
                guess.laid = table.challenge(guess.laid)
        laid.append(guess.laid)
        if sure(guess.laid) and (best is None or guess.laid.match.quality > best.match.quality):
            best = guess.laid
            if best.match.quality > CLEAR:
                break
    return laid, best


def _promising(waiting: list[Guess]) -> list[Guess]:
    """The best guesses, each for a place of its own."""
    chosen: list[Guess] = []
    for guess in sorted(waiting, key=lambda g: -g.quality):
        if guess.quality < PROMISING or len(chosen) == TRIES:
            break
        if not chosen or _all_apart(np.stack([other.place for other in chosen]), guess.place).min() > ALIKE:
            chosen.append(guess)
    return chosen


def _one_a_place(laid: list[Proposal], taken: list[Proposal]) -> list[Proposal]:
    kept: list[Proposal] = []
    for proposal in sorted(laid, key=lambda p: -p.match.quality):
        if all(_apart(proposal.corners, other.corners) > 0.3 for other in (*kept, *taken)):
            kept.append(proposal)
    return kept


def _apart(one: Array, two: Array) -> float:
    """Largest distance of the corners of two cards, whichever way round, in long sides."""
    return float(_all_apart(one[None], two)[0])


def _all_apart(ones: Array, two: Array) -> Array:
    """The same of cards (n, 4, 2) and one other, in their long sides."""
    long = np.maximum(np.linalg.norm(ones[:, 1] - ones[:, 2], axis=1), 1e-6)
    return np.asarray(corners_apart(ones, two) / long, np.float32)
