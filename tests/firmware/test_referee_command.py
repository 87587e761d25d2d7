"""`arbitro referee`: bad input gets one clear line and exit status 2, and nothing is lost or begun."""

from __future__ import annotations

import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import main
from firmware.store import Store
from vision.synthetic.deck import write_deck


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faces")
    write_deck(folder, width=120)
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Three pictures of an empty table."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((270, 480, 3), 40, np.uint8))
    return folder


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that a refused command prints."""
    status = main(["referee", *map(str, arguments)])
    printed = capsys.readouterr()
    lines = printed.err.strip().splitlines()
    assert (status, len(lines)) == (2, 1), printed
    return lines[0]


def test_bad_input_is_refused_with_one_line_and_begins_nothing(
    faces: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    no_video = tmp_path / "no.mp4"
    no_video.write_text("this is no video")
    deck = ("--deck", faces, "--state", state)
    assert "expected a video" in refused(capsys, no_video, *deck)
    assert "does not exist" in refused(capsys, tmp_path / "nothing.mp4", *deck)
    assert "scopa_5" in refused(capsys, pictures, *deck, "--variant", "scopa_5")
    assert "tarjet" in refused(capsys, pictures, *deck, "--rule", "tarjet=21")
    assert "a whole number from" in refused(capsys, pictures, *deck, "--rule", "target=many")
    assert "NAME=VALUE" in refused(capsys, pictures, *deck, "--rule", "target")
    assert "2 different names" in refused(capsys, pictures, *deck, "--players", "ANNA,ANNA")
    assert "--hands of 1 or more" in refused(capsys, pictures, *deck, "--hands", 0)
    assert "more than 3" in refused(capsys, pictures, *deck, "--from-frame", 3)
    assert "expected a learnt deck" in refused(capsys, pictures, "--deck", "nobody", "--state", state)
    with Store.open(state) as store:
        assert store.matches() == []


def test_a_deck_with_39_faces_is_refused_by_the_name_of_the_missing_one(
    faces: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short"
    shutil.copytree(faces, short)
    next(short.glob("spade_4.*")).unlink()
    assert "spade_4" in refused(capsys, pictures, "--deck", short, "--state", tmp_path / "state")


def test_a_newer_state_and_a_second_process_are_refused(
    faces: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open(tmp_path / "held"):
        assert "in use by another arbitro" in refused(capsys, pictures, "--deck", faces, "--state", tmp_path / "held")
    newer = tmp_path / "newer"
    newer.mkdir()
    with sqlite3.connect(newer / "arbitro.db") as connection:
        connection.execute("PRAGMA user_version = 7")
    assert "newer arbitro" in refused(capsys, pictures, "--deck", faces, "--state", newer)


def test_a_full_disk_ends_with_one_line_and_keeps_what_was_committed(
    faces: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    line = refused(capsys, pictures, "--deck", faces, "--state", state, "--events", "/dev/full")
    assert "No space left" in line
    with Store.open(state) as store:
        assert [row.name for row in store.matches()] == ["pictures"]


def test_a_state_that_cannot_grow_ends_with_one_line(faces: Path, pictures: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: SQLite meets the same error in the middle of a write."""
    command = [
        sys.executable,
        "-m",
        "firmware.cli",
        "referee",
        pictures,
        "--deck",
        faces,
        "--state",
        tmp_path / "state",
    ]
    done = subprocess.run(
        command,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_table_without_cards_gives_the_start_and_nothing_else(
    faces: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = tmp_path / "events.jsonl"
    assert (
        main(["referee", str(pictures), "--deck", str(faces), "--state", str(tmp_path), "--events", str(events)]) == 0
    )
    (line,) = events.read_text().splitlines()
    assert line.startswith('{"event":"start","variant":"scopa_2"')
