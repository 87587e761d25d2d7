"""Each side says how many cards it has won: the middle way between trusting the plays and fanning out the piles."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cards import DECK
from firmware.actions import Action
from firmware.menu import Answer, Menu, Sizes, press_fields, put
from firmware.view import View
from hardware.gestures import Gesture

_ALL: Final = len(DECK)


def sizes(view: View) -> tuple[int, ...] | None:
    """The cards in each pile of a hand whose points are certain; None while one is in no pile, or in one of several."""
    if view.ended is None or not view.ended.settled:
        return None
    counted = tuple(len(view.ended.piles[side]) for side in sorted(view.ended.piles, key=int))
    return counted if sum(counted) == _ALL else None


def press_sizes(menu: Menu, page: Sizes, gesture: Gesture, view: View | None) -> Answer:
    """A gesture while numbers are told, as on any page of fields; if they differ the piles are counted card by card."""
    return press_fields(
        menu,
        gesture,
        lambda step: replace(page, values=put(page.values, page.side, (page.values[page.side] + step) % (_ALL + 1))),
        replace(page, side=(page.side + 1) % len(page.values)),
        lambda: _told(menu.back(), page, view),
    )


def _told(menu: Menu, page: Sizes, view: View | None) -> Answer:
    if view is None or view.ended is None:
        return menu, ()
    agree = page.values == sizes(view)
    return menu.dismiss(f"end{view.hand - 1}"), () if agree else (Action("count"),)
