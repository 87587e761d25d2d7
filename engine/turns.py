"""What a legal play does to a hand: table, piles and scope; new cards; the end of the hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.bits import bits, single_bits
from engine.captures import capture_bits, worth
from engine.cards import Card
from engine.errors import InvalidPlay
from engine.state import State

Hand = Collection[Card] | None


def put(state: State, single: int, taken: int) -> State:
    """Table, piles, scope and hand after a legal play."""
    rules, side = state.rules, state.side
    to_pile = taken | single if taken or _takes_itself(state, single) else 0
    table = state.table_bits & ~taken if to_pile else state.table_bits | single
    scopa = is_scopa(state, single, taken)
    hand = state.hand_bits[state.turn]
    hands = state.hand_bits
    if hand is not None:
        hands = (*hands[: state.turn], hand & ~single, *hands[state.turn + 1 :])
    if not to_pile:
        return replace(state, plays=state.plays + 1, table_bits=table, hand_bits=hands)
    piles = state.pile_bits
    # Written out, since `replace` goes through every field by name and this is the busiest place of all.
    return State(
        rules=rules,
        dealer=state.dealer,
        plays=state.plays + 1,
        table_bits=table,
        pile_bits=(*piles[:side], piles[side] | to_pile, *piles[side + 1 :]),
        scope=tuple(won + (scopa and one == side) for one, won in enumerate(state.scope)),
        last_taker=side,
        hand_bits=hands,
        stock=state.stock,
        bussate=state.bussate,
        knocked=state.knocked,
        fresh_scopa=state.plays if scopa else None,
        matta=state.matta,
    )


def _takes_itself(state: State, single: int) -> bool:
    value = worth(state.rules, single, state.matta)
    return not state.table_bits and capture_bits(state.rules, 0, value, state.matta) == (0,)


def is_scopa(state: State, single: int, taken: int) -> bool:
    """Whether taking `taken` with `single` is a scopa (P7, P8, chapters 5 and 6)."""
    rules = state.rules
    if not taken or taken != state.table_bits:
        return False
    if rules.last_scopa == "no_last_card" and state.plays == rules.plays - 1:
        return False
    if rules.ace_scopa == "yes" or worth(rules, single, state.matta) != 1:
        return True
    ace_lies = any(worth(rules, one, state.matta) == 1 for one in single_bits(state.table_bits))
    swept = rules.ace == "takes_all" and not (rules.ace_blocked_by_ace and ace_lies)
    return rules.ace_scopa == "no_takeall" and not swept


def settle(state: State) -> State:
    """What follows a play by itself: new cards are given out, or the hand ends (D4, P8, P9)."""
    if not state.over:
        # Everybody has played as often as everybody else exactly when the hands are empty.
        fresh = state.plays % (state.rules.players * state.rules.hand_cards) == 0
        return deal(replace(state, knocked=frozenset())) if fresh else state
    scope, piles, taker = state.scope, state.pile_bits, state.last_taker
    if taker is None:
        return state  # nobody ever captured: the cards belong to nobody
    if withdrawn(state):
        scope = tuple(won - (side == taker) for side, won in enumerate(scope))
    piles = tuple(pile | state.table_bits * (side == taker) for side, pile in enumerate(piles))
    return replace(state, table_bits=0, pile_bits=piles, scope=scope)


def withdrawn(state: State) -> bool:
    """`no_last_capture`: a scopa by the hand's last capture does not count if it fell in the last distribution."""
    if state.rules.last_scopa != "no_last_capture" or state.fresh_scopa is None:
        return False
    last_distribution = state.rules.plays - state.rules.players * state.rules.hand_cards
    return state.fresh_scopa >= last_distribution


def deal(state: State) -> State:
    """Give out the next cards: known ones if the order of the stock is known."""
    players, each = state.rules.players, state.rules.hand_cards
    if state.stock is None:
        return replace(state, hand_bits=(None,) * players)
    given = [state.stock[each * place : each * (place + 1)] for place in range(players)]
    hands = [given[(player - state.dealer - 1) % players] for player in range(players)]
    return with_hands(replace(state, stock=state.stock[players * each :]), hands)


def with_hands(state: State, hands: Sequence[Hand]) -> State:
    """The same state with these hands known, one per player (None: unknown). Raises `InvalidPlay` if they cannot be."""
    if len(hands) != state.rules.players:
        raise InvalidPlay(f"expected {state.rules.players} hands, got {len(hands)}")
    seen = state.out_bits
    for player, hand in enumerate(hands):
        if hand is None:
            continue
        if len(hand) != state.held[player] or bits(hand) & seen or bits(hand).bit_count() != len(hand):
            raise InvalidPlay(
                f"expected {state.held[player]} cards that lie nowhere else in the hand of player {player}, "
                f"got {' '.join(map(str, hand))}"
            )
        seen |= bits(hand)
    return replace(state, hand_bits=tuple(None if hand is None else bits(hand) for hand in hands))
