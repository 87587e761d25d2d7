"""Sette e mezzo on the rendered table: rounds against the bank, with covered cards, draws, swaps and reveals."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from engine.cards import DECK, Card
from engine.rules import RuleSet
from engine.sette_moves import Draw, Move, Reveal, Shuffle, Stake, Stand, Swap
from engine.sette_round import Round, apply, is_over, score
from engine.sette_session import BankByLot, RoundDeal, Session, advance
from vision.synthetic import acts
from vision.synthetic.scene import Pose, Scene, Seat, Thing
from vision.synthetic.stage import Scenes, Stage
from vision.synthetic.truth import Truth

_ASIDE: Final[dict[int, tuple[tuple[Seat, float], ...]]] = {
    2: (("S", 0), ("N", 0)),
    3: (("S", 0), ("E", 0), ("N", 0)),
    4: (("S", 0), ("E", 0), ("N", 0), ("W", 0)),
    5: (("S", -0.45), ("S", 0.45), ("E", 0), ("N", -0.45), ("N", 0.45)),
    6: (("S", -0.45), ("S", 0.45), ("E", 0), ("N", -0.45), ("N", 0.45), ("W", 0)),
    7: (("S", -0.62), ("S", 0), ("S", 0.62), ("E", 0), ("N", -0.62), ("N", 0), ("N", 0.62)),
}
"""Edge of each player, counter-clockwise from above, and how far along it he sits (share of half its width)."""


def sette_seats(players: int) -> tuple[tuple[Seat, ...], tuple[float, ...]]:
    """The edges at which `players` (2 to 7) sit, in the order of play, and how far along them."""
    return tuple(seat for seat, _ in _ASIDE[players]), tuple(aside for _, aside in _ASIDE[players])


@dataclass(frozen=True, slots=True)
class SettePlan:
    """How many `rounds` with how many `players` (2 to 7); how often (0..1) cards are swapped and bets are doubled.

    `apart` is from card to card of a row, in widths of a card: below 1 they overlap.
    """

    rules: RuleSet
    players: int
    rounds: int = 1
    swaps: float = 0.1
    doubles: float = 0.08
    apart: float = 1.06


class SetteDirector:
    """Lets rounds happen on a stage. Iterate `scenes` once; the truth of each is added to `truth`."""

    def __init__(self, plan: SettePlan, stage: Stage, truth: Truth, rng: np.random.Generator) -> None:
        self.plan, self.stage, self.truth, self._rng = plan, stage, truth, rng
        self.waiting: list[str] = []
        self._stock: list[Card] = []
        self._rows = [0] * plan.players

    def scenes(self) -> Iterator[Scene]:
        """Every frame, from the empty table to the empty table."""
        yield from self.stage.wait(0.6)
        bank = yield from self._sit()
        session = advance(Session.new(self.plan.rules, self.plan.players), BankByLot(bank))
        for number in range(self.plan.rounds):
            if session.over:
                break
            shuffled = None
            if len(self._stock) < 4 * self.plan.players:
                self._stock = [DECK[k] for k in self._rng.permutation(len(DECK))]
                session = replace(session, used=0, unseen=0)
                shuffled = self.stage.frame - 1 if number else None
            session = yield from self._round(session, shuffled)
        yield from self.stage.wait(0.6)

    def _sit(self) -> Generator[Scene, None, int]:
        """One card face up before each player, one after the other; who has the highest is the first bank."""
        cards = [DECK[int(k)] for k in self._rng.permutation(len(DECK))[: self.plan.players]]
        self.truth.facts["seating"] = [str(card) for card in cards]
        for player, card in enumerate(cards):
            yield from acts.lay(self.stage, player, card, self.place(player, 0))
            yield from self.stage.wait(0.4)
        yield from self.stage.wait(self.stage.pace.still)
        yield from acts.clear(self.stage, 0)
        yield from self.stage.wait(self.stage.pace.still)
        return cards.index(max(cards, key=lambda card: (card.value, -card.suit)))

    def _round(self, session: Session, shuffled: int | None) -> Generator[Scene, None, Session]:
        """One round; returns the session after it. `shuffled`: the frame after which the cards were shuffled anew."""
        covered = tuple(self._stock.pop() for _ in range(self.plan.players))
        session = advance(session, RoundDeal(covered))
        assert session.round is not None
        bank, self._rows = session.round.bank, [0] * self.plan.players
        entry: dict[str, Any] = {"bank": bank, "order": list(session.round.order), "chips": list(session.chips)}
        entry |= {"covered": [str(card) for card in covered], "shuffled": shuffled, "moves": []}
        self.truth.rounds.append(entry)
        yield from self._deal(session.round)
        state = session.round
        while not (is_over(state) and all(self._lies_open(player) for player in state.order)):
            move = self._choose(state)
            first = self.stage.frame
            yield from self._act(state, move)
            entry["moves"].append(_described(move) | {"first_frame": first, "landed": self.stage.frame})
            yield from self.stage.wait(self.stage.pace.still)
            session = session if session.round is None else advance(session, move)  # it ends before the last reveals
            state = apply(state, move)
        paid = score(state)
        entry |= {
            "net": list(paid.net),
            "next_bank": session.bank,
            "chips_after": list(session.chips),
            "paid": self.stage.frame - 1,
        }
        yield from acts.clear(self.stage, bank)
        yield from self.stage.wait(self.stage.pace.still)
        return session

    def _choose(self, state: Round) -> Move:
        """People stake a little, draw below five, sometimes swap; the bank draws below five; then all is shown."""
        for place in state.places:
            worth = state.worth(place)
            if worth is not None and worth.finished and not self._lies_open(place.player):
                return self._reveal(state, place.player)  # bust, d'emblée and triplè are declared at once
        player = state.turn
        if player is None:
            return next(self._reveal(state, one) for one in state.order if not self._lies_open(one))
        if player != state.bank and not state.bets(player):
            return self._stake(state, player)
        if player == state.bank and not self._lies_open(player):
            return self._reveal(state, player)
        bets = state.bets(player)
        if len(bets) == 2 and not bets[1].stood:
            return Stand(player, 1)
        worth = state.worth(bets[0])
        assert worth is not None, "people know their own cards"
        if (worth.total < 5 or (len(bets) == 2 and not bets[0].up)) and self._stock:
            return self._ask(state, player)
        return Stand(player)

    def _stake(self, state: Round, player: int) -> Stake:
        least, chips = state.rules.min_stake, min(state.rules.max_stake, state.chips[player])
        amounts = [int(self._rng.integers(least, min(10, chips) + 1))]
        if chips - amounts[0] >= least and state.rules.double_bet and self._rng.random() < self.plan.doubles:
            amounts.append(int(self._rng.integers(least, min(10, chips - amounts[0]) + 1)))
        return Stake(player, tuple(amounts))

    def _ask(self, state: Round, player: int) -> Move:
        shown, up = state.covered[player], state.bets(player)[0].up
        single = player != state.bank and len(state.bets(player)) == 1
        if shown is not None and single and len(up) < 2 and self._rng.random() < self.plan.swaps:
            return Swap(player, shown, self._stock.pop())
        return Draw(player, self._stock.pop())

    def _reveal(self, state: Round, player: int) -> Reveal:
        card = state.covered[player]
        assert card is not None
        return Reveal(player, card)

    def _lies_open(self, player: int) -> bool:
        return not any(thing.key == f"covered {player}" for thing in self.stage.lying)

    def _deal(self, state: Round) -> Scenes:
        yield from acts.lay_stock(self.stage, state.bank)
        for player in state.order:
            card = state.covered[player]
            yield from self._give(state.bank, Thing(f"covered {player}", "back", self.place(player, 0), card))
        yield from self.stage.leave(state.bank)
        yield from self.stage.wait(self.stage.pace.still)

    def _act(self, state: Round, move: Move) -> Scenes:
        if isinstance(move, Stake):
            yield from self._look(move.player)
        elif isinstance(move, Draw):
            yield from self._give(state.bank, acts.face(move.card, self._next(move.player)))
            yield from self.stage.leave(state.bank)
        elif isinstance(move, Swap):
            yield from self._turn_up(move.player, self._next(move.player))
            hidden = Thing(f"covered {move.player}", "back", self.place(move.player, 0), move.covered)
            yield from self._give(state.bank, hidden)
            yield from self.stage.leave(state.bank)
        elif isinstance(move, Reveal):
            yield from self._turn_up(move.player, self.place(move.player, 0))
        elif not isinstance(move, Stand | Shuffle):
            raise AssertionError(f"expected a move that people choose, got {move}")

    def _give(self, bank: int, thing: Thing) -> Scenes:
        """The bank takes a card from the stock and lays it down."""
        stock = self.stage.layout.stock()
        yield from self.stage.reach(bank, (stock.x, stock.y), self.stage.pace.pick)
        self.stage.carried[bank] = [replace(thing, pose=replace(stock, turn=thing.pose.turn, z=12.0))]
        yield from self.stage.reach(bank, (thing.pose.x, thing.pose.y), self.stage.pace.carry)
        self.stage.drop(bank, thing)

    def _look(self, player: int) -> Scenes:
        """A player lifts a corner of his covered card."""
        place = self.place(player, 0)
        yield from self.stage.reach(player, (place.x, place.y), self.stage.pace.reach)
        yield from self.stage.wait(0.4)
        yield from self.stage.leave(player)

    def _turn_up(self, player: int, pose: Pose) -> Scenes:
        order = next(k for k, thing in enumerate(self.stage.lying) if thing.key == f"covered {player}")
        hidden = self.stage.lying[order]
        if pose.x != hidden.pose.x or pose.y != hidden.pose.y:
            order = len(self.stage.lying)  # it goes to the others, on top; else it is turned over where it lies
        yield from self.stage.reach(player, (hidden.pose.x, hidden.pose.y), self.stage.pace.reach)
        self.stage.take(player, hidden)
        yield from self.stage.reach(player, (pose.x, pose.y), self.stage.pace.pick)
        self.stage.let_go(player, hidden.key)
        assert hidden.card is not None
        self.stage.lying.insert(order, acts.face(hidden.card, pose))
        yield from self.stage.leave(player)

    def place(self, player: int, number: int) -> Pose:
        """Where the card `number` of a player lies: 0 the covered one, the others beside it, away from the edge."""
        layout, (seat, aside) = self.stage.layout, _ASIDE[self.plan.players][player]
        half = layout.half_x if seat in ("N", "S") else layout.half_y
        step = self.plan.apart * self.stage.pack.outer[0]
        x, y = layout.at_seat(seat, aside * half - 1.5 * step + step * (number % 4), 62 + 72 * (number // 4))
        turn = layout.turn(seat) + float(self._rng.normal(0, 3))
        return Pose(x, y, turn)

    def _next(self, player: int) -> Pose:
        """The next free place of a player's row."""
        self._rows[player] += 1
        return self.place(player, self._rows[player])


def _described(move: Move) -> dict[str, Any]:
    """A move as the truth has it."""
    words: dict[str, Any] = {"move": type(move).__name__.lower(), "player": getattr(move, "player", None)}
    if isinstance(move, Stake):
        words["amounts"] = list(move.amounts)
    elif isinstance(move, Draw | Reveal):
        words["card"] = str(move.card)
    if isinstance(move, Draw | Stand):
        words["bet"] = move.bet
    if isinstance(move, Swap):
        words |= {"card": str(move.shown), "covered": str(move.covered)}
    return words
