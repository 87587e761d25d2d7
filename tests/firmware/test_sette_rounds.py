"""Whole games of Sette e mezzo at a table: every payment right, chips conserved, no question, no fault."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import variant
from firmware.events import Match, Paid
from firmware.sette_referee import SetteReferee
from tests.firmware.sette_world import SetteWorld


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("rules", ["sette_e_mezzo", "sette_e_mezzo_jolly"])
def test_rounds_are_paid_as_the_rules_say(rules: str, players: int) -> None:
    world = SetteWorld(players, variant(rules), seed=players)
    world.sit()
    for _ in range(6):
        paid = world.play_round()
        assert sum(paid.chips) == 100 * players
        if any(isinstance(event, Match) for event in world.told):
            break
    assert world.faults() == []
    assert sum(isinstance(event, Paid) for event in world.told) >= 1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_chips_are_conserved_and_every_payment_is_right(seed: int, players: int) -> None:
    world = SetteWorld(players, variant("sette_e_mezzo_jolly"), seed=seed)
    world.sit()
    for _ in range(2):
        assert sum(world.play_round().chips) == 100 * players
    assert world.faults() == []


GESTURES = st.tuples(
    st.sampled_from(("no", "minus", "plus", "ok")), st.sampled_from(("press", "press", "hold", "repeat"))
)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.lists(GESTURES, min_size=20, max_size=60))
def test_whatever_is_pressed_chips_stay_and_what_was_told_can_be_folded(
    seed: int, gestures: list[tuple[str, str]]
) -> None:
    """Buttons pressed at random while cards are laid at random: the log stays a game, and no press is an error."""
    world = SetteWorld(3, variant("sette_e_mezzo_jolly"), seed=seed)
    world.sit()
    world.deal()
    for button, kind in gestures:
        world.press(button, kind)
        if world.chance.random() < 0.3 and world.stock:
            world.lay(world.chance.randrange(3), world.stock.pop())
            world.rest(0.8)
        elif world.chance.random() < 0.1:
            player = world.chance.randrange(3)
            world.covers[player] = not world.covers.get(player, False)
            world.rest(0.6)
    referee = world.table.referee
    assert sum(referee.record.session.chips) == 300
    assert SetteReferee(world.rules, referee.players, told=world.told).record == referee.record
