"""The course of a match as it was told so far: the running hand, its suppositions, the open fault, the totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from engine import game
from engine.bits import bits
from engine.cards import Card, parse_cards
from engine.cirulla import knock_worth
from engine.errors import IllegalPlay
from engine.play import Knock, Play
from engine.rules import RuleSet
from engine.scoring import wins_match
from firmware.branches import Branch
from firmware.causes import Cause
from firmware.events import (
    AnyEvent,
    Claimed,
    Cleared,
    Fault,
    Hand,
    How,
    Knocked,
    Played,
    Settled,
    Undone,
)
from firmware.record import Record
from firmware.tally import Tally


@dataclass(frozen=True, slots=True)
class Pending:
    """Causes of a settled table that are not committed yet, and when it was last seen (seconds)."""

    table: frozenset[Card]
    causes: tuple[Cause, ...]
    time: float


class Course:
    """What is told is kept here; every change of it goes through one of these methods, and into `out` as an event.

    `record` is the running hand, None between hands; `branches` begin with it. `before` is the hand before the last
    play, while that may be taken back. `fresh`: the table was empty since the last hand. `lies` is what
    lies on the table, as far as it can be read. `knocked` is a knock that no play followed yet. `asked` are the cards
    that the next play may be, if its card lies there and cannot be read.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.tally = Tally.new(rules)
        self.dealer = rules.players - 1
        self.next = 1
        self.record: Record | None = None
        self.branches: list[Branch] = []
        self.before: Branch | None = None
        self.pending: Pending | None = None
        self.fault: Fault | None = None
        self.fresh = True
        self.lies: frozenset[Card] = frozenset()
        self.last: Played | None = None
        self.knocked: Knocked | None = None
        self.asked: tuple[Card, ...] = ()
        self.ended: Hand | None = None
        self._marks: set[Card] = set()
        self.out: list[AnyEvent] = []
        self._open: set[int] = set()

    @property
    def wrong(self) -> bool:
        """Whether a fault is open that must be put right; what only was not understood may yet explain itself."""
        return self.fault is not None and self.fault.rule != "unknown_change"

    def say(self, event: AnyEvent) -> None:
        """One event to tell and to store."""
        self.out.append(event)

    def go_on(self, record: Record, time: float) -> None:
        """From this time on (seconds), changes are explained from this record."""
        self.record = record
        self.branches = [Branch(record, time)]
        self.pending = None
        self.asked = ()

    def commit(self, record: Record, frame: int, time: float, since: float | None) -> None:
        """The plays that `record` has more than the one before are told; the hand may end with them.

        `since` is when the table lay as before the last of them (seconds); None if it never lay still meanwhile, and
        then that play cannot be taken back.
        """
        done = len(self.branches[0].record.turns)
        for place in range(done, len(record.turns)):
            self._tell(record, place, frame)
        self.before = None if since is None else Branch(record.until(len(record.turns) - 1), since)
        self.go_on(record, time)
        self._settle_debts(frame)
        self.end_if_over(frame)

    def _tell(self, record: Record, place: int, frame: int) -> None:
        turn = record.turns[place]
        self.next = turn.n + 1
        self.knocked = None
        self.last = Played(
            n=turn.n,
            player=turn.play.player,
            card=None if turn.open else str(turn.play.card),
            takes=names(turn.play.takes),
            scopa=record.scopa(place),
            frame=frame,
            confidence=turn.confidence,
            how=turn.how,
            options=names(turn.options) if turn.open else (),
            overruled=turn.overruled,
        )
        if turn.open:
            self._open.add(turn.n)
        self._mark(self.last)
        self.say(self.last)

    def _mark(self, play: Played) -> None:
        if play.scopa and play.card:
            self._marks.add(Card.parse(play.card))

    @property
    def marks(self) -> frozenset[Card]:
        """The cards that may stick out face up from under the piles: each one made a scopa."""
        return self.record.out & self._marks if self.record else frozenset()

    def knock(self, knock: Knock, frame: int) -> None:
        """A knock is told: from now on the hand of its player is known."""
        assert self.record is not None
        assert knock.cards is not None
        self.record = self.record.knock(knock)
        worth = knock_worth(self.rules, knock.cards)
        self.knocked = Knocked(knock.player, names(knock.cards), worth.kind or "", worth.points, worth.matta, frame)
        others = [branch for branch in self.branches[1:] if knock.cards <= branch.record.playable]
        self.branches = [replace(self.branches[0], record=self.record), *_knocked(others, knock)]
        self.before = None
        self.say(self.knocked)

    def report(
        self,
        code: str,
        play: Play,
        card: Card | None,
        legal: Sequence[frozenset[Card]],
        frame: int,
        put_back: Iterable[Card],
    ) -> None:
        """A fault is told, and stays open until it is cleared."""
        told = tuple(names(takes) for takes in legal)
        shown = None if card is None else str(card)
        self.fault = Fault(code, play.player, shown, names(play.takes), told, frame, names(put_back))
        if self.wrong:
            self.branches = self.branches[:1]
            self.pending = None
        self.say(self.fault)

    def clear(self, frame: int) -> None:
        """The table is right again."""
        self.fault = None
        self.say(Cleared(frame))

    def retract(self, frame: int, time: float) -> None:
        """The last play is annulled."""
        assert self.record is not None
        turn = self.record.turns[-1]
        self.say(Undone(turn.n, frame))
        self.next = turn.n
        self.before = None
        self._open.discard(turn.n)
        self.go_on(self.record.until(len(self.record.turns) - 1), time)

    def spare(self, cards: frozenset[Card], frame: int) -> None:
        """Takes cards that were seen elsewhere out of the open plays."""
        spared = self.record.sparing(cards) if self.record else None
        if spared is not None and spared is not self.record:
            self._narrow(spared, frame, "deduced")
            # They keep their places, for undecided causes name the branches that they continue.
            self.branches[1:] = [_sparing(branch, cards) for branch in self.branches[1:]]

    def _settle_debts(self, frame: int) -> None:
        """Open plays that only one card is left for are settled."""
        if self.record and self._open:
            certain = frozenset(turn.play.card for turn in self.record.turns if not turn.open)
            lying = self.record.lying - {turn.play.card for turn in self.record.debts}
            self._narrow(self.record.sparing(lying | certain) or self.record, frame, "deduced")

    def _narrow(self, narrowed: Record, frame: int, how: How) -> None:
        """The running hand with fewer open plays; those that are certain now are told."""
        for turn in narrowed.turns:
            if turn.n in self._open and not turn.open:
                self._open.remove(turn.n)
                self.say(Settled(turn.n, str(turn.play.card), frame, how))
        self.record = narrowed
        self.branches[0] = replace(self.branches[0], record=narrowed)

    def end_if_over(self, frame: int) -> None:
        """After its last play, the hand is counted and told; so is the match, if it is won."""
        if self.record is None or not self.record.state.over:
            return
        points, piles = self.record.points(), self.record.piles()
        sides = range(len(piles))
        self.ended = Hand(
            piles={str(side): names(piles[side]) for side in sides},
            points={str(side): {k: v for k, v in points[side].items() if k != "total"} for side in sides},
            total={str(side): points[side]["total"] for side in sides},
            settled=all(isinstance(item, int) for side in points for item in side.values()),
            frame=frame,
        )
        self.say(self.ended)
        self.tally = self.tally.add(self.ended, game.wins_match(self.record.state))
        self.dealer = (self.dealer + 1) % self.rules.players
        self.record = self.before = None
        self.fresh = False
        self._open.clear()
        self._marks.clear()
        if self.tally.won:
            self.say(self.tally.won)

    def remember(self, event: AnyEvent, record: Record | None, dealer: int) -> None:
        """Takes in a stored event: after it the running hand was `record`, and `dealer` deals it or the next one."""
        before, self.record, self.dealer = self.record, record, dealer
        self._open = {turn.n for turn in record.debts} if record else set()
        self.branches = [Branch(record, 0.0)] if record else []
        self.before = None
        match event:
            case Played():
                self.next, self.last, self.fault = event.n + 1, event, None
                self._mark(event)
                self.knocked = None
                self.before = Branch(before, 0.0) if before else None
            case Knocked():
                self.knocked = event
            case Fault():
                self.fault = event
            case Cleared():
                self.fault = None
            case Hand():
                wins = game.wins_match(before.state) if before and event.how == "played" else self._all_denari(event)
                self.ended, self.fresh = event, False
                self.tally = self.tally.add(event, wins)
            case Claimed():
                self.fresh = False
                self.tally = self.tally.claimed(event.side, event.total)

    def _all_denari(self, hand: Hand) -> int | None:
        """The side that wins the match by a corrected hand alone."""
        piles = [bits(parse_cards(hand.piles[side])) for side in sorted(hand.piles, key=int)]
        return wins_match(self.rules, piles)


def _sparing(branch: Branch, cards: frozenset[Card]) -> Branch:
    """The branch without these cards in its open plays; one that cannot be has no weight any more."""
    record = branch.record.sparing(cards)
    return replace(branch, weight=0.0) if record is None else replace(branch, record=record)


def _knocked(branches: Sequence[Branch], knock: Knock) -> list[Branch]:
    """The branches in which this knock may have been, after it."""
    after = []
    for branch in branches:
        with suppress(IllegalPlay):
            after.append(replace(branch, record=branch.record.knock(knock)))
    return after


def names(cards: Iterable[Card]) -> tuple[str, ...]:
    """Cards as texts, in deck order."""
    return tuple(str(card) for card in sorted(cards))
