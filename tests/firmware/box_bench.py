"""A box on the bench: the loop with mock pins for the buttons, a recording bus for the display, and fingers."""

from __future__ import annotations

import numpy as np

from engine.cards import parse_cards
from firmware.app import App, Parts
from firmware.desk import Desk
from firmware.idle import Idle, glass
from firmware.store import Store
from firmware.times import Times
from hardware.buttons import Buttons
from hardware.buzzer import Sound
from hardware.display import Display
from hardware.frame import Frame
from hardware.live import CameraHealth
from hardware.panel import open_panel
from tests.firmware.camera import Camera
from tests.hardware.panel_bytes import RecordingBus
from vision.observation import TableObservation

NO, OK = 17, 23


class Bench:
    """A box on the bench: what the camera sees is told as observations, fingers are levels of mock pins."""

    def __init__(self, store: Store) -> None:
        from gpiozero.pins.mock import MockFactory, MockPWMPin
        from luma.core.interface.serial import i2c

        self.now = 100.0
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.buttons = Buttons(self.factory, clock=lambda: self.now)
        self.bus = RecordingBus()
        self.display = Display(
            lambda: open_panel("ssd1306", serial=i2c(bus=self.bus, address=0x3C)), clock=lambda: self.now
        )
        self.camera = Camera(2, 5.0)
        self.looked = 0
        self.health = CameraHealth("ok")
        self.sounds: list[Sound] = []
        self.offs = 0
        self.desk = Desk(store, Times(), lambda: "2026-11-30 21:40:00")
        self.decks: list[str] = []
        self.app = App(
            self.desk,
            Parts(self, self.display, self.buttons, self),
            self.make_watcher,
            lambda: self.now,
            idle=Idle(60.0, 600.0),
            switch_off=self.switch_off,
        )

    # the camera and its watcher, the buzzer, the power

    def newest(self, wait: float = 0.0) -> Frame | None:
        if self.looked >= len(self.camera.seen):
            return None
        observation = self.camera.seen[self.looked]
        return Frame(np.zeros((720, 1280, 3), np.uint8), observation.time, self.looked)

    def make_watcher(self, deck: str) -> Bench:
        self.decks.append(deck)
        return self

    def update(self, picture: object, frame: int, time: float, little: object = None) -> TableObservation:
        self.looked += 1
        return self.camera.seen[frame]

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)

    def switch_off(self) -> None:
        self.offs += 1

    # what happens

    def run(self) -> None:
        """Until all that the camera saw is looked at, a fifth of a second a frame."""
        while self.looked < len(self.camera.seen):
            self.now += 0.2
            self.app.step()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            self.app.step()

    def press(self, *pins: int, seconds: float = 0.15) -> None:
        for pin in pins:
            self.factory.pin(pin).drive_low()
        self.wait(seconds)
        for pin in pins:
            self.factory.pin(pin).drive_high()
        self.wait(0.15)

    @property
    def shown(self) -> str:
        return self.desk.screen(self.now).name

    def lit(self) -> np.ndarray:
        return np.asarray(self.bus.glass.picture(), bool)

    def on_glass(self) -> bool:
        """Whether the panel shows the page of this moment, dot by dot."""
        wanted = np.asarray(glass(self.desk.screen(self.now), self.now), bool)
        return bool(np.array_equal(self.lit(), wanted))

    def begin(self) -> None:
        """A match for two with the last settings; NORD deals, SUD is player 0."""
        for _ in range(3):
            self.press(OK)
        self.camera.rest(0.6)
        self.camera.deal(1, parse_cards("Rd Rc 2d Cd"))
        self.camera.rest(1.0)
        self.run()
