"""Points of finished hands added up: exact where they are certain, ranges where an open play decides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.match import Standing, add_hand
from engine.rules import RuleSet
from engine.scoring import ITEMS, Points
from firmware.events import Hand, Match
from firmware.record import Range


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
        points = [Points(**{item: _exact(hand.points[str(side)][item]) for item in ITEMS}) for side in sides]
        return replace(counted, standing=add_hand(self.standing, points, wins))

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
