"""What the players' decisions add to the log of a match: events for an answer, an undo, a play that they tell.

Pure functions of the events so far. Whether a decision can be is found by folding: the log with it must give a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engine.cards import Card
from engine.errors import EngineError
from firmware.actions import Action
from firmware.errors import StoreError
from firmware.events import AnyEvent, Cleared, Fault, Hand, Match, Played, Settled, Table, Undone
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.times import Times
from firmware.view import View


@dataclass(frozen=True, slots=True)
class Decision:
    """What a wish adds to the log, and the referee that follows from all of it.

    `restoring`: the cards on the table must first be brought to where the log says.
    """

    events: tuple[AnyEvent, ...]
    referee: Referee
    restoring: bool


def standing(events: Sequence[AnyEvent]) -> tuple[Played, ...]:
    """The plays of the newest hand that stand, the oldest first, with the cards that are known by now."""
    plays: list[Played] = []
    for event in events:
        match event:
            case Table():
                plays = []
            case Played():
                plays.append(event)
            case Settled():
                plays = [
                    msgspec.structs.replace(play, card=event.card, options=()) if play.n == event.n else play
                    for play in plays
                ]
            case Undone():
                plays = [play for play in plays if play.n < event.n]
    return tuple(plays)


def hand_is_open(events: Sequence[AnyEvent]) -> bool:
    """Whether a hand is being played: its first table was seen and its end was not told."""
    newest = next((event for event in reversed(events) if isinstance(event, Table | Hand | Match)), None)
    return isinstance(newest, Table)


def decide(action: Action, events: Sequence[AnyEvent], view: View, frame: int, times: Times) -> Decision | None:
    """What a wish of the players adds to the log; None when it cannot be."""
    added = _added(action, events, view, frame)
    if added is None:
        return None
    try:
        referee = resumed([*events, *added], times)
    except (StoreError, EngineError):
        return None
    if hand_is_open(events) and referee.view.state is None:
        return None  # the answer to an open play that no way of settling them all allows
    added = tuple(_with_scopa(event, view, referee.view) for event in added)
    ended = tuple(referee.finish(frame))
    restoring = action.name in {"undo", "type", "restore", "restart_hand"} and not ended
    return Decision((*added, *ended), referee, restoring)


def _with_scopa(event: AnyEvent, before: View, after: View) -> AnyEvent:
    """A play that the players told, with whether it made a scopa."""
    if not isinstance(event, Played) or before.state is None or after.state is None:
        return event
    return msgspec.structs.replace(event, scopa=sum(after.state.scope) > sum(before.state.scope))


def _added(action: Action, events: Sequence[AnyEvent], view: View, frame: int) -> tuple[AnyEvent, ...] | None:
    cleared: tuple[AnyEvent, ...] = (Cleared(frame),) if view.fault else ()
    match action.name:
        case "misread" | "reread" | "drop" | "restore" | "accept_table" | "resume":
            return cleared
        case "answer" if action.n is not None and action.card is not None:
            return (Settled(action.n, str(action.card), frame, "asked"),)
        case "type" if action.card is not None and view.turn is not None:
            return (*cleared, _told(events, view.turn, action.card, action.takes, frame))
        case "overrule":
            return _overruled(events, view.fault, frame)
        case "undo" | "restart_hand":
            return _undone(events, action, cleared, frame)
    return None


def _undone(
    events: Sequence[AnyEvent], action: Action, cleared: tuple[AnyEvent, ...], frame: int
) -> tuple[AnyEvent, ...] | None:
    first = 0 if action.n is None else action.n
    if not hand_is_open(events):
        return None
    undone = [Undone(play.n, frame) for play in reversed(standing(events)) if play.n >= first]
    return (*cleared, *undone) if undone or action.name == "restart_hand" else None


def _overruled(events: Sequence[AnyEvent], fault: Fault | None, frame: int) -> tuple[AnyEvent, ...] | None:
    """The play of a fault counts as it was made, and is marked."""
    if fault is None or fault.card is None:
        return None
    takes = tuple(Card.parse(card) for card in fault.takes)
    play = _told(events, fault.player, Card.parse(fault.card), takes, frame)
    return (Cleared(frame), msgspec.structs.replace(play, overruled=True))


def _told(events: Sequence[AnyEvent], player: int, card: Card, takes: Sequence[Card], frame: int) -> Played:
    """A play as the players tell it; whether it is a scopa follows when the log is folded."""
    numbers = [event.n for event in events if isinstance(event, Played)]
    plays = standing(events)
    number = plays[-1].n + 1 if plays else _first_number(events, numbers)
    names = tuple(str(each) for each in sorted(takes))
    return Played(number, player, str(card), names, False, frame, 1.0, "asked")


def _first_number(events: Sequence[AnyEvent], numbers: Sequence[int]) -> int:
    """The number of the first play of a hand: plays of this hand that were undone give theirs back."""
    before: list[int] = []
    for event in events:
        if isinstance(event, Hand):
            before = [play.n for play in standing(events[: events.index(event)])]
    return (max(before) if before else 0) + 1
