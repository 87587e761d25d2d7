"""The appliance on a rendered table: keys are the buttons, the real eyes watch, the display is a terminal."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from PIL import Image

from firmware.cli import main
from firmware.draw import draw
from firmware.events import Start
from firmware.keys import Keys
from firmware.screens import Screen
from firmware.simulation import TerminalGlass, script
from firmware.store import Store


def test_keys_are_gestures() -> None:
    keys = Keys(script("n-+oNOx"))
    keys.clock = lambda: 7.0
    gestures = [gesture for _ in range(7) for gesture in keys.poll()]
    assert [(gesture.button, gesture.kind) for gesture in gestures] == [
        ("no", "press"),
        ("minus", "press"),
        ("plus", "press"),
        ("ok", "press"),
        ("no", "hold"),
        ("ok", "hold"),
        ("no+ok", "chord"),
    ]
    assert {gesture.time for gesture in gestures} == {7.0}


def test_space_makes_people_wait_and_q_ends() -> None:
    keys = Keys(lambda: " ")
    keys.poll()
    assert keys.waiting
    keys.poll()
    assert not keys.waiting
    quitting = Keys(lambda: "q")
    assert quitting.poll() == []
    assert quitting.ended


def test_holding_ok_long_is_enough_to_switch_off() -> None:
    gestures = Keys(lambda: "F").poll()
    assert [gesture.kind for gesture in gestures] == ["hold", *["repeat"] * 4]


def test_p_lets_people_play_once_and_digits_ask_for_faults() -> None:
    keys = Keys(script("p30"))
    assert [keys.poll() for _ in range(3)] == [[], [], []]
    assert (keys.waiting, keys.once, keys.broken) == (True, True, [2, 9])


def test_people_play_on_command(tmp_path: Path) -> None:
    """Dealt on the first p, then they wait for the next one."""
    keys = "ooop" + "~" * 60
    arguments = ["simulate", "--size", "512x288", "--seed", "3", "--state", str(tmp_path), "--pace", "fast"]
    assert main([*arguments, "--keys", keys + "q"]) == 0
    with Store.open(tmp_path) as store:
        assert [type(event).__name__ for event in store.events(store.matches()[-1].id)] == ["Start", "Table"]


def test_it_ends_when_the_appliance_waits_for_a_key_that_is_not_among_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "--size", "192x108", "--state", str(tmp_path)]
    assert main([*arguments, "--keys", "o"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 16
    with Store.open(tmp_path) as store:
        assert store.matches() == []


def test_other_characters_mean_nothing() -> None:
    chance = random.Random(1)
    text = "".join(chr(chance.randint(33, 0x2FF)) for _ in range(500))
    used = set("n-+=oNOFxqp 1234567890\n")
    assert Keys(lambda: "".join(c for c in text if c not in used)).poll() == []


def test_a_picture_that_is_no_terminal_s_is_only_kept() -> None:
    out = io.StringIO()
    glass = TerminalGlass(out)
    picture = draw(Screen("x", ("A",)))
    glass.show(picture)
    glass.show(picture.copy())
    glass.show(Image.new("1", (128, 64)))
    assert len(glass.pictures) == 2
    assert out.getvalue() == ""


def test_keys_begin_a_match_that_a_rendered_camera_watches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys = "ooo....q"
    arguments = ["simulate", "--keys", keys, "--size", "768x432", "--seed", "3", "--state", str(tmp_path / "state")]
    assert main([*arguments, "--gif", str(tmp_path / "display.gif")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 16
    with Image.open(tmp_path / "display.gif") as gif:
        assert gif.size == (384, 192)
        assert gif.n_frames == 3  # the set-up, who deals, the deal
    with Store.open(tmp_path / "state") as store:
        events = store.events(store.matches()[-1].id)
    start = events[0]
    assert isinstance(start, Start)
    assert (start.variant, start.players) == ("scopa_2", ("NORTH", "SOUTH"))
