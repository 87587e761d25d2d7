"""A match that was cut off at any observation goes on from its stored events to the same end."""

from __future__ import annotations

from random import Random

import pytest

from engine import game
from engine.rules import variant
from firmware.errors import StoreError
from firmware.events import AnyEvent, Fault, Hand, Played, Table, Undone
from firmware.referee import Referee
from firmware.resume import resumed
from tests.firmware.camera import Camera
from tests.firmware.test_referee import Hands, played, told
from vision.observation import TableObservation


def quiet_hand(name: str, seed: int) -> tuple[list[TableObservation], Hands]:
    hands, camera = Hands(name, seed), Camera(variant(name).players)
    camera.rest(0.6)
    camera.deal(variant(name).players - 1, hands.first)
    camera.rest(1.0)
    while not hands.state.over:
        play = hands.next()
        if play.takes:
            camera.take(play.player, play.card, play.takes, rest=1.0)
        else:
            camera.lay(play.player, play.card, 1.0)
    camera.gather(0)
    return camera.seen, hands


@pytest.mark.parametrize("name", ["scopa_2", "scopa_4"])
def test_a_hand_cut_off_thirty_times_ends_with_every_play(name: str) -> None:
    seen, hands = quiet_hand(name, 3)
    cuts = sorted(Random(1).sample(range(1, len(seen)), 30))
    players = [str(player) for player in range(variant(name).players)]
    referee = Referee(variant(name), players)
    events: list[AnyEvent] = referee.begin()
    for number, observation in enumerate(seen):
        if number in cuts:
            referee = resumed(events)
        events += referee.observe(observation)
    found = played(events)
    for (player, card, takes), truth, event in zip(found, told(hands.plays), plays_of(events), strict=True):
        assert (player, takes) == (truth[0], truth[2])
        # a cut between the sight of a card and its capture loses the sight, never the play
        assert card == truth[1] or (card is None and truth[1] in event.options)
    assert sum(card is None for _, card, _ in found) <= 3
    assert not [event for event in events if isinstance(event, Fault | Undone)]
    (end,) = [event for event in events if isinstance(event, Hand)]
    for side, points in enumerate(game.score(hands.state)):
        low, high = span(end.total[str(side)])
        assert low <= points.total <= high


def plays_of(events: list[AnyEvent]) -> list[Played]:
    return [event for event in events if isinstance(event, Played)]


def span(total: int | tuple[int, int]) -> tuple[int, int]:
    return (total, total) if isinstance(total, int) else total


def test_what_was_told_is_what_is_remembered() -> None:
    seen, _ = quiet_hand("scopa_2", 5)
    referee = Referee(variant("scopa_2"), ["ANNA", "BRUNO"])
    events: list[AnyEvent] = referee.begin()
    for observation in seen[: len(seen) // 2]:
        events += referee.observe(observation)
    before, after = referee.view, resumed(events).view
    assert (after.state, after.turn, after.last) == (before.state, before.turn, before.last)
    assert (after.play, after.totals, after.expected) == (before.play, before.totals, before.expected)
    assert after.phase == "play"


def test_events_that_are_no_match_are_refused() -> None:
    with pytest.raises(StoreError, match="begin with a start event"):
        resumed([])
    start = Referee(variant("scopa_2"), ["A", "B"]).begin()
    play = Played(n=1, player=0, card="7d", takes=(), scopa=False, frame=3, confidence=1.0, how="seen")
    with pytest.raises(StoreError, match="first table"):
        resumed([*start, play])


def test_an_option_that_the_rules_refuse_stands_for_no_open_play() -> None:
    """A doubtful reading named the 6 of coins first; only a 7 takes these two."""
    events = [*Referee(variant("scopa_2"), ("a", "b")).begin(), Table(("2d", "3c", "4s", "Rd"), 4)]
    events.append(Played(1, 0, None, ("3c", "4s"), False, 9, 0.9, "open", ("6d", "7c", "7s")))
    referee = resumed(events)
    assert referee.course.record is not None
    (turn,) = referee.course.record.turns
    assert (str(turn.play.card), {str(card) for card in turn.options}) == ("7c", {"6d", "7c", "7s"})
