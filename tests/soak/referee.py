"""`python -m tests.soak.referee [STEPS]`: random steps at the observations door, in every variant, with the checks."""

from __future__ import annotations

import sys

from firmware.events import Fault, Hand, Played, Undone
from tests.firmware.test_referee_fuzz import VARIANTS, run

CHUNK = 2000
"""Steps of one match, so that many seeds are seen."""


def main(steps: int) -> None:
    """Runs so many steps and prints what was told in them."""
    counts = dict.fromkeys((Played, Fault, Undone, Hand), 0)
    for number in range(max(1, steps // CHUNK)):
        events = run(VARIANTS[number % len(VARIANTS)], 1000 + number, CHUNK)
        for kind in counts:
            counts[kind] += sum(isinstance(event, kind) for event in events)
    told = ", ".join(f"{count} {kind.__name__.lower()}" for kind, count in counts.items())
    print(f"{max(1, steps // CHUNK) * CHUNK} steps, nothing raised, nothing lost: {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
