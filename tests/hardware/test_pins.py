"""Buttons and buzzer on gpiozero's mock pins."""

from __future__ import annotations

import time
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


def test_a_press_whose_callbacks_come_late_is_a_press(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, late = Clock(), [0.0]
    buttons = Buttons(factory, clock=clock)
    buttons.poll()
    monkeypatch.setattr(type(factory), "ticks", staticmethod(lambda: time.monotonic() + late[0]))
    clock.now += 0.5
    late[0] = 0.45  # pressed, and told so much later
    factory.pin(17).drive_low()
    late[0] = 0.05
    factory.pin(17).drive_high()
    clock.now += 0.05
    assert [(gesture.button, gesture.kind) for gesture in buttons.poll()] == [("no", "press")]


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
