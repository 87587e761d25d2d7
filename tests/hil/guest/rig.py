"""The hands of the suite: presses buttons, reads the glass, lays pictures under the camera, pulls cables."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from panel_bytes import Glass

CHIP = next(Path("/sys/devices/platform/gpio-sim.0").glob("gpiochip*"))
RECORD = Path("/dev/i2c-oledrec")
UNPLUGGED = Path("/sys/module/i2c_oledrec/parameters/unplugged")
PICTURE = Path("/run/hil/picture.bgr")
SIZE = (1280, 720)


def pull(pin: int, down: bool) -> None:
    """The level that a button gives its line."""
    (CHIP / f"sim_gpio{pin}" / "pull").write_text("pull-down" if down else "pull-up")


def play(poll: Callable[[], list[Any]], seconds: float) -> list[tuple[str, str]]:
    """Let time pass as the loop does."""
    gestures, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        gestures += [(gesture.button, gesture.kind) for gesture in poll()]
        time.sleep(0.01)
    return gestures


def press(poll: Callable[[], list[Any]], pin: int, seconds: float, bounces: int = 0) -> list[tuple[str, str]]:
    """Press and let go; a bouncing contact opens and closes quickly at both ends."""
    for down in [True, False] * bounces:
        pull(pin, down)
    pull(pin, True)
    gestures = play(poll, seconds)
    for down in [False, True] * bounces:
        pull(pin, down)
    pull(pin, False)
    return gestures + play(poll, 1.5)


def forget_bytes() -> None:
    """Begin a new record of the bus."""
    RECORD.write_bytes(b"0")


def glass(columns: int) -> Glass:
    """What the bytes since `forget_bytes` have put on the panel."""
    panel, record, at = Glass(columns), RECORD.read_bytes(), 0
    while at < len(record):
        length = record[at + 2] | record[at + 3] << 8
        control, *values = record[at + 4 : at + 4 + length]
        (panel.data if control == 0x40 else panel.command)(list(values))
        at += 4 + length
    return panel


def plug(there: bool) -> None:
    """Pull the panel's cable, or put it back."""
    UNPLUGGED.write_text("0" if there else "1")


def table(seed: int) -> np.ndarray:
    """A picture that no other seed has."""
    blocks = np.random.default_rng(seed).integers(0, 255, (9, 16, 3), np.uint8)
    return np.ascontiguousarray(blocks.repeat(80, axis=0).repeat(80, axis=1))


def lay(picture: np.ndarray) -> None:
    """What the camera sees from now on."""
    fresh = PICTURE.with_suffix(".new")
    fresh.write_bytes(picture.tobytes())
    fresh.rename(PICTURE)


def tear_out_camera() -> None:
    """As if its cable came off."""
    Path("/sys/bus/platform/drivers/vimc/unbind").write_text("vimc.0")


def systemctl(*arguments: str) -> None:
    """Raises `RuntimeError` with the journal's end when it fails."""
    done = subprocess.run(["systemctl", *arguments], capture_output=True, text=True)
    if done.returncode:
        journal = subprocess.run(
            ["journalctl", "-u", "arbitro", "-n", "40", "--no-pager"], capture_output=True, text=True
        )
        raise RuntimeError(f"systemctl {' '.join(arguments)}: {done.stderr}\n{journal.stdout}")


def property_of(name: str) -> str:
    """A property of the appliance's unit."""
    return subprocess.run(
        ["systemctl", "show", "--value", "-p", name, "arbitro.service"], capture_output=True, text=True
    ).stdout.strip()


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.5)
    return False
