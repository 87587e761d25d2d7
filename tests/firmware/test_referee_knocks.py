"""Cirulla at the table: knocks that are shown, first tables that pay, and what is wrong with either."""

from __future__ import annotations

import pytest

from engine.cards import Card, parse_cards
from engine.rules import variant
from firmware.events import AnyEvent, Cleared, Fault, Hand, Knocked, Played, Table
from firmware.referee import Referee
from firmware.resume import resumed
from tests.firmware.camera import Camera
from tests.firmware.evenings import Count, Evening
from tests.firmware.test_referee import watch


def begun(table: str, players: int = 2) -> Camera:
    """A first table of a hand of Cirulla, dealt by the last player."""
    camera = Camera(players)
    camera.rest(0.6)
    camera.deal(players - 1, parse_cards(table))
    camera.rest(1.0)
    return camera


def only(events: list[AnyEvent], *kinds: type[AnyEvent]) -> list[AnyEvent]:
    return [event for event in events if isinstance(event, kinds)]


@pytest.mark.parametrize(
    ("cards", "kind", "points", "matta"),
    [
        ("2d 3s 4b", "low", 3, None),
        ("2d 2s 2b", "three", 10, None),
        ("Ad 6s 7c", "low", 3, 1),
        ("Rd Rs 7c", "three", 10, 10),
    ],
)
def test_a_knock_is_read(cards: str, kind: str, points: int, matta: int | None) -> None:
    camera = begun("6d Cs Fc Rb")
    camera.knock(0, parse_cards(cards))
    (knock,) = only(watch("cirulla_2", camera), Knocked, Played, Fault)
    assert isinstance(knock, Knocked)
    assert (knock.player, knock.kind, knock.points, knock.matta) == (0, kind, points, matta)
    assert set(knock.cards) == set(cards.split())


def test_the_shown_cards_are_played_from_where_they_lie() -> None:
    camera = begun("6d Cs Fc Rb")
    camera.knock(0, parse_cards("Ad 3s 5b"))
    camera.take(0, Card.parse("5b"), [Card.parse("Rb")], how="unseen")
    camera.lay(1, Card.parse("2c"))
    camera.lay(0, Card.parse("3s"))
    plays = [(e.player, e.card, e.takes) for e in watch("cirulla_2", camera) if isinstance(e, Played)]
    assert plays == [(0, "5b", ("Rb",)), (1, "2c", ()), (0, "3s", ())]


def test_one_may_knock_before_his_turn() -> None:
    camera = begun("6d Cs Fc Rb")
    camera.knock(1, parse_cards("Ad 3s 4b"))
    camera.lay(0, Card.parse("2c"))
    knock, play = only(watch("cirulla_2", camera), Knocked, Played, Fault)
    assert isinstance(knock, Knocked)
    assert knock.player == 1
    assert isinstance(play, Played)
    assert (play.player, play.card) == (0, "2c")


@pytest.mark.parametrize(("table", "scope"), [("2d 3s 4c 6b", 1), ("Rd Rs 6c 4b", 2)])
@pytest.mark.parametrize("wait", [0.6, 9.0])
def test_a_first_table_that_pays_goes_to_the_dealer(table: str, scope: int, wait: float) -> None:
    camera = begun(table)
    camera.rest(wait)
    camera.gather(1)
    camera.lay(0, Card.parse("Cc"))
    events = watch("cirulla_2", camera)
    assert [type(event) for event in events[1:]] == [Table, Played]
    state = resumed(events).view.state
    assert state is not None
    assert (state.scope, state.last_taker) == ((0, scope), 1)


def test_two_aces_are_dealt_again() -> None:
    camera = begun("Ad As 6c 7b")
    (fault,) = only(watch("cirulla_2", camera), Fault, Table)
    assert isinstance(fault, Fault)
    assert fault.rule == "misdeal"


@pytest.mark.parametrize("late", [False, True])
def test_a_false_knock_is_told_and_taken_up_again(late: bool) -> None:
    camera = begun("6d Cs Fc Rb")
    hand = parse_cards("2d 4s 4b" if not late else "2d 4s")
    if late:
        camera.lay(0, Card.parse("3c"))
        camera.take(1, Card.parse("7c"), [Card.parse("Fc")])
    camera.knock(0, hand, rest=3.0)
    camera.give_back(0, hand, [])
    camera.lay(0, Card.parse("4s"))
    events = only(watch("cirulla_2", camera), Knocked, Fault, Cleared, Played)[-3:]
    assert [type(event) for event in events] == [Fault, Cleared, Played]
    fault = events[0]
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.player, fault.card) == ("knock_too_late" if late else "knock_not_valid", 0, None)


def test_a_hand_with_a_knock_goes_on_after_a_power_cut() -> None:
    camera = begun("6d Cs Fc Rb")
    camera.knock(0, parse_cards("Ad 3s 5b"))
    before = len(camera.seen)
    camera.lay(0, Card.parse("3s"))
    camera.take(1, Card.parse("7b"), [Card.parse("Fc")])
    camera.take(0, Card.parse("5b"), [Card.parse("Rb")])
    referee = Referee(variant("cirulla_2"), ["0", "1"])
    events = referee.begin()
    for observation in camera.seen[:before]:
        events += referee.observe(observation)
    after = resumed(events)
    for observation in camera.seen[before:]:
        events += after.observe(observation)
    assert [event.card for event in events if isinstance(event, Played)] == ["3s", "7b", "5b"]
    assert not only(events, Fault)


@pytest.mark.parametrize(("name", "fps"), [("cirulla_2", 5.0), ("cirulla_3", 10.0), ("cirulla_4", 15.0)])
def test_evenings_with_knocks_are_followed(name: str, fps: float) -> None:
    evening, count = Evening(name, 7, fps), Count()
    for _ in range(2):
        evening.hand()
    count.add(evening, events := watch(name, evening.camera))
    assert (count.wrong, count.false_alarms, count.points_wrong, count.knocks_wrong) == ([], [], 0, 0)
    assert count.named == count.faults
    assert count.right + count.open == count.plays == 72
    assert len(only(events, Hand)) == 2
    assert count.knocks > 0
