"""What people may have done to the table, each with its weight: what the rules explain, times how well it was seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import prod
from typing import Literal

from engine.cards import Card
from engine.explain import UNFINISHED, Change, Explanation, Step, explain
from engine.play import Play
from engine.state import State
from firmware.evidence import (
    DISORDER,
    DOUBTED,
    HALF,
    ILLEGAL,
    MERGED,
    OTHER_ARM,
    PRESUMED,
    WRONG_ARM,
    Glimpse,
    Lying,
    Seats,
    weigh_glimpses,
)
from vision.change import TICK, Reach

UNLIKELY = 0.02
"""A way to read the table that is less likely than this is explained by single plays only."""

Kind = Literal["same", "legal", "illegal", "half"]


@dataclass(frozen=True, slots=True)
class Seen:
    """The evidence between two judgements: ways to read the table, glimpsed cards, edges of the arms.

    `appeared` is when each track was first seen, `vanished` when each card that is gone was last (seconds).
    `retracting` is the player who took a play back before, if that is supposed. `reaches` are the arms in their order.
    """

    tables: tuple[Lying, ...]
    glimpsed: tuple[Glimpse, ...]
    edges: frozenset[str]
    seats: Seats
    appeared: Mapping[int, float] = field(default_factory=dict)
    vanished: Mapping[Card, float] = field(default_factory=dict)
    retracting: frozenset[int] = frozenset()
    reaches: tuple[Reach, ...] = ()
    certain: float = 0.999


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that may have happened. `plays` in their order (of an illegal one only the last is refused).

    `code` says why it is refused, `legal` are the captures that its card had. `shown`: each played card was seen;
    `sure`: and read for certain.
    `retracts` is how many committed plays were taken back first, `branch` the place of the branch that it continues.
    `cards` is how the table was read, by track.
    """

    kind: Kind
    plays: tuple[Play, ...]
    weight: float
    code: str | None = None
    legal: tuple[frozenset[Card], ...] = ()
    shown: bool = True
    sure: bool = True
    retracts: int = 0
    branch: int = 0
    cards: Mapping[int, Card] = field(default_factory=dict)


def causes(state: State, seen: Seen, most: int) -> list[Cause]:
    """Everything with up to `most` plays that may have led from `state` to what is seen, heaviest first."""
    found: list[Cause] = []
    named, sure = _named(seen.glimpsed), _named(seen.glimpsed, seen.certain)
    arms: dict[frozenset[int], float] = {}
    for way in seen.tables:
        reading = _Reading(way, named, sure, _first_seen(way, seen), arms)
        for explanation in _explanations(state, seen, reading, most if way.weight > UNLIKELY else 1):
            found += _weighed(explanation, seen, reading)
    found.sort(key=lambda cause: -cause.weight)
    return found


