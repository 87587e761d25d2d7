"""The referee of Sette e mezzo: observations of the table and what the players say in, events out. Pure.

It holds the record of what is certain. Every settled table is compared with it: a face-up card before a player that the
record does not have is a move of the rules, a fault, or waits until the players have said what comes before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist

import msgspec

from engine.cards import Card
from engine.errors import EngineError
from engine.rules import RuleSet
from engine.sette_moves import Stand, Swap
from engine.sette_round import Round, verdict
from engine.sette_session import RoundDeal, advance
from firmware import events
from firmware.errors import StoreError
from firmware.events import AnyEvent, Cleared, Fault, How, Notice, Start, Step
from firmware.sette_judge import EITHER, Cover, Reading, explain, read
from firmware.sette_pay import busts, paid
from firmware.sette_record import folded, possible
from firmware.sette_seats import Places, SeatSight, learnt, long_side, middle
from firmware.sette_steps import Seen, Shows, step_of
from firmware.times import Times
from vision.change import TICK, Changes, Sight, TableChange, best
from vision.observation import Point, TableObservation

IN_PLACE = 0.4
"""A face within so many long sides of where a back lay is that card turned over."""
SEAT_SURE = 0.9
"""From this probability on a card is read well enough for the lot of the bank."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A card before `player` that cannot be read for certain: it is one of `options`, the likeliest first.

    `turned`: its only option is certain, but it may be a new card or the covered one turned up.
    """

    track: int
    player: int
    options: tuple[Card, ...]
    turned: bool = False


class SetteReferee:
    """Follows one game. `players` are names in the order of play; `told` are the events of a game that goes on."""

    def __init__(
        self, rules: RuleSet, players: Sequence[str], times: Times | None = None, told: Sequence[AnyEvent] = ()
    ) -> None:
        """Raises `StoreError` for events that cannot be a game."""
        self.rules, self.players, self.times = rules, tuple(players), times or Times()
        try:
            self.record = folded(rules, len(players), told)
        except EngineError as error:
            raise StoreError(f"expected the steps of a game of Sette e mezzo, got others: {error}") from error
        self.won = next((event for event in told if isinstance(event, events.Match)), None)
        self.fault: Fault | None = None
        self.asked: Asked | None = None
        self.sights: tuple[SeatSight, ...] = ()
        self.lying = 0
        self.frame = max(
            (event.frame for event in told if not isinstance(event, Start | events.Match | events.Corrected)), default=0
        )
        self._out: list[AnyEvent] = []
        self._changes = Changes(self.times.settled, self.times.resting)
        self._known: dict[int, Card] = {}
        self._said: dict[int, Card] = {}
        self._covered: dict[int, Cover] = {}
        self._ignored: set[int] = set()
        self._bared: set[int] = set()
        self._still: dict[int, float] = {}
        self._dealt: float | None = None
        self._covers: dict[int, Point] = {}
        self._noticed: set[str] = set()
        self._accepted: Fault | None = None
        if told:
            self.fault = _open_fault(told)

    def begin(self) -> list[AnyEvent]:
        """The event that starts the game."""
        sides = tuple(range(len(self.players)))
        return [Start(self.rules.variant, self.rules.settings(), self.players, sides, 0)]

    @property
    def round(self) -> Round | None:
        """The running round."""
        return self.record.session.round

    def observe(self, observation: TableObservation) -> list[AnyEvent]:
        """What there is to say after one more look at the table."""
        self._out, self.frame = [], observation.frame
        change = self._changes.update(observation)
        self._notice(observation)
        self.lying = len(change.lying)
        if self.record.seats is not None:
            self._sort(self.record.seats, change, observation)
        if self.won is None:
            self._look(change)
        return self._out

    def say(self, *steps: Step) -> list[AnyEvent]:
        """Steps that the players tell. Raises `IllegalPlay` or `InvalidPlay` for what the rules refuse."""
        self._out = []
        for step in steps:
            self._step(step)
        return self._out

    def put(self, step: Step) -> list[AnyEvent]:
        """A step put right: it takes the place of the one with its number. Raises as `say` does."""
        before, self._out = self.record, []
        self.record = before.put(step)
        self._out.append(step)
        renamed = {_card(old): _card(step) for old, _ in before.steps if old.n == step.n}
        self._known = {track: renamed.get(card) or card for track, card in self._known.items()}
        if self.record.over is not None and (before.over is None or before.settlement != self.record.settlement):
            self._pay()
        return self._out

    def tell(self, *told: AnyEvent) -> list[AnyEvent]:
        """Seats, a bank or the end, as the players say. Raises `InvalidPlay` where it cannot be."""
        for event in told:
            if isinstance(event, events.Bank):
                self.record = self.record.with_bank(event.player)
            elif isinstance(event, events.Match):
                self.won = event
        return list(told)

    def undo(self, n: int) -> list[AnyEvent]:
        """The steps from number `n` on are annulled; their cards count for nothing while they lie there."""
        last = self.record.next - 1
        self.record = self.record.until(n)
        standing = self.round.shown if self.round is not None else frozenset()
        self._ignored |= {track for track, card in self._known.items() if card not in standing}
        self._known = {track: card for track, card in self._known.items() if card in standing}
        return [*self._clear(), *(events.Undone(number, self.frame) for number in range(last, n - 1, -1))]

    def shuffled_before(self) -> list[AnyEvent]:
        """The used cards were shuffled before this round, and nobody said so: the round is told again after it.

        Raises `IllegalPlay` or `InvalidPlay` where that cannot have been; nothing changes then.
        """
        record, last = self.record, self.record.next - 1
        dealt = [step for step, _ in record.steps if isinstance(step, events.Round)][-1]
        steps = (dealt, *record.of_round())
        told: list[Step] = [events.Shuffled(dealt.n, self.frame)]
        told += [msgspec.structs.replace(step, n=step.n + 1) for step in steps]
        record = record.until(dealt.n)
        for step in told:
            record = record.add(step)
        self.record = record
        undone = (events.Undone(n, self.frame) for n in range(last, dealt.n - 1, -1))
        return [*self._clear(), *undone, *told]

    def highest(self) -> int:
        """The player who laid the highest card for his seat; of equal ones the suit decides, denari first."""
        assert self.record.seats is not None, "the lot follows the seats"
        cards = [Card.parse(name) for name in self.record.seats.cards]
        return cards.index(max(cards, key=lambda card: (card.value, -card.suit)))

    def answer(self, card: Card) -> None:
        """The card that was asked about is this one: it is told with the next look at the table."""
        if self.asked is not None:
            self._said[self.asked.track] = card
            self.asked = None

    def answer_turned(self, turned: bool) -> None:
        """The card that was asked about is the covered one turned up, or a new one."""
        if self.asked is not None:
            self._covered[self.asked.track] = "turned" if turned else "there"
            self.asked = None

    def accept(self) -> list[AnyEvent]:
        """All agree: what the fault is about counts for nothing, and the game goes on.

        A card without a covered one beside it counts as one that was asked.
        """
        committed, self._accepted = set(self._known), self.fault
        if self.fault is not None and self.fault.rule == "none_covered":
            here = self.sights[self.fault.player].faces
            self._covered |= {sight.track: "there" for sight in here if sight.track not in committed}
            return self._clear()
        self._ignored |= {sight.track for seat in self.sights for sight in seat.faces} - committed
        return self._clear()

    # looking at the table

    def _sort(self, seats: events.Seats, change: TableChange, observation: TableObservation) -> None:
        """Who has which cards now, and since when each of them lies still."""
        still = {card.track for card in observation.cards if card.still and card.seen}
        self._still = {track: self._still.get(track, change.time) for track in still}
        self.sights = Places(seats.places, seats.size).sort(change.lying, observation.backs)
        self._watch_covers(change.settled)

    def _rests(self, sight: Sight, now: float) -> bool:
        """Whether a card has lain still, in full sight, for long enough: a hand elsewhere does not matter."""
        since = self._still.get(sight.track)
        return since is not None and now - since >= self.times.lay - TICK

    def _notice(self, observation: TableObservation) -> None:
        """Camera, light and glare: told when they begin."""
        now = {"camera_moved": observation.moved, "light": observation.light, "glare": observation.glare}
        begun = {what for what, happens in now.items() if happens}
        self._out += [Notice(what, observation.frame) for what in sorted(begun - self._noticed)]
        self._noticed = begun

    def _watch_covers(self, settled: bool) -> None:
        """Remembers where covered cards lie, and which faces came while their player had none covered."""
        for player, seat in enumerate(self.sights):
            if not seat.backs:
                self._bared |= {sight.track for sight in seat.faces if sight.track not in self._known}
            elif settled:
                self._covers[player] = seat.backs[0]

    def _look(self, change: TableChange) -> None:
        session = self.record.session
        if self.record.seats is None:
            if change.settled:
                self._learn(change)
        elif session.bank is None:
            if change.settled and not change.lying:
                self._lot(change.frame)
        elif session.round is None:
            self._await_deal(change)
        else:
            self._judge(session.round, change)

    def _learn(self, change: TableChange) -> None:
        """One card before each player."""
        sure = all(sight.options and sight.options[0][1] >= SEAT_SURE for sight in change.lying)
        if len(change.lying) != len(self.players) or not sure or change.quiet < self.times.lay - TICK:
            return
        seats = learnt(change.lying)
        if seats is None:
            return
        places = tuple(middle(sight.corners) for sight in seats)
        size = max(long_side(sight.corners) for sight in seats)
        cards = tuple(str(best(sight)) for sight in seats)
        told = events.Seats(places, size, cards, change.frame)
        self.record = replace(self.record, seats=told)
        self._out.append(told)

    def _lot(self, frame: int) -> None:
        """The cards of the seats are gone, and nobody said anything else: the highest of them has the bank."""
        self._out += self.tell(events.Bank(self.highest(), "cards", frame))

    def _await_deal(self, change: TableChange) -> None:
        """A round begins when the old cards are gone and the players have covered cards.

        A back may be missed: after a while half of them are enough, and nothing is lost by it.
        """
        dealt = self.deal()
        if dealt is None or any(seat.faces for seat in self.sights):
            self._dealt = None
            return
        there = [player for player in dealt.order if self.sights[player].backs]
        whole = len(there) == len(dealt.order)
        enough = 2 * len(there) >= len(dealt.order) and any(player != dealt.bank for player in there)
        if not whole and not enough:
            self._dealt = None
            return
        self._dealt = change.time if self._dealt is None else self._dealt
        if change.time - self._dealt >= (self.times.lay if whole else self.times.bad_take) - TICK:
            self._dealt = None
            self._step(dealt)

    def deal(self) -> events.Round | None:
        """The step of a deal now; None when the stock is too small for it, or the game is over."""
        record = self.record
        if record.session.bank is None or record.session.over:
            return None
        try:
            state = advance(record.session, RoundDeal()).round
        except EngineError:
            return None
        assert state is not None, "a deal begins a round"
        return events.Round(record.next, record.rounds + 1, state.bank, state.order, state.chips, self.frame)

    # judging a settled table

    def _judge(self, state: Round, change: TableChange) -> None:
        """Takes every new card in, one after the other; what cannot be taken in is a fault or waits."""
        problem, taken = self._take(state, self._fresh(state), change)
        while taken and self.round is not None:
            problem, taken = self._take(self.round, self._fresh(self.round), change)
        if self.round is not None and change.settled:
            self._trouble(problem or self._other_fault(self.round, change), change)

    def _fresh(self, state: Round) -> list[tuple[int, Sight, Cover]]:
        """The cards that the record does not have: player, sight, and his covered card then; in their order."""
        lying = {sight.track for seat in self.sights for sight in seat.faces}
        self._known = {track: card for track, card in self._known.items() if track in lying}
        self._said = {track: card for track, card in self._said.items() if track in lying}
        self._covered = {track: cover for track, cover in self._covered.items() if track in lying}
        self._ignored &= lying
        found: list[tuple[int, Sight, Cover]] = []
        for player in state.order:
            seat = self.sights[player]
            new = [sight for sight in seat.faces if not self._is_known(sight, state)]
            new = self._in_order(state, player, self._told_before(player, new))
            found += [(player, sight, self._cover(state, player, sight, new)) for sight in new]
        return sorted(found, key=lambda one: state.order.index(one[0]) if one[0] != state.turn else -1)

    def _cover(self, state: Round, player: int, sight: Sight, new: Sequence[Sight]) -> Cover:
        """What is known of a player's covered card when a new card lies before him."""
        if sight.track in self._covered:
            return self._covered[sight.track]
        # Of several new cards the last one of a player is the covered card turned up, the first one of the bank.
        if self.sights[player].backs or (player != state.bank and sight is not new[-1]):
            return "there"
        place = self._covers.get(player)
        size = long_side(sight.corners)
        if place is None:
            return "unknown"
        return "turned" if dist(middle(sight.corners), place) < IN_PLACE * size else "gone"

    def _is_known(self, sight: Sight, state: Round) -> bool:
        if sight.track in self._known or sight.track in self._ignored:
            return True
        reading = self._read(sight, state)
        if reading.card is not None and reading.card in state.shown and reading.share >= self.times.certain:
            self._known[sight.track] = reading.card  # seen before, lost from sight, and found again
            return True
        return False

    def _told_before(self, player: int, new: list[Sight]) -> list[Sight]:
        """Without the cards that the players named: after a power cut such a card is read wrongly once more."""
        asked = [step for step in self.record.of_round() if isinstance(step, Shows) and step.how == "asked"]
        named = [Card.parse(step.card) for step in asked if step.player == player]
        left = list(new)
        for card in named:
            if left and card not in self._known.values():
                sight = max(left, key=lambda sight: dict(sight.options).get(card, 0.0))
                self._known[sight.track] = card
                left.remove(sight)
        return left

    def _in_order(self, state: Round, player: int, new: list[Sight]) -> list[Sight]:
        """New cards of one player as they came; of a covered card that was turned up its place tells when."""
        cover = self._covers.get(player)
        if len(new) < 2 or cover is None or self.sights[player].backs or state.covered[player] is not None:
            return new
        turned = min(new, key=lambda sight: dist(middle(sight.corners), cover))
        others = [sight for sight in new if sight is not turned]
        return [turned, *others] if player == state.bank else [*others, turned]

    def _read(self, sight: Sight, state: Round) -> Reading:
        if sight.track in self._said:
            return Reading(self._said[sight.track], 1.0)
        lost = state.shown - frozenset(self._known.values())
        return read(sight, state.fresh | lost)

    def _take(
        self, state: Round, fresh: list[tuple[int, Sight, Cover]], change: TableChange
    ) -> tuple[Fault | None, bool]:
        """Commits the first card that can be; the first fault otherwise."""
        problem: Fault | None = None
        self.asked = None
        for player, sight, cover in fresh:
            if not self._rests(sight, change.time):
                continue
            reading = self._read(sight, state)
            if reading.card is None or reading.share < self.times.certain:
                problem = problem or self._unread(player, sight, reading, change)
                continue
            move = explain(state, player, reading.card, cover, sight.track in self._bared)
            if move == EITHER:
                self.asked = self.asked or Asked(sight.track, player, (reading.card,), turned=True)
            elif isinstance(move, str):
                problem = problem or self._fault(move, player, reading.card, change)
            elif move is not None:
                self._known[sight.track] = reading.card
                if isinstance(move, Swap):  # what else came meanwhile was drawn after it
                    self._bared -= {other.track for other in self.sights[player].faces}
                self._step(step_of(state, move, self.record.next, self._seen(reading, sight, change.frame)))
                return None, True
        return problem, False

    def _unread(self, player: int, sight: Sight, reading: Reading, change: TableChange) -> Fault | None:
        """A card that cannot be there is a fault, one that stays unsure a question."""
        if reading.out is not None:
            return self._fault("card_already_out", player, reading.out, change)
        if reading.options and change.quiet >= self.times.ask - TICK:
            self.asked = self.asked or Asked(sight.track, player, reading.options)
        return None

    def _seen(self, reading: Reading, sight: Sight, frame: int) -> Seen:
        how: How = "asked" if sight.track in self._said else "deduced" if reading.deduced else "seen"
        return Seen(frame, round(reading.share, 4), how)

    def _other_fault(self, state: Round, change: TableChange) -> Fault | None:
        """Two covered cards before the player whose turn it is, or a card that is gone though it still counts."""
        turn = state.turn
        if turn is None or turn == state.bank:
            return None
        if len(self.sights[turn].backs) > 1:
            return self._fault("two_covered", turn, None, change)
        lies = frozenset(self._known.values())
        gone = [card for place in state.bets(turn) for card in place.up if card not in lies]
        return self._fault("unknown_change", turn, None, change, tuple(gone)) if gone else None

    def _fault(
        self, code: str, player: int, card: Card | None, change: TableChange, gone: tuple[Card, ...] = ()
    ) -> Fault | None:
        """A fault, when its time has come."""
        soon = code in {"wrong_turn", "already_bust", "must_declare"}
        if change.quiet < (self.times.bad_take if soon else self.times.unknown_change) - TICK:
            return self.fault if self.fault is not None and self.fault.rule == code else None
        put_back = tuple(map(str, gone))
        return Fault(code, player, None if card is None else str(card), (), (), change.frame, put_back)

    def _trouble(self, problem: Fault | None, change: TableChange) -> None:
        """Tells a fault once, and that it is over when nothing is wrong any more."""
        if problem is None or (self._accepted is not None and _same(problem, self._accepted)):
            self._out += self._clear()
        elif self.fault is None or not _same(problem, self.fault):
            self._out += [*self._clear(), problem]
            self.fault = problem

    def _clear(self) -> list[AnyEvent]:
        if self.fault is None:
            return []
        self.fault = None
        return [Cleared(self.frame)]

    # steps

    def _step(self, step: Step) -> None:
        """One step more, with what follows from it."""
        before = self.round
        self.record = self.record.add(step)
        after = self.record.over or self.round
        self._out += [*self._clear(), step]
        self._accepted = None
        if isinstance(step, events.Round):
            self._known, self._ignored, self._bared = {}, set(), set()
            self._covers = {player: seat.backs[0] for player, seat in enumerate(self.sights) if seat.backs}
        elif before is not None and after is not None:
            self._out += busts(before, after, self.frame)
        if self.record.over is not None and before is not None:
            self._pay()

    def _pay(self) -> None:
        told = paid(self.record, self.frame)
        self._out.append(told)
        if self.record.session.over:
            self._out += self.tell(self.ended())

    def ended(self) -> events.Match:
        """The end of the game: the chips of each player; who has the most has won."""
        chips = self.record.session.chips
        most = [player for player, count in enumerate(chips) if count == max(chips)]
        totals = {str(player): count for player, count in enumerate(chips)}
        return events.Match(totals, str(most[0]) if len(most) == 1 else "")

    def stands(self, player: int, bet: int, how: How = "asked") -> events.Stood | None:
        """The step of a stand; None when the rules refuse it."""
        if self.round is None or verdict(self.round, Stand(player, bet)) is not None:
            return None
        return events.Stood(self.record.next, player, bet, self.frame, how)

    def can(self, step: Step) -> bool:
        """Whether the rules allow a step now."""
        return possible(self.record, step)


def _card(step: Step) -> Card | None:
    """The card that a step shows."""
    return Card.parse(step.card) if isinstance(step, Shows) else None


def _same(one: Fault, other: Fault) -> bool:
    return (one.rule, one.player, one.card, one.put_back) == (other.rule, other.player, other.card, other.put_back)


def _open_fault(told: Sequence[AnyEvent]) -> Fault | None:
    """The fault that was told last and not cleared."""
    newest = next((event for event in reversed(told) if isinstance(event, Fault | Cleared)), None)
    return newest if isinstance(newest, Fault) else None
