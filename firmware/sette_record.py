"""The record of a game of Sette e mezzo: its steps, each with the game before it, so that any of them can be annulled
or put right. The game itself is the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import sette_moves as moves
from engine.cards import Card
from engine.errors import EngineError, InvalidPlay
from engine.rules import RuleSet
from engine.sette_round import Round, Settlement, apply, is_over, score
from engine.sette_session import BankByLot, RoundDeal, Session, advance
from firmware import events
from firmware.events import Step


@dataclass(frozen=True, slots=True)
class SetteRecord:
    """`steps` are those that stand, each with the game before it; `over` is the last round when it is paid."""

    session: Session
    seats: events.Seats | None = None
    steps: tuple[tuple[Step, Session], ...] = ()
    rounds: int = 0
    over: Round | None = None

    @classmethod
    def new(cls, rules: RuleSet, players: int) -> SetteRecord:
        """Before anybody sits. Raises `InvalidPlay` for fewer than two players."""
        return cls(Session.new(rules, players))

    @property
    def next(self) -> int:
        """The number of the next step."""
        return self.steps[-1][0].n + 1 if self.steps else 1

    @property
    def settlement(self) -> Settlement | None:
        """What the last round paid; None while a round runs, and before the first."""
        return score(self.over) if self.over is not None else None

    def with_bank(self, player: int) -> SetteRecord:
        """The first bank is known. Raises `InvalidPlay` when it was before."""
        return replace(self, session=advance(self.session, BankByLot(player)))

    def add(self, step: Step) -> SetteRecord:
        """One step more. Raises `IllegalPlay` or `InvalidPlay`."""
        before, move = self.session, move_of(step)
        after = advance(before, move)
        over = None
        if before.round is not None and after.round is None and not isinstance(move, RoundDeal):
            over = apply(before.round, move)
            assert is_over(over), "only the end of a round takes it off the game"
        elif isinstance(step, events.Shuffled) and after.round is None:
            over = self.over
        rounds = self.rounds + isinstance(step, events.Round)
        return replace(self, session=after, steps=(*self.steps, (step, before)), rounds=rounds, over=over)

    def until(self, n: int) -> SetteRecord:
        """Without the steps from number `n` on. Raises `InvalidPlay` when there is none."""
        place = next((k for k, (step, _) in enumerate(self.steps) if step.n >= n), None)
        if place is None:
            raise InvalidPlay(f"expected a step to annul from number {n} on, got {self.next - 1} steps")
        kept = self.steps[:place]
        rounds = sum(isinstance(step, events.Round) for step, _ in kept)
        return replace(self, session=self.steps[place][1], steps=kept, rounds=rounds, over=None)

    def put(self, step: Step) -> SetteRecord:
        """A step in place of the one that has its number, or after all others.

        Raises `IllegalPlay` or `InvalidPlay` when the steps after it cannot follow.
        """
        if step.n >= self.next:
            return self.add(step)
        after = [later for later, _ in self.steps if later.n > step.n]
        record = self.until(step.n).add(step)
        for later in after:
            record = record.add(later)
        return record

    def bet_of(self, player: int) -> int | None:
        """The first amount that a player staked the last time."""
        bets = (step for step, _ in reversed(self.steps) if isinstance(step, events.Bet))
        return next((bet.amounts[0] for bet in bets if bet.player == player), None)

    @property
    def dealt(self) -> int:
        """The number of the newest deal."""
        return max((step.n for step, _ in self.steps if isinstance(step, events.Round)), default=1)

    def of_round(self) -> tuple[Step, ...]:
        """The steps of the newest round, the oldest first, without its deal."""
        steps = [step for step, _ in self.steps]
        first = max((k for k, step in enumerate(steps) if isinstance(step, events.Round)), default=len(steps) - 1)
        return tuple(steps[first + 1 :])


def move_of(step: Step) -> moves.Move | RoundDeal:
    """A step as the engine's event."""
    match step:
        case events.Round():
            return RoundDeal()
        case events.Bet():
            return moves.Stake(step.player, step.amounts)
        case events.Drawn():
            return moves.Draw(step.player, Card.parse(step.card), step.bet)
        case events.Stood():
            return moves.Stand(step.player, step.bet)
        case events.Swapped():
            return moves.Swap(step.player, Card.parse(step.card))
        case events.Revealed():
            return moves.Reveal(step.player, Card.parse(step.card))
        case events.Shuffled():
            return moves.Shuffle()


def folded(rules: RuleSet, players: int, told: Sequence[events.AnyEvent]) -> SetteRecord:
    """The record that stored events make. Raises `EngineError` for events that cannot be a game."""
    record = SetteRecord.new(rules, players)
    for event in told:
        match event:
            case events.Seats():
                record = replace(record, seats=event)
            case events.Bank():
                record = record.with_bank(event.player)
            case events.Undone():
                record = record.until(event.n)
            case (
                events.Round()
                | events.Bet()
                | events.Drawn()
                | events.Stood()
                | events.Swapped()
                | events.Revealed()
                | events.Shuffled()
            ):
                record = record.put(event)
    return record


def possible(record: SetteRecord, step: Step) -> bool:
    """Whether a step can follow, or take the place of the one with its number."""
    try:
        record.put(step)
    except EngineError:
        return False
    return True