def _explanations(state: State, seen: Seen, reading: _Reading, most: int) -> list[Explanation]:
    """What the rules allow and what they refuse; out of turn may have played whoever sits where the arm came from."""
    way = reading.way
    suspects = () if state.over else seen.seats.suspects(state.turn, seen.edges)
    change = Change(present=way.table, glimpsed=reading.named, player=next(iter(suspects), None))
    gathered = not way.table and state.plays == state.rules.plays - 1  # after the last play nobody leaves cards
    found = list(explain(state, change, most=most, illegal=not gathered))
    for suspect in () if gathered else suspects[1:]:
        others = explain(state, replace(change, player=suspect))
        found += [other for other in others if other.code == "wrong_turn"]
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the table, with what is the same for all that may have led to it.

    `named` are the cards that glimpses name, `sure` those that they name for certain, `shown` is when each card was
    first seen (seconds), `arms` how likely the arms are for players who played.
    """

    way: Lying
    named: frozenset[Card]
    sure: frozenset[Card]
    shown: Mapping[Card, float]
    arms: dict[frozenset[int], float]

    def arms_of(self, players: frozenset[int], seen: Seen) -> float:
        """How likely the arms are if just these players played."""
        if players not in self.arms:
            self.arms[players] = seen.seats.weight(players, seen.edges)
        return self.arms[players]


def _named(glimpsed: tuple[Glimpse, ...], least: float = 0.5) -> frozenset[Card]:
    """The cards that glimpses name with a probability of at least `least`."""
    named = (card for glimpse in glimpsed for card, probability in glimpse.readings.items() if probability >= least)
    return frozenset(named)


def _weighed(explanation: Explanation, seen: Seen, reading: _Reading) -> Iterator[Cause]:
    """The concrete plays of an explanation, one for each choice of the cards that are not known."""
    steps, way = explanation.steps, reading.way
    players = frozenset(step.player for step in steps) | seen.retracting
    prior = _prior(explanation) * way.weight * reading.arms_of(players, seen)
    choices = [_cards(step, seen) for step in steps]
    for cards in product(*choices):
        if len(set(cards)) < len(cards):
            continue
        hidden = frozenset(card for card in cards if card not in way.table)
        weight = prior * weigh_glimpses(seen.glimpsed, hidden)
        weight /= prod(len(choice) for card, choice in zip(cards, choices, strict=True) if card in hidden)
        shown, sure = hidden <= reading.named, hidden <= reading.sure
        if explanation.code and not sure:
            weight *= DOUBTED if shown else PRESUMED
        if explanation.code and way is not seen.tables[0]:
            weight *= DOUBTED
        plays = tuple(Play(step.player, card, step.takes) for step, card in zip(steps, cards, strict=True))
        weight *= DISORDER ** _disorder(plays, reading.shown, seen) * _hands(plays, reading.shown, seen)
        yield Cause(
            _kind(explanation), plays, weight, explanation.code, explanation.legal, shown, sure, cards=way.cards
        )


def _first_seen(way: Lying, seen: Seen) -> dict[Card, float]:
    """When each card that may have been played was first seen (seconds)."""
    shown = {card: seen.appeared[track] for track, card in way.cards.items() if track in seen.appeared}
    for glimpse in reversed(seen.glimpsed):
        shown |= {card: glimpse.first for card, probability in glimpse.readings.items() if probability >= 0.5}
    return shown


def _hands(plays: Sequence[Play], shown: Mapping[Card, float], seen: Seen) -> float:
    """How likely it is that each card was seen first when its player's arm was there, or was the last one there."""
    weight = 1.0
    for play in plays:
        there = _there(seen.reaches, shown[play.card]) if play.card in shown else frozenset()
        own, count = seen.seats.edge(play.player)
        if there and own in seen.edges and own not in there:
            weight *= WRONG_ARM if count > 1 else OTHER_ARM
    return weight


def _there(reaches: Sequence[Reach], time: float) -> frozenset[str]:
    """The edges from which something reached in at a time, or else last before it."""
    until = {arm: min(arm.until, time) for arm in reaches if arm.time <= time + TICK}
    last = max(until.values(), default=time)
    return frozenset(arm.edge for arm in until if until[arm] >= last - TICK)


def _disorder(plays: Sequence[Play], shown: Mapping[Card, float], seen: Seen) -> int:
    """How often a play comes after one that was seen to happen later: by its card, and by the cards that it took."""
    cards = [shown.get(play.card) for play in plays]
    done = [_done(play, shown, seen.vanished) for play in plays]
    return _backwards(cards) + _backwards(done)


def _done(play: Play, shown: Mapping[Card, float], vanished: Mapping[Card, float]) -> float | None:
    """When a play was over: a capture when its cards were gone, else when the card first lay there."""
    if not play.takes:
        return shown.get(play.card)
    return max((vanished[card] for card in play.takes if card in vanished), default=None)


def _backwards(times: Sequence[float | None]) -> int:
    known = [time for time in times if time is not None]
    return sum(later < earlier for earlier, later in pairwise(known))


def _cards(step: Step, seen: Seen) -> list[Card]:
    """The cards worth telling apart: those that a glimpse names, and of the others all of one capture value."""
    named = [card for card in step.cards if any(card in glimpse.readings for glimpse in seen.glimpsed)]
    others = sorted(step.cards - set(named))
    return sorted(named) + (others if len(others) <= 4 else others[:1])


def _prior(explanation: Explanation) -> float:
    merged = MERGED ** max(0, len(explanation.steps) - 1)
    if explanation.code == UNFINISHED:
        return HALF * merged
    return (ILLEGAL if explanation.code else 1.0) * merged


def _kind(explanation: Explanation) -> Kind:
    if not explanation.steps:
        return "same"
    if explanation.code == UNFINISHED:
        return "half"
    return "illegal" if explanation.code else "legal"
