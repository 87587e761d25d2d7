"""What players do in the games of the Scopa family: play a card, knock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card, format_cards

KnockKind = Literal["low", "three"]


@dataclass(frozen=True, slots=True)
class Play:
    """`player` (0 = first to play in the first hand) plays `card` and takes `takes`; an empty set: it stays (P5)."""

    player: int
    card: Card
    takes: frozenset[Card] = frozenset()

    def __str__(self) -> str:
        return f"{self.card}x{format_cards(self.takes).replace(' ', '+')}" if self.takes else str(self.card)


@dataclass(frozen=True, slots=True)
class Knock:
    """`player` shows three fresh cards before playing the first of them (Cirulla).

    `cards` is None while they were not read; `kind` is what is claimed, None: the better one; `value` is what the matta
    stands for, None: the least that pays most.
    """

    player: int
    cards: frozenset[Card] | None = None
    kind: KnockKind | None = None
    value: int | None = None


Move = Play | Knock
