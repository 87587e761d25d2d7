"""A live camera that never stops the game: the newest frame only, none that is stale, re-opened when it is lost.

One worker thread reads the device. Whoever asks for frames also watches over the worker: a worker that fails is
replaced after a pause, one that hangs is left behind and replaced at once. A second one that hangs while the first
still does is the end: `stuck` is then true and the process should end with its state safe, for only a new process
gets such a camera back.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from hardware.errors import CameraBusyError, HardwareError, MissingLibraryError
from hardware.frame import Frame, Shot

log = logging.getLogger(__name__)

BACK_OFF: Final = (1.0, 2.0, 5.0, 10.0)
"""Seconds before each try to open a camera again; the last one repeats."""


Cause = Literal["library", "busy", "gone"]


class CameraDevice(Protocol):
    """An open camera. `read` waits for the next picture; it is taken by the clock of the hand-over."""

    def read(self) -> Shot: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """`lost` begins when no frame came for the stall time. `attempt` counts tries to open it since the last frame.
    `cause`: the library is missing, another program holds the camera, or none of these.
    """

    state: Literal["starting", "ok", "lost", "stuck"]
    attempt: int = 0
    reason: str = ""
    cause: Cause = "gone"


class LiveCamera:
    """The newest frame of a camera device, and the care for that device."""

    def __init__(
        self,
        open_device: Callable[[], CameraDevice],
        *,
        max_age: float = 0.3,
        stall: float = 2.0,
        start_limit: float = 20.0,
        back_off: Sequence[float] = BACK_OFF,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ages and limits in seconds; `start_limit` is how long opening may take before it counts as hung."""
        self._open_device = open_device
        self._max_age, self._stall, self._start_limit = max_age, stall, start_limit
        self._back_off, self._clock = tuple(back_off), clock
        self._change = threading.Condition()
        self._began = clock()
        self._number = 0
        self._newest: tuple[Frame, float] | None = None
        self._abandoned: list[_Worker] = []
        self._attempt, self._reason, self._retry_at = 1, "", 0.0
        self._cause: Cause = "gone"
        self._state: Literal["starting", "ok", "lost", "stuck"] = "starting"
        self._worker = self._start_worker()

    @property
    def health(self) -> CameraHealth:
        """How the camera is, after a look at its worker."""
        self._supervise()
        return CameraHealth(self._state, self._attempt, self._reason, self._cause)

    @property
    def stuck_threads(self) -> int:
        """Workers that were left behind and still hang in the device: 0 or 1, or 2 when `health` is stuck."""
        self._abandoned = [worker for worker in self._abandoned if worker.thread.is_alive()]
        return len(self._abandoned)

    def newest(self, wait: float = 0.0) -> Frame | None:
        """The newest frame not given yet, waiting up to `wait` seconds; None when there is none young enough."""
        self._supervise()
        with self._change:
            if self._newest is None and wait > 0:
                self._change.wait(wait)
            taken, self._newest = self._newest, None
        if taken is None or self._clock() - taken[1] > self._max_age:
            return None
        return taken[0]

    def __iter__(self) -> Iterator[Frame]:
        """Frames as they come, for ever; ends when the camera is stuck."""
        while self._state != "stuck":
            frame = self.newest(wait=0.5)
            if frame is not None:
                yield frame

    def close(self, limit: float = 2.0) -> bool:
        """Stop the worker; False when it still hangs in the device after `limit` seconds."""
        self._worker.wanted = False
        self._worker.thread.join(limit)
        return not self._worker.thread.is_alive() and self.stuck_threads == 0

    def _start_worker(self) -> _Worker:
        worker = _Worker(self._open_device, self._put, self._clock)
        worker.thread.start()
        return worker

    def _put(self, worker: _Worker, shot: Shot) -> None:
        with self._change:
            if shot.picture is None or not worker.wanted:
                return
            frame = Frame(shot.picture, max(0.0, shot.taken - self._began), self._number, shot.small)
            self._newest = (frame, shot.taken)
            self._number += 1
            self._state, self._attempt, self._reason, self._cause = "ok", 0, "", "gone"
            self._change.notify_all()

    def _supervise(self) -> None:
        now, worker = self._clock(), self._worker
        if self._state == "stuck" or not worker.wanted:
            return
        if not worker.thread.is_alive():
            self._replace_failed(worker, now)
        elif now - worker.alive_at > (self._stall if worker.opened else self._start_limit):
            self._leave_behind(worker, now)

    def _replace_failed(self, worker: _Worker, now: float) -> None:
        if not worker.reported:
            worker.reported = True
            self._lose(worker.reason, worker.cause)
            self._retry_at = now + self._back_off[min(self._attempt, len(self._back_off)) - 1]
        if worker.cause == "busy" and self.stuck_threads and self._attempt > len(self._back_off):
            self._give_up()  # the thread that was left behind holds it, and will not let go
        elif now >= self._retry_at:
            self._worker = self._start_worker()

    def _leave_behind(self, worker: _Worker, now: float) -> None:
        worker.wanted = False
        self._abandoned.append(worker)
        self._lose(f"no frame for {now - worker.alive_at:.1f} s")
        if self.stuck_threads > 1:
            self._give_up()
            return
        self._worker = self._start_worker()

    def _give_up(self) -> None:
        with self._change:
            self._state = "stuck"
        log.error("camera hangs and cannot be stopped: the process must end")

    def _lose(self, reason: str, cause: Cause = "gone") -> None:
        with self._change:
            self._state, self._reason, self._cause, self._newest = "lost", reason, cause, None
            self._attempt += 1
        log.warning("camera lost: %s (try %d)", reason, self._attempt)


class _Worker:
    """One thread with one device: opens it, reads until it is unwanted or the device fails, closes it."""

    def __init__(
        self,
        open_device: Callable[[], CameraDevice],
        put: Callable[[_Worker, Shot], None],
        clock: Callable[[], float],
    ) -> None:
        self._open_device, self._put, self._clock = open_device, put, clock
        self.wanted, self.opened, self.reported = True, False, False
        self.alive_at = clock()
        self.reason, self.cause = "ended", _cause(None)
        self.thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def _run(self) -> None:
        try:
            device = self._open_device()
            try:
                self.opened, self.alive_at = True, self._clock()
                while self.wanted:
                    shot = device.read()
                    self.alive_at = self._clock()
                    self._put(self, shot)
            finally:
                device.close()
        except (HardwareError, OSError, RuntimeError, TimeoutError) as error:
            self.reason, self.cause = str(error) or type(error).__name__, _cause(error)


def _cause(error: Exception | None) -> Cause:
    if isinstance(error, MissingLibraryError):
        return "library"
    return "busy" if isinstance(error, CameraBusyError) else "gone"
