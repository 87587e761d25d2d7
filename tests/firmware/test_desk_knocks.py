"""Cirulla with the buttons and the display: knocks that are shown, told, contested; a first table that pays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cards import parse_cards
from firmware.choices import Choices
from firmware.events import Knocked, KnockUndone, Played
from firmware.menu import Menu
from firmware.written import replay, written
from tests.firmware.test_desk import Box, c, opened

PLAIN = "6d Cs Fc Rb"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with opened(tmp_path) as box:
        box.desk.menu = Menu(Choices().with_variant("cirulla_2"))
        yield box


def begin(box: Box, table: str = PLAIN) -> None:
    """A match for two: NORD is player 0, SUD deals."""
    box.press("ok ok plus ok")
    box.camera.rest(0.6)
    box.camera.deal(1, parse_cards(table))
    box.camera.rest(1.0)
    box.look()


def knock(box: Box, cards: str = "2d 3s 7c") -> None:
    box.camera.knock(0, parse_cards(cards))
    box.look()


def test_a_first_table_of_fifteen_is_the_dealers(box: Box) -> None:
    begin(box, "2d 3s 4c 6b")
    assert box.shown == "opening"
    assert "TAVOLO 15" in box.rows
    assert "SUD prende" in box.rows
    box.camera.gather(1)
    box.look()
    assert box.shown == "play"
    box.camera.lay(0, c("Cs"))
    box.look()
    assert isinstance(box.events()[-1], Played)


def test_a_knock_is_shown_with_what_the_matta_stands_for(box: Box) -> None:
    begin(box)
    knock(box)
    assert box.shown == "knock"
    assert "BUSSATA 3" in box.rows
    assert "7C vale asso" in box.rows
    box.camera.rest(8.0)
    box.look()
    assert box.shown == "play"


def test_a_false_knock_asks_to_take_the_cards_up(box: Box) -> None:
    begin(box)
    box.camera.knock(0, parse_cards("2d 4s 4b"), rest=2.0)
    box.look()
    assert box.shown == "false_knock"
    assert "2D 4S 4B" in box.rows
    box.camera.give_back(0, parse_cards("2d 4s 4b"), [])
    box.look()
    assert box.shown == "play"


def test_a_knock_that_was_not_seen_is_told(box: Box) -> None:
    begin(box)
    box.press("ok:hold plus ok")
    assert box.shown == "tell_knock"
    assert "NORD" in box.rows
    box.press("minus")
    assert "tre carte uguali" in box.rows
    box.press("plus ok")
    assert box.events()[-1] == Knocked(0, (), "low", 3, None, box.desk._frame, "asked")
    box.camera.rest(1.0)
    box.camera.lay(0, c("2c"))
    box.look()
    assert box.events()[-1].card == "2c"  # type: ignore[attr-defined]


def test_a_contested_knock_is_annulled(box: Box) -> None:
    begin(box)
    box.press("ok:hold plus ok ok")
    box.camera.rest(1.0)
    box.look()
    assert box.shown == "knock"
    box.press("no:hold")
    assert box.shown == "dispute"
    assert "NORD ha bussato" in box.rows
    box.press("ok")
    assert isinstance(box.events()[-1], KnockUndone)
    assert box.desk._game is not None
    state = box.desk._game.follows.view.state
    assert state is not None
    assert (state.bussate, state.knocked) == (((), ()), frozenset())


def test_a_play_from_a_shown_hand_is_annulled_and_the_card_goes_back(box: Box) -> None:
    begin(box)
    knock(box, "2d 3s Ab")
    box.camera.lay(0, c("3s"))
    box.look()
    box.press("no:hold ok")
    assert box.shown == "undo"
    box.camera.reach(0)
    box.camera.lying[c("3s")] = box.camera.new(c("3s"))
    box.camera.knock(0, [c("3s")])
    box.look()
    assert box.shown == "knock", "the newest of what stands"
    box.camera.lay(0, c("2d"))
    box.look()
    last = box.events()[-1]
    assert isinstance(last, Played)
    assert last.card == "2d"


def test_a_match_goes_on_after_a_cut_with_a_hand_that_lies_open(box: Box, tmp_path: Path) -> None:
    begin(box)
    knock(box, "2d 3s Ab")
    camera = box.camera
    again = Box(box.store, camera)
    camera.rest(1.0)
    again.look()
    assert again.shown == "resume"
    again.press("ok")
    camera.rest(1.0)
    again.look()
    assert again.shown == "play"
    camera.lay(0, c("2d"))
    again.look()
    assert again.events()[-1].card == "2d"  # type: ignore[attr-defined]


def test_the_written_match_has_its_knocks(box: Box) -> None:
    begin(box)
    knock(box)
    box.camera.lay(0, c("3s"))
    box.look()
    steps = [step.text for step in replay(written(box.events(), "2026-11-30"))]  # type: ignore[arg-type]
    assert steps[1:] == ["NORD: knock low 1 2d 7c 3s", "1. NORD: 3s"]
