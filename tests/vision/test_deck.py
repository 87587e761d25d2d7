"""Learning a deck, keeping it, checking it: on a deck that the project draws."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.deck import Deck, learn_folder, load_deck, make_deck, save_deck
from vision.deck_check import check_deck, likest_pairs
from vision.errors import DeckError
from vision.synthetic.deck import faces, write_deck


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faces")
    write_deck(path, width=150)
    return path


@pytest.fixture(scope="module")
def deck(folder: Path) -> Deck:
    return learn_folder(folder, "drawn")


def test_a_folder_becomes_forty_faces_and_a_back(deck: Deck) -> None:
    assert len(deck.faces) == 40
    assert deck.back is not None
    assert deck.face(Card.parse("7d")).shape == deck.faces.shape[1:]


def test_french_names_too(tmp_path: Path) -> None:
    write_deck(tmp_path, style="francese", width=100)
    assert (tmp_path / "quadri_7.png").exists()
    french = learn_folder(tmp_path, "drawn")
    assert 1.2 < french.aspect < 2.4
    assert french.family == "french"
    save_deck(french, tmp_path / "f.deck")
    assert load_deck(tmp_path / "f.deck").family == "french"


def test_says_which_face_is_missing_and_which_unreadable(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "spade_3.png").unlink()
    broken = (tmp_path / "coppe_7.png").read_bytes()
    (tmp_path / "coppe_7.png").write_bytes(broken[:40])
    with pytest.raises(DeckError, match=re.escape("got 38: coppe_7.png unreadable, spade_3 missing")):
        learn_folder(tmp_path, "drawn")


def test_stored_and_loaded_is_the_same(deck: Deck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path / "d.deck")
    again = load_deck(tmp_path / "d.deck")
    assert (again.faces == deck.faces).all()
    assert (again.name, again.aspect, again.pixels) == (deck.name, deck.aspect, deck.pixels)
    assert again.family == deck.family == "italian"
    assert again.back is not None
    assert [file.name for file in tmp_path.iterdir()] == ["d.deck"]


def test_a_deck_of_another_version_or_none_is_refused(deck: Deck, tmp_path: Path) -> None:
    path = tmp_path / "d.deck"
    save_deck(deck, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DeckError, match="expected a learnt deck"):
        load_deck(path)
    with path.open("wb") as file:
        np.savez(file, format=99)
    with pytest.raises(DeckError, match="expected a deck of format 1, got 99"):
        load_deck(path)


def test_a_full_disk_leaves_the_old_deck(deck: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "d.deck"
    save_deck(deck, path)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        save_deck(make_deck("other", faces(width=60)), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["d.deck"]


def test_a_good_deck_has_no_faults_and_its_likest_pair_shares_a_suit(deck: Deck) -> None:
    assert check_deck(deck) == ()
    pair = likest_pairs(deck, 1)[0]
    assert 0 < pair.margin < 1
    assert pair.first != pair.second


def test_faults_are_named(deck: Deck) -> None:
    pictures = {card: deck.face(card).copy() for card in DECK}
    soft, cut, same, shiny, small = (Card.parse(name) for name in ("Fd", "4c", "6s", "Rb", "2d"))
    pictures[soft] = np.asarray(cv2.GaussianBlur(pictures[soft], (0, 0), 5), np.uint8)
    pictures[cut][-9:] = 20
    pictures[same] = pictures[Card.parse("5s")]
    dimmed = pictures[shiny] // 2
    dimmed[60:150, 30:140] = 255
    pictures[shiny] = dimmed
    pictures[small] = np.asarray(
        cv2.resize(pictures[small], None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA), np.uint8
    )
    found = {(fault.card, fault.what) for fault in check_deck(make_deck("bad", pictures))}
    assert {(soft, "soft"), (cut, "cut"), (same, "same"), (shiny, "glare"), (small, "small")} <= found
    assert {card for card, _ in found} == {soft, cut, same, shiny, small}
