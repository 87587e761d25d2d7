"""What holds for every hand, whatever is dealt and played."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.captures import captures
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.explain import Change, explain
from engine.game import apply, certain_points, is_over, legal_knocks, legal_plays, new_hand, score, verdict
from engine.match import Deal, Event, Match, Undo, advance, fold
from engine.play import Knock, Move, Play
from engine.rules import VARIANTS, RuleSet, variant
from engine.state import State
from tests.engine import brute

SCOPA_FAMILY = [name for name in VARIANTS if variant(name).game != "sette_e_mezzo"]
WHOLE = (1 << 40) - 1
CODES = [
    "wrong_turn",
    "card_already_out",
    "card_not_in_hand",
    "card_twice",
    "card_not_on_table",
    "ace_not_first",
    "must_take",
    "ace_takes_all",
    "must_take_equal",
    "must_take_fewest",
    "only_one_equal",
    "wrong_sum",
]


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    rules = variant(draw(st.sampled_from(SCOPA_FAMILY)))
    return rules.replace(
        value_capture=draw(st.sampled_from(["equal_first", "free", "fewest"])),
        last_scopa=draw(st.sampled_from(["no_last_card", "no_last_capture", "yes"])),
        ace_scopa=draw(st.sampled_from(["yes", "no_takeall", "never"])),
        ace_on_empty=draw(st.sampled_from(["stays", "takes_itself"])),
        ace_blocked_by_ace=draw(st.booleans()),
        ace_first=draw(st.sampled_from(["allowed", "forbidden"])),
        matta_in_play=draw(st.sampled_from(["seven", "declared"])),
        primiera=draw(st.sampled_from(["best4", "settanta", "off"])),
        majority=draw(st.sampled_from(["most", "more_than_half"])),
        napola=draw(st.booleans()),
        re_bello=draw(st.booleans()),
    )


@st.composite
def hands(draw: st.DrawFn, known: bool = True) -> tuple[list[State], list[Move]]:
    """A hand played to some point: the states before and after each of its moves."""
    rules = draw(rule_sets())
    deck = draw(st.permutations(DECK))
    table, stock = deck[: rules.table_cards], deck[rules.table_cards :]
    try:
        state = new_hand(rules, draw(st.integers(0, rules.players - 1)), table, stock=stock if known else None)
    except IllegalPlay:
        state = new_hand(rules.replace(redeal_kings=None, redeal_aces=None), 0, table, stock=stock if known else None)
    states, moves = [state], list[Move]()
    for _ in range(draw(st.integers(1, rules.plays))):
        if is_over(state):
            break
        options: list[Move] = [*legal_plays(state), *legal_knocks(state)]
        moves.append(options[draw(st.integers(0, 1 << 16)) % len(options)])
        state = apply(state, moves[-1])
        states.append(state)
    return states, moves


@given(rule_sets(), st.booleans(), st.lists(st.sampled_from(DECK), min_size=1, max_size=11, unique=True))
def test_captures_are_those_of_a_plain_enumeration(rules: RuleSet, sum15: bool, drawn: list[Card]) -> None:
    card, *table = drawn
    rules = rules.replace(sum15=sum15)
    found = captures(rules, table, card)
    assert len(set(found)) == len(found)
    assert set(found) == brute.captures_by_options(rules.settings(), table, card)


@given(hands())
def test_every_card_is_in_one_place(played: tuple[list[State], list[Move]]) -> None:
    for state in played[0]:
        places = [state.table_bits, *state.pile_bits, *(hand or 0 for hand in state.hand_bits)]
        places += [sum(1 << card.index for card in state.stock or ())]
        assert sum(places) == WHOLE
        assert sum(bin(place).count("1") for place in places) == 40
        assert tuple(len(hand or ()) for hand in state.hands) == state.held
        assert len(state.stock or ()) == state.undealt
        assert len(state.unseen) == sum(state.held) + state.undealt


@given(hands())
def test_points_are_given_once_and_certain_ones_are_never_taken_back(played: tuple[list[State], list[Move]]) -> None:
    states = played[0]
    while not is_over(states[-1]):
        states.append(apply(states[-1], legal_plays(states[-1])[0]))
    final = score(states[-1])
    for item in ("carte", "denari", "settebello", "primiera", "re_bello"):
        assert sum(points.items()[item] for points in final) <= 1
    for state in states:
        for sure, points in zip(certain_points(state), final, strict=True):
            assert all(sure.items()[item] <= points.items()[item] for item in points.items())


@given(hands(), st.data())
def test_what_is_not_listed_is_refused_with_the_first_code(
    played: tuple[list[State], list[Move]], data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(played[0]))
    if is_over(state):
        assert verdict(state, Play(state.turn, DECK[0])) == "hand_over"
        return
    card = data.draw(st.sampled_from(DECK))
    takes = data.draw(st.frozensets(st.sampled_from([*state.table, card]), max_size=4))
    play = Play(data.draw(st.sampled_from([state.turn] * 4 + [(state.turn + 1) % state.rules.players])), card, takes)
    code = verdict(state, play)
    assert (code is None) == (play in legal_plays(state))
    if code is not None:
        assert code == first_code(state, play, code)
        with pytest.raises(IllegalPlay) as refused:
            apply(state, play)
        assert refused.value.code == code


def first_code(state: State, play: Play, got: str) -> str:
    """The order of chapter 8, as far as it does not depend on captures."""
    if play.player != state.turn:
        return "wrong_turn"
    if play.card in state.table or any(play.card in pile for pile in state.piles):
        return "card_already_out"
    if play.card not in (state.hands[state.turn] or ()):
        return "card_not_in_hand"
    if not play.takes <= state.table:
        return "card_not_on_table"
    aces_only = all(card.value == 1 for card in state.hands[state.turn] or ())
    if state.rules.ace_first == "forbidden" and not state.plays and play.card.value == 1 and not aces_only:
        return "ace_not_first"
    if not play.takes:
        return "must_take"
    assert CODES.index(got) > CODES.index("must_take")
    return got


@given(hands(), st.booleans())
def test_an_explanation_holds_the_play_that_was_made(played: tuple[list[State], list[Move]], hidden: bool) -> None:
    states, moves = played
    for before, move, after in zip(states, moves, states[1:], strict=False):
        if isinstance(move, Knock):
            continue
        looked = replace(before, hand_bits=(None,) * before.rules.players, stock=None) if hidden else before
        found = explain(looked, Change(after.table), illegal=False)
        assert any(step.plays and move in step.plays for e in found for step in e.steps)


@given(hands(), st.integers(2, 3), st.data())
def test_an_explanation_holds_plays_that_merged(
    played: tuple[list[State], list[Move]], most: int, data: st.DataObject
) -> None:
    states, moves = played
    begin = data.draw(st.integers(0, len(moves) - 1))
    part = moves[begin : begin + most]
    if any(isinstance(move, Knock) for move in part):
        return
    before = replace(states[begin], hand_bits=(None,) * states[begin].rules.players, stock=None)
    found = explain(before, Change(states[begin + len(part)].table), most=most, illegal=False)
    ways = [e for e in found if len(e.steps) == len(part)]
    assert any(all(move in step.plays for step, move in zip(e.steps, part, strict=True)) for e in ways)


@given(hands())
def test_every_legal_explanation_is_a_legal_play(played: tuple[list[State], list[Move]]) -> None:
    before, after = played[0][-2:]
    looked = replace(before, hand_bits=(None,) * before.rules.players, stock=None)
    for explanation in explain(looked, Change(after.table)):
        for play in explanation.steps[0].plays if explanation.steps else ():
            legal = verdict(looked, play) is None
            assert legal == (explanation.code is None)
            if legal:
                assert apply(looked, play).table in {after.table, frozenset()}


@given(st.permutations(DECK), st.lists(st.integers(0, 99), min_size=1, max_size=45), st.integers(0, 20))
def test_a_folded_log_is_the_live_match_and_an_undo_changes_nothing(
    deck: list[Card], choices: list[int], undone: int
) -> None:
    rules = variant("cirulla_2").replace(redeal_aces=None)
    live = Match.new(rules)
    log: list[Event] = [Deal(tuple(deck[:4]), stock=tuple(deck[4:]))]
    live = advance(live, log[0])
    for choice in choices:
        options: list[Event] = [Deal(tuple(deck[:4]), stock=tuple(deck[4:]))]
        if live.hand is not None:
            options = [*legal_plays(live.hand), *legal_knocks(live.hand)]
        log.append(options[choice % len(options)])
        live = advance(live, log[-1])
    assert fold(Match.new(rules), log) == live
    again = log[-undone:] if 0 < undone < len(log) else []
    assert fold(Match.new(rules), [*log, *[Undo()] * len(again), *again]) == live
