"""Texts in Italian or English (the table is `firmware.texts`), and the words for cards, by kind of deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from engine.cards import Card, Family
from firmware.errors import FirmwareError
from firmware.texts import TEXTS

Language = Literal["it", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("it", "en")


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language, and the words of one family of decks.

    `Words("it")("off.title")` is the text; fields in braces are filled from the keywords, and cards among them are
    written by their letters. Raises `FirmwareError` for a text that does not exist.
    """

    language: Language = "it"
    family: Family = "italian"

    def __call__(self, key: str, **fields: object) -> str:
        texts = TEXTS.get(key)
        if texts is None:
            raise FirmwareError(f"expected the key of a text, got {key!r}")
        text = texts[LANGUAGES.index(self.language)]
        return text.format(**{name: self._field(value) for name, value in fields.items()}) if fields else text

    def _field(self, value: object) -> object:
        if isinstance(value, Card):
            return self.card(value)
        return self.cards(value, most=4) if isinstance(value, tuple | frozenset) else value

    def card(self, card: Card) -> str:
        """A card by two letters, rank before suit: `7D`, and `CB`, the cavallo of bastoni."""
        return self.rank(card.value) + self._pick("suits", card.suit)

    def rank(self, value: int) -> str:
        """The letter or digit of a value 1 to 10."""
        return self("ranks." + self.family).split()[value - 1]

    def rank_name(self, value: int) -> str:
        """The word for a value 1 to 10."""
        return self("rank_names." + self.family).split()[value - 1]

    def suit_name(self, suit: int) -> str:
        """The word for a suit 0 to 3."""
        return self._pick("suit_names", suit)

    def card_name(self, card: Card) -> str:
        """A card in words: `7 di coppe`."""
        return self("card_name", rank=self.rank_name(card.value), suit=self.suit_name(card.suit))

    def icon(self, card: Card) -> str:
        """The sign of a card's suit, of this family."""
        return ("♦♥♠♣" if self.family == "french" else "◉⚱†♧")[card.suit]

    def cards(self, cards: Iterable[object], *, most: int = 40) -> str:
        """Cards by letters with blanks between them; of more than `most`, the first ones and how many follow."""
        names = [self.card(card) for card in cards if isinstance(card, Card)]
        kept = names if len(names) <= most else [*names[: most - 1], f"+{len(names) - most + 1}"]
        return " ".join(kept)

    def _pick(self, what: str, suit: int) -> str:
        return self(f"{what}.{'french' if self.family == 'french' else 'italian'}").split()[suit]
