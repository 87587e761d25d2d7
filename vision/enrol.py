"""Learning a deck under the camera: card after card, or ten at once, each taken when it lies still and sharp."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Final, Literal

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.calibrate import SHARP, blur
from vision.deck import Deck, make_deck
from vision.deck_check import GLARE, shining
from vision.deck_pictures import faces_on
from vision.drawing import Features
from vision.faces import Picture
from vision.motion import Motion, shrink
from vision.templates import HEIGHT, features, unit

SETTLED: Final = 0.4
"""Seconds without motion before a card is looked at."""
LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at a card that was not good enough."""
SAME: Final = 0.94
"""Likeness from which a face is one that was taken already: between two cards of the decks tried it reaches 0.91."""
SUIT: Final = 10
SIZES: Final[tuple[tuple[Callable[[Picture], float], float], ...]] = (
    (lambda face: face.shape[0], 0.25),
    (lambda face: face.shape[0] / face.shape[1], 0.12),
)
"""Height and proportions of a face, and by how much (as a logarithm) they may differ between cards of one deck."""

Remark = Literal["empty", "moving", "many", "soft", "glare", "same", "good", "done"]
"""What became of the last look; `same`: the card `taken` lies there (again), `many`: other than one or ten cards."""


class Enrolment:
    """The faces learnt so far. `remark` says what the last look found, `taken` which card it took or saw again.

    The back of a card may be shown last, when all forty faces are there.
    """

    def __init__(self) -> None:
        self.faces: dict[Card, Picture] = {}
        self.back: Picture | None = None
        self.remark: Remark = "empty"
        self.taken: Card | None = None
        self._order: list[Card] = []
        self._likeness: dict[Card, Features] = {}
        self._from = 0
        self._motion = Motion()
        self._moved_at: float | None = None
        self._next = 0.0
        self._forced = False

    @property
    def wanted(self) -> Card | None:
        """The card to lay down, None when all faces are there."""
        ahead = DECK[self._from :] + DECK[: self._from]
        return next((card for card in ahead if card not in self.faces), None)

    def update(self, picture: Picture, time: float) -> tuple[Card, ...]:
        """One more frame (BGR), `time` in seconds and growing; the cards that were taken from it."""
        if self._motion.update(shrink(picture)[0]).moved or self._moved_at is None:
            self._moved_at, self._next, self.remark = time, time + SETTLED, "moving"
        if time < self._next or self.remark in ("good", "done"):
            return ()
        self._next = time + LOOK_AGAIN
        return self._look(picture)

    def force(self) -> None:
        """Take what lies there at the next look even if it is soft, shines or seems to be known."""
        self._forced, self._next = True, 0.0
        if self.remark == "good":
            self.remark = "empty"

    def skip(self) -> None:
        """The wanted card comes later."""
        if self.wanted is not None:
            self._from = (self.wanted.index + 1) % len(DECK)

    def redo(self) -> None:
        """Forget the card taken last; it is wanted again."""
        if self.back is not None:
            self.back = None
        elif self._order:
            card = self._order.pop()
            del self.faces[card], self._likeness[card]
            self._from = card.index
        self.remark = "empty"

    def deck(self, name: str) -> Deck:
        """Raises `DeckError` that names the faces that are missing."""
        return make_deck(name, self.faces, self.back)

    def _look(self, picture: Picture) -> tuple[Card, ...]:
        wanted, forced, self._forced = self.wanted, self._forced, False
        found = faces_on(picture, SUIT)
        if wanted is not None and len(found) == SUIT and wanted not in self.faces and self._whole_suit(wanted):
            cards = DECK[wanted.index : wanted.index + SUIT]
        else:
            found = faces_on(picture, 1) if forced else found  # else anything that may be a second card forbids it
            cards = () if wanted is None else (wanted,)
        if len(found) != max(1, len(cards)) or not (forced or self._of_one_size(found)):
            self.remark = "many" if found else "empty"
            return ()
        self.remark = "good" if forced else self._judge(picture, found)
        if self.remark != "good":
            return ()
        if wanted is None:
            self.back, self.remark = found[0], "done"
        for card, face in zip(cards, found, strict=False):
            self._take(card, face)
        return cards

    def _whole_suit(self, first: Card) -> bool:
        """Whether this is an ace, and no card of its suit was taken yet."""
        return first.value == 1 and not any(card.suit == first.suit for card in self.faces)

    def _of_one_size(self, found: list[Picture]) -> bool:
        """Whether these are as large and as slender as the cards taken before: else it is none, or several at once."""
        known = list(self.faces.values())
        return not known or all(
            abs(float(np.log(_middle(found, part) / _middle(known, part)))) < limit for part, limit in SIZES
        )

    def _judge(self, picture: Picture, found: list[Picture]) -> Remark:
        width = blur(picture)  # by the card's rim too: where all is soft, a face alone has no edge to judge by
        if width is None or width > SHARP:
            return "soft"
        for face in found:
            if self.wanted is not None and shining(face) > GLARE:  # a back has no paper to compare with
                return "glare"
            self.taken = self._known(face)
            if self.taken is not None:
                return "same"
        return "good"

    def _known(self, face: Picture) -> Card | None:
        """The card taken before that this face is, either way up."""
        seen = _features(face)
        turned = _features(np.asarray(face[::-1, ::-1], np.uint8))
        alike = {card: max(float(f @ seen), float(f @ turned)) for card, f in self._likeness.items()}
        best = max(alike, key=lambda card: alike[card], default=None)
        return best if best is not None and alike[best] > SAME else None

    def _take(self, card: Card, face: Picture) -> None:
        self.faces[card], self._likeness[card] = face, _features(face)
        self._order.append(card)
        self.taken, self._from = card, (card.index + 1) % len(DECK)


def _middle(faces: list[Picture], part: Callable[[Picture], float]) -> float:
    return median(part(face) for face in faces)


def _features(face: Picture) -> Features:
    small = cv2.resize(face, (round(HEIGHT / 1.65), HEIGHT), interpolation=cv2.INTER_AREA)
    return unit(features(np.asarray(small, np.uint8)))
