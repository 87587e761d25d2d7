"""What lies open beside the table in Cirulla: a first table that goes to the dealer, and hands that knock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine import game
from engine.cards import Card
from engine.play import Knock, Play
from firmware import knocks
from firmware.aside import Aside
from firmware.course import Course
from firmware.evidence import Seats
from firmware.knocks import Row
from firmware.record import Record
from firmware.times import Times
from vision.change import TICK, Reach, Sight, TableChange, best

KNOCK_FAULTS = frozenset({"knock_not_valid", "knock_too_late"})


class Beside:
    """Takes cards that are not the table's out of what is seen, and tells the course of knocks."""

    def __init__(self, course: Course, seats: Seats, times: Times) -> None:
        self._course, self._seats, self._times = course, seats, times
        self._opening, self._shown, self._false = Aside(), Aside(played=True), Aside()
        self._refused = 0
        self._row: Row | None = None
        self._resumed = True

    def deal(self, first: Mapping[Card, Sight], arms: Sequence[Reach]) -> None:
        """A hand begins with this table, laid by these arms; one that pays is the dealer's."""
        self._shown.keep(())
        self._opening.keep(())
        self._false.keep(())
        self._row, self._resumed = None, False
        record = self._course.record
        if record is None or not record.state.rules.bussate:
            return
        if record.out:
            self._opening.put(first)
        edge = knocks.one_arm(tuple(first.values()), arms)
        if edge not in {"", "several"}:  # where the dealer sits tells who knocks before anything was played
            self._seats.learn(record.state.dealer, frozenset({edge}))

    @property
    def cards(self) -> frozenset[Card]:
        """The cards that lie beside the table now."""
        return self._opening.here | self._shown.here

    def look(self, change: TableChange, known: Mapping[int, Card], *, bumped: bool) -> TableChange | None:
        """The change without what lies beside the table; None while a false knock lies there.

        `known` are the table's cards by track; `bumped`: camera or table were pushed since the last look.
        """
        record = self._course.record
        assert record is not None
        self._opening.keep(self._opening.here)  # what the dealer has taken does not come back
        change = self._opening.without(change, bumped=bumped)
        self._forget(record)
        if self._resumed:
            self._find_again(record, change)
        change = self._shown.without(change, bumped=bumped)
        if not record.state.rules.bussate:
            return change
        change = self._false.without(change, bumped=bumped)
        if self._false.here:
            return None
        if len(record.turns) != self._refused:
            self._false.keep(())
        record = self._assign(record, change.frame)
        row = knocks.row_of(change, known, record.lying, record.playable)
        if row is None:
            return change
        told = len(row.sights) == 3 or knocks.outermost(row, change)
        return self._judge(row, record, change) if told else change

    def _forget(self, record: Record) -> None:
        """Cards of a hand that is not known any more, or that were played, have no place of their own."""
        held = _known_hands(record)
        waiting = self._row.cards(self._times.certain).keys() if self._row else frozenset()
        self._shown.keep(held | waiting)

    def _find_again(self, record: Record, change: TableChange) -> None:
        """After a power cut, the cards of a shown hand lie where they lay; one that lies apart was played."""
        held = _known_hands(record) - record.lying
        found = {card: sight for sight in change.lying if (card := best(sight)) is not None and card in held}
        apart = knocks.apart({card: sight.corners for card, sight in found.items()})
        self._shown.put({card: sight for card, sight in found.items() if card not in apart})
        self._resumed = False

    def _judge(self, row: Row, record: Record, change: TableChange) -> TableChange | None:
        """Cards laid side by side: a knock as soon as all of them are certain."""
        read = row.cards(self._times.certain)
        course, late = self._course, len(row.sights) == 2
        if not read:
            tracks = {sight.track for sight in row.sights}
            return None if change.quiet < self._times.unknown_change else _less(change, tracks)
        who = knocks.owner(record.state, row.edge, self._seats, 2 if late else 3)
        claimed = Knock(record.state.turn if who is None else who, frozenset(read))
        code = "knock_too_late" if late else game.knock_verdict(record.state, claimed)
        if code == "knock_too_late" and who is None:
            return change
        if course.fault and course.fault.rule not in KNOCK_FAULTS:
            return change
        if code is not None:
            self._refuse(code, claimed, change)
            if course.fault:
                self._false.put(read)
                self._refused = len(record.turns)
            return None
        if change.quiet < self._times.lay - TICK:
            return None
        if course.fault:
            course.clear(change.frame)
        self._shown.put(read)
        self._row = row
        self._assign(record, change.frame)
        return _less(change, {sight.track for sight in row.sights})

    def _refuse(self, code: str, knock: Knock, change: TableChange) -> None:
        course = self._course
        course.lies = (course.record.lying if course.record else frozenset()) | (knock.cards or frozenset())
        if course.fault is None and change.quiet >= self._times.bad_take - TICK:
            card = min(knock.cards or ())
            course.report(code, Play(knock.player, card), None, (), change.frame, ())

    def _assign(self, record: Record, frame: int) -> Record:
        """Tells a knock as soon as its player is known: by his seat, or by what he plays. The hand after it."""
        if self._row is None:
            return record
        cards = frozenset(self._row.cards(self._times.certain))
        who = knocks.owner(record.state, self._row.edge, self._seats, 3)
        if who is None and len(cards - self._shown.here) == 1:
            who = record.state.turn
        if who is None:
            return record
        knock = Knock(who, cards)
        if game.knock_verdict(record.state, knock) is None:
            edges = frozenset({self._row.edge} if self._row.edge else ())
            self._seats.learn(who, edges)
            self._course.knock(knock, frame)
        self._row = None
        return self._course.record or record


def _known_hands(record: Record) -> frozenset[Card]:
    return frozenset(card for hand in record.state.hands for card in hand or ())


def _less(change: TableChange, tracks: set[int]) -> TableChange:
    return replace(change, lying=tuple(sight for sight in change.lying if sight.track not in tracks))
