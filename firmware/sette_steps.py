"""Moves of Sette e mezzo that show a card, as steps of the record: with what lies open, or what the hand is, then."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.cards import Card
from engine.sette_hand import Worth, least
from engine.sette_moves import Draw, Move, Reveal, Swap
from engine.sette_round import Round
from firmware import events
from firmware.events import Drawn, How, Revealed, Step, Swapped

Shows = Drawn | Swapped | Revealed
"""The steps that show a card."""


@dataclass(frozen=True, slots=True)
class Seen:
    """When and how a card came to be known, and the probability 0..1 that it was read right."""

    frame: int
    confidence: float = 1.0
    how: How = "asked"


def step_of(state: Round, move: Move, n: int, seen: Seen) -> Step:
    """The step number `n` of a round: a draw, a swap, or a covered card turned up."""
    known = (seen.frame, seen.confidence, seen.how)
    if isinstance(move, Draw):
        total = least(state.rules, (*state.bets(move.player)[move.bet].up, move.card))
        return Drawn(n, move.player, move.bet, str(move.card), total, *known)
    if isinstance(move, Swap):
        return Swapped(n, move.player, str(move.shown), *known)
    assert isinstance(move, Reveal), f"no other move shows a card, got {move}"
    worth = _worth(state, move.player, move.card)
    return Revealed(n, move.player, str(move.card), worth.kind, worth.total, *known)


def with_card(state: Round, step: Shows, card: Card, frame: int) -> Step:
    """A step that showed another card than was read; `state` is the round before it."""
    move: Move
    match step:
        case events.Drawn():
            move = Draw(step.player, card, step.bet)
        case events.Swapped():
            move = Swap(step.player, card)
        case events.Revealed():
            move = Reveal(step.player, card)
    return step_of(state, move, step.n, Seen(frame))


def _worth(state: Round, player: int, card: Card) -> Worth:
    """What the hand of the first bet is with its covered card."""
    covered = tuple(card if one == player else other for one, other in enumerate(state.covered))
    worth = replace(state, covered=covered).worth(state.bets(player)[0])
    assert worth is not None, "with its covered card a hand is known"
    return worth
