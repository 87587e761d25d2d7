"""The hands of the suite: presses buttons, reads the glass, lays pictures under the camera, pulls cables."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import glass_text
import numpy as np
from panel_bytes import Glass

CHIP = next(Path("/sys/devices/platform/gpio-sim.0").glob("gpiochip*"))
RECORD = Path("/dev/i2c-oledrec")
UNPLUGGED = Path("/sys/module/i2c_oledrec/parameters/unplugged")
PICTURE = Path("/run/hil/picture.bgr")
LOOKED = Path("/run/arbitro/looked")
SIZE = (768, 432)
PINS = {"no": 17, "minus": 27, "plus": 22, "ok": 23}
"""As the box is wired (docs/build-the-box.md), not as the settings say."""


class Panel:
    """The glass, kept up to date from the bytes on the bus."""

    def __init__(self, columns: int = 128) -> None:
        RECORD.write_bytes(b"0")
        self.glass, self._columns, self._left = Glass(columns), columns, b""
        self._file = RECORD.open("rb", buffering=0)

    def now(self) -> Glass:
        """What the bytes until now have put on the panel."""
        record, at = self._left + self._file.read(8 << 20), 0
        while at + 4 <= len(record):
            length = record[at + 2] | record[at + 3] << 8
            if at + 4 + length > len(record):
                break
            control, *values = record[at + 4 : at + 4 + length]
            (self.glass.data if control == 0x40 else self.glass.command)(list(values))
            at += 4 + length
        self._left = record[at:]
        return self.glass

    def text(self) -> str:
        """What a person reads there now; nothing while it is dark."""
        glass = self.now()
        return "\n".join(glass_text.rows(glass.picture())) if glass.lit else ""

    def shows(self, *texts: str, seconds: float = 300) -> str:
        """Wait until all of these are read. Raises `AssertionError` that says what was read instead."""
        read = ""
        if until(lambda: all(text in self.text() for text in texts), seconds):
            return self.text()
        read = self.text().replace("\n", " / ")
        raise AssertionError(f"expected {texts} on the display within {seconds:.0f} s, read: {read}")

    def plug(self, there: bool) -> None:
        """Pull the panel's cable, or put it back: it then knows nothing any more."""
        UNPLUGGED.write_text("0" if there else "1")
        self.now()
        self.glass = Glass(self._columns)


@cache
def panel() -> Panel:
    """The one of this boot: whether it is lit was said when the appliance first opened it."""
    return Panel()


def pull(pin: int, down: bool) -> None:
    """The level that a button gives its line."""
    (CHIP / f"sim_gpio{pin}" / "pull").write_text("pull-down" if down else "pull-up")


def press(name: str, panel: Panel, *expected: str) -> str:
    """Press a button of the box as a person does, again while the page stays, and read what the display answers."""
    page = panel.text().split("\n")[0]
    for _ in range(4):
        pull(PINS[name], down=True)
        time.sleep(0.25)
        pull(PINS[name], down=False)
        if not expected or until(lambda: all(text in panel.text() for text in expected), 20):
            break
        if panel.text().split("\n")[0] != page:
            break
    return panel.shows(*expected, seconds=60)


def hold(names: tuple[str, ...], until_true: Callable[[], bool], seconds: float) -> bool:
    """Hold buttons down until something is so."""
    for name in names:
        pull(PINS[name], down=True)
    held = until(until_true, seconds)
    for name in names:
        pull(PINS[name], down=False)
    return held


def play(poll: Callable[[], list[Any]], seconds: float) -> list[tuple[str, str]]:
    """Let time pass as the loop does."""
    gestures, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        gestures += [(gesture.button, gesture.kind) for gesture in poll()]
        time.sleep(0.01)
    return gestures


def polled(poll: Callable[[], list[Any]], pin: int, seconds: float, bounces: int = 0) -> list[tuple[str, str]]:
    """Press and let go; a bouncing contact opens and closes quickly at both ends."""
    for down in [True, False] * bounces:
        pull(pin, down)
    pull(pin, True)
    gestures = play(poll, seconds)
    for down in [False, True] * bounces:
        pull(pin, down)
    pull(pin, False)
    return gestures + play(poll, 1.5)


def table(seed: int) -> np.ndarray:
    """A picture that no other seed has."""
    blocks = np.random.default_rng(seed).integers(0, 255, (9, 16, 3), np.uint8)
    return np.ascontiguousarray(blocks.repeat(48, axis=0).repeat(48, axis=1))


def lay(picture: bytes) -> None:
    """What the camera sees from now on."""
    fresh = PICTURE.with_suffix(".new")
    fresh.write_bytes(picture)
    fresh.rename(PICTURE)


def bare_table() -> None:
    """A green cloth without a card."""
    lay(np.full((SIZE[1], SIZE[0], 3), (70, 110, 50), np.uint8).tobytes())


def camera_cable(there: bool) -> None:
    """Tear the camera out, or put it back. The kernel may wait with that for who has it open, so nobody waits here."""
    file = f"/sys/bus/platform/drivers/vimc/{'bind' if there else 'unbind'}"
    subprocess.Popen(["sh", "-c", f"echo vimc.0 >{file}"])


def systemctl(*arguments: str) -> None:
    """Raises `RuntimeError` with the journal's end when it fails."""
    done = subprocess.run(["systemctl", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"systemctl {' '.join(arguments)}: {done.stderr}\n{journal()}")


def journal(lines: int = 60) -> str:
    """The end of what the appliance said."""
    return subprocess.run(
        ["journalctl", "-u", "arbitro", "-n", str(lines), "--no-pager", "-o", "cat"], capture_output=True, text=True
    ).stdout


def property_of(name: str) -> str:
    """A property of the appliance's unit."""
    return subprocess.run(
        ["systemctl", "show", "--value", "-p", name, "arbitro.service"], capture_output=True, text=True
    ).stdout.strip()


def restarts() -> int:
    """How often systemd has started the appliance again."""
    return int(property_of("NRestarts"))


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.25)
    return False
