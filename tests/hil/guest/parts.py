"""The parts of the box one by one, each by its own class on a device of the kernel."""

from __future__ import annotations

import time

import rig
from PIL import Image, ImageChops, ImageDraw

from hardware.buttons import Buttons
from hardware.display import Display
from hardware.gestures import GestureTimes
from hardware.live import LiveCamera
from hardware.panel import Wiring, open_panel
from hardware.pi_camera import PiCamera
from hardware.pins import pin_factory

TIMES = GestureTimes(steady=0.5, hold=5, repeat=60)
"""Stretched: in this machine a level is set in tens of milliseconds, not in one."""


def buttons() -> str:
    """Presses, a hold, bounces and spikes on real lines of a GPIO chip, through lgpio."""
    reader = Buttons(pin_factory("lgpio"), times=TIMES)
    rig.play(reader.poll, 1)
    for name, pin in rig.PINS.items():
        told = rig.polled(reader.poll, pin, 2)
        assert told == [(name, "press")], f"{name}: {told}"
    told = rig.polled(reader.poll, 17, 7)
    assert told == [("no", "hold")], told
    for _ in range(10):
        told = rig.polled(reader.poll, 23, 1.5, bounces=5)
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
        panel = rig.Panel(columns)
        screen = Display(lambda driver=driver: open_panel(driver, Wiring()), retry=0.2)  # type: ignore[misc]
        for text in ("SCOPA 11-7", "TOCCA A TE"):
            picture = Image.new("1", (128, 64))
            ImageDraw.Draw(picture).text((5, 5), text, fill=1)
            assert screen.show(picture), screen.lost
            assert ImageChops.logical_xor(panel.now().picture(), picture).getbbox() is None, driver
            compared += 1
        panel.plug(False)
        ImageDraw.Draw(picture).text((5, 30), "PULLED", fill=1)
        assert not screen.show(picture)
        panel.plug(True)
        time.sleep(0.3)
        assert screen.show(picture), screen.lost
        assert ImageChops.logical_xor(panel.now().picture(), picture).getbbox() is None
        screen.close()
    return f"{compared} pictures byte for byte on two chips, pulled and back"


def camera() -> str:
    """The real Picamera2 through the class of the appliance: pictures as they are, then the camera is torn out."""
    rig.lay(rig.table(7).tobytes())
    live = LiveCamera(lambda: PiCamera(rig.SIZE), max_age=120, stall=20)
    assert rig.until(lambda: live.health.state != "starting", 600), "the camera does not start"
    assert live.health.state == "ok", live.health
    frames = 0
    for seed in (7, 8, 9):
        rig.lay(rig.table(seed).tobytes())
        live.newest(wait=300)
        live.newest(wait=300)  # the one that was under way while the picture changed
        frame = live.newest(wait=300)
        assert frame is not None, live.health
        assert (frame.picture == rig.table(seed)).all(), "another picture than what lay there"
        frames += 1
    rig.camera_cable(there=False)
    assert rig.until(lambda: live.health.state == "lost", 400), live.health
    return f"{frames} frames bit for bit; torn out: {live.health.reason}"
