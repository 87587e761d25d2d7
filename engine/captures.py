"""What a card may take (P2 to P5; chapters 5 and 6): equal cards, sums, fifteens, the sweep of an ace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.bits import VALUE, bit, bits, cards, single_bits
from engine.cards import Card, parse_cards
from engine.errors import InvalidPlay
from engine.rules import RuleSet

Totals = Mapping[int, Sequence[int]]
"""Sets of table cards (as bits) by the sum of their values."""


def captures(
    rules: RuleSet, table: Iterable[Card], card: Card, matta: int | None = None
) -> tuple[frozenset[Card], ...]:
    """Every legal capture of `card` from `table`; none: it stays. An empty set means that an ace takes only itself.

    `matta` is the value 1 to 10 that a knock gave to `rules.matta`. Raises `InvalidPlay` when the table holds the card
    or one of its own twice, for another `matta`, and for Sette e mezzo.
    """
    cards_there = tuple(table)
    lying = bits(cards_there)
    if bit(card) & lying or lying.bit_count() != len(cards_there):
        raise InvalidPlay(f"expected {card} and each card of the table once, got {' '.join(map(str, cards_there))}")
    if rules.game == "sette_e_mezzo" or not (matta is None or 1 <= matta <= 10):
        raise InvalidPlay(f"expected a game of the Scopa family and a matta of 1 to 10, got {rules.game} and {matta}")
    return tuple(cards(taken) for taken in capture_bits(rules, lying, worth(rules, bit(card), matta), matta))


def capture_bits(rules: RuleSet, table: int, value: int, matta: int | None = None) -> tuple[int, ...]:
    """As `captures`, in bits, for a played card worth `value`."""
    limit = max(value, 15 - value) if rules.sum15 else value
    return _allowed(rules, table, value, totals(rules, table, limit, matta))


def captures_by_value(rules: RuleSet, table: int, matta: int | None = None) -> tuple[tuple[int, ...], ...]:
    """`capture_bits` of every value at once; entry 0 is empty."""
    sums = totals(rules, table, 14 if rules.sum15 else 10, matta)
    return ((), *(_allowed(rules, table, value, sums) for value in range(1, 11)))


def worth(rules: RuleSet, single: int, matta: int | None) -> int:
    """The capture value of one card; the matta keeps its declared value where the rules say so."""
    return matta if matta and rules.matta and single == bit(parse_cards([rules.matta])[0]) else VALUE[single]


def totals(rules: RuleSet, table: int, limit: int, matta: int | None = None) -> Totals:
    """All sets of table cards whose values sum to `limit` or less, by their sum."""
    # Each card doubles the sets found so far, but only those with room for it: far fewer than all subsets.
    found = [(0, 0)]
    for single in single_bits(table):
        value = worth(rules, single, matta)
        room = limit - value
        found += [(total + value, taken | single) for total, taken in found if total <= room]
    by_total: dict[int, list[int]] = {}
    for total, taken in found:
        by_total.setdefault(total, []).append(taken)
    return by_total


def _allowed(rules: RuleSet, table: int, value: int, sums: Totals) -> tuple[int, ...]:
    if value == 1 and rules.ace == "takes_all":
        if not table:
            return (0,) if rules.ace_on_empty == "takes_itself" else ()
        # A sum of one is a lying ace, or a matta that was declared one.
        if not (rules.ace_blocked_by_ace and 1 in sums):
            return (table,)
    taken = _by_value(rules, sums.get(value, ()))
    return (*taken, *sums.get(15 - value, ())) if rules.sum15 else tuple(taken)


def _by_value(rules: RuleSet, sums: Sequence[int]) -> Sequence[int]:
    """What is left of the captures of equal value: the equal card comes before sums unless the choice is free (P2)."""
    if rules.value_capture == "free" or not sums:
        return sums
    equal = [taken for taken in sums if taken & (taken - 1) == 0]  # one bit: a single card
    if equal or rules.value_capture == "equal_first":
        return equal or sums
    fewest = min(taken.bit_count() for taken in sums)
    return [taken for taken in sums if taken.bit_count() == fewest]
