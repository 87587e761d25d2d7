"""One physical card from its appearance to its removal, and what all looks at it together say.

Readings of the same still pixels repeat each other's mistakes, so together they count as one look.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.observation import CardDetection, Corners, SeenCard, long_side

SURE: Final = 0.99
"""Joined probability from which a track names its card."""
OTHER_LOOKS: Final = 0.4
"""Worth of each look after the best one."""
MOST_LOOKS: Final = 6
ELSEWHERE: Final = 0.2
"""Share of its long side by which a card must have moved to lie at another place, above what lies there."""
SAME_PLACE: Final = 0.1
"""The same within which it lies where it lay."""
STRIP: Final = 0.5
"""Visible share up to which further looks at a card tell nothing new: they repeat the mistakes of the best one."""
UNCOVERED: Final = 0.85
"""Visible share from which a card shows that nothing lies on it any more."""
UNSURE: Final = 0.9
"""Trust in the candidates of a reading that is not called sure: what is no card at all has candidates too."""
_DOUBT: Final = 1e-4
"""Least probability that a reading leaves to all cards that it does not name."""

Evidence = NDArray[np.float64]
"""Log-likelihood of each card, in the order of `DECK`."""


def evidence(detection: CardDetection) -> Evidence:
    """What one reading says: its options, and the rest of the probability spread over all other cards."""
    options = detection.options or (((detection.card, detection.confidence),) if detection.card else ())
    if not options:
        return np.zeros(len(DECK))
    trust = 1.0 if detection.card else UNSURE
    named = {card.index: trust * probability for card, probability in options}
    rest = max(_DOUBT, 1.0 - sum(named.values())) / (len(DECK) - len(named))
    chances = np.array([max(named.get(index, 0.0), rest) for index in range(len(DECK))])
    log: Evidence = np.log(chances)
    return log


def probabilities(log: Evidence) -> NDArray[np.float64]:
    """Log-likelihoods as probabilities that sum to 1."""
    weights: Evidence = np.exp(log - log.max())
    chances: Evidence = weights / weights.sum()
    return chances


def agreement(a: Evidence, b: Evidence) -> float:
    """How well two readings can be of one card: about 1 for the same certain card, near 0 for two different ones."""
    p, q = probabilities(a), probabilities(b)
    return float((p * q).sum() / math.sqrt(float((p * p).sum() * (q * q).sum())))


def centre(corners: Corners) -> NDArray[np.float64]:
    """The middle of a face, x and y in pixels."""
    return np.asarray(np.mean(corners, axis=0), np.float64)


def distance(a: Corners, b: Corners) -> float:
    """Between the centres of two faces, in long sides of the first."""
    return float(np.hypot(*(centre(a) - centre(b)))) / max(long_side(a), 1.0)


@dataclass(frozen=True)
class Look:
    """Readings of the same pixels, averaged. `rank`: how much could be seen, and more for a card at rest.

    `strip`: only a strip of the card shows.
    """

    rank: float
    evidence: Evidence
    strip: bool = False


@dataclass
class Track:
    """A card on the table. `looks` are the finished ones, best first; `sum` and `frames` belong to the one going on.

    `whole` is the visible share of the face when its corners were measured. `rested`: it has lain still where it is.
    `arrived` counts looks at the table: the card that came to its place later lies above. `home` is where it was last
    seen uncovered, and when it had come there.
    """

    number: int
    corners: Corners
    visible: float
    arrived: int
    seen: bool = True
    still: bool = False
    rested: bool = False
    whole: float = 0.0
    home: tuple[Corners, int] | None = None
    reads: int = 0
    misses: int = 0
    looks: tuple[Look, ...] = ()
    sum: Evidence = field(default_factory=lambda: np.zeros(len(DECK)))
    frames: int = 0
    clean: bool = False

    @property
    def joined(self) -> Evidence:
        """All evidence together: the best look in full, the others for less, as they may share its mistakes."""
        looks = self._all_looks()
        if not looks:
            return np.zeros(len(DECK))
        return np.asarray(looks[0].evidence + OTHER_LOOKS * sum(look.evidence for look in looks[1:] if not look.strip))

    def see(self, detection: CardDetection, look: int, *, still: bool, unchanged: bool) -> None:
        """Join a reading. `still`: it lies where it lay. `unchanged`: its pixels are those of the last frame."""
        if unchanged:
            self.clean = True
        else:
            self._close_look()
        self.sum = self.sum + evidence(detection)
        self.frames += 1
        self.reads += 1
        self.still, self.seen, self.misses = still, True, 0
        elsewhere = distance(self.corners, detection.corners) > ELSEWHERE
        self.rested = still or (self.rested and not elsewhere)
        self.visible = detection.visible
        self._arrive(detection, look, elsewhere=elsewhere)
        if not still or detection.visible >= self.whole - 0.05:  # a half hidden card is located less well
            self.corners, self.whole = detection.corners, detection.visible

    def _arrive(self, detection: CardDetection, look: int, *, elsewhere: bool) -> None:
        """When it came to where it lies: a half hidden card may be found elsewhere for a while, and was not moved."""
        if elsewhere:
            self.arrived = look
        if detection.visible >= UNCOVERED:
            if self.home is not None and distance(self.home[0], detection.corners) < SAME_PLACE:
                self.arrived = self.home[1]
            self.home = (detection.corners, self.arrived)

    def miss(self, *, unchanged: bool) -> None:
        """The reader did not find it. With unchanged pixels it lies there as before; else something hides it."""
        if unchanged:
            self.misses += 1
            self.still = True
        else:
            self._close_look()
            self.seen = self.still = False

    @property
    def doubtful(self) -> bool:
        """True when another reading of the same pixels may help: not surely read twice, or not found the last time."""
        return self.card is None or self.misses > 0 or not self.clean

    @property
    def believed(self) -> bool:
        """False for what was found once or twice and then, in the same pixels, not again."""
        return self.misses < max(3, self.reads)

    def place(self, corners: Corners) -> None:
        """The camera was moved: the card lies elsewhere in the picture."""
        self._close_look()
        self.corners = corners

    def told(self) -> SeenCard:
        """The card as an observation gives it."""
        chances = probabilities(self.joined)
        best = np.argsort(-chances, kind="stable")[:4]
        options = tuple((DECK[i], float(chances[i])) for i in best) if self.joined.any() else ()
        confidence = options[0][1] if options else 0.0
        return SeenCard(
            track=self.number,
            card=self.card,
            confidence=confidence,
            options=options,
            corners=self.corners,
            visible=self.visible,
            seen=self.seen,
            still=self.still,
        )

    @property
    def card(self) -> Card | None:
        """The card if its joined probability is at least `SURE`."""
        chances = probabilities(self.joined)
        best = int(chances.argmax())
        return DECK[best] if chances[best] >= SURE else None

    def _all_looks(self) -> tuple[Look, ...]:
        if not self.frames:
            return self.looks
        going_on = Look(self.visible + 0.3 * self.clean, self.sum / self.frames, self.visible <= STRIP)
        return tuple(sorted((*self.looks, going_on), key=lambda look: look.rank, reverse=True))[:MOST_LOOKS]

    def _close_look(self) -> None:
        self.looks = self._all_looks()
        self.sum, self.frames, self.clean = np.zeros(len(DECK)), 0, False


Pair = tuple[Track, CardDetection]


def pair(tracks: Sequence[Track], detections: Sequence[CardDetection], unchanged: frozenset[int]) -> list[Pair]:
    """Which reading is of which track. `unchanged`: numbers of tracks whose pixels are those of the last frame.

    In turn: at the same place; the same card anywhere (a card was slid); nearby and not contradicting (a nudge
    under a hand, a card carried in).
    """
    pairs: list[Pair] = []
    for score in (_same_place, _same_card, _nearby):
        left = [track for track in tracks if all(track is not t for t, _ in pairs)]
        free = [detection for detection in detections if all(detection is not d for _, d in pairs)]
        scored = [
            (distance, i, j)
            for i, track in enumerate(left)
            for j, detection in enumerate(free)
            if (distance := score(track, detection, track.number in unchanged)) is not None
        ]
        used_tracks: set[int] = set()
        used: set[int] = set()
        for _, i, j in sorted(scored):
            if i not in used_tracks and j not in used:
                used_tracks.add(i)
                used.add(j)
                pairs.append((left[i], free[j]))
    return pairs


def _same_place(track: Track, detection: CardDetection, unchanged: bool) -> float | None:
    away = distance(track.corners, detection.corners)
    if away > 0.12:
        return None
    agree = agreement(track.joined, evidence(detection))
    return away + (1.0 - agree) if unchanged or agree > 0.02 else None


def _same_card(track: Track, detection: CardDetection, _unchanged: bool) -> float | None:
    if track.card is None or track.card != detection.card:
        return None
    return distance(track.corners, detection.corners)


def _nearby(track: Track, detection: CardDetection, unchanged: bool) -> float | None:
    if unchanged:
        return None
    away = distance(track.corners, detection.corners)
    reach = 0.6 if track.rested else 2.5
    return away if away < reach and agreement(track.joined, evidence(detection)) > 0.05 else None
