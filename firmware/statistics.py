"""What the stored matches say of each player and pair. What was undone or corrected away does not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firmware.by_hand import least
from firmware.events import AnyEvent, Hand, Match, Start
from firmware.in_force import in_force, standing

ITEMS = ("carte", "denari", "settebello", "primiera", "scope")
"""The points that are told apart; all others are only in `points`."""


@dataclass(frozen=True, slots=True)
class Tale:
    """One player, or both of a pair: matches begun, ended and won, hands, points in all and by item, `scope` made.

    `overruled` are plays accepted against the rules. Of points that are not certain, the least counts.
    """

    name: str
    players: int = 1
    matches: int = 0
    ended: int = 0
    won: int = 0
    hands: int = 0
    points: int = 0
    carte: int = 0
    denari: int = 0
    settebello: int = 0
    primiera: int = 0
    scope: int = 0
    overruled: int = 0

    def __add__(self, other: Tale) -> Tale:
        mine, theirs = self.numbers(), other.numbers()
        sums: dict[str, Any] = {name: mine[name] + theirs[name] for name in mine}
        return replace(self, **sums)

    def numbers(self) -> dict[str, int]:
        """All that is counted, by name."""
        return {name: getattr(self, name) for name in self.__slots__ if name not in {"name", "players"}}


def tales(matches: Iterable[Sequence[AnyEvent]]) -> tuple[Tale, ...]:
    """Players first, then pairs, those with the most matches won before the others."""
    found: dict[tuple[int, str], Tale] = {}
    for events in matches:
        for tale in _of_match(events):
            key = tale.players, tale.name
            found[key] = found[key] + tale if key in found else tale
    return tuple(sorted(found.values(), key=lambda tale: (tale.players, -tale.won, -tale.points, tale.name)))


def _of_match(events: Sequence[AnyEvent]) -> Iterator[Tale]:
    start = events[0]
    assert isinstance(start, Start), "the store begins every match with its start"
    stands = standing(events)
    won = next((event for event in in_force(events) if isinstance(event, Match)), None)
    for side in sorted(set(start.sides)):
        names = [name for name, theirs in zip(start.players, start.sides, strict=True) if theirs == side]
        tale = replace(
            _of_hands(stands.hands, str(side)),
            matches=1,
            ended=int(won is not None),
            won=int(won is not None and won.winner == str(side)),
        )
        for player, name in enumerate(start.players):
            if start.sides[player] == side:
                accepted = sum(play.overruled and play.player == player for play in stands.plays)
                yield replace(tale, name=name, overruled=accepted)
        if len(names) > 1:
            accepted = sum(play.overruled and start.sides[play.player] == side for play in stands.plays)
            yield replace(tale, name=" + ".join(sorted(names)), players=len(names), overruled=accepted)


def _of_hands(hands: Sequence[Hand], side: str) -> Tale:
    items = {item: sum(least(hand.points[side].get(item, 0)) for hand in hands) for item in ITEMS}
    return Tale("", hands=len(hands), points=sum(least(hand.total[side]) for hand in hands), **items)


def courses(events: Sequence[AnyEvent]) -> dict[str, list[int]]:
    """The total of each side after each hand, from 0 on, by the names of the side."""
    start = events[0]
    assert isinstance(start, Start), "the store begins every match with its start"
    lines: dict[str, list[int]] = {}
    for side in sorted(set(start.sides)):
        names = [name for name, theirs in zip(start.players, start.sides, strict=True) if theirs == side]
        totals = [0]
        for hand in standing(events).hands:
            totals.append(totals[-1] + least(hand.total[str(side)]))
        lines[" + ".join(names)] = totals
    return lines
