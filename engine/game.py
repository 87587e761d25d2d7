"""A hand of the Scopa family: new hand, legal plays, verdict, apply, end and points (chapters 2 to 6 and 8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

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

Hand = Collection[Card] | None


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
    return _deal(state) if stock is not None else state


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


def verdict(state: State, play: Play) -> str | None:
    """None for a legal play, else the code of the first rule that it violates (chapter 8)."""
    return refusal(state, play.player, play.card, play.takes)


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
        fewest = rules.value_capture == "fewest" and not any(one & (one - 1) == 0 for one in legal)
        return "must_take_fewest" if fewest else "must_take_equal"
    return "only_one_equal" if all(one == value for one in worths) else "wrong_sum"


def apply(state: State, move: Move) -> State:
    """The state after a legal move. Raises `IllegalPlay` with the refusal code otherwise; nothing changes then."""
    if isinstance(move, Knock):
        return _apply_knock(state, move)
    code = verdict(state, move)
    if code is not None:
        raise IllegalPlay(
            code, f"expected a legal play of player {state.turn}, got {move} of player {move.player}: {code}"
        )
    return _settle(_put(state, bit(move.card), bits(move.takes)))


def _put(state: State, single: int, taken: int) -> State:
    """Table, piles, scope and hand after a legal play."""
    rules, side = state.rules, state.side
    to_pile = taken | single if taken or _takes_itself(state, single) else 0
    table = state.table_bits & ~taken if to_pile else state.table_bits | single
    scopa = bool(taken) and not table and _scopa_counts(state, single, taken)
    hand = state.hand_bits[state.turn]
    hands = state.hand_bits
    if hand is not None:
        hands = (*hands[: state.turn], hand & ~single, *hands[state.turn + 1 :])
    if not to_pile:
        return replace(state, plays=state.plays + 1, table_bits=table, hand_bits=hands)
    piles = state.pile_bits
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


def _scopa_counts(state: State, single: int, taken: int) -> bool:
    """Whether a capture that empties the table is a scopa (P7, P8, chapters 5 and 6)."""
    rules = state.rules
    if rules.last_scopa == "no_last_card" and state.plays == rules.plays - 1:
        return False
    if rules.ace_scopa == "yes" or worth(rules, single, state.matta) != 1:
        return True
    ordinary = taken & (taken - 1) == 0 and bool(taken & OF_VALUE[1]) and rules.ace_blocked_by_ace
    swept = rules.ace == "takes_all" and not ordinary
    return rules.ace_scopa == "no_takeall" and not swept


def _settle(state: State) -> State:
    """What follows a play by itself: new cards are given out, or the hand ends (D4, P8, P9)."""
    if not state.over:
        fresh = state.plays % (state.rules.players * state.rules.hand_cards) == 0
        return _deal(replace(state, knocked=frozenset())) if fresh else state
    scope, piles, taker = state.scope, state.pile_bits, state.last_taker
    if taker is None:
        return state  # nobody ever captured: the cards belong to nobody
    if _withdrawn(state):
        scope = tuple(won - (side == taker) for side, won in enumerate(scope))
    piles = tuple(pile | state.table_bits * (side == taker) for side, pile in enumerate(piles))
    return replace(state, table_bits=0, pile_bits=piles, scope=scope)


def _withdrawn(state: State) -> bool:
    """`no_last_capture`: a scopa by the hand's last capture does not count if it fell in the last distribution."""
    if state.rules.last_scopa != "no_last_capture" or state.fresh_scopa is None:
        return False
    last_distribution = state.rules.plays - state.rules.players * state.rules.hand_cards
    return state.fresh_scopa >= last_distribution


def _deal(state: State) -> State:
    """Give out the next cards: known ones if the order of the stock is known."""
    players, each = state.rules.players, state.rules.hand_cards
    if state.stock is None:
        return replace(state, hand_bits=(None,) * players)
    if len(state.stock) < players * each:
        raise InvalidPlay(f"expected {players * each} cards in the stock, got {len(state.stock)}")
    given = [state.stock[each * place : each * (place + 1)] for place in range(players)]
    hands = [given[(player - state.dealer - 1) % players] for player in range(players)]
    return with_hands(replace(state, stock=state.stock[players * each :]), hands)


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
    if _withdrawn(state):
        scope = tuple(won - (side == state.last_taker) for side, won in enumerate(scope))
    return certain(state.rules, state.pile_bits, scope, state.bussate)


def wins_match(state: State) -> int | None:
    """The side that has won the match by this hand alone (ten denari), or None."""
    return wins_with_denari(state.rules, state.pile_bits)


def moves_after(state: State, moves: Iterable[Move]) -> State:
    """Fold moves into a state. Raises as `apply` does."""
    for move in moves:
        state = apply(state, move)
    return state
