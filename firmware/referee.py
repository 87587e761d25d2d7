"""The referee: observations of the table and answers of the players in, events out. Pure: time comes with them.

It keeps one record of what is certain, and a few branches: what may have happened since. Each settled table is
explained from every branch; what nearly all explanations agree on is committed, and the rest waits for the next
settled table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.play import Play
from engine.rules import RuleSet
from engine.state import State
from firmware import judgement
from firmware.causes import Cause, Seen, causes
from firmware.events import (
    AnyEvent,
    Cleared,
    Fault,
    Hand,
    Match,
    Notice,
    Played,
    Settled,
    Start,
    Table,
    Undone,
)
from firmware.evidence import TAKEN_BACK, Lying, Seats, glimpses, tables
from firmware.judgement import Verdict
from firmware.record import Range, Record, Turn
from firmware.times import Times
from firmware.view import Phase, Question, View
from vision.change import TICK, Changes, TableChange, best
from vision.observation import TableObservation

BRANCHES = 8
WRONG = 0.9
"""From this share on, causes that the rules refuse are told as a fault."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What may have happened since the last certain play: `plays` after `record`, seen until `since` (seconds)."""

    record: Record
    plays: tuple[Play, ...]
    since: float
    weight: float
    retracts: int = 0

    def state(self) -> State | None:
        """The state after its plays; None when a later sight made them impossible."""
        state = self.record.state
        try:
            for play in self.plays:
                state = game.apply(state, play)
        except IllegalPlay:
            return None
        return state


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
        self._known: dict[int, Card] = {}
        self._dealer = rules.players - 1
        self._hands = 0
        self._played = 0
        self._totals: list[Range] = [0] * len(set(rules.sides))
        self._lies: frozenset[Card] = frozenset()
        self._last: Played | None = None
        self._ended: Hand | None = None
        self._won: Match | None = None
        self._record: Record | None = None
        self._branches: list[Branch] = []
        self._before: Branch | None = None
        self._pending: Pending | None = None
        self._fault: Fault | None = None
        self._fresh = True
        self._noticed: set[str] = set()
        self._out: list[AnyEvent] = []

    def begin(self) -> list[AnyEvent]:
        """The event that starts the match."""
        settings = self.rules.settings()
        return [Start(self.rules.variant, settings, self.players, self.rules.sides, self._dealer)]

    def observe(self, observation: TableObservation) -> list[AnyEvent]:
        """What the referee has to say after one more look at the table."""
        self._out = []
        change = self._changes.update(observation)
        lying = {sight.track for sight in change.lying}
        self._known = {track: card for track, card in self._known.items() if track in lying}
        for what, happens in (
            ("camera_moved", observation.moved),
            ("light", observation.light),
            ("glare", observation.glare),
        ):
            if happens:
                self._say(Notice(what, observation.frame))
        if change.settled and not self._won:
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
                self._clear(change)
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
        self._begin_from(Record.begin(start), change)

    def _begin_from(self, record: Record, change: TableChange) -> None:
        """From here on, changes are explained from this record."""
        self._record = record
        self._branches = [Branch(record, (), change.time, 1.0)]
        self._pending = None
        self._changes.judged(self._before.since if self._before else change.time)

    # Judging a settled table

    def _judge(self, record: Record, change: TableChange) -> None:
        record = self._reconcile(record, change)
        possible = self._possible(record)
        ways = tables(change, self._known, possible, self.times.certain)
        if not ways:
            self._unexplained(record, frozenset(), change)
            return
        self._lies = ways[0].table
        self._fork(change)
        found = self._causes(record, ways, change, possible)
        verdict = judgement.weigh(found)
        if verdict is None or self._two_cards(record, self._lies, change):
            self._unexplained(record, self._lies, change)
        elif verdict.cause.kind == "same":
            self._same(verdict, change)
        elif verdict.cause.kind == "legal":
            self._pending = Pending(ways[0].table, tuple(found), change.time)
            self._legal(verdict, ways, change)
        else:
            self._wrong(verdict, change)

    def _possible(self, record: Record) -> frozenset[Card]:
        """The cards that may be seen: all but those that certainly lie in a pile and were not just taken."""
        last = record.turns[-1:]
        return frozenset(DECK) - record.out | frozenset(
            card for turn in last for card in (turn.play.card, *turn.play.takes)
        )

    def _causes(
        self, record: Record, ways: tuple[Lying, ...], change: TableChange, possible: frozenset[Card]
    ) -> list[Cause]:
        found: list[Cause] = []
        for branch in (*self._branches, *([self._before] if self._before else ())):
            state = branch.state()
            if state is None:
                continue
            playable = branch.record.playable - frozenset(play.card for play in branch.plays)
            # Who took a play back reached in after it, not before.
            since = self._branches[0].since if branch.retracts else branch.since
            arms = frozenset(edge for time, edge in change.arms if time > since)
            if branch.retracts:  # seeing a card that was taken back tells nothing
                playable -= {turn.play.card for turn in record.turns[-branch.retracts :]}
            back = frozenset(turn.play.player for turn in record.turns[-1:] if branch.retracts)
            seen = Seen(ways, glimpses(change, branch.since, playable & possible), arms, self._seats, back)
            told = causes(state, seen, self._most(branch, seen, state))
            found += [_after(branch, cause) for cause in told if not branch.retracts or cause.kind in {"same", "legal"}]
        if change.quiet >= self.times.bad_take - TICK and any(cause.kind == "legal" for cause in found):
            found = [cause for cause in found if cause.kind != "half"]  # nobody gathers any more
        found.sort(key=lambda cause: -cause.weight)
        return found

    def _most(self, branch: Branch, seen: Seen, state: State) -> int:
        """How many plays may have happened unseen between two settled tables: more only if there is reason."""
        if branch.retracts:
            return 1
        new = seen.tables[0].table - state.table
        return (
            2
            if len(new) > 1
            or len(seen.glimpsed) > 1
            or len(seen.edges) > 1
            or (new and state.table - seen.tables[0].table)
            else 1
        )

    def _fork(self, change: TableChange) -> None:
        """Plays that were not certain yet when the table changed again become branches of their own."""
        pending = self._pending
        if pending is None or self._fault or pending.table == self._lies:
            return
        total = sum(cause.weight for cause in pending.causes)
        whole = self._branches[0]
        forks = [
            Branch(whole.record, cause.plays, pending.time, cause.weight / total)
            for cause in pending.causes
            if cause.kind == "legal" and cause.plays and not cause.retracts
        ]
        self._branches = [whole, *forks[: BRANCHES - 1]]
        self._pending = None

    def _same(self, verdict: Verdict, change: TableChange) -> None:
        """The table lies as it should."""
        if verdict.cause.retracts:
            if change.quiet >= self.times.unseen - TICK and verdict.share >= self.times.certain:
                self._retract(change)
                self._changes.judged(change.time)
            return
        if self._fault:
            self._clear(change)
        self._changes.judged(self._before.since if self._before else change.time)
        self._branches = [replace(self._branches[0], since=change.time)]
        self._pending = None

    def _legal(self, verdict: Verdict, ways: tuple[Lying, ...], change: TableChange) -> None:
        """Plays explain the table: they are committed when they are certain and their time has come."""
        if verdict.share < self.times.certain or change.quiet < self._patience(verdict) - TICK:
            return
        if self._fault and not verdict.cause.shown:
            return
        if self._fault:
            self._clear(change)
        if verdict.cause.retracts:
            self._retract(change)
        before, record = self._branches[0], self._record
        assert record is not None
        edges = frozenset(edge for time, edge in change.arms if time > before.since)
        for place, play in enumerate(verdict.cause.plays):
            shares = judgement.options(verdict, place)
            record = self._commit(record, play, shares, verdict, change)
        if len(verdict.cause.plays) == 1:
            self._seats.learn(verdict.cause.plays[0].player, edges)
        if ways[0].weight >= self.times.certain:
            self._known = dict(ways[0].cards)
        self._before = replace(before, weight=TAKEN_BACK, retracts=1) if len(verdict.cause.plays) == 1 else None
        self._begin_from(record, change)
        self._settle_debts(change)
        self._end_if_over(change)

    def _patience(self, verdict: Verdict) -> float:
        """How long after the last motion these plays are committed."""
        cause = verdict.cause
        if len(cause.plays) == 1 and not cause.plays[0].takes:
            return self.times.lay
        if len(cause.plays) == 1 and cause.shown and not cause.retracts:
            return 0.0
        return self.times.unseen

    def _commit(
        self, record: Record, play: Play, shares: dict[Card, float], verdict: Verdict, change: TableChange
    ) -> Record:
        """One play becomes part of the record and is told."""
        card = next(iter(shares))
        certain = shares[card] >= self.times.certain
        options = frozenset({card}) if certain else frozenset(shares)
        play = replace(play, card=card)
        self._played += 1
        scope = sum(record.state.scope)
        record = record.add(Turn(self._played, play, options))
        seen = glimpses(change, -1.0, options)
        self._last = Played(
            n=self._played,
            player=play.player,
            card=str(card) if certain else None,
            takes=_names(play.takes),
            scopa=sum(record.state.scope) > scope,
            frame=change.frame,
            confidence=round(verdict.share * shares[card], 6),
            how=judgement.how_known(play, seen) if certain else "open",
            options=() if certain else _names(options),
        )
        self._say(self._last)
        return record

    # Faults

    def _wrong(self, verdict: Verdict, change: TableChange) -> None:
        """The rules refuse what lies there: told once, when its time has come."""
        refused = next((cause for cause in verdict.group if cause.kind == "illegal"), None)
        if self._fault or refused is None or verdict.share < WRONG:
            return
        code = refused.code or "unknown_change"
        if change.quiet < self._fault_time(code) - TICK:
            return
        play = refused.plays[-1]
        card = play.card if refused.shown or not play.takes else None
        self._report(code, play, card, refused.legal, change, put_back=_names(play.takes))

    def _fault_time(self, code: str) -> float:
        if code in {"must_take", "two_cards"}:
            return self.times.must_take
        return self.times.unknown_change if code in {"unknown_change", "card_already_out"} else self.times.bad_take

    def _unexplained(self, record: Record, table: frozenset[Card], change: TableChange) -> None:
        """Nothing explains the table."""
        two = self._two_cards(record, table, change)
        code = "two_cards" if two else "unknown_change"
        if self._fault or change.quiet < self._fault_time(code) - TICK:
            return
        gone = record.lying - table
        play = Play(record.state.turn, min(table - record.lying, default=min(DECK)), gone)
        self._report(code, play, play.card if two else None, (), change, put_back=_names(gone))

    def _two_cards(self, record: Record, table: frozenset[Card], change: TableChange) -> bool:
        """Two cards more, laid while only the arm of the player to move was there."""
        since = self._branches[0].since
        edges = frozenset(edge for time, edge in change.arms if time > since)
        return len(table - record.lying) == 2 and record.lying < table and self._seats.alone(edges) == record.state.turn

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

    def _clear(self, change: TableChange) -> None:
        self._fault = None
        self._say(Cleared(change.frame))

    # What follows from a commit

    def _retract(self, change: TableChange) -> None:
        """The last play is taken back."""
        assert self._before is not None
        self._say(Undone(self._played, change.frame))
        self._played -= 1
        self._record = self._before.record
        self._branches = [replace(self._before, weight=1.0, retracts=0)]
        self._before = None

    def _reconcile(self, record: Record, change: TableChange) -> Record:
        """Takes cards that are seen for certain out of the open plays."""
        if not record.debts:
            return record
        sure = {
            sight.options[0][0] for sight in change.lying if sight.options and sight.options[0][1] >= self.times.certain
        }
        spared = record.sparing(frozenset(sure) - record.lying)
        if spared is None or spared is record:
            return record
        self._record = spared
        self._branches = [replace(branch, record=spared) for branch in self._branches if branch.record is record]
        return spared

    def _settle_debts(self, change: TableChange) -> None:
        """Open plays that only one card is left for are settled."""
        record = self._record
        if record is None or not record.debts:
            return
        narrowed = record.sparing(record.lying | frozenset(turn.play.card for turn in record.turns if not turn.open))
        if narrowed is None:
            return
        for before, after in zip(record.turns, narrowed.turns, strict=True):
            if before.open and not after.open:
                self._say(Settled(after.n, str(after.play.card), change.frame, "deduced"))
        self._record = narrowed
        self._branches = [replace(branch, record=narrowed) for branch in self._branches]

    def _end_if_over(self, change: TableChange) -> None:
        record = self._record
        if record is None or not record.state.over:
            return
        points, piles = record.points(), record.piles()
        sides = range(len(piles))
        settled = all(isinstance(item, int) for side in points for item in side.values())
        self._ended = Hand(
            piles={str(side): _names(piles[side]) for side in sides},
            points={str(side): {k: v for k, v in points[side].items() if k != "total"} for side in sides},
            total={str(side): points[side]["total"] for side in sides},
            settled=settled,
            frame=change.frame,
        )
        self._say(self._ended)
        self._hands += 1
        self._fresh = False
        self._dealer = (self._dealer + 1) % self.rules.players
        self._record = None
        self._before = None
        self._count(points)

    def _count(self, points: tuple[dict[str, Range], ...]) -> None:
        """Adds the points of a hand and tells who won (M2, M3)."""
        self._totals = [_plus(total, side["total"]) for total, side in zip(self._totals, points, strict=True)]
        totals = [total for total in self._totals if isinstance(total, int)]
        best = max(totals, default=0)
        if len(totals) == len(self._totals) and best >= self.rules.target and totals.count(best) == 1:
            named = {str(side): total for side, total in enumerate(totals)}
            self._won = Match(named, str(totals.index(best)))
            self._say(self._won)

    def remember(self, event: AnyEvent, record: Record | None, dealer: int) -> None:
        """Takes in a stored event: after it the running hand was `record`, and `dealer` deals it or the next one."""
        self._record, self._dealer = record, dealer
        self._branches = [Branch(record, (), 0.0, 1.0)] if record else []
        match event:
            case Played():
                self._played, self._last = event.n, event
            case Undone():
                self._played = event.n - 1
            case Fault():
                self._fault = event
            case Cleared():
                self._fault = None
            case Hand():
                self._hands, self._ended, self._fresh = self._hands + 1, event, False
                self._totals = [_plus(total, event.total[str(side)]) for side, total in enumerate(self._totals)]
            case Match():
                self._won = event

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
            hand=self._hands + 1,
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
            totals=tuple(self._totals),
            ended=self._ended,
            won=self._won,
        )

    def _phase(self) -> Phase:
        if self._won:
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


def _after(branch: Branch, cause: Cause) -> Cause:
    """A cause as seen from the record: with the plays of its branch before it."""
    kind = "legal" if branch.plays and cause.kind == "same" else cause.kind
    return replace(
        cause,
        kind=kind,
        plays=(*branch.plays, *cause.plays),
        weight=branch.weight * cause.weight,
        retracts=branch.retracts,
    )


def _names(cards: frozenset[Card] | Sequence[Card]) -> tuple[str, ...]:
    return tuple(str(card) for card in sorted(cards))


def _plus(total: Range, more: Range) -> Range:
    if isinstance(total, int) and isinstance(more, int):
        return total + more
    low, high = (number if isinstance(number, tuple) else (number, number) for number in (total, more))
    return low[0] + high[0], low[1] + high[1]
