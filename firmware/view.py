"""What the screens show: plain facts about the match at this moment, made by the referee, without pixels or texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.game import certain_points
from engine.rules import RuleSet
from engine.scoring import Points
from engine.state import State
from firmware.course import Course
from firmware.events import Fault, Hand, Knocked, Match, Played
from firmware.record import Range
from firmware.tally import OWNED

Phase = Literal["deal", "play", "fault", "restore", "score", "over", "paused"]
"""Dealing the first table, playing, a fault is open, cards go back after an undo, a hand is over, the match is over."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the players may settle: play `n` was one of `options` (never needed for the game to go on).

    It was told open, or it is the next one: its card lies there and nobody can read it.
    """

    n: int
    player: int
    takes: tuple[Card, ...]
    options: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The facts of one moment.

    `lies` is what lies on the table as far as it can be read, `expected` what should lie there; `missing` and `surplus`
    are their differences while a fault or an undo is open. `hand` counts hands from 1, `play` the plays of this hand.
    `sure` are points of this hand that nobody can take away any more, `possible` items of it that are nobody's for
    certain, `totals` those of the finished hands, by side.
    `beside` are cards that lie open but are none of the table's, `knocked` a knock that no play followed yet.
    `debts` counts the open plays, `excluded` are sides whose claim was wrong. `last`, `fault`, `ended`, `won` are the
    newest events of these kinds, or None.
    """

    phase: Phase
    players: tuple[str, ...]
    sides: tuple[int, ...]
    dealer: int
    hand: int
    play: int
    plays: int
    turn: int | None
    lies: tuple[Card, ...]
    expected: tuple[Card, ...]
    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]
    state: State | None
    last: Played | None
    fault: Fault | None
    question: Question | None
    debts: int
    sure: tuple[int, ...]
    totals: tuple[Range, ...]
    ended: Hand | None
    won: Match | None
    beside: tuple[Card, ...] = ()
    knocked: Knocked | None = None
    excluded: frozenset[int] = frozenset()
    possible: tuple[str, ...] = ()


def view_of(course: Course, players: tuple[str, ...], beside: frozenset[Card] = frozenset()) -> View:
    """The facts of a match at this moment."""
    record = course.record
    expected = record.lying if record else frozenset()
    sure = certain_points(record.loosened) if record else ()
    return View(
        phase=_phase(course),
        players=players,
        sides=course.rules.sides,
        dealer=course.dealer,
        hand=course.tally.hands + 1,
        play=len(record.turns) if record else 0,
        plays=course.rules.plays,
        turn=record.state.turn if record else None,
        lies=tuple(sorted(course.lies)),
        expected=tuple(sorted(expected)),
        missing=tuple(sorted(expected - course.lies)),
        surplus=tuple(sorted(course.lies - expected)) if record else (),
        state=record.state if record else None,
        last=course.last,
        fault=course.fault,
        question=_question(course),
        debts=len(record.debts) if record else 0,
        sure=tuple(side.total for side in sure),
        totals=course.tally.totals,
        ended=course.ended,
        won=course.tally.won,
        beside=tuple(sorted(beside)),
        knocked=course.knocked,
        excluded=course.tally.excluded,
        possible=_possible(course.rules, sure),
    )


def _possible(rules: RuleSet, sure: Sequence[Points]) -> tuple[str, ...]:
    """The items that one side wins, as far as none has won them for certain; none while no hand runs."""
    items = [item for item in OWNED if item != "primiera" or rules.primiera != "off"]
    return tuple(item for item in items if sure and not any(dict(side.items())[item] for side in sure))


def _phase(course: Course) -> Phase:
    if course.tally.won:
        return "over"
    if course.fault:
        return "fault"
    if course.record:
        return "play"
    return "score" if course.ended and not course.fresh else "deal"


def _question(course: Course) -> Question | None:
    """The card that lies there unread, or the newest open play."""
    if course.record and course.asked:
        return Question(course.next, course.record.state.turn, (), course.asked)
    debts = course.record.debts if course.record else ()
    if not debts:
        return None
    turn = debts[-1]
    return Question(turn.n, turn.play.player, tuple(sorted(turn.play.takes)), tuple(sorted(turn.options)))
