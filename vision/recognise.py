"""Naming what an outline holds: the patch inside is compared with all faces, and the two best with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.faces import Picture
from vision.segment import Array
from vision.templates import HEIGHT, Features, Templates, features, unit

SUPERSAMPLE: Final = 1.3
"""Picture pixels for one of the patch from which it is taken at twice its size and averaged."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well the faces explain a patch.

    `card`, `turned`: the best face, and whether it lies upside down. `quality`: its correlation with the patch, -1..1.
    `margin`: how far the patch is from the middle between the best face and the nearest other, 0 (as like the one as
    the other) to about 1 (all of the difference is the best one's). `ranked`: faces with their correlation, best first.
    `back`: correlation with the deck's learnt back, -1 without one.
    """

    card: Card
    turned: bool
    quality: float
    margin: float
    ranked: tuple[tuple[Card, float], ...]
    back: float = -1.0


def rectify(picture: Picture, corners: Array, width: int) -> Picture:
    """The card between four corners, brought to (HEIGHT, width): BGR uint8."""
    scale = 2 if np.linalg.norm(corners[1] - corners[2]) > SUPERSAMPLE * HEIGHT else 1
    w, h = width * scale, HEIGHT * scale
    frame = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
    patch = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(frame, corners), (w, h),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    if scale > 1:
        patch = cv2.resize(patch, (width, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def match_patches(patches: list[Picture], templates: Templates) -> list[Match]:
    """Compare rectified patches with every face, either way up."""
    if not patches:
        return []
    seen = np.stack([unit(features(patch)) for patch in patches])
    backs = seen @ templates.back.T if templates.back is not None else None
    return [
        judge(row, templates.likeness, -1.0 if backs is None else float(backs[place].max()))
        for place, row in enumerate(seen @ templates.values.T)
    ]


def judge(scores: NDArray[np.float32], likeness: Features, back: float = -1.0) -> Match:
    """The best face of 80 correlations, and how clearly it beats every other card.

    If the patch were the best face A itself, its lead over B would be 1 - AB; the share of that lead which is really
    there, in units of A's own correlation, tells two like faces apart better than the correlations do.
    """
    best = int(scores.argmax())
    quality = float(scores[best])
    lead = (quality - scores) / np.maximum((1 - likeness[best]) * max(quality, 1e-3), 1e-3)
    others = np.arange(len(scores)) % len(DECK) != best % len(DECK)
    by_card = scores.reshape(2, -1).max(axis=0)
    order = np.argsort(-by_card)[:4]
    ranked = tuple((DECK[index], float(by_card[index])) for index in order)
    return Match(DECK[best % len(DECK)], best >= len(DECK), quality, float(lead[others].min()), ranked, back)
