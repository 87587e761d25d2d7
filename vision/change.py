"""What happened on the table since it was last judged: what lies there, what was only glimpsed, who reached in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist, inf

from engine.cards import Card
from vision.observation import Corners, SeenCard, TableObservation, middle

TICK = 1e-6  # times come from dividing frame numbers


@dataclass(frozen=True, slots=True)
class Sight:
    """One physical card as it was seen so far.

    `options` are (card, probability 0..1) pairs, best first, of the last frame that showed it. `first`, `last` are the
    times in seconds when it was first and last seen, `clean` counts the frames in which it lay still and uncovered, and
    `rested` is where it last did.
    """

    track: int
    options: tuple[tuple[Card, float], ...]
    first: float
    last: float
    clean: int
    corners: Corners
    rested: Corners | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """Something that reached in at `edge` (one of `N E S W`), seen from `time` to `until` (seconds)."""

    time: float
    edge: str
    until: float


@dataclass(frozen=True, slots=True)
class TableChange:
    """The table at one frame against the time of the last judgement.

    `settled`: what lies there is worth judging. `quiet`: seconds since the last motion. `lying`: the cards that lie
    there, also those that something hides. `glimpsed`: cards seen since the last judgement that lie there no more.
    `arms`: each reach into the picture since then, in the order in which they began. `hidden`: tracks of `lying`
    that this frame does not show.
    """

    frame: int
    time: float
    settled: bool
    quiet: float
    lying: tuple[Sight, ...]
    glimpsed: tuple[Sight, ...]
    arms: tuple[Reach, ...]
    still: bool
    hidden: frozenset[int] = frozenset()

    def edges(self, since: float, until: float = inf) -> frozenset[str]:
        """The edges at which something began to reach in after `since`, up to `until` (seconds)."""
        return frozenset(arm.edge for arm in self.arms if since < arm.time <= until)


@dataclass
class _Reach:
    """A reach that may go on, in the frames from `first` to `last`."""

    time: float
    edge: str
    first: int
    last: int
    until: float


class Changes:
    """Gathers observations into a `TableChange`. `settled` and `resting` are the times in seconds of these names."""

    def __init__(self, settled: float = 0.2, resting: float = 1.5) -> None:
        self._settled = settled
        self._resting = resting
        self._lying: dict[int, Sight] = {}
        self._glimpsed: dict[int, Sight] = {}
        self._arms: list[_Reach] = []
        self._moved = -1e9
        self._frame = -1
        self._equal_since: float | None = None
        self._signature: frozenset[tuple[int, Card | None]] | None = None

    def update(self, observation: TableObservation) -> TableChange:
        """Takes in the next observation; an observation older than the last one counts as the same moment."""
        now = observation.time
        if not observation.still:
            self._moved = now
        self._reach(observation)
        self._see(observation)
        self._compare(observation)
        quiet = max(0.0, now - self._moved)
        settled = self._equal_since is not None and now - self._equal_since >= self._settled - TICK
        return TableChange(
            frame=observation.frame,
            time=now,
            settled=settled,
            quiet=quiet,
            lying=tuple(self._lying.values()),
            glimpsed=tuple(self._glimpsed.values()),
            arms=tuple(Reach(reach.time, reach.edge, reach.until) for reach in self._arms),
            still=observation.still,
            hidden=frozenset(card.track for card in observation.cards if not card.seen) & self._lying.keys(),
        )

    def spent(self, tracks: frozenset[int]) -> None:
        """The glimpses of these tracks are explained."""
        self._glimpsed = {track: sight for track, sight in self._glimpsed.items() if track not in tracks}

    def judged(self, since: float) -> None:
        """What was glimpsed, and who reached in, before that time in seconds is spent."""
        self._glimpsed = {track: sight for track, sight in self._glimpsed.items() if sight.last >= since}
        self._arms = [reach for reach in self._arms if reach.time >= since]

    def _reach(self, observation: TableObservation) -> None:
        """Joins the arms of this frame to reaches that go on; an arm told at another edge for one frame is one."""
        reaching, last, now = set(observation.arms), self._frame, observation.time
        self._frame = observation.frame
        for reach in self._arms:
            flicker = [
                other for other in self._arms if other.last == last == other.first and other.edge not in reaching
            ]
            if reach.edge in reaching and reach.last == last - 1 and flicker:
                self._arms = [other for other in self._arms if other not in flicker]
                reach.last, reach.until = last, now
        for edge in sorted(reaching):
            going_on = [reach for reach in self._arms if reach.edge == edge and reach.last == last]
            for reach in going_on:
                reach.last, reach.until = observation.frame, now
            if not going_on:
                self._arms.append(_Reach(now, edge, observation.frame, observation.frame, now))

    def _see(self, observation: TableObservation) -> None:
        before, known = self._lying, self._glimpsed | self._lying
        sights = [(_sight(known.get(card.track), card, observation), card.seen) for card in observation.cards]
        self._lying = {sight.track: sight for sight, seen in sights if seen or _lies_there(sight)}
        self._glimpsed |= {sight.track: sight for sight, _ in sights if sight.track not in self._lying}
        for track, sight in before.items():
            if track in self._lying or track in self._glimpsed:
                continue
            (self._lying if _turned_over(sight, observation) else self._glimpsed)[track] = sight
        for track in self._lying:
            self._glimpsed.pop(track, None)

    def _compare(self, observation: TableObservation) -> None:
        """Starts or ends the run of equal readings that makes a table settled."""
        signature = frozenset((sight.track, best(sight)) for sight in self._lying.values())
        calm = observation.still or not observation.arms or observation.time - self._moved >= self._resting
        if not calm:
            self._equal_since = None
        elif self._equal_since is None or signature != self._signature:
            self._equal_since = observation.time
        self._signature = signature


def best(sight: Sight) -> Card | None:
    """The likeliest card, or None when nothing was read."""
    return sight.options[0][0] if sight.options else None


def _sight(before: Sight | None, card: SeenCard, observation: TableObservation) -> Sight:
    """The sight of a card after one more frame."""
    if before is None:
        before = Sight(card.track, _options(card), observation.time, observation.time, 0, card.corners)
    if not card.seen:
        # When the camera was bumped, what is hidden has moved with the table.
        rested = card.corners if observation.moved and before.rested else before.rested
        return replace(before, corners=card.corners, rested=rested)
    return replace(
        before,
        options=_options(card) or before.options,
        last=observation.time,
        clean=before.clean + card.still,
        corners=card.corners,
        rested=card.corners if card.still else before.rested,
    )


def _lies_there(sight: Sight) -> bool:
    """True when a hidden card may lie where it is supposed: it was not carried there by a hand."""
    return sight.rested is not None and _near(sight.corners, sight.rested)


def _turned_over(sight: Sight, observation: TableObservation) -> bool:
    """True when a back lies just where the card lay still, face up: it still lies there.

    Where a hand carried it does not count, or a card that goes face up to a pile would lie on the table for ever.
    """
    rested = sight.rested
    return rested is not None and any(_near(rested, back.corners) for back in observation.backs)


def _near(one: Corners, other: Corners) -> bool:
    return dist(middle(one), middle(other)) < dist(one[0], one[1]) / 2


def _options(card: SeenCard) -> tuple[tuple[Card, float], ...]:
    if card.options:
        return card.options
    return () if card.card is None else ((card.card, card.confidence),)
