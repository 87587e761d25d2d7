"""Every game, cut at any event: the log gives the same hand again, and play goes on from it."""

from __future__ import annotations

import random

import pytest

from engine.rules import variant
from firmware.events import Fault, Hand, Knocked, Played
from firmware.referee import Referee
from firmware.resume import resumed
from tests.firmware.evenings import Count, Evening

GAMES = ("cirulla_2", "cirulla_3", "cirulla_4", "scopa_assi", "scopa_assi_4", "scopone_scientifico", "scopone_9")


def standing(referee: Referee) -> object:
    """What must be the same: all but the cards that an open play may still be, which are narrowed by sight."""
    record = referee.course.record
    if record is None:
        return referee.course.tally
    plays = [(turn.n, turn.play.player, turn.play.takes) for turn in record.turns]
    return plays, record.knocks, record.state.table, record.state.scope, record.state.bussate, record.state.hands


@pytest.mark.parametrize("name", GAMES)
def test_cut_after_any_event_the_match_goes_on(name: str) -> None:
    evening, rules, chance = Evening(name, 11, 10.0, disturbed=0.0), variant(name), random.Random(3)
    evening.hand()
    referee = Referee(rules, [str(player) for player in range(rules.players)])
    events, cuts = referee.begin(), 0
    for observation in evening.camera.seen:
        told = referee.observe(observation)
        events += told
        if told and not referee.course.fault:
            again = resumed(events)
            assert standing(again) == standing(referee)
            if isinstance(told[-1], Played | Knocked) and chance.random() < 0.3:
                referee, cuts = again, cuts + 1
    count = Count()
    count.add(evening, events)
    assert (count.wrong, count.false_alarms, count.points_wrong, count.knocks_wrong) == ([], [], 0, 0)
    assert count.right + count.open == count.plays
    assert cuts > 3
    assert any(isinstance(event, Hand) for event in events)
    assert count.named == count.faults == sum(isinstance(event, Fault) for event in events)
