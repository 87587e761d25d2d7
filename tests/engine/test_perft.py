"""Play trees counted by the engine and by brute force, from fixed deals."""

from __future__ import annotations

import random

import pytest

from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.game import apply, legal_knocks, legal_plays, new_hand
from engine.rules import variant
from engine.sette_moves import Draw, Move, Swap
from engine.sette_round import Round, new_round
from engine.sette_round import apply as apply_sette
from engine.sette_round import legal_plays as legal_sette
from engine.state import State
from tests.engine import brute

DEPTHS = [
    ("scopa_2", "scopa", 9),
    ("scopa_3", "scopa", 7),
    ("scopa_4", "scopa", 6),
    ("scopone_scientifico", "scopa", 3),
    ("scopone_9", "scopa", 3),
    ("scopa_assi", "assi", 9),
    ("scopa_assi_4", "assi", 3),
    ("cirulla_2", "cirulla", 9),
    ("cirulla_3", "cirulla", 8),
    ("cirulla_4", "cirulla", 6),
]


def count(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(apply(state, move), depth - 1) for move in (*legal_plays(state), *legal_knocks(state)))


def shuffled(seed: int) -> list[Card]:
    deck = list(DECK)
    random.Random(seed).shuffle(deck)
    return deck


@pytest.mark.parametrize(("name", "game", "depth"), DEPTHS, ids=[name for name, _, _ in DEPTHS])
def test_play_trees_agree(name: str, game: str, depth: int) -> None:
    rules = variant(name)
    dealt = 0
    for seed in range(40):
        deck = shuffled(seed)
        table, stock = deck[: rules.table_cards], deck[rules.table_cards :]
        try:
            state = new_hand(rules, rules.players - 1, table, stock=stock)
        except IllegalPlay:
            continue  # a misdeal
        if state.last_taker is not None:
            continue  # a first table that the dealer takes
        each = rules.hand_cards
        hands = [stock[place * each : (place + 1) * each] for place in range(rules.players)]
        hand = {
            "game": game,
            "dealer": rules.players - 1,
            "table": table,
            "hands": hands,
            "stock": stock[rules.players * each :],
            "each": each,
            "played": 0,
            "plays": rules.plays,
            "knocked": [],
        }
        assert count(state, depth) == brute.sequences(hand, depth)
        dealt += 1
        if dealt == 3:
            return


def test_unknown_hands_may_hold_every_unseen_card() -> None:
    deck = shuffled(0)
    state = new_hand(variant("scopa_2"), 1, deck[:4])
    hands = [list(deck[4:]), list(deck[4:])]
    expected = 0
    for card in hands[0]:
        for taken in brute.captures("scopa", deck[:4], card) or [()]:
            left = [lying for lying in deck[:4] if lying not in taken] + ([] if taken else [card])
            gone = {card, *taken, *left}
            expected += sum(len(brute.captures("scopa", left, one) or [()]) for one in DECK if one not in gone)
    assert count(state, 2) == expected


def sette_count(state: Round, stock: list[Card], depth: int) -> int:
    """Draws and swaps give the next card of the stock."""
    if depth == 0 or state.turn is None:
        return int(depth == 0)
    moves: dict[Move, int] = {}
    for move in legal_sette(state):
        if isinstance(move, Draw) and move.card != stock[0]:
            continue
        given = isinstance(move, Draw | Swap)
        moves[Swap(move.player, move.shown, stock[0]) if isinstance(move, Swap) else move] = int(given)
    return sum(sette_count(apply_sette(state, move), stock[given:], depth - 1) for move, given in moves.items())


@pytest.mark.parametrize(("players", "depth"), [(2, 7), (3, 6), (4, 6)])
def test_trees_of_sette_e_mezzo_agree(players: int, depth: int) -> None:
    for seed in range(3):
        deck = shuffled(seed)
        covered, stock = deck[:players], deck[players:]
        state = new_round(variant("sette_e_mezzo"), players - 1, (100,) * players, covered)
        table = {"covered": covered, "stock": stock, "places": [[players - 1, covered[-1], [], False]]}
        assert sette_count(state, stock, depth) == brute.sette_sequences(table, depth)
