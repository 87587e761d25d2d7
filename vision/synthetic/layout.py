"""Where things go on a table: seats, piles, stock, and free places for cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.synthetic.camera import Camera
from vision.synthetic.scene import Pose, Seat, Thing, outline
from vision.synthetic.sprites import Pack

_TURNS: Final[dict[Seat, int]] = {"S": 0, "W": 90, "N": 180, "E": 270}
_CLOCKWISE: Final[tuple[Seat, ...]] = ("N", "E", "S", "W")


def seats(players: int, clockwise: bool, first: int) -> tuple[Seat, ...]:
    """Seats in the order of play; two sit opposite. `first` (0..3) says where player 0 sits."""
    order = [_CLOCKWISE[(first + k * (2 if players == 2 else 1)) % 4] for k in range(players)]
    return tuple(order) if clockwise else (order[0], *order[:0:-1])


@dataclass(frozen=True, slots=True)
class Layout:
    """Half width and half height of what the camera sees, in millimetres, and the rules of placing.

    `mess` 0..1 lets cards lie at any angle and over each other.
    """

    half_x: float
    half_y: float
    mess: float = 0.0
    stock_in_middle: bool = False

    @classmethod
    def under(cls, camera: Camera, mess: float, stock_in_middle: bool = False) -> Layout:
        """The layout for what a camera sees: the largest middle part that lies wholly in the picture."""
        wide, high = camera.width, camera.height
        pixels = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float)
        x, y = np.abs(camera.unproject(pixels)).min(axis=0)
        return cls(float(x), float(y), mess, stock_in_middle)

    def at_seat(self, seat: Seat, right: float, inwards: float) -> tuple[float, float]:
        """A place `right` millimetres to the right of a seat's middle and `inwards` from the edge of the picture."""
        x, y = self.half_x, self.half_y
        places = {
            "S": (right, y - inwards),
            "N": (-right, inwards - y),
            "E": (x - inwards, -right),
            "W": (inwards - x, right),
        }
        return places[seat]

    def turn(self, seat: Seat) -> float:
        """The turn of a card that lies upright for a seat."""
        return float(_TURNS[seat])

    def pile(self, seat: Seat) -> Pose:
        """Where a seat keeps the cards that it has taken."""
        long_side = seat in ("N", "S")
        x, y = self.at_seat(seat, 0.7 * self.half_x if long_side else 0.5 * self.half_y, 78)
        return Pose(x, y, self.turn(seat))

    def stock(self) -> Pose:
        """Where the cards lie that are not dealt yet."""
        if self.stock_in_middle:
            return Pose(0, 0, 2)
        return Pose(-self.half_x + 78, 0.12 * self.half_y, 2)

    def free_place(self, lying: tuple[Thing, ...], pack: Pack, seat: Seat, rng: np.random.Generator) -> Pose:
        """A place for a card: free if there is one, over others where people are messy."""
        messy = rng.random() < 0.5 * self.mess
        best, least = Pose(0, 0), float("inf")
        for trial in range(60):
            room = 1.0 if trial < 40 else 1.25
            spread = (0.5 * self.half_x * room, (self.half_y - 95) * room)
            turn = self.turn(seat) + rng.normal(0, 6) + self.mess * rng.uniform(-90, 90)
            pose = Pose(rng.uniform(-1, 1) * spread[0], rng.uniform(-1, 1) * spread[1], turn)
            covered = cover(pose, lying, pack, 0.0 if messy else 8.0)
            if 0.05 < covered < 0.4 if messy else covered == 0:
                return pose
            if covered < least:
                best, least = pose, covered
        return best


def cover(pose: Pose, lying: tuple[Thing, ...], pack: Pack, room: float) -> float:
    """The largest share that a card at `pose` would cover of, or have in common with, something that lies there."""
    size = (pack.outer[0] + room, pack.outer[1] + room)
    own = outline(pose, size)[:, :2].astype(np.float32)
    shares = [0.0]
    for thing in lying:
        if abs(thing.pose.x - pose.x) + abs(thing.pose.y - pose.y) < 2.5 * size[1]:
            area, _ = cv2.intersectConvexConvex(own, outline(thing.pose, pack.size(thing))[:, :2].astype(np.float32))
            shares.append(area / (size[0] * size[1]))
    return max(shares)
