"""The first table of a hand: gathered as its cards are dealt, also when one of them hardly shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.rules import RuleSet
from firmware.branches import Branch, explained
from firmware.evidence import Lying, Seats, readings, tables
from firmware.record import Record
from firmware.times import Times
from vision.change import Sight, TableChange

HIDDEN = 0.1
"""How likely a doubtful glimpse beside the cards of a first table is one more card of it."""
SURE = 0.995
"""Probability from which a first table is certain that plays had to tell: what follows tells it again."""
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
    """A possible first table, its cards by track where one shows them, since when it lay, and how likely it is."""

    table: frozenset[Card]
    cards: dict[int, Card]
    time: float
    weight: float = 1.0


class Deal:
    """Gathers the first table of one hand. `look` takes every settled table until it names the first one."""

    def __init__(self, rules: RuleSet, times: Times) -> None:
        self._rules = rules
        self._certain = times.certain
        self._whole: Dealt | None = None
        self._short: Dealt | None = None

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
        firsts = [*self._wholly(change), *self._with_hidden(change)]
        if len(firsts) == 1 and firsts[0].weight == 1.0:
            return firsts[0]
        weights = [self._explains(first, dealer, change, seats) for first in firsts]
        best = max(zip(weights, firsts, strict=True), key=lambda pair: pair[0], default=None)
        return best[1] if best and best[0] >= max(LEAST, SURE * sum(weights)) else None

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
        if short is None or (self._whole and not any(short.time < time <= self._whole.time for time, _ in change.arms)):
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
            yield First(way.table | {card}, way.cards | {sight.track: card}, time, weight * share)

    def _explains(self, first: First, dealer: int, change: TableChange, seats: Seats) -> float:
        """How well plays after this first table explain what is seen now."""
        try:
            record = Record.begin(game.new_hand(self._rules, dealer, first.table))
        except IllegalPlay:
            return 0.0
        possible = frozenset(DECK)
        ways = tables(change, {}, possible, self._certain)
        if not ways:
            return 0.0
        found = explained([Branch(record, first.time, first.weight)], ways, change, possible, seats)
        return sum(cause.weight * (ACCUSED if cause.kind == "illegal" else 1.0) for cause in found)


def _sights(dealt: Dealt, change: TableChange) -> tuple[Sight, ...]:
    """Its cards as they were seen last."""
    return tuple(sight for sight in (*change.lying, *change.glimpsed) if sight.track in dealt.tracks)


def _hints(lying: tuple[Sight, ...], change: TableChange) -> list[Sight]:
    """What was doubtfully seen for a moment beside cards that lie there: perhaps a card below them."""
    seen = [sight for sight in change.glimpsed if sight.options and all(sight.track != s.track for s in lying)]
    return [hint for hint in seen if any(_beside(hint, sight) for sight in lying)]


def _beside(one: Sight, other: Sight) -> bool:
    a, b = (tuple(sum(axis) / 4 for axis in zip(*sight.corners, strict=True)) for sight in (one, other))
    return dist(a, b) < dist(other.corners[0], other.corners[3])


def _played(change: TableChange) -> bool:
    """True for cards that were laid by several players in turn, an arm from another edge for each: no deal is."""
    times = sorted(sight.first for sight in change.lying)
    arms = [{edge for time, edge in change.arms if before < time <= after} for before, after in pairwise(times)]
    return any(one and other and not one & other for one, other in pairwise(arms))
