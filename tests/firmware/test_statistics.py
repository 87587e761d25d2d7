"""Statistics of players and pairs against sums made by hand, and their pictures."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest
from PIL import Image

from engine.rules import variant
from firmware.by_hand import ByHand, told_hand
from firmware.cli import main
from firmware.events import AnyEvent, Corrected
from firmware.statistics import Tale, courses, tales
from firmware.store import Store

TWO = variant("scopa_2")


def match(names: tuple[str, ...], hands: list[dict[str, int]], name: str = "scopa_2") -> list[AnyEvent]:
    """A match scored by hand."""
    by_hand = ByHand(variant(name), names)
    events = by_hand.begin()
    for said in hands:
        events += by_hand.hand(said)
    return events


def by_name(found: tuple[Tale, ...]) -> dict[str, Tale]:
    return {tale.name: tale for tale in found}


def test_points_hands_and_matches_won() -> None:
    first = match(("ANNA", "UGO"), [{"carte": 1, "scope.0": 2}, {"denari": 2, "scope.0": 9}])
    second = match(("UGO", "ANNA"), [{"settebello": 1, "primiera": 1, "scope.1": 1}])
    found = by_name(tales([first, second]))
    assert set(found) == {"ANNA", "UGO"}
    anna, ugo = found["ANNA"], found["UGO"]
    assert (anna.matches, anna.ended, anna.won, anna.hands) == (2, 1, 1, 3)
    assert (anna.points, anna.carte, anna.scope) == (1 + 2 + 9 + 1, 1, 12)
    assert (ugo.matches, ugo.ended, ugo.won, ugo.points) == (2, 1, 0, 1 + 2)
    assert (ugo.denari, ugo.settebello, ugo.primiera, ugo.scope) == (1, 1, 1, 0)


def test_partners_count_alone_and_as_a_pair_whoever_sits_first() -> None:
    one = match(("ANNA", "UGO", "PIA", "LEO"), [{"carte": 1, "scope.0": 30}], "scopa_4")
    two = match(("PIA", "UGO", "ANNA", "LEO"), [{"carte": 2}], "scopa_4")
    found = by_name(tales([one, two]))
    assert set(found) == {"ANNA", "UGO", "PIA", "LEO", "ANNA + PIA", "LEO + UGO"}
    assert found["ANNA + PIA"].numbers() == found["ANNA"].numbers()
    assert (found["LEO + UGO"].points, found["LEO + UGO"].won) == (1, 0)
    assert (found["ANNA + PIA"].won, found["ANNA + PIA"].points) == (1, 31)


def test_a_corrected_hand_counts_as_it_was_corrected() -> None:
    events = match(("ANNA", "UGO"), [{"carte": 1, "scope.0": 2}])
    events.append(Corrected(1, told_hand(TWO, {"carte": 2, "scope.0": 1}, 9)))
    found = by_name(tales([events]))
    assert (found["ANNA"].points, found["UGO"].points) == (1, 1)
    assert courses(events) == {"ANNA": [0, 1], "UGO": [0, 1]}


def test_the_command_prints_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state"
    with Store.open(state) as store:
        for _ in range(2):
            events = match(("ANNA", "UGO"), [{"carte": 1, "scope.0": 5}, {"denari": 2, "scope.0": 9}])
            store.append(store.begin("by hand", events[:1], "2026-11-30 21:40:00"), events[1:])
    plots = tmp_path / "plots"
    assert main(["matches", "stats", "--json", "--plots", str(plots), "--state", str(state)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["name"], line["matches"], line["won"], line["points"]) for line in lines] == [
        ("ANNA", 2, 2, 30),
        ("UGO", 2, 0, 2),
    ]
    assert sorted(file.name for file in plots.iterdir()) == ["match-0001.png", "match-0002.png", "players.png"]
    for file in plots.iterdir():
        with Image.open(file) as picture:
            assert picture.width == 800
            assert len(picture.convert("RGB").getcolors(100_000) or []) > 20
    assert main(["matches", "stats", "--state", str(state)]) == 0
    assert "ANNA" in capsys.readouterr().out


def test_without_matplotlib_one_line_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(f"No module named {name!r}")
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["matches", "stats", "--plots", str(tmp_path / "plots"), "--state", str(tmp_path)]) == 2
    assert "expected matplotlib for pictures" in capsys.readouterr().err
