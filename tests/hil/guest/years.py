"""A clock that is wrong, a root that cannot be written, another version: each by boots of its own."""

from __future__ import annotations

import subprocess
import time
from datetime import datetime
from pathlib import Path

import appliance
import rig

from firmware.store import Store

INSTALLER = "/opt/arbitro/current/systemd/install.sh"


def clock_at_1970() -> str:
    """No clock module and no network: a match begins in 1970. The host then cuts the power."""
    _set_clock(3600)  # the kernel takes no time before its own start
    panel = rig.panel()
    appliance.started(panel, appliance.HOME)
    appliance.set_up(panel)
    row = _rows()[-1]
    assert row.began.startswith("1970"), row
    print(f"hil: kept match {row.id} begun {row.began}", flush=True)
    return f"a match begun {row.began}"


def clock_right_then_back() -> str:
    """After the cut the clock is right, then it is set back by an hour in the match: the match goes on, order holds."""
    _set_clock(1_790_000_000)
    panel = rig.panel()
    appliance.started(panel, appliance.SUSPENDED)
    rig.press("ok", panel, appliance.DEAL)
    _set_clock(1_790_000_000 - 3600)
    before = rig.restarts()
    rig.press("no", panel, "Chi fa il mazziere?")
    rig.press("ok", panel, appliance.DEAL)
    time.sleep(20)
    assert rig.restarts() == before, rig.journal()
    assert rig.property_of("ActiveState") == "active"
    rows = _rows()
    assert [row.id for row in rows] == [1, 2], rows
    assert rows[0].began < "1971" < rows[1].began, rows
    return f"resumed, and a second match begun {rows[1].began} after the clock went back, in its order"


def read_only_root() -> str:
    """The root cannot be written, the matches have a partition of their own: a match begins and is stored."""
    options = next(line.split()[3] for line in Path("/proc/mounts").read_text().splitlines() if line.split()[1] == "/")
    assert "ro" in options.split(","), options
    appliance.state_on("/dev/vdb")
    panel = rig.panel()
    appliance.started(panel, appliance.HOME)
    appliance.set_up(panel)
    rows = _rows()
    assert len(rows) == 1, rows
    return "root mounted ro; ready, and a match begun and stored on its own partition"


def way_back() -> str:
    """The version before comes back into force, then the newer one; a version that does not start is left again."""
    panel = rig.panel()
    appliance.started(panel, appliance.HOME)
    appliance.set_up(panel)
    before, kept = _versions(), appliance.stored(appliance.STATE)
    assert len(set(before)) == 2, before
    _back()
    assert _versions() == before[::-1], _versions()
    panel.shows(appliance.SUSPENDED)
    running = Path(f"/proc/{rig.property_of('MainPID')}/cmdline").read_text()
    (Path(before[0]) / "venv/bin/arbitro").write_text("#!/bin/sh\nexit 1\n")
    failed = subprocess.run([INSTALLER, "--back"])
    assert failed.returncode == 1, failed
    assert _versions()[0] == before[1], _versions()
    assert rig.until(lambda: rig.property_of("ActiveState") == "active", 600), rig.journal()
    panel.shows(appliance.SUSPENDED)
    assert appliance.stored(appliance.STATE) == kept, "the matches are not what they were"
    return (
        f"back to {Path(before[1]).name} ({Path(running).name}); one that does not start was left again; matches kept"
    )


def _set_clock(seconds: int) -> None:
    time.clock_settime(time.CLOCK_REALTIME, seconds)
    assert abs(datetime.now().timestamp() - seconds) < 60


def _rows() -> list:  # type: ignore[type-arg]
    with Store.look(appliance.STATE) as store:
        return store.matches()


def _versions() -> tuple[str, str]:
    """Those in force and before."""
    home = Path("/opt/arbitro")
    return str((home / "current").resolve()), str((home / "previous").resolve())


def _back() -> None:
    done = subprocess.run([INSTALLER, "--back"])  # what it says is seen on the console
    assert done.returncode == 0, f"exit status {done.returncode}\n{rig.journal()}"
