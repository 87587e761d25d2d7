"""How soon the box is there after its start, and what an idle table costs; limits for one core of a usual computer."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


class Started:
    def __init__(self, folder: Path) -> None:
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(folder / "notify"))
        self.notify.settimeout(60)
        environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "OMP_NUM_THREADS": "1"}
        self.began = time.monotonic()
        command = [sys.executable, "-m", "tests.benchmarks.box", str(folder / "state")]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)

    def until_picture(self) -> float:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"picture\n"
        return time.monotonic() - self.began

    def until_ready(self) -> float:
        while not self.notify.recv(4096).startswith(b"READY=1"):
            pass
        return time.monotonic() - self.began

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def until_calm(self, limit: float = 90.0) -> None:
        """The deck is drawn and the table has been read: for three seconds in a row little was done."""
        calm, end = 0, time.monotonic() + limit
        while calm < 3 and time.monotonic() < end:
            before = self.cpu()
            time.sleep(1)
            calm = calm + 1 if self.cpu() - before < 0.3 else 0

    def resident(self) -> float:
        """Megabytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.notify.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Started]:
    started = Started(tmp_path)
    yield started
    started.stop()


def test_picture_and_ready_come_soon(box: Started, benchmark: Any) -> None:
    picture = box.until_picture()
    ready = box.until_ready()
    benchmark.extra_info.update(picture_seconds=round(picture, 2), ready_seconds=round(ready, 2))
    print(f"first picture after {picture:.2f} s, ready after {ready:.2f} s")
    benchmark.pedantic(lambda: None, rounds=1)
    assert picture < 2
    assert ready < 4


def test_an_idle_table_costs_little(box: Started, benchmark: Any) -> None:
    box.until_ready()
    box.until_calm()
    before, seconds = box.cpu(), 20.0
    time.sleep(seconds)
    share = (box.cpu() - before) / seconds
    benchmark.extra_info.update(cpu_share=round(share, 3), resident_mb=round(box.resident()))
    print(f"idle: {100 * share:.1f} % of a core, {box.resident():.0f} MB resident")
    benchmark.pedantic(lambda: None, rounds=1)
    assert share < 0.12
    assert box.resident() < 250


def test_it_stops_when_told(box: Started) -> None:
    box.until_ready()
    assert box.stop() == 0
