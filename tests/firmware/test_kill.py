"""The real command killed with SIGKILL, again and again in one hand: what was shown is there, the points are right."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.rules import variant
from vision.synthetic.deck import write_deck
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, plain_look
from vision.synthetic.recording import RenderedMatch, write_frames, write_truth
from vision.synthetic.stage import Pace

KILLS = 30
SIZE = (768, 432)


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered hand as a folder of pictures, with the faces of its deck."""
    folder = tmp_path_factory.mktemp("hand")
    look = plain_look(our_pack(), *SIZE)
    match = RenderedMatch(Plan(variant("scopa_2")), look, Pace(), 5, 7)
    write_frames(match, folder / "frames", lambda: None, False, 5)
    write_truth(match, folder / "frames")
    write_deck(folder / "faces")
    return folder


def events_of(file: Path) -> list[dict[str, Any]]:
    """Whole lines only: a kill may cut the last one."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]


def shown(events: list[dict[str, Any]]) -> dict[int, tuple[Any, ...]]:
    """Each play that was told, as it was told."""
    plays = {e["n"]: (e["player"], e["card"], tuple(e["takes"])) for e in events if e["event"] == "play"}
    for event in events:
        if event["event"] == "undone":
            plays.pop(event["n"], None)
    return plays


def command(hand: Path, state: Path, events: Path, first: int) -> list[str]:
    source, deck = str(hand / "frames"), str(hand / "faces")
    options = ["--deck", deck, "--state", str(state), "--events", str(events), "--from-frame", str(first)]
    return [sys.executable, "-m", "firmware.cli", "referee", source, *options]


def killed_run(line: list[str], events: Path, after: int, delay: float) -> None:
    """Start the command, let it tell `after` events more than before, and a moment later kill it."""
    before = len(events_of(events))
    with subprocess.Popen(line, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            told = len(events_of(events))
            if told >= before + after:
                break
            time.sleep(0.01)
        time.sleep(delay)
        process.kill()


@pytest.mark.slow
def test_thirty_kills_lose_nothing(hand: Path, tmp_path: Path) -> None:
    rng = Random(5)
    truth = json.loads((hand / "frames" / "truth.json").read_text())
    state, events = tmp_path / "state", tmp_path / "events.jsonl"
    first, known = 0, dict[int, tuple[Any, ...]]()
    for _ in range(KILLS):
        killed_run(command(hand, state, events, first), events, rng.randint(0, 2), rng.uniform(0, 0.3))
        told = events_of(events)
        assert known.items() <= shown(told).items()
        known = shown(told)
        first = max([event.get("frame", 0) for event in told] + [first])
    done = subprocess.run(command(hand, state, events, first), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = events_of(events)
    assert known.items() <= shown(told).items()
    assert [t["event"] for t in told].count("start") == 1
    assert [t["event"] for t in told if t["event"] in ("fault", "undone")] == []
    (end,) = [event for event in told if event["event"] == "hand"]
    assert end["total"] == truth["hands"][0]["total"]
    plays = [(p["player"], p["card"], tuple(p["takes"])) for p in truth["plays"]]
    settled = {event["n"]: event["card"] for event in told if event["event"] == "settled"}
    found = [(p, card or settled.get(n), takes) for n, (p, card, takes) in sorted(shown(told).items())]
    assert found == plays
