"""Breaks the appliance on purpose, to show that the suite then fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

UNIT = Path("/etc/systemd/system/arbitro.service")


def words() -> dict[str, str]:
    """What the host wrote on the kernel's command line."""
    pairs = (word.partition("=") for word in Path("/proc/cmdline").read_text().split())
    return {name: value for name, _, value in pairs}


def break_on_purpose(how: str) -> None:
    """`device`: the unit may not open the pins. `pin`: NO and OK are swapped. Nothing for an empty name."""
    if how == "device":
        UNIT.write_text(UNIT.read_text().replace("DeviceAllow=char-gpiochip rw\n", ""))
        subprocess.run(["systemctl", "daemon-reload"], check=True)
    elif how == "pin":
        from hardware.pins import BUTTON_PINS

        BUTTON_PINS.update(no=BUTTON_PINS["ok"], ok=BUTTON_PINS["no"])  # type: ignore[attr-defined]
        with open("/etc/arbitro/arbitro.toml", "a") as settings:
            settings.write("[buttons]\nno = 23\nok = 17\n")
