"""Rendered hands of the other games, seen without an error: knocks, sweeping aces, faults, the points at the end."""

from __future__ import annotations

import pytest

from engine.rules import variant
from firmware.events import AnyEvent, Fault, Hand, Knocked, Played, Settled, Undone
from firmware.referee import Referee
from tests.firmware.rendered_table import observed
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, plain_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.stage import Pace

CIRULLA = ("knock_not_valid", "knock_too_late", "ace_takes_all", "wrong_sum")
ASSI = ("ace_takes_all", "must_take")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "faults"),
    [
        ("cirulla_2", 29, CIRULLA),
        ("cirulla_4", 3, CIRULLA),
        ("scopa_assi", 20, ASSI),
        ("scopone_scientifico", 1, ("must_take",)),
    ],
)
def test_a_rendered_hand_is_followed(name: str, seed: int, faults: tuple[str, ...]) -> None:
    rules = variant(name)
    plan = Plan(rules, faults=faults, knocks=rules.bussate, hidden=0.1)
    match = RenderedMatch(plan, plain_look(our_pack(), 768, 432), Pace(), 5, seed, 0.05)
    referee = Referee(rules, [str(player) for player in range(rules.players)])
    events = referee.begin()
    for observation in observed(match, 5):
        events += referee.observe(observation)
    truth = match.truth()
    assert plays(events) == [(p["player"], p["card"], sorted(p["takes"])) for p in truth["plays"]]
    shown = [(e.player, sorted(e.cards), e.points) for e in events if isinstance(e, Knocked)]
    assert shown == [(k["player"], k["cards"], k["points"]) for k in truth.get("knocks", [])]
    told = [(e.rule, e.player, e.card) for e in events if isinstance(e, Fault)]
    assert told == [(f["rule"], f["player"], f["card"]) for f in truth["faults"]]
    (end,) = [event for event in events if isinstance(event, Hand)]
    assert end.total == truth["hands"][0]["total"]
    assert match.director.waiting == []


def plays(events: list[AnyEvent]) -> list[tuple[int, str | None, list[str]]]:
    """The plays that stand: what was told, and undone when it took against the rules, is none."""
    later = {event.n: event.card for event in events if isinstance(event, Settled)}
    standing: dict[int, Played] = {}
    for event in events:
        if isinstance(event, Played):
            standing[event.n] = event
        elif isinstance(event, Undone):
            del standing[event.n]
    return [(e.player, e.card or later.get(n), sorted(e.takes)) for n, e in standing.items()]
