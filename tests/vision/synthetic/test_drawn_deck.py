"""The decks that we draw: complete, alike every time, and told apart easily by person and program."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.synthetic.deck import back, faces, write_deck
from vision.synthetic.sheet import A4, write_sheet
from vision.synthetic.style import STYLES


@pytest.mark.parametrize("style", STYLES)
def test_forty_faces_of_the_right_shape(style: str) -> None:
    deck = faces(style, 100)
    assert tuple(deck) == DECK
    wide, high = STYLES[style].millimetres
    (shape,) = {face.shape for face in deck.values()}
    assert shape[1:] == (100, 3)
    assert shape[0] == pytest.approx(100 * high / wide, abs=1)
    assert back(style, 100).shape == next(iter(deck.values())).shape


@pytest.mark.parametrize("style", STYLES)
def test_any_two_faces_differ_clearly_in_either_direction(style: str) -> None:
    """At the size that a camera sees, the two closest cards differ somewhere by a quarter of the range and more."""
    small = {card: cv2.resize(face, (40, 64), interpolation=cv2.INTER_AREA) for card, face in faces(style, 100).items()}
    for one, other in itertools.combinations(DECK, 2):
        for turned in (small[other], small[other][::-1, ::-1]):
            assert cv2.absdiff(small[one], turned).max() > 64, f"{one} and {other} look alike"


def test_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert write_deck(tmp_path / name, "settentrionale", 60) == 41
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_folder_is_named_as_a_deck_folder_is(tmp_path: Path) -> None:
    write_deck(tmp_path, "francese", 60)
    suits = ("quadri", "cuori", "picche", "fiori")
    expected = {f"{suit}_{value}" for suit in suits for value in range(1, 11)} | {"back"}
    assert {file.stem for file in tmp_path.iterdir()} == expected


def test_number_cards_show_as_many_signs_as_they_are_worth() -> None:
    """Counted on the picture: patches of ink that do not touch each other."""
    deck = faces("francese", 300)
    for suit, value in itertools.product(range(4), range(2, 8)):
        inner = deck[Card(suit, value)][70:-70, 40:-40].min(axis=2)
        count, _ = cv2.connectedComponents((inner < 128).astype(np.uint8))
        assert count - 1 == value


def test_sheet_prints_cards_in_their_true_size(tmp_path: Path) -> None:
    pages = write_sheet(tmp_path / "deck.pdf", dpi=60)
    assert pages == 10
    text = (tmp_path / "deck.pdf").read_bytes()
    assert text.startswith(b"%PDF-")
    assert text.count(b"/Type /Page\n") == pages
    points = [float(word) for word in text.split(b"/MediaBox [")[1].split(b"]")[0].split()]
    assert points[2:] == pytest.approx([side / 25.4 * 72 for side in A4], abs=2)
    write_sheet(tmp_path / "again.pdf", dpi=60)
    assert (tmp_path / "again.pdf").read_bytes() == text
