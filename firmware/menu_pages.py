"""What the buttons mean on the pages that people open: to look at, to pick a card, to tell the points of a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.captures import captures
from engine.cards import DECK, Card
from firmware import screens_view
from firmware.actions import Action
from firmware.by_hand import entries, said_of, values
from firmware.events import Played
from firmware.menu import Answer, Menu, Numbers, Picking, Showing, press_fields, put
from firmware.menu_facts import Facts
from hardware.gestures import Gesture

OFF_AT: Final = 4
"""Gestures of OK held (the hold, then its repeats) after which the box is switched off: about two seconds."""

TASK_PAGES: Final = frozenset({"learn", "calibrate", "selftest", "backup"})


def press_showing(menu: Menu, page: Showing, gesture: Gesture, facts: Facts) -> Answer:
    """A gesture on a page to look at: NO leaves it, − and + turn it over, OK agrees."""
    if gesture.button == "no":
        return menu.back(), (Action("cancel"),) if page.name in TASK_PAGES else ()
    if page.name == "off":
        return _off(menu, page, gesture)
    if page.name == "leave" and gesture.button == "ok":  # what cannot be taken back needs two different gestures
        return (Menu(menu.choices), (Action("leave"),)) if gesture.kind == "hold" else (menu, ())
    if page.name == "backup" and page.place and gesture.button == "ok":  # as above
        wish = (Action("restore_copy", n=page.place - 1),) if gesture.kind == "hold" and facts.restorable else ()
        return (menu.turn(Showing("backup")) if wish else menu), wish
    if gesture.kind == "hold":
        return menu, ()
    if gesture.button in {"minus", "plus"}:
        return _turn_over(menu, page, gesture, facts)
    return _agree(menu, page, facts)


def _off(menu: Menu, page: Showing, gesture: Gesture) -> Answer:
    if gesture.button != "ok" or gesture.kind == "press":
        return menu.turn(replace(page, place=0)), ()
    held = 1 if gesture.kind == "hold" else page.place + 1
    return menu.turn(replace(page, place=held)), (Action("off"),) if held >= OFF_AT else ()


def _turn_over(menu: Menu, page: Showing, gesture: Gesture, facts: Facts) -> Answer:
    if page.name in TASK_PAGES:
        if page.name != "learn":
            return menu.turn(_other_copy(page, gesture, facts)) if page.name == "backup" else menu, ()
        return menu, (Action("skip" if gesture.button == "plus" else "redo"),)
    count = _count(page, facts)
    return menu.turn(replace(page, place=(page.place + (1 if gesture.button == "minus" else -1)) % count)), ()


def _other_copy(page: Showing, gesture: Gesture, facts: Facts) -> Showing:
    """Behind the copy just made are the older ones, which may be taken back."""
    step = 1 if gesture.button == "minus" else -1
    return replace(page, place=(page.place + step) % (len(facts.restorable) + 1))


def _count(page: Showing, facts: Facts) -> int:
    """How many there are to turn over; − goes to older ones."""
    counts = {"last": len(facts.plays), "history": len(facts.history), "correct": len(facts.hands)}
    counts |= {"dispute": len(facts.disputable) + running(facts), "knock": len(facts.knockers)}
    if page.name == "score" and facts.view and facts.rules:
        return screens_view.sheets(facts.view, facts.rules)
    if page.name == "claim" and facts.view:
        return len(facts.view.players)
    return max(1, counts.get(page.name, 1))


def running(facts: Facts) -> bool:
    """Whether a hand is running, which may be given up: it follows the oldest play of a dispute."""
    return facts.view is not None and facts.view.state is not None


def _agree(menu: Menu, page: Showing, facts: Facts) -> Answer:
    if page.name == "learn" and (facts.progress is None or facts.progress.done < facts.progress.total):
        return menu, (Action("take"),)
    if page.name in TASK_PAGES:
        return menu.back(), (Action("report" if page.name == "selftest" else "save"),)
    if page.name == "dispute" and running(facts) and page.place == len(facts.disputable):
        return menu.close(), (Action("redeal"),)
    if page.name == "dispute" and facts.disputable:
        contested = facts.disputable[-1 - page.place % len(facts.disputable)]
        undo = Action("undo", n=contested.n) if isinstance(contested, Played) else Action("undo_knock")
        return menu.close(), (undo,)
    if page.name == "knock" and facts.knockers:
        player, kind, points = facts.knockers[page.place % len(facts.knockers)]
        return menu.close(), (Action("knock", player=player, said=((kind, points),)),)
    if page.name == "claim":
        return menu.close().open(Showing("sure")), (Action("claim", player=page.place),)
    if page.name == "correct" and facts.hands and facts.rules:
        number = len(facts.hands) - page.place % len(facts.hands)
        said = said_of(facts.hands[number - 1], facts.rules)
        return menu.turn(Numbers(entries(facts.rules), said, hand=number)), ()
    if page.name == "restart":
        return menu.close().dismiss("resume"), (Action("restart_hand"),)
    return menu.back(), ()


def press_numbers(menu: Menu, page: Numbers, gesture: Gesture, facts: Facts) -> Answer:
    """A gesture while the points of a hand are told: as on any page of fields."""
    assert facts.rules is not None, "points are told in a match"
    count = len(values(page.entries[page.place], facts.rules))
    return press_fields(
        menu,
        gesture,
        lambda step: replace(page, values=put(page.values, page.place, (page.values[page.place] + step) % count)),
        replace(page, place=(page.place + 1) % len(page.entries)),
        lambda: _points(menu, page),
    )


def _points(menu: Menu, page: Numbers) -> Answer:
    said = tuple(zip(page.entries, page.values, strict=True))
    if page.hand is not None:
        return menu.close(), (Action("correct", n=page.hand, said=said),)
    return replace(menu.close(), dismissed=frozenset()), (Action("points", said=said),)


def press_picking(menu: Menu, page: Picking, gesture: Gesture, facts: Facts) -> Answer:
    """A gesture while a card is picked: − and + by rank or by suit, OK held changes between them."""
    match gesture.button, gesture.kind:
        case "no", "hold":
            return menu.close(), ()
        case "no", "press":
            return _not_picked(menu, page, facts)
        case "ok", "hold":
            return menu.turn(replace(page, by_suit=not page.by_suit)), ()
        case (("minus" | "plus"), _):
            return menu.turn(_moved(page, 1 if gesture.button == "plus" else -1, facts)), ()
        case "ok", "press":
            return _picked(menu, page, facts)
    return menu, ()


def _not_picked(menu: Menu, page: Picking, facts: Facts) -> Answer:
    """NO: back to the card from what it takes; a question that gets no card is put off, else NO would go in circles.

    So is one that waits behind a fault: whoever says NO wants to go on.
    """
    if page.takes is not None:
        return menu.turn(replace(page, takes=None)), ()
    if page.n is not None:
        return menu.back().dismiss(f"question{page.n}"), (Action("later", n=page.n),)
    if page.misread:
        asked = facts.view.question if facts.view else None
        return menu.back().dismiss(f"question{asked.n}" if asked else ""), (Action("misread"),)
    return menu.back(), ()


def _moved(page: Picking, step: int, facts: Facts) -> Picking:
    if page.takes is not None:
        ways = takings(page.card, facts)
        place = ways.index(page.takes) if page.takes in ways else 0
        return replace(page, takes=ways[(place + step) % len(ways)])
    possible = pickable(page, facts)
    suit, value = page.card.suit, page.card.value
    for more in range(1, 40):
        ahead = step * more
        card = Card((suit + ahead) % 4, value) if page.by_suit else Card(suit, (value - 1 + ahead) % 10 + 1)
        if card in possible:
            return replace(page, card=card)
    return page if page.by_suit else _other_suit(page, possible, step)


def _other_suit(page: Picking, possible: frozenset[Card], step: int) -> Picking:
    """No other card of this suit is left: the next one of any suit."""
    ordered = sorted(possible | {page.card})
    return replace(page, card=ordered[(ordered.index(page.card) + step) % len(ordered)])


def pickable(page: Picking, facts: Facts) -> frozenset[Card]:
    """The cards that the card asked for can be: none that certainly lies on the table or in a pile."""
    state = facts.view.state if facts.view else None
    if state is None:
        return frozenset(DECK)
    asked = facts.view.question if facts.view else None
    return state.unseen | (frozenset(asked.options) if asked and asked.n == page.n else frozenset())


def takings(card: Card, facts: Facts) -> tuple[frozenset[Card], ...]:
    """What a card may take from the table as it should lie; an empty set where it takes nothing."""
    state = facts.view.state if facts.view else None
    if state is None or facts.rules is None or card in state.table:
        return (frozenset(),)
    return captures(facts.rules, state.table, card) or (frozenset(),)


def _picked(menu: Menu, page: Picking, facts: Facts) -> Answer:
    if page.n is not None:
        return menu.close(), (Action("answer", n=page.n, card=page.card),)
    if page.accepts:
        return menu.close(), (Action("overrule", card=page.card),)
    ways = takings(page.card, facts)
    if page.takes is None and len(ways) > 1:
        return menu.turn(replace(page, takes=ways[0])), ()
    takes = page.takes if page.takes is not None else ways[0]
    return menu.close(), (Action("type", card=page.card, takes=tuple(sorted(takes))),)
