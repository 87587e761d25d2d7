"""One picture to what lies on the table: cards, cards that cannot be read, backs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.corners import NO_CARDS, card_width, side_cards, whole_cards
from vision.deck import Deck
from vision.faces import Picture, as_bgr
from vision.observation import BackDetection, CardDetection, Corners, PictureReading
from vision.overlap import PLACED, Heap, Proposal, Proposing, Table, distinct, explain
from vision.recognise import Match, match_patches, rectify
from vision.refine import refine_corners
from vision.scale import Scale
from vision.segment import PROPORTION, Array, Contour, Outline, Regions, cut, distance_from_table, find_outlines
from vision.templates import features

SURE_QUALITY: Final = 0.88
"""Correlation from which a patch, laid exactly, shows the face it is like most. Of 700 right ones none was below 0.91,
wrong outlines and faces under a pile came to 0.86."""
SURE_MARGIN: Final = 0.4
"""Share of its lead over the next face that must be there; see `recognise.judge`."""
SURE_EVIDENCE: Final = 6.0
"""See `recognise.judge`: e to this power times likelier than any other card."""
CLEAR_QUALITY: Final = 0.9
"""Correlation from which the outline alone is exact enough; what is no card of the deck stays under 0.35."""
CLEAR_EVIDENCE: Final = 30.0
"""The same for the evidence."""
CLEAR_MARGIN: Final = 0.5
"""The same for the lead."""
SURE_SEEN: Final = 0.3
"""Share of a face that must show."""
OTHER_SIZE: Final = 0.2
"""Share by which a card of a heap may be larger or smaller than its neighbours;"""
FAR_SIZE: Final = 0.33
"""than cards elsewhere: a camera that leans by 22 degrees shows near ones by a third larger than far ones."""
BENT: Final = 0.15
"""Logarithm of the proportions by which a card may differ from what the others tell of its place; right ones: 0.115."""
FEW: Final = 3
"""Cards that tell proportions, at least."""
NEIGHBOUR: Final = 2.5
"""Long sides between the middles of neighbours."""
DOUBTFUL_QUALITY: Final = 0.42
"""Correlation from which a patch is a card of the deck at all."""
DOUBT: Final = 0.75
"""Highest probability that is told of a face that is not sure: many looks at one wrong place must not add up."""
PALE: Final = 0.3
"""Share of the contrast of the cards around from which something may be a card at all."""
BELIEF: Final = 0.25
"""How much of the evidence counts: neighbouring pixels err together, and a place may be slightly wrong."""
BACK_QUALITY: Final = 0.18
"""Correlation with the learnt back from which a patch is one; piles are uneven, cloth stays under 0.1."""
CLEAR_BACK: Final = 0.4
"""Correlation from which it certainly is the learnt back, however ragged its outline."""
BACK_SYMMETRY: Final = 0.5
"""Correlation of a back with itself turned by 180 degrees."""
MOST_UNLEARNT: Final = 24
"""Backs of one picture whose print was not learnt."""
MOST_PLACES: Final = 800
"""Places of one kind that are tried in one picture: a cluttered table must not take for ever."""
SMALLEST_CARD: Final = 0.72
"""Long side of the smallest card as a share of the largest one's: a camera that leans makes no more of it."""
SLIVERS: Final = np.ones((5, 5), np.uint8)
"""What is thinner, in pixels of the small picture, is left of a card's rim and shadow."""
UNHIDDEN: Final = 0.9
"""Share of a face from which nothing lies on it."""
SMALLEST_PICTURE: Final = 24
"""Pixels of either side; a smaller picture shows nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    outline: Outline
    match: Match
    patch: Picture


def read(
    picture: NDArray[np.generic],
    deck: Deck,
    known: Sequence[Corners] = (),
    fresh: NDArray[np.uint8] | None = None,
) -> PictureReading:
    """Everything on one picture of the table (BGR uint8; grey and BGRA too). Raises `PictureError` for no picture.

    `known` are places of cards and backs that were read before and have not changed: they are not read again.
    `fresh` is 1 where something may have changed since the last reading, else 0 (the picture at any size): what
    lies wholly elsewhere is left out.
    """
    seen = as_bgr(picture)
    height, width = seen.shape[:2]
    if min(width, height) < SMALLEST_PICTURE:
        return PictureReading(width, height, (), ())
    regions = cut(seen) if fresh is None else cut(seen).touching(fresh)
    free = np.full(regions.small.shape[:2], 255, np.uint8)
    table = Table(seen, regions.small, regions.factor, deck.templates, free)
    places = [np.asarray(corners, np.float32) for corners in known]
    before = [corners for corners in places if _is_shaped(corners, deck.aspect)]  # a mark under a pile is cut
    found = _outlined(seen, regions, deck, places)
    settled = [p for p in (_settled(f, table) for f in found) if p is not None]
    alone = [p for p in settled if _is_sure(p.match)]
    backs = _backs(found)
    least, most = _sizes([*before, *(p.corners for p in alone)], backs)
    alone = _in_shape([p for p in alone if least <= _long(p.corners)], before, deck.aspect)
    backs = [corners for corners in backs if least <= _long(corners) <= most]
    for corners in places:
        table.cover(corners)
    for corners in (*before, *backs, *(p.corners for p in alone)):
        table.take(corners)
    nameless = [p for p in settled if not _is_sure(p.match) and _is_of_size(p.corners, table.lying, deck.aspect)]
    for proposal in nameless:
        table.take(proposal.corners)
    heaped, unsure = _heaps(regions, deck.aspect, table, [*before, *(p.corners for p in (*alone, *nameless)), *backs])
    unsure += nameless
    backs += [corners for corners in _beside(regions, table, deck, seen) if least <= _long(corners) <= most]
    readings = tuple(_card(p, sure) for ps, sure in (([*alone, *heaped], True), (unsure, False)) for p in ps)
    return PictureReading(width, height, readings, tuple(BackDetection(_corners(corners)) for corners in backs))


def _settled(found: _Found, table: Table) -> Proposal | None:
    """The card of an outline, laid exactly if it is not clear at once; None if no card certainly lies there."""
    proposal = Proposal(found.outline.corners, found.match)
    if found.match.quality >= CLEAR_QUALITY and found.match.evidence >= CLEAR_EVIDENCE:
        closer = table.look_closer(found.match, [proposal.corners])
        if closer.card == found.match.card and closer.margin >= CLEAR_MARGIN:
            return proposal
    if found.match.quality < DOUBTFUL_QUALITY:
        return None
    laid = table.challenge(table.lay(proposal.corners, [proposal.match.places[0]])[0])
    return laid if laid.match.quality >= SURE_QUALITY else None


def _outlined(picture: Picture, regions: Regions, deck: Deck, known: list[Array]) -> list[_Found]:
    """What has an outline of its own, each place once, but for what is `known`."""
    outlines = [
        replace(o, corners=refine_corners(picture, o.corners))
        for o in find_outlines(regions, deck.aspect)
        if all(_overlap(o.corners, corners) < 0.3 for corners in known)
    ]
    patches = [rectify(picture, outline.corners, deck.templates.width) for outline in outlines]
    matches = match_patches(patches, deck.templates)
    return _one_each([_Found(*parts) for parts in zip(outlines, matches, patches, strict=True)])


def _heaps(regions: Regions, aspect: float, table: Table, known: list[Array]) -> tuple[list[Proposal], list[Proposal]]:
    """Cards on one another, in the regions that `known` cards and backs do not explain; sure ones and unsure ones."""
    scale = _scale(regions, aspect, known)
    if scale is None:
        return [], []

    def sure(proposal: Proposal) -> bool:
        return _is_sure(proposal.match) and _is_of_size(proposal.corners, table.lying, aspect)

    heaps = [heap for heap in (Heap.of(contour, scale, table.free) for contour in regions.heaps) if heap is not None]
    taken: list[Proposal] = []
    unsure: list[Proposal] = []
    for how in (whole_cards, side_cards):
        more = regions.full(_places(heaps, scale, table, how))
        if len(more):
            before = [p.corners[None] for p in unsure]
            sure_ones, unsure = explain(table, distinct(np.concatenate([*before, more])), sure)
            taken += sure_ones
    unsure = [p for p in unsure if p.match.quality >= DOUBTFUL_QUALITY and _is_of_size(p.corners, table.lying, aspect)]
    return taken, _standing_out(unsure, table) if unsure else []


def _beside(regions: Regions, table: Table, deck: Deck, picture: Picture) -> list[Array]:
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
    known = [*table.lying]
    found = _outlined(picture, replace(regions, contours=left, rims=[]), deck, known)
    return [one.outline.corners for one in found if _is_back(one)]


def _places(heaps: list[Heap], scale: Scale, table: Table, how: Proposing) -> Array:
    """Places of cards (n, 4, 2) in heaps, in pixels of the small picture."""
    found = [NO_CARDS]
    for heap in heaps:
        found.append(heap.places(scale, table.free, how))
        if sum(map(len, found)) > MOST_PLACES:
            break
    return np.concatenate(found)[:MOST_PLACES]


def _standing_out(proposals: list[Proposal], table: Table) -> list[Proposal]:
    """Without those that show the bare table: stretched until it is seen, grain is like some face too.

    What was certainly placed was taken, so that nothing of it is free any more.
    """
    small = np.asarray(table.small, np.uint8)
    grey, distance = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), distance_from_table(small)
    whole = np.full_like(table.free, 255)

    def contrast(corners: Array, free: Picture) -> NDArray[np.float64]:
        inside = np.zeros_like(free)
        cv2.fillConvexPoly(inside, np.round(table.shrunk(corners)).astype(np.int32), 1)
        pixels = (inside == 1) & (free > 0)
        return np.array([grey[pixels].std(), distance[pixels].mean()]) if pixels.any() else np.zeros(2)

    if not table.lying:
        return proposals
    usual = np.median([contrast(corners, whole) for corners in table.lying], axis=0)
    return [p for p in proposals if p.match.quality > PLACED or (contrast(p.corners, table.free) >= PALE * usual).any()]


def _scale(regions: Regions, aspect: float, known: list[Array]) -> Scale | None:
    """How large a card is, from cards that are known, else from the sides of what lies there."""
    if known:
        return Scale.of([regions.shrunk(corners) for corners in known], aspect)
    width = card_width(regions.heaps, aspect)
    return None if width is None else Scale.level(width, aspect)


def _one_each(found: list[_Found]) -> list[_Found]:
    """One outline of those that lie on one another: the best explained card, else a back, else the largest."""

    def rank(one: _Found) -> tuple[float, bool, float]:
        return (-max(one.match.quality, DOUBTFUL_QUALITY), not _is_back(one), -one.outline.area)

    quads = np.array([one.outline.corners for one in found], np.float32).reshape(-1, 4, 2)
    low, high = quads.min(axis=1), quads.max(axis=1)
    kept: list[int] = []
    for index in sorted(range(len(found)), key=lambda place: rank(found[place])):
        touching = (low[kept] <= high[index]).all(axis=1) & (high[kept] >= low[index]).all(axis=1)
        if all(_overlap(quads[index], quads[other]) < 0.3 for other in np.array(kept, int)[touching]):
            kept.append(index)
    return [found[index] for index in kept]


def _sizes(cards: list[Array], backs: list[Array]) -> tuple[float, float]:
    """Least and greatest long side in pixels of what may be a card here.

    The pips of half a card can look like another card, and a bare corner of one like a back: the largest is right.
    But what only looks like a back, larger than several cards that were read, is another thing.
    """
    longest = max(map(_long, cards), default=0.0)
    most = longest / SMALLEST_CARD if len(cards) > 1 else np.inf
    longest = max(longest, *(size for size in (0.0, *map(_long, backs)) if size <= most))
    return SMALLEST_CARD * longest, most


def _is_shaped(corners: Array, aspect: float) -> bool:
    """Whether a place has the proportions of a card, and can tell those of others."""
    short = float(np.linalg.norm(corners[0] - corners[1]) + np.linalg.norm(corners[2] - corners[3])) / 2
    return aspect / PROPORTION < _long(corners) / max(short, 1e-6) < aspect * PROPORTION


def _long(corners: Array) -> float:
    """Mean of the two long sides."""
    return float(np.linalg.norm(corners[1] - corners[2]) + np.linalg.norm(corners[3] - corners[0])) / 2


def _overlap(one: Array, two: Array) -> float:
    """Common area of two four-sided regions as a share of the smaller one, 0..1."""
    common, _ = cv2.intersectConvexConvex(one, two)
    return float(common) / max(min(cv2.contourArea(one), cv2.contourArea(two)), 1e-6)


def _is_of_size(corners: Array, lying: list[Array], aspect: float) -> bool:
    """Whether a card is about as large as those nearest to it: pips of one card can look like another, smaller one."""
    if not lying:
        return True
    long = float(np.linalg.norm(corners[1] - corners[2]))
    near = min(float(np.linalg.norm(corners.mean(axis=0) - other.mean(axis=0))) for other in lying) < NEIGHBOUR * long
    sizes = Scale.of(lying, aspect).sizes(corners)
    like = max(abs(size - 1) for size in sizes) < (OTHER_SIZE if near else FAR_SIZE)
    return like and (len(lying) < FEW or _bent(corners, lying, aspect) < BENT)


def _bent(corners: Array, others: list[Array], aspect: float) -> float:
    """How far the proportions of a card are from what others tell of its place: outlines can end at a printed line."""
    wide, high = Scale.of(others, aspect).sizes(corners)
    return abs(math.log(max(wide, 1e-6) / max(high, 1e-6)))


def _in_shape(proposals: list[Proposal], others: list[Array], aspect: float) -> list[Proposal]:
    """Without those whose proportions are not what all others tell, the worst first."""
    kept = list(proposals)
    while kept and len(kept) + len(others) > FEW:
        bents = [_bent(p.corners, [*others, *(o.corners for o in kept if o is not p)], aspect) for p in kept]
        if max(bents) < BENT:
            break
        kept.pop(int(np.argmax(bents)))
    return kept


def table_cards(reading: PictureReading) -> tuple[CardDetection, ...]:
    """The cards of a picture without scopa marks: a face whose middle a back hides sticks out from under a pile.

    Over time more is known (a pile may be set down on a card of the table): `vision.settle` decides for itself.
    """
    backs = [np.array(back.corners, np.float32) for back in reading.backs]
    return tuple(card for card in reading.cards if card.visible > UNHIDDEN or not any(_covers(b, card) for b in backs))


def _covers(back: Array, card: CardDetection) -> bool:
    x, y = np.mean(card.corners, axis=0)
    return cv2.pointPolygonTest(back, (float(x), float(y)), False) >= 0


def _is_sure(match: Match) -> bool:
    if match.seen < SURE_SEEN:
        return False
    return match.quality >= SURE_QUALITY and match.margin >= SURE_MARGIN and match.evidence >= SURE_EVIDENCE


def _card(proposal: Proposal, sure: bool) -> CardDetection:
    match = proposal.match
    upright = np.roll(proposal.corners, -2, axis=0) if match.turned else proposal.corners
    confidence = _confidence(match) if sure else min(_confidence(match), DOUBT)
    return CardDetection(
        match.card if sure else None, confidence, _options(match, confidence), _corners(upright), match.seen
    )


def _confidence(match: Match) -> float:
    """Probability that the best face is right: from how clearly it beats the next one, and over how much of a face."""
    clear = min(match.margin, 1.0) * 14 * min(1.0, max(0.0, (match.quality - 0.3) / 0.4))
    return float(1 / (1 + np.exp(-min(clear, match.evidence * BELIEF))))


def _options(match: Match, confidence: float) -> tuple[tuple[Card, float], ...]:
    rest = np.array([score for card, score in match.ranked if card != match.card])
    weights = np.exp((rest - rest.max()) * 20) if len(rest) else rest
    shares = (1 - confidence) * weights / max(float(weights.sum()), 1e-9)
    others = [card for card, _ in match.ranked if card != match.card]
    return ((match.card, confidence), *((card, float(p)) for card, p in zip(others, shares, strict=True)))


def _backs(found: list[_Found]) -> list[Array]:
    """Corners of backs; what is as frequent as the checks of a cloth is no card, unless it is the learnt back.

    What only looks like some back must be of the size of the learnt ones.
    """
    backs = [one for one in found if _is_back(one)]
    learnt = [one for one in backs if one.match.back >= BACK_QUALITY]
    if len(backs) > MOST_UNLEARNT:
        backs = learnt
    most = max((_long(one.outline.corners) for one in learnt), default=np.inf) * (1 + OTHER_SIZE)
    return [one.outline.corners for one in backs if one in learnt or _long(one.outline.corners) < most]


def _is_back(found: _Found) -> bool:
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


def _corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)
