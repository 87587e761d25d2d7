"""One step of the referee (observation in, events out) with eight histories: under 5 ms usually, 30 ms at worst."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from itertools import count

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.rules import variant
from firmware.branches import Branch
from firmware.referee import Referee
from tests.firmware.camera import Camera
from tests.firmware.test_referee_faults import begun
from vision.observation import TableObservation


def crowded() -> tuple[Referee, TableObservation]:
    """A referee with eight histories, before a settled table that each of them must explain."""
    camera: Camera = begun()
    referee = Referee(variant("scopa_2"), ("a", "b"))
    for seen in camera.seen:
        referee.observe(seen)
    course = referee.course
    whole = course.branches[0]
    course.branches = [whole] + [Branch(whole.record, whole.since, 0.1 / place) for place in range(2, 9)]
    return referee, camera.seen[-1]


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize(("gone", "median"), [(0, 0.005), (2, 0.030)], ids=["the usual step", "two cards gone"])
def test_a_step_with_eight_histories(benchmark: BenchmarkFixture, gone: int, median: float) -> None:
    referee, last = crowded()
    course, kept, clock = referee.course, referee.course.branches, count(1)
    cards = last.cards[: len(last.cards) - gone]

    def ready() -> tuple[tuple[TableObservation], dict[str, object]]:
        """The table was seen once like this, eight histories are alive: the next look judges it."""
        course.fault = None
        now = last.time + 100.0 * next(clock)
        referee.observe(replace(last, time=now, cards=cards, still=False))
        course.branches, course.pending = kept, None
        return (replace(last, time=now + 0.2, cards=cards),), {}

    gc.collect()
    gc.freeze()  # the heap of the test runner is not the referee's: walking through it is not his time
    benchmark.pedantic(referee.observe, setup=ready, rounds=200)
    assert len(kept) == 8
    assert benchmark.stats["median"] < median
    assert benchmark.stats["max"] < 0.030
