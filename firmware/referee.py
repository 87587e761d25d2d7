"""The referee: observations of the table and wishes of the players in, events out. Pure: time comes with them.

It keeps one record of what is certain, and a few branches: what may have happened since. Each settled table is
explained from every branch; what nearly all explanations agree on is committed, and the rest waits for the next
settled table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.play import Play
from engine.rules import RuleSet
from firmware import judgement
from firmware.branches import Branch, explained, extended, forks
from firmware.causes import Cause
from firmware.events import AnyEvent, Cleared, Fault, Hand, Notice, Played, Settled, Start, Table, Undone
from firmware.evidence import Lying, Seats, impossible, tables
from firmware.judgement import Verdict
from firmware.record import Record
from firmware.tally import Tally
from firmware.times import Times
from firmware.view import Phase, Question, View
from vision.change import TICK, Changes, TableChange, best
from vision.observation import TableObservation

WRONG = 0.9
"""From this share on, causes that the rules refuse are told as a fault."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Causes of a settled table that are not committed yet, and when it was last seen (seconds)."""

    table: frozenset[Card]
    causes: tuple[Cause, ...]
    time: float


class Referee:
    """Follows one match. `players` are names in the order of play: the first one begins the first hand."""

    def __init__(self, rules: RuleSet, players: Sequence[str], times: Times | None = None) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.times = times or Times()
        self._changes = Changes(self.times.settled, self.times.resting)
        self._seats = Seats()
        self._tally = Tally.new(rules)
        self._first_dealer = self._dealer = rules.players - 1
        self._next = 1
        self._known: dict[int, Card] = {}
        self._record: Record | None = None
        self._branches: list[Branch] = []
        self._before: Branch | None = None
        self._pending: Pending | None = None
        self._fault: Fault | None = None
        self._fresh = True
        self._lies: frozenset[Card] = frozenset()
        self._last: Played | None = None
        self._ended: Hand | None = None
        self._noticed: set[str] = set()
        self._out: list[AnyEvent] = []

    def begin(self) -> list[AnyEvent]:
        """The event that starts the match."""
        settings = self.rules.settings()
        return [Start(self.rules.variant, settings, self.players, self.rules.sides, self._first_dealer)]

    def observe(self, observation: TableObservation) -> list[AnyEvent]:
        """What the referee has to say after one more look at the table."""
        self._out = []
        change = self._changes.update(observation)
        lying = {sight.track for sight in change.lying}
        self._known = {track: card for track, card in self._known.items() if track in lying}
        self._notice(observation)
        if change.settled and not self._tally.won:
            if self._record is None:
                self._await_deal(change)
            else:
                self._judge(self._record, change)
        return self._out

    def _notice(self, observation: TableObservation) -> None:
        """Camera, light and glare: told when they begin."""
        now = {"camera_moved": observation.moved, "light": observation.light, "glare": observation.glare}
        begun = {what for what, happens in now.items() if happens}
        for what in sorted(begun - self._noticed):
            self._say(Notice(what, observation.frame))
        self._noticed = begun

    # The deal

    def _await_deal(self, change: TableChange) -> None:
        """Waits until the old table is cleared, then for the first table of the next hand."""
        self._lies = frozenset(card for card in map(best, change.lying) if card is not None)
        if not change.lying:
            self._fresh = True
            if self._fault:
                self._clear(change.frame)
        if not self._fresh or self._fault or len(change.lying) != self.rules.table_cards:
            return
        way = tables(change, {}, frozenset(DECK), self.times.certain)[0]
        if way.weight >= self.times.certain:
            self._deal(way, change)

    def _deal(self, way: Lying, change: TableChange) -> None:
        try:
            start = game.new_hand(self.rules, self._dealer, way.table)
        except IllegalPlay as error:
            self._report(error.code, Play(self._dealer, min(way.table)), None, (), change, put_back=())
            return
        self._say(Table(_names(way.table), change.frame))
        self._known = dict(way.cards)
        self._fresh = False
        self._go_on(Record.begin(start, self._next), change)

    def _go_on(self, record: Record, change: TableChange) -> None:
        """From here on, changes are explained from this record."""
        self._record = record
        self._branches = [Branch(record, change.time)]
        self._pending = None
        self._spend(change)

    def _spend(self, change: TableChange) -> None:
        """What was glimpsed is explained; it is kept only as long as the last play may be taken back."""
        self._changes.judged(self._before.since if self._before else change.time)

    # Judging a settled table

    def _judge(self, record: Record, change: TableChange) -> None:
        record = self._reconcile(record, change)
        possible = self._possible(record)
        ways = tables(change, self._known, possible, self.times.certain)
        out = impossible(change, self._known, possible, self.times)
        if not ways or out is not None:
            self._unexplained(record, self._lies, out, change)
            return
        self._lies = ways[0].table
        self._fork(change)
        branches = [*self._branches, *([self._before.taken_back()] if self._before else ())]
        found = self._ripe(explained(branches, ways, change, possible, self._seats), change)
        verdict = judgement.weigh(found)
        if verdict is None or self._two_cards(record, change):
            self._unexplained(record, self._lies, None, change)
        elif verdict.cause.kind == "same":
            self._same(verdict, change)
        elif verdict.cause.kind == "legal":
            self._pending = Pending(self._lies, tuple(found), change.time)
            self._legal(branches, verdict, ways[0], change)
        else:
            self._wrong(verdict, change)

    def _possible(self, record: Record) -> frozenset[Card]:
        """The cards that may be seen: all but those that certainly lie in a pile and were not just taken."""
        last = (frozenset({turn.play.card}) | turn.play.takes for turn in record.turns[-1:])
        return (frozenset(DECK) - record.out).union(*last)

    def _ripe(self, found: list[Cause], change: TableChange) -> list[Cause]:
        """Without captures that are half done, when nobody gathers any more."""
        if change.quiet < self.times.bad_take - TICK or not any(cause.kind == "legal" for cause in found):
            return found
        return [cause for cause in found if cause.kind != "half"]

    def _fork(self, change: TableChange) -> None:
        """Plays that were not certain yet when the table changed again become branches of their own."""
        pending = self._pending
        if pending is None or self._fault or pending.table == self._lies:
            return
        made = forks(self._branches, pending.causes, change, pending.time, self.times.certain)
        self._branches = [self._branches[0], *made]
        self._pending = None

    def _same(self, verdict: Verdict, change: TableChange) -> None:
        """The table lies as it should, now or before the last play."""
        if not verdict.cause.retracts:
            if self._fault:
                self._clear(change.frame)
            self._branches = [replace(self._branches[0], since=change.time)]
            self._pending = None
            self._spend(change)
        elif verdict.share >= self.times.certain and change.quiet >= self.times.unseen - TICK:
            self._retract(change.frame)
            assert self._record is not None
            self._go_on(self._record, change)

    def _legal(self, branches: list[Branch], verdict: Verdict, way: Lying, change: TableChange) -> None:
        """Plays explain the table: they are committed when they are certain and their time has come."""
        if verdict.share < self.times.certain or change.quiet < self._patience(verdict) - TICK:
            return
        record = extended(branches, verdict, change, self.times.certain)
        if record is None or (self._fault and not verdict.cause.shown):
            return
        if self._fault:
            self._clear(change.frame)
        if verdict.cause.retracts:
            self._retract(change.frame)
        if way.weight >= self.times.certain:
            self._known = dict(way.cards)
        self._commit(record, change)

    def _patience(self, verdict: Verdict) -> float:
        """How long after the last motion these plays are committed."""
        cause = verdict.cause
        if len(cause.plays) == 1 and not cause.plays[0].takes:
            return self.times.lay
        if len(cause.plays) == 1 and cause.shown and not cause.retracts:
            return 0.0
        return self.times.unseen

    def _commit(self, record: Record, change: TableChange) -> None:
        """The plays that `record` has more than the one before are told."""
        before = self._branches[0]
        done = len(before.record.turns)
        for place in range(done, len(record.turns)):
            self._tell(record, place, change.frame)
        if len(record.turns) == done + 1:
            edges = frozenset(edge for time, edge in change.arms if time > before.since)
            self._seats.learn(record.turns[-1].play.player, edges)
        self._before = before if len(record.turns) == done + 1 else None
        self._go_on(record, change)
        self._settle_debts(change.frame)
        self._end_if_over(change.frame)

    def _tell(self, record: Record, place: int, frame: int) -> None:
        turn = record.turns[place]
        self._next = turn.n + 1
        self._last = Played(
            n=turn.n,
            player=turn.play.player,
            card=None if turn.open else str(turn.play.card),
            takes=_names(turn.play.takes),
            scopa=record.scopa(place),
            frame=frame,
            confidence=turn.confidence,
            how=turn.how,
            options=_names(turn.options) if turn.open else (),
            overruled=turn.overruled,
        )
        self._say(self._last)

    # Faults

    def _wrong(self, verdict: Verdict, change: TableChange) -> None:
        """The rules refuse what lies there: told once, when its time has come."""
        refused = next((cause for cause in verdict.group if cause.kind == "illegal"), None)
        if self._fault or refused is None or refused.code is None or verdict.share < WRONG:
            return
        if change.quiet < self._fault_time(refused.code) - TICK:
            return
        play = refused.plays[-1]
        card = play.card if refused.shown or not play.takes else None
        self._report(refused.code, play, card, refused.legal, change, put_back=_names(play.takes))

    def _fault_time(self, code: str) -> float:
        if code in {"must_take", "two_cards"}:
            return self.times.must_take
        return self.times.unknown_change if code == "unknown_change" else self.times.bad_take

    def _unexplained(self, record: Record, table: frozenset[Card], out: Card | None, change: TableChange) -> None:
        """Nothing explains the table; `out` is a card that is read for certain although it cannot lie there."""
        two = self._two_cards(record, change)
        code = "card_already_out" if out else "two_cards" if two else "unknown_change"
        if self._fault or change.quiet < self._fault_time(code) - TICK:
            return
        new = sorted(table - record.lying)
        gone = frozenset() if out else record.lying - table
        card = out or (new[0] if two else None)
        play = Play(record.state.turn, card or min(DECK), gone)
        self._report(code, play, card, (), change, put_back=_names(gone))

    def _two_cards(self, record: Record, change: TableChange) -> bool:
        """Two cards more, laid while only the arm of the player to move was there."""
        since = self._branches[0].since
        edges = frozenset(edge for time, edge in change.arms if time > since)
        lying = record.lying
        return lying < self._lies and len(self._lies - lying) == 2 and self._seats.alone(edges) == record.state.turn

    def _report(
        self,
        code: str,
        play: Play,
        card: Card | None,
        legal: Sequence[frozenset[Card]],
        change: TableChange,
        put_back: tuple[str, ...],
    ) -> None:
        self._fault = Fault(
            rule=code,
            player=play.player,
            card=None if card is None else str(card),
            takes=_names(play.takes),
            legal=tuple(_names(takes) for takes in legal),
            frame=change.frame,
            put_back=put_back,
        )
        self._branches = self._branches[:1]
        self._pending = None
        self._say(self._fault)

    def _clear(self, frame: int) -> None:
        self._fault = None
        self._say(Cleared(frame))

    # What follows from a commit

    def _retract(self, frame: int) -> None:
        """The last play is taken back."""
        assert self._before is not None
        assert self._record is not None
        self._say(Undone(self._record.turns[-1].n, frame))
        self._record = self._before.record
        self._next = self._record.turns[-1].n + 1 if self._record.turns else self._record.first
        self._branches = [self._before]
        self._before = None

    def _reconcile(self, record: Record, change: TableChange) -> Record:
        """Takes cards that are seen for certain out of the open plays."""
        if not record.debts:
            return record
        read = [sight.options[0] for sight in change.lying if sight.options]
        sure = frozenset(card for card, probability in read if probability >= self.times.certain)
        spared = record.sparing(sure - record.lying)
        if spared is None or spared is record:
            return record
        self._record = spared
        self._branches = [replace(self._branches[0], record=spared)]
        self._pending = None
        return spared

    def _settle_debts(self, frame: int) -> None:
        """Open plays that only one card is left for are settled."""
        record = self._record
        if record is None or not record.debts:
            return
        narrowed = record.sparing(record.lying | frozenset(turn.play.card for turn in record.turns if not turn.open))
        if narrowed is None:
            return
        for before, after in zip(record.turns, narrowed.turns, strict=True):
            if before.open and not after.open:
                self._say(Settled(after.n, str(after.play.card), frame, "deduced"))
        self._record = narrowed
        self._branches = [replace(self._branches[0], record=narrowed)]

    def finish(self, frame: int) -> list[AnyEvent]:
        """The end of a hand whose last play the players told; nothing while it goes on."""
        self._out = []
        self._end_if_over(frame)
        return self._out

    def _end_if_over(self, frame: int) -> None:
        record = self._record
        if record is None or not record.state.over:
            return
        points, piles = record.points(), record.piles()
        sides = range(len(piles))
        self._ended = Hand(
            piles={str(side): _names(piles[side]) for side in sides},
            points={str(side): {k: v for k, v in points[side].items() if k != "total"} for side in sides},
            total={str(side): points[side]["total"] for side in sides},
            settled=all(isinstance(item, int) for side in points for item in side.values()),
            frame=frame,
        )
        self._say(self._ended)
        self._close(record)

    def _close(self, record: Record) -> None:
        """The hand that has just been told is over; so is the match, if it is won."""
        assert self._ended is not None
        self._tally = self._tally.add(self._ended, game.wins_match(record.state))
        self._dealer = (self._dealer + 1) % self.rules.players
        self._record = self._before = None
        self._fresh = False
        if self._tally.won:
            self._say(self._tally.won)

    def remember(self, event: AnyEvent, record: Record | None, dealer: int) -> None:
        """Takes in a stored event: after it the running hand was `record`, and `dealer` deals it or the next one."""
        before, self._record, self._dealer = self._record, record, dealer
        self._branches = [Branch(record, 0.0)] if record else []
        self._before = None
        match event:
            case Played():
                self._next, self._last, self._fault = event.n + 1, event, None
                self._before = Branch(before, 0.0) if before else None
            case Undone():
                self._next = event.n
            case Fault():
                self._fault = event
            case Cleared():
                self._fault = None
            case Hand():
                wins = game.wins_match(before.state) if before else None
                self._ended, self._fresh = event, False
                self._tally = self._tally.add(event, wins)

    @property
    def view(self) -> View:
        """The facts of this moment, for the screens."""
        record = self._record
        expected = record.lying if record else frozenset()
        return View(
            phase=self._phase(),
            players=self.players,
            sides=self.rules.sides,
            dealer=self._dealer,
            hand=self._tally.hands + 1,
            play=len(record.turns) if record else 0,
            plays=self.rules.plays,
            turn=record.state.turn if record else None,
            lies=tuple(sorted(self._lies)),
            expected=tuple(sorted(expected)),
            missing=tuple(sorted(expected - self._lies)),
            surplus=tuple(sorted(self._lies - expected)) if record else (),
            state=record.state if record else None,
            last=self._last,
            fault=self._fault,
            question=self._question(),
            debts=len(record.debts) if record else 0,
            sure=tuple(side.total for side in game.certain_points(record.state)) if record else (),
            totals=self._tally.totals,
            ended=self._ended,
            won=self._tally.won,
        )

    def _phase(self) -> Phase:
        if self._tally.won:
            return "over"
        if self._fault:
            return "fault"
        if self._record:
            return "play"
        return "score" if self._ended and not self._fresh else "deal"

    def _question(self) -> Question | None:
        debts = self._record.debts if self._record else ()
        if not debts:
            return None
        turn = debts[-1]
        return Question(turn.n, turn.play.player, tuple(sorted(turn.play.takes)), tuple(sorted(turn.options)))

    def _say(self, event: AnyEvent) -> None:
        self._out.append(event)


def _names(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(str(card) for card in sorted(cards))
