"""Scripts of buttons: read, written, refused with the line that is wrong; and a rendered round refereed with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.button_script import Press, parse, write
from firmware.cli import main
from firmware.errors import UsageError
from firmware.store import Store


def test_a_script_is_read() -> None:
    text = "# the first stake\n12 plus x4\n\n12 ok   # said\n30 ok hold\n30 plus repeat x2\n"
    assert parse(text) == (
        Press(12, "plus", times=4),
        Press(12, "ok"),
        Press(30, "ok", "hold"),
        Press(30, "plus", "repeat", 2),
    )
    gestures = [(gesture.button, gesture.kind, gesture.time) for gesture in parse(text)[0].gestures(5)]
    assert gestures == [("plus", "press", 2.4)] * 4


PRESSES = st.builds(
    Press,
    st.integers(0, 10**6),
    st.sampled_from(("no", "minus", "plus", "ok")),
    st.sampled_from(("press", "hold", "repeat")),
    st.integers(1, 99),
)


@given(st.lists(PRESSES, max_size=20))
def test_what_is_written_is_read_again(presses: list[Press]) -> None:
    presses.sort(key=lambda press: press.frame)
    assert parse("\n".join(map(str, presses))) == tuple(presses)


@pytest.mark.parametrize("line", ["ok", "3 up", "-1 ok", "3 ok x", "3 ok x2 hold", "3 ok # fine\n2 ok"])
def test_what_is_no_script_is_named(line: str) -> None:
    with pytest.raises(UsageError, match="line"):
        parse(line)


def test_a_script_is_only_for_sette_e_mezzo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "buttons.txt", [Press(1, "ok")])
    (tmp_path / "frames").mkdir()
    arguments = ["referee", str(tmp_path / "frames"), "--deck", "arbitro", "--script", str(tmp_path / "buttons.txt")]
    assert main([*arguments, "--state", str(tmp_path / "state")]) == 2
    assert "Sette e mezzo" in capsys.readouterr().err


@pytest.mark.slow
def test_a_rendered_round_is_refereed_with_its_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rendered, read by the real eyes, refereed by the command: the payment is that of the truth."""
    folder, state = tmp_path / "frames", tmp_path / "state"
    game = ["--variant", "sette_e_mezzo"]
    assert main(["simulate", "--render", str(folder), *game, "--players", "2", "--seed", "6", "--pace", "fast"]) == 0
    capsys.readouterr()
    arguments = ["referee", str(folder), "--deck", "arbitro", *game, "--players", "ANNA,BRUNO"]
    arguments += ["--script", str(folder / "buttons.txt"), "--state", str(state), "--events", str(tmp_path / "events")]
    assert main(arguments) == 0
    told = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    truth = json.loads((folder / "truth.json").read_text())["rounds"][0]
    (paid,) = [event for event in told if event["event"] == "pay"]
    assert paid["net"] == truth["net"]
    assert paid["next_bank"] == truth["next_bank"]
    with Store.look(state) as store:
        assert len(store.events(1)) == len(told)
