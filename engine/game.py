"""A hand of the Scopa family: new hand, legal plays, verdict, apply, end and points (chapters 2 to 6 and 8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from engine.bits import OF_VALUE, bit, bits, card, cards, single_bits, sorted_cards
from engine.captures import capture_bits, worth
from engine.cards import Card, format_cards
from engine.cirulla import Worth, knock_worth
from engine.deal import opening
from engine.errors import IllegalPlay, InvalidPlay
from engine.play import Knock, Move, Play
from engine.rules import RuleSet
from engine.scoring import Points, certain, count
from engine.scoring import wins_match as wins_with_denari
from engine.state import State
from engine.turns import Hand, deal, put, settle, with_hands, withdrawn


def new_hand(
    rules: RuleSet,
    dealer: int,
    table: Collection[Card] = (),
    hands: Sequence[Hand] | None = None,
    stock: Sequence[Card] | None = None,
) -> State:
    """The state before the first play; a first table of 15 or 30 goes to the dealer where the rules say so.

    `hands` and `stock` (given out from its front) are None when nobody knows them. Raises `IllegalPlay` (`misdeal`) for
    a table that must be dealt again, `InvalidPlay` for cards or a dealer that cannot be.
    """
    if rules.game == "sette_e_mezzo" or not 0 <= dealer < rules.players:
        raise InvalidPlay(
            f"expected a game of the Scopa family and a dealer 0 to {rules.players - 1}, got {rules.game} and {dealer}"
        )
    _check_stock(rules, table, hands, stock)
    first = opening(rules, table)
    if first.redeal:
        raise IllegalPlay("misdeal", f"expected a table without so many {first.redeal}, got {format_cards(table)}")
    sides = len(set(rules.sides))
    taken = bits(table) if first.dealer_scope else 0
    state = State(
        rules=rules,
        dealer=dealer,
        plays=0,
        table_bits=bits(table) & ~taken,
        pile_bits=tuple(taken * (side == rules.sides[dealer]) for side in range(sides)),
        scope=tuple(first.dealer_scope * (side == rules.sides[dealer]) for side in range(sides)),
        last_taker=rules.sides[dealer] if taken else None,
        hand_bits=(None,) * rules.players,
        stock=None if stock is None else tuple(stock),
        bussate=((),) * sides,
    )
    if hands is not None:
        return with_hands(state, hands)
    return deal(state) if stock is not None else state


def _check_stock(rules: RuleSet, table: Collection[Card], hands: Sequence[Hand] | None, stock: Hand) -> None:
    """A stock holds the rest of the deck, no card twice; its order need not be known."""
    if stock is None:
        return
    given = 0 if hands is None else rules.players * rules.hand_cards
    others = [card for cards in (table, *(hands or ())) for card in cards or ()]
    if len(stock) != rules.plays - given or len(set(stock) - set(others)) != len(stock):
        raise InvalidPlay(f"expected {rules.plays - given} cards in the stock that lie nowhere else, got {len(stock)}")


def legal_plays(state: State) -> tuple[Play, ...]:
    """All legal plays of the player to move; if his hand is not known, of every card that he may hold."""
    if state.over:
        return ()
    player = state.turn
    holding = state.may_hold_bits(player)
    plays = []
    for single in single_bits(holding):
        if _vile(state, single):
            continue
        found = capture_bits(state.rules, state.table_bits, worth(state.rules, single, state.matta), state.matta)
        plays += [Play(player, card(single), cards(taken)) for taken in found or (0,)]
    return tuple(plays)


def legal_knocks(state: State) -> tuple[Knock, ...]:
    """The knock that each player may make now, as far as the hands are known."""
    return tuple(
        Knock(player, cards(hand))
        for player, hand in enumerate(state.hand_bits)
        if hand is not None and knock_verdict(state, Knock(player, cards(hand))) is None
    )


def verdict(state: State, move: Move) -> str | None:
    """None for a legal move, else the code of the first rule that it violates (chapter 8)."""
    _check_move(move)
    if isinstance(move, Knock):
        return knock_verdict(state, move)
    return refusal(state, move.player, move.card, move.takes)


def refusal(state: State, player: int, played: Card, takes: Collection[Card]) -> str | None:
    """As `verdict`; `takes` may list a card twice. Raises `InvalidPlay` for a player who does not exist."""
    if not 0 <= player < state.rules.players:
        raise InvalidPlay(f"expected a player 0 to {state.rules.players - 1}, got {player}")
    if state.over:
        return "hand_over"
    if player != state.turn:
        return "wrong_turn"
    single = bit(played)
    if single & state.out_bits:
        return "card_already_out"
    if not single & state.may_hold_bits(player):
        return "card_not_in_hand"
    taken = bits(takes)
    if taken.bit_count() != len(takes):
        return "card_twice"
    if taken & ~state.table_bits:
        return "card_not_on_table"
    return "ace_not_first" if _vile(state, single) else _wrong_capture(state, single, taken)


def _vile(state: State, single: int) -> bool:
    """*Regola del vile*: an ace may not be the first card of the hand, unless nothing else is held."""
    if state.rules.ace_first == "allowed" or state.plays or not single & OF_VALUE[1]:
        return False
    return bool(state.may_hold_bits(state.turn) & ~OF_VALUE[1])


def _wrong_capture(state: State, single: int, taken: int) -> str | None:
    rules, table, value = state.rules, state.table_bits, worth(state.rules, single, state.matta)
    legal = capture_bits(rules, table, value, state.matta)
    if taken in legal or not (taken or legal):
        return None
    if not taken:
        return "must_take"
    if legal == (table,) and value == 1 and rules.ace == "takes_all" and taken != table:
        return "ace_takes_all"
    worths = [worth(rules, one, state.matta) for one in single_bits(taken)]
    if sum(worths) == value:  # the sum is right, so a rule of precedence forbids it
        equal = any(worth(rules, one, state.matta) == value for one in single_bits(table))
        return "must_take_equal" if equal else "must_take_fewest"
    return "only_one_equal" if all(one == value for one in worths) else "wrong_sum"


def apply(state: State, move: Move) -> State:
    """The state after a legal move. Raises `IllegalPlay` with the refusal code otherwise; nothing changes then."""
    _check_move(move)
    if isinstance(move, Knock):
        return _apply_knock(state, move)
    code = verdict(state, move)
    if code is not None:
        raise IllegalPlay(
            code, f"expected a legal play of player {state.turn}, got {move} of player {move.player}: {code}"
        )
    return settle(put(state, bit(move.card), bits(move.takes)))


OVERRULABLE: Final = frozenset(
    {"wrong_turn", "ace_not_first", "must_take", "ace_takes_all", "must_take_equal", "must_take_fewest"}
    | {"only_one_equal", "wrong_sum"}
)
"""Refusals that the players may let pass: all that do not make the cards themselves impossible."""


def overrule(state: State, play: Play) -> State:
    """The state after a play that the rules refuse but all players accept; it counts for the side of `play.player`.

    Raises `IllegalPlay` for a play that cannot have been: a card that is out, cards that do not lie on the table.
    """
    if not isinstance(play, Play):
        raise InvalidPlay(f"expected a play, got {play!r}")
    here = replace(state, dealer=(play.player - 1 - state.plays) % state.rules.players)  # as if it were his turn
    code = verdict(here, play)
    if code is not None and code not in OVERRULABLE:
        raise IllegalPlay(code, f"expected cards that can be played and taken, got {play}: {code}")
    return settle(replace(put(here, bit(play.card), bits(play.takes)), dealer=state.dealer))


def _check_move(move: object) -> None:
    if not isinstance(move, Play | Knock):
        raise InvalidPlay(f"expected a play or a knock, got {move!r}")


def knock_verdict(state: State, knock: Knock) -> str | None:
    """None for a knock that may be made and is true as far as its cards are known, else `knock_too_late` etc."""
    if not 0 <= knock.player < state.rules.players:
        raise InvalidPlay(f"expected a player 0 to {state.rules.players - 1}, got {knock.player}")
    if state.over:
        return "hand_over"
    if not state.rules.bussate:
        return "knock_not_valid"
    if state.played(knock.player) or knock.player in state.knocked:
        return "knock_too_late"
    shown = _shown(state, knock)
    if shown is not None and shown & ~state.may_hold_bits(knock.player):
        return "card_not_in_hand"
    return None if _knock_pays(state, knock).points else "knock_not_valid"


def _shown(state: State, knock: Knock) -> int | None:
    return state.hand_bits[knock.player] if knock.cards is None else bits(knock.cards)


def _knock_pays(state: State, knock: Knock) -> Worth:
    shown = _shown(state, knock)
    if shown is not None:
        return knock_worth(state.rules, sorted_cards(shown), knock.kind, knock.value)
    # The cards were not read: the claim is believed, for it cannot be judged (2.5).
    believed = {"low": state.rules.bussata_low, "three": state.rules.bussata_three}
    return Worth(believed.get(knock.kind or "", 0), knock.kind)


def _apply_knock(state: State, knock: Knock) -> State:
    code = knock_verdict(state, knock)
    if code is not None:
        raise IllegalPlay(code, f"expected a knock that the rules allow, got {knock}: {code}")
    pays, shown = _knock_pays(state, knock), _shown(state, knock)
    side = state.rules.sides[knock.player]
    declared = state.rules.matta_in_play == "declared" and pays.matta is not None
    return replace(
        state,
        bussate=tuple((*paid, pays.points) if one == side else paid for one, paid in enumerate(state.bussate)),
        knocked=state.knocked | {knock.player},
        hand_bits=tuple(shown if one == knock.player else hand for one, hand in enumerate(state.hand_bits)),
        matta=pays.matta if declared else state.matta,
    )


def is_over(state: State) -> bool:
    """Whether the last card of the hand has been played."""
    return state.over


def score(state: State) -> tuple[Points, ...]:
    """Points of each side, from what lies in the piles now."""
    return count(state.rules, state.pile_bits, state.scope, state.bussate)


def certain_points(state: State) -> tuple[Points, ...]:
    """Points of each side that nobody can take away any more (M5)."""
    if state.over:
        return score(state)
    scope = state.scope
    if withdrawn(state):
        scope = tuple(won - (side == state.last_taker) for side, won in enumerate(scope))
    return certain(state.rules, state.pile_bits, scope, state.bussate)


def wins_match(state: State) -> int | None:
    """The side that has won the match by this hand alone (ten denari), or None."""
    return wins_with_denari(state.rules, state.pile_bits)
