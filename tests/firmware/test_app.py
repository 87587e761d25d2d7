"""The loop with the libraries' own stand-ins: mock pins for the buttons, a recording bus for the display."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine.cards import Card, Family
from firmware import wiring
from firmware.app import App, trouble_of
from firmware.app_parts import opened
from firmware.config import Camera as CameraSettings
from firmware.config import Config
from firmware.config import Display as DisplaySettings
from firmware.notify import Notifier
from firmware.store import Store
from hardware.errors import CameraError
from hardware.live import CameraHealth
from hardware.panel import Wiring
from tests.firmware.box_bench import NO, OK, Bench
from tests.firmware.camera import Camera
from vision.observation import TableObservation


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Store.open(tmp_path) as store:
        bench = Bench(store)
        yield bench
        bench.buttons.close()


def test_from_a_finger_to_the_glass(bench: Bench) -> None:
    bench.wait(0.1)
    assert bench.shown == "home"
    assert bench.on_glass()
    bench.begin()
    assert bench.shown == "play"
    assert bench.on_glass()
    bench.camera.lay(0, Card.parse("Fs"))
    bench.run()
    assert bench.shown == "took"
    bench.wait(5.0)
    assert bench.shown == "play"
    assert bench.on_glass()


def test_a_press_is_on_the_glass_within_a_tenth_of_a_second_of_its_end(bench: Bench) -> None:
    bench.wait(0.1)
    before = bench.lit()
    bench.factory.pin(OK).drive_low()
    bench.wait(0.1)
    bench.factory.pin(OK).drive_high()
    bench.wait(0.1)
    assert bench.shown == "setup"
    assert bench.on_glass()
    assert not np.array_equal(bench.lit(), before)


def test_a_fault_is_heard_and_heard_again(bench: Bench) -> None:
    bench.begin()
    bench.camera.lay(0, Card.parse("2b"), rest=4.0)
    bench.run()
    assert bench.shown == "must_take"
    assert bench.sounds == ["attention"]
    bench.wait(31.0)
    assert bench.sounds == ["attention", "attention"]


def test_a_camera_that_is_lost_is_said_and_the_buttons_go_on_working(bench: Bench) -> None:
    bench.wait(0.1)
    bench.health = CameraHealth("lost", 3, "no frame")
    bench.wait(0.1)
    assert bench.shown == "boot_nocam"
    assert bench.on_glass()
    bench.press(OK)
    assert bench.shown == "by_hand"
    bench.press(OK)
    assert bench.shown == "by_hand_hand"


def test_a_camera_that_comes_back_gives_the_display_back(bench: Bench) -> None:
    bench.begin()
    bench.health = CameraHealth("lost", 1, "no frame")
    bench.wait(0.1)
    assert bench.shown == "boot_nocam"
    bench.health = CameraHealth("ok")
    bench.wait(0.1)
    assert bench.shown == "play"


def test_a_display_that_is_pulled_and_plugged_again_shows_the_right_page(bench: Bench) -> None:
    bench.begin()
    bench.bus.unplug()
    bench.camera.lay(0, Card.parse("Fs"))
    bench.run()
    assert bench.shown == "took"
    assert bench.display.lost is not None
    bench.bus.plug()
    bench.wait(6.0)
    assert bench.display.lost is None
    assert bench.shown == "play"
    assert bench.on_glass()


def test_the_display_dims_goes_dark_and_the_press_that_wakes_it_does_nothing_else(bench: Bench) -> None:
    bench.wait(0.1)
    assert bench.bus.glass.contrast == 255
    bench.now += 61
    bench.wait(0.1)
    assert bench.bus.glass.contrast == 24
    bench.now += 600
    bench.wait(0.1)
    assert not bench.bus.glass.lit
    bench.press(OK)
    assert bench.bus.glass.lit
    assert bench.shown == "home"
    bench.press(OK)
    assert bench.shown == "setup"


def test_the_display_stays_on_while_the_camera_is_lost(bench: Bench) -> None:
    bench.wait(0.1)
    bench.health = CameraHealth("lost", 3, "no frame")
    bench.wait(0.1)
    bench.now += 700
    bench.wait(0.1)
    assert bench.bus.glass.lit
    assert bench.shown == "boot_nocam"


def test_a_held_button_draws_a_bar_that_grows(bench: Bench) -> None:
    bench.begin()
    bench.camera.lay(0, Card.parse("Fs"))
    bench.run()
    bench.wait(5.0)
    bench.factory.pin(NO).drive_low()
    bench.wait(0.5)
    half = int(bench.lit()[-2:].sum())
    bench.wait(0.3)
    assert 0 < half < int(bench.lit()[-2:].sum()) <= 2 * 128
    bench.wait(0.4)
    bench.factory.pin(NO).drive_high()
    bench.wait(0.2)
    assert bench.shown == "dispute"


def test_switching_off_with_both_buttons_and_two_seconds_of_ok(bench: Bench) -> None:
    bench.begin()
    bench.press(NO, OK, seconds=3.3)
    assert bench.shown == "off"
    bench.press(OK, seconds=1.2)
    assert bench.offs == 0
    bench.press(OK, seconds=2.6)
    assert bench.offs >= 1


def test_another_deck_gets_another_watcher(bench: Bench) -> None:
    bench.wait(0.1)
    choices = msgspec.structs.replace(bench.desk.menu.choices, deck="piacentine")
    bench.desk.menu = replace(bench.desk.menu, choices=choices)
    bench.camera.rest(0.6)
    bench.run()
    assert bench.decks == ["arbitro", "piacentine"]


@pytest.mark.parametrize(
    ("family", "eight", "nine"), [("donna", "DS", "CD"), ("french", "FP", "DQ"), ("italian", "FS", "CD")]
)
def test_the_display_calls_the_cards_as_the_deck_does(bench: Bench, family: Family, eight: str, nine: str) -> None:
    """The woman of an Italian deck is the 8, the queen of a French one the 9: the rank follows the deck."""
    bench.app = App(bench.desk, bench.app.parts, bench.make_watcher, lambda: bench.now, family=lambda name: family)
    bench.begin()
    bench.camera.lay(0, Card.parse("Fs"))
    bench.run()
    rows = " ".join(bench.desk.screen(bench.now).rows)
    assert f"SUD cala {eight}" in rows
    assert f" {nine} " in rows


def test_the_service_is_ready_after_the_first_picture_and_alive_while_the_loop_turns(bench: Bench) -> None:
    class Told(Notifier):
        def __init__(self) -> None:
            super().__init__({}, clock=lambda: bench.now)
            self.said: list[str] = []

        def _send(self, message: str) -> bool:
            self.said.append(message.split("=")[0])
            return True

    told = Told()
    app = App(bench.desk, bench.app.parts, bench.make_watcher, lambda: bench.now, notifier=told)
    for _ in range(12):
        app.step()
        bench.now += 0.1
    assert told.said == ["READY", "WATCHDOG", "WATCHDOG"]


def test_the_loop_ends_when_it_is_told_to(bench: Bench) -> None:
    stop = threading.Event()
    turns = []

    def newest(wait: float = 0.0) -> None:
        turns.append(1)
        if len(turns) == 3:
            stop.set()

    bench.newest = newest  # type: ignore[method-assign]
    bench.app.run(stop)
    assert len(turns) == 3


def test_where_glare_lies_is_said_in_ninths_of_the_table() -> None:
    camera = Camera(2, 5.0)
    card = camera.new(Card.parse("7d"))
    hidden = type(card)(1, None, 0.0, (), ((1100, 60), (1160, 60), (1160, 160), (1100, 160)), 1.0, True, True)
    seen = TableObservation(1, 0.2, True, (), (hidden,), (), glare=True)
    trouble = trouble_of(seen, 1280, 720)
    assert trouble is not None
    assert (trouble.kind, trouble.count, trouble.where) == ("glare", 1, "top_right")
    assert trouble_of(TableObservation(1, 0.2, True, (), (), ()), 1280, 720) is None


def test_a_box_without_pins_and_display_runs_on_its_camera() -> None:
    config = Config(camera=CameraSettings(source="usb:0"), display=DisplaySettings(driver="none"))
    with opened(config) as parts:
        assert parts.display is None
        assert parts.buttons is None
        assert parts.buzzer is None
        assert parts.camera.newest(0.0) is None


def test_the_settings_of_camera_and_panel_reach_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def opener(*wanted: object) -> object:
        asked.extend(wanted)
        return None

    monkeypatch.setattr(wiring, "device_opener", opener)
    config = Config(
        camera=CameraSettings(source="camera", width=1280, height=720, fps=15.0, buffers=2),
        display=DisplaySettings(bus="spi", data_command=5, reset=6, rotate=2),
    )
    wiring.camera_opener(config)
    assert asked == ["camera", (1280, 720), 15.0, 2]
    assert wiring.wiring_of(config.display) == Wiring(bus="spi", data_command=5, reset=6, rotate=2)


def test_a_recording_is_no_source_of_a_box() -> None:
    with pytest.raises(CameraError, match=r"camera\.source"), opened(Config(camera=CameraSettings(source="table.mp4"))):
        pass


def test_tc1_a_camera_that_cannot_be_stopped_ends_the_process(bench: Bench) -> None:
    bench.wait(0.2)
    bench.health = CameraHealth("stuck", 2, "no frame for 2.1 s")
    with pytest.raises(CameraError, match="hangs: no frame"):
        bench.app.step()
