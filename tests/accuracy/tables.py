"""Rendered tables with their truth: a fixed distribution, drawn from a seed. Described in docs/accuracy.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from engine.cards import DECK
from vision.synthetic.layout import Layout, cover
from vision.synthetic.looks import random_look
from vision.synthetic.painter import Painter
from vision.synthetic.pen import Picture
from vision.synthetic.scene import Arm, Pose, Scene, Seat, Thing
from vision.synthetic.sprites import Pack
from vision.synthetic.visible import VisibleCard, visible_cards

Kind = Literal["normal", "hard", "empty"]
"""Normal: separate or lightly touching cards, tilt to 7 degrees. Hard: cards on one another at any angle, tilt to 22,
glare, dim light, any cloth, hands. Empty: no card of the table, but stock, piles and things that are no cards."""
LEAST: Final = 0.35
"""Share of a face from which a card counts as visible."""
SEATS: Final[tuple[Seat, ...]] = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A rendered picture and the face-up cards of the table on it. `marks` are cards that stick out under a pile."""

    picture: Picture
    cards: tuple[VisibleCard, ...]
    marks: tuple[VisibleCard, ...]


def shoot(pack: Pack, kind: Kind, seed: int, width: int = 1536, height: int = 864) -> Shot:
    """The picture of one seed."""
    rng = np.random.default_rng((seed, {"normal": 0, "hard": 1, "empty": 2}[kind]))
    hard = kind == "hard" or (kind == "empty" and rng.random() < 0.5)
    look = random_look(pack, rng, hard, width, height)
    if hard:
        look = replace(look, camera=replace(look.camera, tilt=float(rng.uniform(-22, 22))))
    layout = Layout.under(look.camera, 1.0 if hard else 0.0)
    cards = [DECK[i] for i in rng.permutation(len(DECK))]
    lying, marks = _beside(layout, cards, rng)
    lying += _objects(layout, lying, pack, rng) if kind == "empty" else []
    for _ in range(0 if kind == "empty" else int(rng.integers(3, 11))):
        card = cards.pop()
        pose = _place(layout, tuple(lying), pack, hard, rng)
        if pose is not None:
            lying.append(Thing(f"table-{card}", "face", pose, card))
    arms = (_arm(layout, rng),) if hard and rng.random() < 0.4 else ()
    light = float(rng.uniform(0.85, 1.05))
    scene = Scene(0, tuple(lying), arms=arms, light=light)
    seen = visible_cards(scene, look.camera, pack)
    on_table = tuple(card for card in seen if str(card.card) not in marks)
    beside = tuple(card for card in seen if str(card.card) in marks)
    return Shot(Painter(look, seed).paint(scene), on_table, beside)


def _beside(layout: Layout, cards: list, rng: np.random.Generator) -> tuple[list[Thing], set[str]]:
    """Stock and piles, some with a card that sticks out crosswise."""
    things, marks = [], set()
    for place, pose in enumerate([layout.stock(), layout.pile("S"), layout.pile("N")]):
        if rng.random() < 0.25:
            continue
        if place and rng.random() < 0.4:
            card = cards.pop()
            marks.add(str(card))
            things.append(Thing(f"mark-{card}", "face", pose.shifted(0, 0, 90 + rng.normal(0, 5)), card))
        for layer in range(int(rng.integers(1, 7))):
            moved = pose.shifted(*rng.normal(0, 1.5, 2), rng.normal(0, 2.5))
            things.append(Thing(f"back-{place}-{layer}", "back", replace(moved, z=0.3 * layer)))
    return things, marks


def _objects(layout: Layout, lying: list[Thing], pack: Pack, rng: np.random.Generator) -> list[Thing]:
    things: list[Thing] = []
    for kind in rng.choice(["glass", "phone", "paper", "coin", "keys"], size=3, replace=False):
        pose = layout.free_place(tuple(lying + things), pack, "S", rng)
        things.append(Thing(f"object-{kind}", str(kind), pose))  # type: ignore[arg-type]
    return things


def _place(layout: Layout, lying: tuple[Thing, ...], pack: Pack, hard: bool, rng: np.random.Generator) -> Pose | None:
    """A free place, edge to edge at times; on hard tables also over other cards, never over a pile."""
    table = tuple(thing for thing in lying if thing.kind == "face" and thing.key.startswith("table"))
    others = tuple(thing for thing in lying if thing not in table)
    for _ in range(200):
        x, y = rng.uniform(-0.62, 0.62) * layout.half_x, rng.uniform(-1, 1) * (layout.half_y - 65)
        turn = rng.uniform(0, 360) if hard else float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 7)
        pose = Pose(x, y, turn)
        if cover(pose, others, pack, 8.0):
            continue
        shared = cover(pose, table, pack, 0.0)
        if shared < 0.006 or (hard and shared < 0.45 and rng.random() < 0.3):
            return pose
    return None


def _arm(layout: Layout, rng: np.random.Generator) -> Arm:
    seat = SEATS[int(rng.integers(4))]
    x, y = rng.uniform(-0.5, 0.5) * layout.half_x, rng.uniform(-0.6, 0.6) * layout.half_y
    shoulder = layout.at_seat(seat, rng.uniform(-80, 80), -150)
    return Arm(int(rng.integers(4)), seat, (x, y), shoulder, "open" if rng.random() < 0.5 else "pinch")
