"""A game of Sette e mezzo on the box: its table with the buttons, every event on disk before it is shown."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Literal

from firmware.choices import Choices
from firmware.events import AnyEvent, Event, Paid, Start
from firmware.menu_facts import Suspended
from firmware.resume import rules_of
from firmware.screens_page import Screen
from firmware.sette_referee import SetteReferee
from firmware.sette_show import screen
from firmware.sette_table import SetteTable
from firmware.store import Store
from firmware.text import Words
from firmware.times import Times
from hardware.gestures import Gesture
from vision.observation import TableObservation

Wish = Literal["pause", "again", "end", "show"]
"""What a press asks of the box: the pause, another game, the end, or only that what is shown be shown again."""


def plays_sette(choices: Choices) -> bool:
    """Whether these choices are of Sette e mezzo."""
    return choices.ruleset().game == "sette_e_mezzo"


class SetteDesk:
    """One game: its `number` in the store. `tell` gets each event after it is on disk. Methods raise `StoreError`."""

    def __init__(self, store: Store, number: int, table: SetteTable, tell: Callable[[Event], None]) -> None:
        self.number, self.table = number, table
        self._store, self._tell = store, tell

    @property
    def alarm(self) -> bool:
        """Whether something is wrong that people must put right."""
        return self.table.referee.fault is not None

    def observe(self, observation: TableObservation) -> Sequence[AnyEvent]:
        """One look at the table; the events that it led to."""
        return self._commit(self.table.observe(observation))

    def press(self, gesture: Gesture) -> Wish | None:
        """What was done with the buttons, and what it asks of the box."""
        table = self.table
        if table.referee.won is not None and table.ui.page is None and table.stage == "over":
            wishes: dict[str, Wish] = {"ok": "again", "no": "end"}
            return wishes.get(gesture.button, "show")
        if (gesture.button, gesture.kind, table.stage) == ("no", "press", "seats"):
            self._store.leave(self.number)  # nothing was played yet: back to the choices
            return "end"
        if (gesture.button, gesture.kind) == ("ok", "hold") and table.pauses:
            return "pause"
        told = table.press(gesture)
        if told is None:
            return "show"
        self._commit(told)
        return None

    def screen(self, say: Words) -> Screen:
        """What people see now."""
        return screen(self.table, say)

    def leave(self) -> None:
        """The players end the game: with the chips as they are if a round was paid; a running one is void."""
        referee = self.table.referee
        if referee.won is not None:
            return
        if referee.record.rounds > (referee.round is not None):
            self._commit(referee.tell(referee.ended()))
        else:
            self._store.leave(self.number)

    def deal_again(self) -> None:
        """The running round is void and is dealt anew."""
        referee = self.table.referee
        if referee.round is not None:
            self._commit(referee.undo(referee.record.dealt))

    def _commit(self, told: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        self._store.append(self.number, told)
        for event in told:
            self._tell(event)
        return told


def referee_of(told: Sequence[AnyEvent], times: Times) -> SetteReferee:
    """The referee of a stored game, where its events end. Raises `StoreError` for events that are no game."""
    start = told[0]
    assert isinstance(start, Start), "the store begins every match with its start"
    return SetteReferee(rules_of(start), start.players, times, told)


def table_of(referee: SetteReferee) -> SetteTable:
    """Its table, with the box's own lot for the first bank."""
    return SetteTable(referee, secrets.randbelow)


def suspended_game(told: Sequence[AnyEvent], say: Words, times: Times) -> Suspended:
    """A stored game as people need to know it again. Raises `StoreError` for events that are no game."""
    referee = referee_of(told, times)
    record, state = referee.record, referee.round
    lying = tuple(sorted(state.shown)) if state is not None else ()
    rounds = max(1, record.rounds + any(isinstance(event, Paid) for event in told[-1:]))
    return Suspended(say("game.sette_e_mezzo"), 0, rounds, referee.players, record.session.chips, lying)
