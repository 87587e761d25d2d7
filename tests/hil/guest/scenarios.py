"""Runs the scenarios of a group, each with its own line; the group is named on the kernel's command line."""

from __future__ import annotations

import faulthandler
import os
import subprocess
import time
import traceback
from collections.abc import Callable

import appliance
import breaking
import parts
import table
import years

from firmware.errors import FirmwareError
from hardware.errors import HardwareError

Scenario = Callable[[], str]

GROUPS: dict[str, tuple[Scenario, ...]] = {
    "parts": (parts.buttons, parts.display, parts.camera),
    "appliance": (
        appliance.absent_display,
        appliance.sandbox,
        appliance.begun,
        appliance.watchdog,
        appliance.full_disk,
        appliance.switch_off,
    ),
    "camera": (appliance.lost_camera,),
    "hand": (table.whole_hand,),
    "clock-1970": (years.clock_at_1970,),
    "clock-right": (years.clock_right_then_back,),
    "readonly": (years.read_only_root,),
    "update": (years.way_back,),
}
ERRORS = (AssertionError, FirmwareError, HardwareError, OSError, RuntimeError, ValueError, subprocess.SubprocessError)


STANDS_STILL = 240
"""Seconds after which a scenario says on the console where it is, however it hangs."""


def main() -> None:
    words = breaking.words()
    breaking.break_on_purpose(words.get("hil.broken", ""))
    for scenario in GROUPS[words["hil"]]:
        faulthandler.dump_traceback_later(STANDS_STILL, repeat=True)
        began = time.monotonic()
        try:
            proved = scenario()
        except ERRORS as error:
            traceback.print_exc()
            print(f"hil: FAILED: {scenario.__name__}: {str(error).splitlines()[0]}", flush=True)
        else:
            print(f"hil: passed: {scenario.__name__}: {proved} ({time.monotonic() - began:.0f} s)", flush=True)
        if scenario.__name__ == words.get("hil.until"):
            break
    print("hil: end", flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)  # a camera that was torn out leaves a thread that never ends
