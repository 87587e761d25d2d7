"""Opens the devices that the settings name. What is missing beside the camera is told, and done without."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

from firmware.app import Parts
from firmware.config import Config
from firmware.wiring import bus_node, camera_opener, wiring_of
from hardware.buttons import Buttons
from hardware.buzzer import Buzzer
from hardware.display import BackgroundDisplay, Display
from hardware.errors import CameraError, HardwareError
from hardware.gestures import GestureTimes
from hardware.live import LiveCamera
from hardware.panel import COLOURED, open_panel, size_of
from hardware.pins import pin_factory

log = logging.getLogger(__name__)
Part = TypeVar("Part")


@contextmanager
def opened(config: Config, factory: Any = None) -> Iterator[Parts]:
    """The parts while the block runs. `factory` is a gpiozero pin factory, by default that of the Pi.

    Raises `CameraError` for a source that is no live camera.
    """
    opener = camera_opener(config)
    if opener is None:
        raise CameraError(f"expected camera.source to be camera or usb:0, got {config.camera.source!r}")
    missing = _absent(config)
    with ExitStack() as stack:
        camera = LiveCamera(opener, max_age=config.camera.age, stall=config.camera.stalled)
        stack.callback(camera.close)
        pins = factory or _without("pins", pin_factory, missing)
        if pins is None:
            on_pins = ("buttons", "buzzer", *(["display"] if config.display.bus == "spi" else []))
            missing |= dict.fromkeys(on_pins, missing.pop("pins"))
        display = _display(config, pins)
        if display:
            stack.callback(display.close)
        buttons = _without("buttons", lambda: _buttons(config, pins), missing) if pins else None
        if buttons:
            stack.callback(buttons.close)
        buzzer = _without("buzzer", lambda: Buzzer(pins, config.buzzer.pin), missing) if pins else None
        if buzzer:
            stack.callback(buzzer.close)
        if missing:
            log.warning("going on without %s", "; ".join(f"{part} ({why})" for part, why in missing.items()))
        driver = config.display.driver
        yield Parts(camera, display, buttons, buzzer, size_of(driver), driver in COLOURED)


def _absent(config: Config) -> dict[str, str]:
    """What is known to be absent before anything is opened; it may still come, so it is tried again and again."""
    absent = {}
    if config.camera.source == "camera" and find_spec("picamera2") is None:
        absent["camera"] = "the library picamera2 is not installed"
    node = bus_node(config.display)
    if node is not None and not node.exists():
        absent["display"] = f"no {node}"
    return absent


def _without(what: str, opening: Callable[[], Part], missing: dict[str, str]) -> Part | None:
    try:
        return opening()
    except HardwareError as error:
        missing[what] = str(error)
        return None


def _display(config: Config, factory: Any) -> BackgroundDisplay | None:
    shown, driver = config.display, config.display.driver
    if driver == "none":
        return None
    size = size_of(driver)
    return BackgroundDisplay(Display(lambda: open_panel(driver, wiring_of(shown), factory), size=size))


def _buttons(config: Config, factory: Any) -> Buttons:
    wired = config.buttons
    pins = {"no": wired.no, "minus": wired.minus, "plus": wired.plus, "ok": wired.ok}
    return Buttons(factory, pins, GestureTimes(hold=wired.hold))
