"""Sounds by level, and the alarm that comes again."""

from __future__ import annotations

import pytest

from firmware.events import Cleared, Event, Fault, Played
from firmware.sounds import Sounds

PLAY = Played(1, 0, "7d", (), False, 5, 1.0, "seen")
SCOPA = Played(2, 1, "7b", ("7d",), True, 9, 1.0, "seen")
WRONG = Fault("must_take", 0, "7b", (), (("7d",),), 12)
LOST = Fault("unknown_change", 0, None, (), (), 12)


@pytest.mark.parametrize(
    ("level", "heard"),
    [
        ("off", [None, None, None, None]),
        ("errors", [None, None, "attention", "stop"]),
        ("scopa", [None, "scopa", "attention", "stop"]),
        ("all", ["click", "scopa", "attention", "stop"]),
    ],
)
def test_each_level_lets_its_sounds_through(level: str, heard: list[str | None]) -> None:
    events: list[Event] = [PLAY, SCOPA, WRONG, LOST]
    assert [Sounds(level).heard(event, 0.0)[1] for event in events] == heard  # type: ignore[arg-type]


def test_an_open_alarm_is_heard_again_every_thirty_seconds_and_not_after_it_is_cleared() -> None:
    sounds, first = Sounds().heard(WRONG, 100.0)
    assert first == "attention"
    times = []
    for now in range(100, 200):
        sounds, sound = sounds.due(float(now))
        if sound:
            times.append(now)
    assert times == [130, 160, 190]
    sounds, nothing = sounds.heard(Cleared(20), 200.0)
    assert nothing is None
    assert sounds.due(1000.0)[1] is None
