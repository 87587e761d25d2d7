"""The knock (*bussata*) of Cirulla: what three fresh cards pay, with the 7 of coppe as the matta (chapter 6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.play import KnockKind, check_claim
from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Worth:
    """What a knock pays, for which kind, and the value that the matta stands for (None: no matta, or nothing paid)."""

    points: int = 0
    kind: Literal["low", "three", "both"] | None = None
    matta: int | None = None


def knock_worth(
    rules: RuleSet, hand: Collection[Card], kind: KnockKind | None = None, value: int | None = None
) -> Worth:
    """The best that three cards pay, or what the claimed `kind` pays with the matta at `value`, if these are given.

    The matta takes the smallest value that pays most. Raises `InvalidPlay` unless there are three different cards, or
    for a claim that is none.
    """
    check_claim(kind, value)
    if len(set(hand)) != 3 or len(hand) != 3:
        raise InvalidPlay(f"expected three different cards for a knock, got {len(hand)}")
    plain = [card.value for card in hand if str(card) != rules.matta]
    if len(plain) == 3:
        return _pays(rules, plain, kind)
    tried = range(1, 11) if value is None else (value,)
    worths = [(_pays(rules, [*plain, stands_for], kind), stands_for) for stands_for in tried]
    best, stands_for = max(worths, key=lambda tried: (tried[0].points, -tried[1]))
    return Worth(best.points, best.kind, stands_for if best.kind else None)


def _pays(rules: RuleSet, values: list[int], kind: KnockKind | None) -> Worth:
    three = len(set(values)) == 1 and kind != "low"
    low = sum(values) <= 9 and kind != "three"
    if three and low and rules.bussata_both:
        return Worth(rules.bussata_three + rules.bussata_low, "both")
    if three:  # of two claims only the better one is paid
        return Worth(rules.bussata_three, "three")
    return Worth(rules.bussata_low, "low") if low else Worth()
