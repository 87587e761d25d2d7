"""Points of finished hands added up: exact where they are certain, ranges where an open play decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.match import Standing, add_hand, claim
from engine.rules import RuleSet
from engine.scoring import ITEMS, Points
from firmware.events import Hand, Match
from firmware.record import Range

OWNED: Final = ("carte", "denari", "settebello", "primiera")
"""Items that one side wins, or nobody."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The finished hands of a match. `standing` is None from the first hand whose points are not certain."""

    rules: RuleSet
    totals: tuple[Range, ...]
    hands: int = 0
    standing: Standing | None = None

    @classmethod
    def new(cls, rules: RuleSet) -> Tally:
        """Before the first hand."""
        return cls(rules, (0,) * len(set(rules.sides)), 0, Standing.new(rules))

    def add(self, hand: Hand, wins: int | None = None) -> Tally:
        """One hand more; `wins` is the side that wins the match by it alone."""
        sides = range(len(self.totals))
        totals = tuple(_plus(self.totals[side], hand.total[str(side)]) for side in sides)
        counted = replace(self, totals=totals, hands=self.hands + 1, standing=None)
        if self.standing is None or self.standing.winner is not None or not hand.settled:
            return counted
        points = [Points(**{item: _exact(hand.points[str(side)].get(item, 0)) for item in ITEMS}) for side in sides]
        after = add_hand(self.standing, points, wins)
        return replace(counted, standing=after, totals=after.totals)

    def claimed(self, side: int, total: int) -> Tally:
        """After `side` claimed the match with so many certain points (M4). Raises `InvalidPlay` where nobody may."""
        before = self.standing or Standing(self.rules, tuple(map(_exact, self.totals)))
        after = claim(before, side, total)
        if after.winner == side:  # with the points of the hand that the claim ended
            after = replace(after, totals=(*after.totals[:side], total, *after.totals[side + 1 :]))
        return replace(self, standing=after, totals=after.totals)

    @property
    def excluded(self) -> frozenset[int]:
        """Sides that claimed the match and were wrong."""
        return frozenset() if self.standing is None else self.standing.excluded

    @property
    def won(self) -> Match | None:
        """The end of the match, None while it goes on."""
        if self.standing is None or self.standing.winner is None:
            return None
        totals = {str(side): total for side, total in enumerate(self.standing.totals)}
        return Match(totals, str(self.standing.winner))


def _exact(number: Range) -> int:
    return number if isinstance(number, int) else number[0]


def _plus(total: Range, more: Range) -> Range:
    if isinstance(total, int) and isinstance(more, int):
        return total + more
    low, high = (number if isinstance(number, tuple) else (number, number) for number in (total, more))
    return low[0] + high[0], low[1] + high[1]
