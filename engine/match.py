"""A match of the Scopa family: hands one after the other, totals, claims, and who has won (chapter 2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.game import apply, certain_points, new_hand, overrule, score, wins_match
from engine.play import Knock, Play
from engine.rules import RuleSet
from engine.scoring import ITEMS, Points
from engine.state import State


@dataclass(frozen=True, slots=True)
class Standing:
    """Totals by side between two hands. `extra_hand`: a tie at or over the target, so another hand is played (M3)."""

    rules: RuleSet
    totals: tuple[int, ...]
    excluded: frozenset[int] = frozenset()
    winner: int | None = None
    extra_hand: bool = False

    @classmethod
    def new(cls, rules: RuleSet) -> Standing:
        """Before the first hand."""
        return cls(rules, (0,) * len(set(rules.sides)))


def add_hand(standing: Standing, points: Sequence[Points], wins: int | None = None) -> Standing:
    """The standing after a hand; `wins` is a side that took all denari where that wins the match.

    An excluded side scores no more. Raises `InvalidPlay` after the end of the match or for sides that do not exist.
    """
    _going_on(standing)
    if len(points) != len(standing.totals) or (wins is not None and not 0 <= wins < len(points)):
        raise InvalidPlay(f"expected the points of {len(standing.totals)} sides, got {len(points)}, won by {wins}")
    counted = [Points() if side in standing.excluded else won for side, won in enumerate(points)]
    totals = tuple(had + won.total for had, won in zip(standing.totals, counted, strict=True))
    after = replace(standing, totals=totals, extra_hand=False)
    if wins is not None and wins not in standing.excluded:
        return replace(after, winner=wins)
    if standing.rules.end == "declared":
        return after
    return _ended(standing, after, counted)


def _ended(before: Standing, after: Standing, points: Sequence[Points]) -> Standing:
    """M2, M3: one side alone at the top, at or over the target, wins; a tie there asks for another hand."""
    best = max(after.totals)
    if best < after.rules.target:
        return after
    reached = [side for side, total in enumerate(after.totals) if total >= after.rules.target]
    if after.rules.both_reach == "count_order" and len(reached) > 1 and max(before.totals) < after.rules.target:
        first = _first_in_count(before, points)
        if first is not None:
            return replace(after, winner=first)
    leaders = [side for side, total in enumerate(after.totals) if total == best]
    return replace(after, extra_hand=True) if len(leaders) > 1 else replace(after, winner=leaders[0])


def _first_in_count(before: Standing, points: Sequence[Points]) -> int | None:
    """`count_order`: the items are counted one by one; the side that reaches the target first, if it is one alone."""
    totals, reached, items = before.totals, list[int](), iter(ITEMS)
    while not reached:  # some side is over the target when all items are counted
        item = next(items)
        totals = tuple(had + won.items()[item] for had, won in zip(totals, points, strict=True))
        reached = [side for side, total in enumerate(totals) if total >= before.rules.target]
    return reached[0] if len(reached) == 1 else None


def claim(standing: Standing, side: int, total: int) -> Standing:
    """The standing after `side` claims victory with `total` certain points, those of the running hand included (M4).

    Raises `InvalidPlay` where the match does not end by a claim, and for a side that is out.
    """
    _going_on(standing)
    if standing.rules.end != "declared" or side in standing.excluded or not 0 <= side < len(standing.totals):
        raise InvalidPlay(f"expected a claim of a side that plays with end = declared, got side {side}")
    if total >= standing.rules.target:
        return replace(standing, winner=side)
    excluded = standing.excluded | {side}
    left = [other for other in range(len(standing.totals)) if other not in excluded]
    return replace(standing, excluded=excluded, winner=left[0] if len(left) == 1 else None)


def _going_on(standing: Standing) -> None:
    if standing.winner is not None:
        raise InvalidPlay(f"expected nothing after the end of the match, won by side {standing.winner}")


@dataclass(frozen=True, slots=True)
class Deal:
    """A new hand: the first table, and the hands and the stock if somebody knows them."""

    table: tuple[Card, ...]
    hands: tuple[tuple[Card, ...] | None, ...] | None = None
    stock: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A side claims victory."""

    side: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """A play that the rules refuse, but that all players let pass."""

    play: Play


@dataclass(frozen=True, slots=True)
class Undo:
    """The last event that was not undone yet is annulled, also across the end of a hand."""


Event = Deal | Play | Accepted | Knock | Claim | Undo


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `hand` is None before a deal; `dealer` deals the running or the next hand."""

    rules: RuleSet
    dealer: int
    standing: Standing
    hand: State | None = None
    scored: tuple[tuple[Points, ...], ...] = field(default=())

    @classmethod
    def new(cls, rules: RuleSet, dealer: int | None = None) -> Match:
        """Before the first deal. Player 0 plays first unless another `dealer` is named."""
        return cls(rules, rules.players - 1 if dealer is None else dealer, Standing.new(rules))


def advance(match: Match, event: Event) -> Match:
    """The match after one event other than `Undo`. Raises `IllegalPlay` or `InvalidPlay`; nothing changes then."""
    _going_on(match.standing)
    if isinstance(event, Deal):
        if match.hand is not None:
            raise InvalidPlay("expected a play, got a deal while a hand is running")
        return replace(match, hand=new_hand(match.rules, match.dealer, event.table, event.hands, event.stock))
    if isinstance(event, Claim):
        return _claimed(match, event.side)
    if not isinstance(event, Play | Accepted | Knock):
        raise InvalidPlay(f"expected a deal, a play, a knock or a claim, got {event!r}")
    if match.hand is None:
        raise InvalidPlay(f"expected a deal first, got {event}")
    hand = overrule(match.hand, event.play) if isinstance(event, Accepted) else apply(match.hand, event)
    return _after_move(replace(match, hand=hand))


def _after_move(match: Match) -> Match:
    if match.hand is None or not match.hand.over:
        return match
    points = score(match.hand)
    standing = add_hand(match.standing, points, wins_match(match.hand))
    dealer = (match.dealer + 1) % match.rules.players  # D6
    return replace(match, dealer=dealer, standing=standing, hand=None, scored=(*match.scored, points))


def _claimed(match: Match, side: int) -> Match:
    totals = match.standing.totals
    running = [0] * len(totals) if match.hand is None else [won.total for won in certain_points(match.hand)]
    total = totals[side] + running[side] if 0 <= side < len(totals) else 0
    standing = claim(match.standing, side, total)
    hand = match.hand if standing.winner is not None else None  # after a wrong claim the hand is void
    return replace(match, standing=standing, hand=hand)


_Logged = TypeVar("_Logged")


def standing_events(events: Iterable[_Logged]) -> list[_Logged]:
    """The events that were not undone. Raises `InvalidPlay` for an undo of nothing."""
    kept: list[_Logged] = []
    for event in events:
        if not isinstance(event, Undo):
            kept.append(event)
        elif kept:
            kept.pop()
        else:
            raise InvalidPlay("expected an event before an undo, got none")
    return kept


def fold(match: Match, events: Iterable[Event]) -> Match:
    """The match after all events, undone ones left out. Raises as `advance` does."""
    for event in standing_events(events):
        match = advance(match, event)
    return match
