"""One hand of the Scopa family at one moment: an immutable value, cheap to make, to compare and to keep in number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.bits import ALL, bits, cards
from engine.cards import Card
from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class State:
    """Players are numbered in the order of play, sides as `RuleSet.sides` says; sets of cards are bits inside.

    `dealer` is the player who plays last. What is not known is None: the hand of a player, the order of the stock.
    `fresh_scopa` is the number of the play that made a scopa if no capture came after it (P8), `matta` the value that a
    knock gave to the matta where the rules keep it.
    """

    rules: RuleSet
    dealer: int
    plays: int
    table_bits: int
    pile_bits: tuple[int, ...]
    scope: tuple[int, ...]
    last_taker: int | None
    hand_bits: tuple[int | None, ...]
    stock: tuple[Card, ...] | None = None
    bussate: tuple[tuple[int, ...], ...] = ()
    knocked: frozenset[int] = frozenset()
    fresh_scopa: int | None = None
    matta: int | None = None

    @property
    def turn(self) -> int:
        """The player to move (D5)."""
        return (self.dealer + 1 + self.plays) % self.rules.players

    @property
    def over(self) -> bool:
        """Whether the last card has been played."""
        return self.plays >= self.rules.plays

    @property
    def side(self) -> int:
        """The side of the player to move."""
        return self.turn % 2 if self.rules.pairs else self.turn

    @property
    def table(self) -> frozenset[Card]:
        """The cards on the table."""
        return cards(self.table_bits)

    @property
    def piles(self) -> tuple[frozenset[Card], ...]:
        """The captured cards of each side."""
        return tuple(cards(pile) for pile in self.pile_bits)

    @property
    def hands(self) -> tuple[frozenset[Card] | None, ...]:
        """The cards in each player's hand, None where they are not known."""
        return tuple(None if hand is None else cards(hand) for hand in self.hand_bits)

    @property
    def held(self) -> tuple[int, ...]:
        """How many cards each player holds; it follows from the count of plays (D2, D4)."""
        if self.over:
            return (0,) * self.rules.players
        return tuple(self.rules.hand_cards - self.played(player) for player in range(self.rules.players))

    def played(self, player: int) -> int:
        """How many cards a player has played in this distribution."""
        rounds, begun = divmod(self.plays % (self.rules.players * self.rules.hand_cards), self.rules.players)
        return rounds + ((player - self.dealer - 1) % self.rules.players < begun)

    @property
    def distribution(self) -> int:
        """The number of the running distribution, from 0."""
        return self.plays // (self.rules.players * self.rules.hand_cards)

    @property
    def undealt(self) -> int:
        """How many cards of the stock are not given out yet."""
        return max(0, self.rules.plays - (self.distribution + 1) * self.rules.players * self.rules.hand_cards)

    @property
    def out_bits(self) -> int:
        """The cards that lie on the table or in a pile: none of them can be played any more."""
        out = self.table_bits
        for pile in self.pile_bits:
            out |= pile
        return out

    @property
    def unseen(self) -> frozenset[Card]:
        """The cards that are neither on the table nor in a pile: in a hand or in the stock."""
        return cards(ALL & ~self.out_bits)

    def freed(self, taken: Iterable[Card]) -> State:
        """The same hand with these cards in no pile: nobody knows for certain that they were played."""
        keep = ~bits(taken)
        return replace(self, pile_bits=tuple(pile & keep for pile in self.pile_bits))

    def holding_back(self, cards: Iterable[Card]) -> State:
        """The same hand in which nobody whose hand is known plays one of these cards."""
        keep = ~bits(cards)
        return replace(self, hand_bits=tuple(None if hand is None else hand & keep for hand in self.hand_bits))

    def may_hold_bits(self, player: int) -> int:
        """The cards that a player may have in hand: his hand if known, else all that are not known to be elsewhere."""
        hand = self.hand_bits[player]
        if hand is not None:
            return hand
        # A hand that was shown (Cirulla) or a stock that is known takes cards away from the others.
        rest = ALL & ~self.out_bits
        for other in self.hand_bits:
            rest &= ~(other or 0)
        return rest & ~bits(self.stock or ())
