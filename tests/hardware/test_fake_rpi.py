"""The box on what fake-rpi stands in for: buttons on gpiozero's RPi.GPIO factory, luma on its GPIO and its smbus."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from luma.core.interface.serial import i2c, spi

from hardware.buttons import Buttons
from hardware.display import Display
from hardware.panel import open_panel
from hardware.pins import pin_factory
from tests.hardware.panel_bytes import Glass, RecordingSpi
from tests.hardware.test_display import drawing, same
from tests.hardware.test_pins import Clock, press


class Board:
    """fake-rpi's GPIO with what it lacks and gpiozero needs: levels, pulls, directions and edges."""

    def __new__(cls) -> Any:
        import fake_rpi.RPi

        class Gpio(fake_rpi.RPi._GPIO):
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

        return Gpio()


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Any:
    import fake_rpi
    import fake_rpi.RPi

    fake_rpi.toggle_print(False)
    board = Board()
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


def test_luma_runs_on_the_gpio_of_fake_rpi(board: Any) -> None:
    wires = RecordingSpi(lambda: board.levels[24])
    display = Display(lambda: open_panel("ssd1306", serial=spi(spi=wires, gpio=board, gpio_DC=24, gpio_RST=25)))
    assert display.show(drawing())
    assert same(wires.glass.picture(), drawing())
    assert board.levels[25] == 1, "the panel is out of its reset"


def test_luma_runs_on_the_smbus_of_fake_rpi() -> None:
    import fake_rpi

    class Bus(fake_rpi.smbus.SMBus):  # type: ignore[misc]
        """fake-rpi forgets what is written; this keeps it."""

        def __init__(self) -> None:
            super().__init__(1)
            self.glass = Glass()

        def write_i2c_block_data(self, address: int, control: int, values: list[int]) -> None:
            super().write_i2c_block_data(address, control, values)
            (self.glass.data if control == 0x40 else self.glass.command)(values)

    fake_rpi.toggle_print(False)
    bus = Bus()
    display = Display(lambda: open_panel("ssd1306", serial=i2c(bus=bus, address=0x3C)))
    assert display.show(drawing())
    assert same(bus.glass.picture(), drawing())
