"""Speed of the engine: captures against a plain enumeration in the same run, whole hands, explanations."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from itertools import combinations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.captures import captures
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.explain import Change, explain
from engine.game import apply, is_over, legal_plays, new_hand, score
from engine.rules import RuleSet, variant
from engine.state import State

RULES = variant("scopa_2")
Question = tuple[frozenset[Card], Card]


def plain(rules: RuleSet, table: Iterable[Card], card: Card) -> list[frozenset[Card]]:
    """Every subset of the table is tried, as one would write it down first."""
    lying = list(table)
    equal = [frozenset([one]) for one in lying if one.value == card.value]
    sums = (some for size in range(2, len(lying) + 1) for some in combinations(lying, size))
    return equal or [frozenset(some) for some in sums if sum(one.value for one in some) == card.value]


def questions(count: int, cards: int = 10) -> list[Question]:
    chance = random.Random(7)
    drawn = (chance.sample(DECK, cards + 1) for _ in range(count))
    return [(frozenset(one[1:]), one[0]) for one in drawn]


def seconds(answer: Callable[[RuleSet, Iterable[Card], Card], object], asked: list[Question]) -> float:
    began = time.process_time()
    for table, card in asked:
        answer(RULES, table, card)
    return time.process_time() - began


def test_captures_are_five_times_as_fast_as_plain_enumeration() -> None:
    asked = questions(10_000)
    for table, card in asked[:500]:
        assert set(captures(RULES, table, card)) == set(plain(RULES, table, card))
    assert seconds(plain, asked) >= 5 * seconds(captures, asked)


def random_hand(chance: random.Random) -> list[State]:
    deck = list(DECK)
    chance.shuffle(deck)
    try:
        states = [new_hand(RULES, 1, deck[:4], stock=deck[4:])]
    except IllegalPlay:
        return random_hand(chance)
    while not is_over(states[-1]):
        states.append(apply(states[-1], chance.choice(legal_plays(states[-1]))))
    score(states[-1])
    return states


def test_five_hundred_whole_hands_a_second() -> None:
    chance = random.Random(7)
    began = time.process_time()
    for _ in range(300):
        random_hand(chance)
    assert 300 / (time.process_time() - began) >= 500


@pytest.mark.benchmark(group="engine")
def test_one_whole_hand(benchmark: BenchmarkFixture) -> None:
    chance = random.Random(7)
    benchmark(lambda: random_hand(chance))


@pytest.mark.benchmark(group="engine")
@pytest.mark.parametrize("most", [1, 2, 3])
def test_explanations_of_a_change(benchmark: BenchmarkFixture, most: int) -> None:
    chance = random.Random(7)
    hands = [random_hand(chance) for _ in range(20)]
    asked = [(chance.randrange(0, 33), states) for states in hands]
    looked = [(new_hand_like(states[place]), Change(states[place + most].table)) for place, states in asked]

    def all_of_them() -> None:
        for state, change in looked:
            explain(state, change, most)

    benchmark.extra_info["changes"] = len(looked)
    benchmark(all_of_them)


def new_hand_like(state: State) -> State:
    """The same moment as the camera knows it: no hand and no stock."""
    return State(
        rules=state.rules,
        dealer=state.dealer,
        plays=state.plays,
        table_bits=state.table_bits,
        pile_bits=state.pile_bits,
        scope=state.scope,
        last_taker=state.last_taker,
        hand_bits=(None,) * state.rules.players,
        bussate=state.bussate,
    )
