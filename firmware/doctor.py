"""The self-test: what each check found, and the checks of the computer itself."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

from firmware.errors import StoreBusyError, StoreError
from firmware.libraries import missing_libraries
from firmware.store import Store
from hardware import system

State = Literal["ok", "warning", "fault"]

LITTLE_SPACE: Final = 200_000_000
"""Bytes; the matches of years take less, but a full card breaks the system around them."""
HOT: Final = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to slow down."""
PACKAGES: Final = (
    *("arbitro", "numpy", "opencv-python-headless", "opencv-python", "pillow", "gpiozero", "lgpio"),
    *("luma.oled", "luma.core", "smbus2", "picamera2"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the self-test. `part` is the end of a text's key `part.*`, `value` what was measured, in figures or
    names; `code` stands for what is wrong (texts `code.*`) and is None when all is well.
    """

    part: str
    state: State
    value: str = ""
    code: str | None = None
    detail: str = ""


def check_disk(directory: Path, usage: Callable[[Path], Any] = shutil.disk_usage) -> Finding:
    """Space, and a write that reaches the disk."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".selftest-") as file:
            file.write(b"written by the self-test")
            file.flush()
            os.fsync(file.fileno())
        space = usage(directory)
    except OSError as error:
        return Finding("disk", "fault", "", "K02", f"{directory}: {error}")
    value = f"{100 * space.free // space.total}%"
    if space.free < LITTLE_SPACE:
        return Finding("disk", "fault", value, "K01", f"{space.free // 1_000_000} MB free in {directory}")
    return Finding("disk", "ok", value, detail=f"{space.free // 1_000_000} MB free in {directory}")


def check_matches(directory: Path) -> Finding:
    """The store opens and every match in it can be read. A referee that runs holds it: then it is well."""
    try:
        with Store.open(directory) as store:
            rows = store.matches()
            for row in rows:
                store.events(row.id)
    except StoreBusyError as error:
        return Finding("matches", "ok", "-", detail=str(error))
    except StoreError as error:
        return Finding("matches", "fault", "", "K03", str(error))
    return Finding("matches", "ok", str(len(rows)))


def check_clock(root: Path = system.ROOT) -> Finding:
    """Without a battery or a network the date after a start is a guess."""
    if system.clock_certain(root):
        return Finding("clock", "ok")
    return Finding("clock", "warning", "?", "T01", "no clock with a battery, and not set from the network")


def check_temperature(root: Path = system.ROOT) -> Finding:
    """Of the processor."""
    degrees = system.temperature(root)
    if degrees is None:
        return Finding("temperature", "ok", "-", detail="this computer does not tell")
    return Finding(
        "temperature", *(("warning", f"{degrees:.0f}C", "T02") if degrees >= HOT else ("ok", f"{degrees:.0f}C"))
    )


def check_supply(root: Path = system.ROOT) -> Finding:
    """Whether the voltage fell too low since the start."""
    low = system.under_voltage(root)
    if low is None:
        return Finding("supply", "ok", "-", detail="this computer does not tell")
    return Finding("supply", "fault", "", "T03") if low else Finding("supply", "ok")


def check_versions(
    find: Callable[[str], object | None] = importlib.util.find_spec,
    version: Callable[[str], str] = metadata.version,
) -> Finding:
    """Every library is there, and only one OpenCV."""
    missing = missing_libraries(find)
    versions = {name: _version(name, version) for name in PACKAGES}
    detail = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    if missing:
        return Finding("versions", "fault", "", "V01", f"missing: {', '.join(missing)}")
    if versions["opencv-python"] and versions["opencv-python-headless"]:
        return Finding("versions", "warning", "", "V02", detail)
    return Finding("versions", "ok", versions["arbitro"] or "", detail=detail)


def worst(findings: Sequence[Finding]) -> State:
    """`fault` before `warning` before `ok`."""
    states = {finding.state for finding in findings}
    return "fault" if "fault" in states else "warning" if "warning" in states else "ok"


def _version(name: str, version: Callable[[str], str]) -> str | None:
    try:
        return version(name)
    except metadata.PackageNotFoundError:
        return None
