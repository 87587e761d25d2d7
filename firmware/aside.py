"""Cards that lie open beside the table's own: a first table that the dealer takes, and hands that were shown (Cirulla).

Where they lie they are no part of the table. A card that leaves its place may have been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import dist

from engine.cards import Card
from vision.change import Sight, TableChange, best
from vision.observation import Corners, middle

NEAR = 0.75
"""Widths of a card by which a card may be pushed about and still lie in its place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies, the track that showed it there, and when it was last seen there (seconds)."""

    track: int
    corners: Corners
    seen: float


class Aside:
    """The places of these cards. `here` are those that lie there now."""

    def __init__(self, played: bool = False) -> None:
        """`played`: a card that leaves its place alone may have been played."""
        self._played = played
        self._places: dict[Card, Place] = {}
        self.here: frozenset[Card] = frozenset()

    def put(self, sights: Mapping[Card, Sight]) -> None:
        """Cards that lie aside from now on, as they are seen."""
        self._places |= {card: Place(sight.track, sight.corners, sight.last) for card, sight in sights.items()}
        self.here |= sights.keys()

    def keep(self, cards: Iterable[Card]) -> None:
        """Forgets all other cards: they were played or taken."""
        kept = frozenset(cards)
        self._places = {card: place for card, place in self._places.items() if card in kept}
        self.here &= kept

    @property
    def cards(self) -> frozenset[Card]:
        """All cards that have a place, whether they lie there or not."""
        return frozenset(self._places)

    def without(self, change: TableChange, *, bumped: bool = False) -> TableChange:
        """The change without the cards that lie in their places; `bumped`: the camera or the table was pushed.

        Of several that left nobody can tell whether they were played or only taken up: having lain there tells
        nothing. One that left alone was first seen when it did.
        """
        found = self._found(change, bumped)
        self.here = frozenset(found)
        tracks = {sight.track for sight in found.values()}
        gone = {place.track: place for card, place in self._places.items() if card not in found}
        for card, sight in found.items():
            self._places[card] = Place(sight.track, sight.corners, max(sight.last, self._places[card].seen))
        told = self._played and len(gone) == 1
        lying = [_since(sight, gone) for sight in change.lying if sight.track not in tracks]
        seen = (s for s in change.glimpsed if best(s) not in found and (told or not self._lay_here(s)))
        glimpsed = [_since(sight, gone) for sight in seen]
        return replace(change, lying=tuple(lying), glimpsed=tuple(glimpsed))

    def _found(self, change: TableChange, bumped: bool) -> dict[Card, Sight]:
        by_track = {sight.track: sight for sight in change.lying}
        found = {}
        for card, place in self._places.items():
            sight = by_track.get(place.track)
            if sight is not None and (bumped or near(place.corners, sight.corners)):
                found[card] = sight
        taken = {sight.track for sight in found.values()}
        for card in self._places.keys() - found.keys():
            again = [sight for sight in change.lying if sight.track not in taken and self._may_be(sight, card)]
            found |= {card: again[0]} if again else {}
        return found

    def _lay_here(self, sight: Sight) -> bool:
        """Whether a card that is gone was last at rest in its place."""
        card = best(sight)
        return card in self._places and near(self._places[card].corners, sight.rested or sight.corners)

    def _may_be(self, sight: Sight, card: Card) -> bool:
        """Whether a sight is this card in its place, seen anew: other cards may come to lie there."""
        named = {option for option, _ in sight.options}
        return near(self._places[card].corners, sight.corners) and (not named or card in named)


def _since(sight: Sight, gone: Mapping[int, Place]) -> Sight:
    return replace(sight, first=gone[sight.track].seen) if sight.track in gone else sight


def near(one: Corners, other: Corners) -> bool:
    """Whether two cards lie in about the same place."""
    return dist(middle(one), middle(other)) < NEAR * dist(one[0], one[1])
