"""`python -m tests.soak`: a year of evenings. Prints what was proved with figures; exit status 1 when it was not."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tqdm import tqdm

from engine.errors import EngineError
from firmware.errors import FirmwareError
from firmware.events import AnyEvent, Hand, Played, Settled, Undone
from tests.soak.box import Box
from tests.soak.broken import BREAKS
from tests.soak.evening import Evening, evening
from tests.soak.table import rendered

MEGABYTE = 1_000_000
PLAYS_AN_HOUR = 240
"""A quick table: a play every fifteen seconds."""

RESTARTS = 200


class Tally:
    """What an evening after the other did to the box."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.plays = self.opens = self.written = self.frames = 0
        self.sizes: list[int] = []
        self.memory: list[float] = []
        self.threads: list[threading.Thread] = []

    def play(self, box: Box, hand: int, seen: Evening, rendered: bool) -> None:
        """One hand with its faults; measures after it."""
        before = _written()
        try:
            events = box.play(seen.name, f"hand {hand}", seen.observations, disturbed=True)
        except (EngineError, FirmwareError) as error:
            self.wrong.append(f"hand {hand}: ended by {type(error).__name__}: {error}")
            return
        self.written += _written() - before
        self.sizes.append(box.bytes())
        self.plays += len(seen.plays)
        self.opens += sum(isinstance(event, Played) and event.card is None for event in events)
        self.wrong += [f"hand {hand}: {what}" for what in _differences(seen, events)]
        self.threads = self.threads or threading.enumerate()  # luma and tqdm start theirs once
        self.frames += rendered
        gc.collect()
        if not rendered:  # drawing frames takes memory that no box needs
            self.memory.append(_resident())

    def restarts(self, box: Box) -> int:
        """By how many bytes the state grows in restarts without a play."""
        try:
            return box.restarts(RESTARTS)
        except (EngineError, FirmwareError) as error:
            self.wrong.append(f"a restart ended by {type(error).__name__}: {error}")
            return 0

    def checks(self, box: Box, grown_idle: int) -> dict[str, bool]:
        """What must hold, with its figures."""
        grown = max(self.memory) - max(self.memory[: len(self.memory) // 10 or 1])
        growth = self.sizes[-1] / len(self.sizes)
        hourly = self.written / max(self.plays, 1) * PLAYS_AN_HOUR
        left = [thread.name for thread in threading.enumerate() if thread not in self.threads]
        played = f"{len(self.sizes)} hands ({self.frames} as frames), {self.plays} plays"
        faults = ", ".join(f"{count} {what}" for what, count in box.faults.items())
        return {
            f"{played}: none wrong, none lost ({self.opens} once open)": not self.wrong,
            f"{sum(box.faults.values())} faults: {faults}": all(box.faults.values()),
            "no gesture out of spikes": not box.gestures,
            f"memory grew by {grown:.1f} MB after the first tenth (limit 5)": grown < 5,
            f"{hourly / MEGABYTE:.2f} MB an hour written at {PLAYS_AN_HOUR} plays (limit 1)": hourly < MEGABYTE,
            f"the state is {growth / 1000:.1f} kB a hand": growth < 50_000,
            f"{RESTARTS} restarts in a row: the state grew by {grown_idle} bytes": grown_idle <= 0,
            f"threads left: {', '.join(left) or 'none'}": not left,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=20, help="hands at the frames door, after the others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", default="", choices=("", *BREAKS), help="break it on purpose")
    arguments = parser.parse_args()
    logging.getLogger("hardware").setLevel(logging.CRITICAL)  # what is lost here is lost on purpose
    began, tally = time.monotonic(), Tally()
    with tempfile.TemporaryDirectory() as folder:
        box = BREAKS.get(arguments.broken, Box)(Path(folder), random.Random(arguments.seed))
        hands = _hands(arguments.seed * 1_000_000, arguments.hands, arguments.frames)
        total = arguments.hands + arguments.frames
        for hand, seen in enumerate(tqdm(hands, total=total, unit="hand", file=sys.stderr, leave=False)):
            if seen is not None:
                tally.play(box, hand, seen, rendered=hand >= arguments.hands)
        checks = tally.checks(box, tally.restarts(box))
        box.close()
    for text, good in checks.items():
        print(f"soak: {'passed' if good else 'FAILED'}: {text}")
    for line in tally.wrong[:20]:
        print(f"soak: {line}", file=sys.stderr)
    print(f"soak: seed {arguments.seed}, {time.monotonic() - began:.0f} s")
    return 0 if all(checks.values()) else 1


def _hands(seed: int, hands: int, frames: int) -> Iterator[Evening | None]:
    """The hands of the fast door, then those that are rendered and read, which a process for each core works at."""
    yield from map(evening, range(seed, seed + hands))
    if frames:
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            yield from pool.map(rendered, range(seed + hands, seed + hands + frames))


def _differences(seen: Evening, events: list[AnyEvent]) -> list[str]:
    later = {event.n: event.card for event in events if isinstance(event, Settled)}
    undone = {event.n for event in events if isinstance(event, Undone)}
    told = [
        (e.player, e.card or later.get(e.n), e.takes) for e in events if isinstance(e, Played) and e.n not in undone
    ]
    truth = list(seen.plays)
    found = [
        f"play {n}: {got} instead of {true}"
        for n, (got, true) in enumerate(zip(told, truth, strict=False), 1)
        if got != true
    ]
    if len(told) != len(truth):
        found.append(f"{len(told)} plays instead of {len(truth)}")
    ends = [event for event in events if isinstance(event, Hand)]
    if not found and [end.total for end in ends] != [seen.points]:
        found.append(f"points {[end.total for end in ends]} instead of {seen.points}")
    return found[:2]


def _written() -> int:
    """Bytes that this process passed to write()."""
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"])


def _resident() -> float:
    """Megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / MEGABYTE


if __name__ == "__main__":
    sys.exit(main())
