"""The program of a machine whose power is cut: writes plays to its store, and says what it has shown.

It is the first process after the kernel, so that a boot is short. It first looks whether all that was shown before the
cut is there: `hil.shown=MATCH:COUNT:DIGEST` on the kernel's command line is what the host heard last.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import breaking

from engine.rules import variant
from firmware import store as stores
from firmware.events import AnyEvent, encode
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.session import Session
from firmware.store import Store
from tests.soak.evening import evening

STATE = Path("/var/lib/arbitro/cut")


def digest(events: Sequence[AnyEvent]) -> str:
    """Stands for these events, in this order."""
    return hashlib.sha256(b"\n".join(encode(event) for event in events)).hexdigest()[:16]


def checked(store: Store, shown: str) -> None:
    """Print whether all that was shown is stored, byte for byte, and whether the database is whole."""
    damage = store._connection.execute("PRAGMA integrity_check").fetchone()[0]
    if not shown:
        return
    match, count, wanted = shown.split(":")
    events = store.events(int(match))
    same = digest(events[: int(count)]) == wanted
    resumed(events)  # raises for a log that is no match
    whole = "passed" if same and damage == "ok" else "FAILED"
    print(f"hil: {whole}: power_cut: {count} events shown, {len(events)} stored, database {damage}", flush=True)


def play(store: Store, seed: int) -> None:
    """Hand after hand, for ever."""
    while True:
        seed += 1
        seen = evening(seed)
        if seen is None:
            continue
        rules = variant(seen.name)
        referee = Referee(rules, [str(player) for player in range(rules.players)])
        events: list[AnyEvent] = list(referee.begin())
        match = store.begin("cut", events, "2026-01-01")
        _shown(match, events)
        session = Session(referee, store, match, lambda event: None)
        for observation in seen.observations:
            told = session.observe(observation)
            if told:  # what was committed may be shown
                events += told
                _shown(match, events)


def _shown(match: int, events: Sequence[AnyEvent]) -> None:
    print(f"hil: shown {match}:{len(events)}:{digest(events)}", flush=True)


def main() -> None:
    words = breaking.words()
    if words.get("hil.broken") == "fsync":
        prepare = stores._prepare

        def careless(connection: sqlite3.Connection, directory: Path) -> None:
            prepare(connection, directory)
            connection.execute("PRAGMA synchronous = OFF")

        stores._prepare = careless
    with Store.open(STATE) as store:
        checked(store, words.get("hil.shown", ""))
        print("hil: playing", flush=True)
        if words.get("hil.end"):
            return
        play(store, int(words["hil.seed"]))


if __name__ == "__main__":
    main()
    print("hil: end", flush=True)
    sys.stdout.flush()
    Path("/proc/sysrq-trigger").write_text("o")
