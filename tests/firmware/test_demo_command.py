"""`arbitro demo` and `arbitro simulate --render` to the end, as somebody who has just cloned the project runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from firmware.cli import main


@pytest.mark.slow
def test_the_demo_referees_its_hand_and_leaves_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "36 plays refereed" in printed
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [event["event"] for event in events if event["event"] in ("fault", "undone")] == []
    with Image.open(tmp_path / "display.gif") as display:
        assert display.n_frames > 36
        assert display.size == (384, 192)
    with Image.open(tmp_path / "table.jpg") as table:
        assert table.size == (1152, 648)


def test_the_demo_refuses_what_it_cannot_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", str(tmp_path), "--variant", "sette_e_mezzo"]) == 2
    assert "Scopa family" in capsys.readouterr().err
