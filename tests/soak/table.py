"""Random hands at a rendered table, as the eyes see them: what was truly played, and the observations it leads to."""

from __future__ import annotations

import numpy as np

from engine.cards import DECK
from engine.rules import variant
from tests.soak.evening import VARIANTS, Evening
from vision.deck import make_deck
from vision.detect import read
from vision.settle import Watcher
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, random_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.stage import Pace

SIZE = (1024, 576)
"""Width and height in pixels: smaller than the camera's, so that twenty hands fit into half an hour."""


def rendered(seed: int) -> Evening | None:
    """A rendered hand as the eyes see it, at five frames a second. None for a misdeal that was dealt again."""
    pack = our_pack()
    look = random_look(pack, np.random.default_rng(seed), False, *SIZE, 5)
    name = VARIANTS[seed % len(VARIANTS)]
    match = RenderedMatch(Plan(variant(name)), look, Pace(), 5, seed, 0.05, True)
    watcher = Watcher(make_deck("ours", pack.faces, pack.back), read)
    observations = tuple(watcher.update(frame.picture, frame.number, frame.number / 5) for frame in match.frames())
    truth = match.truth()
    if len(truth["hands"]) != 1:
        return None
    order = {str(card): place for place, card in enumerate(DECK)}
    plays = tuple((p["player"], p["card"], tuple(sorted(p["takes"], key=order.__getitem__))) for p in truth["plays"])
    return Evening(name, observations, plays, truth["hands"][0]["total"])
