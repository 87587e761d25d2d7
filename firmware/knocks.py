"""Knocks of Cirulla as the camera sees them: cards that one hand lays side by side, open, before its player."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees, dist

from engine.cards import Card
from engine.state import State
from firmware.evidence import Seats
from vision.change import Reach, Sight, TableChange, best
from vision.observation import Corners, middle

APART = 1.4
"""Lengths of a card that two neighbours of a shown hand may lie apart, from middle to middle."""
CLOSE = 1.6
"""The same in widths, for two cards that are shown rather than played."""
ASKEW = 35.0
"""Degrees by which the cards of a shown hand may be turned against each other."""


@dataclass(frozen=True, slots=True)
class Row:
    """Cards that were laid side by side by one arm; `edge` is where it came from, None if no arm was seen."""

    sights: tuple[Sight, ...]
    edge: str | None

    def cards(self, certain: float) -> dict[Card, Sight]:
        """The sights by card; empty as long as not all are certain (a probability)."""
        read = [(*sight.options[0], sight) for sight in self.sights if sight.options]
        named = {card: sight for card, probability, sight in read if probability >= certain}
        return named if len(named) == len(self.sights) else {}


def row_of(
    change: TableChange, known: Collection[int], table: Collection[Card], playable: Collection[Card]
) -> Row | None:
    """The cards that lie open and are not explained by the `table`, if they look like a shown hand.

    `known` are the tracks of the table's cards, `playable` the cards that may be in a hand.
    """
    fresh = [sight for sight in change.lying if sight.track not in known and best(sight) not in table]
    if len(fresh) not in {2, 3} or any(best(sight) not in playable for sight in fresh if sight.options):
        return None
    fresh = _in_line(fresh)
    edge = one_arm(fresh, change.arms)
    if edge == "several" or not _together(fresh):
        return None
    return Row(tuple(fresh), edge or None)


def _in_line(sights: Sequence[Sight]) -> list[Sight]:
    """The sights from one end to the other."""
    ends = max(
        ((one, other) for one in sights for other in sights),
        key=lambda pair: dist(middle(pair[0].corners), middle(pair[1].corners)),
    )
    return sorted(sights, key=lambda sight: dist(middle(sight.corners), middle(ends[0].corners)))


def _together(sights: Sequence[Sight]) -> bool:
    """Whether neighbours lie close and alike; of two cards more is asked, for two may be played by mistake."""
    wide, high = dist(*sights[0].corners[:2]), dist(*sights[0].corners[1:3])
    most = CLOSE * wide if len(sights) == 2 else APART * high
    gaps = [dist(middle(one.corners), middle(other.corners)) for one, other in pairwise(sights)]
    return max(gaps) < most and all(_askew(one, other) < ASKEW for one, other in pairwise(sights))


def apart(places: Mapping[Card, Corners]) -> frozenset[Card]:
    """Of several cards those that lie beside no other one; a card that is alone does not."""
    found = set()
    for card, corners in places.items():
        gaps = [dist(middle(corners), middle(other)) for one, other in places.items() if one != card]
        if gaps and min(gaps) > APART * dist(*corners[1:3]):
            found.add(card)
    return frozenset(found)


def _askew(one: Sight, other: Sight) -> float:
    """Degrees 0..90 between two cards; a card upside down lies like one upright."""
    turn = abs(_turn(one) - _turn(other)) % 180
    return min(turn, 180 - turn)


def _turn(sight: Sight) -> float:
    (left, top), (right, below) = sight.corners[:2]
    return degrees(atan2(below - top, right - left))


def one_arm(sights: Sequence[Sight], arms: Sequence[Reach]) -> str:
    """The edge of the only arm that was there when these cards appeared, "" if none, or "several"."""
    if not sights:
        return ""
    first, last = min(sight.first for sight in sights), max(sight.first for sight in sights)
    before = [arm.edge for arm in arms if arm.time <= first][-1:]
    edges = {*before, *(arm.edge for arm in arms if first < arm.time <= last)}
    return "several" if len(edges) > 1 else next(iter(edges), "")


def owner(state: State, edge: str | None, seats: Seats, held: int) -> int | None:
    """Who shows a hand of `held` cards, or None while more than one may: by what he holds, then by where he sits."""
    able = [p for p in range(state.rules.players) if state.held[p] == held and p not in state.knocked]
    if edge is not None and len(able) > 1:
        there = [player for player in able if seats.edge(player)[0] == edge]
        able = there or [player for player in able if seats.edge(player)[0] is None]
    return able[0] if len(able) == 1 else None


def outermost(row: Row, change: TableChange) -> bool:
    """Whether a row lies before its player: nearer to his edge than every other card."""
    if row.edge is None:
        return False
    place, sign = (1, 1) if row.edge == "S" else (1, -1) if row.edge == "N" else (0, 1) if row.edge == "E" else (0, -1)
    tracks = {sight.track for sight in row.sights}
    inner = min(sign * middle(sight.corners)[place] for sight in row.sights)
    return all(sign * middle(s.corners)[place] < inner for s in change.lying if s.track not in tracks)
