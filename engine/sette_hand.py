"""Sette e mezzo: what cards are worth, and what a hand is paid against the bank (Z1, Z2, Z7 to Z11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.rules import RuleSet

Kind = Literal["bust", "points", "seven_half", "emblee", "triple"]
_SEVEN_HALF = 15


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand is: `total` in points (halves occur); the triplè counts 7.5."""

    kind: Kind
    total: float

    @property
    def finished(self) -> bool:
        """Whether it must be declared at once, so that no card may be asked any more (Z2, Z5)."""
        return self.kind in {"bust", "emblee", "triple"}


def hand_worth(rules: RuleSet, cards: Sequence[Card]) -> Worth:
    """The worth of all cards of one hand, their order of no meaning; the jolly at its best value (Z11).

    Raises `InvalidPlay` for no card, or a card twice.
    """
    if not cards or len(set(cards)) != len(cards):
        raise InvalidPlay(f"expected one card or more, each once, got {' '.join(map(str, cards)) or 'none'}")
    plain = [card for card in cards if str(card) != rules.jolly]
    if len(cards) == len(plain) == 2 and all(card.value == 7 for card in cards):
        return Worth("triple", _SEVEN_HALF / 2)
    halves = sum(_halves(card) for card in plain)
    if len(plain) < len(cards):
        halves = _with_jolly(rules, halves, alone=not plain)
    if halves > _SEVEN_HALF:
        return Worth("bust", halves / 2)
    if halves < _SEVEN_HALF:
        return Worth("points", halves / 2)
    return Worth("emblee" if len(cards) == 2 else "seven_half", halves / 2)


def _halves(card: Card) -> int:
    return 2 * card.value if card.value <= 7 else 1


def _with_jolly(rules: RuleSet, halves: int, alone: bool) -> int:
    if alone and rules.jolly_alone == "half":
        return 1
    totals = [halves + value for value in (1, 2, 4, 6, 8, 10, 12, 14)]  # a half, or a whole value 1 to 7
    return max((total for total in totals if total <= _SEVEN_HALF), default=min(totals))


def least(rules: RuleSet, cards: Sequence[Card]) -> float:
    """The least that some cards can count: the jolly as a half."""
    return sum(1 if str(card) == rules.jolly else _halves(card) for card in cards) / 2


def pays(rules: RuleSet, player: Worth, bank: Worth) -> int:
    """Multiple of the stake that the player gets; -1: the stake is lost (the pay table of chapter 7)."""
    if player.kind == "bust":
        return -1
    if player.kind == "triple":
        against = {"seven_half": rules.triple_vs_bank_many, "emblee": rules.triple_vs_bank_emblee, "triple": -1}
        return against.get(bank.kind, 3)
    if player.kind == "emblee":
        return {"seven_half": 1, "emblee": -1, "triple": -1}.get(bank.kind, 2)
    higher = bank.kind == "points" and player.total > bank.total
    return 1 if higher or bank.kind == "bust" else -1
