"""Sette e mezzo on the whole desk: from the menu to the payment, the pause, the end, and power cuts with stakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.cards import parse_cards
from firmware.choices import Choices
from firmware.desk import Desk
from firmware.events import AnyEvent, Bet, Match, Paid
from firmware.screens_sette import RULES
from firmware.store import Store
from firmware.text import Words
from firmware.times import Times
from hardware.gestures import Gesture
from tests.firmware.sette_samples import SETTE_USUAL
from tests.firmware.sette_world import SetteWorld
from vision.observation import TableObservation

STARTED = Choices(variant="sette_e_mezzo", seats=3, names=("ANNA", "", "", ""))


@dataclass
class DeskWorld(SetteWorld):
    """The same people, with a whole desk in place of the bare table."""

    desk: Desk = field(init=False)
    store: Store = field(init=False)

    def open(self, store: Store, first: Choices = STARTED) -> None:
        self.store, self.told = store, []
        self.desk = Desk(store, Times(), lambda: "2026-12-01 21:00:00", first=first)

    def keys(self, text: str) -> None:
        for key in text.split():
            button, _, kind = key.partition(":")
            self.press(button, kind or "press")

    def _observe(self, now: TableObservation) -> Sequence[AnyEvent]:
        told = self.desk.observe(now, now.time)
        self._see()
        return told

    def _press(self, gesture: Gesture) -> Sequence[AnyEvent]:
        before = len(self._stored())
        self.desk.gesture(gesture)
        self._see()
        return self._stored()[before:]

    def _stored(self) -> list[AnyEvent]:
        rows = self.store.matches()
        return self.store.events(rows[-1].id) if rows else []

    def _see(self) -> None:
        sette = self.desk._sette
        if sette is not None:
            self.table = sette.table
        self.desk.screen(self.frame / 5)


@contextmanager
def box(directory: Path, seed: int = 3) -> Iterator[DeskWorld]:
    with Store.open(directory) as store:
        world = DeskWorld(3, seed=seed)
        world.open(store)
        yield world


def test_from_the_menu_to_the_third_payment(tmp_path: Path) -> None:
    with box(tmp_path) as world:
        world.keys("ok ok")
        assert world.desk.screen(0).name == "seats"
        world.sit()
        for _ in range(3):
            world.play_round()
        assert world.table.referee.players == ("ANNA", "GIOC2", "GIOC3")
        stored = world._stored()
        assert sum(isinstance(event, Paid) for event in stored) == 3
        assert [event for event in stored if isinstance(event, Paid)] == [
            event for event in world.told if isinstance(event, Paid)
        ]


def test_a_power_cut_with_stakes_on_the_table(tmp_path: Path) -> None:
    with box(tmp_path) as world:
        world.keys("ok ok")
        world.sit()
        world.play_round()
        world.deal()
        first = world.state.order[0]
        world.stake(first, 9)
        record = world.table.referee.record
        world.open(world.store)  # a new desk on the same disk
        world.look()
        assert world.desk.screen(0).name == "resume"
        world.keys("ok")
        assert world.table.referee.record == record
        assert isinstance(world.table.referee.record.steps[-1][0], Bet)
        assert world.stage == "draw"
        world.draw(first)
        assert world.table.referee.round is not None
        assert len(world.table.referee.round.bets(first)[0].up) == 1


def test_the_pause_holds_the_game_and_its_end_is_a_match_with_chips(tmp_path: Path) -> None:
    with box(tmp_path) as world:
        world.keys("ok ok")
        world.sit()
        paid = world.play_round()
        world.keys("ok:hold")
        assert world.desk.screen(0).name == "pause"
        assert not world.desk.playing
        world.keys("no")
        assert world.desk.playing
        world.keys("ok:hold plus ok ok:hold")
        assert world.desk.screen(0).name == "home"
        ended = world._stored()[-1]
        assert isinstance(ended, Match)
        assert ended.totals == {str(player): chips for player, chips in enumerate(paid.chips)}
        assert world.store.matches()[-1].state == "over"
        world.keys("plus plus ok")
        assert world.desk.screen(0).name == "history"


def test_a_game_without_a_payment_is_only_left(tmp_path: Path) -> None:
    with box(tmp_path) as world:
        world.keys("ok ok")
        world.sit()
        world.keys("ok:hold plus ok ok:hold")
        assert world.store.matches()[-1].state == "left"
        assert not any(isinstance(event, Match) for event in world._stored())


def test_every_screen_of_the_game_comes_up(tmp_path: Path) -> None:
    """Through rounds, faults, looking back and the chips, each page of the samples is seen."""
    with box(tmp_path, seed=5) as world:
        world.keys("ok ok")
        world.rest(0.6)
        for player, card in enumerate(parse_cards("Rd 2c 3s")):
            world.lay(player, card, 0)
            world.rest(0.6)
        world.press("no")
        world.clear()
        world.session = world.table.referee.record.session
        for _ in range(8):
            world.play_round()
            world.keys("minus no")
        world.deal()
        world.stake(world.state.order[0], 2)
        world.keys("plus no")
        card, other, third = world.stock[-3:]
        world.misread[card] = ((card, 0.5), (other, 0.5))
        world.lay(world.state.order[0], card)
        world.rest(3)
        world.keys("no no minus")
        world.lay(world.state.bank, third)
        world.rest(2)
    names = {sample(Words("it")).name for sample in SETTE_USUAL.values()}
    elsewhere = {*RULES, "emblee", "triple", "bet_double", "ended", "shuffle", "turned"}  # in test_sette_table
    assert names - world.shown <= elsewhere, names - world.shown


@pytest.mark.parametrize("seed", range(4))
def test_two_desks_that_saw_the_same_show_the_same(tmp_path: Path, seed: int) -> None:
    """After a power cut between two rounds the next round is the same to the last chip."""
    with box(tmp_path, seed) as world:
        world.keys("ok ok")
        world.sit()
        world.play_round()
        world.open(world.store)
        world.look()
        world.keys("ok")
        paid = world.play_round()
        assert sum(paid.chips) == 300
