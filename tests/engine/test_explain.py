"""What a change of the table says about the play that made it."""

from __future__ import annotations

import dataclasses

import pytest

from engine.cards import Card, parse_cards
from engine.errors import InvalidPlay
from engine.explain import UNFINISHED, Change, Explanation, explain
from engine.game import apply, new_hand
from engine.play import Play
from engine.rules import RuleSet, variant
from engine.state import State
from engine.turns import with_hands


def hand(table: str, rules: RuleSet | None = None, hands: list[str] | None = None) -> State:
    state = new_hand(rules or variant("scopa_2"), 1, parse_cards(table))
    return with_hands(state, [parse_cards(cards) for cards in hands]) if hands else state


def seen(table: str, **more: object) -> Change:
    return Change(frozenset(parse_cards(table)), **more)  # type: ignore[arg-type]


def codes(found: tuple[Explanation, ...]) -> set[str | None]:
    return {explanation.code for explanation in found}


def cards(text: str) -> frozenset[Card]:
    return frozenset(parse_cards(text))


def test_a_laid_card_is_named() -> None:
    (only,) = explain(hand("2d 4c Rs Cb"), seen("2d 4c Rs Cb 5d"))
    assert only.code is None
    assert only.steps[0].plays == (Play(0, Card.parse("5d")),)
    assert only.steps[0].seen


def test_an_unseen_capturing_card_has_all_its_suits() -> None:
    legal = explain(hand("3d 4c Rs Cb"), seen("Rs Cb"), illegal=False)
    assert [step.cards for explanation in legal for step in explanation.steps] == [cards("7d 7c 7s 7b")]
    assert legal[0].steps[0].takes == cards("3d 4c")


def test_a_glimpse_marks_the_card_that_it_supports() -> None:
    (only,) = explain(hand("3d 4c Rs Cb"), seen("Rs Cb", glimpsed=cards("7c Ab")), illegal=False)
    assert only.steps[0].glimpsed == cards("7c")


def test_a_known_hand_leaves_one_card() -> None:
    state = hand("3d 4c Rs Cb", hands=["7s 2b Fd", "7d 7c 5d"])
    (only,) = explain(state, seen("Rs Cb"), illegal=False)
    assert only.steps[0].plays == (Play(0, Card.parse("7s"), cards("3d 4c")),)


def test_nothing_played_is_an_explanation() -> None:
    (only,) = explain(hand("3d 4c Rs Cb"), seen("3d 4c Rs Cb"))
    assert only.steps == ()


def test_a_card_that_could_take_is_refused_and_its_captures_are_named() -> None:
    (only,) = explain(hand("3d 4c Rs Cb"), seen("3d 4c Rs Cb 7s"))
    assert only.code == "must_take"
    assert only.legal == (cards("3d 4c"),)


def test_a_capture_whose_cards_still_lie_there_is_unfinished() -> None:
    assert codes(explain(hand("3d 4c Rs Cb"), seen("4c Rs Cb 7s"))) == {UNFINISHED}
    assert codes(explain(hand("3d 4c Rs Cb"), seen("Rs Cb 7s"))) == {UNFINISHED}


def test_a_wrong_capture_lists_every_value_with_its_code() -> None:
    found = explain(hand("5s 2d 3c Fb"), seen("5s Fb"))
    by_value = {next(iter(e.steps[0].cards)).value: e.code for e in found}
    assert by_value[5] == "must_take_equal"
    assert by_value[4] == "wrong_sum"
    assert None not in codes(found)


def test_an_ace_that_leaves_cards_behind_must_take_all() -> None:
    found = explain(hand("2d 3c Rs Cb", variant("scopa_assi")), seen("2d 3c Rs"))
    assert {e.code for e in found if Card.parse("Ad") in e.steps[0].cards} == {"ace_takes_all"}


def test_a_card_of_a_pile_that_comes_back() -> None:
    taken = hand("3d 4c Rs Cb")
    (play,) = explain(taken, seen("Rs Cb"), illegal=False)[0].steps
    after = apply(taken, play.plays[0])
    assert codes(explain(after, seen("Rs Cb 3d"))) == {"card_already_out"}


