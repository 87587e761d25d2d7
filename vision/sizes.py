"""Which places have the size and the shape of a card, as the other cards on the picture tell."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from vision.overlap import Proposal
from vision.scale import Scale
from vision.segment import PROPORTION, Array

OTHER_SIZE: Final = 0.2
"""Share by which a card of a heap may be larger or smaller than its neighbours;"""
FAR_SIZE: Final = 0.33
"""than cards elsewhere: a camera that leans by 22 degrees shows near ones by a third larger than far ones."""
BENT: Final = 0.15
"""Logarithm of the proportions by which a card may differ from what the others tell of its place; right ones: 0.115."""
FEW: Final = 3
"""Cards that tell proportions, at least."""
NEIGHBOUR: Final = 2.5
"""Long sides between the middles of neighbours."""
SMALLEST_CARD: Final = 0.72
"""Long side of the smallest card as a share of the largest one's: a camera that leans makes no more of it."""


def long_of(corners: Array) -> float:
    """Mean of the two long sides."""
    return float(np.linalg.norm(corners[1] - corners[2]) + np.linalg.norm(corners[3] - corners[0])) / 2


def is_shaped(corners: Array, aspect: float) -> bool:
    """Whether a place has the proportions of a card, and can tell those of others."""
    short = float(np.linalg.norm(corners[0] - corners[1]) + np.linalg.norm(corners[2] - corners[3])) / 2
    return aspect / PROPORTION < long_of(corners) / max(short, 1e-6) < aspect * PROPORTION


def sizes(cards: list[Array], backs: list[Array]) -> tuple[float, float]:
    """Least and greatest long side in pixels of what may be a card here.

    The pips of half a card can look like another card, and a bare corner of one like a back: the largest is right.
    But what only looks like a back, larger than several cards that were read, is another thing.
    """
    longest = max(map(long_of, cards), default=0.0)
    most = longest / SMALLEST_CARD if len(cards) > 1 else np.inf
    longest = max(longest, *(size for size in (0.0, *map(long_of, backs)) if size <= most))
    return SMALLEST_CARD * longest, most


def is_of_size(corners: Array, lying: list[Array], aspect: float) -> bool:
    """Whether a card is about as large as those nearest to it: pips of one card can look like another, smaller one."""
    if not lying:
        return True
    long = float(np.linalg.norm(corners[1] - corners[2]))
    near = min(float(np.linalg.norm(corners.mean(axis=0) - other.mean(axis=0))) for other in lying) < NEIGHBOUR * long
    sizes = Scale.of(lying, aspect).sizes(corners)
    like = max(abs(size - 1) for size in sizes) < (OTHER_SIZE if near else FAR_SIZE)
    return like and (len(lying) < FEW or _bent(corners, lying, aspect) < BENT)


def _bent(corners: Array, others: list[Array], aspect: float) -> float:
    """How far the proportions of a card are from what others tell of its place: outlines can end at a printed line."""
    wide, high = Scale.of(others, aspect).sizes(corners)
    return abs(math.log(max(wide, 1e-6) / max(high, 1e-6)))


def in_shape(proposals: list[Proposal], others: list[Array], aspect: float) -> list[Proposal]:
    """Without those whose proportions are not what all others tell, the worst first."""
    kept = list(proposals)
    while kept and len(kept) + len(others) > FEW:
        bents = [_bent(p.corners, [*others, *(o.corners for o in kept if o is not p)], aspect) for p in kept]
        if max(bents) < BENT:
            break
        kept.pop(int(np.argmax(bents)))
    return kept
