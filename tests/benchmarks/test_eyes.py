"""`make bench`: one full read of ten cards, and one frame in which nothing moved. Numbers depend on the machine."""

from __future__ import annotations

import cv2
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from firmware.benchmark import SIZES, TEN, draw_table, frames_at_rest, own_deck
from vision.detect import read

cv2.setNumThreads(1)
DECK = own_deck()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_one_read_of_ten_cards(benchmark: BenchmarkFixture, size: tuple[int, int]) -> None:
    picture = draw_table(DECK, size, TEN)
    reading = benchmark(read, picture, DECK)
    assert {seen.card for seen in reading.cards} == set(TEN)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_one_frame_in_which_nothing_moved(benchmark: BenchmarkFixture, size: tuple[int, int]) -> None:
    told = benchmark(frames_at_rest(DECK, size))
    assert told.still
    assert {seen.card for seen in told.cards} == set(TEN)
