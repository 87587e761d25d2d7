"""`arbitro matches`: what was played, as a list, event by event, as a text, and played again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine import game
from engine.cards import DECK
from engine.rules import variant
from firmware.cli import main
from firmware.events import AnyEvent, Played, Settled, Start, Table, Undone
from firmware.store import Store


def played_hand(seed: int) -> tuple[list[AnyEvent], list[int]]:
    """The events of a whole hand played by chance, and its totals as the engine counts them."""
    rules = variant("scopa_2")
    pack = Random(seed).sample(DECK, 40)
    state = game.new_hand(rules, 1, pack[:4], stock=pack[4:])
    events: list[AnyEvent] = [
        Start("scopa_2", rules.settings(), ("ANNA", "BRUNO"), (0, 1), 1),
        Table(tuple(map(str, pack[:4])), 4),
    ]
    while not state.over:
        play = Random(state.plays).choice(game.legal_plays(state))
        state = game.apply(state, play)
        takes = tuple(map(str, sorted(play.takes)))
        events.append(Played(state.plays, play.player, str(play.card), takes, False, state.plays * 9, 1.0, "seen"))
    return events, [points.total for points in game.score(state)]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    with Store.open(tmp_path) as store:
        store.begin("evening", played_hand(3)[0], "2026-01-01 20:00:00")
    return tmp_path


def test_an_exported_match_is_replayed_to_the_engines_points(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "export", "1", "--state", str(state)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Variant: scopa_2\n")
    (state / "match.txt").write_text(text)
    assert main(["matches", "replay", str(state / "match.txt")]) == 0
    lines = capsys.readouterr().out.splitlines()
    anna, bruno = played_hand(3)[1]
    assert len(lines) == 1 + 36 + 2
    assert f"total {anna}" in lines[-2] or (anna == 0 and "no points" in lines[-2])
    assert f"total {bruno}" in lines[-1] or (bruno == 0 and "no points" in lines[-1])


def test_an_illegal_play_in_a_text_ends_the_replay_with_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\ndeal 2d 6c Cc 2s\n1. A: 7d\n2. B: 6s\n"
    (tmp_path / "match.txt").write_text(text)
    assert main(["matches", "replay", str(tmp_path / "match.txt")]) == 1
    assert "play 2" in capsys.readouterr().err


def test_a_text_that_is_none_names_line_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\ndeal 2d 6c Cc 2s\n1. A: 8d\n"
    (tmp_path / "match.txt").write_text(text)
    assert main(["matches", "replay", str(tmp_path / "match.txt")]) == 2
    assert "line 6" in capsys.readouterr().err


def test_open_settled_and_undone_plays_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = variant("scopa_2")
    opened = Played(1, 0, None, ("6c",), False, 9, 0.5, "open", ("6d", "6s"))
    events: list[AnyEvent] = [
        Start("scopa_2", rules.settings(), ("ANNA", "BRUNO"), (0, 1), 1),
        Table(("2d", "6c", "Cc", "2s"), 4),
        opened,
        Settled(1, "6s", 20, "deduced"),
        Played(2, 1, "Fd", (), False, 30, 1.0, "seen"),
        Undone(2, 40),
    ]
    with Store.open(tmp_path) as store:
        store.begin("x", events, "2026-01-01 20:00:00")
    main(["matches", "export", "1", "--state", str(tmp_path)])
    text = capsys.readouterr().out
    assert "1. ANNA: 6s x 6c" in text
    assert "2. BRUNO: Fd\nundo" in text


def test_list_and_show_tell_what_was_played(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["matches", "list", "--state", str(state)])
    assert "scopa_2" in capsys.readouterr().out
    main(["matches", "show", "1", "--state", str(state)])
    assert len(capsys.readouterr().out.splitlines()) == 38


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999"])
def test_a_match_that_is_not_there_is_one_line_and_status_2(
    number: str, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matches", "show", number, "--state", str(state)]) == 2
    assert "the number of a match" in capsys.readouterr().err
