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
    assert len(lines) == 1 + 36 + 2 + 1
    assert f"total {anna}" in lines[-3] or (anna == 0 and "no points" in lines[-3])
    assert f"total {bruno}" in lines[-2] or (bruno == 0 and "no points" in lines[-2])
    assert lines[-1].strip() == f"result {anna}-{bruno}"


def test_an_illegal_play_in_a_text_ends_the_replay_with_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\ndeal 2d 6c Cc 2s\n1. A: 7d\n2. B: 6s\n"
    (tmp_path / "match.txt").write_text(text)
    assert main(["matches", "replay", str(tmp_path / "match.txt")]) == 1
    assert "2. B: 6s: " in capsys.readouterr().err


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


def replayed(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], str]:
    (folder / "match.txt").write_text(text)
    status = main(["matches", "replay", str(folder / "match.txt")])
    out, err = capsys.readouterr()
    return status, [line.rstrip() for line in out.splitlines()], err


def exported(seed: int, state: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The text of a whole hand of scopa_2."""
    with Store.open(state) as store:
        number = store.begin("other", played_hand(seed)[0], "2026-01-01 20:00:00")
    assert main(["matches", "export", str(number), "--state", str(state)]) == 0
    return capsys.readouterr().out


def test_knocks_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = exported(3, tmp_path, capsys).replace("scopa_2", "scopa_2\nRules: bussate=true")
    begin = text.index("1. ANNA")
    hand = [line.split()[2] for line in text[begin:].splitlines()[:6:2]]
    knocked = f"{text[:begin]}ANNA: knock three\n{text[begin:]}"
    status, lines, _ = replayed(knocked, tmp_path, capsys)
    assert (status, len(hand)) == (0, 3)
    assert any("bussate 10" in line for line in lines if line.startswith("ANNA: ")), lines


def test_a_claim_ends_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Variant: scopa_dichiarata\nPlayers: A, B\nDealer: B\n\ndeal 2d 6c Cc 2s\n1. A: 7d\nB: claim\n"
    assert replayed(text, tmp_path, capsys)[1][-1] == "result 0-0 A"
    status, _, err = replayed(text + "2. B: 4d\n", tmp_path, capsys)
    assert status == 2
    assert "2. B: 4d: expected nothing after the end" in err


def test_a_result_that_the_plays_do_not_have_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = exported(3, tmp_path, capsys)
    anna, bruno = played_hand(3)[1]
    assert replayed(f"{text}result {anna}-{bruno}\n", tmp_path, capsys)[0] == 0
    status, _, err = replayed(f"{text}result {anna + 1}-{bruno}\n", tmp_path, capsys)
    assert status == 1
    assert f"expected result {anna}-{bruno}, got result {anna + 1}-{bruno}" in err


def test_a_score_kept_by_hand_has_a_result_and_no_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\n; hand 0:11 1:3\nresult 11-3 A\n"
    assert replayed(text, tmp_path, capsys) == (0, [], "")


def test_what_was_undone_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\ufeffVariant: scopa_2\r\nPlayers: A, B\r\nDealer: B\r\n\r\ndeal 2d 6c Cc 2s\r\n"
    undone = "1. A: 7d\r\n2. B: 6s\r\nundo\r\n2. B: 6s x 6c\r\nundo\r\nundo\r\n1. A: 6d x 6c\r\n"
    assert replayed(text + undone, tmp_path, capsys)[1][1:] == ["1. A: 6d x 6c" + " " * 29 + "2d Cc 2s"]
    assert replayed(text + "undo\r\nundo\r\n", tmp_path, capsys)[0] == 2


def test_an_accepted_play_is_exported_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = variant("scopa_2")
    events: list[AnyEvent] = [
        Start("scopa_2", rules.settings(), ("ANNA", "BRUNO"), (0, 1), 1),
        Table(("2d", "6c", "Cc", "2s"), 4),
        Played(1, 0, "6s", (), False, 9, 1.0, "asked", overruled=True),
    ]
    with Store.open(tmp_path) as store:
        store.begin("x", events, "2026-01-01 20:00:00")
    main(["matches", "export", "1", "--state", str(tmp_path)])
    text = capsys.readouterr().out
    assert "1. ANNA: 6s ! ; asked" in text
    assert replayed(text, tmp_path, capsys)[:2] == (
        0,
        ["deal 2d 6c Cc 2s" + " " * 26 + "2d 6c Cc 2s", "1. ANNA: 6s !" + " " * 29 + "2d 6c Cc 2s 6s"],
    )


def test_an_open_card_leaves_a_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sevens of denari and coppe, both captors, exchanged at will: the settebello may be on either side."""
    for seed in range(40):
        events, _ = played_hand(seed)
        captors = [one for one in events if isinstance(one, Played) and one.card in {"7d", "7c"} and one.takes]
        if len({one.player for one in captors}) == 2:
            break
    text = exported(seed, tmp_path, capsys)
    for one in captors:
        text = text.replace(f": {one.card} x", ": 7d|7c x")
    status, lines, _ = replayed(text, tmp_path, capsys)
    assert status == 0
    assert all("settebello 0 to 1" in line for line in lines if line.startswith(("ANNA: ", "BRUNO: ")))
    assert " or " in lines[-1]


def test_rounds_of_sette_e_mezzo_are_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Variant: sette_e_mezzo\nPlayers: A, B\nDealer: B\n\ndeal 7d 4c\nA: stake 10\nA: draw 2d\n"
    status, lines, err = replayed(text, tmp_path, capsys)
    assert (status, lines[2], err) == (0, "A: draw 2d" + " " * 32 + "2d", "")
    assert replayed(text + "B: draw 2c\nB: stand\nresult 90-110 B\n", tmp_path, capsys)[0] == 0
    assert replayed(text + "B: draw 2c\nB: stand\nresult 100-100\n", tmp_path, capsys)[0] == 1
    assert replayed(text + "A: draw 2c\n", tmp_path, capsys)[0] == 1
