"""Keeping the score without a camera: the players say who won each item, the totals and the winner follow.

Its events are those of a refereed match, with empty piles, so such a match is stored, shown and resumed like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.match import Standing, add_hand
from engine.rules import RuleSet
from engine.scoring import Points
from firmware.events import AnyEvent, Event, Hand, Match, Start
from firmware.view import View

OWNED = ("carte", "denari", "settebello", "primiera")
"""Items that one side wins or nobody: 0 is nobody, 1 the first side, and so on."""
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
    """The values of an entry."""
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


class ByHand:
    """One match whose hands are told by the players. `players` are names in the order of play."""

    def __init__(self, rules: RuleSet, players: Sequence[str]) -> None:
        self.rules, self.players = rules, tuple(players)
        self._dealer = rules.players - 1
        self._hands = 0
        self._standing = Standing.new(rules)
        self._ended: Hand | None = None
        self._won: Match | None = None

    def begin(self) -> list[AnyEvent]:
        """The event that starts the match."""
        return [Start(self.rules.variant, self.rules.settings(), self.players, self.rules.sides, self._dealer)]

    def resume(self, events: Iterable[Event]) -> None:
        """Takes up a match where its stored events end."""
        for event in events:
            if isinstance(event, Hand):
                self._count(event)

    def hand(self, said: Mapping[str, int]) -> list[AnyEvent]:
        """The end of a hand as it was said; the winner with it when the match is over."""
        won = points(self.rules, said)
        hand = Hand(
            piles={},
            points={str(side): dict(each.items()) for side, each in enumerate(won)},
            total={str(side): each.total for side, each in enumerate(won)},
            settled=True,
            frame=0,
        )
        self._count(hand)
        return [hand, self._won] if self._won else [hand]

    def _count(self, hand: Hand) -> None:
        sides = range(len(self._standing.totals))
        won = [Points(**_certain(hand.points[str(side)])) for side in sides]
        self._standing = add_hand(self._standing, won)
        self._ended, self._hands = hand, self._hands + 1
        self._dealer = (self._dealer + 1) % self.rules.players
        if self._standing.winner is not None:
            totals = {str(side): self._standing.totals[side] for side in sides}
            self._won = Match(totals, str(self._standing.winner))

    @property
    def view(self) -> View:
        """The facts of this moment, for the screens: the score of the last hand, or the first one to come."""
        return View(
            phase="over" if self._won else "score" if self._ended else "deal",
            players=self.players,
            sides=self.rules.sides,
            dealer=self._dealer,
            hand=self._hands + 1,
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
            totals=self._standing.totals,
            ended=self._ended,
            won=self._won,
        )


def _certain(items: Mapping[str, int | tuple[int, int]]) -> dict[str, int]:
    return {name: value if isinstance(value, int) else value[0] for name, value in items.items()}
