"""`arbitro bench` says what was measured."""

from __future__ import annotations

import json

import pytest

from firmware.benchmark import SIZES
from firmware.cli import main


@pytest.mark.slow
def test_both_sizes_are_measured_and_the_play_is_told_in_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "2", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["width"], line["height"]) for line in lines] == list(SIZES)
    for line in lines:
        assert 0 < line["still"] < line["read"]
        assert 400 <= line["motion_to_play"] < 1200 + line["read"]


def test_rounds_must_be_positive(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "0"]) == 2
    assert "at least 1 round" in capsys.readouterr().err
