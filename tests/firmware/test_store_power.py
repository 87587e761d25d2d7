"""TC14: the process dies at each system call of a play that is stored, and of a choice: before or after, never else."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from engine.rules import variant
from firmware.choices import Choices
from firmware.desk_facts import choices_of
from firmware.events import Played, Table
from firmware.referee import Referee
from firmware.store import Store

RUNS = 500
TRACEME, SYSCALL = 0, 24
OLD, NEW = Choices(names=("ANNA", "UGO", "", "")), Choices(names=("PIA", "LEO", "", ""), variant="scopa_3")
PLAY = Played(1, 0, "Fs", (), False, 9, 1.0, "seen")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs ptrace")


def ptrace(request: int, process: int) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_long(request), ctypes.c_long(process), ctypes.c_void_p(0), ctypes.c_void_p(0)]
    return int(libc.ptrace(*arguments))


def prepared(folder: Path) -> None:
    with Store.open(folder) as store:
        events = [*Referee(variant("scopa_2"), ("ANNA", "UGO")).begin(), Table(("Rd", "Rc", "2d", "Cd"), 3)]
        store.begin("table", events, "2026-11-30 21:40:00")
        store.keep("choices", OLD)


def run_until(folder: Path, limit: int) -> int:
    """A process that stores a play, then a choice, killed at this stop of a system call; how many stops it made.

    The stops are counted from before the store is opened.
    """
    child = os.fork()
    if child == 0:
        try:
            ptrace(TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            with Store.open(folder) as store:
                store.append(1, [PLAY])
                store.keep("choices", NEW)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    for stop in range(limit):
        if ptrace(SYSCALL, child) != 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.skip("this system allows no ptrace")
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            return stop
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return limit


def test_tc14_killed_at_each_system_call_the_state_is_before_or_after(tmp_path: Path) -> None:
    prepared(tmp_path / "0")
    shutil.copytree(tmp_path / "0", tmp_path / "whole")
    stops = run_until(tmp_path / "whole", 10**6)
    assert stops > 100
    seen = set()
    for number in range(RUNS):
        folder = tmp_path / "box"
        shutil.copytree(tmp_path / "0", folder)
        run_until(folder, 1 + number * stops // RUNS)
        with Store.open(folder) as store:
            plays, choices = store.events(1)[2:], choices_of(store, Choices())
        assert plays in ([], [PLAY])
        assert choices in (OLD, NEW)
        assert choices == OLD or plays == [PLAY], "what was stored first is there first"
        seen.add((len(plays), msgspec.json.encode(choices)))
        shutil.rmtree(folder)
    assert len(seen) == 3, "the kills fell before, between and after the two"
