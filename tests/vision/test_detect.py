"""Reading one picture: the project's own deck, laid on plain and noisy tables by a warp of this file."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck, make_deck
from vision.detect import read
from vision.errors import PictureError
from vision.synthetic.deck import back, faces

Array = NDArray[np.float32]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("drawn", faces(width=150), back(width=150))


def table(seed: int = 0, colour: tuple[int, int, int] = (60, 90, 40)) -> NDArray[np.uint8]:
    noise = np.random.default_rng(seed).normal(0, 4, (864, 1536, 3))
    return np.asarray(np.clip(np.array(colour) + noise, 0, 255), np.uint8)


def lay(picture: NDArray[np.uint8], face: NDArray[np.uint8], x: float, y: float, degrees: float, long: float) -> Array:
    """Draw a face with its middle at (x, y); returns its corners, the face's top left first."""
    turn, h, w = math.radians(degrees), long / 2, long / 2 * face.shape[1] / face.shape[0]
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) @ spin.T + (x, y)
    source = np.array([(0, 0), (face.shape[1], 0), (face.shape[1], face.shape[0]), (0, face.shape[0])], np.float32)
    matrix = cv2.getPerspectiveTransform(source - 0.5, corners.astype(np.float32))
    small = cv2.GaussianBlur(face, (0, 0), max(0.3, face.shape[0] / long / 2))
    size = (picture.shape[1], picture.shape[0])
    warped = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, size) > 127
    picture[mask] = warped[mask]
    return corners.astype(np.float32)


@pytest.mark.parametrize("turned", range(0, 360, 45))
def test_all_forty_cards_at_every_angle(deck: Deck, turned: int) -> None:
    for start in range(0, 40, 10):
        picture, laid = table(start), {}
        for place, card in enumerate(DECK[start : start + 10]):
            x, y = 190 + 280 * (place % 5), 220 + 400 * (place // 5)
            laid[card] = lay(picture, deck.face(card), x, y, turned + 7 * place, 150)
        reading = read(picture, deck)
        assert {detection.card for detection in reading.cards} == set(laid)
        for detection in reading.cards:
            assert detection.card is not None
            assert detection.confidence > 0.99
            off = np.abs(np.array(detection.corners) - laid[detection.card]).max()
            assert off < 0.02 * 150, f"{detection.card}: corners off by {off:.1f} pixels"


@pytest.mark.parametrize("colour", [(60, 90, 40), (200, 205, 210), (30, 30, 30), (60, 40, 150), (120, 190, 210)])
@pytest.mark.parametrize("long", [80, 130, 300])
def test_any_table_and_size(deck: Deck, colour: tuple[int, int, int], long: int) -> None:
    picture, laid = table(1, colour), {Card.parse(name) for name in ("Ad", "7c", "Cs", "6b")}
    for place, card in enumerate(sorted(laid)):
        lay(picture, deck.face(card), 250 + 340 * place, 430, 20 * place, long)
    assert {detection.card for detection in read(picture, deck).cards} == laid


def test_a_back_is_a_back_and_an_empty_table_is_empty(deck: Deck) -> None:
    picture = table(2)
    assert read(picture, deck).cards == ()
    assert read(picture, deck).backs == ()
    assert deck.back is not None
    lay(picture, deck.back, 500, 400, 30, 150)
    reading = read(picture, deck)
    assert (len(reading.cards), len(reading.backs)) == (0, 1)


def test_what_is_smaller_than_the_cards_is_no_back(deck: Deck) -> None:
    picture = table(2)
    lay(picture, deck.face(Card.parse("6d")), 500, 400, 30, 150)
    assert deck.back is not None
    lay(picture, deck.back, 900, 400, 30, 60)
    reading = read(picture, deck)
    assert ([card.card for card in reading.cards], reading.backs) == ([Card.parse("6d")], ())


def test_another_decks_card_is_not_read(deck: Deck) -> None:
    picture = table(3)
    for place, card in enumerate(("Rs", "Ad", "4c")):
        lay(picture, faces("francese", 150)[Card.parse(card)], 300 + 400 * place, 400, 0, 150)
    assert [detection.card for detection in read(picture, deck).cards if detection.card] == []


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((864, 1536, 3), np.uint8),
        np.full((480, 640), 128, np.uint8),
        np.full((200, 300, 4), 90, np.uint8),
        np.full((40, 3000, 3), 200, np.uint8),
        np.random.default_rng(5).integers(0, 255, (600, 800, 3), np.uint8),
        np.random.default_rng(5).integers(0, 65535, (90, 120, 3), np.uint16),
    ],
    ids=["one", "black", "grey", "four", "thin", "noise", "deep"],
)
def test_no_picture_raises(deck: Deck, picture: NDArray[np.generic]) -> None:
    reading = read(picture, deck)
    assert (reading.height, reading.width) == picture.shape[:2]
    assert reading.cards == ()


def test_what_is_no_picture_is_said(deck: Deck) -> None:
    with pytest.raises(PictureError, match="expected a picture of 8-bit pixels"):
        read(np.zeros((10, 10, 3), np.float64), deck)


def checked() -> NDArray[np.uint8]:
    picture = table(7, (160, 160, 165)).astype(np.int16)
    rows, columns = np.indices(picture.shape[:2]) // 64
    picture[(rows + columns) % 2 == 1] -= (110, 120, 20)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def test_cards_on_a_checked_cloth(deck: Deck) -> None:
    picture, laid = checked(), {Card.parse(name) for name in ("3d", "7c", "Rs", "6b")}
    for place, card in enumerate(sorted(laid)):
        lay(picture, deck.face(card), 250 + 340 * place, 430, 25 + 20 * place, 160)
    assert {detection.card for detection in read(picture, deck).cards if detection.card} == laid


def test_half_a_card_is_not_read_as_a_smaller_one(deck: Deck) -> None:
    """The five of coins holds a drawing like the two's; what is no whole card beside others is not named."""
    picture = table(8)
    lay(picture, deck.face(Card.parse("Rs")), 300, 400, 10, 160)
    small = lay(picture, deck.face(Card.parse("2d")), 900, 400, 0, 90)
    cards = [detection.card for detection in read(picture, deck).cards if detection.card]
    assert cards == [Card.parse("Rs")]
    assert small.shape == (4, 2)


def test_a_mark_that_is_known_in_part_does_not_tell_the_shape_of_cards(deck: Deck) -> None:
    picture = table()
    laid = lay(picture, deck.face(Card.parse("Ad")), 700, 400, 4, 150)
    stock = lay(picture, back(width=150), 200, 200, 0, 150)
    pile = lay(picture, back(width=150), 1200, 700, 90, 150)
    mark = np.array([(1100, 640), (1210, 640), (1210, 550), (1100, 550)], np.float32)
    known = [tuple((float(x), float(y)) for x, y in place) for place in (stock, pile, mark)]
    (card,) = read(picture, deck, known).cards  # type: ignore[arg-type]
    assert str(card.card) == "Ad"
    assert np.abs(np.array(card.corners) - laid).max() < 3
