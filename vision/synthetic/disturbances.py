"""What happens on a table beside the game and must not be taken for a play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from vision.synthetic.camera import Camera
from vision.synthetic.scene import Kind, Pose, Thing
from vision.synthetic.stage import Scenes, Stage


def _faces(stage: Stage) -> list[Thing]:
    return [thing for thing in stage.lying if thing.kind == "face" and not thing.key.startswith("mark")]


def _some_card(stage: Stage) -> Thing | None:
    faces = _faces(stage)
    return faces[int(stage.rng.integers(len(faces)))] if faces else None


def _replace(stage: Stage, old: Thing, new: Thing) -> None:
    stage.lying[stage.lying.index(old)] = new


def nudge(stage: Stage, player: int) -> Scenes:
    """A hand pushes a card aside."""
    card = _some_card(stage)
    if card is None:
        return
    yield from stage.reach(player, (card.pose.x, card.pose.y), stage.pace.reach)
    x, y, turn = stage.rng.uniform(-18, 18), stage.rng.uniform(-18, 18), stage.rng.uniform(-20, 20)
    moved = replace(card, pose=card.pose.shifted(float(x), float(y), float(turn)))
    _replace(stage, card, moved)
    yield from stage.reach(player, (moved.pose.x, moved.pose.y), stage.pace.pick)
    yield from stage.leave(player)


def sort(stage: Stage, player: int) -> Scenes:
    """A hand puts the cards of the table in a row."""
    cards = _faces(stage)
    pitch = min(stage.pack.outer[0] + 12, 0.95 * stage.layout.half_x / max(1, len(cards)))
    for k, card in enumerate(cards):
        place = Pose(pitch * (k - (len(cards) - 1) / 2), 0.0, stage.layout.turn(stage.seats[player]))
        yield from stage.reach(player, (card.pose.x, card.pose.y), stage.pace.pick)
        stage.take(player, card)
        yield from stage.reach(player, (place.x, place.y), stage.pace.pick + 0.1)
        stage.drop(player, replace(card, pose=place))
    if cards:
        yield from stage.leave(player)


def hover(stage: Stage, player: int) -> Scenes:
    """A hand comes over the table, thinks, and goes."""
    x, y = stage.rng.uniform(-0.4, 0.4, 2)
    yield from stage.reach(player, (float(x) * stage.layout.half_x, float(y) * stage.layout.half_y), stage.pace.reach)
    yield from stage.wait(0.8)
    yield from stage.leave(player)


def lay_object(stage: Stage, player: int) -> Scenes:
    """Somebody puts something down, beside or on the cards, and takes it up again a while later."""
    kind = cast(Kind, str(stage.rng.choice(["glass", "phone", "paper", "coin", "keys"])))
    x, y = stage.rng.uniform(-0.55, 0.55, 2)
    pose = Pose(float(x) * stage.layout.half_x, float(y) * stage.layout.half_y, float(stage.rng.uniform(-40, 40)))
    thing = Thing(f"object {kind}", kind, pose)
    stage.enter(player, thing)
    yield from stage.reach(player, (pose.x, pose.y), stage.pace.reach)
    stage.drop(player, thing)
    yield from stage.leave(player)
    yield from stage.wait(1.6)
    yield from stage.reach(player, (pose.x, pose.y), stage.pace.reach)
    stage.take(player, thing)
    yield from stage.leave(player)


def flip(stage: Stage, player: int) -> Scenes:
    """A card is turned over and, a moment later, turned back."""
    card = _some_card(stage)
    if card is None:
        return
    hidden = replace(card, kind="back")
    for old, new in ((card, hidden), (hidden, card)):
        yield from stage.reach(player, (card.pose.x, card.pose.y), stage.pace.reach)
        _replace(stage, old, new)
        yield from stage.wait(stage.pace.pick)
        yield from stage.leave(player)
        yield from stage.wait(1.2)


def dim(stage: Stage, player: int) -> Scenes:
    """The lamp is dimmed and turned up again, its colour changes with it."""
    for level in (*(1 - 0.09 * k for k in range(1, 6)), *([0.55] * 6), *(0.55 + 0.09 * k for k in range(1, 6))):
        stage.light, stage.warmth = min(1.0, level), 1.2 * (1 - min(1.0, level))
        yield stage.snap()
    stage.light, stage.warmth = 1.0, 0.0


def bump(stage: Stage, player: int) -> Scenes:
    """Somebody knocks against the camera: the picture shakes and stays a little displaced."""
    camera = stage.camera or stage.home
    end = _moved(camera, stage.rng.uniform(-12, 12), stage.rng.uniform(-9, 9), stage.rng.uniform(-1.2, 1.2))
    for _ in range(3):
        stage.camera = _moved(end, stage.rng.uniform(-14, 14), stage.rng.uniform(-10, 10), stage.rng.uniform(-1, 1))
        yield stage.snap()
    stage.camera = end
    yield from stage.wait(stage.pace.still)


def _moved(camera: Camera, x: float, y: float, roll: float) -> Camera:
    return replace(camera, x=camera.x + x, y=camera.y + y, roll=camera.roll + roll)


def change_mind(stage: Stage, player: int) -> Scenes:
    """A card of the table is lifted, looked at, and laid back where it was."""
    card = _some_card(stage)
    if card is None:
        return
    yield from stage.reach(player, (card.pose.x, card.pose.y), stage.pace.reach)
    stage.take(player, card)
    x, y = stage.layout.at_seat(stage.seats[player], 0, 60)
    yield from stage.reach(player, (x, y), stage.pace.carry)
    yield from stage.wait(0.4)
    yield from stage.reach(player, (card.pose.x, card.pose.y), stage.pace.carry)
    stage.drop(player, card)
    yield from stage.leave(player)


DISTURBANCES: Final[dict[str, Callable[[Stage, int], Scenes]]] = {
    "nudge": nudge,
    "sort": sort,
    "hover": hover,
    "object": lay_object,
    "flip": flip,
    "light": dim,
    "bump": bump,
    "lift": change_mind,
}
"""Every disturbance by the name that the truth gives it."""
