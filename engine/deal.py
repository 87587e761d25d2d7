"""What comes before the first play: order round the table (D5, D6), misdeals (D3), first tables that pay (Cirulla)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first table asks for: deal again for `redeal`, or the dealer takes it with `dealer_scope` scope."""

    redeal: Literal["kings", "aces"] | None = None
    dealer_scope: int = 0


def opening(rules: RuleSet, table: Collection[Card]) -> Opening:
    """Judge the first face-up cards. Raises `InvalidPlay` unless they are as many as the rules lay out."""
    if len(set(table)) != rules.table_cards or len(table) != rules.table_cards:
        raise InvalidPlay(f"expected {rules.table_cards} different cards on the first table, got {len(table)}")
    values = [card.value for card in table]
    if rules.redeal_aces is not None and values.count(1) >= rules.redeal_aces:
        return Opening(redeal="aces")
    if rules.redeal_kings is not None and values.count(10) >= rules.redeal_kings:
        return Opening(redeal="kings")
    return Opening(dealer_scope=_table_scope(rules, table) if rules.table_15 else 0)


def _table_scope(rules: RuleSet, table: Collection[Card]) -> int:
    total = sum(card.value for card in table)
    sums = {total}
    if rules.matta_on_table and rules.matta in {str(card) for card in table}:
        rest = total - Card.parse(str(rules.matta)).value
        sums = {rest + value for value in range(1, 11)}
    return 2 if 30 in sums else 1 if 15 in sums else 0


def order_of_play(rules: RuleSet, seats_clockwise: Sequence[str], dealer: str) -> tuple[str, ...]:
    """The seats in the order in which they play, dealer last.

    Raises `InvalidPlay` for a dealer elsewhere or another number of seats (Sette e mezzo: fewer than two).
    """
    fitting = len(seats_clockwise) == rules.players or (rules.game == "sette_e_mezzo" and len(seats_clockwise) > 1)
    if len(set(seats_clockwise)) != len(seats_clockwise) or dealer not in seats_clockwise or not fitting:
        raise InvalidPlay(f"expected different seats with the dealer among them, got {seats_clockwise} and {dealer!r}")
    step = 1 if rules.direction == "cw" else -1
    place = seats_clockwise.index(dealer)
    return tuple(
        seats_clockwise[(place + step * turn) % len(seats_clockwise)] for turn in range(1, len(seats_clockwise) + 1)
    )
