"""The first table of a hand: gathered as its cards are dealt, also when one of them hardly shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.rules import RuleSet
from firmware.branches import Branch, explained
from firmware.causes import Cause
from firmware.evidence import CLEAR, Lying, Seats, readings, tables
from firmware.record import Record
from firmware.times import Times
from vision.change import Sight, TableChange, best
from vision.observation import long_side, middle

HIDDEN = 0.1
"""How likely a doubtful glimpse beside the cards of a first table is one more card of it."""
SURE = 0.995
"""Probability from which a first table is certain that plays had to tell: what follows tells it again."""
SLOWEST = 4.0
"""Seconds in which a first table is dealt, if other arms than the dealer's reach in meanwhile,"""
BEFORE = 2.0
"""counted from so long before its first card is seen."""
DEALER = 0.6
"""Share of all arms up to which the commonest one is no dealer's."""
ACCUSED = 0.001
"""Worth of a play that the rules refuse only if a card lay there that was not read for certain."""
LEAST = 1e-6
"""What explains the plays since then less well than this explains nothing."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The tracks of a table that lay there before anybody played, and when it did (seconds)."""

    tracks: frozenset[int]
    time: float


@dataclass(frozen=True, slots=True)
class First:
    """A possible first table, its cards by track where one shows them, since when it lay, and how likely it is.

    `doubtful` is the sight of the one card that was not read for certain.
    """

    table: frozenset[Card]
    cards: dict[int, Card]
    time: float
    weight: float = 1.0
    doubtful: Sight | None = None

    def again(self, change: TableChange) -> frozenset[int]:
        """The tracks of further looks at what hardly shows: they repeat the mistakes of the first."""
        return frozenset(sight.track for sight in change.glimpsed if _again(sight, self.doubtful))


@dataclass(frozen=True, slots=True)
class Told:
    """How well a first table explains what is seen, and whether by plays that the rules allow."""

    weight: float
    plays: bool


class Deal:
    """Gathers the first table of one hand. `look` takes every settled table until it names the first one."""

    def __init__(self, rules: RuleSet, times: Times) -> None:
        self._rules = rules
        self._certain = times.certain
        self._whole: Dealt | None = None
        self._short: Dealt | None = None
        self._weighed: object = None

    @property
    def begun(self) -> bool:
        """Whether a table was seen that may be the first one."""
        return bool(self._whole or self._short)

    def forget(self) -> None:
        """The table was cleared."""
        self._whole = self._short = None

    def look(self, change: TableChange, dealer: int, seats: Seats) -> First | None:
        """The first table as soon as it is certain, read as its cards show themselves, also while play goes on."""
        self._gather(change)
        sights = [(sight.track, sight.options) for sight in (*change.lying, *change.glimpsed)]
        seen = (self._whole, self._short, sights, change.arms)
        if seen == self._weighed:
            return None
        self._weighed = seen
        firsts = [*self._wholly(change), *self._with_hidden(change)]
        if len(firsts) == 1 and firsts[0].weight == 1.0:
            return firsts[0]
        ways = tables(change, {}, frozenset(DECK), self._certain)
        told = [self._plays(first, dealer, ways, change, seats) for first in firsts]
        likeliest = max(zip(told, firsts, strict=True), key=lambda pair: pair[0].weight, default=None)
        if likeliest is None or not likeliest[0].plays:
            return None  # readings of what hardly shows are no evidence of their own, however often they come
        return likeliest[1] if likeliest[0].weight >= max(LEAST, SURE * sum(one.weight for one in told)) else None

    def _gather(self, change: TableChange) -> None:
        tracks = frozenset(sight.track for sight in change.lying)
        whole = self._whole.tracks if self._whole else frozenset[int]()
        if len(tracks) == self._rules.table_cards and (not tracks or not whole & tracks) and not _played(change):
            self._whole = Dealt(tracks, change.time)
        elif len(tracks) == self._rules.table_cards - 1 and not self.begun and _hints(change.lying, change):
            self._short = Dealt(tracks, change.time)

    def _wholly(self, change: TableChange) -> Iterator[First]:
        """First tables of which every card was seen; more than one while one of them is not read for certain."""
        if self._whole is None:
            return
        sights = _sights(self._whole, change)
        sure = [sight for sight in sights if sight.options and sight.options[0][1] >= self._certain]
        way = self._read(sure, change)
        doubtful = [sight for sight in sights if sight not in sure]
        if way and len(sights) == self._rules.table_cards and len(doubtful) < 2:
            yield from (
                self._with_one(way, doubtful[0], self._whole.time, 1.0)
                if doubtful
                else [First(way.table, way.cards, self._whole.time)]
            )

    def _with_hidden(self, change: TableChange) -> Iterator[First]:
        """First tables of which one card was hardly seen; none if the table was whole before any other arm came."""
        short = self._short
        if short is None or (self._whole and not any(short.time < arm.time <= self._whole.time for arm in change.arms)):
            return
        lying = _sights(short, change)
        way = self._read(lying, change)
        for hint in _hints(lying, change):
            if way and hint.first <= short.time:
                yield from self._with_one(way, hint, short.time, HIDDEN)

    def _read(self, sights: Sequence[Sight], change: TableChange) -> Lying | None:
        """These cards, if every one is certain."""
        ways = tables(replace(change, lying=tuple(sights)), {}, frozenset(DECK), self._certain)
        certain = ways and ways[0].weight >= self._certain and len(ways[0].cards) == len(sights)
        return ways[0] if certain else None

    def _with_one(self, way: Lying, sight: Sight, time: float, weight: float) -> Iterator[First]:
        """The tables that one card more makes, by what it may be."""
        for card, share in readings(sight, frozenset(DECK) - way.table).items():
            yield First(way.table | {card}, way.cards | {sight.track: card}, time, weight * share, sight)

    def _plays(self, first: First, dealer: int, ways: tuple[Lying, ...], change: TableChange, seats: Seats) -> Told:
        """How well plays after this first table explain what is seen now; `ways` are those to read it."""
        try:
            record = Record.begin(game.new_hand(self._rules, dealer, first.table))
        except IllegalPlay:
            return Told(0.0, plays=False)
        if not ways:
            return Told(0.0, plays=False)
        certain = ways[0].weight >= self._certain
        again = first.again(change)
        change = replace(change, glimpsed=tuple(sight for sight in change.glimpsed if sight.track not in again))
        found = explained([Branch(record, first.time, first.weight)], ways, change, frozenset(DECK), seats)
        weight = sum(cause.weight * (ACCUSED if cause.kind == "illegal" else 1.0) for cause in found)
        return Told(weight, plays=certain and bool(found) and _is_seen(found[0], first, change))


