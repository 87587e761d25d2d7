"""The state in one file and back: whole or not at all, and nothing is lost by a restore."""

from __future__ import annotations

import os
import random
import signal
import zipfile
from pathlib import Path

import pytest

from engine.rules import variant
from firmware.backup import backup_to_stick, restore_backup, stick, write_backup
from firmware.choices import Choices
from firmware.cli import main
from firmware.config import Config
from firmware.desk import Desk
from firmware.errors import FirmwareError, StoreError, UsageError
from firmware.menu_facts import Facts, Progress
from firmware.referee import Referee
from firmware.store import Store
from firmware.tasks import Tasks
from firmware.text import Words
from firmware.times import Times
from hardware.gestures import Gesture

SAY = Words("it")


def box(folder: Path, players: tuple[str, ...], decks: tuple[str, ...] = ()) -> Path:
    """A state with one match, a choice and some decks."""
    with Store.open(folder) as store:
        store.begin("table", Referee(variant("scopa_2"), players).begin(), "2026-11-30 21:40:00")
        store.keep("choices", Choices(names=(*players, "", "")))  # type: ignore[arg-type]
    (folder / "decks").mkdir(exist_ok=True)
    for deck in decks:
        (folder / "decks" / f"{deck}.deck").write_bytes(deck.encode())
    return folder


def names(folder: Path) -> list[tuple[str, ...]]:
    with Store.look(folder) as store:
        return [row.start.players for row in store.matches()]


def test_what_was_backed_up_comes_back_and_what_it_replaced_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = box(tmp_path / "1", ("ANNA", "UGO"), ("piacentine",)), box(tmp_path / "2", ("PIA", "LEO"), ("sarde",))
    file = tmp_path / "all.zip"
    assert main(["matches", "backup", str(file), "--state", str(one)]) == 0
    assert "1 matches, 1 decks" in capsys.readouterr().out
    assert main(["matches", "restore", str(file), "--state", str(two)]) == 0
    assert names(two) == [("ANNA", "UGO")]
    with Store.look(two) as store:
        assert b"ANNA" in (store.setting("choices") or b"")
    assert sorted(deck.name for deck in (two / "decks").iterdir()) == ["piacentine.deck", "sarde.deck"]
    assert main(["matches", "restore", str(two / "before-restore-0001.zip"), "--state", str(two)]) == 0
    assert names(two) == [("PIA", "LEO")]
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_a_backup_is_made_while_the_box_runs(tmp_path: Path) -> None:
    one = box(tmp_path / "1", ("ANNA", "UGO"))
    with Store.open(one) as store:
        store.begin("by hand", Referee(variant("scopa_2"), ("PIA", "LEO")).begin(), "2026-11-30 22:40:00")
        assert main(["matches", "backup", str(tmp_path / "all.zip"), "--state", str(one)]) == 0
        assert main(["matches", "restore", str(tmp_path / "all.zip"), "--state", str(one)]) == 2
    two = tmp_path / "2"
    with Store.open(two) as store:
        restore_backup(store, two, tmp_path / "all.zip")
    assert len(names(two)) == 2


@pytest.mark.parametrize("broken", ["text", "cut", "stranger", "escape", "other database", "empty"])
def test_a_file_that_is_no_backup_changes_nothing(tmp_path: Path, broken: str) -> None:
    one, file = box(tmp_path / "1", ("ANNA", "UGO")), tmp_path / "all.zip"
    with Store.open(one) as store:
        write_backup(store, one, file)
    if broken == "text":
        file.write_text("no backup", encoding="utf-8")
    elif broken == "cut":
        file.write_bytes(file.read_bytes()[:-200])
    else:
        with zipfile.ZipFile(file, "w") as archive:
            if broken == "other database":
                archive.writestr("arbitro.db", b"SQLite format 3\x00" + bytes(100))
            elif broken == "stranger":
                archive.writestr("arbitro.db", b"")
                archive.writestr("notes.txt", b"")
            elif broken == "escape":
                archive.writestr("arbitro.db", b"")
                archive.writestr("decks/../../x.deck", b"")
    two = box(tmp_path / "2", ("PIA", "LEO"))
    with Store.open(two) as store, pytest.raises((UsageError, StoreError)):
        restore_backup(store, two, file)
    assert names(two) == [("PIA", "LEO")]
    assert not list(two.glob("before*"))


def test_a_restore_that_is_killed_leaves_the_old_or_the_new_matches(tmp_path: Path) -> None:
    chance = random.Random(5)
    one, file = box(tmp_path / "1", ("ANNA", "UGO")), tmp_path / "all.zip"
    with Store.open(one) as store:
        for _ in range(20):
            store.begin("by hand", Referee(variant("scopa_2"), ("ANNA", "UGO")).begin(), "2026-11-30 22:40:00")
        write_backup(store, one, file)
    for number in range(12):
        two = box(tmp_path / f"box{number}", ("PIA", "LEO"))
        child = os.fork()
        if child == 0:
            with Store.open(two) as store:
                restore_backup(store, two, file)
            os._exit(0)
        signal.sigtimedwait([], chance.random() * 0.06)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with Store.open(two) as store:
            players = [row.start.players for row in store.matches()]
        assert players in ([("PIA", "LEO")], [("ANNA", "UGO")] * 21)


