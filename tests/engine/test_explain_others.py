"""First tables, knocks, and the seats of Sette e mezzo."""

from __future__ import annotations

import pytest

from engine.cards import Card, parse_cards
from engine.deal import Opening
from engine.errors import InvalidPlay
from engine.explain import Change
from engine.explain_sette import SeatChange, SeatExplanation, explain_seat
from engine.explain_table import explain_knock, explain_opening
from engine.game import apply, new_hand
from engine.play import Play
from engine.rules import variant
from engine.sette_moves import Draw, Reveal, Stake, Stand, Swap, TakeCovered
from engine.sette_round import Round, new_round
from engine.sette_round import apply as apply_sette
from engine.state import State

CIRULLA = variant("cirulla_2")


def card(text: str) -> Card:
    return Card.parse(text)


def cards(text: str) -> frozenset[Card]:
    return frozenset(parse_cards(text))


@pytest.mark.parametrize(
    ("table", "asks"),
    [
        ("Ad 2c 5s 7b", Opening(dealer_scope=1)),
        ("Rd Rc 6s 4b", Opening(dealer_scope=2)),
        ("Ad Ac 3s Rb", Opening(redeal="aces")),
        ("Rd Rc Rs 4b", Opening()),
    ],
)
def test_a_first_table_of_cirulla(table: str, asks: Opening) -> None:
    (only,) = explain_opening(CIRULLA, Change(cards(table)))
    assert (only.table, only.opening) == (cards(table), asks)


def test_an_unread_card_leaves_several_first_tables() -> None:
    found = explain_opening(CIRULLA, Change(cards("Ad 2c 5s"), unread=(cards("7b 6b"),)))
    assert {first.opening.dealer_scope for first in found} == {0, 1}
    assert len(explain_opening(CIRULLA, Change(cards("Ad 2c 5s"), unread=(frozenset(),)))) == 37


def test_a_doubtful_card_completes_a_first_table() -> None:
    assert explain_opening(CIRULLA, Change(cards("Ad 2c 5s"))) == ()
    found = explain_opening(CIRULLA, Change(cards("Ad 2c 5s"), doubtful=cards("7b Rd")))
    assert {first.table for first in found} == {cards("Ad 2c 5s 7b"), cards("Ad 2c 5s Rd")}


def cirulla() -> State:
    return new_hand(CIRULLA, 1, parse_cards("3d 4c Rs Cb"))


def test_a_knock_is_explained_with_what_it_pays() -> None:
    (seen,) = explain_knock(cirulla(), 1, Change(cards("2d 2c 7c")))
    assert (seen.worth.points, seen.worth.kind, seen.worth.matta, seen.code) == (10, "three", 2, None)


def test_a_knock_with_an_unread_card_lists_the_legal_ones_first() -> None:
    found = explain_knock(cirulla(), 0, Change(cards("2d 3c"), unread=(cards("Rd As"),)))
    assert [seen.code for seen in found] == [None, "knock_not_valid"]


def test_two_cards_are_no_knock() -> None:
    assert explain_knock(cirulla(), 0, Change(cards("2d 3c"))) == ()


def test_a_knock_with_a_card_of_the_table_is_refused() -> None:
    (seen,) = explain_knock(cirulla(), 0, Change(cards("2d 2s 3d")))
    assert seen.code == "card_not_in_hand"


def test_a_knock_after_the_first_card_is_too_late() -> None:
    state = apply(cirulla(), Play(0, card("As"), cards("3d 4c Rs Cb")))
    (seen,) = explain_knock(state, 0, Change(cards("2d 2s 2c")))
    assert seen.code == "knock_too_late"


def sette(*moves: object, covered: str = "? ? ?") -> Round:
    hidden = [None if text == "?" else card(text) for text in covered.split()]
    state = new_round(variant("sette_e_mezzo"), 2, (100, 100, 100), hidden)
    for move in moves:
        state = apply_sette(state, move)  # type: ignore[arg-type]
    return state


def test_a_card_face_up_was_drawn_or_was_covered_before() -> None:
    state = sette(Stake(0, (10,)))
    found = explain_seat(state, SeatChange(0, cards("4c")))
    assert set(found) == {SeatExplanation((Draw(0, card("4c")),)), SeatExplanation((Swap(0, card("4c")),))}


def test_a_known_covered_card_tells_a_draw_from_a_swap() -> None:
    state = sette(Stake(0, (10,)), covered="2d ? ?")
    assert explain_seat(state, SeatChange(0, cards("4c"))) == (SeatExplanation((Draw(0, card("4c")),)),)
    assert explain_seat(state, SeatChange(0, cards("2d"))) == (SeatExplanation((Swap(0, card("2d")),)),)


def test_a_double_bet_leaves_open_for_which_bet_a_card_is() -> None:
    found = explain_seat(sette(Stake(0, (10, 20))), SeatChange(0, cards("4c")))
    assert {move.bet for e in found for move in e.moves if isinstance(move, Draw)} == {0, 1}


def test_the_seat_that_shows_a_bust_has_turned_its_card() -> None:
    state = sette(Stake(0, (10,)), Draw(0, card("6c")))
    found = explain_seat(state, SeatChange(0, cards("5d"), covered=0))
    assert found == (SeatExplanation((Reveal(0, card("5d")),)),)


def test_a_card_turned_without_need_leaves_none_covered() -> None:
    state = sette(Stake(0, (10,)), Draw(0, card("Ac")))
    assert {e.code for e in explain_seat(state, SeatChange(0, cards("2d"), covered=0))} == {"none_covered"}


def test_a_second_covered_card_is_refused() -> None:
    found = explain_seat(sette(Stake(0, (10,))), SeatChange(0, covered=2))
    assert found == (SeatExplanation((TakeCovered(0),), "two_covered"),)


def test_nothing_new_is_no_move() -> None:
    assert explain_seat(sette(Stake(0, (10,))), SeatChange(0)) == (SeatExplanation(()),)


def test_a_card_for_another_seat_is_wrong_turn() -> None:
    assert {e.code for e in explain_seat(sette(Stake(0, (10,))), SeatChange(1, cards("4c")))} == {"wrong_turn"}


def test_the_bank_plays_when_the_last_player_stood_without_a_word() -> None:
    state = sette(Stake(0, (10,)), Stand(0), Stake(1, (5, 5)), Draw(1, card("2c"), 0))
    found = explain_seat(state, SeatChange(2, cards("3s 4s"), covered=0))
    assert SeatExplanation((Stand(1, 0), Stand(1, 1), Reveal(2, card("3s")), Draw(2, card("4s")))) in found
    assert len(found) == 2  # the other of the two cards may have been the covered one


def test_a_stand_that_the_rules_forbid_is_not_assumed() -> None:
    state = sette(Stake(0, (10,)), Stand(0), Stake(1, (5, 5)))
    found = explain_seat(state, SeatChange(2, cards("3s"), covered=0))
    assert {e.code for e in found} == {"wrong_turn"}


def test_more_than_can_be_explained() -> None:
    with pytest.raises(InvalidPlay):
        explain_seat(sette(), SeatChange(0, cards("Ad 2d 3d 4d")))
    with pytest.raises(InvalidPlay):
        explain_seat(sette(), SeatChange(3))
