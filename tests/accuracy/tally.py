"""Counting what a reading got right, by card, suit and confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from engine.cards import SUITS, Card
from vision.observation import CardDetection

Truth = tuple[Card, np.ndarray | None, bool]
"""A card that lies there, its corners (4, 2) if they are known, and whether it must be read."""
NEAR = 0.3
"""Long sides by which the middle of a reading may be off and still tell of that card."""


@dataclass
class Tally:
    """Figures of a set of pictures."""

    pictures: int = 0
    needed: Counter[Card] = field(default_factory=Counter)
    right: Counter[Card] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    confused: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    corners: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    told: list[tuple[float, bool]] = field(default_factory=list)
    doubted: Counter[str] = field(default_factory=Counter)
    doubts: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, name: str, cards: Iterable[CardDetection], truth: list[Truth], seconds: float) -> None:
        """Count one picture."""
        self.pictures += 1
        self.seconds.append(seconds)
        found: set[Card] = set()
        for told in cards:
            if told.card is None:
                self.unreadable += 1
                self._doubt(told, truth)
                continue
            match = next((t for t in truth if t[0] == told.card and t[0] not in found and _near(told, t[1])), None)
            self.told.append((told.confidence, match is not None))
            if match is None:
                self.wrong.append(f"{name}: {told.card} at {told.confidence:.4f}, {told.visible:.2f} of it seen")
                self.confused.update(f"{t[0]} as {told.card}" for t in truth if t[1] is not None and _near(told, t[1]))
            else:
                found.add(told.card)
                self.corners += [] if match[1] is None else [_off(told, match[1])]
        self.needed.update(card for card, _, must in truth if must)
        self.right.update(card for card, _, must in truth if must and card in found)

    def _doubt(self, told: CardDetection, truth: list[Truth]) -> None:
        first, probability = told.options[0]
        here = [card for card, corners, _ in truth if corners is not None and _near(told, corners)]
        if here:
            self.doubts.append((probability, first in here))
            self.doubted[f"{here[0]}, {first}"] += 1

    @property
    def every_told(self) -> list[tuple[float, bool]]:
        """Probabilities of sure readings and of the first candidates of doubtful ones, and whether they were right."""
        return self.told + self.doubts

    def join(self, other: Tally) -> None:
        """Add the figures of another set."""
        self.pictures += other.pictures
        self.unreadable += other.unreadable
        for mine, theirs in ((self.needed, other.needed), (self.right, other.right), (self.confused, other.confused),
                             (self.doubted, other.doubted)):  # fmt: skip
            mine.update(theirs)  # type: ignore[arg-type]
        for mine, theirs in ((self.wrong, other.wrong), (self.corners, other.corners), (self.seconds, other.seconds)):
            mine.extend(theirs)  # type: ignore[arg-type]
        self.told += other.told
        self.doubts += other.doubts

    @property
    def recall(self) -> float:
        """Share of the cards that must be read which were."""
        return sum(self.right.values()) / max(1, sum(self.needed.values()))

    def worst_card(self) -> str:
        """The card that was missed most often, as a share."""
        worst = min(self.needed, key=lambda card: (self.right[card] / self.needed[card], card), default=None)
        return "-" if worst is None else f"{worst} {self.right[worst]}/{self.needed[worst]}"

    def suits(self) -> dict[str, float]:
        """Recall of each suit, by its letter."""
        shares = {}
        for suit, letter in enumerate(SUITS):
            needed = sum(n for card, n in self.needed.items() if card.suit == suit)
            if needed:
                shares[letter] = sum(n for card, n in self.right.items() if card.suit == suit) / needed
        return shares

    def worst_suit(self) -> str:
        """The suit of which most was missed."""
        shares = self.suits()
        worst = min(shares, key=lambda letter: shares[letter], default=None)
        return "-" if worst is None else f"{worst} {shares[worst]:.3f}"

    def calibration_error(self) -> float:
        """Expected calibration error of the sure readings, ten bins of equal counts (Naeini et al., AAAI 2015)."""
        if not self.told:
            return 0.0
        told = np.array(sorted(self.told))
        bins = np.array_split(told, min(10, len(told)))
        return float(sum(abs(b[:, 0].mean() - b[:, 1].mean()) * len(b) for b in bins) / len(told))


def _near(told: CardDetection, corners: np.ndarray | None) -> bool:
    if corners is None:
        return True
    long = np.linalg.norm(corners[0] - corners[3])
    return bool(np.linalg.norm(np.array(told.corners).mean(axis=0) - corners.mean(axis=0)) < NEAR * long)


def _off(told: CardDetection, corners: np.ndarray) -> float:
    """Largest error of a corner in long sides; a card that looks the same upside down may be told either way."""
    seen = np.array(told.corners)
    off = min(float(np.abs(np.roll(seen, turn, axis=0) - corners).max()) for turn in (0, 2))
    return off / float(np.linalg.norm(corners[0] - corners[3]))
