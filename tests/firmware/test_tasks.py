"""Calibration, self-test and report as the menu asks for them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK
from firmware.calibration import kept
from firmware.config import Config
from firmware.events import Played
from firmware.menu_facts import Facts
from firmware.store import Store
from firmware.tasks import Tasks
from firmware.text import Words
from vision.observation import SeenCard, TableObservation
from vision.synthetic.deck import faces

SAY = Words("en")


def table() -> np.ndarray:
    picture = np.full((576, 1024, 3), (70, 110, 50), np.uint8)
    face = cv2.resize(faces(width=160)[DECK[6]], (90, 150), interpolation=cv2.INTER_AREA)
    picture[200:350, 400:490] = face
    return picture


def seen() -> TableObservation:
    corners = ((400.0, 200.0), (490.0, 200.0), (490.0, 350.0), (400.0, 350.0))
    card = SeenCard(1, DECK[6], 0.9999, ((DECK[6], 0.9999),), corners, 1.0, True, True)
    return TableObservation(3, 0.6, True, (), (card,), ())


def tasks(store: Store, folder: Path, buzzer: bool = True) -> Tasks:
    return Tasks(store, folder, Config(), lambda: {"display": True, "buttons": True, "buzzer": buzzer}, root=folder)


def test_calibration_is_shown_while_its_page_is_open_and_kept_when_saved(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        box = tasks(store, tmp_path)
        box.look(table(), seen(), 1.0)
        assert box.told(Facts(), SAY).progress is None
        box.wish("calibrate", SAY)
        shown = box.told(Facts(), SAY).progress
        assert shown is not None
        assert shown.lines == ()
        box.look(table(), seen(), 2.0)
        shown = box.told(Facts(), SAY).progress
        assert shown is not None
        assert dict(shown.lines)["Card"] == "90 px"
        assert kept(store) is None
        box.wish("save", SAY)
        found = kept(store)
        assert found is not None
        assert found.card_width == 90
        assert box.told(Facts(), SAY).progress is None


def test_a_calibration_that_is_left_is_not_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        box = tasks(store, tmp_path)
        box.wish("calibrate", SAY)
        box.look(table(), seen(), 2.0)
        box.wish("cancel", SAY)
        box.wish("save", SAY)
        assert kept(store) is None


def test_one_judgement_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []
    monkeypatch.setattr("firmware.tasks.calibrate", lambda picture, reading: judged.append(picture))
    with Store.open(tmp_path) as store:
        box = tasks(store, tmp_path)
        box.wish("calibrate", SAY)
        for tick in range(31):
            box.look(table(), seen(), tick / 10)
    assert len(judged) == 4


def test_the_self_test_of_a_running_box(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        box = tasks(store, tmp_path, buzzer=False)
        box.wish("selftest", SAY)
        assert box.told(Facts(), SAY).findings[0].code == "C03"
        box.look(table(), seen(), 1.0)
        box.wish("selftest", SAY)
        codes = {finding.part: finding.code for finding in box.told(Facts(), SAY).findings}
    assert codes.pop("buzzer") == "S01"
    assert codes.pop("clock") == "T01"
    assert set(codes.values()) == {None}
    assert {"camera", "focus", "light", "display", "buttons", "disk", "supply", "versions"} <= codes.keys()


def test_reports_hold_the_last_plays_and_only_three_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(runtime))
    with Store.open(tmp_path) as store:
        box = tasks(store, tmp_path)
        box.look(table(), seen(), 1.0)
        box.played([Played(7, 0, "7d", (), False, 3, 0.9999, "seen")])
        for _ in range(5):
            box.wish("report", SAY)
    assert [file.name for file in sorted(tmp_path.glob("*.zip"))] == [f"report-{n:04}.zip" for n in (3, 4, 5)]
    with zipfile.ZipFile(tmp_path / "report-0005.zip") as archive:
        assert "plays/00007-0000003.jpg" in archive.namelist()
        assert json.loads(archive.read("findings.json"))[0]["part"] == "camera"
