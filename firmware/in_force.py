"""A match's log as it is in force: without what was undone or void, with hands as the players corrected them.

The log itself only grows. What counts is folded from this shorter one, in which there is no `Undone`, `KnockUndone`,
`Corrected` or `Voided`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from firmware.errors import StoreError
from firmware.events import (
    AnyEvent,
    Claimed,
    Corrected,
    Hand,
    Knocked,
    KnockUndone,
    Match,
    Played,
    Settled,
    Table,
    Undone,
    Voided,
)


def in_force(events: Sequence[AnyEvent]) -> tuple[AnyEvent, ...]:
    """The events that count. Raises `StoreError` for an undo or a correction of what is not there."""
    kept: list[AnyEvent] = []
    for event in events:
        match event:
            case Undone():
                kept = _without(kept, event)
            case KnockUndone():
                place = _place(kept, Knocked, event)
                kept = [*kept[:place], *kept[place + 1 :]]
            case Voided():
                first = _place(kept, Table, event)
                kept = [*kept[:first], *(other for other in kept[first:] if isinstance(other, Claimed))]
            case Corrected():
                kept = _corrected(kept, event)
            case _:
                kept.append(event)
    return tuple(kept)


def _place(kept: Sequence[AnyEvent], kind: type[AnyEvent], wanted: AnyEvent) -> int:
    """Where the newest event of a kind is."""
    for place in range(len(kept) - 1, -1, -1):
        if isinstance(kept[place], kind):
            return place
    raise StoreError(f"expected an earlier event of the kind {kind.__name__}, got {wanted}")


def _without(kept: list[AnyEvent], undone: Undone) -> list[AnyEvent]:
    """Without a play and all that came after it, but with what was learnt of earlier plays since."""
    place = next((k for k, event in enumerate(kept) if isinstance(event, Played) and event.n == undone.n), None)
    if place is None:
        raise StoreError(f"expected the number of a play that stands, got {undone}")
    later = [event for event in kept[place:] if isinstance(event, Settled) and event.n < undone.n]
    return [*kept[:place], *later]


def _corrected(kept: list[AnyEvent], event: Corrected) -> list[AnyEvent]:
    """With another hand in its place; whoever had won has not yet."""
    places = [k for k, other in enumerate(kept) if isinstance(other, Hand)]
    if not 1 <= event.number <= len(places):
        raise StoreError(f"expected a hand of 1 to {len(places)}, got {event}")
    kept = list(kept)
    kept[places[event.number - 1]] = event.hand
    return [other for other in kept if not isinstance(other, Match)]


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of a match: its plays with the cards that are known by now, its finished hands.

    `open`: a hand is being played. `first` is how many of the plays belong to finished hands.
    """

    plays: tuple[Played, ...]
    hands: tuple[Hand, ...]
    open: bool
    first: int


def standing(events: Sequence[AnyEvent]) -> Standing:
    """The plays and hands of a log that count, the oldest first."""
    plays: dict[int, Played] = {}
    hands: list[Hand] = []
    playing, first = False, 0
    for event in in_force(events):
        match event:
            case Played():
                plays[event.n] = event
            case Settled():
                plays[event.n] = msgspec.structs.replace(plays[event.n], card=event.card, options=())
            case Table():
                playing, first = True, len(plays)
            case Hand():
                hands.append(event)
                playing, first = False, len(plays)
            case Match():
                playing = False
    return Standing(tuple(plays.values()), tuple(hands), playing, first)
