"""`python -m tests.fuzz`: every reader of files gets broken ones. Prints how many, in what time; status 1 for a bug.

The inputs are whole files with some bytes changed, cut out, doubled or put elsewhere: what is random from the start is
refused at the first byte. A reader may read them or raise an error of its package's family, soon; nothing else.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from engine.errors import EngineError
from firmware.errors import FirmwareError
from hardware.errors import HardwareError
from tests.fuzz.readers import READERS, corpus
from vision.errors import VisionError

REFUSALS = (EngineError, FirmwareError, HardwareError, VisionError)
SLOW = 5.0
"""Seconds of the processor that one input may take."""

PIECES = (b"", b"\0", b"-1", b"99999999999999999999", b"1e999", b"NaN", b"[" * 3000, b"\xff\xfe", b"../", b"\n", b'"')
"""What parsers have stumbled over elsewhere."""


def broken(whole: bytes, luck: random.Random) -> bytes:
    """A few changes of a whole file."""
    data = bytearray(whole)
    for _ in range(luck.randint(1, 4)):
        start, end = sorted((luck.randint(0, len(data)), luck.randint(0, len(data))))
        end = min(end, start + luck.choice((1, 2, 8, 64, len(data))))
        part = bytes(data[start:end])
        change = luck.randrange(5)
        if change == 0 and start < len(data):
            data[start] = luck.randrange(256)
        elif change == 1:
            del data[start:end]
        elif change == 2:
            data[end:end] = part
        elif change == 3:
            data[start:end] = luck.choice(PIECES)
        else:
            place = luck.randint(0, len(data))
            data[place:place] = part
    return bytes(data)


def fuzz(name: str, reader: Callable[[Path], object], files: list[bytes], seconds: float, seed: int) -> bool:
    """Whether a reader stood everything for so long."""
    luck, began = random.Random(f"{name} {seed}"), time.monotonic()
    tried = refused = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arbitro.db"
        while time.monotonic() - began < seconds:
            data, start = broken(luck.choice(files), luck), time.process_time()
            file.write_bytes(data)
            try:
                reader(file)
            except REFUSALS:
                refused += 1
            except Exception:  # noqa: BLE001 - whatever it is, it is what this looks for
                traceback.print_exc()
                print(f"fuzz: FAILED: {name}: after {tried} inputs (seed {seed}): {data[:2000]!r}")
                return False
            tried += 1
            slowest = max(slowest, time.process_time() - start)
    good = slowest < SLOW
    print(
        f"fuzz: {'passed' if good else 'FAILED'}: {name}: {tried} inputs in {seconds:.0f} s, {refused} refused, "
        f"{tried - refused} read; {slowest:.2f} s of the processor at most",
        flush=True,
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}; else all")
    arguments = parser.parse_args()
    logging.disable()  # libraries tell at length what is wrong with each
    warnings.simplefilter("ignore")
    wanted = {name: READERS[name] for name in arguments.readers or READERS}
    results = [fuzz(name, read, corpus(name), arguments.seconds, arguments.seed) for name, read in wanted.items()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
