"""TC1, TC2, TC7 and TC8 of the field faults on the whole box: what such devices suffered must not stop this one."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.captures import captures
from engine.cards import Card
from engine.rules import variant
from firmware.app import App, Parts
from firmware.events import AnyEvent, Notice
from firmware.store import Store
from hardware.errors import CameraBusyError, CameraError
from hardware.frame import Shot
from hardware.live import LiveCamera
from tests.firmware.box_bench import OK, Bench


class Device:
    """A camera that gives a picture when the bench asks for one, blocks for ever, or fails."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.script: queue.Queue[Exception | threading.Event | None] = queue.Queue()
        self.refuse: Exception | None = None
        self.opened = 0

    def open(self) -> Device:
        if self.refuse is not None:
            raise self.refuse
        self.opened += 1
        return self

    def read(self) -> Shot:
        step = self.script.get()
        if isinstance(step, threading.Event):
            step.wait()
            raise CameraError("released")
        if step is not None:
            raise step
        return Shot(np.zeros((72, 128, 3), np.uint8), self.bench.now)

    def close(self) -> None:
        pass


class LiveBench(Bench):
    """The bench with the real hand-over of frames, one frame at a time."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.device = Device(self)
        self.live = LiveCamera(self.device.open, clock=lambda: self.now)
        parts = Parts(self.live, self.display, self.buttons, self)
        self.app = App(self.desk, parts, self.make_watcher, lambda: self.now)
        self.gives = True
        self.wait(0.4)

    def update(self, picture: object, frame: int, time: float, little: object = None):  # type: ignore[no-untyped-def]
        """What is seen comes in order, whatever the number of the frame."""
        self.looked += 1
        return self.camera.seen[self.looked - 1]

    def run(self) -> None:
        while self.looked < len(self.camera.seen):
            self.now += 0.2
            self.device.script.put(None)
            before = self.looked
            while self.looked == before:  # the worker has its own thread
                self.app.step()

    def wait(self, seconds: float) -> None:
        """The table at rest, five frames a second as long as the camera gives any."""
        for twentieth in range(round(seconds / 0.05)):
            if self.gives and twentieth % 4 == 0:
                self.camera.rest(0.2)
                self.device.script.put(None)
                while self.looked < len(self.camera.seen):
                    self.app.step()
            self.now += 0.05
            self.app.step()


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveBench]:
    monkeypatch.setattr("firmware.app.WAIT", 0.002)  # this clock does not go by itself
    with Store.open(tmp_path) as store:
        bench = LiveBench(store)
        bench.store = store  # type: ignore[attr-defined]
        yield bench
        bench.device.script.put(CameraError("end"))
        bench.live.close()
        bench.buttons.close()


def stored(live: LiveBench) -> list[object]:
    """Every event of the game that is on disk."""
    return [event for event in _events(live) if not isinstance(event, Notice)]


def notices(live: LiveBench) -> list[str]:
    """What befell the box, as the record of the match has it."""
    return [event.what for event in _events(live) if isinstance(event, Notice)]


def _events(live: LiveBench) -> list[AnyEvent]:
    store: Store = live.store  # type: ignore[attr-defined]
    return [event for row in store.matches() for event in store.events(row.id)]


def begun(live: LiveBench, frames: int) -> None:
    """A match with one play, `frames` frames old."""
    live.begin()
    live.camera.lay(0, Card.parse("4b"))
    live.camera.rest((frames - len(live.camera.seen)) / live.camera.fps)
    live.run()
    live.wait(0.1)
    assert live.shown == "play"


def test_tc1_a_camera_that_blocks_at_frame_500_of_a_hand(live: LiveBench) -> None:
    begun(live, 500)
    before, hung, since = stored(live), threading.Event(), live.now
    live.gives = False
    live.device.script.put(hung)
    while live.shown != "boot_nocam":
        live.wait(0.05)
    assert live.now - since < 3
    assert live.on_glass()
    live.press(OK)
    assert live.shown == "play", "the buttons work"
    live.gives = True
    live.wait(1.0)
    assert (live.device.opened, live.live.stuck_threads, live.live.health.state) == (2, 1, "ok")
    assert stored(live) == before
    live.camera.lay(1, Card.parse("5s"))
    live.run()
    assert stored(live) != before, "and the match goes on"
    assert notices(live) == ["camera_lost"]
    assert live.desk.facts(live.now).plays[-1].card == "5s"
    hung.set()


@pytest.mark.parametrize(
    ("error", "code"), [(CameraError("no such device"), "C03"), (CameraBusyError("held by another program"), "C02")]
)
def test_tc2_a_camera_that_vanishes_for_twenty_seconds(live: LiveBench, error: Exception, code: str) -> None:
    begun(live, 40)
    before = stored(live)
    live.gives, live.device.refuse = False, error
    live.device.script.put(CameraError("unplugged"))
    while live.live.health.reason != str(error):
        live.wait(0.5)
    live.wait(20.0)
    assert live.shown == "boot_nocam"
    assert code in "\n".join(live.desk.screen(live.now).rows)
    live.gives, live.device.refuse = True, None
    live.now += 10
    live.camera.lay(1, Card.parse("5s"))
    live.run()
    live.wait(0.1)
    assert live.desk.facts(live.now).plays[-1].card == "5s"
    assert stored(live) != before


def test_tc7_a_computer_without_any_of_the_parts(tmp_path: Path) -> None:
    """No picamera2, no pins, no I2C: the real command starts, tells what is missing in one message, and goes on."""
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(str(tmp_path / "notify"))
    notify.settimeout(60)
    settings = tmp_path / "settings.toml"
    settings.write_text("[display]\nbus = 'spi'\n")
    command = [sys.executable, "-m", "firmware.cli", "run", "--config", str(settings), "--state", str(tmp_path / "s")]
    environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "GPIOZERO_PIN_FACTORY": "lgpio"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        while not notify.recv(4096).startswith(b"READY=1"):
            pass
        for _ in range(2):
            assert notify.recv(4096) == b"WATCHDOG=1"
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        notify.close()
    assert process.returncode == 0
    (message,) = [line for line in said.splitlines() if "going on without" in line]
    assert all(part in message for part in ("camera (", "display (", "buttons (", "buzzer ("))
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["run", "doctor", "read", "deck"])
def test_tc7_every_missing_library_is_named_at_once(command: str, tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update({'cv2': None, 'luma': None, 'luma.core': None, 'luma.oled': None})\n"
        "from firmware.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    rest = {"read": ["x.png", "--deck", "d"], "deck": ["list"]}.get(command, [])
    done = subprocess.run(
        [sys.executable, "-c", program, command, "--state", str(tmp_path), *rest],
        capture_output=True, text=True, timeout=60, cwd=Path(__file__).parent.parent.parent,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "missing: cv2, luma.oled, luma.core (code V01)" in done.stderr


def test_tc8_no_display_at_the_start_pulled_at_play_7_and_back_at_play_9(live: LiveBench) -> None:
    live.bus.unplug()
    live.begin()
    live.bus.plug()
    cards = [Card.parse(card) for card in ("4b", "Fs", "5s", "7c", "6c", "3b", "Ad", "5c", "Fc")]
    for number, card in enumerate(cards, 1):
        if number == 7:
            live.bus.unplug()
        if number == 9:
            live.bus.plug()
        takes = min(captures(variant("scopa_2"), frozenset(live.camera.lying), card), default=frozenset(), key=len)
        if takes:
            live.camera.take((number - 1) % 2, card, takes)
        else:
            live.camera.lay((number - 1) % 2, card)
        live.run()
        assert live.desk.facts(live.now).plays[-1].n == number
        assert (live.display.lost is None) == (number not in (7, 8))
    live.wait(8.0)
    assert live.on_glass()
    assert notices(live) == ["display_lost"]
