"""Naming what an outline holds: the patch inside is compared with all faces, and the two best with each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.cards import DECK, Card
from vision.drawing import Features
from vision.faces import Picture
from vision.segment import Array
from vision.templates import HEIGHT, Faces, Templates, features, thin, unit

SUPERSAMPLE: Final = 1.3
"""Picture pixels for one of the patch from which it is taken at twice its size and averaged."""
PIXELS: Final = 180
"""Independent measurements that a whole face gives: its pixels by the area over which blur ties them together."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well the faces explain a patch.

    `card`, `turned`: the best face, and whether it lies upside down. `quality`: its correlation with the patch, -1..1.
    `margin`: how far the patch is from the middle between the best face and the nearest other, 0 (as like the one as
    the other) to about 1 (all of the difference is the best one's). `evidence`: natural logarithm of how many times
    likelier the best face is than the next, if pixels erred independently. `seen`: share of the face compared.
    `ranked`: faces with their correlation, best first; `places`: the same as numbers of templates, 0..79;
    `alike`: how like the best face they are themselves.
    `back`: correlation with the learnt back, -1 without one.
    """

    card: Card
    turned: bool
    quality: float
    margin: float
    evidence: float
    seen: float
    ranked: tuple[tuple[Card, float], ...]
    places: tuple[int, ...]
    alike: tuple[float, ...]
    back: float = -1.0


def rectify(picture: Picture, corners: Array, width: int, height: int = HEIGHT) -> Picture:
    """The card between four corners, brought to (height, width): uint8, channels as in the picture."""
    scale = 2 if np.linalg.norm(corners[1] - corners[2]) > SUPERSAMPLE * height else 1
    w, h = width * scale, height * scale
    frame = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
    patch = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(frame, corners), (w, h),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    if scale > 1:
        patch = cv2.resize(patch, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def match_patches(patches: list[Picture], templates: Templates) -> list[Match]:
    """Compare rectified patches with every face, either way up."""
    if not patches:
        return []
    seen = np.stack([unit(thin(features(patch))) for patch in patches])
    backs = seen @ templates.back.T if templates.back is not None else None
    faces = templates.fine
    return [
        judge(row, faces.likeness[row.argmax()], 1.0, -1.0 if backs is None else float(backs[place].max()))
        for place, row in enumerate(seen @ faces.flat.T / faces.norms)
    ]


def match_masked(planes: Features, masks: NDArray[np.bool_], templates: Templates) -> list[Match]:
    """Compare what masks (n, HEIGHT, width) leave of patches' features (n, HEIGHT, width, 3) with every face."""
    faces, shares = templates.fine, masks.mean(axis=(1, 2))
    masks = thin(masks[..., None])[..., 0]
    scores, means, norms = correlate(thin(planes), masks, faces)
    rows, best = np.arange(len(masks)), scores.argmax(axis=1)
    likeness = faces.likeness[best]
    part = np.flatnonzero(~masks.all(axis=(1, 2)))
    if len(part):
        shown = masks[part].reshape(len(part), -1, 1) / norms[rows, best][part, None, None]
        models = (faces.flat[best[part]].reshape(len(part), -1, 3) - means[rows, best][part, None]) * shown
        likeness[part] = models.reshape(len(part), -1) @ faces.flat.T / norms[part]
    return [judge(scores[row], likeness[row], float(shares[row])) for row in rows]


def correlate(planes: Features, masks: NDArray[np.bool_], faces: Faces) -> tuple[Features, Features, Features]:
    """Correlations (n, 80) of n patches (n, height, width, 3) with the faces where the masks (n, height, width) leave
    them; and the faces' means (n, 80, 3) and norms (n, 80) there."""
    seen = masks.reshape(len(masks), -1).astype(np.float32)
    count = np.maximum(seen.sum(axis=1), np.float32(1))[:, None]
    patches = planes.reshape(*seen.shape, 3) * seen[:, :, None]
    patches -= seen[:, :, None] * (patches.sum(axis=1) / count)[:, None]
    flat = patches.reshape(len(seen), -1)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    means = np.zeros((len(seen), len(faces.norms), 3), np.float32)
    norms = np.repeat(faces.norms[None], len(seen), axis=0)
    part = np.flatnonzero(count[:, 0] < seen.shape[1])
    if len(part):
        means[part] = (seen[part] @ faces.by_pixel).reshape(len(part), -1, 3) / count[part, :, None]
        rest = seen[part] @ faces.squares - count[part] * (means[part] ** 2).sum(axis=2)
        norms[part] = np.sqrt(np.maximum(rest, 1e-6))
    return np.asarray(flat @ faces.flat.T / norms, np.float32), means, norms


def judge(scores: NDArray[np.float32], likeness: NDArray[np.float32], seen: float, back: float = -1.0) -> Match:
    """The best face of 80 correlations, and how clearly it beats every other card. `likeness`: 80, of the best face.

    If the patch were the best face A itself, its lead over B would be 1 - AB; the share of that lead which is really
    there, in units of A's own correlation, tells two like faces apart better than the correlations do. The evidence
    is the logarithm of the likelihood ratio of two linear models with equal noise (a fact of regression).
    """
    best = int(scores.argmax())
    quality = float(scores[best])
    leads = lead(quality, scores, likeness)
    others = np.arange(len(scores)) % len(DECK) != best % len(DECK)
    by_card = scores.reshape(2, -1).max(axis=0)
    order = np.argsort(-by_card)[:4]
    ranked = tuple((DECK[index], float(by_card[index])) for index in order)
    places = tuple(int(index + len(DECK) * (scores[index + len(DECK)] > scores[index])) for index in order)
    evidence = evidence_for(quality, float(scores[others].max()), seen)
    alike = tuple(float(likeness[place]) for place in places)
    card = DECK[best % len(DECK)]
    return Match(
        card, best >= len(DECK), quality, float(leads[others].min()), evidence, seen, ranked, places, alike, back
    )


def lead(quality: float, others: ArrayLike, likeness: ArrayLike) -> NDArray[np.floating]:
    """How far a face of this correlation is ahead of others, as a share of what it should be; see `judge`.

    `likeness` is how like that face the others are themselves; the shape of `others`.
    """
    ahead, should = quality - np.asarray(others), (1 - np.asarray(likeness)) * max(quality, 1e-3)
    return np.asarray(ahead / np.maximum(should, 1e-3))


def evidence_for(quality: float, rival: float, seen: float) -> float:
    """Logarithm of the likelihood ratio of two faces with these correlations over a share of a card."""
    good, other = (min(max(value, 0.0), 0.9999) for value in (quality, rival))
    return PIXELS * seen / 2 * math.log((1 - other**2) / (1 - good**2))


def against(match: Match, rivals: dict[Card, float]) -> Match:
    """The match when other faces reach these correlations at places of their own."""
    best = match.quality
    others = [(max(score, rivals.get(card, 0.0)), alike) for (card, score), alike
              in zip(match.ranked, match.alike, strict=True) if card != match.card]  # fmt: skip
    margin = min(float(lead(best, score, alike)) for score, alike in others)
    evidence = evidence_for(best, max(score for score, _ in others), match.seen)
    return replace(match, margin=min(match.margin, margin), evidence=min(match.evidence, evidence))
