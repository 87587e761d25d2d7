"""Hands one after the other, totals, ties, claims; and what stays when nobody captures."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.cards import DECK, parse_cards
from engine.game import apply, certain_points, is_over, legal_plays, new_hand, score
from engine.match import Claim, Deal, Match, Standing, add_hand, advance, claim
from engine.play import Play
from engine.rules import RuleSet, variant
from engine.scoring import Points
from engine.state import State


def play_out(match: Match) -> Match:
    """A whole hand, always the first legal play; each hand of the match from another deck."""
    deck = list(DECK)
    random.Random(len(match.scored)).shuffle(deck)
    match = advance(match, Deal(tuple(deck[:4]), stock=tuple(deck[4:])))
    while match.hand is not None:
        match = advance(match, legal_plays(match.hand)[0])
    return match


def test_hands_follow_each_other_until_one_side_has_won() -> None:
    match = Match.new(variant("scopa_2").replace(target=21))
    dealers = []
    while match.standing.winner is None:
        assert len(dealers) < 50
        dealers.append(match.dealer)
        match = play_out(match)
    assert dealers == [(1 + hand) % 2 for hand in range(len(dealers))]
    assert match.hand is None
    totals = tuple(sum(points[side].total for points in match.scored) for side in (0, 1))
    assert match.standing.totals == totals
    assert totals[match.standing.winner] == max(totals) >= 21


def test_a_side_with_all_denari_wins_whatever_the_score() -> None:
    standing = add_hand(Standing.new(variant("cirulla_2")), [Points(denari=1), Points(carte=1)], wins=0)
    assert (standing.winner, standing.totals) == (0, (1, 1))


def test_an_excluded_side_cannot_win_with_denari() -> None:
    rules = variant("scopa_dichiarata").replace(players=3)
    out = claim(Standing.new(rules), 0, 3)
    assert add_hand(out, [Points(scope=5)] * 3, wins=0).winner is None
    assert add_hand(out, [Points(scope=5)] * 3).totals == (0, 5, 5)


COUNT = variant("scopa_2").replace(both_reach="count_order")


@pytest.mark.parametrize(
    ("before", "points", "winner"),
    [
        ((10, 10), (Points(carte=1), Points(denari=1, scope=3)), 0),
        ((10, 10), (Points(scope=2), Points(settebello=1)), 1),
        ((10, 10), (Points(scope=1), Points(scope=2)), 1),  # both in one item: who leads alone
        ((9, 10), (Points(scope=2), Points(scope=1)), None),  # and a tie is a tie
        ((3, 10), (Points(carte=1), Points(denari=1)), 1),
    ],
)
def test_count_order(before: tuple[int, int], points: tuple[Points, Points], winner: int | None) -> None:
    after = add_hand(replace(Standing.new(COUNT), totals=before), points)
    assert after.winner == winner
    assert after.extra_hand == (winner is None)


def test_after_a_tie_over_the_target_the_order_of_counting_means_nothing() -> None:
    tied = replace(Standing.new(COUNT), totals=(11, 11))
    assert add_hand(tied, (Points(carte=1), Points(denari=1, settebello=1))).winner == 1


def test_a_claim_counts_the_points_of_the_running_hand() -> None:
    rules = variant("scopa_dichiarata").replace(target=1)
    match = advance(Match.new(rules), Deal(parse_cards("7d 4c Rs Cb")))
    match = advance(match, Play(0, parse_cards("7c")[0], frozenset(parse_cards("7d"))))
    assert advance(match, Claim(0)).standing.winner == 0
    assert advance(match, Claim(1)).standing.winner == 0  # a wrong claim: the other wins


def test_after_a_wrong_claim_among_three_the_hand_is_void() -> None:
    match = advance(Match.new(variant("scopa_dichiarata").replace(players=3)), Deal(parse_cards("7d 4c Rs Cb")))
    after = advance(match, Claim(2))
    assert (after.hand, after.standing.winner, after.standing.excluded) == (None, None, frozenset({2}))
    assert after.dealer == match.dealer


def at_the_end(**known: object) -> State:
    state = new_hand(variant("scopa_2"), 1, parse_cards("2d 4c Rs Cb"))
    return replace(state, plays=35, **known)  # type: ignore[arg-type]


def test_when_nobody_captured_the_cards_belong_to_nobody() -> None:
    over = apply(at_the_end(), Play(1, parse_cards("7d")[0]))
    assert is_over(over)
    assert len(over.table) == 5
    assert over.piles == (frozenset(), frozenset())
    assert over.held == (0, 0)


def test_the_last_taker_gets_what_is_left_without_a_scopa() -> None:
    over = apply(at_the_end(last_taker=0), Play(1, parse_cards("7d")[0]))
    assert len(over.piles[0]) == 5
    assert over.scope == (0, 0)
    assert certain_points(over) == score(over)


def withdrawn(plays: int) -> State:
    rules: RuleSet = variant("scopa_2").replace(last_scopa="no_last_capture")
    state = replace(new_hand(rules, 1, parse_cards("2d 4c Rs Cb")), table_bits=1 << 1, plays=plays)
    return apply(state, Play(state.turn, parse_cards("2c")[0], frozenset(parse_cards("2d"))))


def test_a_scopa_that_may_still_be_withdrawn_is_not_certain() -> None:
    assert [points.scope for points in certain_points(withdrawn(28))] == [1, 0]
    assert [points.scope for points in certain_points(withdrawn(32))] == [0, 0]
    assert [points.scope for points in score(withdrawn(32))] == [1, 0]
