"""`arbitro deck` and `arbitro read`, and decks on disk."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import Card
from firmware.cli import main
from firmware.decks import deck_names, open_deck
from vision.deck import make_deck
from vision.synthetic.deck import face, faces, write_deck
from vision.synthetic.style import DEFAULT_STYLE, STYLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faces")
    write_deck(path, width=120)
    return path


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    table = np.full((480, 640, 3), (50, 90, 40), np.uint8)
    card = face(Card.parse("7d"), STYLES[DEFAULT_STYLE], 90)
    table[100 : 100 + card.shape[0], 200 : 200 + card.shape[1]] = card
    (tmp_path / "in").mkdir()
    cv2.imwrite(str(tmp_path / "in" / "t.png"), table)
    return tmp_path / "in" / "t.png"


def test_learn_list_show_remove(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = ["--state", str(tmp_path)]
    assert main(["deck", "learn", "mine", str(folder), *state]) == 0
    assert deck_names(tmp_path) == ("mine",)
    assert main(["deck", *state, "list"]) == 0
    assert main(["deck", "show", "mine", "--json", *state]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "mine"
    assert json.loads(lines[-1])["faces"] == 40
    assert main(["deck", "remove", "mine", *state]) == 0
    assert main(["deck", "show", "mine", *state]) == 2
    assert "'mine' (learnt: none)" in capsys.readouterr().err


def test_a_deck_says_what_its_cards_are_called(folder: Path, tmp_path: Path) -> None:
    state = ["--state", str(tmp_path)]
    assert main(["deck", "learn", "mine", str(folder), "--cards", "donna", *state]) == 0
    assert open_deck("mine", tmp_path).family == "donna"
    assert main(["deck", "cards", "mine", "french", *state]) == 0
    assert open_deck("mine", tmp_path).family == "french"


def test_a_folder_with_39_faces_is_refused_and_nothing_kept(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "part"
    part.mkdir()
    for file in folder.iterdir():
        if file.name != "denari_7.png":
            (part / file.name).write_bytes(file.read_bytes())
    assert main(["deck", "learn", "mine", str(part), "--state", str(tmp_path / "s")]) == 2
    assert "got 39: denari_7 missing" in capsys.readouterr().err
    assert deck_names(tmp_path / "s") == ()


@pytest.mark.parametrize("name", ["../up", "", ".hidden", "a/b"])
def test_a_name_that_is_none_is_refused(name: str, folder: Path, tmp_path: Path) -> None:
    assert main(["deck", "learn", name, str(folder), "--state", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_learnt_once_and_again_when_a_face_changes(folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for file in folder.iterdir():
        (mine / file.name).write_bytes(file.read_bytes())
    first = open_deck(str(mine), tmp_path / "s")
    kept = list((tmp_path / "s" / "cache").iterdir())
    assert len(kept) == 1
    kept[0].write_bytes(b"half")
    assert (open_deck(str(mine), tmp_path / "s").faces == first.faces).all()
    cv2.imwrite(str(mine / "coppe_3.png"), np.full((150, 90, 3), 200, np.uint8))
    assert not (open_deck(str(mine), tmp_path / "s").faces == first.faces).all()


def test_the_projects_own_deck_needs_no_learning(tmp_path: Path) -> None:
    assert (open_deck("arbitro", tmp_path).faces == make_deck("arbitro", faces()).faces).all()


def test_read_prints_a_line_a_picture_and_annotates(
    folder: Path, picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["read", str(picture.parent), "--deck", str(folder), "--state", str(tmp_path / "s")]
    assert main([*arguments, "--json", "--annotate", str(out)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert list(line) == ["image", "width", "height", "milliseconds", "cards", "backs", "unreadable"]
    assert (line["image"], line["width"], line["height"]) == ("t.png", 640, 480)
    (card,) = line["cards"]
    assert card["card"] == "7d"
    assert card["corners"][0] == pytest.approx([199.5, 99.5], abs=1.5)
    assert card["corners"][2] == pytest.approx([289.5, 249.5], abs=1.5)
    drawn = cv2.imread(str(out / "t.png"))
    assert drawn is not None
    assert (drawn != cv2.imread(str(picture))).any()


def test_a_broken_picture_is_named_and_the_others_are_read(
    folder: Path, picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (picture.parent / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    assert main(["read", str(picture.parent), "--deck", str(folder), "--state", str(tmp_path / "s")]) == 1
    captured = capsys.readouterr()
    assert "expected a picture, got a.jpg" in captured.err
    assert captured.out.startswith("t.png: 7d")
