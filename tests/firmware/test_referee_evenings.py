"""Whole hands with everything that people do: no play wrong, every fault named, no alarm without a fault."""

from __future__ import annotations

import pytest

from tests.firmware.evenings import Count, Evening
from tests.firmware.test_referee import watch


def judged(name: str, seed: int, fps: float, hands: int = 1) -> Count:
    """What the referee makes of one evening."""
    evening, count = Evening(name, seed, fps), Count()
    for _ in range(hands):
        evening.hand()
    count.add(evening, watch(name, evening.camera))
    return count


@pytest.mark.parametrize(("name", "fps"), [("scopa_2", 5.0), ("scopa_3", 10.0), ("scopa_4", 15.0), ("scopa_assi", 5.0)])
def test_an_evening_is_followed(name: str, fps: float) -> None:
    count = judged(name, 7, fps, hands=2)
    assert count.wrong == []
    assert count.false_alarms == []
    assert count.points_wrong == 0
    assert count.named == count.faults
    assert count.right + count.open == count.plays == 72
