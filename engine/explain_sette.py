"""Sette e mezzo: which seat got, swapped or turned which card, from what lies at that seat now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.sette_moves import Draw, Move, Reveal, Stand, Swap, TakeCovered
from engine.sette_round import Round, apply, verdict


@dataclass(frozen=True, slots=True)
class SeatChange:
    """One seat as it is seen now: face-up cards that were not there before, and how many cards lie covered there."""

    player: int
    appeared: frozenset[Card] = frozenset()
    covered: int = 1


@dataclass(frozen=True, slots=True)
class SeatExplanation:
    """Moves in their order, stands of players before included, since nobody sees them; `code` refuses the last one."""

    moves: tuple[Move, ...]
    code: str | None = None


def explain_seat(state: Round, change: SeatChange) -> tuple[SeatExplanation, ...]:
    """All legal sequences that leave the seat as it is seen; if there is none, the refused ones with their code.

    Raises `InvalidPlay` for more than three new cards or a seat that does not play.
    """
    if change.player not in state.order or len(change.appeared) > 3:
        raise InvalidPlay(f"expected a player of {state.order} and at most 3 new cards, got {change}")
    before = _stands_before(state, change.player)
    found = [_judged(state, (*before, *moves)) for moves in _sequences(state, change)]
    legal = [explanation for explanation in found if explanation.code is None]
    return tuple(dict.fromkeys(legal or found))


def _stands_before(state: Round, player: int) -> tuple[Move, ...]:
    """The stands that must have been said before this player's turn came, as far as the stakes are known."""
    moves: list[Move] = []
    while state.turn is not None and state.turn != player and state.bets(state.turn):
        options = (Stand(state.turn, bet) for bet in range(len(state.bets(state.turn))))
        stand = next((move for move in options if verdict(state, move) is None), None)
        if stand is None:
            return ()
        moves.append(stand)
        state = apply(state, stand)
    return tuple(moves) if state.turn in {player, None} else ()


def _sequences(state: Round, change: SeatChange) -> Iterator[tuple[Move, ...]]:
    player, bets = change.player, range(max(1, len(state.bets(change.player))))
    if change.covered > 1:
        yield (TakeCovered(player),)
        return
    turned = sorted(change.appeared) if change.covered == 0 else [None]
    for shown in turned:
        for order in permutations(sorted(change.appeared - {shown})):
            each: list[list[Move]] = [[Draw(player, card, bet) for bet in bets] for card in order]
            for place, card in enumerate(order if shown is None else ()):
                each[place].append(Swap(player, card))
            reveal = () if shown is None else (Reveal(player, shown),)
            for moves in product(*each):
                # The bank shows its card before it draws (Z6), a player only what must be declared.
                yield (*reveal, *moves) if player == state.bank else (*moves, *reveal)


def _judged(state: Round, moves: tuple[Move, ...]) -> SeatExplanation:
    for place, move in enumerate(moves):
        code = verdict(state, move)
        if code is not None:
            return SeatExplanation(moves[: place + 1], code)
        state = apply(state, move)
    return SeatExplanation(moves)
