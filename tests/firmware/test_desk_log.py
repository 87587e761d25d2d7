"""Decisions on the log of a match: undo and redo of any depth, across hands, give the state that was."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import parse_cards
from engine.rules import variant
from firmware.actions import Action
from firmware.desk_log import Decision, decide
from firmware.events import AnyEvent, Played, Table
from firmware.in_force import in_force, standing
from firmware.referee import Referee
from firmware.resume import resumed
from tests.firmware.test_desk_walk import log


def decided(action: Action, events: list[AnyEvent]) -> Decision:
    decision = decide(action, events, resumed(events), 5, resumed)
    assert decision is not None, action
    return decision


def again(event: AnyEvent, events: list[AnyEvent]) -> list[AnyEvent]:
    """A play, or the first table of a hand, once more."""
    if isinstance(event, Table):
        return [event]
    assert isinstance(event, Played)
    assert event.card is not None
    card, takes = parse_cards(event.card)[0], parse_cards(event.takes)
    return list(decided(Action("type", card=card, takes=takes), events).events)


def facts(referee: object) -> tuple[object, ...]:
    assert isinstance(referee, Referee)
    view = referee.view
    return view.state, view.hand, view.play, view.turn, view.dealer, view.totals, view.ended and view.ended.points


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(["scopa_2", "scopa_3", "scopa_4"]),
    played=st.integers(1, 80),
    depth=st.integers(1, 80),
    seed=st.integers(0, 999),
)
def test_undo_n_and_redo_n_give_the_same_state(name: str, played: int, depth: int, seed: int) -> None:
    events = log(variant(name), played, False, random.Random(seed))
    before, stands = facts(resumed(events)), in_force(events)
    plays = standing(events).plays
    first = plays[max(0, len(plays) - depth)]
    place = next(k for k, event in enumerate(stands) if isinstance(event, Played) and event.n == first.n)
    events = [*events, *decided(Action("undo", n=first.n), events).events]
    assert [play.n for play in standing(events).plays] == [play.n for play in plays if play.n < first.n]
    for event in stands[place:]:
        if isinstance(event, Played | Table):
            events += again(event, events)
    assert facts(resumed(events)) == before
    now = [(play.n, play.player, play.card, play.takes) for play in standing(events).plays]
    assert now == [(play.n, play.player, play.card, play.takes) for play in plays]
