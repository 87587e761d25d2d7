"""The appliance's parts from observation to glass, with faults thrown in: what an evening does to a box."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from luma.core.interface.serial import i2c

from engine.rules import variant
from firmware.draw import draw
from firmware.errors import StoreError
from firmware.events import AnyEvent
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.screens_view import screen_for
from firmware.session import Session
from firmware.store import Store
from firmware.text import Words
from hardware.buttons import Buttons
from hardware.display import Display
from hardware.panel import open_panel
from hardware.pins import pin_factory
from tests.hardware.panel_bytes import RecordingBus
from vision.observation import TableObservation

SLOW = 0.8
"""Seconds that a slow card takes for one commit; the frames of that time are never looked at."""


class Box:
    """One box with its state directory. `faults` counts what was done to it."""

    def __init__(self, directory: Path, rng: random.Random) -> None:
        self.directory, self.rng, self.now = directory, rng, 0.0
        kinds = ("restart", "camera stalled", "slow disk", "writes refused", "display pulled", "spikes")
        self.faults = dict.fromkeys(kinds, 0)
        self.late = 0.0
        self.gestures: list[Any] = []
        self.bus = RecordingBus()
        self.display = Display(
            lambda: open_panel("ssd1306", serial=i2c(bus=self.bus, address=0x3C)), clock=lambda: self.now
        )
        self.factory = pin_factory("mock")
        self.factory.ticks = lambda: self.now  # edges are stamped by the clock of these evenings, not by the real one
        self.buttons = Buttons(self.factory, clock=lambda: self.now)
        self.shown: Any = None

    def play(
        self, name: str, title: str, observations: tuple[TableObservation, ...], disturbed: bool
    ) -> list[AnyEvent]:
        """Watch one hand; the events that are on disk at its end."""
        with self._opened() as store:
            rules = variant(name)
            referee = Referee(rules, [str(player) for player in range(rules.players)])
            match = store.begin(title, referee.begin(), "2026-01-01")
        place = 0
        while place < len(observations):
            with self._opened() as store:
                session = Session(resumed(store.events(match)), store, match, lambda event: None)
                place = self._run(session, store, observations, place, disturbed)
        with self._opened() as store:
            store.leave(match)
            return store.events(match)

    def restarts(self, count: int) -> int:
        """Start so often with all matches there, as a box does; by how many bytes the state grew."""
        with self._opened() as store:
            rows = store.matches()
        before = self.bytes()
        for number in range(count):
            with self._opened() as store:
                resumed(store.events(rows[number % len(rows)].id))
        return self.bytes() - before

    def bytes(self) -> int:
        """Size of the state on disk."""
        return sum(file.stat().st_size for file in self.directory.iterdir())

    def close(self) -> None:
        """Give pins and panel back."""
        self.buttons.close()
        self.display.close()
        self.factory.reset()

    def _run(
        self, session: Session, store: Store, observations: tuple[TableObservation, ...], place: int, disturbed: bool
    ) -> int:
        """Until the process is made to end, or the hand is over; the observation that comes next."""
        blind = float("-inf")
        for index in range(place, len(observations)):
            self.now += 0.2
            if disturbed and index > place and self.rng.random() < 0.001:
                self.faults["restart"] += 1
                return index
            if disturbed and self.rng.random() < 0.001:
                self.faults["camera stalled"] += 1
                self.late += self.rng.uniform(2, 60)  # people wait: the display says that there is no camera
            if observations[index].time < blind:
                continue
            try:
                with self._refusing(store, disturbed and self.rng.random() < 0.002):
                    events = session.observe(replace(observations[index], time=observations[index].time + self.late))
            except StoreError:
                return index  # nothing of it was shown: the state is folded again and the same look is judged again
            if disturbed and events and self.rng.random() < 0.03:
                self.faults["slow disk"] += 1
                blind = observations[index].time + SLOW
            self._show(session)
            self.gestures += self._poll(disturbed)
        return len(observations)

    def _show(self, session: Session) -> None:
        if self.rng.random() < 0.002:
            self.faults["display pulled"] += 1
            self.bus.unplug()
        elif self.rng.random() < 0.05:
            self.bus.plug()
        screen = screen_for(session.referee.view, session.referee.rules, Words("it"))
        if screen != self.shown or self.display.lost:
            self.display.show(draw(screen))
            self.shown = screen

    def _poll(self, disturbed: bool) -> list[Any]:
        if disturbed and self.rng.random() < 0.05:
            self.faults["spikes"] += 1
            pin = self.factory.pin(self.rng.choice((17, 27, 22, 23)))
            pin.drive_low()
            self.now += self.rng.uniform(0.0001, 0.02)
            pin.drive_high()
            pin.clear_states()  # gpiozero's mock keeps every level for ever; pins do not
        return self.buttons.poll()

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        with Store.open(self.directory) as store:
            yield store

    @contextmanager
    def _refusing(self, store: Store, really: bool) -> Iterator[None]:
        """A disk that takes nothing: every write of SQLite is refused."""
        if not really:
            yield
            return
        connection: sqlite3.Connection = store._connection
        connection.execute("PRAGMA query_only = ON")
        try:
            yield
        except StoreError:
            self.faults["writes refused"] += 1
            raise
        finally:
            connection.execute("PRAGMA query_only = OFF")
