"""Sette e mezzo of a recording: its buttons come from a script, or from the truth of a rendered table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.cards import Card
from engine.rules import RuleSet
from engine.sette_moves import Draw, Move, Reveal, Stake, Stand, Swap
from engine.sette_round import Round, apply, new_round
from firmware.button_script import Press
from firmware.events import AnyEvent
from firmware.sette_table import SetteTable
from firmware.sette_ui import second_offered
from vision.observation import TableObservation


class Scripted:
    """A table of Sette e mezzo whose buttons are pressed as a script says: each after its frame was seen."""

    def __init__(self, table: SetteTable, presses: Sequence[Press], fps: float) -> None:
        self.table, self._fps = table, fps
        self._left = list(presses)

    def observe(self, observation: TableObservation) -> list[AnyEvent]:
        """What was pressed before this frame, then the frame."""
        told: list[AnyEvent] = []
        while self._left and self._left[0].frame < observation.frame:
            for gesture in self._left.pop(0).gestures(self._fps):
                told += self.table.press(gesture) or ()
        return [*told, *self.table.observe(observation)]


def presses(truth: Mapping[str, Any], rules: RuleSet) -> Iterator[Press]:
    """What the people of a rendered table press: stakes, "sto", what was declared, the payment, a shuffle."""
    staked: dict[int, int] = {}
    for entry in truth["rounds"]:
        if entry["shuffled"] is not None:
            yield Press(entry["shuffled"], "plus")
        state = new_round(rules, entry["bank"], entry["chips"], [Card.parse(name) for name in entry["covered"]])
        heard: set[int] = set()
        for said, after in zip(entry["moves"], [*entry["moves"][1:], None], strict=True):
            move = move_of(said)
            state = apply(state, move)
            if isinstance(move, Stake):
                yield from _stake(state, move, said["landed"], staked)
            elif isinstance(move, Stand) and move.bet == 0:
                yield Press(said["landed"], "ok")
            elif isinstance(move, Reveal) and move.player not in heard and _declares(state, move.player):
                heard.add(move.player)
                yield Press(after["first_frame"] - 1 if after else entry["paid"], "ok")
        yield Press(entry["paid"], "ok")


def _stake(state: Round, move: Stake, frame: int, staked: dict[int, int]) -> Iterator[Press]:
    """From the stake that is offered to the one that is said; of a double bet the second begins as the first."""
    rules, player = state.rules, move.player
    most = min(rules.max_stake, state.chips[player])
    shown = min(max(staked.get(player, rules.min_stake), rules.min_stake), most)
    for place, amount in enumerate(move.amounts):
        if place:
            yield Press(frame, "ok", "hold")
            shown = second_offered(rules, state.chips[player], move.amounts[0])
        if amount != shown:
            yield Press(frame, "plus" if amount > shown else "minus", times=abs(amount - shown))
    yield Press(frame, "ok")
    staked[player] = move.amounts[0]


def _declares(state: Round, player: int) -> bool:
    """Whether a card turned up on a player's turn ends it: bust, d'emblée or triplè."""
    bets = state.bets(player)
    worths = [state.worth(place) for place in bets if place.up]
    finished = any(worth is not None and worth.finished for worth in worths)
    return player != state.bank and finished and not all(place.stood for place in bets)


def move_of(said: Mapping[str, Any]) -> Move:
    """A move as the truth of a rendered table has it."""
    player = int(said["player"])
    match said["move"]:
        case "stake":
            return Stake(player, tuple(said["amounts"]))
        case "draw":
            return Draw(player, Card.parse(said["card"]), said["bet"])
        case "swap":
            return Swap(player, Card.parse(said["card"]), Card.parse(said["covered"]))
        case "stand":
            return Stand(player, said["bet"])
    return Reveal(player, Card.parse(said["card"]))
