"""Points of a hand (chapter 2.3, Cirulla chapter 6), and those that are certain while it is still played (M5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from engine.bits import ALL, DENARI, OF_SUIT, OF_VALUE, bit, single_bits
from engine.cards import SETTEBELLO, Card
from engine.rules import RuleSet

_SETTEBELLO: Final = bit(SETTEBELLO)
_RE_BELLO: Final = bit(Card(0, 10))
_GRANDE: Final = bit(Card(0, 8)) | bit(Card(0, 9)) | bit(Card(0, 10))
_PRIMIERA: Final = (0, 16, 12, 13, 14, 15, 18, 21)
_FACES: Final = {"10": (10, 10, 10), "10-9-8": (8, 9, 10)}


@dataclass(frozen=True, slots=True)
class Points:
    """Points of one side in one hand, item by item, in the order in which `count_order` counts them."""

    carte: int = 0
    denari: int = 0
    settebello: int = 0
    primiera: int = 0
    scope: int = 0
    napola: int = 0
    grande: int = 0
    re_bello: int = 0
    bussate: int = 0

    @property
    def total(self) -> int:
        """The sum of all items."""
        return sum(self.items().values())

    def items(self) -> dict[str, int]:
        """Item by item, zeros included."""
        return {name: getattr(self, name) for name in ITEMS}


ITEMS: Final = tuple(field.name for field in fields(Points))


def count(
    rules: RuleSet, piles: Sequence[int], scope: Sequence[int], bussate: Sequence[Sequence[int]]
) -> tuple[Points, ...]:
    """Points of each side from its pile (bits), its scope and its paid knocks."""
    carte = _alone_at_top([pile.bit_count() for pile in piles], _least(rules, ALL))
    denari = _alone_at_top([(pile & DENARI).bit_count() for pile in piles], _least(rules, DENARI))
    primiera = _primiera_side(rules, piles)
    return tuple(
        Points(
            carte=int(side == carte),
            denari=int(side == denari),
            primiera=int(side == primiera),
            bussate=sum(bussate[side]),
            **_of_pile(rules, pile, scope[side]),
        )
        for side, pile in enumerate(piles)
    )


def certain(
    rules: RuleSet, piles: Sequence[int], scope: Sequence[int], bussate: Sequence[Sequence[int]]
) -> tuple[Points, ...]:
    """Points that nobody can take away any more, whoever captures the cards that are in no pile yet (M5)."""
    rest = ALL  # cards that are in no pile yet: the worst is that one other side gets them all
    for pile in piles:
        rest &= ~pile
    sides = range(len(piles))
    beaten = [[piles[other] | rest for other in sides if other != side] for side in sides]
    return tuple(
        Points(
            carte=int(_most_for_sure(rules, piles[side], beaten[side], ALL)),
            denari=int(_most_for_sure(rules, piles[side], beaten[side], DENARI)),
            primiera=int(_primiera_for_sure(rules, piles[side], beaten[side])),
            bussate=sum(bussate[side]),
            **_of_pile(rules, piles[side], scope[side]),
        )
        for side in sides
    )


def wins_match(rules: RuleSet, piles: Sequence[int]) -> int | None:
    """The side that wins the match with all ten denari, whatever the score (cappotto, Napoleone), or None."""
    if rules.capotto == "off" and not (rules.napola and rules.napola_full_wins):
        return None
    return next((side for side, pile in enumerate(piles) if pile & DENARI == DENARI), None)


def primiera_value(rules: RuleSet, pile: int) -> int | None:
    """The sum of the best card of each suit; None without a card in some suit."""
    table = _PRIMIERA + _FACES[rules.primiera_faces]
    if not all(pile & suit for suit in OF_SUIT):
        return None
    return sum(
        max(table[single.bit_length() - 10 * suit] for single in single_bits(pile & OF_SUIT[suit])) for suit in range(4)
    )


def _of_pile(rules: RuleSet, pile: int, scope: int) -> dict[str, int]:
    return {
        "settebello": int(bool(pile & _SETTEBELLO)),
        "scope": scope,
        "napola": _napola(rules, pile) if rules.napola else 0,
        "grande": 5 if rules.grande and pile & _GRANDE == _GRANDE else 0,
        "re_bello": int(rules.re_bello and bool(pile & _RE_BELLO)),
    }


def _napola(rules: RuleSet, pile: int) -> int:
    run = (~pile & (pile + 1)).bit_length() - 1 if pile & 1 else 0  # length of the run of ones from the ace of denari
    run = min(run, 10)
    return min(run, rules.napola_max) if run >= 3 else 0


def _least(rules: RuleSet, kind: int) -> int:
    return kind.bit_count() // 2 + 1 if rules.majority == "more_than_half" else 1


def _alone_at_top(counts: Sequence[int | None], least: int) -> int | None:
    best = max((count for count in counts if count is not None), default=0)
    leaders = [side for side, count in enumerate(counts) if count == best]
    return leaders[0] if len(leaders) == 1 and best >= least else None


def _primiera_side(rules: RuleSet, piles: Sequence[int]) -> int | None:
    if rules.primiera == "settanta":
        return next((side for side, pile in enumerate(piles) if _has_settanta(pile)), None)
    return _alone_at_top([primiera_value(rules, pile) for pile in piles], 1) if rules.primiera == "best4" else None


def _has_settanta(pile: int) -> bool:
    return (pile & OF_VALUE[7]).bit_count() >= 3


def _most_for_sure(rules: RuleSet, pile: int, others: Sequence[int], kind: int) -> bool:
    mine = (pile & kind).bit_count()
    return mine >= _least(rules, kind) and all((other & kind).bit_count() < mine for other in others)


def _primiera_for_sure(rules: RuleSet, pile: int, others: Sequence[int]) -> bool:
    if rules.primiera != "best4":
        return rules.primiera == "settanta" and _has_settanta(pile)
    mine = primiera_value(rules, pile)
    return mine is not None and all((primiera_value(rules, other) or 0) < mine for other in others)
