"""Random hands at a table that a camera watches: what was truly played, and the observations that it leads to.

Two doors: observations written by a table without errors (fast), and frames of a rendered table read by the eyes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from engine import game
from engine.cards import DECK
from engine.play import Play
from engine.rules import variant
from tests.firmware.camera import Camera, deck_order
from vision.deck import make_deck
from vision.detect import read
from vision.observation import TableObservation
from vision.settle import Watcher
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, random_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.stage import Pace

VARIANTS = ("scopa_2", "scopa_3", "scopa_4")


Told = tuple[int, str, tuple[str, ...]]


@dataclass(frozen=True)
class Evening:
    """One hand: the observations in their order, the plays (player, card, what it takes), the points of each side."""

    name: str
    observations: tuple[TableObservation, ...]
    plays: tuple[Told, ...]
    points: dict[str, int]


def evening(seed: int) -> Evening | None:
    """A hand as people play it: at their own pace, now and then pushing the cards or changing the light.

    None when the cards are a misdeal.
    """
    rng = random.Random(seed)
    name = rng.choice(VARIANTS)
    rules, cards = variant(name), deck_order(seed)
    first = cards[: rules.table_cards]
    if sum(card.value == 10 for card in first) > 2:
        return None
    state = game.new_hand(rules, rules.players - 1, first, stock=cards[rules.table_cards :])
    camera, plays = Camera(rules.players, rng.choice((5.0, 10.0))), []
    camera.rest(0.6)
    camera.deal(rules.players - 1, first)
    camera.rest(1.0)
    while not state.over:
        play = rng.choice(game.legal_plays(state))
        state = game.apply(state, play)
        plays.append((play.player, str(play.card), tuple(str(card) for card in sorted(play.takes))))
        _act(camera, play, rng)
    camera.gather(rules.players - 1)
    points = {str(side): score.total for side, score in enumerate(game.score(state))}
    return Evening(name, tuple(camera.seen), tuple(plays), points)


def rendered(seed: int) -> Evening | None:
    """A rendered hand as the eyes see it, at five frames a second. None for a misdeal that was dealt again."""
    pack = our_pack()
    look = random_look(pack, np.random.default_rng(seed), False, 1536, 864, 5)
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


def _act(camera: Camera, play: Play, rng: random.Random) -> None:
    rest = rng.uniform(1.0, 2.2)
    if play.takes:
        camera.take(play.player, play.card, play.takes, how="seen", rest=rest)
    else:
        camera.lay(play.player, play.card, rest=rest)
    if rng.random() < 0.03:
        camera.nudge(play.player)
    if rng.random() < 0.03:
        for _ in range(camera.frames(0.6)):
            camera.show(still=False, light=True)
        camera.settle()
        camera.rest(1.0)
