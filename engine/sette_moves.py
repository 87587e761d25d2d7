"""Sette e mezzo: what players do in a round. Players are numbered round the table in the order of play."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card


@dataclass(frozen=True, slots=True)
class Stake:
    """`player` has looked at his card and bets: one amount, or two for a double bet (Z13)."""

    player: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """`player` asks a card for his bet number `bet` and gets it face up."""

    player: int
    card: Card
    bet: int = 0


@dataclass(frozen=True, slots=True)
class Stand:
    """`player` stands with his bet number `bet`."""

    player: int
    bet: int = 0


@dataclass(frozen=True, slots=True)
class Swap:
    """`player` uncovers his covered card, `shown`, and takes the next one covered (Z12); None: not known."""

    player: int
    shown: Card
    covered: Card | None = None


@dataclass(frozen=True, slots=True)
class TakeCovered:
    """`player` takes one more card covered: always refused, for exactly one of his cards is covered (Z12)."""

    player: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """`player` turns his covered card up: to declare a bust, a d'emblée or a triplè, or when the bank has finished."""

    player: int
    card: Card


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The stock is used up: the cards of earlier rounds are shuffled and become the stock."""


Move = Stake | Draw | Stand | Swap | TakeCovered | Reveal | Shuffle