def test_a_stick_gets_one_file_more_each_time(tmp_path: Path) -> None:
    one = box(tmp_path / "state", ("ANNA", "UGO"))
    (tmp_path / "media" / "stick").mkdir(parents=True)
    assert stick(tmp_path) is None, "a folder that nothing is mounted on is no stick"
    folder = stick(tmp_path, lambda place: place.name == "stick")
    assert folder == tmp_path / "media" / "stick"
    with Store.open(one) as store:
        made = [backup_to_stick(store, one, folder).name for _ in range(2)]
    assert made == ["arbitro-0001.zip", "arbitro-0002.zip"]


def test_the_menu_copies_to_a_stick_and_says_when_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, say = box(tmp_path / "state", ("ANNA", "UGO")), Words("en")
    with Store.open(one) as store:
        tasks = Tasks(store, one, Config(), dict, root=tmp_path)
        tasks.wish("backup", say)
        progress = tasks.told(Facts(), say).progress
        assert progress is not None
        assert progress.lines == (("USB stick", "not there"),)
        tasks.wish("cancel", say)
        assert tasks.told(Facts(), say).progress is None
        (tmp_path / "media" / "stick").mkdir(parents=True)
        monkeypatch.setattr("firmware.tasks.stick", lambda root: stick(root, lambda place: True))
        tasks.wish("backup", say)
        progress = tasks.told(Facts(), say).progress
        assert progress is not None
        assert progress.lines == (("arbitro-0001.zip", "OK"),)
    assert (tmp_path / "media" / "stick" / "arbitro-0001.zip").is_file()


def test_a_place_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    one = box(tmp_path / "state", ("ANNA", "UGO"))
    with Store.open(one) as store, pytest.raises(FirmwareError, match="expected a place"):
        write_backup(store, one, tmp_path / "nowhere" / "all.zip")


def test_the_menu_brings_back_what_an_older_copy_on_the_stick_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media" / "stick").mkdir(parents=True)
    monkeypatch.setattr("firmware.tasks.stick", lambda root: stick(root, lambda place: True))
    old, new = box(tmp_path / "old", ("ANNA", "UGO")), box(tmp_path / "new", ("PIA", "LEO"))
    with Store.open(old) as store:
        backup_to_stick(store, old, tmp_path / "media" / "stick")
    with Store.open(new) as store:
        desk = Desk(store, Times(), lambda: "2026-11-30 21:40:00", Facts())
        tasks = Tasks(store, new, Config(), dict, root=tmp_path)
        press(desk, tasks, *["no"], *["plus"] * 3, "ok", "minus", "ok")
        assert desk.screen(0.0).rows[:2] == ("COPIA SU USB", "arbitro-0002.zip   OK")
        press(desk, tasks, "minus")
        assert desk.screen(0.0).rows[:2] == ("RIPRENDERE DA USB?", "arbitro-0001.zip")
        press(desk, tasks, "ok")
        assert [row.start.players for row in store.matches()] == [("PIA", "LEO")], "a press alone restores nothing"
        press(desk, tasks, "ok:hold")
        assert [row.start.players for row in store.matches()] == [("ANNA", "UGO")]
        assert "partite, mazzi e" in desk.screen(0.0).rows
        press(desk, tasks, "ok", "no", "no")
        assert desk.facts(0.0).suspended is not None
        assert desk.facts(0.0).suspended.names == ("ANNA", "UGO")
    with Store.open(tmp_path / "again") as store:
        restore_backup(store, tmp_path / "again", tmp_path / "media" / "stick" / "arbitro-0002.zip")
        assert [row.start.players for row in store.matches()] == [("PIA", "LEO")], "what was replaced is on the stick"


def test_no_copy_is_brought_back_while_a_match_runs() -> None:
    copies = Progress(copies=("arbitro-0001.zip",))
    assert Facts(progress=copies).restorable == copies.copies
    assert Facts(progress=copies, number=3).restorable == ()


def press(desk: Desk, tasks: Tasks, *keys: str) -> None:
    """Gestures, and what the loop does for each."""
    for key in keys:
        button, _, kind = key.partition(":")
        desk.box = tasks.told(desk.box, SAY)
        desk.gesture(Gesture(button, kind or "press", 0.0))  # type: ignore[arg-type]
        for wish in desk.wishes():
            if wish.name != "restore_copy":
                tasks.wish(wish.name, SAY)
            elif tasks.restore(wish.n or 0, SAY):
                desk.renew()
        desk.box = tasks.told(desk.box, SAY)
