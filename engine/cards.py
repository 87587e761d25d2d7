"""The forty cards: two characters each, rank `A 2 3 4 5 6 7 F C R` and suit `d c s b`; `7d` is the settebello."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from engine.errors import InvalidPlay

Family = Literal["italian", "donna", "french"]
"""What people call the cards of a deck. `donna` are Italian decks with a woman in place of the fante: she is the 8,
while the queen of a French deck is the 9 (chapter 1): the rank follows the deck, never the word."""

SUITS: Final = "dcsb"
"""Suits in their order: denari, coppe, spade, bastoni (French: quadri, cuori, picche, fiori)."""
RANKS: Final = "A234567FCR"
"""Ranks in their order; the place, counted from one, is the capture value."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card, sorted by suit (d c s b), then rank. `suit` 0..3 indexes `SUITS`, `value` 1..10 its rank and worth."""

    suit: int
    value: int

    def __post_init__(self) -> None:
        if not (0 <= self.suit < 4 and 1 <= self.value <= 10):
            raise InvalidPlay(f"expected a suit 0 to 3 and a value 1 to 10, got {self.suit} and {self.value}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that two characters name. Raises `InvalidPlay` for any other text."""
        card = _BY_NAME.get(text)
        if card is None:
            raise InvalidPlay(f"expected a card such as 7d or Rb (rank {RANKS}, suit {SUITS}), got {text!r}")
        return card

    def __str__(self) -> str:
        return RANKS[self.value - 1] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    @property
    def index(self) -> int:
        """Place in `DECK`, 0 to 39."""
        return self.suit * 10 + self.value - 1


DECK: Final[tuple[Card, ...]] = tuple(Card(suit, value) for suit in range(4) for value in range(1, 11))
_BY_NAME: Final[dict[str, Card]] = {str(card): card for card in DECK}
SETTEBELLO: Final = _BY_NAME["7d"]


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Cards from `"7d 4b"` or `["7d", "4b"]`, in the order given. Raises `InvalidPlay` for a card twice or none."""
    names = text.split() if isinstance(text, str) else list(text)
    cards = tuple(Card.parse(name) for name in names)
    if len(set(cards)) != len(cards):
        raise InvalidPlay(f"expected each card once, got {' '.join(names)}")
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Cards in deck order, separated by blanks."""
    return " ".join(str(card) for card in sorted(cards))
