"""The installed appliance under its own unit, in its sandbox, with all its devices."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import rig
from rig import Panel

from firmware.events import encode
from firmware.store import Store

STATE = Path("/var/lib/arbitro")
HOME = "Nuova partita"
SUSPENDED = "PARTITA SOSPESA"
DEAL = "MANO 1"
HELD = ("gpiochip0", "i2c-1", "media0", "video")
"""Devices that the process must have open."""


def started(panel: Panel, *texts: str) -> float:
    """Start the unit and read its first screen; seconds that it took until ready."""
    rig.bare_table()
    began = time.monotonic()
    rig.systemctl("start", "arbitro.service")
    ready = time.monotonic() - began
    panel.shows(*texts)
    assert rig.until(rig.LOOKED.exists, 300), f"no frame was looked at\n{rig.journal()}"
    return ready


def set_up(panel: Panel) -> None:
    """From the first list to the deal, by buttons alone."""
    rig.press("ok", panel, "NUOVA PARTITA", ">Avanti")
    rig.press("ok", panel, "Chi fa il mazziere?")
    rig.press("ok", panel, DEAL, "TAVOLO 0/4")


def absent_display() -> str:
    """Switched on without a panel; plugged in later."""
    panel = rig.panel()
    panel.plug(False)
    rig.bare_table()
    began = time.monotonic()
    rig.systemctl("start", "arbitro.service")
    ready = time.monotonic() - began
    assert rig.until(lambda: "display lost" in rig.journal(), 120), rig.journal()
    assert rig.property_of("ActiveState") == "active", rig.journal()
    panel.plug(True)
    panel.shows(HOME)
    return f"ready without it after {ready:.0f} s of this slow machine, the first screen when it was plugged in"


def sandbox() -> str:
    """Who the process is, what it holds, what it may."""
    process = Path("/proc") / rig.property_of("MainPID")
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    assert process.owner() == "arbitro", process.owner()
    assert int(status["CapEff"], 16) == 0, status["CapEff"]
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status
    assert rig.until(lambda: all(any(name in file for file in _open_files(process)) for name in HELD), 120), (
        f"expected {HELD} open, got {_open_files(process)}\n{rig.journal()}"
    )
    sockets = [line for kind in ("tcp", "tcp6", "udp", "udp6") for line in _lines(process / "net" / kind)]
    assert not sockets, sockets
    return f"user arbitro, no capability, no socket of the network; open: {', '.join(HELD)}"


def _open_files(process: Path) -> set[str]:
    files = set()
    for number in (process / "fd").iterdir():
        try:
            files.add(os.readlink(number))
        except OSError:  # closed meanwhile
            continue
    return files


def _lines(table: Path) -> list[str]:
    return table.read_text().splitlines()[1:]


def begun() -> str:
    """A match is set up by buttons alone."""
    assert rig.until(rig.LOOKED.exists, 300), f"no frame was looked at\n{rig.journal()}"
    set_up(rig.panel())
    events = stored(STATE)
    assert [name for _, text in events for name in [json.loads(text)["event"]]] == ["start"], events
    return "six screens read off the glass, the match is on disk"


def watchdog() -> str:
    """A process that stands still is ended and started again; the match is there."""
    panel, before = rig.panel(), rig.restarts()
    rig.systemctl("kill", "--signal=STOP", "arbitro.service")
    began = time.monotonic()
    assert rig.until(lambda: rig.restarts() > before, 400), rig.journal()
    ended = time.monotonic() - began
    assert "Watchdog timeout" in rig.journal(500), rig.journal()
    panel.shows(SUSPENDED)
    return f"ended after {ended:.0f} s and started again, the match offered"


def lost_camera() -> str:
    """Torn out in a match: told, then given back; the match goes on, or is offered where only a new process helps."""
    panel = rig.panel()
    started(panel, HOME)
    set_up(panel)
    before = rig.restarts()
    rig.camera_cable(there=False)
    began = time.monotonic()
    panel.shows("CAMERA NON TROVATA", seconds=600)
    told = time.monotonic() - began
    rig.camera_cable(there=True)
    began = time.monotonic()
    assert rig.until(lambda: any(text in panel.text() for text in (SUSPENDED, DEAL)), 900), panel.text()
    back = time.monotonic() - began
    return f"told after {told:.0f} s, back after {back:.0f} s, {rig.restarts() - before} new processes"


def full_disk() -> str:
    """No room for a play: the process says so and stops; nothing is lost; with room it goes on."""
    rig.systemctl("stop", "arbitro.service")
    state_on("-t", "tmpfs", "-o", "size=8M", "tmpfs")
    panel = rig.panel()
    started(panel, SUSPENDED)
    rig.press("ok", panel, DEAL)
    rig.press("no", panel, "Chi fa il mazziere?")
    _fill()
    before, began = stored(STATE), rig.restarts()
    rig.press("ok", panel)
    assert rig.until(lambda: rig.restarts() > began, 300), rig.journal()
    said = [line for line in rig.journal().splitlines() if "cannot be used" in line]
    assert said, rig.journal()
    (STATE / "filler").unlink()
    panel.shows(SUSPENDED, seconds=600)
    assert stored(STATE) == before, "the matches are not what they were"
    rig.systemctl("stop", "arbitro.service")
    subprocess.run(["umount", str(STATE)], check=True)
    started(panel, SUSPENDED)
    return f"{len(before)} events kept, said: {said[0]}; went on when there was room"


def state_on(*device: str) -> None:
    """Mount something over the state directory, with the same in it."""
    kept = Path("/run/hil/kept")
    shutil.copytree(STATE, kept, dirs_exist_ok=True)
    subprocess.run(["mount", *device, str(STATE)], check=True)
    shutil.copytree(kept, STATE, dirs_exist_ok=True)
    subprocess.run(["chown", "-R", "arbitro:arbitro", str(STATE)], check=True)


def _fill() -> None:
    with (STATE / "filler").open("wb", buffering=0) as file:
        try:
            for size in (65536, 4096, 512, 1):
                while file.write(bytes(size)) == size:
                    pass
        except OSError:
            return


def stored(state: Path) -> list[tuple[int, str]]:
    """Every event of every match that is on disk."""
    with Store.look(state) as store:
        return [(row.id, encode(event).decode()) for row in store.matches() for event in store.events(row.id)]


def switch_off() -> str:
    """Two buttons held, then OK held: the system goes down, and this program with it."""
    panel = rig.panel()
    assert rig.hold(("no", "ok"), lambda: "SPEGNERE?" in panel.text(), 120), panel.text()
    time.sleep(2)
    signal.signal(signal.SIGTERM, _going_down)
    try:
        rig.hold(("ok",), lambda: False, 200)
    except GoingDownError:
        return "NO and OK held, then OK held: the system goes down"
    raise AssertionError(f"expected the system to go down, read: {panel.text()}\n{rig.journal()}")


class GoingDownError(Exception):
    """The system ends this program."""


def _going_down(*_: object) -> None:
    raise GoingDownError
