"""Where the settings say that camera and panel are, in the terms of `hardware`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firmware.config import Config, Display
from hardware.camera import device_opener
from hardware.live import CameraDevice
from hardware.panel import Wiring


def camera_opener(config: Config) -> Callable[[], CameraDevice] | None:
    """What opens the camera of the settings, or None when they name a recording. Raises `CameraError`."""
    camera = config.camera
    return device_opener(camera.source, (camera.width, camera.height), camera.fps, camera.buffers)


def wiring_of(display: Display) -> Wiring:
    """Where the panel of the settings is."""
    return Wiring(
        bus=display.bus,
        address=display.address,
        data_command=display.data_command,
        reset=display.reset,
        rotate=display.rotate,
    )


def bus_node(display: Display, dev: Path = Path("/dev")) -> Path | None:
    """The device file of the panel's bus, or None when the settings say that there is no panel."""
    if display.driver == "none":
        return None
    return dev / ("i2c-1" if display.bus == "i2c" else "spidev0.0")
