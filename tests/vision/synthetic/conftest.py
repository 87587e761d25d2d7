"""Small quick matches to look at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.rules import variant
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, plain_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace

MakeMatch = Callable[..., RenderedMatch]


@pytest.fixture(scope="session")
def pack() -> Pack:
    return our_pack()


@pytest.fixture
def make_match(pack: Pack) -> MakeMatch:
    """A match on a plain table, 384 x 216 pixels; `plan` overrides what happens in it."""

    def make(
        rules: str = "scopa_2", seed: int = 1, mess: float = 0.0, fps: int = 5, piles: bool = True, **plan: object
    ) -> RenderedMatch:
        look = plain_look(pack, 384, 216, fps)
        return RenderedMatch(Plan(variant(rules), **plan), look, Pace(), fps, seed, mess, piles)  # type: ignore[arg-type]

    return make
