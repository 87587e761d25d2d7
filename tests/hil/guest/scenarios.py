"""What is proved in the virtual machine, each with its own line; the group is named on the kernel command line."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import rig
from PIL import Image, ImageChops, ImageDraw

from hardware.buttons import Buttons
from hardware.display import Display
from hardware.errors import CameraError
from hardware.gestures import GestureTimes
from hardware.live import LiveCamera
from hardware.panel import Wiring, open_panel
from hardware.pi_camera import PiCamera
from hardware.pins import BUTTON_PINS, pin_factory

Scenario = Callable[[], str]
TIMES = GestureTimes(steady=0.5, hold=5, repeat=60)
"""Stretched: in this machine a level is set in tens of milliseconds, not in one."""


def buttons() -> str:
    """Presses, a hold, bounces and spikes on real lines of a GPIO chip, through lgpio."""
    reader = Buttons(pin_factory("lgpio"), times=TIMES)
    rig.play(reader.poll, 1)
    for name, pin in BUTTON_PINS.items():
        told = rig.press(reader.poll, pin, 2)
        assert told == [(name, "press")], f"{name}: {told}"
    told = rig.press(reader.poll, 17, 7)
    assert told == [("no", "hold")], told
    for _ in range(10):
        told = rig.press(reader.poll, 23, 1.5, bounces=5)
        assert told == [("ok", "press")], told
    for _ in range(200):
        rig.pull(22, down=True)
        rig.pull(22, down=False)
    told = rig.play(reader.poll, 2)
    assert told == [], told
    reader.close()
    return "4 presses, a hold, 10 bouncing presses, 200 spikes without effect"


def display() -> str:
    """luma on /dev/i2c-1; the picture rebuilt from the bytes; pulled and back."""
    compared = 0
    for driver, columns in (("ssd1306", 128), ("sh1106", 132)):
        rig.forget_bytes()
        screen = Display(lambda driver=driver: open_panel(driver, Wiring()), retry=0.2)  # type: ignore[misc]
        for text in ("SCOPA 11-7", "TOCCA A TE"):
            picture = Image.new("1", (128, 64))
            ImageDraw.Draw(picture).text((5, 5), text, fill=1)
            assert screen.show(picture), screen.lost
            assert ImageChops.logical_xor(rig.glass(columns).picture(), picture).getbbox() is None, driver
            compared += 1
        rig.plug(False)
        ImageDraw.Draw(picture).text((5, 30), "PULLED", fill=1)
        assert not screen.show(picture)
        rig.plug(True)
        rig.forget_bytes()
        time.sleep(0.3)
        assert screen.show(picture), screen.lost
        assert ImageChops.logical_xor(rig.glass(columns).picture(), picture).getbbox() is None
        screen.close()
    return f"{compared} pictures byte for byte on two chips, pulled and back"


def camera() -> str:
    """The real Picamera2 through the class of the appliance: pictures as they are, then the camera is torn out."""
    rig.lay(rig.table(7))
    live = LiveCamera(lambda: PiCamera((1280, 720)), max_age=120, stall=120, start_limit=900)
    assert rig.until(lambda: live.health.state != "starting", 900), "the camera does not start"
    assert live.health.state == "ok", live.health
    frames = 0
    for seed in (7, 8, 9):
        rig.lay(rig.table(seed))
        live.newest(wait=300)
        live.newest(wait=300)  # the one that was under way while the picture changed
        frame = live.newest(wait=300)
        assert frame is not None, live.health
        assert (frame.picture == rig.table(seed)).all(), "another picture than what lay there"
        frames += 1
    rig.tear_out_camera()
    began = time.monotonic()
    while live.health.state == "ok" and time.monotonic() - began < 400:
        live.newest(wait=1)
    assert live.health.state == "lost", live.health
    return f"{frames} frames bit for bit; torn out: {live.health.reason}"


def service() -> str:
    """The installed unit, in its sandbox, becomes ready and shows its first screen."""
    rig.lay(rig.table(7))
    rig.forget_bytes()
    began = time.monotonic()
    rig.systemctl("start", "arbitro.service")
    assert rig.property_of("ActiveState") == "active"
    assert rig.glass(128).lit, "nothing was drawn"
    return f"ready after {time.monotonic() - began:.0f} s in this slow machine"


def watchdog() -> str:
    """A process that stands still is ended and started again."""
    before = int(rig.property_of("NRestarts"))
    rig.systemctl("kill", "--signal=STOP", "arbitro.service")
    assert rig.until(lambda: int(rig.property_of("NRestarts")) > before, 150)
    assert rig.until(lambda: rig.property_of("ActiveState") == "active", 300)
    return "restarted once, ready again"


GROUPS: dict[str, tuple[Scenario, ...]] = {
    "parts": (buttons, display),
    "camera": (camera,),
    "unit": (service, watchdog),
}


def main() -> None:
    chosen = next((word[4:] for word in Path("/proc/cmdline").read_text().split() if word.startswith("hil=")), "parts")
    for scenario in GROUPS[chosen]:
        began = time.monotonic()
        try:
            proved = scenario()
        except (AssertionError, CameraError, OSError, RuntimeError) as error:
            traceback.print_exc()
            print(f"hil: FAILED: {scenario.__name__}: {error}", flush=True)
        else:
            print(f"hil: passed: {scenario.__name__}: {proved} ({time.monotonic() - began:.0f} s)", flush=True)
    print("hil: end", flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)  # a camera that was torn out leaves a thread that never ends
