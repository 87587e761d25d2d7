"""One picture to what lies on the table: cards, cards that cannot be read, backs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.corners import NO_CARDS, card_width, side_cards, whole_cards
from vision.deck import Deck
from vision.faces import Picture, as_bgr
from vision.observation import BackDetection, CardDetection, Corners, PictureReading
from vision.outlined import DOUBTFUL_QUALITY, Found, backs_beside, backs_of, outlined
from vision.overlap import PLACED, Heap, Proposal, Proposing, Table, distinct, explain
from vision.recognise import Match
from vision.scale import Scale
from vision.segment import Array, Regions, cut
from vision.sizes import in_shape, is_of_size, is_shaped, long_of, sizes

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
DOUBT: Final = 0.75
"""Highest probability that is told of a face that is not sure: many looks at one wrong place must not add up."""
PALE: Final = 0.3
"""Share of the contrast of the cards around from which something may be a card at all."""
BELIEF: Final = 0.25
"""How much of the evidence counts: neighbouring pixels err together, and a place may be slightly wrong."""
MOST_PLACES: Final = 800
"""Places of one kind that are tried in one picture: a cluttered table must not take for ever."""
UNHIDDEN: Final = 0.9
"""Share of a face from which nothing lies on it."""
SMALLEST_PICTURE: Final = 24
"""Pixels of either side; a smaller picture shows nothing."""


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
    before = [corners for corners in places if is_shaped(corners, deck.aspect)]  # a mark under a pile is cut
    found = outlined(seen, regions, deck, places)
    settled = [p for p in (_settled(f, table) for f in found) if p is not None]
    alone = [p for p in settled if _is_sure(p.match)]
    backs = backs_of(found)
    least, most = sizes([*before, *(p.corners for p in alone)], backs)
    alone = in_shape([p for p in alone if least <= long_of(p.corners)], before, deck.aspect)
    backs = [corners for corners in backs if least <= long_of(corners) <= most]
    for corners in places:
        table.cover(corners)
    for corners in (*before, *backs, *(p.corners for p in alone)):
        table.take(corners)
    nameless = [p for p in settled if not _is_sure(p.match) and is_of_size(p.corners, table.lying, deck.aspect)]
    for proposal in nameless:
        table.take(proposal.corners)
    heaped, unsure = _heaps(regions, deck.aspect, table, [*before, *(p.corners for p in (*alone, *nameless)), *backs])
    unsure += nameless
    backs += [corners for corners in backs_beside(regions, table, deck, seen) if least <= long_of(corners) <= most]
    readings = tuple(_card(p, sure) for ps, sure in (([*alone, *heaped], True), (unsure, False)) for p in ps)
    return PictureReading(width, height, readings, tuple(BackDetection(_corners(corners)) for corners in backs))


def _settled(found: Found, table: Table) -> Proposal | None:
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


def _heaps(regions: Regions, aspect: float, table: Table, known: list[Array]) -> tuple[list[Proposal], list[Proposal]]:
    """Cards on one another, in the regions that `known` cards and backs do not explain; sure ones and unsure ones."""
    scale = _scale(regions, aspect, known)
    if scale is None:
        return [], []

    def sure(proposal: Proposal) -> bool:
        return _is_sure(proposal.match) and is_of_size(proposal.corners, table.lying, aspect)

    heaps = [heap for heap in (Heap.of(contour, scale, table.free) for contour in regions.heaps) if heap is not None]
    taken: list[Proposal] = []
    unsure: list[Proposal] = []
    for how in (whole_cards, side_cards):
        more = regions.full(_places(heaps, scale, table, how))
        if len(more):
            before = [p.corners[None] for p in unsure]
            sure_ones, unsure = explain(table, distinct(np.concatenate([*before, more])), sure)
            taken += sure_ones
    unsure = [p for p in unsure if p.match.quality >= DOUBTFUL_QUALITY and is_of_size(p.corners, table.lying, aspect)]
    return taken, _standing_out(unsure, table, regions.distance) if unsure else []


def _places(heaps: list[Heap], scale: Scale, table: Table, how: Proposing) -> Array:
    """Places of cards (n, 4, 2) in heaps, in pixels of the small picture."""
    found = [NO_CARDS]
    for heap in heaps:
        found.append(heap.places(scale, table.free, how))
        if sum(map(len, found)) > MOST_PLACES:
            break
    return np.concatenate(found)[:MOST_PLACES]


def _standing_out(proposals: list[Proposal], table: Table, distance: Picture) -> list[Proposal]:
    """Without those that show the bare table: stretched until it is seen, grain is like some face too.

    What was certainly placed was taken, so that nothing of it is free any more.
    """
    small = np.asarray(table.small, np.uint8)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
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


def _corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)
