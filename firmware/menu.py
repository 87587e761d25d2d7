"""The menus: lists, pages to edit, and what leads from one to another. Pure: gestures in, pages and wishes out.

NO leads back and OK on; − and + move or change. Every list opens at the line that is usually wanted, every edited page
at the values in force, and nothing is kept before OK.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from firmware.actions import Action, ActionName
from firmware.choices import Choices
from firmware.menu_fields import Known, changed, fields_of, value_of, values_of
from hardware.gestures import Gesture


@dataclass(frozen=True, slots=True)
class Listing:
    """A list and the place of its cursor."""

    name: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class Editing:
    """A page of fields being changed: the choices as they would become, and which field − and + change."""

    name: str
    draft: Choices
    place: int = 0


@dataclass(frozen=True, slots=True)
class Showing:
    """A page to look at or to answer; `place` is what − and + turn over."""

    name: str
    place: int = 0


Page = Listing | Editing | Showing
Answer = tuple["Menu", tuple[Action, ...]]

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "home": ("new", "resume", "by_hand", "history", "settings", "off"),
    "setup": ("game", "deck", "players", "rules", "tone", "go"),
    "pause": ("go_on", "claim", "correct", "leave", "settings", "off"),
    "settings": ("sound", "language", "learn", "calibrate", "selftest", "backup"),
}
"""The lists, each with at most six lines, so that all of it is seen. `home` is shown when no match runs."""

OPENS_AT: Final = {"setup": "go"}
"""The line at which a list opens, if it is not its first: `go` takes over all that was chosen last."""

EDITED: Final = frozenset({"game", "deck", "players", "rules", "tone", "sound", "language"})
WISHES: Final[dict[str, ActionName]] = {"learn": "learn", "calibrate": "calibrate", "selftest": "selftest"}


@dataclass(frozen=True, slots=True)
class Menu:
    """Where people are in the menus. Without `pages` the table has the display, or `home` when no match runs."""

    choices: Choices
    pages: tuple[Page, ...] = ()

    @property
    def page(self) -> Page | None:
        """The page in front."""
        return self.pages[-1] if self.pages else None

    def open(self, page: Page) -> Menu:
        """One page more."""
        return replace(self, pages=(*self.pages, page))

    def turn(self, page: Page) -> Menu:
        """Another page in place of the one in front."""
        return replace(self, pages=(*self.pages[:-1], page))

    def back(self) -> Menu:
        """The page before, or out of the menus."""
        return replace(self, pages=self.pages[:-1])

    def close(self) -> Menu:
        """Out of the menus."""
        return replace(self, pages=())


def listing(name: str) -> Listing:
    """A list, opened where it is usually wanted."""
    return Listing(name, LISTS[name].index(OPENS_AT.get(name, LISTS[name][0])))


def press_listing(menu: Menu, page: Listing, gesture: Gesture) -> Answer:
    """A gesture on a list."""
    lines = LISTS[page.name]
    key = (gesture.button, gesture.kind)
    if key == ("no", "hold"):
        return menu.close(), ()
    if key == ("no", "press"):
        return menu.back(), ()
    if gesture.button in {"minus", "plus"}:
        step = 1 if gesture.button == "plus" else -1
        return menu.turn(replace(page, place=(page.place + step) % len(lines))), ()
    if key == ("ok", "press"):
        return _choose(menu, lines[page.place])
    return menu, ()


def _choose(menu: Menu, line: str) -> Answer:
    if line in EDITED:
        return menu.open(Editing(line, menu.choices)), ()
    if line in LISTS:
        return menu.open(listing(line)), ()
    if line == "new":
        return menu.open(listing("setup")), ()
    if line == "go":
        return menu.open(Editing("dealer", menu.choices)), ()
    if line == "go_on":
        return menu.close(), (Action("go_on"),)
    return menu.open(Showing(line)), tuple(Action(wish) for wish in [WISHES.get(line)] if wish)


def press_editing(menu: Menu, page: Editing, gesture: Gesture, known: Known) -> Answer:
    """A gesture on a page of fields: NO cancels, − and + change (held: five at a time), OK keeps all, held goes on."""
    fields = fields_of(page.name, page.draft)
    key = (gesture.button, gesture.kind)
    if key == ("no", "hold"):
        return menu.close(), ()
    if key == ("no", "press"):
        return menu.back(), ()
    if gesture.button in {"minus", "plus"}:
        step = (1 if gesture.button == "plus" else -1) * (5 if gesture.kind == "repeat" else 1)
        return menu.turn(replace(page, draft=_moved(page.draft, fields[page.place], step, known))), ()
    if key == ("ok", "hold"):
        return menu.turn(replace(page, place=(page.place + 1) % len(fields))), ()
    if key == ("ok", "press"):
        return _confirmed(menu, page)
    return menu, ()


def _moved(draft: Choices, field: str, step: int, known: Known) -> Choices:
    """The next value in this direction that the rules allow."""
    values = values_of(field, draft, known)
    place = values.index(value_of(field, draft))
    for more in range(len(values)):
        value = values[(place + step + (more if step > 0 else -more)) % len(values)]
        moved = changed(field, draft, value)
        if moved != draft or value == values[place]:
            return moved
    return draft


def _confirmed(menu: Menu, page: Editing) -> Answer:
    kept = replace(menu, choices=page.draft)
    keep = Action("keep", choices=page.draft)
    if page.name == "dealer":
        return kept.close(), (keep, Action("start", choices=page.draft))
    return kept.back(), (keep,)
