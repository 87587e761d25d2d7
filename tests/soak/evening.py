"""Random hands as people play them at a table that a camera watches without errors: no pictures, so that it is fast."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine import game
from engine.play import Play
from engine.rules import variant
from tests.firmware.camera import Camera, deck_order
from vision.observation import TableObservation

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
