"""The store on a real disk: what is committed is there again, and what cannot be used is refused with one line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.errors import StoreError
from firmware.events import Match, Played, Start, Table
from firmware.store import Store, default_directory

START = Start(variant="scopa_2", rules={"target": 11}, players=("NORD", "SUD"), sides=(0, 1), dealer=1)
TABLE = Table(cards=("2d", "6c", "Cc", "2s"), frame=4)
PLAY = Played(n=1, player=0, card="7d", takes=(), scopa=False, frame=11, confidence=0.9998, how="seen")


def test_events_come_back_as_they_were_committed(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        match = store.begin("evening", [START], "2026-01-01")
        store.append(match, [TABLE, PLAY])
    with Store.open(tmp_path) as store:
        assert store.events(match) == [START, TABLE, PLAY]
        assert store.unfinished("evening") == match
        assert store.unfinished("another") is None


def test_a_match_that_is_won_or_left_is_not_resumed(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        won = store.begin("a", [START], "2026-01-01")
        store.append(won, [Match(totals={"0": 11, "1": 3}, winner="0")])
        left = store.begin("b", [START], "2026-01-01")
        store.leave(left)
        assert store.unfinished() is None
        assert [(row.name, row.state) for row in store.matches()] == [("a", "over"), ("b", "left")]


def test_one_name_is_one_match_in_play(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first, other = store.begin("a", [START], "2026-01-01"), store.begin("b", [START], "2026-01-01")
        second = store.begin("a", [START], "2026-01-02")
        assert store.unfinished("a") == second
        assert store.unfinished("b") == other
        assert [row.state for row in store.matches() if row.id == first] == ["left"]


def test_all_events_of_one_step_are_committed_or_none(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        match = store.begin("a", [START], "2026-01-01")
        store.append(match, [TABLE])
        store._connection.execute(f"INSERT INTO events VALUES ({match}, 3, '{{}}')")  # the place of the second one
        with pytest.raises(StoreError, match="UNIQUE"):
            store.append(match, [PLAY, PLAY])
        store._connection.execute("DELETE FROM events WHERE number = 3")
        assert store.events(match) == [START, TABLE]


def test_a_second_process_is_refused_and_told_who_holds_the_state(tmp_path: Path) -> None:
    code = "import sys, pathlib; from firmware.store import Store\nwith Store.open(pathlib.Path(sys.argv[1])): pass"
    command = [sys.executable, "-c", code, str(tmp_path)]
    with Store.open(tmp_path):
        other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert other.returncode != 0
    assert f"in use by another arbitro (process {os.getpid()})" in other.stderr
    assert subprocess.run(command, check=False).returncode == 0


def test_a_newer_state_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "arbitro.db") as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"newer arbitro \(form 99"), Store.open(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "arbitro.db") as newer:
        assert newer.execute("PRAGMA user_version").fetchone() == (99,)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "arbitro.db").write_bytes(b"not a database, but longer than a header of SQLite would ever be" * 20)
    with pytest.raises(StoreError, match="cannot be used"), Store.open(tmp_path):
        pass


def test_a_full_database_refuses_and_keeps_what_was_committed(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        match = store.begin("a", [START], "2026-01-01")
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        kept: list[Start | Table] = [START]

        def fill() -> None:
            for _ in range(1000):
                store.append(match, [TABLE])
                kept.append(TABLE)

        with pytest.raises(StoreError, match="full"):
            fill()
        assert store.events(match) == kept


def test_settings_are_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.setting("match") is None
        store.keep("match", {"variant": "scopa_3"})
        store.keep("match", {"variant": "scopa_4"})
    with Store.open(tmp_path) as store:
        assert store.setting("match") == b'{"variant":"scopa_4"}'


def test_an_unknown_match_is_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, pytest.raises(StoreError, match="expected the number of a match"):
        store.events(7)


def test_the_state_directory_of_systemd_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/arbitro:/other")
    assert default_directory() == Path("/var/lib/arbitro")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_DATA_HOME", "/home/someone/data")
    assert default_directory() == Path("/home/someone/data/arbitro")


def test_matches_can_be_looked_at_while_another_holds_them_and_after(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        match = store.begin("evening", [START], "2026-11-30")
        with Store.look(tmp_path) as looking:
            assert [row.id for row in looking.matches()] == [match]
            store.append(match, [Table(("7d",), 1)])
            assert looking.events(match)[-1] == Table(("7d",), 1)
            with pytest.raises(StoreError, match="readonly"):
                looking.append(match, [Table(("6d",), 2)])
    before = sorted(tmp_path.iterdir())
    with Store.look(tmp_path) as looking:
        assert len(looking.events(match)) == 2
    assert sorted(tmp_path.iterdir()) == before, "looking leaves nothing behind"


def test_a_state_without_matches_is_empty_when_looked_at(tmp_path: Path) -> None:
    with Store.look(tmp_path / "none") as looking:
        assert looking.matches() == []
    assert not (tmp_path / "none").exists()
