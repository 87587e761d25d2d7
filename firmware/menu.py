"""The menus: lists, pages to edit, and what leads from one to another. Pure: gestures in, pages and wishes out.

NO leads back and OK on; − and + move or change. Every list opens at the line that is usually wanted, every edited page
at the values in force, and nothing is kept before OK.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.cards import Card
from firmware.actions import Action, ActionName
from firmware.choices import Choices
from firmware.menu_facts import Facts
from firmware.menu_fields import NEW, Known, changed, fields_of, value_of, values_of
from hardware.gestures import Gesture


@dataclass(frozen=True, slots=True)
class Listing:
    """A list with its cursor `at` one of its lines."""

    name: str
    at: str


@dataclass(frozen=True, slots=True)
class Editing:
    """A page of fields being changed: the choices as they would become, and which field − and + change."""

    name: str
    draft: Choices
    place: int = 0


@dataclass(frozen=True, slots=True)
class Naming:
    """The name of the player at a `seat` being spelt; the last of the `letters` is the one that − and + change."""

    draft: Choices
    seat: int
    letters: str = "A"


@dataclass(frozen=True, slots=True)
class Numbers:
    """The points of a hand being told: a number for each entry, and which one − and + change.

    `hand` is the number of a finished hand whose points are corrected.
    """

    entries: tuple[str, ...]
    values: tuple[int, ...]
    place: int = 0
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many cards each side has counted in its pile, and the `side` whose number − and + change."""

    values: tuple[int, ...]
    side: int = 0


@dataclass(frozen=True, slots=True)
class Picking:
    """Any of the cards being picked, by rank and suit; then, for a play typed in, what it `takes`.

    `n` is the play whose card is asked, None for a play typed in; `misread` is one in place of a fault, `accepts` the
    card of a fault that nobody saw and that all agree to.
    """

    card: Card
    n: int | None = None
    by_suit: bool = False
    misread: bool = False
    accepts: bool = False
    takes: frozenset[Card] | None = None


@dataclass(frozen=True, slots=True)
class Showing:
    """A page to look at or to answer; `place` is what − and + turn over."""

    name: str
    place: int = 0


Page = Listing | Editing | Naming | Numbers | Sizes | Picking | Showing
Answer = tuple["Menu", tuple[Action, ...]]
ListName = Literal["home", "setup", "pause", "settings"]

AFTER_HAND: Final = ("score", "tie", "undecided")
"""Pages after a hand that are answered; before them comes `end`."""

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "home": ("new", "resume", "by_hand", "history", "settings", "off"),
    "setup": ("game", "deck", "players", "rules", "tone", "go"),
    "pause": ("go_on", "knock", "claim", "correct", "leave", "settings", "off"),
    "settings": ("sound", "language", "learn", "calibrate", "selftest", "backup"),
}
"""The lists. `home` is shown when no match runs."""
MOST_LINES: Final = 6
"""So many lines of a list are seen at once; the settings make room where there would be more."""

OPENS_AT: Final = {"setup": "go"}
"""The line at which a list opens, if it is not its first: `go` takes over all that was chosen last."""

EDITED: Final = frozenset({"game", "deck", "players", "rules", "tone", "sound", "language", "by_hand"})
TASKS: Final[dict[str, ActionName]] = {
    "learn": "learn",
    "calibrate": "calibrate",
    "selftest": "selftest",
    "backup": "backup",
}
"""Lines that begin a task of the box; they are there only if it is able to do it."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Where people are in the menus. Without `pages` the table has the display, or `home` when no match runs.

    `dismissed` are pages of the match that were answered by "not now", `sheet` which part of a score is shown.
    """

    choices: Choices
    pages: tuple[Page, ...] = ()
    dismissed: frozenset[str] = frozenset()
    sheet: int = 0

    @property
    def page(self) -> Page | None:
        """The page in front."""
        return self.pages[-1] if self.pages else None

    @property
    def paused(self) -> bool:
        """Whether people are in the list that stops the match, or in a page opened from it."""
        return any(isinstance(page, Listing) and page.name == "pause" for page in self.pages)

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

    def dismiss(self, what: str) -> Menu:
        """Not now."""
        return replace(self, dismissed=self.dismissed | {what}, sheet=0)

    def after_hands(self, count: int, *, score_again: bool) -> Menu:
        """With the answers to the pages after so many finished hands only; `score_again`: the last score is new."""
        again = AFTER_HAND if score_again else ()
        kept = {f"{page}{hand}" for page in ("end", *AFTER_HAND) for hand in range(1, count + 1)}
        return replace(self, dismissed=self.dismissed & (kept - {f"{page}{count}" for page in again}), sheet=0)


