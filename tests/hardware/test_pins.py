"""Buttons and buzzer on gpiozero: on its mock pins, and on its RPi.GPIO factory over fake-rpi."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons
from hardware.buzzer import Buzzer
from hardware.errors import HardwareError, MissingLibraryError
from hardware.pins import BUTTON_PINS, BUZZER_PIN, I2C_PINS, SPI_PINS, check_pins, pin_factory


class Clock:
    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = pin_factory("mock")
    yield factory
    factory.reset()


def press(buttons: Buttons, clock: Clock, down: Any, up: Any, seconds: float) -> list[tuple[str, str]]:
    """Press for a time, polling as the loop does."""
    gestures = []
    down()
    for _ in range(round(seconds / 0.05)):
        clock.now += 0.05
        gestures += buttons.poll()
    up()
    for _ in range(3):
        clock.now += 0.05
        gestures += buttons.poll()
    return [(gesture.button, gesture.kind) for gesture in gestures]


@pytest.mark.parametrize("name", BUTTON_PINS)
def test_each_button_presses_and_holds(name: str, factory: MockFactory) -> None:
    clock = Clock()
    buttons, pin = Buttons(factory, clock=clock), factory.pin(BUTTON_PINS[name])
    assert press(buttons, clock, pin.drive_low, pin.drive_high, 0.2) == [(name, "press")]
    assert press(buttons, clock, pin.drive_low, pin.drive_high, 1.1) == [(name, "hold")]
    assert buttons.held() is None


def test_a_press_between_two_polls_is_not_missed(factory: MockFactory) -> None:
    clock = Clock()
    buttons, pin = Buttons(factory, clock=clock), factory.pin(23)
    clock.now += 0.01
    pin.drive_low()
    clock.now += 0.05
    pin.drive_high()
    clock.now += 0.04
    assert [(gesture.button, gesture.kind) for gesture in buttons.poll()] == [("ok", "press")]


def test_closing_gives_the_pins_back(factory: MockFactory) -> None:
    Buttons(factory).close()
    Buttons(factory).close()


def test_a_pin_in_use_is_named(factory: MockFactory) -> None:
    Buzzer(factory, pin=22)
    with pytest.raises(HardwareError, match="the button plus on BCM 22"):
        Buttons(factory)
    Buttons(factory, {"no": 17}).close()


def test_the_buzzer_plays_its_tones_and_falls_silent(factory: MockFactory) -> None:
    heard: list[float | None] = []
    buzzer = Buzzer(factory, pause=lambda seconds: heard.append(factory.pin(BUZZER_PIN).frequency))
    buzzer.play("scopa")
    buzzer.play("attention")
    buzzer.close()
    assert heard == [pytest.approx(880), pytest.approx(1320), pytest.approx(330), None, pytest.approx(330)]


def test_a_buzzer_that_cannot_keep_up_drops_sounds(factory: MockFactory) -> None:
    import threading

    gate, started = threading.Event(), threading.Event()

    def pause(seconds: float) -> None:
        started.set()
        gate.wait(10)

    buzzer = Buzzer(factory, pause=pause)
    assert buzzer.play("click")
    assert started.wait(10)
    assert [buzzer.play("click") for _ in range(6)] == [True] * 4 + [False] * 2
    gate.set()
    buzzer.close()


def test_the_default_pins_do_not_collide() -> None:
    check_pins({**BUTTON_PINS, "buzzer": BUZZER_PIN, **I2C_PINS, **SPI_PINS, "D/C": 24, "reset": 25})


def test_colliding_pins_are_all_named() -> None:
    with pytest.raises(HardwareError, match="BCM 3: SCL and ok; BCM 17: buzzer and no"):
        check_pins({**BUTTON_PINS, "ok": 3, "buzzer": 17, **I2C_PINS})
    with pytest.raises(HardwareError, match="BCM 2 to 27"):
        check_pins({"ok": 40})


def test_a_factory_that_is_not_there_is_named() -> None:
    with pytest.raises((MissingLibraryError, HardwareError), match="lgpio"):
        pin_factory("lgpio")


class _Board:
    """fake-rpi's GPIO with what it lacks and gpiozero needs: levels, pulls, directions and edges."""

    def __new__(cls) -> Any:
        import fake_rpi.RPi

        class Board(fake_rpi.RPi._GPIO):
            def __init__(self) -> None:
                super().__init__()
                self.directions: dict[int, int] = {}
                self.levels: dict[int, int] = {}
                self.callbacks: dict[int, Any] = {}

            def setup(self, channel: int, direction: int, pull_up_down: int = 0, initial: int | None = None) -> None:
                self.directions[channel] = direction
                self.levels[channel] = int(pull_up_down == self.PUD_UP) if direction == self.IN else int(initial or 0)

            def gpio_function(self, channel: int) -> int:
                return self.directions.get(channel, self.IN)

            def input(self, channel: int) -> int:
                return self.levels[channel]

            def output(self, channel: int, level: int) -> None:
                self.levels[channel] = int(level)

            def add_event_detect(self, channel: int, edge: int, callback: Any, bouncetime: int = -666) -> None:
                self.callbacks[channel] = callback

            def remove_event_detect(self, channel: int) -> None:
                self.callbacks.pop(channel, None)

            def cleanup(self, channel: int | None = None) -> None:
                pass

            def drive(self, channel: int, level: int) -> None:
                self.levels[channel] = level
                if channel in self.callbacks:
                    self.callbacks[channel](channel)

        return Board()


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Any:
    import fake_rpi
    import fake_rpi.RPi

    fake_rpi.toggle_print(False)
    board = _Board()
    monkeypatch.setattr(fake_rpi.RPi, "GPIO", board)
    monkeypatch.setitem(sys.modules, "RPi", fake_rpi.RPi)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", board)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    yield board
    sys.modules.pop("gpiozero.pins.rpigpio", None)


def test_buttons_run_on_the_rpigpio_factory_over_fake_rpi(board: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import gpiozero.pins.rpigpio

    monkeypatch.setattr(gpiozero.pins.rpigpio.RPiGPIOFactory, "_get_revision", lambda self: 0xC03115)  # a Pi 4B
    clock = Clock()
    buttons = Buttons(pin_factory("rpigpio"), clock=clock)
    assert board.levels[17] == 1, "the pull-up was asked for"
    assert press(buttons, clock, lambda: board.drive(17, 0), lambda: board.drive(17, 1), 0.2) == [("no", "press")]
    assert press(buttons, clock, lambda: board.drive(23, 0), lambda: board.drive(23, 1), 1.1) == [("ok", "hold")]
    buttons.close()
    assert not board.callbacks
