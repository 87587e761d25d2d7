"""Learning a deck under the camera, as the display leads through it or as `arbitro deck learn` does."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from engine.cards import DECK, Card
from firmware.decks import deck_names, deck_path
from firmware.menu_facts import Progress
from firmware.text import Words
from hardware.frame import Frame, Picture
from vision.deck import Deck, save_deck
from vision.enrol import Enrolment

log = logging.getLogger(__name__)


class Learning:
    """One deck being learnt at the table; what was learnt stays when the page is left and opened again."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._enrolment = Enrolment()
        self._failed = False

    def look(self, picture: Picture, now: float) -> tuple[bool, bool]:
        """One more frame: whether something moved, and whether a card was taken from it."""
        had_back = self._enrolment.back is not None
        cards = self._enrolment.update(picture, now)
        new_back = self._enrolment.back is not None and not had_back
        return self._enrolment.remark == "moving", bool(cards) or new_back

    def take(self) -> None:
        """What lies there is good enough."""
        self._enrolment.force()

    def skip(self) -> None:
        """The wanted card comes later."""
        self._enrolment.skip()

    def redo(self) -> None:
        """The last card once more."""
        self._enrolment.redo()

    def save(self, say: Words) -> str | None:
        """Keep the deck under a name of its own; that name, or None when it is not whole or cannot be written."""
        if self._enrolment.wanted is not None:
            return None
        name = _free_name(self._state, say)
        try:
            save_deck(self._enrolment.deck(name), deck_path(name, self._state))
        except OSError as error:
            log.error("the deck is not kept: %s", error)
            self._failed = True
            return None
        return name

    def shown(self, say: Words, where: str | None) -> Progress:
        """The page: which card is wanted, what the last look found; `where` the light is best."""
        enrolment = self._enrolment
        wanted = enrolment.wanted
        note = say(f"learn.{enrolment.remark}", card=say.card(enrolment.taken) if enrolment.taken else "")
        if self._failed:
            note = say("learn.failed")
        place = (say("learn.where", where=say(f"where.{where}")), "") if where else (say("learn.body"), "")
        return Progress(len(enrolment.faces), len(DECK), wanted, (place,), note)


def learn_from_frames(frames: Iterable[Frame], name: str, tell: Callable[[Enrolment, tuple[Card, ...]], None]) -> Deck:
    """Learn from frames in which the cards are laid down one after another, or ten at once, until all are there.

    `tell` hears of every change. Raises `DeckError` that names what is missing when the frames end before.
    """
    enrolment, before = Enrolment(), ""
    for frame in frames:
        taken = enrolment.update(frame.picture, frame.time)
        if taken or enrolment.remark != before:
            before = enrolment.remark
            tell(enrolment, taken)
        if enrolment.wanted is None:
            break
    return enrolment.deck(name)


def _free_name(state: Path, say: Words) -> str:
    taken, number = deck_names(state), 1
    while (name := f"{say('learn.name')} {number}") in taken:
        number += 1
    return name
