"""Calibration as the box shows and keeps it: one line a finding, and the last one in the store."""

from __future__ import annotations

from typing import Final

import msgspec

from firmware.errors import StoreError
from firmware.menu_facts import Progress
from firmware.store import Store
from firmware.text import Words
from vision.calibrate import SMALLEST_CARD, Calibration

NAME: Final = "calibration"


def shown(say: Words, found: Calibration) -> Progress:
    """The page of a calibration; what is wrong stands in words in place of its figure."""
    focus = "-" if found.focus is None else f"{found.focus}/100"
    if found.focus is not None and found.focus < 50:
        focus = say("calibrate.soft")
    card = "-" if found.card_width is None else f"{found.card_width:.0f} px"
    if found.card_width is not None and found.card_width < SMALLEST_CARD:
        card = say("calibrate.small")
    spots = min(len(found.reflections), 99)
    lines = (
        (f"{say('calibrate.corners')} {sum(found.corners)}/4", f"{say('calibrate.reflections')} {spots}"),
        (say("calibrate.light"), say(f"calibrate.light.{found.light.verdict}")),
        (say("calibrate.focus"), focus),
        (say("calibrate.card"), card),
        (say("calibrate.box"), say(f"where.{place}") if (place := best_place(found)) else "-"),
    )
    return Progress(lines=lines, note=say("calibrate.good" if found.good else "calibrate.poor"))


def ninth(x: float, y: float) -> str:
    """The ninth of the view, as in the texts `where.*`; `x`, `y` are shares of its width and height."""
    down = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    return "_".join(part for part in (down, across) if part) or "centre"


def best_place(found: Calibration | None) -> str | None:
    """The ninth of the view where a card is read best, None while that is not known."""
    if found is None or found.read_box is None:
        return None
    left, top, width, height = found.read_box
    return ninth((left + width / 2) / found.width, (top + height / 2) / found.height)


def keep(store: Store, found: Calibration) -> None:
    """Make it the one in force. Raises `StoreError`."""
    store.keep(NAME, found)


def kept(store: Store) -> Calibration | None:
    """The one in force, or None before the first. Raises `StoreError` for one that cannot be read."""
    stored = store.setting(NAME)
    if stored is None:
        return None
    try:
        return msgspec.json.decode(stored, type=Calibration)
    except msgspec.DecodeError as error:
        raise StoreError(f"expected a calibration as this version keeps it, got: {error}") from error
