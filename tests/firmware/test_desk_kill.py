"""SIGKILL at random moments of set-up, menus, play and questions: settings and match are those that were shown."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.cards import Card, parse_cards
from firmware import console
from firmware.desk import Desk
from firmware.desk_facts import open_match
from firmware.in_force import standing
from firmware.store import Store
from firmware.times import Times
from hardware.gestures import Gesture
from tests.firmware.camera import Camera
from vision.observation import TableObservation

KILLS = 200
HAND = [("Fs", 0, ""), ("5b", 1, ""), ("3c", 0, ""), ("4s", 1, ""), ("5c", 0, "5b"), ("As", 1, "")]


def table() -> list[TableObservation]:
    """What the camera sees of the beginning of a hand; one capture is made with a card that nobody sees."""
    camera = Camera(2, 5.0)
    camera.rest(0.6)
    camera.deal(1, parse_cards("Rd Rc 2d Cd"))
    camera.rest(1.0)
    for card, player, takes in HAND:
        if takes:
            camera.take(player, Card.parse(card), parse_cards(takes), how="unseen", rest=2.0)
        else:
            camera.lay(player, Card.parse(card))
    return camera.seen


def live(folder: Path, seed: int, shown: int, seen: list[TableObservation]) -> None:
    """A box until it is killed: before each step it writes what people see, and what they chose when it is done."""
    chance = random.Random(seed)
    with Store.open(folder) as store:
        desk = Desk(store, Times(), lambda: "2026-11-30 21:40:00")
        for step in watching(desk, seen) if chance.random() < 0.6 else pressing(chance):
            facts, choices = desk.facts(0.0), desk.menu.choices
            coming = console.press(desk.menu, step, facts)[0].choices if isinstance(step, Gesture) else choices
            plays = [[play.n, play.card] for play in facts.plays] if facts.view else []
            os.write(shown, msgspec.json.encode([plays, choices, coming]) + b"\n")
            if isinstance(step, Gesture):
                desk.gesture(step)
            else:
                desk.observe(step, step.time)


Step = Gesture | TableObservation


def watching(desk: Desk, seen: list[TableObservation]) -> Iterator[Step]:
    """A match is begun and played, with an answer and an undo on the way; then somebody looks around."""
    for button in ("no", "ok", "ok", "ok"):
        yield Gesture(button, "press", 0.0)
    for observation in seen:
        yield observation
        view = desk.facts(observation.time + 10).view
        if view and view.question:
            yield Gesture("minus", "press", observation.time + 10)
    yield Gesture("no", "hold", 100.0)
    while True:
        yield Gesture("ok", "press", 100.0)


def pressing(chance: random.Random) -> Iterator[Step]:
    """Somebody plays with the buttons."""
    while True:
        button = chance.choice(["no", "minus", "plus", "plus", "ok", "ok"])
        yield Gesture(button, chance.choice(["press", "press", "hold"]), 0.0)


def killed(folder: Path, seed: int, lines: int, seen: list[TableObservation]) -> list[bytes]:
    """What a box wrote that is killed once it has written so many lines."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            live(folder, seed, write, seen)
        finally:
            os._exit(1)
    os.close(write)
    told = b""
    while told.count(b"\n") < lines:
        more = os.read(read, 4096)
        if not more:
            break
        told += more
    os.kill(child, signal.SIGKILL)
    while more := os.read(read, 65536):
        told += more
    os.close(read)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the box ended by itself"
    return told[: told.rindex(b"\n") + 1].splitlines() if b"\n" in told else []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_any_kill_settings_and_match_are_those_that_were_shown(tmp_path: Path) -> None:
    chance, seen, with_plays, chosen = random.Random(17), table(), 0, set()
    for number in range(KILLS):
        folder = tmp_path / str(number // 10)  # ten lives of one box
        lines = killed(folder, number, chance.randint(1, 90), seen)
        if not lines:
            continue
        plays, choices, coming = json.loads(lines[-1])
        with Store.open(folder) as store:
            kept = json.loads(msgspec.json.encode(Desk(store, Times(), lambda: "").menu.choices))
            row = open_match(store)
            events = store.events(row.id) if row else []
        assert kept in (choices, coming)
        chosen.add(lines[-1])
        if plays and row:
            there = [[play.n, play.card] for play in standing(events).plays]
            with_plays += 1
            assert is_next(plays, there), (plays, there)
    assert with_plays > KILLS / 10
    assert len(chosen) > KILLS / 10


def is_next(shown: list[list[object]], there: list[list[object]]) -> bool:
    """Whether what is on disk is what was shown, or that and one step more: a play, an answer, or an undo."""
    if len(there) < len(shown):
        return there == shown[: len(there)]
    old = there[: len(shown)]
    return len(there) <= len(shown) + 2 and all(
        was == now or (was[0] == now[0] and was[1] is None) for was, now in zip(shown, old, strict=True)
    )
