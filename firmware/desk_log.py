"""What the players' decisions add to the log of a match: events for an answer, an undo, a play that they tell.

Pure functions of the events so far. Whether a decision can be is found by folding: the log with it must give a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from engine.cards import Card
from engine.errors import EngineError
from engine.rules import RuleSet
from firmware.actions import Action
from firmware.by_hand import ByHand, told_hand
from firmware.errors import StoreError
from firmware.events import (
    AnyEvent,
    Claimed,
    Cleared,
    Corrected,
    Fault,
    Knocked,
    KnockUndone,
    Played,
    Settled,
    Undone,
    Voided,
)
from firmware.in_force import Standing, standing
from firmware.referee import Referee
from firmware.view import View

Follower = Referee | ByHand
Fold = Callable[[Sequence[AnyEvent]], Follower]
"""Makes whoever follows a match out of its log; raises `StoreError` or `EngineError` for what cannot be a match."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a wish adds to the log, and who follows the match after all of it.

    `restoring`: the cards on the table must first be brought to where the log says.
    """

    events: tuple[AnyEvent, ...]
    follows: Follower
    restoring: bool


def decide(action: Action, events: Sequence[AnyEvent], follows: Follower, frame: int, fold: Fold) -> Decision | None:
    """What a wish of the players adds to the log; None when it cannot be."""
    added = _added(action, standing(events), follows, frame)
    if added is None:
        return None
    after = decided(events, added, follows.view, frame, fold)
    restoring = action.name in {"undo", "type", "restore"}
    return after and Decision(after.events, after.follows, restoring and after.follows.view.phase == "play")


def decided(
    events: Sequence[AnyEvent], added: tuple[AnyEvent, ...], view: View, frame: int, fold: Fold
) -> Decision | None:
    """The decision that adds these events, with what follows from them; None when no match can hold them."""
    try:
        follows, playing = fold([*events, *added]), standing([*events, *added]).open
    except (StoreError, EngineError):
        return None
    if playing and follows.view.state is None:
        return None  # the answer to an open play that no way of settling them all allows
    added = tuple(_with_scopa(event, view, follows.view) for event in added)
    ended = tuple(follows.finish(frame))
    won = follows.view.won
    if won is not None and view.won != won and won not in ended:
        ended = (*ended, won)
    return Decision((*added, *ended), follows, restoring=False)


def _with_scopa(event: AnyEvent, before: View, after: View) -> AnyEvent:
    """A play that the players told, with whether it made a scopa."""
    if not isinstance(event, Played) or before.state is None or after.state is None:
        return event
    return msgspec.structs.replace(event, scopa=sum(after.state.scope) > sum(before.state.scope))


def _added(action: Action, stands: Standing, follows: Follower, frame: int) -> tuple[AnyEvent, ...] | None:
    view = follows.view
    cleared: tuple[AnyEvent, ...] = (Cleared(frame),) if view.fault else ()
    match action.name:
        case "misread" | "reread" | "drop" | "restore" | "accept_table" | "resume":
            return cleared
        case "answer" if action.n is not None and action.card is not None:
            if view.turn is not None and action.n == _next(stands):  # it lies there unread
                return (*cleared, _told(stands, view.turn, action.card, (), frame))
            return (Settled(action.n, str(action.card), frame, "asked"),)
        case "type" if action.card is not None and view.turn is not None:
            return (*cleared, _told(stands, view.turn, action.card, action.takes, frame))
        case "overrule":
            return _overruled(stands, view.fault, action.card, frame)
        case "undo":
            undone = [Undone(play.n, frame) for play in reversed(stands.plays) if play.n >= (action.n or 0)]
            return (*cleared, *undone) if undone else None
        case "redeal" | "restart_hand":
            return (*cleared, Voided(frame)) if stands.open else None
        case "claim" if action.player is not None:
            return _claim(action.player, stands, view, follows.rules, frame)
        case "correct" if action.n is not None and 1 <= action.n <= len(stands.hands):
            piles = stands.hands[action.n - 1].piles
            return (Corrected(action.n, told_hand(follows.rules, dict(action.said), frame, piles)),)
        case "knock" if action.player is not None and action.said:
            ((kind, points),) = action.said
            return (Knocked(action.player, (), kind, points, None, frame, "asked"),)
        case "undo_knock" if view.knocked is not None:
            return (KnockUndone(view.knocked.player, frame),)
    return None


def _overruled(stands: Standing, fault: Fault | None, named: Card | None, frame: int) -> tuple[AnyEvent, ...] | None:
    """The play of a fault counts as it was made, and is marked; `named` is its card when nobody saw it."""
    card = named if fault is None or fault.card is None else Card.parse(fault.card)
    if fault is None or card is None:
        return None
    takes = tuple(Card.parse(taken) for taken in fault.takes)
    play = msgspec.structs.replace(_told(stands, fault.player, card, takes, frame), overruled=True)
    last = stands.plays[-1] if stands.plays else None
    if last and (last.player, last.card, last.takes) == (fault.player, str(card), ()):
        return (Cleared(frame), Undone(last.n, frame), msgspec.structs.replace(play, n=last.n))  # it went on to take
    return (Cleared(frame), play)


def _told(stands: Standing, player: int, card: Card, takes: Sequence[Card], frame: int) -> Played:
    """A play as the players tell it; whether it is a scopa follows when the log is folded."""
    names = tuple(str(each) for each in sorted(takes))
    return Played(_next(stands), player, str(card), names, False, frame, 1.0, "asked")


def _next(stands: Standing) -> int:
    """The number of the next play."""
    return stands.plays[-1].n + 1 if stands.plays else 1


def _claim(player: int, stands: Standing, view: View, rules: RuleSet, frame: int) -> tuple[AnyEvent, ...]:
    """A claim with the points that are certain; when they are too few, the hand is void (M4)."""
    side = view.sides[player]
    total = certain_total(view, side)
    voided = stands.open and total < rules.target
    return (Claimed(side, total, frame), *((Voided(frame),) if voided else ()))


def certain_total(view: View, side: int) -> int:
    """The points that nobody can take from a side any more, those of the running hand included."""
    total = view.totals[side]
    return (total if isinstance(total, int) else total[0]) + (view.sure[side] if view.sure else 0)
