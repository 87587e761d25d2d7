"""The hand-over of live frames on devices that block, fail and come back. No test sleeps: devices wait for the test."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from hardware.errors import CameraBusyError, CameraError
from hardware.frame import Shot
from hardware.live import LiveCamera


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """Makes devices and scripts what they do: a number is a picture, an error is raised, an event is waited for."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.script: queue.Queue[int | Exception | threading.Event] = queue.Queue()
        self.opened = self.closed = 0
        self.release = threading.Event()
        self.refuse: Exception | None = None
        self.asked, self.blocked = threading.Semaphore(0), threading.Semaphore(0)

    def open(self) -> Bench:
        if self.refuse is not None:
            raise self.refuse
        self.opened += 1
        return self

    def read(self) -> Shot:
        self.asked.release()
        step = self.script.get()
        if isinstance(step, threading.Event):
            self.blocked.release()
            step.wait()
            raise CameraError("released")
        if isinstance(step, Exception):
            raise step
        return Shot(np.full((2, 2, 3), step % 256, np.uint8), self.clock())

    def close(self) -> None:
        self.closed += 1


def camera_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "camera"]


def join_failed_worker() -> None:
    for thread in camera_threads():
        thread.join(10)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.release.set()
    bench.refuse = CameraError("over")
    for _ in range(8):
        bench.script.put(CameraError("over"))
    join_failed_worker()
    assert not camera_threads()


def live(bench: Bench) -> LiveCamera:
    return LiveCamera(bench.open, clock=bench.clock)


def test_frames_come_with_time_and_number(bench: Bench) -> None:
    camera = live(bench)
    bench.script.put(7)
    first = camera.newest(wait=10)
    bench.clock.now += 0.1
    bench.script.put(8)
    second = camera.newest(wait=10)
    assert first is not None
    assert second is not None
    assert (first.number, first.time, first.picture[0, 0, 0]) == (0, 0.0, 7)
    assert (second.number, pytest.approx(0.1), second.picture[0, 0, 0]) == (1, second.time, 8)
    assert camera.health.state == "ok"


def test_a_slow_reader_gets_only_the_newest(bench: Bench) -> None:
    camera = live(bench)
    for number in range(50):
        bench.script.put(number)
    for _ in range(51):  # the worker asks for the 51st only after it handed the 50th over
        assert bench.asked.acquire(timeout=10)
    frame = camera.newest()
    assert frame is not None
    assert frame.number == 49
    assert camera.newest() is None


def test_a_stale_frame_is_never_given(bench: Bench) -> None:
    camera = live(bench)
    bench.script.put(1)
    for _ in range(2):
        assert bench.asked.acquire(timeout=10)
    bench.clock.now += 0.31
    assert camera.newest() is None


def test_tc1_a_camera_that_blocks_is_opened_again_with_one_stuck_thread(bench: Bench) -> None:
    camera = live(bench)
    for number in range(500):
        bench.script.put(number)
        assert camera.newest(wait=10) is not None
    bench.script.put(bench.release)
    assert bench.blocked.acquire(timeout=10)
    bench.clock.now += 2.1
    health = camera.health
    assert (health.state, health.attempt) == ("lost", 1)
    assert "no frame for 2.1 s" in health.reason
    bench.script.put(500)
    frame = camera.newest(wait=10)
    assert frame is not None
    assert frame.number == 500
    assert (camera.health.state, camera.stuck_threads, bench.opened) == ("ok", 1, 2)
    bench.release.set()


def test_tc1_a_second_hang_ends_it(bench: Bench) -> None:
    camera = live(bench)
    for opened in (1, 2):
        bench.script.put(opened)
        assert camera.newest(wait=10) is not None
        bench.script.put(bench.release)
        assert bench.blocked.acquire(timeout=10)
        bench.clock.now += 2.1
        state = camera.health.state
    assert state == "stuck"
    assert len(camera_threads()) == 2
    assert list(camera) == []
    assert not camera.close(limit=0)


def test_tc1_a_camera_that_the_hanging_thread_still_holds_ends_it(bench: Bench) -> None:
    camera = live(bench)
    bench.script.put(1)
    assert camera.newest(wait=10) is not None
    bench.refuse = CameraBusyError("acquired")
    bench.script.put(bench.release)
    assert bench.blocked.acquire(timeout=10)
    bench.clock.now += 2.1
    states = []
    for _ in range(40):
        states.append(camera.health.state)
        for thread in camera_threads()[1:]:  # the first one hangs
            thread.join(10)
        bench.clock.now += 1
    assert states[0] == "lost"
    assert states[-1] == "stuck"
    assert 15 <= states.index("stuck") <= 25  # a thread that comes free meanwhile gives the camera back
    bench.release.set()


def test_tc2_a_lost_camera_is_tried_with_growing_pauses_and_comes_back(bench: Bench) -> None:
    camera = live(bench)
    bench.script.put(1)
    assert camera.newest(wait=10) is not None
    bench.refuse = CameraError("no such device")
    bench.script.put(CameraError("unplugged"))
    tries: list[tuple[float, int]] = []
    for tenth in range(200):
        join_failed_worker()
        health = camera.health
        assert health.state == "lost"
        if not tries or tries[-1][1] != health.attempt:
            tries.append((tenth / 10, health.attempt))
        bench.clock.now += 0.1
    assert [attempt for _, attempt in tries] == [1, 2, 3, 4, 5]
    pauses = [later[0] - earlier[0] for earlier, later in itertools.pairwise(tries)]
    assert pauses == pytest.approx([1, 2, 5, 10], abs=0.3)
    assert camera.health.reason == "no such device"
    bench.refuse = None
    bench.script.put(2)
    bench.clock.now += 10
    frame = None
    while frame is None:
        frame = camera.newest(wait=0.1)
    assert frame.number == 1
    assert camera.health == camera.health.__class__("ok", 0, "")
    assert (bench.opened, bench.closed, camera.stuck_threads) == (2, 1, 0)


def test_a_camera_that_hangs_while_it_opens_is_left_behind(bench: Bench) -> None:
    def hang() -> Bench:
        bench.release.wait()
        raise CameraError("released")

    camera = LiveCamera(hang, start_limit=20, clock=bench.clock)
    bench.clock.now += 19
    assert camera.health.state == "starting"
    bench.clock.now += 2
    assert camera.health.state == "lost"


def test_close_stops_the_worker(bench: Bench) -> None:
    camera = live(bench)
    bench.script.put(CameraError("end"))
    assert camera.close(limit=10)
    assert bench.closed == bench.opened
    assert camera.newest() is None
