"""Sets of cards as bits of one number: bit `i` is `DECK[i]`. Inside the engine only; its surface speaks of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.cards import DECK, Card

ALL: Final = (1 << len(DECK)) - 1
DENARI: Final = (1 << 10) - 1
OF_SUIT: Final = tuple(DENARI << (10 * suit) for suit in range(4))
OF_VALUE: Final = tuple(sum(1 << (10 * suit + value - 1) for suit in range(4)) if value else 0 for value in range(11))
VALUE: Final = {1 << card.index: card.value for card in DECK}
_CARD: Final = {1 << card.index: card for card in DECK}


def bit(card: Card) -> int:
    """The bit of one card."""
    return 1 << (card.suit * 10 + card.value - 1)


def bits(cards: Iterable[Card]) -> int:
    """The bits of some cards."""
    total = 0
    for card in cards:
        total |= 1 << (card.suit * 10 + card.value - 1)
    return total


def single_bits(mask: int) -> Iterator[int]:
    """The bits of a set one by one, in deck order."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def card(single: int) -> Card:
    """The card of one bit."""
    return _CARD[single]


def cards(mask: int) -> frozenset[Card]:
    """The cards of a set."""
    return frozenset(_CARD[single] for single in single_bits(mask))


def sorted_cards(mask: int) -> tuple[Card, ...]:
    """The cards of a set in deck order."""
    return tuple(_CARD[single] for single in single_bits(mask))
