"""What is heard, by the level that people chose. Everything that is heard is also shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from firmware.choices import SoundLevel
from firmware.events import Cleared, Drawn, Event, Fault, Knocked, Played, Revealed, Swapped, Undone
from hardware.buzzer import Sound

_HEARD: Final[dict[SoundLevel, frozenset[Sound]]] = {
    "off": frozenset(),
    "errors": frozenset({"attention", "stop"}),
    "scopa": frozenset({"attention", "stop", "scopa"}),
    "all": frozenset({"attention", "stop", "scopa", "click"}),
}
_CANNOT_GO_ON: Final = frozenset({"unknown_change", "card_already_out", "two_cards"})


def sound_of(event: Event) -> Sound | None:
    """The sound of an event: a click for a play, two rising for a scopa, two low for a fault, one long when lost."""
    if isinstance(event, Played):
        return "scopa" if event.scopa else "click"
    if isinstance(event, Revealed) and event.kind in {"emblee", "triple"}:
        return "scopa"
    if isinstance(event, Knocked | Drawn | Swapped | Revealed):
        return "click"
    if isinstance(event, Fault):
        return "stop" if event.rule in _CANNOT_GO_ON else "attention"
    return None


@dataclass(frozen=True, slots=True)
class Sounds:
    """Which sounds are due. An alarm that stays open is heard again every `repeat` seconds."""

    level: SoundLevel = "scopa"
    repeat: float = 30.0
    alarm: Sound | None = None
    since: float = 0.0

    def heard(self, event: Event, now: float, *, quiet: bool = False) -> tuple[Sounds, Sound | None]:
        """The sound of an event, None where the level is silent; `now` in seconds. A `quiet` judge only shows a play
        out of turn.
        """
        sound = None if quiet and isinstance(event, Fault) and event.rule == "wrong_turn" else sound_of(event)
        after = self
        if isinstance(event, Fault):
            after = replace(self, alarm=sound, since=now)
        elif isinstance(event, Cleared | Undone | Played):
            after = replace(self, alarm=None)
        return after, sound if sound in _HEARD[self.level] else None

    def due(self, now: float) -> tuple[Sounds, Sound | None]:
        """The sound of an alarm that is still open, when its time has come again."""
        if self.alarm is None or now - self.since < self.repeat:
            return self, None
        return self.again(now)

    def again(self, now: float) -> tuple[Sounds, Sound | None]:
        """The sound of an open alarm once more."""
        return replace(self, since=now), self.alarm if self.alarm in _HEARD[self.level] else None
