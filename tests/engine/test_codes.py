"""Refusal codes that the conformance cases do not reach, and the order in which they are given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card, parse_cards
from engine.errors import IllegalPlay
from engine.game import apply, is_over, knock_verdict, legal_plays, new_hand, overrule, refusal, verdict
from engine.play import Knock, Play
from engine.rules import RuleSet, variant
from engine.sette_moves import Draw, Reveal, Shuffle, Stake, Stand, Swap
from engine.sette_round import Round, new_round
from engine.sette_round import apply as apply_sette
from engine.sette_round import legal_plays as legal_sette
from engine.sette_round import verdict as sette_verdict
from engine.state import State


def card(text: str) -> Card:
    return Card.parse(text)


def cards(text: str) -> frozenset[Card]:
    return frozenset(parse_cards(text))


def hand(table: str, rules: RuleSet | None = None) -> State:
    return new_hand(rules or variant("scopa_2"), 1, parse_cards(table))


def test_several_equal_cards_taken_where_one_must_be_taken() -> None:
    state = hand("5d 5c Rs Cb")
    assert verdict(state, Play(0, card("5s"), cards("5d 5c"))) == "only_one_equal"
    assert verdict(state, Play(0, card("5s"), cards("5c"))) is None


def test_the_coward_may_not_open_with_an_ace() -> None:
    rules = variant("scopa_assi").replace(ace_first="forbidden")
    state = hand("5d 4c Rs Cb", rules)
    assert verdict(state, Play(0, card("As"), cards("5d 4c Rs Cb"))) == "ace_not_first"
    assert all(play.card.value != 1 for play in legal_plays(state))
    after = apply(state, Play(0, card("Fd")))
    assert verdict(after, Play(1, card("As"), after.table)) is None


def test_a_hand_of_aces_may_open_with_one() -> None:
    rules = variant("scopa_2").replace(ace_first="forbidden")
    state = new_hand(rules, 1, parse_cards("5d 4c Rs Cb"), [parse_cards("Ad Ac As"), None])
    assert verdict(state, Play(0, card("As"))) is None


def test_of_several_sums_the_one_with_the_fewest_cards() -> None:
    rules = variant("cirulla_2").replace(value_capture="fewest")
    state = hand("2d 3c 4s Rc", rules)  # for a 5: 2+3, or 10 by fifteen
    assert verdict(state, Play(0, card("5d"), cards("2d 3c"))) is None
    assert verdict(hand("2d 3c 4s Ac", rules), Play(0, card("5d"), cards("2d 3c"))) is None
    assert verdict(hand("Fd 2c 3s 5c", rules), Play(0, card("Rd"), cards("2c 3s 5c"))) == "must_take_fewest"
    assert verdict(hand("Rs 2c 3s 5c", rules), Play(0, card("Rd"), cards("2c 3s 5c"))) == "must_take_equal"


def test_an_ace_that_takes_a_fifteen_beside_an_ace_has_not_swept() -> None:
    rules = variant("cirulla_2").replace(ace_scopa="no_takeall")
    state = replace(hand("5d 4c Rs Cb", rules), table_bits=sum(1 << one.index for one in cards("As Rc 3d")))
    assert apply(state, Play(0, card("Ad"), cards("As Rc 3d"))).scope == (1, 0)
    swept = hand("5d 4c Rs Cb", rules)
    assert apply(swept, Play(0, card("Ad"), swept.table)).scope == (0, 0)


def test_nothing_is_played_after_the_last_card() -> None:
    state = replace(hand("5d 4c Rs Cb"), plays=36)
    assert is_over(state)
    assert verdict(state, Play(0, card("7d"))) == "hand_over"
    assert knock_verdict(replace(hand("5d 4c Rs Cb", variant("cirulla_2")), plays=36), Knock(0)) == "hand_over"
    assert legal_plays(state) == ()


def test_the_first_violated_rule_is_told() -> None:
    state = new_hand(variant("scopa_2"), 1, parse_cards("5d 4c Rs Cb"), [parse_cards("7d 2d 3d"), None])
    twice = [card("Rd"), card("Rd")]
    assert refusal(state, 1, card("5d"), twice) == "wrong_turn"
    assert refusal(state, 0, card("5d"), twice) == "card_already_out"
    assert refusal(state, 0, card("5s"), twice) == "card_not_in_hand"
    assert refusal(state, 0, card("7d"), twice) == "card_twice"
    assert refusal(state, 0, card("7d"), [card("Rd")]) == "card_not_on_table"


def test_a_card_that_another_player_showed_is_not_in_this_hand() -> None:
    state = apply(hand("5d 4c Rs Cb", variant("cirulla_2")), Knock(1, cards("2d 2c 3s")))
    assert verdict(state, Play(0, card("2d"))) == "card_not_in_hand"


@pytest.mark.parametrize(
    ("knock", "code"),
    [
        (Knock(0, cards("2d 2c 3s")), None),
        (Knock(1, cards("2d 2c 3s")), None),
        (Knock(0, cards("2d 2c Rd")), "knock_not_valid"),
        (Knock(0, cards("2d 2c 3s"), "three"), "knock_not_valid"),
        (Knock(0, cards("2d 2c 5d")), "card_not_in_hand"),
        (Knock(0, kind="three"), None),
        (Knock(0), "knock_not_valid"),
    ],
    ids=str,
)
def test_knocks(knock: Knock, code: str | None) -> None:
    state = hand("5d 4c Rs Cb", variant("cirulla_2"))
    assert knock_verdict(state, knock) == verdict(state, knock) == code


def test_a_knock_is_paid_once_before_the_first_card_of_a_distribution() -> None:
    state = apply(hand("5d 4c Rs Cb", variant("cirulla_2")), Knock(0, cards("2d 2c 3s")))
    assert state.bussate == ((3,), ())
    assert knock_verdict(state, Knock(0)) == "knock_too_late"
    with pytest.raises(IllegalPlay) as refused:
        apply(state, Knock(0))
    assert refused.value.code == "knock_too_late"


def test_nobody_knocks_in_scopa() -> None:
    assert knock_verdict(hand("5d 4c Rs Cb"), Knock(0, cards("2d 2c 3s"))) == "knock_not_valid"


def test_a_declared_matta_keeps_its_value_in_play() -> None:
    rules = variant("cirulla_2").replace(matta_in_play="declared", value_capture="equal_first", sum15=False)
    state = apply(hand("5d 4c Rs Cb", rules), Knock(0, cards("2d 2s 7c")))
    assert state.matta == 2
    laid = apply(state, Play(0, card("7c")))
    assert verdict(laid, Play(1, card("2c"), cards("7c"))) is None
    assert verdict(laid, Play(1, card("7d"), cards("7c"))) == "wrong_sum"


def test_a_refused_play_that_all_accept_counts_for_who_made_it() -> None:
    state = hand("5d 2c 3s Cb")
    after = overrule(state, Play(0, card("5s"), cards("2c 3s")))  # the 5 should have been taken
    assert after.piles == (cards("5s 2c 3s"), frozenset())
    assert (after.table, after.turn, after.last_taker) == (cards("5d Cb"), 1, 0)
    other = overrule(state, Play(1, card("5s"), cards("5d")))
    assert (other.piles, other.turn, other.dealer) == ((frozenset(), cards("5s 5d")), 1, state.dealer)


@pytest.mark.parametrize(
    ("play", "code"),
    [
        (Play(0, card("5d")), "card_already_out"),
        (Play(0, card("5s"), cards("4d")), "card_not_on_table"),
    ],
)
def test_what_cannot_have_been_is_not_accepted(play: Play, code: str) -> None:
    with pytest.raises(IllegalPlay) as refused:
        overrule(hand("5d 2c 3s Cb"), play)
    assert refused.value.code == code


def test_cards_of_a_doubtful_play_may_be_played_again() -> None:
    state = apply(hand("5d 2c 3s Cb"), Play(0, card("5s"), cards("5d")))
    assert verdict(state, Play(1, card("5s"))) == "card_already_out"
    assert verdict(state.freed(cards("5s")), Play(1, card("5s"), cards("2c 3s"))) is None


def sette(*moves: Stake | Draw | Stand, covered: tuple[Card | None, ...] = (None, None), **options: int) -> Round:
    state = new_round(variant("sette_e_mezzo").replace(**options), 1, (100, 100), covered)
    for move in moves:
        state = apply_sette(state, move)
    return state


@pytest.mark.parametrize(
    ("amounts", "code"),
    [
        ((10,), None),
        ((10, 20), None),
        ((101,), "stake_above_max"),
        ((60, 60), "stake_above_max"),  # more than the player has
        ((0,), "stake_below_min"),
        ((), "stake_below_min"),
        ((1, 1, 1), "too_many_bets"),
    ],
)
def test_stakes(amounts: tuple[int, ...], code: str | None) -> None:
    assert sette_verdict(sette(), Stake(0, amounts)) == code


def test_who_may_stake() -> None:
    assert sette_verdict(sette(), Stake(1, (1,))) == "wrong_turn"
    assert sette_verdict(sette(Stake(0, (1,))), Stake(0, (1,))) == "wrong_turn"
    assert sette_verdict(sette(), Draw(0, card("2d"))) == "wrong_turn"
    assert sette_verdict(sette(Stake(0, (1,)), Stand(0)), Draw(0, card("2d"))) == "wrong_turn"


def test_of_a_double_bet_one_part_stands_and_the_other_draws() -> None:
    double = sette(Stake(0, (1, 2)), Stand(0, 0))
    assert sette_verdict(double, Stand(0, 1)) == "one_bet_must_draw"
    assert sette_verdict(double, Draw(0, card("2d"), 1)) is None
    drawn = sette(Stake(0, (1, 2)), Draw(0, card("2d"), 1))
    assert sette_verdict(drawn, Draw(0, card("3d"), 0)) == "one_bet_must_stand"
    assert sette_verdict(drawn, Swap(0, card("3d"))) == "one_bet_must_stand"


def test_cards_that_cannot_come() -> None:
    state = sette(Stake(0, (1,)), covered=(card("2d"), card("5c")))
    assert sette_verdict(state, Draw(0, card("5c"))) == "card_already_out"
    assert sette_verdict(state, Swap(0, card("3d"))) == "card_not_in_hand"
    hidden = sette(Stake(0, (1,)), Draw(0, card("2d")))
    assert sette_verdict(hidden, Swap(0, card("2d"))) == "card_already_out"


def test_a_bust_that_lies_open_ends_the_turn() -> None:
    state = sette(Stake(0, (1,)), Draw(0, card("5d")), Draw(0, card("3d")))
    assert state.turn == 1
    assert sette_verdict(state, Draw(0, card("2d"))) == "already_bust"


def test_a_jolly_face_up_may_still_save_a_hand() -> None:
    rules = variant("sette_e_mezzo_jolly")
    state = new_round(rules, 1, (100, 100))
    for move in (Stake(0, (1,)), Draw(0, card("Rd")), Draw(0, card("5d")), Draw(0, card("Fc"))):
        state = apply_sette(state, move)
    assert state.turn == 0  # jolly, 5 and a figure with a figure covered: 7
    assert sette_verdict(state, Draw(0, card("2d"))) is None


def test_the_bank_shows_its_card_on_its_turn() -> None:
    assert sette_verdict(sette(), Reveal(1, card("2d"))) == "wrong_turn"
    assert sette_verdict(sette(Stake(0, (1,)), Stand(0)), Reveal(1, card("2d"))) is None


def test_the_stock_is_shuffled_when_it_is_used_up() -> None:
    assert sette_verdict(sette(), Shuffle()) == "stock_not_empty"
    given = parse_cards("2d 3d")
    used = sum(1 << place for place in range(40) if place not in {one.index for one in given})
    state = replace(sette(covered=given), used=used)
    state = apply_sette(state, Stake(0, (1,)))
    assert Shuffle() in legal_sette(state)
    assert not any(isinstance(move, Draw | Swap) for move in legal_sette(state))
    assert sette_verdict(state, Draw(0, card("4d"))) == "stock_empty"
    assert sette_verdict(state, Swap(0, given[0])) == "stock_empty"
    assert apply_sette(state, Shuffle()).stock == 38
    with pytest.raises(IllegalPlay):
        apply_sette(state, Draw(0, card("4d")))
