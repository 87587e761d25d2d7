"""The referee of Sette e mezzo: observations of the table and what the players say in, events out. Pure.

It holds the record of what is certain. Every settled table is compared with it: a face-up card before a player that the
record does not have is a move of the rules, a fault, or waits until the players have said what comes before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from engine.cards import Card
from engine.errors import EngineError, InvalidPlay
from engine.rules import RuleSet
from engine.sette_moves import Draw, Stand, Swap
from engine.sette_round import Round, verdict
from engine.sette_session import RoundDeal, advance
from firmware import events
from firmware.errors import StoreError
from firmware.events import AnyEvent, Cleared, Fault, How, Notice, Start, Step
from firmware.sette_faces import Faces
from firmware.sette_judge import EITHER, Reading, explain
from firmware.sette_pay import busts, paid
from firmware.sette_record import folded, possible
from firmware.sette_seats import Places, SeatSight, learnt, long_side
from firmware.sette_steps import Seen, Shows, step_of
from firmware.times import Times
from vision.change import TICK, Changes, Sight, TableChange, best
from vision.observation import TableObservation, middle

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
        self._asking: int | None = None
        self.faces = Faces(self.times, len(players), returning=len(told) > 1)
        self.lying, self.lot_is_said = 0, False
        self.frame = max(
            (event.frame for event in told if not isinstance(event, Start | events.Match | events.Corrected)), default=0
        )
        self._out: list[AnyEvent] = []
        self._changes = Changes(self.times.settled, self.times.resting)
        self._dealt: float | None = None
        self._noticed: set[str] = set()
        self._accepted: Fault | None = None
        if told:
            self.fault = _open_fault(told)

    def begin(self) -> list[AnyEvent]:
        """The event that starts the game."""
        sides = tuple(range(len(self.players)))
        return [Start(self.rules.variant, self.rules.settings(), self.players, sides, 0)]

    @property
    def sights(self) -> tuple[SeatSight, ...]:
        """What lies before each player now; nothing while nothing was seen."""
        return self.faces.sights

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
            seats = self.record.seats
            sights = Places(seats.places, seats.size).sort(change.lying, observation.backs)
            self.faces.see(sights, observation, change.settled)
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
        for old in (old for old, _ in before.steps if old.n == step.n):
            self.faces.renamed(_card(old), _card(step))
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
        self.faces.undone(self.round.shown if self.round is not None else frozenset())
        return [*self._clear(), *(events.Undone(number, self.frame) for number in range(last, n - 1, -1))]

    def shuffled_before(self) -> list[AnyEvent]:
        """The used cards were shuffled before this round, and nobody said so. Raises as `insert` does."""
        return self.insert(events.Shuffled(self.record.dealt, self.frame))

    def drawn_before(self, player: int, card: Card) -> list[AnyEvent]:
        """A card that was read late was asked before its player said that he stands. Raises as `insert` does."""
        steps = [step for step in self.record.of_round() if isinstance(step, events.Stood)]
        stood = [step for step in steps if step.player == player][-1:]
        if not stood:
            raise InvalidPlay(f"expected player {player} to have said that he stands")
        before = self.record.until(stood[0].n).session.round
        assert before is not None, "who stands does so in a round"
        return self.insert(step_of(before, Draw(player, card, stood[0].bet), stood[0].n, Seen(self.frame)))

    def insert(self, step: Step) -> list[AnyEvent]:
        """A step before the one that has its number now; that one and the later ones are told again after it.

        Raises `IllegalPlay` or `InvalidPlay` where that cannot have been; nothing changes then.
        """
        record, last = self.record, self.record.next - 1
        later = [old for old, _ in record.steps if old.n >= step.n]
        told = [step, *(msgspec.structs.replace(old, n=old.n + 1) for old in later)]
        record = record.until(step.n)
        for each in told:
            record = record.add(each)
        self.record = record
        undone = (events.Undone(n, self.frame) for n in range(last, step.n - 1, -1))
        return [*self._clear(), *undone, *told]

    def highest(self) -> int:
        """The player who laid the highest card for his seat; of equal ones the suit decides, denari first."""
        assert self.record.seats is not None, "the lot follows the seats"
        cards = [Card.parse(name) for name in self.record.seats.cards]
        return cards.index(max(cards, key=lambda card: (card.value, -card.suit)))

    def ask_now(self, player: int) -> bool:
        """Asks about a card before a player that is not read for certain, if there is one, without further waiting."""
        state = self.round
        if state is None:
            return False
        for owner, sight, _ in self.faces.fresh(state, self.record.of_round()):
            reading = self.faces.read(sight, state)
            if owner == player and reading.options and reading.share < self.times.certain:
                self.asked = Asked(sight.track, player, reading.options)
                return True
        return False

    def answer(self, card: Card) -> None:
        """The card that was asked about is this one: it is told with the next look at the table."""
        if self.asked is not None:
            self.faces.name(self.asked.track, card)
            self.asked = None

    def answer_turned(self, turned: bool) -> None:
        """The card that was asked about is the covered one turned up, or a new one."""
        if self.asked is not None:
            self.faces.tell_cover([self.asked.track], "turned" if turned else "there")
            self.asked = None

    def accept(self) -> list[AnyEvent]:
        """All agree: what the fault is about counts for nothing, and the game goes on.

        A card without a covered one beside it counts as one that was asked.
        """
        self._accepted = fault = self.fault
        if fault is not None and fault.rule == "none_covered":
            self.faces.tell_cover(self.faces.unknown(fault.player), "there")
        elif fault is not None:
            self.faces.ignore(fault.player)
        return self._clear()

    # looking at the table

    def _notice(self, observation: TableObservation) -> None:
        """Camera, light and glare: told when they begin."""
        now = {"camera_moved": observation.moved, "light": observation.light, "glare": observation.glare}
        begun = {what for what, happens in now.items() if happens}
        self._out += [Notice(what, observation.frame) for what in sorted(begun - self._noticed)]
        self._noticed = begun

    def _look(self, change: TableChange) -> None:
        session = self.record.session
        if self.record.seats is None:
            if change.settled:
                self._learn(change)
        elif session.bank is None:
            if change.settled and not change.lying and not self.lot_is_said:
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
        seats = learnt(change.lying, clockwise=self.rules.direction == "cw")
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
        problem, taken = self._take(state, change)
        while taken and self.round is not None:
            problem, taken = self._take(self.round, change)
        if self.round is not None and change.settled:
            self.faces.settled()
            self._trouble(problem or self._other_fault(self.round, change), change)

    def _take(self, state: Round, change: TableChange) -> tuple[Fault | None, bool]:
        """Commits the first card that can be; the first fault otherwise."""
        problem: Fault | None = None
        self._asking, self.asked = self.asked.track if self.asked is not None else None, None
        for player, sight, cover in self.faces.fresh(state, self.record.of_round()):
            if not self.faces.rests(sight, change.time):
                continue
            reading = self.faces.read(sight, state)
            if reading.card is None or reading.share < self.times.certain:
                problem = problem or self._unread(player, sight, reading, change)
                continue
            move = explain(state, player, reading.card, cover, self.faces.bared(sight))
            if move == EITHER:
                self.asked = self.asked or Asked(sight.track, player, (reading.card,), turned=True)
            elif isinstance(move, str):
                problem = problem or self._fault(move, player, reading.card, change)
            elif move is not None:
                self.faces.known[sight.track] = reading.card
                if isinstance(move, Swap):
                    self.faces.swapped(player)
                self._step(step_of(state, move, self.record.next, self._seen(reading, sight, change.frame)))
                return None, True
        return problem, False

    def _unread(self, player: int, sight: Sight, reading: Reading, change: TableChange) -> Fault | None:
        """A card that cannot be there is a fault, one that stays unsure a question."""
        if reading.out is not None:
            return self._fault("card_already_out", player, reading.out, change)
        already = self._asking == sight.track
        if reading.options and (already or change.quiet >= self.times.ask - TICK):
            self.asked = self.asked or Asked(sight.track, player, reading.options)
        return None

    def _seen(self, reading: Reading, sight: Sight, frame: int) -> Seen:
        how: How = "asked" if self.faces.named(sight) else "deduced" if reading.deduced else "seen"
        return Seen(frame, round(reading.share, 4), how)

    def _other_fault(self, state: Round, change: TableChange) -> Fault | None:
        """Two covered cards before the player whose turn it is, or a card that is gone though it still counts."""
        turn = state.turn
        if turn is None or turn == state.bank:
            return None
        if len(self.sights[turn].backs) > 1:
            return self._fault("two_covered", turn, None, change)
        lies = frozenset(self.faces.known.values())
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
            self.faces.begin()
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
