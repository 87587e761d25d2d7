"""Sette e mezzo: what a new face-up card before a player means, a move of the rules or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.cards import Card
from engine.sette_moves import Draw, Move, Reveal, Stand, Swap
from engine.sette_round import Place, Round, apply, verdict
from vision.change import Sight

OUT = 0.02
"""If the cards that can be have less of a reading than this together, it is of a card that cannot be."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A card as it is read among those that can be there: `share` 0..1 is its probability.

    `options` are those that it may be, best first; `out` is the card that is read although it cannot be there.
    """

    card: Card | None
    share: float
    options: tuple[Card, ...] = ()
    deduced: bool = False
    out: Card | None = None


def read(sight: Sight, can_be: frozenset[Card]) -> Reading:
    """The likeliest card of a sight among those that can be there."""
    if not sight.options:
        return Reading(None, 0.0)
    left = [(card, chance) for card, chance in sight.options if card in can_be]
    rest = max(0.0, 1.0 - sum(chance for _, chance in sight.options))
    total = sum(chance for _, chance in left) + rest
    if not left or total < OUT:
        return Reading(None, 0.0, out=sight.options[0][0])
    best, chance = left[0]
    return Reading(best, chance / total, tuple(card for card, _ in left), best != sight.options[0][0])


Cover = Literal["there", "turned", "gone", "unknown"]
"""The covered card of a player: it lies there; a face lies in its place; its back is no more seen; it never was."""
EITHER: Final = "either"
"""The card may be a new one or the covered one, and it matters: only the players can tell."""


def explain(state: Round, player: int, card: Card, cover: Cover, bared: bool) -> Move | str | None:
    """The move that laid `card` face up before `player`; the code of the rules against it; None: wait; or `EITHER`.

    `bared`: for a while no back was seen, since the card came.
    """
    hidden = state.covered[player] is None
    if hidden and cover != "there":
        clear = cover == "turned" or state.turn is None or player == state.turn == state.bank
        return _turned_up(state, player, card) if clear else _unclear(state, player, card, cover)
    mine, on_turn = state.bets(player), state.turn == player
    if on_turn and not mine:
        return None  # he has not staked yet
    swap = Swap(player, card)
    if on_turn and hidden and bared and player != state.bank and verdict(state, swap) is None:
        return swap
    draw = Draw(player, card)
    return verdict(state, draw) or draw


def _unclear(state: Round, player: int, card: Card, cover: Cover) -> Move | str | None:
    """No back is seen, but the card does not lie in its place either: the reader may have missed the back."""
    reveal, draw = Reveal(player, card), Draw(player, card)
    if state.turn != player or not state.bets(player) or verdict(state, draw) is not None:
        return _turned_up(state, player, card)
    if verdict(state, reveal) is not None:
        return "none_covered" if cover == "gone" else draw
    opened = replace(state, covered=tuple(card if one == player else old for one, old in enumerate(state.covered)))
    worths = [opened.worth(place) for place in state.bets(player) if place.up]
    bust = all(worth is None or worth.kind == "bust" for worth in worths)  # it is so either way
    return EITHER if not bust else reveal if cover == "gone" else draw


def _turned_up(state: Round, player: int, card: Card) -> Move | str | None:
    reveal = Reveal(player, card)
    if verdict(state, reveal) is None:
        return reveal
    if player == state.turn:
        return "none_covered" if state.bets(player) else None
    return "wrong_turn" if player == state.bank else None  # who stands may show his card: it counts at the end


def remedy(state: Round, player: int) -> Stand | None:
    """If a card for `player` only means that somebody did not say that he stands: that stand."""
    turn = state.turn
    if turn is None or turn == player or player not in state.order or not state.bets(turn):
        return None
    stand = Stand(turn)
    if verdict(state, stand) is not None:
        return None
    return stand if apply(state, stand).turn == player else None


def asking(places: tuple[Place, ...]) -> int:
    """The bet of a player that asks cards: the first of two, the other one stands."""
    return next((bet for bet, place in enumerate(places) if not place.stood), 0)
