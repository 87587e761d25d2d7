"""What players do in the games of the Scopa family: play a card, knock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from engine.cards import Card, format_cards
from engine.errors import InvalidPlay

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
    stands for, None: the least that pays most. Raises `InvalidPlay` for a `kind` or a `value` that is none.
    """

    player: int
    cards: frozenset[Card] | None = None
    kind: KnockKind | None = None
    value: int | None = None

    def __post_init__(self) -> None:
        check_claim(self.kind, self.value)


def check_claim(kind: str | None, value: int | None) -> None:
    """Raises `InvalidPlay` unless a knock may claim this kind, with the matta standing for this value."""
    if kind not in (None, *get_args(KnockKind)) or not (value is None or 1 <= value <= 10):
        raise InvalidPlay(f"expected a knock low or three and a matta of 1 to 10, got {kind} and {value}")


Move = Play | Knock
