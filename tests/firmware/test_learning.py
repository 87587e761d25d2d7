"""A deck is learnt under the camera: from the menu with the buttons, and by `arbitro deck learn` from a video."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK
from firmware.app import App, Parts
from firmware.cli import main
from firmware.config import Config
from firmware.decks import deck_names, open_deck
from firmware.desk import Desk
from firmware.menu import Listing
from firmware.store import Store
from firmware.tasks import Tasks
from firmware.times import Times
from hardware.buzzer import Sound
from hardware.frame import Frame
from hardware.gestures import Gesture
from hardware.live import CameraHealth
from vision.observation import TableObservation
from vision.synthetic.deck import faces

SHAPE = (540, 960, 3)


@pytest.fixture(scope="module")
def suits() -> list[np.ndarray]:
    """Four tables with ten cards each."""
    drawn = faces(width=110)
    tables = []
    for suit in range(4):
        table = np.full(SHAPE, (60, 90, 40), np.uint8)
        for place, card in enumerate(DECK[10 * suit : 10 * suit + 10]):
            top, left = 40 + 250 * (place // 5), 60 + 170 * (place % 5)
            table[top : top + drawn[card].shape[0], left : left + 110] = drawn[card]
        tables.append(table)
    return tables


class Box:
    """A box whose camera shows what lies on `table`; its watcher and its buzzer write down what they are asked."""

    def __init__(self, store: Store, state: Path) -> None:
        self.now, self.number = 50.0, 0
        self.table = np.full(SHAPE, (60, 90, 40), np.uint8)
        self.sounds: list[Sound] = []
        self.looked = 0
        self.health = CameraHealth("ok")
        self.desk = Desk(store, Times(), lambda: "2026-11-30 21:40:00")
        tasks = Tasks(store, state, Config(), dict, root=state)
        parts = Parts(self, buzzer=self)
        self.app = App(self.desk, parts, lambda name: self, lambda: self.now, tasks=tasks)
        self.steps(1)

    def newest(self, wait: float = 0.0) -> Frame:
        self.number += 1
        return Frame(self.table, self.now, self.number)

    def update(self, picture: object, frame: int, time: float, little: object = None) -> TableObservation:
        self.looked += 1
        return TableObservation(frame, time, True, (), (), ())

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.now += 0.2
            self.app.step()

    def press(self, button: str) -> None:
        self.desk.gesture(Gesture(button, "press", self.now))
        self.steps(2)  # the wish is heard after the screen of its turn

    def choose(self, line: str) -> None:
        page = self.desk.menu.page
        while not isinstance(page, Listing) or page.at != line:
            self.press("plus")
            page = self.desk.menu.page
        self.press("ok")

    def lay(self, table: np.ndarray) -> None:
        self.table = table.copy()
        self.table[300:, 400:500] = (90, 120, 170)
        self.steps(1)
        self.table = table
        self.steps(5)

    @property
    def rows(self) -> str:
        return "\n".join(self.desk.screen(self.now).rows)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Store.open(tmp_path) as store:
        yield Box(store, tmp_path)


def test_from_the_menu_to_a_deck_that_is_played_with(box: Box, suits: list[np.ndarray], tmp_path: Path) -> None:
    box.choose("settings")
    box.choose("learn")
    looked = box.looked
    assert "IMPARA MAZZO     0/40" in box.rows
    assert "A DENARI" in box.rows
    box.lay(suits[0])
    assert "IMPARA MAZZO    10/40" in box.rows
    assert "A COPPE" in box.rows
    box.press("plus")
    assert "2 COPPE" in box.rows
    box.press("minus")
    assert "R DENARI" in box.rows
    assert "IMPARA MAZZO     9/40" in box.rows
    single = suits[0].copy()
    single[:280] = single[280:, :740] = (60, 90, 40)
    box.lay(single)
    box.press("no")
    box.steps(3)
    assert box.looked > looked, "the table is watched again"
    box.choose("learn")
    assert "IMPARA MAZZO    10/40" in box.rows, "what was learnt stays"
    for suit in (1, 2, 3):
        box.lay(suits[suit])
    assert "IMPARA MAZZO    40/40" in box.rows
    assert "IL DORSO" in box.rows
    assert box.sounds == ["click"] * 5
    assert deck_names(tmp_path) == ()
    box.press("ok")
    assert deck_names(tmp_path) == ("mazzo 1",)
    assert box.desk.menu.choices.deck == "mazzo 1"
    assert box.desk.facts(box.now).known.decks == ("arbitro", "mazzo 1")
    assert open_deck("mazzo 1", tmp_path).faces.shape[0] == 40


def test_ok_takes_what_lies_there_and_nothing_is_saved_before_all_are_there(
    box: Box, suits: list[np.ndarray], tmp_path: Path
) -> None:
    box.choose("settings")
    box.choose("learn")
    single = suits[0].copy()
    single[:, 220:] = single[280:] = (60, 90, 40)
    box.lay(cv2.GaussianBlur(single, (0, 0), 3))
    assert "sfocata" in box.rows
    box.press("ok")
    box.steps(2)
    assert "IMPARA MAZZO     1/40" in box.rows
    assert deck_names(tmp_path) == ()


def test_the_command_learns_from_a_video(
    suits: list[np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cards.avi"
    video = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 5, SHAPE[1::-1])
    for table in suits:
        for _ in range(8):  # the first few differ: the encoder looks for its quality
            video.write(table)
    video.release()
    assert main(["deck", "learn", "mine", str(file), "--state", str(tmp_path), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["faces"] == 40
    assert "lay Ac down" in output.err
    assert main(["deck", "learn", "half", str(file), "--state", str(tmp_path), "--fps", "30"]) == 2
    assert "expected 40 faces, got" in capsys.readouterr().err
    assert deck_names(tmp_path) == ("mine",)
