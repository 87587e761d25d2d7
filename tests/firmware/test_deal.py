"""The first table of a hand: one card that hardly shows, and what is no first table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import parse_cards
from engine.rules import variant
from firmware.events import AnyEvent, Played, Table
from firmware.referee import Referee
from tests.firmware.camera import Camera
from tests.firmware.test_referee_faults import c

DOUBTFUL = ((c("3d"), 0.67), (c("Ab"), 0.08), (c("3c"), 0.08), (c("2c"), 0.06))


def refereed(camera: Camera) -> list[AnyEvent]:
    referee = Referee(variant("scopa_2"), ("a", "b"))
    referee.begin()
    return [event for seen in camera.seen for event in referee.observe(seen)]


@pytest.mark.parametrize("seconds", [0.4, 3.0])
def test_the_first_capture_tells_which_card_lay_hidden(seconds: float) -> None:
    """A strip of the ace shows, for a moment or all the time; then a fante takes six, ace and the hidden card."""
    camera = Camera(misread={c("Ab"): DOUBTFUL})
    camera.rest(0.6)
    camera.deal(1, parse_cards("Ab 4s 6d Ac"))
    camera.rest(seconds)
    if seconds < 1:
        del camera.lying[c("Ab")]
    camera.rest(1.0)
    camera.take(0, c("Fc"), parse_cards("Ab 6d Ac") if c("Ab") in camera.lying else parse_cards("6d Ac"))
    table, play = refereed(camera)
    assert isinstance(table, Table)
    assert set(table.cards) == {"Ab", "4s", "6d", "Ac"}
    assert isinstance(play, Played)
    assert (play.card, set(play.takes)) == ("Fc", {"Ab", "6d", "Ac"})


def test_a_hidden_card_that_nothing_tells_is_not_guessed() -> None:
    camera = Camera(misread={c("Ab"): DOUBTFUL})
    camera.rest(0.6)
    camera.deal(1, parse_cards("Ab 4s 6d Ac"))
    camera.rest(1.0)
    camera.lay(0, c("Rd"))
    assert refereed(camera) == []


def test_cards_laid_in_turn_are_no_first_table() -> None:
    """The referee was switched on in the middle of a hand."""
    camera = Camera()
    camera.rest(0.6)
    for player, card in enumerate(parse_cards("Ab 4s 6d Rc")):
        camera.lay(player % 2, card)
    assert refereed(camera) == []


def test_a_strip_read_again_and_again_is_no_card() -> None:
    """Each time it is another track, and each time it is likest the same wrong card."""
    camera = Camera(misread={c("Ab"): DOUBTFUL})
    camera.rest(0.6)
    camera.deal(1, parse_cards("Ab 4s 6d Ac"))
    camera.rest(0.4)
    for _ in range(4):
        place = camera.lying[c("Ab")].corners
        camera.put(c("Ab"))
        camera.lying[c("Ab")] = replace(camera.lying[c("Ab")], corners=place)
        camera.settle()
        camera.rest(1.0)
    assert refereed(camera) == []
    camera.take(0, c("Fc"), parse_cards("Ab 6d Ac"))
    assert [type(event).__name__ for event in refereed(camera)] == ["Table", "Played"]


def test_a_card_lost_from_sight_while_hands_are_dealt_is_still_of_the_deal() -> None:
    """Everybody takes up his cards; one card of the table is then followed anew."""
    camera = Camera(players=4)
    camera.rest(0.6)
    for card in parse_cards("Ab 4s 6d Rc"):
        camera.reach(3, 0.2)
        camera.put(card)
    camera.settle()
    del camera.lying[c("Rc")]
    for player in (0, 1, 2, 3):
        camera.reach(player, 0.8)
        camera.settle()
    camera.reach(3, 0.8)
    camera.put(c("Rc"))
    camera.settle()
    camera.rest(1.0)
    referee = Referee(variant("scopa_4"), ("a", "b", "c", "d"))
    referee.begin()
    told = [event for seen in camera.seen for event in referee.observe(seen)]
    assert [set(event.cards) for event in told if isinstance(event, Table)] == [{"Ab", "4s", "6d", "Rc"}]


def test_a_card_seen_unsurely_on_its_way_is_no_card_more() -> None:
    """Three of four cards lie there; the third was doubtful while it was carried."""
    camera = Camera()
    camera.rest(0.6)
    for card in parse_cards("Ab 4s 6d"):
        camera.reach(1, 0.2)
        carried = replace(camera.new(card), card=None, options=((card, 0.6), (c("3d"), 0.3)))
        camera.show("N", extra=[carried])
        camera.put(card)
    camera.settle()
    camera.rest(2.0)
    assert refereed(camera) == []
    camera.reach(1, 0.4)
    camera.put(c("Rc"))
    camera.settle()
    camera.rest(1.0)
    (table,) = refereed(camera)
    assert isinstance(table, Table)
    assert set(table.cards) == {"Ab", "4s", "6d", "Rc"}
