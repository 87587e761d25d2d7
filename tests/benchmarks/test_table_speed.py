"""`make bench`: how fast the table is rendered. Numbers depend on the machine."""

from __future__ import annotations

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from engine.rules import variant
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, random_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.stage import Pace

cv2.setNumThreads(1)


def test_a_hand_of_36_plays(benchmark: BenchmarkFixture) -> None:
    """1536 x 864 pixels, 5 frames a second, from the empty table to the empty table."""

    def render() -> int:
        look = random_look(our_pack(), np.random.default_rng(2), hard=False)
        match = RenderedMatch(Plan(variant("scopa_2")), look, Pace(), 5, 2, 0.05)
        frames = sum(1 for _ in match.frames())
        assert len(match.truth()["plays"]) == 36
        return frames

    assert benchmark.pedantic(render, rounds=1) > 400
