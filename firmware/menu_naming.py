"""A name spelt with four buttons: − and + change the last letter, OK held goes to the next one, OK keeps the name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware.menu import Answer, Editing, Menu, Naming, step_of
from hardware.gestures import Gesture

LETTERS: Final = " ABCDEFGHIJKLMNOPQRSTUVWXYZÀÈÉÌÒÙ'0123456789"
"""In the order of +; the blank is for a letter too many, and for names of two words."""
LONGEST: Final = 10


def press_naming(menu: Menu, page: Naming, gesture: Gesture) -> Answer:
    """A gesture while a name is spelt: NO gives it up, and the seat keeps its own name."""
    match gesture.button, gesture.kind:
        case "no", "hold":
            return menu.close(), ()
        case "no", "press":
            return _named(menu, page, ""), ()
        case (("minus" | "plus"), _):
            place = (LETTERS.index(page.letters[-1]) + step_of(gesture)) % len(LETTERS)
            return menu.turn(replace(page, letters=page.letters[:-1] + LETTERS[place])), ()
        case "ok", "hold" if len(page.letters) < LONGEST:
            return menu.turn(replace(page, letters=page.letters + "A")), ()
        case "ok", "press":
            return _named(menu, page, page.letters.strip()), ()
    return menu, ()


def _named(menu: Menu, page: Naming, name: str) -> Menu:
    """Back to the page of the players; a name that is somebody else's already is none."""
    others = [other for seat, other in enumerate(page.draft.names) if seat != page.seat]
    draft = page.draft.with_name(page.seat, "" if name in others else name)
    return menu.turn(Editing("players", draft, page.seat))
