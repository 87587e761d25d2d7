"""Switching the box off, as the policy of the installation permits."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Final

from firmware.errors import FirmwareError

POWER_OFF: Final = ("systemctl", "--no-ask-password", "poweroff")


def switch_off(command: Sequence[str] = POWER_OFF, limit: float = 10.0) -> None:
    """Ask the system to switch off, waiting at most `limit` seconds. Raises `FirmwareError` when it refuses."""
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=limit, text=True)
    except FileNotFoundError as error:
        raise FirmwareError(f"expected {command[0]} to switch off with, got: {error}") from error
    except subprocess.CalledProcessError as error:
        raise FirmwareError(f"expected the system to switch off, got: {error.stderr.strip()}") from error
    except subprocess.TimeoutExpired as error:
        raise FirmwareError(f"expected the system to switch off, got no answer in {limit} s") from error
