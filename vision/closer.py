"""A closer look at faces that are nearly alike: only they are compared, as blurred as the picture is, without rims."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from engine.cards import DECK
from vision.drawing import Features
from vision.faces import Picture
from vision.glance import Copy
from vision.recognise import Match, correlate, evidence_for, lead, rectify
from vision.segment import Array
from vision.templates import BLURS, HEIGHT, RIM, Templates, features

LIKE: Final = 0.05
"""Faces whose correlations differ by less are looked at;"""
MOST: Final = 3
"""so many at most."""
SHARP: Final = 0.5
"""Standard deviation, pixels, of the blur of what is seen: no more than against noise."""
EDGE: Final = np.ones((3, 3), np.uint8)
"""Pixels of a patch that are left out around what hides a card: blur and shadow carry it over its edge."""


def _like_ones(match: Match) -> list[int]:
    """The best face and those that are nearly as like what is seen (0..79)."""
    near = zip(match.ranked, match.places, strict=True)
    return [place for (_, score), place in near if score > match.quality - LIKE][:MOST]


def look_closer(picture: Picture, free: Copy, templates: Templates, places: list[Array], match: Match) -> Match:
    """The match as the like faces tell it when each is compared where it fits best.

    `places`: corners (4, 2) where a face was laid; `free` is 0 where cards are covered. The faces get the blur that
    makes the best of them most like the picture: a camera is rarely quite sharp, and a blurred spade is like a club.
    """
    like = _like_ones(match)
    if len(like) < 2:
        return match
    size = (HEIGHT, templates.width)
    quads = np.stack(places)
    masks = np.stack([cv2.erode(shown, EDGE) > 200 for shown in free.patches(quads, size)])
    masks[:, :RIM] = masks[:, -RIM:] = masks[:, :, :RIM] = masks[:, :, -RIM:] = False
    patches = [rectify(picture, place, templates.width) for place in places]
    seen = np.stack([features(patch, SHARP, mask) for patch, mask in zip(patches, masks, strict=True)])
    drawn = [templates.alike(tuple(like), blur) for blur in BLURS]
    found = [(correlate(seen, masks, alike.faces)[0], alike.likeness) for alike in drawn]
    scores, likeness = max(found, key=lambda one: float(one[0].max()))
    return _told(match, like, scores.max(axis=0), likeness)


def _told(match: Match, like: list[int], reached: Features, likeness: Features) -> Match:
    """The match with the face that reached most as its best one, and how clearly it beats the others."""
    best = int(reached.argmax())
    others = np.flatnonzero(np.arange(len(like)) != best)
    leads = lead(reached[best], reached[others], likeness[best, others])
    rest = list(zip(match.ranked, match.alike, strict=True))[len(like) :]
    far = [float(lead(match.quality, score, alike)) for (_, score), alike in rest]
    order = sorted(range(len(match.places)), key=lambda index: match.places[index] != like[best])
    return replace(
        match,
        card=DECK[like[best] % len(DECK)],
        turned=like[best] >= len(DECK),
        margin=min([float(leads.min()), *far]),
        evidence=evidence_for(float(reached[best]), float(reached[others].max()), match.seen),
        ranked=tuple(match.ranked[index] for index in order),
        places=tuple(match.places[index] for index in order),
        alike=tuple(match.alike[index] for index in order),
    )
