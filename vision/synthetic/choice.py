"""Which card people play: a legal play that takes when it can, or a wanted violation of the rules."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.cards import DECK, Card
from engine.game import knock_verdict, legal_plays, verdict
from engine.play import Knock, Play
from engine.rules import RuleSet
from engine.state import State

CAPTURE_FAULTS: Final = ("must_take", "must_take_equal", "wrong_sum", "only_one_equal", "ace_takes_all")
"""Violations of one play that the engine names, of the player whose turn it is."""
KNOCK_FAULTS: Final = ("knock_not_valid", "knock_too_late")
"""Violations that only Cirulla knows."""
FAULTS: Final = (*CAPTURE_FAULTS, "wrong_turn", "two_cards", "card_already_out", "misdeal", *KNOCK_FAULTS)
"""Every violation that can be asked for."""
EARLY_FAULTS: Final = ("only_one_equal", "knock_not_valid")
"""Violations that are possible only at the beginning."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A play against the rules. `second` is the other card of `two_cards`, `shown` are the cards of a wrong knock."""

    rule: str
    player: int
    card: Card
    takes: tuple[Card, ...] = ()
    second: Card | None = None
    shown: tuple[Card, ...] = ()


def misdeal(rules: RuleSet, rng: np.random.Generator) -> list[Card] | None:
    """A first table that must be dealt again for its kings or aces, or None where the rules know none."""
    value, count = (10, rules.redeal_kings) if rules.redeal_kings else (1, rules.redeal_aces)
    if not count or count > rules.table_cards:
        return None
    others = [card for card in DECK if 1 < card.value < 10]
    table = [card for card in DECK if card.value == value][:count]
    table += [others[k] for k in rng.permutation(len(others))[: rules.table_cards - count]]
    return [table[k] for k in rng.permutation(len(table))]


def choose_play(state: State, rng: np.random.Generator) -> Play:
    """A legal play of the player to move: usually a capture, if there is one."""
    plays = legal_plays(state)
    captures = [play for play in plays if play.takes]
    pool = captures if captures and rng.random() < 0.8 else list(plays)
    return pool[int(rng.integers(len(pool)))]


def find_violation(state: State, rule: str, rng: np.random.Generator) -> Violation | None:
    """A violation of `rule` that is possible now, or None. The hands must be known."""
    if rule in CAPTURE_FAULTS:
        return _wrong_capture(state, rule, rng)
    hand = sorted(state.hands[state.turn] or ())
    if rule == "two_cards":
        quiet = [play.card for play in legal_plays(state) if not play.takes]
        if len(hand) < 2 or not quiet:
            return None
        card = _pick(quiet, rng)
        return Violation(rule, state.turn, card, second=_pick([one for one in hand if one != card], rng))
    if rule == "wrong_turn":
        other = (state.turn + 1) % state.rules.players
        held = sorted(state.hands[other] or ())
        return Violation(rule, other, _pick(held, rng)) if held and state.plays else None
    if rule == "knock_not_valid":
        cards = frozenset(hand)
        wrong = len(cards) == 3 and knock_verdict(state, Knock(state.turn, cards)) == rule
        return Violation(rule, state.turn, hand[0], shown=tuple(hand)) if wrong and state.rules.bussate else None
    if rule == "knock_too_late":
        late = state.rules.bussate and len(hand) == 2 and state.turn not in state.knocked
        return Violation(rule, state.turn, hand[0], shown=tuple(hand)) if late else None
    if rule == "card_already_out":
        pile = sorted(state.piles[state.side])
        return Violation(rule, state.turn, _pick(pile, rng)) if pile else None
    return None


def _wrong_capture(state: State, rule: str, rng: np.random.Generator) -> Violation | None:
    table = sorted(state.table)
    tries = (
        Violation(rule, state.turn, card, takes)
        for card in sorted(state.hands[state.turn] or ())
        for count in range(min(len(table), 3) + 1)
        for takes in itertools.combinations(table, count)
    )
    found = [one for one in tries if verdict(state, Play(one.player, one.card, frozenset(one.takes))) == rule]
    return found[int(rng.integers(len(found)))] if found else None


def _pick(cards: list[Card], rng: np.random.Generator) -> Card:
    return cards[int(rng.integers(len(cards)))]
