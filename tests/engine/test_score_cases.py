"""TC15 of the field faults: what programs of others scored wrong, as exact scores, for two, three, four and pairs."""

from __future__ import annotations

import random

import pytest

from engine.bits import bits
from engine.cards import DECK, Card, parse_cards
from engine.errors import IllegalPlay
from engine.game import apply, is_over, legal_plays, new_hand
from engine.match import Standing, add_hand
from engine.play import Play
from engine.rules import variant
from engine.scoring import Points, count

PLAYS = [("scopa_2", 36), ("scopa_3", 36), ("scopa_4", 36), ("scopa_assi", 36), ("scopone_scientifico", 40)]


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


@pytest.mark.parametrize(("name", "plays"), PLAYS)
def test_tc15_a_hand_ends_after_just_its_plays_and_no_card_is_lost(name: str, plays: int) -> None:
    rules = variant(name)
    for seed in range(20):
        rng = random.Random(seed)
        pack = rng.sample(DECK, 40)
        if sum(card.value == 10 for card in pack[: rules.table_cards]) > 2:
            continue
        state = new_hand(rules, 0, pack[: rules.table_cards], stock=pack[rules.table_cards :])
        done, last, previous = 0, state, Play(0, pack[0], frozenset())
        while not is_over(state):
            last, previous = state, rng.choice(legal_plays(state))
            state = apply(state, previous)
            done += 1
        assert done == plays
        assert sum(len(pile) for pile in state.piles) == 40
        assert state.scope == last.scope  # the last card may sweep the table: that is no scopa
        taker = rules.sides[previous.player] if previous.takes else last.last_taker
        left = last.table - previous.takes if previous.takes else last.table | {previous.card}
        assert taker is not None
        assert left <= state.piles[taker]


def test_tc15_without_a_suit_there_is_no_primiera() -> None:
    """Three sevens and no card of spade against low cards of all suits."""
    mine = bits(cards("7d 7c 7b 6d 6c 6b"))
    yours = bits(cards("2d 2c 2s 2b"))
    points = count(variant("scopa_2"), [mine, yours], [0, 0], [(), ()])
    assert [side.primiera for side in points] == [0, 1]


def test_tc15_ties_in_an_item_give_nobody_a_point() -> None:
    """Twenty cards and five denari on each side: only the settebello counts."""
    mine = list(cards("Ad 3d 5d 7d Cd 7c 6c 5c 4c 3c 7s 6s 5s 4s 3s 6b 4b 2b Fb Rb"))
    yours = [card for card in DECK if card not in mine]
    points = count(variant("scopa_2"), [bits(mine), bits(yours)], [0, 0], [(), ()])
    assert [(side.carte, side.denari, side.settebello) for side in points] == [(0, 0, 1), (0, 0, 0)]
    even = count(variant("scopa_2"), [bits(cards("7d 7c 7s 6b")), bits(cards("6d 6c 7b 7s"))], [0, 0], [(), ()])
    assert [side.carte for side in even] == [0, 0]


def test_tc15_an_equal_primiera_is_nobodys() -> None:
    mine, yours = bits(cards("7d 6c 7s 6b")), bits(cards("6d 7c 6s 7b"))
    assert [side.primiera for side in count(variant("scopa_2"), [mine, yours], [0, 0], [(), ()])] == [0, 0]


@pytest.mark.parametrize("name", ["scopa_2", "scopa_3", "scopa_4"])
def test_tc15_three_kings_on_the_first_table_are_dealt_again(name: str) -> None:
    with pytest.raises(IllegalPlay) as refused:
        new_hand(variant(name), 0, cards("Rd Rc Rs 4b"))
    assert refused.value.code == "misdeal"
    assert new_hand(variant(name), 0, cards("Rd Rc 3s 4b")).table == frozenset(cards("Rd Rc 3s 4b"))


@pytest.mark.parametrize("target", [11, 16, 21, 31])
def test_tc15_a_tie_at_the_target_asks_for_another_hand(target: int) -> None:
    standing = Standing.new(variant("scopa_2").replace(target=target))
    tied = add_hand(standing, [Points(scope=target), Points(scope=target)])
    assert (tied.winner, tied.extra_hand) == (None, True)
    assert add_hand(tied, [Points(), Points()]).extra_hand
    assert add_hand(tied, [Points(), Points(carte=1)]).winner == 1
    short = add_hand(standing, [Points(scope=target - 1), Points(scope=target - 1)])
    assert (short.winner, short.extra_hand) == (None, False)


@pytest.mark.parametrize(
    ("pile", "napola"),
    [("Ad 2d", 0), ("Ad 2d 3d", 3), ("Ad 2d 3d 5d 6d", 3), ("2d 3d 4d", 0), ("Ad 2d 3d 4d 5d 6d 7d Fd Cd Rd", 10)],
)
def test_tc15_napola_counts_from_the_ace_up_to_ten(pile: str, napola: int) -> None:
    rest = [card for card in DECK if card not in cards(pile)]
    points = count(variant("scopa_napola"), [bits(cards(pile)), bits(rest)], [0, 0], [(), ()])
    assert points[0].napola == napola
