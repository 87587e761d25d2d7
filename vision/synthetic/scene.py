"""What one frame shows, as plain values in millimetres: things that lie there, things that move, arms, light."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from engine.cards import Card
from vision.synthetic.camera import Camera, Points

Seat = Literal["N", "E", "S", "W"]
"""The edge of the picture at which a player sits."""
Kind = Literal["face", "back", "glass", "phone", "paper", "coin", "keys"]
Grip = Literal["open", "pinch"]

SIZES: Final[dict[str, tuple[float, float]]] = {
    "glass": (74, 74),
    "phone": (72, 148),
    "paper": (105, 148),
    "coin": (24, 24),
    "keys": (60, 90),
}
"""Width and height in millimetres of what is not a card."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Centre in millimetres, turn in degrees clockwise as seen from above (0: top of the card away from seat S)."""

    x: float
    y: float
    turn: float = 0.0
    z: float = 0.0

    def shifted(self, x: float, y: float, turn: float = 0.0) -> Pose:
        """The pose moved by millimetres and degrees."""
        return replace(self, x=self.x + x, y=self.y + y, turn=self.turn + turn)


@dataclass(frozen=True, slots=True)
class Thing:
    """Something flat at a place. `card` also tells a back which card it is; `key` stays the same while it moves."""

    key: str
    kind: Kind
    pose: Pose
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm from a seat: where its hand is, from where it comes (both millimetres), and how the hand is held."""

    player: int
    seat: Seat
    hand: tuple[float, float]
    shoulder: tuple[float, float]
    grip: Grip = "open"


@dataclass(frozen=True, slots=True)
class Scene:
    """One frame. `lying` and `carried` are ordered from bottom to top; `before` holds the poses of a frame earlier.

    `light` multiplies the brightness, `warmth` shifts it between blue (-1) and red (1), `camera` replaces the place of
    the camera from a bump on.
    """

    frame: int
    lying: tuple[Thing, ...]
    carried: tuple[Thing, ...] = ()
    arms: tuple[Arm, ...] = ()
    before: Scene | None = None
    light: float = 1.0
    warmth: float = 0.0
    camera: Camera | None = None


def outline(pose: Pose, size: tuple[float, float]) -> Points:
    """The corners of a flat thing (4 x 3, millimetres): top left, top right, bottom right, bottom left."""
    x, y = size[0] / 2, size[1] / 2
    return placed_on(pose, np.array([(-x, -y), (x, -y), (x, y), (-x, y)]))


def placed_on(pose: Pose, shape: Points) -> Points:
    """Points around the origin (n x 2) turned and moved to a pose (n x 3, millimetres)."""
    angle = np.radians(pose.turn)
    turned = shape @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.column_stack([turned + np.array([pose.x, pose.y]), np.full(len(shape), pose.z)])