def listing(name: str) -> Listing:
    """A list, opened where it is usually wanted."""
    return Listing(name, OPENS_AT.get(name, LISTS[name][0]))


def lines(name: str, facts: Facts) -> tuple[str, ...]:
    """The lines of a list that can do something now."""
    absent = {task for task in TASKS if task not in facts.able}
    absent |= set() if facts.suspended else {"resume"}
    absent |= set() if facts.history else {"history"}
    absent |= set() if facts.hands else {"correct"}
    absent |= set() if facts.view and facts.rules and facts.rules.end == "declared" else {"claim"}
    absent |= set() if facts.knockers else {"knock"}
    present = [line for line in LISTS[name] if line not in absent]
    return tuple(line for line in present if len(present) <= MOST_LINES or line != "settings")


def press_listing(menu: Menu, page: Listing, gesture: Gesture, facts: Facts) -> Answer:
    """A gesture on a list."""
    shown = lines(page.name, facts)
    place = shown.index(page.at) if page.at in shown else 0
    match gesture.button, gesture.kind:
        case "no", "hold":
            return menu.close(), ()
        case "no", "press":
            return menu.back(), ()
        case ("minus" | "plus") as button, _:
            step = 1 if button == "plus" else -1
            return menu.turn(Listing(page.name, shown[(place + step) % len(shown)])), ()
        case "ok", "press":
            return _choose(menu, shown[place])
    return menu, ()


def _choose(menu: Menu, line: str) -> Answer:
    if line in EDITED:
        return menu.open(Editing(line, menu.choices)), ()
    if line == "new":
        return menu.open(listing("setup")), ()
    if line == "go" and menu.choices.ruleset().game == "sette_e_mezzo":
        return _confirmed(menu, Editing("dealer", menu.choices))  # the cards say who has the first bank
    if line == "go":
        return menu.open(Editing("dealer", menu.choices)), ()
    if line in LISTS:
        return menu.open(listing(line)), ()
    if line == "go_on":
        return menu.close(), ()
    if line == "resume":
        return replace(menu, pages=(), dismissed=menu.dismissed - {"resume"}), ()
    return menu.open(Showing(line)), tuple(Action(TASKS[task]) for task in TASKS if task == line)


def press_editing(menu: Menu, page: Editing, gesture: Gesture, known: Known) -> Answer:
    """A gesture on a page of fields: NO cancels, − and + change (held: five at a time), OK keeps all, held goes on."""
    fields = fields_of(page.name, page.draft)
    return press_fields(
        menu,
        gesture,
        lambda step: replace(page, draft=_moved(page.draft, fields[page.place], step, known)),
        replace(page, place=(page.place + 1) % len(fields)),
        lambda: _confirmed(menu, page),
    )


def press_fields(
    menu: Menu, gesture: Gesture, moved: Callable[[int], Page], onward: Page, kept: Callable[[], Answer]
) -> Answer:
    """A gesture on any page of fields. `moved` is the page with its field so many steps on, `onward` at the next field,
    `kept` what OK does.
    """
    match gesture.button, gesture.kind:
        case "no", "hold":
            return menu.close(), ()
        case "no", "press":
            return menu.back(), ()
        case (("minus" | "plus"), _):
            return menu.turn(moved(step_of(gesture))), ()
        case "ok", "hold":
            return menu.turn(onward), ()
        case "ok", "press":
            return kept()
    return menu, ()


def put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The numbers of a page with another one at this place."""
    return (*values[:place], value, *values[place + 1 :])


def step_of(gesture: Gesture) -> int:
    """How far a gesture of − or + goes: by one, held by five."""
    return (1 if gesture.button == "plus" else -1) * (5 if gesture.kind == "repeat" else 1)


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
    if page.name == "players" and NEW in page.draft.names:
        return menu.turn(Naming(page.draft, page.draft.names.index(NEW))), ()
    kept = replace(menu, choices=page.draft)
    keep = Action("keep", choices=page.draft)
    if page.name in {"dealer", "by_hand"}:
        begun = replace(kept, pages=(), dismissed=frozenset(), sheet=0)
        return begun, (keep, Action("start" if page.name == "dealer" else "by_hand", choices=page.draft))
    return kept.back(), (keep,)