@pytest.mark.parametrize(
    ("laid", "orders"),
    [
        ("2d Fb", {("2d", "Fb"), ("Fb", "2d")}),
        ("2d 6c", {("6c", "2d")}),  # after the 2 the 6 would have had to take 4+2
    ],
)
def test_two_merged_plays_in_every_order_that_was_legal(laid: str, orders: set[tuple[str, str]]) -> None:
    found = explain(hand("3d 4c Rs Cb"), seen("3d 4c Rs Cb " + laid), most=2)
    assert {tuple(str(step.plays[0].card) for step in e.steps) for e in found} == orders


def test_a_card_laid_and_taken_between_two_looks() -> None:
    found = explain(hand("3d 4c Rs Cb"), seen("3d 4c Rs Cb"), most=2, illegal=False)
    passing = [e for e in found if len(e.steps) == 2]
    laid = {step.cards for e in passing for step in e.steps if not step.captured}
    assert cards("5s") in laid
    assert all(e.steps[0].cards.isdisjoint(e.steps[1].cards) for e in passing)


def test_two_steps_never_need_the_same_card() -> None:
    state = hand("7d 7c 7s 3d")
    found = explain(state, seen("3d"), most=3, illegal=False)
    assert found == ()  # three sevens taken one by one would need three more sevens; one is left


def test_a_known_hand_plays_each_card_once() -> None:
    state = hand("3d 4c Rs Cb", hands=["2b 7s Fd", "2d 5c 6c"])
    found = explain(state, seen("3d 4c Rs Cb", doubtful=cards("2b")), most=3, illegal=False)
    assert not any(
        len(e.steps) == 3 and not e.steps[0].captured and e.steps[0].cards == e.steps[2].cards for e in found
    )


def test_after_the_last_card_nothing_is_played() -> None:
    over = dataclasses.replace(hand("3d 4c Rs Cb"), plays=36)
    assert codes(explain(over, seen("3d 4c Rs Cb 2b"), most=3)) == {"hand_over"}
    assert [e.steps for e in explain(over, seen("3d 4c Rs Cb"))] == [()]


def test_doubtful_cards_leave_both_readings_open() -> None:
    found = explain(hand("3d 4c Rs Cb"), seen("4c Rs Cb", doubtful=cards("3d")))
    assert () in {e.steps for e in found}
    assert cards("3d") in {step.takes for e in found for step in e.steps}


def test_under_a_hand_that_hides_much_only_what_is_surely_gone_is_refused() -> None:
    hidden = explain(hand("3d 4c Rs Cb"), seen("", doubtful=cards("4c Rs Cb")))
    assert {len(e.steps[0].takes) for e in hidden if e.code} == {1, 2, 3, 4}
    state = dataclasses.replace(
        hand("3d 4c Rs Cb"), table_bits=sum(1 << card.index for card in cards("3d 4c Rs Cb Fs Ad"))
    )
    more = explain(state, seen("", doubtful=cards("4c Rs Cb Fs Ad")))
    assert {e.steps[0].takes for e in more if e.code} == {cards("3d")}


def test_an_unread_card_is_one_of_its_candidates() -> None:
    found = explain(hand("2d 4c Rs Cb"), seen("2d 4c Rs Cb", unread=(cards("5d 5c"),)), illegal=False)
    assert {str(e.steps[0].plays[0].card) for e in found} == {"5d", "5c"}
    assert not any(e.steps[0].seen for e in found)


def test_the_arm_of_another_player_is_wrong_turn() -> None:
    found = explain(hand("2d 4c Rs Cb"), seen("2d 4c Rs Cb 5d", player=1))
    assert codes(found) == {None, "wrong_turn"}
    assert {e.steps[0].player for e in found if e.code} == {1}


def test_the_last_play_may_be_seen_before_or_after_the_leftovers_are_gathered() -> None:
    state = dataclasses.replace(hand("2d 4c Rs Cb"), plays=35, last_taker=0)
    assert {e.code for e in explain(state, seen("2d 4c Rs Cb 5d"))} == {None}
    assert any(e.steps and e.code is None for e in explain(state, seen("")))


@pytest.mark.parametrize("most", [0, 4])
def test_more_plays_than_can_be_explained(most: int) -> None:
    with pytest.raises(InvalidPlay, match="1 to 3"):
        explain(hand("2d 4c Rs Cb"), seen("2d"), most=most)


def test_a_card_cannot_be_present_and_doubtful() -> None:
    with pytest.raises(InvalidPlay, match="2d"):
        explain(hand("2d 4c Rs Cb"), seen("2d", doubtful=cards("2d")))