def _is_seen(cause: Cause, first: First, change: TableChange) -> bool:
    """True for legal plays of cards that were read for certain, while somebody reached in."""
    reached = any(arm.time > first.time for arm in change.arms)
    return reached and cause.kind == "legal" and cause.shown and cause.sure


def _sights(dealt: Dealt, change: TableChange) -> tuple[Sight, ...]:
    """Its cards as they were seen last."""
    return tuple(sight for sight in (*change.lying, *change.glimpsed) if sight.track in dealt.tracks)


def _hints(lying: tuple[Sight, ...], change: TableChange) -> list[Sight]:
    """What was doubtfully seen for a moment beside cards that lie there: perhaps a card below them."""
    read = {best(sight) for sight in lying}  # a card that was carried, and lies there now, is no hint
    seen = [sight for sight in change.glimpsed if sight.options and best(sight) not in read]
    return [hint for hint in seen if any(_beside(hint, sight) for sight in lying)]


def _again(sight: Sight, doubtful: Sight | None) -> bool:
    if doubtful is None or sight.track == doubtful.track or not sight.options:
        return False
    return sight.options[0][1] < CLEAR and _beside(sight, doubtful)


def _beside(one: Sight, other: Sight) -> bool:
    return dist(middle(one.corners), middle(other.corners)) < long_side(other.corners)


def _played(change: TableChange) -> bool:
    """True for cards that were laid slowly by arms from several edges: players in turn, no dealer.

    A dealer reaches in for every card; another arm may come between once.
    """
    first = min((sight.first for sight in change.lying), default=0.0)
    before = [sight for sight in change.glimpsed if sight.first > first - BEFORE]
    last = max((_came(sight, before) for sight in change.lying), default=0.0)
    edges = Counter(arm.edge for arm in change.arms if first - BEFORE < arm.time <= last)
    return last - first > SLOWEST and max(edges.values(), default=0) <= DEALER * edges.total()


def _came(sight: Sight, before: Sequence[Sight]) -> float:
    """When a card was first seen, also if it was lost from sight meanwhile."""
    return min((old.first for old in before if best(old) == best(sight)), default=sight.first)
