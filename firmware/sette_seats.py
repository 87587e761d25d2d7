"""Whose card is it: the places of the players round a table, learnt from one card before each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, dist

from vision.change import Sight
from vision.observation import BackDetection, Corners, Point, middle

LINK = 1.05
"""A card lies beside another one of its player: at most so many long sides from middle to middle."""
ANCHOR = 1.5
"""The first card of a player lies at most so many long sides from where the card of his seat lay."""
APART = 1.8
"""Seats nearer to each other, in long sides, cannot be told apart."""


@dataclass(frozen=True, slots=True)
class SeatSight:
    """What lies before one player: face-up cards in the order in which they came, and backs."""

    faces: tuple[Sight, ...] = ()
    backs: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """The learnt `points` by player, in pixels, and the long side of a card there."""

    points: tuple[Point, ...]
    size: float

    def sort(self, faces: Iterable[Sight], backs: Iterable[BackDetection]) -> tuple[SeatSight, ...]:
        """What lies before each player. A card belongs to the seat whose place or cards are nearest; too far: to none.

        Faces and backs join one after the other, the nearest first, so that a row of any length is one player's.
        """
        left: list[tuple[Point, Sight | None]] = [(middle(sight.corners), sight) for sight in faces]
        left += [(middle(back.corners), None) for back in backs]
        rows: list[list[Point]] = [[] for _ in self.points]
        mine: list[list[tuple[Point, Sight | None]]] = [[] for _ in self.points]
        while left:
            far, place, player = min(
                (self._far(point, player, rows[player]), place, player)
                for place, (point, _) in enumerate(left)
                for player in range(len(self.points))
            )
            if far > 1:
                break
            item = left.pop(place)
            rows[player].append(item[0])
            mine[player].append(item)
        return tuple(_seat(items) for items in mine)

    def _far(self, point: Point, player: int, row: Sequence[Point]) -> float:
        """How far a card is from a seat; 1 is the farthest that still belongs there."""
        anchor = dist(point, self.points[player]) / (ANCHOR * self.size)
        return min([anchor, *(dist(point, other) / (LINK * self.size) for other in row)])


def _seat(items: Sequence[tuple[Point, Sight | None]]) -> SeatSight:
    faces = sorted((sight for _, sight in items if sight is not None), key=lambda sight: (sight.first, sight.track))
    return SeatSight(tuple(faces), tuple(point for point, sight in items if sight is None))


def learnt(sights: Sequence[Sight], clockwise: bool = False) -> tuple[Sight, ...] | None:
    """One card before each player as seats in the order of play: who laid first is the first, the others follow
    counter-clockwise (Z3), or clockwise. None while two lie too near to each other.
    """
    points = [middle(sight.corners) for sight in sights]
    size = long_side(sights[0].corners)
    if any(dist(a, b) < APART * size for k, a in enumerate(points) for b in points[:k]):
        return None
    centre = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))

    def angle(sight: Sight) -> float:
        x, y = middle(sight.corners)
        return -atan2(y - centre[1], x - centre[0])  # y runs downwards, so this grows counter-clockwise

    around = sorted(sights, key=angle, reverse=clockwise)
    first = around.index(min(sights, key=lambda sight: (sight.first, sight.track)))
    return (*around[first:], *around[:first])


def long_side(corners: Corners) -> float:
    """The long side of a card in pixels."""
    return max(dist(corners[0], corners[1]), dist(corners[1], corners[2]))
