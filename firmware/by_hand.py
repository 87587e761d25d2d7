"""Keeping the score without a camera: the players say who won each item, the totals and the winner follow.

Its events are those of a refereed match, with empty piles, so such a match is stored, shown and resumed like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.rules import RuleSet
from engine.scoring import Points
from firmware.events import AnyEvent, Claimed, Hand, Start
from firmware.in_force import in_force
from firmware.tally import OWNED, Tally
from firmware.view import View

COUNTED = ("scope", "napola", "grande", "bussate", "re_bello")
"""Items that each side may have any number of."""
MOST = 51


def entries(rules: RuleSet) -> tuple[str, ...]:
    """What is asked at the end of a hand: `carte`, ..., then `scope.0`, `scope.1`, ... by side."""
    sides = range(len(set(rules.sides)))
    owned = [item for item in OWNED if item != "primiera" or rules.primiera != "off"]
    counted = [item for item in COUNTED if item == "scope" or getattr(rules, item)]
    return (*owned, *(f"{item}.{side}" for item in counted for side in sides))


def values(entry: str, rules: RuleSet) -> range:
    """The values of an entry; of an item that one side wins 0 is nobody, 1 the first side, and so on."""
    return range(MOST + 1) if "." in entry else range(len(set(rules.sides)) + 1)


def points(rules: RuleSet, said: Mapping[str, int]) -> tuple[Points, ...]:
    """The points of each side from what was said of the entries."""
    sides = range(len(set(rules.sides)))
    won: list[dict[str, int]] = [{} for _ in sides]
    for entry, value in said.items():
        item, _, of_side = entry.partition(".")
        if of_side:
            won[int(of_side)][item] = value
        elif value:
            won[value - 1][item] = 1
    return tuple(Points(**each) for each in won)


def told_hand(
    rules: RuleSet, said: Mapping[str, int], frame: int, piles: Mapping[str, tuple[str, ...]] | None = None
) -> Hand:
    """The end of a hand as the players tell it; `piles` as they are known."""
    won = points(rules, said)
    return Hand(
        piles=dict(piles or {}),
        points={str(side): dict(each.items()) for side, each in enumerate(won)},
        total={str(side): each.total for side, each in enumerate(won)},
        settled=True,
        frame=frame,
        how="told",
    )


def said_of(hand: Hand, rules: RuleSet) -> tuple[int, ...]:
    """What was said of the entries of a hand, or would have been; the least of what is not certain."""
    certain = [
        {name: least(value) for name, value in hand.points[side].items()} for side in sorted(hand.points, key=int)
    ]
    values = []
    for entry in entries(rules):
        item, _, side = entry.partition(".")
        owner = next((number for number, won in enumerate(certain, 1) if won.get(item)), 0)
        values.append(certain[int(side)].get(item, 0) if side else owner)
    return tuple(values)


def least(number: int | tuple[int, int]) -> int:
    """The number, or the lower end of a range."""
    return number if isinstance(number, int) else number[0]


class ByHand:
    """One match whose hands are told by the players. `players` are names in the order of play."""

    def __init__(self, rules: RuleSet, players: Sequence[str]) -> None:
        self.rules, self.players = rules, tuple(players)
        self._dealer = rules.players - 1
        self._tally = Tally.new(rules)
        self._ended: Hand | None = None

    def begin(self) -> list[AnyEvent]:
        """The event that starts the match."""
        return [Start(self.rules.variant, self.rules.settings(), self.players, self.rules.sides, self._dealer)]

    def resume(self, events: Sequence[AnyEvent]) -> None:
        """Takes up a match where its stored events end."""
        for event in in_force(events):
            if isinstance(event, Hand):
                self._count(event)
            elif isinstance(event, Claimed):
                self._tally = self._tally.claimed(event.side, event.total)

    def hand(self, said: Mapping[str, int]) -> list[AnyEvent]:
        """The end of a hand as it was said; the winner with it when the match is over."""
        hand = told_hand(self.rules, said, 0)
        self._count(hand)
        return [hand, self._tally.won] if self._tally.won else [hand]

    def finish(self, frame: int) -> list[AnyEvent]:
        """Nothing: a hand ends when its points are told."""
        return []

    def _count(self, hand: Hand) -> None:
        self._tally, self._ended = self._tally.add(hand), hand
        self._dealer = (self._dealer + 1) % self.rules.players

    @property
    def view(self) -> View:
        """The facts of this moment, for the screens: the score of the last hand, or the first one to come."""
        return View(
            phase="over" if self._tally.won else "score" if self._ended else "deal",
            players=self.players,
            sides=self.rules.sides,
            dealer=self._dealer,
            hand=self._tally.hands + 1,
            play=0,
            plays=self.rules.plays,
            turn=None,
            lies=(),
            expected=(),
            missing=(),
            surplus=(),
            state=None,
            last=None,
            fault=None,
            question=None,
            debts=0,
            sure=(),
            totals=self._tally.totals,
            ended=self._ended,
            won=self._tally.won,
            excluded=self._tally.excluded,
        )
