"""What a person meant with the buttons, out of bouncing levels: pure, time comes in.

A level counts only after it has stood still for the whole window, so spikes and bounces vanish however many there are
(a library's bounce time only goes deaf after the first edge: a single spike still counts there). A press acts on
release and only if it was not a hold. Nothing is concluded from an edge alone: a hold needs evidence that the button
was still down at its end, so that a lost edge or a disturbed wire never becomes a long press.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

SWITCH_OFF: Final = frozenset({"no", "ok"})
"""The two buttons that switch the box off when held together."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """One thing that was done. `button` is `no`, `minus`, `plus`, `ok`, or `no+ok` for the chord. `time` in seconds.

    `press`: down and up again (told at the up). `hold`: down for the hold time; nothing comes at its end.
    `repeat`: again and again after a `hold` while the button stays down. `chord`: both down for the chord time.
    """

    button: str
    kind: Literal["press", "hold", "repeat", "chord"]
    time: float


@dataclass(frozen=True, slots=True)
class GestureTimes:
    """Seconds. `steady` is how long a level must stand still to count."""

    steady: float = 0.03
    hold: float = 1.0
    repeat: float = 0.3
    chord: float = 3.0


@dataclass(slots=True)
class _Button:
    raw: bool = False  # the level as last told
    raw_since: float = 0.0
    seen: float = 0.0  # until when `raw` is known to have lasted
    left: float = 0.0  # until when `down` was known to last when `raw` left it
    down: bool = False  # the level that counts
    down_since: float = 0.0
    holds: int = 0  # how many times hold and repeat were told for this press
    spent: bool = False  # this press belongs to a chord and means nothing by itself


@dataclass(slots=True)
class GestureReader:
    """Turns levels of the buttons into gestures. One instance a set of buttons; times must not go back."""

    names: Iterable[str] = ("no", "minus", "plus", "ok")
    times: GestureTimes = GestureTimes()
    _buttons: dict[str, _Button] = field(init=False)
    _chord_told: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._buttons = {name: _Button() for name in self.names}

    def edge(self, name: str, down: bool, now: float) -> list[Gesture]:
        """A change of level at `now`; the level before it lasted until then."""
        button = self._buttons[name]
        if down == button.raw:
            return []  # the edge in between was lost, and how long each level lasted is not known: a sample tells
        button.seen = max(button.seen, now)
        gestures = self._settle(name)
        self._flip(button, down, button.seen)
        return gestures

    def sample(self, levels: Mapping[str, bool], now: float) -> list[Gesture]:
        """The levels as read at `now`. One that differs from the last edge means that an edge was lost."""
        gestures = []
        for name, down in levels.items():
            button = self._buttons[name]
            now = max(now, button.seen)
            if down == button.raw:
                button.seen = now
                gestures += self._settle(name)
            else:
                if down == button.down and now - button.raw_since >= self.times.steady:
                    button.down_since = now  # it was up for an unknown time in between
                self._flip(button, down, now)
        return sorted(gestures + self._chord(), key=lambda gesture: gesture.time)

    @staticmethod
    def _flip(button: _Button, down: bool, now: float) -> None:
        if button.raw == button.down:
            button.left = button.seen
        button.raw, button.raw_since, button.seen = down, now, now

    def held(self) -> tuple[str, float] | None:
        """The button (or `no+ok`) that is down, and for how long as far as is known; for a bar that fills."""
        if self._chord_since() is not None:
            since = self._chord_since() or 0.0
            return "no+ok", min(self._buttons[name].seen for name in SWITCH_OFF) - since
        down = [(name, button) for name, button in self._buttons.items() if button.down and not button.spent]
        if len(down) != 1:
            return None
        return down[0][0], down[0][1].seen - down[0][1].down_since

    def _settle(self, name: str) -> list[Gesture]:
        """What is certain about one button until `seen`."""
        button = self._buttons[name]
        until = button.left if button.raw != button.down else button.seen
        gestures = self._holds(name, until)
        if button.raw != button.down and button.seen - button.raw_since >= self.times.steady:
            gestures += self._turn(name)
        return gestures

    def _turn(self, name: str) -> list[Gesture]:
        button = self._buttons[name]
        button.down = button.raw
        if button.down:
            button.down_since, button.holds = button.raw_since, 0
            button.spent = self._joins_chord(name)
            return self._holds(name, button.seen)
        self._chord_told &= any(self._buttons[other].down for other in SWITCH_OFF & self._buttons.keys())
        if button.holds or button.spent:
            return []
        return [Gesture(name, "press", button.raw_since + self.times.steady)]

    def _joins_chord(self, name: str) -> bool:
        """True when `name` makes the chord complete; its partner then means nothing by itself either."""
        if name not in SWITCH_OFF:
            return False
        partners = [self._buttons[other] for other in SWITCH_OFF - {name} if other in self._buttons]
        for partner in partners:
            partner.spent |= partner.down
        return any(partner.down for partner in partners)

    def _holds(self, name: str, until: float) -> list[Gesture]:
        button, gestures = self._buttons[name], []
        while button.down and not button.spent:
            due = button.down_since + self.times.hold + button.holds * self.times.repeat
            if due > until:
                break
            gestures.append(Gesture(name, "repeat" if button.holds else "hold", due))
            button.holds += 1
        return gestures

    def _chord_since(self) -> float | None:
        both = [self._buttons[name] for name in SWITCH_OFF if name in self._buttons]
        if len(both) != len(SWITCH_OFF) or not all(button.down and button.raw and button.spent for button in both):
            return None
        return max(button.down_since for button in both)

    def _chord(self) -> list[Gesture]:
        since = self._chord_since()
        if since is None or self._chord_told:
            return []
        due = since + self.times.chord
        if due > min(self._buttons[name].seen for name in SWITCH_OFF):
            return []
        self._chord_told = True
        return [Gesture("no+ok", "chord", due)]
