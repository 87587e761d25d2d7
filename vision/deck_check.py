"""Is a learnt deck good enough: faces that are soft, small, cut or glaring, and the pairs that are most alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck
from vision.faces import Picture

SMALL: Final = 120
"""Pixels of a face's long side below which small drawings are lost."""
SOFT: Final = 0.002
"""Least share of a face's contrast that must lie in details of a few pixels."""
SOFTER: Final = 0.3
"""The same as a share of what the deck's faces usually have."""
GLARE: Final = 0.08
"""Largest share of a face that a reflection may burn out."""
CUT: Final = 0.4
"""Largest share of an edge that may be darker than the paper, beyond what the deck's faces have there."""
SAME: Final = 0.01
"""Two faces nearer than this (1 - correlation) are one picture under two names."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards that look alike. `margin`: 1 - their correlation, 0 = the same picture."""

    first: Card
    second: Card
    margin: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one face: `what` is `soft`, `small`, `cut`, `glare` or `same`."""

    card: Card
    what: str
    value: float


def likest_pairs(deck: Deck, count: int = 10) -> tuple[Pair, ...]:
    """The pairs of cards that are hardest to tell apart, either way up, the hardest first."""
    size = len(DECK)
    likeness = deck.templates.likeness
    either = np.maximum(likeness[:size, :size], likeness[:size, size:])
    first, second = np.triu_indices(size, 1)
    order = np.argsort(-either[first, second])[:count]
    return tuple(Pair(DECK[first[i]], DECK[second[i]], float(1 - either[first[i], second[i]])) for i in order)


def check_deck(deck: Deck) -> tuple[Fault, ...]:
    """Every face that was learnt too badly to be trusted, in deck order; empty for a good deck."""
    faults = [Fault(card, "small", pixels) for card, pixels in zip(DECK, deck.pixels, strict=True) if pixels < SMALL]
    sharp = np.array([sharpness(_as_seen(deck, card)) for card in DECK])
    dark = np.array([dark_edges(deck.face(card)) for card in DECK])
    faults += _over("soft", -sharp, -max(SOFT, SOFTER * float(np.median(sharp))))
    faults += _over("glare", np.array([shining(deck.face(card)) for card in DECK]), GLARE)
    faults += _over("cut", (dark - np.median(dark, axis=0)).max(axis=1), CUT)
    faults += [Fault(pair.second, "same", pair.margin) for pair in likest_pairs(deck) if pair.margin < SAME]
    return tuple(sorted(faults, key=lambda fault: (fault.card, fault.what)))


def _as_seen(deck: Deck, card: Card) -> Picture:
    """A face no larger than in the picture it was learnt from: enlarged, it has no finer details than there."""
    face, pixels = deck.face(card), deck.pixels[card.index]
    if pixels >= face.shape[0]:
        return face
    size = (max(1, round(face.shape[1] * pixels / face.shape[0])), pixels)
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)


def _over(what: str, values: NDArray[np.float64], limit: float) -> list[Fault]:
    return [Fault(card, what, abs(float(v))) for card, v in zip(DECK, values, strict=True) if v > limit]


def sharpness(face: Picture) -> float:
    """Share 0..1 of a face's contrast that lies in details under about 1/70 of its height."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), face.shape[0] / 200)
    return float(fine.var() / max(float(grey.var()), 1.0))


def shining(face: Picture) -> float:
    """Share 0..1 of the face that a reflection has burnt out: brighter than its paper by a quarter."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    paper = float(np.median(grey[grey >= np.median(grey)]))
    return float((grey > paper * 1.25).mean())


def dark_edges(face: Picture) -> tuple[float, ...]:
    """Share 0..1 of each edge (top, bottom, left, right) darker than half of the paper: the table beside a cut card.

    A seventieth of the height inside of the rim: what is cut by less does no harm.
    """
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    paper, depth = float(np.percentile(grey, 90)), round(face.shape[0] / 70)
    grey = grey[depth : grey.shape[0] - depth, depth : grey.shape[1] - depth]
    edges = (grey[:2], grey[-2:], grey[:, :2], grey[:, -2:])
    return tuple(float((edge < paper / 2).mean()) for edge in edges)
