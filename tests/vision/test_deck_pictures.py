"""Learning from pictures of a table reads the same cards as learning from the faces themselves."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK
from vision.deck import make_deck
from vision.deck_check import check_deck
from vision.deck_pictures import learn_pictures
from vision.errors import DeckError
from vision.recognise import match_patches
from vision.synthetic.deck import faces
from vision.templates import HEIGHT

WIDTH = 150


@pytest.fixture(scope="module")
def drawn() -> dict:
    return faces(width=WIDTH)


def table(height: int, width: int, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 3, (height, width, 3))
    return np.clip(np.array((60, 90, 40)) + noise, 0, 255).astype(np.uint8)


def write_tens(folder: Path, drawn: dict) -> None:
    for suit in range(4):
        picture = table(720, 1280, suit)
        for place, card in enumerate(DECK[suit * 10 : suit * 10 + 10]):
            face = drawn[card]
            top, left = 40 + 340 * (place // 5) + 7 * (place % 3), 60 + 240 * (place % 5)
            picture[top : top + face.shape[0], left : left + face.shape[1]] = face
        cv2.imwrite(str(folder / f"{suit}.png"), picture)


def test_four_pictures_of_ten_cards(tmp_path: Path, drawn: dict) -> None:
    write_tens(tmp_path, drawn)
    learnt = learn_pictures(tmp_path, "photographed")
    assert learnt.aspect == pytest.approx(make_deck("drawn", drawn).aspect, rel=0.03)
    size = (learnt.templates.width, HEIGHT)
    patches = [cv2.resize(drawn[card], size, interpolation=cv2.INTER_AREA) for card in DECK]
    matches = match_patches(patches, learnt.templates)
    assert [match.card for match in matches] == list(DECK)
    assert not any(match.turned for match in matches)
    assert min(match.quality for match in matches) > 0.9
    assert check_deck(learnt) == ()


def test_forty_pictures_of_one_card(tmp_path: Path, drawn: dict) -> None:
    for number, card in enumerate(DECK):
        picture = table(400, 600, number)
        face = drawn[card]
        picture[60 : 60 + face.shape[0], 200 : 200 + face.shape[1]] = face
        cv2.imwrite(str(tmp_path / f"{number:02d}.png"), picture)
    learnt = learn_pictures(tmp_path, "photographed")
    size = (learnt.templates.width, HEIGHT)
    patches = [cv2.resize(drawn[card], size, interpolation=cv2.INTER_AREA) for card in DECK]
    assert [match.card for match in match_patches(patches, learnt.templates)] == list(DECK)


def test_says_on_which_picture_a_card_is_missing(tmp_path: Path, drawn: dict) -> None:
    write_tens(tmp_path, drawn)
    picture = cv2.imread(str(tmp_path / "2.png"))
    picture[380:, :300] = (60, 90, 40)
    cv2.imwrite(str(tmp_path / "2.png"), picture)
    with pytest.raises(DeckError, match=r"expected 10 separate cards on 2\.png, got 9"):
        learn_pictures(tmp_path, "photographed")


def test_other_numbers_of_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="expected 4 pictures of ten cards or 40 of one"):
        learn_pictures(tmp_path, "photographed")
