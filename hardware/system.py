"""Facts about the computer, read where Linux tells them; None where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path("/")


def temperature(root: Path = ROOT) -> float | None:
    """Of the processor, in degrees Celsius."""
    text = _read(root / "sys/class/thermal/thermal_zone0/temp")
    return int(text) / 1000 if text is not None and text.lstrip("-").isdigit() else None


def under_voltage(root: Path = ROOT) -> bool | None:
    """Whether the supply was too weak since the start, by the driver `rpi_volt` of the Raspberry Pi's kernel."""
    for folder in sorted(root.glob("sys/class/hwmon/hwmon*")):
        if _read(folder / "name") == "rpi_volt":
            alarm = _read(folder / "in0_lcrit_alarm")
            return None if alarm is None else alarm == "1"
    return None


def clock_certain(root: Path = ROOT) -> bool:
    """Whether the date can be right: a clock with a battery, or systemd-timesyncd has set it from the network."""
    synchronised = root / "run/systemd/timesync/synchronized"
    return synchronised.exists() or any(root.glob("sys/class/rtc/rtc*"))


def model(root: Path = ROOT) -> str | None:
    """The name of the board, as `Raspberry Pi 4 Model B Rev 1.5`."""
    text = _read(root / "proc/device-tree/model")
    return text.rstrip("\0") if text else None


def _read(file: Path) -> str | None:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return None
