"""What a referee told, compared with the truth of a rendered match: what is right, and each miss in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from firmware.events import AnyEvent, Fault, Hand, Played, Settled, Undone

Truth = dict[str, Any]
LATE = 3
"""Frames after a violation was put back in which it may still be told."""


@dataclass
class Count:
    """Plays and faults of hands added up. `misses` says for each what was expected and what came."""

    hands: int = 0
    plays: int = 0
    right: int = 0
    open: int = 0
    wrong: int = 0
    untold: int = 0
    retracted: int = 0
    faults: int = 0
    named: int = 0
    alarms: int = 0
    points: int = 0
    late: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def add(self, name: str, truth: Truth, events: Iterable[AnyEvent]) -> None:
        """One match more."""
        told = list(events)
        self.hands += len(truth["hands"])
        self._plays(name, truth, told)
        self._faults(name, truth, told)
        ends = [event for event in told if isinstance(event, Hand)]
        true = [hand["total"] for hand in truth["hands"]]
        right = [end.settled and dict(end.total) == total for end, total in zip(ends, true, strict=False)]
        self.points += sum(right)
        if sum(right) < len(true):
            self.misses.append(f"{name}: points {[dict(end.total) for end in ends]} instead of {true}")

    def _plays(self, name: str, truth: Truth, told: list[AnyEvent]) -> None:
        plays: dict[int, Played] = {}
        for event in told:
            if isinstance(event, Played):
                plays[event.n] = event
            elif isinstance(event, Undone):
                gone = plays.pop(event.n)
                if not any(first <= gone.frame <= last for first, last in _taken_back(truth)):
                    self.retracted += 1
                    self.misses.append(f"{name}: {gone} retracted at {event.frame}")
        later = {event.n: event.card for event in told if isinstance(event, Settled)}
        self.plays += len(truth["plays"])
        for n, true in enumerate(truth["plays"], 1):
            got = plays.get(n)
            if got is None:
                self.untold += len(truth["plays"]) - n + 1
                self.misses.append(f"{name}: from play {n}, frame {true['landed']}, nothing told: {_words(true)}")
                return
            card = got.card or later.get(n)
            same = (got.player, sorted(got.takes)) == (true["player"], sorted(true["takes"]))
            if not same or card not in (None, true["card"]) or (card is None and true["card"] not in got.options):
                self.wrong += 1
                self.untold += len(truth["plays"]) - n
                self.misses.append(f"{name}: play {n} WRONG at {got.frame}: {_words(true)}, told {got}")
                return
            self.right += card is not None
            self.open += card is None
            self.late.append((got.frame - true["landed"]) / truth["fps"])
            if card is None:
                self.misses.append(
                    f"{name}: play {n} open at {got.frame}: {_words(true)}, one of {' '.join(got.options)}"
                )

    def _faults(self, name: str, truth: Truth, told: list[AnyEvent]) -> None:
        alarms = [event for event in told if isinstance(event, Fault)]
        for true in (fault for fault in truth["faults"] if fault["kind"] == "violation"):
            self.faults += 1
            found = next((one for one in alarms if true["frame"] <= one.frame <= true["until"] + LATE), None)
            wanted = (true["rule"], true["card"], sorted(true["takes"]))
            if found is not None:
                alarms.remove(found)
            if found is not None and (found.rule, found.card, sorted(found.takes)) == wanted:
                self.named += 1
            else:
                self.misses.append(f"{name}: fault {wanted} at {true['at_rest']} to {true['until']}: told {found}")
        self.alarms += len(alarms)
        self.misses += [f"{name}: false alarm {alarm}" for alarm in alarms]


def _taken_back(truth: Truth) -> list[tuple[int, int]]:
    """The frames in which a card is laid that goes back into the hand: what was told of it is rightly annulled."""
    found = [(fault["frame"], fault["until"]) for fault in truth["faults"] if fault["kind"] == "violation"]
    minds = [fault["frame"] for fault in truth["faults"] if fault.get("what") == "mind"]
    first = [play["first_frame"] for play in truth["plays"]]
    found += [(begun, min(frame for frame in first if frame > begun)) for begun in minds]
    return found


def _words(play: Truth) -> str:
    return f"player {play['player']} {play['card']} takes {' '.join(play['takes']) or 'nothing'}"
