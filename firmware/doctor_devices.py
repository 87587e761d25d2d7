"""The checks of what is wired to the box: camera, display, buttons, buzzer; and of the deck."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from firmware.config import Config
from firmware.decks import open_deck
from firmware.doctor import Finding
from firmware.errors import UsageError
from firmware.wiring import bus_node, wiring_of
from hardware.buttons import Buttons
from hardware.buzzer import Buzzer
from hardware.errors import CameraBusyError, CameraError, HardwareError, MissingLibraryError
from hardware.live import CameraDevice
from hardware.panel import open_panel
from hardware.pins import I2C_PINS, SPI_PINS, check_pins
from vision.calibrate import calibrate, colour_order
from vision.deck import Deck
from vision.deck_check import check_deck
from vision.detect import read
from vision.errors import DeckError
from vision.observation import PictureReading

FRAMES: Final = 12
SETTLING: Final = 150
SLOW: Final = 4.0
"""Frames a second below which plays are missed."""


def check_camera(
    open_device: Callable[[], CameraDevice], deck: Deck | None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """Rate, focus, colours, reflections and light, by a dozen frames of what lies there now."""
    try:
        device = open_device()
        try:
            picture = _first_picture(device)
            began = clock()
            for _ in range(FRAMES):
                device.read()
            seconds = clock() - began
        finally:
            device.close()
    except MissingLibraryError as error:
        yield Finding("camera", "fault", "", "C01", str(error))
    except CameraBusyError as error:
        yield Finding("camera", "fault", "", "C02", str(error))
    except (HardwareError, OSError) as error:
        yield Finding("camera", "fault", "", "C03", str(error))
    else:
        rate = FRAMES / max(seconds, 1e-6)
        slow = rate < SLOW
        yield Finding("camera", "fault" if slow else "ok", f"{rate:.0f} fps", "C04" if slow else None)
        yield _colours(picture, deck)
        yield from judge_picture(picture, read(picture, deck) if deck else None)


def _first_picture(device: CameraDevice) -> Any:
    """The first that is fit to be judged. Raises `CameraError` when light and lens do not settle."""
    for _ in range(SETTLING):
        shot = device.read()
        if shot.picture is not None:
            return shot.picture
    raise CameraError(f"expected light and lens to settle within {SETTLING} frames")


def judge_picture(picture: Any, reading: PictureReading | None) -> Iterator[Finding]:
    """Focus, reflections and light of one picture; `reading` is what lies on it."""
    found = calibrate(picture, reading)
    focus = found.focus
    if focus is None:
        yield Finding("focus", "ok", "-", detail="nothing with edges lies there: lay a card down")
    else:
        yield Finding("focus", *(("fault", f"{focus}/100", "C05") if focus < 50 else ("ok", f"{focus}/100")))
    spots = len(found.reflections)
    yield Finding("reflections", "warning" if spots else "ok", str(spots), "C07" if spots else None)
    bad = found.light.verdict != "good"
    detail = f"{found.light.verdict}: middle {found.light.middle:.0f}, evenness {found.light.evenness:.2f}"
    yield Finding("light", "warning" if bad else "ok", f"{found.light.middle:.0f}", "C08" if bad else None, detail)


def _colours(picture: Any, deck: Deck | None) -> Finding:
    order = colour_order(picture, deck) if deck else "unknown"
    if order == "unknown":
        return Finding("colours", "ok", "-", detail="no card of the deck in view to tell by")
    return Finding("colours", *(("fault", "B>R", "C06") if order == "swapped" else ("ok", "R>B")))


def border_pattern() -> Image.Image:
    """A border of one dot, two columns beside it and a diagonal: a panel with another chip shows it shifted or torn."""
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.line((3, 3, 3, 60), fill=1)
    draw.line((124, 3, 124, 60), fill=1)
    draw.line((8, 8, 119, 55), fill=1)
    return picture


def check_display(
    config: Config, factory: Any, opener: Callable[..., Any] = open_panel, dev: Path = Path("/dev")
) -> Finding:
    """Bus, permission and answer, each with its own code; then the test pattern stays on the panel."""
    display = config.display
    node = bus_node(display, dev)
    if node is None:
        return Finding("display", "ok", "-", detail="the settings say that there is none")
    try:
        panel = opener(display.driver, wiring_of(display), factory)
        panel.display(border_pattern())
        panel.cleanup()
    except (HardwareError, OSError) as error:
        return Finding("display", "fault", "", _display_code(error, node), str(error))
    return Finding("display", "ok", display.driver, detail="look at it: the border must be whole, and one dot wide")


def _display_code(error: Exception, node: Path) -> str:
    if isinstance(error, MissingLibraryError):
        return "D04"
    if not node.exists():
        return "D02"
    return "D01" if os.access(node, os.R_OK | os.W_OK) else "D03"


def check_pin_table(config: Config) -> Finding | None:
    """No pin serves two parts. None when all is well."""
    buttons = {name: getattr(config.buttons, name) for name in ("no", "minus", "plus", "ok")}
    shown = config.display
    bus = I2C_PINS if shown.bus == "i2c" else {**SPI_PINS, "D/C": shown.data_command, "reset": shown.reset}
    try:
        check_pins({**buttons, "buzzer": config.buzzer.pin, **(bus if shown.driver != "none" else {})})
    except HardwareError as error:
        return Finding("buttons", "fault", "", "B02", str(error))
    return None


def check_buttons(
    config: Config,
    factory: Any,
    press: float = 0.0,
    pause: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Finding:
    """The pins can be read and no button is down; with `press` seconds each must also be pressed once in that time."""
    names = ("no", "minus", "plus", "ok")
    try:
        buttons = Buttons(factory, {name: getattr(config.buttons, name) for name in names}, clock=clock)
    except HardwareError as error:
        return Finding("buttons", "fault", "", "B02", str(error))
    try:
        for _ in range(3):  # longer than a bounce
            buttons.poll()
            pause(0.05)
        buttons.poll()
        if (held := buttons.held()) is not None:
            return Finding("buttons", "fault", held[0], "B03")
        missing = _not_pressed(buttons, names, press, pause) if press else ()
    finally:
        buttons.close()
    if missing:
        return Finding("buttons", "fault", " ".join(missing), "B04")
    return Finding("buttons", "ok", str(len(names)))


def _not_pressed(
    buttons: Buttons, names: tuple[str, ...], seconds: float, pause: Callable[[float], object]
) -> tuple[str, ...]:
    pressed: set[str] = set()
    for _ in range(round(seconds / 0.05)):
        pressed |= {gesture.button for gesture in buttons.poll()}
        if pressed >= set(names):
            break
        pause(0.05)
    return tuple(name for name in names if name not in pressed)


def check_buzzer(config: Config, factory: Any) -> Finding:
    """The pin can be driven; a click is heard."""
    try:
        buzzer = Buzzer(factory, config.buzzer.pin)
    except HardwareError as error:
        return Finding("buzzer", "fault", "", "S01", str(error))
    buzzer.play("click")
    buzzer.close()
    return Finding("buzzer", "ok", detail="listen: it clicked")


def check_learnt_deck(name: str, state: Path) -> tuple[Finding, Deck | None]:
    """The deck of the settings is learnt, and its faces are clear and unlike enough."""
    try:
        deck = open_deck(name, state)
    except (DeckError, UsageError, OSError) as error:
        return Finding("deck", "fault", "", "M01", str(error)), None
    faults = check_deck(deck)
    if faults:
        return Finding(
            "deck", "warning", name, "M02", ", ".join(f"{fault.card} {fault.what}" for fault in faults)
        ), deck
    return Finding("deck", "ok", name), deck
