"""Counting the piles after a hand by fanning them out: cards are ticked one by one, in any order and portions.

Pure. Every card is ticked by what it is, so it does no harm to see it twice; a card ticked in one pile is not ticked in
another. Nothing is ticked before the table was seen empty: what lies there still belongs to the pile before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.bits import bits
from engine.cards import DECK, Card
from engine.scoring import count
from firmware.course import names
from firmware.events import AnyEvent, Corrected, Hand, Settled
from firmware.record import Record, Turn

Step = Literal["count", "wrong_pile", "count_bad"]


@dataclass(frozen=True, slots=True)
class PileCount:
    """The piles of hand `number` as far as they were counted; `record` is that hand, all of it played.

    `side` is whose pile is fanned out now, `seen` what was ticked in each pile, `told` whose the players say a card is.
    `step`: the count goes on, or a card lies in the wrong pile, or some are missing.
    """

    record: Record
    number: int
    seen: tuple[frozenset[Card], ...]
    side: int = 0
    step: Step = "count"
    empty: bool = False
    told: Mapping[Card, int] = field(default_factory=dict)

    @classmethod
    def begin(cls, record: Record, number: int) -> PileCount:
        """Before the first card."""
        return cls(record, number, (frozenset(),) * len(record.state.piles))

    @property
    def certain(self) -> frozenset[Card]:
        """The cards that lie in this pile for certain, by the plays or as the players said."""
        return frozenset(card for card in DECK if self.owner(card) == self.side)

    def owner(self, card: Card) -> int | None:
        """Whose pile a card lies in; None for one that an open play may have been."""
        if card in self.told:
            return self.told[card]
        return next((side for side, pile in enumerate(self.record.piles()) if card in pile), None)

    @property
    def expected(self) -> int:
        """How many cards lie in this pile by the plays, and by what the players said since."""
        moved = [(self._played(card), side) for card, side in self.told.items()]
        more = sum(to == self.side for was, to in moved if was != to)
        fewer = sum(was == self.side for was, to in moved if was != to)
        return len(self.record.state.piles[self.side]) + more - fewer

    def _played(self, card: Card) -> int | None:
        return next((side for side, pile in enumerate(self.record.state.piles) if card in pile), None)

    @property
    def ticked(self) -> frozenset[Card]:
        """What was seen in this pile, and what the players say belongs to it."""
        return self.seen[self.side] | frozenset(card for card, side in self.told.items() if side == self.side)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that should still come."""
        return tuple(sorted(self.certain - self.ticked))

    @property
    def foreign(self) -> tuple[Card, ...]:
        """The cards seen here that belong to another pile."""
        return tuple(sorted(card for card in self.seen[self.side] if self.owner(card) not in {None, self.side}))

    def taker(self, card: Card) -> Turn | None:
        """The play by which a card came into its pile; None for what was left on the table."""
        return next((turn for turn in self.record.turns if card in turn.play.takes | {turn.play.card}), None)

    def look(self, cards: frozenset[Card], *, empty: bool) -> PileCount:
        """The count after one look at the table; `empty` when nothing at all lies there."""
        if not (self.empty or empty):
            return self
        others = frozenset[Card]().union(*(pile for side, pile in enumerate(self.seen) if side != self.side))
        return replace(self._with(self.seen[self.side] | (cards - others)), empty=True)

    def _with(self, pile: frozenset[Card]) -> PileCount:
        return replace(self, seen=(*self.seen[: self.side], pile, *self.seen[self.side + 1 :]))

    def again(self) -> PileCount:
        """This pile from its first card on."""
        return replace(self._with(frozenset()), step="count", empty=False)

    def check(self) -> PileCount | None:
        """The players say that this pile is done: what is wrong with it, else the next one; None after the last."""
        if self.foreign:
            return replace(self, step="wrong_pile")
        if self.missing or len(self.ticked) < self.expected:
            return replace(self, step="count_bad")
        if self.side + 1 == len(self.seen):
            return None
        return replace(self, side=self.side + 1, step="count", empty=False)

    def give(self, card: Card, side: int) -> PileCount | None:
        """A card belongs to that side, say the players."""
        return self.told_to(card, side).check()

    def told_to(self, card: Card, side: int) -> PileCount:
        """With a card in the pile of that side."""
        own = self._with(self.seen[self.side] - ({card} if side != self.side else set()))
        return replace(own, told={**self.told, card: side})

    def piles(self) -> tuple[frozenset[Card], ...] | None:
        """The piles: as the players said, else as they were seen, else by the plays; None while a card is in none.

        What is in no other pile lies in the only one that was not looked at.
        """
        owners = {card: self.owner(card) for card in DECK}
        owners |= {card: side for side, pile in enumerate(self.seen) for card in pile} | dict(self.told)
        unseen = [side for side, pile in enumerate(self.seen) if not pile]
        if len(unseen) == 1:
            owners = {card: unseen[0] if side is None else side for card, side in owners.items()}
        if None in owners.values():
            return None
        return tuple(frozenset(card for card in DECK if owners[card] == side) for side in range(len(self.seen)))

    def events(self, frame: int) -> tuple[AnyEvent, ...]:
        """What the count adds to the log: open plays that it settles, and the hand as its piles are."""
        piles, state = self.piles(), self.record.state
        if piles is None:
            return ()
        settled, record = list[AnyEvent](), self.record
        for turn in self.record.debts:
            possible = turn.options & piles[state.rules.sides[turn.play.player]]
            named = record.naming(turn.n, min(possible)) if len(possible) == 1 else None
            if named is not None:
                record = named
                settled.append(Settled(turn.n, str(min(possible)), frame, "seen"))
        won = count(state.rules, [bits(pile) for pile in piles], state.scope, state.bussate)
        hand = Hand(
            piles={str(side): names(pile) for side, pile in enumerate(piles)},
            points={str(side): dict(each.items()) for side, each in enumerate(won)},
            total={str(side): each.total for side, each in enumerate(won)},
            settled=True,
            frame=frame,
            how="counted",
        )
        return (*settled, Corrected(self.number, hand))
