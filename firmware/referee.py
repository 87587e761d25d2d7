"""The referee: observations of the table in, events out. Pure: time comes with the observations.

It keeps one record of what is certain, and a few branches: what may have happened since. Each settled table is
explained from every branch; what nearly all explanations agree on is committed, and the rest waits for the next
settled table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.play import Play
from engine.rules import RuleSet
from firmware import judgement
from firmware.beside import KNOCK_FAULTS, Beside
from firmware.branches import LEAST, Branch, explained, extended, forks, fresh
from firmware.causes import Cause
from firmware.course import Course, Pending, names
from firmware.deal import Deal, First
from firmware.events import AnyEvent, Notice, Start, Table
from firmware.evidence import Lying, Seats, impossible, tables, unmarked
from firmware.judgement import Verdict
from firmware.record import Record
from firmware.times import Times
from firmware.view import View, view_of
from vision.change import TICK, Changes, Sight, TableChange, best
from vision.observation import TableObservation

WRONG = 0.9
"""From this share on, causes that the rules refuse are told as a fault."""
MOST_ASKED = 4
"""So many cards that one which lies there may be are named in a question."""
SUSPICION = 0.1
"""What the rules refuse, if it is this likely beside what they allow, may be put back untold."""
LEAST_OF_ALL = 1e-9
"""The same, when nobody does anything more: what is the only explanation may be odd."""
UNTOUCHED = 1e-3
"""The table lies as it did, but a card was seen there clearly and is gone: less likely than this."""
AT_ONCE = 1e9
"""Seconds of quiet that are enough for anything: somebody said that he has finished."""


class Referee:
    """Follows one match. `players` are names in the order of play: the first one begins the first hand."""

    def __init__(self, rules: RuleSet, players: Sequence[str], times: Times | None = None) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.times = times or Times()
        self.course = Course(rules)
        self._changes = Changes(self.times.settled, self.times.resting)
        self._seats = Seats(rules.players)
        self._beside = Beside(self.course, self._seats, self.times)
        self._bumped = False
        self._known: dict[int, Card] = {}
        self._deal = Deal(rules, self.times)
        self._change: TableChange | None = None
        self._covered: frozenset[int] = frozenset()
        self._noticed: set[str] = set()
        self._began: float | None = None
        self._bare: float | None = None
        self._weighed: tuple[object, list[Cause]] | None = None

    def begin(self) -> list[AnyEvent]:
        """The event that starts the match."""
        settings = self.rules.settings()
        return [Start(self.rules.variant, settings, self.players, self.rules.sides, self.course.dealer)]

    def observe(self, observation: TableObservation) -> list[AnyEvent]:
        """What the referee has to say after one more look at the table."""
        self.course.out = []
        if self._began is None:
            self._began = observation.time
        change = self._changes.update(observation)
        lying = {sight.track for sight in change.lying}
        self._known = {track: card for track, card in self._known.items() if track in lying}
        self._change = change
        self._bumped |= observation.moved
        self._notice(observation)
        self._clear_away(change)
        if change.settled:
            self._look(change)
        return self.course.out

    def judge_now(self) -> list[AnyEvent]:
        """What there is to say if nobody does anything more: somebody said that he has finished."""
        self.course.out = []
        if self._change and self._change.settled:
            self._look(replace(self._change, quiet=AT_ONCE))
        return self.course.out

    def finish(self, frame: int) -> list[AnyEvent]:
        """The end of a hand whose last play the players told; nothing while it goes on."""
        self.course.out = []
        self.course.end_if_over(frame)
        return self.course.out

    def _notice(self, observation: TableObservation) -> None:
        """Camera, light and glare: told when they begin."""
        now = {"camera_moved": observation.moved, "light": observation.light, "glare": observation.glare}
        begun = {what for what, happens in now.items() if happens}
        for what in sorted(begun - self._noticed):
            self.course.say(Notice(what, observation.frame))
        self._noticed = begun

    def _look(self, change: TableChange) -> None:
        if self.course.tally.won:
            return
        if self.course.record is None:
            self._await_deal(change)
        else:
            self._judge(change)

    # The deal

    def _clear_away(self, change: TableChange) -> None:
        """Between hands the old table is cleared: nothing lies there, also while somebody shuffles above it."""
        if change.lying or self.course.record or self.course.tally.won:
            self._bare = None
            return
        if self._bare is None:
            self._bare = change.time
        if not change.settled and change.time - self._bare < self.times.bad_take - TICK:
            return
        if self.course.fault or not self._deal.begun or change.quiet >= self.times.must_take:
            self.course.fresh = True
            self._deal.forget()
            if self.course.fault:
                self.course.clear(change.frame)

    def _await_deal(self, change: TableChange) -> None:
        """Waits for the first table of the next hand."""
        course, deal = self.course, self._deal
        course.lies = frozenset(card for card in map(best, change.lying) if card is not None)
        if course.fresh and not course.fault:
            first = deal.look(change, course.dealer, self._seats)
            if first:
                self._begin(first, change)

    def _begin(self, first: First, change: TableChange) -> None:
        """The hand begins with this first table, unless it must be dealt again."""
        course = self.course
        self._deal.forget()
        try:
            start = game.new_hand(self.rules, course.dealer, first.table)
        except IllegalPlay as error:
            course.report(error.code, Play(course.dealer, min(first.table)), None, (), change.frame, ())
            return
        course.say(Table(names(first.table), change.frame))
        lying = {sight.track for sight in change.lying}
        self._known = {track: card for track, card in first.cards.items() if track in lying}
        course.fresh = False
        course.go_on(Record.begin(start, course.next), first.time)
        sights = {card: sight for sight in change.lying if (card := first.cards.get(sight.track))}
        self._seats.met |= {arm.edge for arm in change.arms}
        self._beside.deal(sights, change.arms)
        self._changes.judged(first.time)
        self._changes.spent(first.again(change))

    # Judging a settled table

    def _judge(self, change: TableChange) -> None:
        record = self._reconciled(change)
        left = self._beside.look(change, self._known, bumped=self._bumped)
        self._bumped = False
        if left is None:
            return
        self._explain(self.course.record or record, left)

    def _explain(self, record: Record, change: TableChange) -> None:
        """What lies on the table itself, as plays that lead to it."""
        change = unmarked(change, self._known, self.course.marks)
        possible = _possible(record) - self._beside.cards
        ways = tables(change, self._known, possible, self.times.certain)
        out = impossible(change, self._known, possible, self.times)
        if not ways or out is not None:
            self._unexplained(record, out, change)
            return
        self.course.lies = ways[0].table
        if self._mended(record, ways[0], change):
            return
        self._fork(change)
        before = self.course.before
        branches = [*self.course.branches, *([before.taken_back()] if before else ())]
        found = self._ripe(self._causes(branches, ways, change, possible), change)
        verdict = judgement.trusting(found)
        if verdict is not None and verdict.cause.kind == "same":
            self._same(verdict, change)
        elif verdict is None or self._two_cards(record, change):
            self._unexplained(record, None, change)
        elif verdict.cause.kind == "legal":
            self.course.pending = Pending(self.course.lies, tuple(found), change.time)
            if verdict.weight >= (LEAST if change.quiet < self.times.unknown_change - TICK else LEAST_OF_ALL):
                self._legal(branches, verdict, ways[0], change)
            else:
                self._unexplained(record, None, change)
        else:
            self._wrong(verdict, change)
        self._ask(record, found, verdict, change)
        self._ask_when_lost(record, change)

    def _ask(self, record: Record, found: list[Cause], verdict: Verdict | None, change: TableChange) -> None:
        """A card that lies there and stays unreadable is asked for; one that may be any is not understood."""
        course = self.course
        course.asked = ()
        if course.record is not record or course.fault or change.quiet < self.times.ask - TICK:
            return
        unread = any(not sight.options for sight in change.lying if sight.track not in self._known)
        cards = judgement.laid(found)
        if cards and verdict:
            cards += tuple(sorted(verdict.doubt - set(cards)))
        if not unread and len(cards) <= MOST_ASKED:
            course.asked = cards if len(cards) > 1 else ()
        elif cards:
            self._unexplained(record, None, change)

    def _causes(
        self, branches: list[Branch], ways: tuple[Lying, ...], change: TableChange, possible: frozenset[Card]
    ) -> list[Cause]:
        """All that may have led to what is seen; as before while nothing new is seen."""
        appeared = {sight.track: sight.first for sight in change.lying}
        seats = {player: dict(seen) for player, seen in self._seats.counts.items() if seen}
        evidence = (branches, ways, appeared, change.glimpsed, change.arms, possible, seats, self._beside.cards)
        if self._weighed is None or self._weighed[0] != evidence:
            told = explained(branches, ways, change, possible, self._seats, self._beside.cards)
            self._weighed = (evidence, told)
        return self._weighed[1]

    def _ask_when_lost(self, record: Record, change: TableChange) -> None:
        """Nobody pauses, but for a long time the table was not what it should be: that is told without a pause."""
        course = self.course
        since = max(course.branches[0].since, self._began or 0.0)
        lost = change.time - since >= self.times.lost and change.quiet >= self.times.lay - TICK
        if course.record is record and course.fault is None and lost:
            self._refuse("unknown_change", None, record, record.lying - course.lies, change)

    def _reconciled(self, change: TableChange) -> Record:
        """The running hand, in which no open play is a card that is seen for certain."""
        read = [sight.options[0] for sight in change.lying if sight.options]
        sure = frozenset(card for card, probability in read if probability >= self.times.certain)
        record = self.course.record
        assert record is not None
        self.course.spare(sure - record.lying, change.frame)
        return self.course.record or record

    def _ripe(self, found: list[Cause], change: TableChange) -> list[Cause]:
        """Without captures that are half done, when nobody gathers any more."""
        if change.quiet < self.times.bad_take - TICK or not any(cause.kind == "legal" for cause in found):
            return found
        return [cause for cause in found if cause.kind != "half"]

    def _fork(self, change: TableChange) -> None:
        """Plays that were not certain yet when the table changed again become branches of their own."""
        course = self.course
        if course.pending is None or course.wrong or course.pending.table == course.lies:
            return
        pending, certain = course.pending, self.times.certain
        made = forks(course.branches, pending.causes, change, pending.time, certain, self._seats)
        course.branches = [course.branches[0], *made]
        course.pending = None

    def _mended(self, record: Record, way: Lying, change: TableChange) -> bool:
        """Whether the table lies as before a fault. The card that was laid first may be back in the hand as well."""
        fault, before = self.course.fault, self.course.before
        if way.weight < self.times.certain:
            return False
        if fault is None:
            if self._suspected(way) and way.table == record.lying:
                self._put_right(change)
                return True
            return False
        last = record.turns[-1].play if record.turns else None
        if before and last and str(last.card) == fault.card and way.table == before.record.lying:
            self.course.retract(change.frame, change.time)
        elif way.table != record.lying:
            return False
        self._put_right(change)
        return True

    def _suspected(self, way: Lying) -> bool:
        """Whether what lay there before this may have been against the rules, although it was not told."""
        pending = self.course.pending
        if pending is None or pending.table == way.table:
            return False
        wrong = max((cause.weight for cause in pending.causes if cause.kind == "illegal"), default=0.0)
        return wrong >= SUSPICION * max(cause.weight for cause in pending.causes)

    def _put_right(self, change: TableChange, *, spend: bool = True) -> None:
        """The table lies as it should: what was seen meanwhile belonged to a fault, or to nothing.

        Without `spend` it is kept: a card that lay there is gone, and what follows may explain it.
        """
        course = self.course
        if course.fault:
            self._clear(course.fault.rule, change)
        course.pending = None
        # Where something new lies there unread, who laid it is not forgotten.
        if spend and change.hidden <= self._covered:
            course.branches = [replace(course.branches[0], since=change.time)]
            self._spend(change)

    def _same(self, verdict: Verdict, change: TableChange) -> None:
        """The table lies as it should, now or before the last play."""
        course = self.course
        if not verdict.cause.retracts:
            self._put_right(change, spend=verdict.cause.weight >= UNTOUCHED)
        elif verdict.share >= self.times.certain and change.quiet >= self.times.unseen - TICK:
            course.retract(change.frame, change.time)
            self._put_right(change)

    def _clear(self, rule: str, change: TableChange) -> None:
        """The fault is over; cards of a false knock were never played, so nothing needs to explain them."""
        self.course.clear(change.frame)
        if rule in KNOCK_FAULTS:
            self.course.before = None

    def _spend(self, change: TableChange) -> None:
        """What was glimpsed is explained; it is kept only as long as the last play may be taken back."""
        self._covered = change.hidden
        before = self.course.before
        self._changes.judged(before.since if before else change.time)

    def _legal(self, branches: list[Branch], verdict: Verdict, way: Lying, change: TableChange) -> None:
        """Plays explain the table: they are committed when they are certain and their time has come."""
        course = self.course
        if verdict.share < self.times.certain or change.quiet < self._patience(verdict, branches) - TICK:
            return
        if verdict.doubt and not verdict.cause.plays[-1].takes:
            return  # it lies in sight: asked for, or read better, never told open
        record = extended(branches, verdict, change, self.times.certain)
        if record is None or (course.wrong and not verdict.cause.shown):
            return
        if course.fault:
            course.clear(change.frame)
        since = course.branches[0].since
        if verdict.cause.retracts:
            course.retract(change.frame, since)
        if way.weight >= self.times.certain:
            self._known = dict(way.cards)
        self._learn(branches, verdict, change)
        alone = fresh(branches, verdict.cause) == 1
        course.commit(record, change.frame, change.time, branches[verdict.cause.branch].since if alone else None)
        self._spend(change)

    def _learn(self, branches: list[Branch], verdict: Verdict, change: TableChange) -> None:
        """Who reached in from where, when plays are certain."""
        branch = branches[verdict.cause.branch]
        if branch.seats:
            self._seats.counts = branch.seats.counts
        if fresh(branches, verdict.cause) == 1:
            self._seats.learn(verdict.cause.plays[-1].player, change.edges(branch.since))

    def _patience(self, verdict: Verdict, branches: list[Branch]) -> float:
        """How long after the last motion these plays are committed. Those of a branch have had their time."""
        cause = verdict.cause
        if verdict.doubt:
            return self.times.bad_take
        single = fresh(branches, cause) == 1
        if single and not cause.plays[-1].takes:
            return self.times.lay
        if single and cause.shown and not cause.retracts:
            return 0.0
        return self.times.unseen

    # Faults

    def _wrong(self, verdict: Verdict, change: TableChange) -> None:
        """The rules refuse what lies there: told once, when its time has come."""
        refused = next((cause for cause in verdict.group if cause.kind == "illegal"), None)
        if self.course.fault or refused is None or refused.code is None or verdict.share < WRONG:
            return
        if change.quiet < self._fault_time(refused.code) - TICK:
            return
        play = refused.plays[-1]
        card = play.card if refused.shown or not play.takes else None
        self.course.report(refused.code, play, card, refused.legal, change.frame, play.takes)

    def _fault_time(self, code: str) -> float:
        if code in {"must_take", "two_cards", "wrong_turn"}:
            return self.times.must_take
        return self.times.unknown_change if code == "unknown_change" else self.times.bad_take

    def _unexplained(self, record: Record, out: Card | None, change: TableChange) -> None:
        """Nothing explains the table; `out` is a card that is read for certain although it cannot lie there."""
        two = out is None and self._two_cards(record, change)
        code = "card_already_out" if out else "two_cards" if two else "unknown_change"
        if self.course.fault or change.quiet < self._fault_time(code) - TICK:
            return
        new = [card for sight in sorted(change.lying, key=_first) if (card := best(sight)) not in record.lying]
        gone = frozenset() if out else record.lying - self.course.lies
        card = out or (new[0] if two else None)
        self._refuse(code, card, record, gone, change)

    def _refuse(self, code: str, card: Card | None, record: Record, gone: frozenset[Card], change: TableChange) -> None:
        """A fault of no play that is known: `card` is the one it is about, `gone` is what has to be put back."""
        self.course.report(code, Play(record.state.turn, card or DECK[0], gone), card, (), change.frame, gone)

    def _two_cards(self, record: Record, change: TableChange) -> bool:
        """Two cards more, laid while only the arm of the player to move was there."""
        since = self.course.branches[0].since
        edges = change.edges(since)
        new = self.course.lies - record.lying
        unseen = {best(sight) for sight in change.lying if sight.track in change.hidden}
        two = record.lying < self.course.lies and len(new) == 2 and not new & unseen
        return two and self._seats.may_be(record.state.turn, edges)

    @property
    def view(self) -> View:
        """The facts of this moment, for the screens."""
        return view_of(self.course, self.players, self._beside.cards)


def _first(sight: Sight) -> float:
    return sight.first


def _possible(record: Record) -> frozenset[Card]:
    """The cards that may be seen: all but those that certainly lie in a pile and were not just taken."""
    last = (frozenset({turn.play.card}) | turn.play.takes for turn in record.turns[-1:])
    return (frozenset(DECK) - record.out).union(*last)
