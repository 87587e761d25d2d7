"""How well the camera sees this table: light, reflections, focus, colours, the edges of the view, the size of a card.

All is measured on one picture, on an empty table or with cards lying on it: cards are left out where the table is
judged, and are what focus, size and colours are judged by.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.detect import read
from vision.observation import Corners, PictureReading
from vision.read_box import Box, read_box
from vision.recognise import rectify

Picture = NDArray[np.uint8]
LightVerdict = Literal["good", "dark", "bright", "uneven"]
Order = Literal["right", "swapped", "unknown"]

DARK: Final = 20.0
"""Middle brightness: a dark cloth in good light lies above it, anything in the dark below."""
BRIGHT: Final = 215.0
UNEVEN: Final = 0.4
CLIPPED: Final = 250
SMALLEST_REFLECTION: Final = 0.0004
"""Share of the picture; a smaller clipped spot hides no index of a card."""
SHARP: Final = 1.6
"""Blur in pixels up to which a card can be read well at the usual size."""
LEAST_COLOUR: Final = 0.002
"""Likeness of colours below which too little colour is in view to tell their order."""
SMALLEST_CARD: Final = 60.0
"""Width of a card in pixels below which suits get hard to tell apart."""


@dataclass(frozen=True, slots=True)
class Light:
    """Brightness of the table. `middle` is its median 0..255, `evenness` the darkest part over the brightest, 0..1."""

    middle: float
    evenness: float

    @property
    def verdict(self) -> LightVerdict:
        """What is wrong with it, if anything."""
        if self.middle < DARK:
            return "dark"
        if self.middle > BRIGHT:
            return "bright"
        return "uneven" if self.evenness < UNEVEN else "good"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was found, and kept. `corners` tells for each corner of the view (top left, top right, bottom right, bottom
    left) whether the table reaches it. `blur` is the width of edges in pixels, `card_width` that of a card; None when
    nothing was there to measure by. `read_box`: where a doubtful card is best shown.
    """

    width: int
    height: int
    corners: tuple[bool, bool, bool, bool]
    light: Light
    reflections: tuple[Box, ...]
    blur: float | None
    card_width: float | None
    read_box: Box | None = None

    @property
    def focus(self) -> int | None:
        """0..100, 100 for edges as sharp as pixels allow; below 50 the picture is too soft."""
        if self.blur is None:
            return None
        return round(100 * min(1.0, max(0.0, 1 - (self.blur - 0.5) / (2 * (SHARP - 0.5)))))

    @property
    def good(self) -> bool:
        """Nothing of it speaks against playing."""
        sharp = self.blur is None or self.blur <= SHARP
        large = self.card_width is None or self.card_width >= SMALLEST_CARD
        return all(self.corners) and self.light.verdict == "good" and not self.reflections and sharp and large


def calibrate(picture: Picture, reading: PictureReading | None = None) -> Calibration:
    """Judge one picture (BGR). `reading` is what lies on it, when cards do."""
    height, width = picture.shape[:2]
    table = _without_cards(picture, reading)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    spots, card = reflections(picture), card_width(reading) if reading else None
    return Calibration(
        width,
        height,
        _corners(picture, table),
        _light(grey, table),
        spots,
        blur(picture),
        card,
        # a card that lies there is brighter than the best light on the table
        read_box(_uncovered(picture, table), card, spots),
    )


def reflections(picture: Picture) -> tuple[Box, ...]:
    """Spots so bright that nothing can be read there, the largest first."""
    clipped = (picture.min(axis=2) >= CLIPPED).astype(np.uint8)
    clipped = cv2.morphologyEx(clipped, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(clipped)
    large = [row for row in stats[1:] if row[cv2.CC_STAT_AREA] >= SMALLEST_REFLECTION * clipped.size]
    large.sort(key=lambda row: -int(row[cv2.CC_STAT_AREA]))
    return tuple((int(row[0]), int(row[1]), int(row[2]), int(row[3])) for row in large)


def blur(picture: Picture) -> float | None:
    """Standard deviation of the picture's blur in pixels, by its sharpest edges; None when it has no clear edges.

    A further blur of 1 pixel lowers the slope of an edge of blur s by the factor s / sqrt(s^2 + 1).
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    slope = _slope(grey)
    strongest = np.partition(slope.ravel(), -max(1, slope.size // 500))[-max(1, slope.size // 500) :]
    least = float(strongest.min())
    if least < 12:  # grey levels a pixel: noise reaches a few
        return None
    edges = slope >= least
    # an edge stays where it is, but its steepest pixel may move by one
    blurred = cv2.dilate(_slope(np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32)), np.ones((3, 3), np.uint8))
    ratio = float(np.median(blurred[edges] / slope[edges]))
    ratio = min(ratio, 0.995)
    return ratio / float(np.sqrt(1 - ratio * ratio))


def card_width(reading: PictureReading) -> float | None:
    """The usual width of a card in pixels, or None when no card is in view."""
    sides = [min(_side(c.corners[0], c.corners[1]), _side(c.corners[1], c.corners[2])) for c in reading.cards]
    return median(sides) if sides else None


def colour_order(picture: Picture, deck: Deck) -> Order:
    """Whether red and blue are where they belong: the cards in view are read either way, and where the face of a card
    is warm its picture must be warm too.
    """
    turned = np.ascontiguousarray(picture[:, :, ::-1])
    likeness = _likeness(picture, deck) - _likeness(turned, deck)
    if abs(likeness) < LEAST_COLOUR:
        return "unknown"
    return "right" if likeness > 0 else "swapped"


def _likeness(picture: Picture, deck: Deck) -> float:
    likeness = 0.0
    for seen in read(picture, deck).cards:
        if seen.card is not None and seen.visible > 0.7:
            face = deck.face(seen.card)
            patch = rectify(picture, np.asarray(seen.corners, np.float32), face.shape[1])
            likeness += float((_warmth(patch) * _warmth(face)).mean())
    return likeness


def _warmth(face: Picture) -> NDArray[np.float32]:
    """Red less blue, -1..1, on a grid of 16x24; the cast of the light, which the paper shows, is taken off."""
    small = cv2.resize(face, (16, 24), interpolation=cv2.INTER_AREA).astype(np.float32)
    warmth = (small[:, :, 2] - small[:, :, 0]) / 255
    return np.asarray(warmth - np.median(warmth), np.float32)


def _slope(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    across, down = (cv2.Sobel(grey, cv2.CV_32F, dx, dy, scale=0.125) for dx, dy in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _side(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _without_cards(picture: Picture, reading: PictureReading | None) -> NDArray[np.bool_]:
    """True where the table shows."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    outlines: list[Corners] = [card.corners for card in reading.cards] if reading else []
    outlines += [back.corners for back in reading.backs] if reading else []
    for corners in outlines:
        cv2.fillConvexPoly(mask, np.asarray(corners, np.float32).round().astype(np.int32), 1)
    grown = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    free: NDArray[np.bool_] = (grown == 0) & (picture.min(axis=2) < CLIPPED)
    return free if free.any() else np.ones_like(free)


def _uncovered(picture: Picture, table: NDArray[np.bool_]) -> Picture:
    """The picture with the table's usual colour where cards lie."""
    filled = picture.copy()
    filled[~table] = np.median(picture[table], axis=0)
    return filled


def _light(grey: NDArray[np.uint8], table: NDArray[np.bool_]) -> Light:
    """By a grid of 6x4 parts; parts with hardly any table in them do not count."""
    rows, columns = np.array_split(np.arange(grey.shape[0]), 4), np.array_split(np.arange(grey.shape[1]), 6)
    parts = [(grey[np.ix_(row, column)], table[np.ix_(row, column)]) for row in rows for column in columns]
    middles = [float(np.median(part[mask])) for part, mask in parts if mask.mean() > 0.1]
    middles = middles or [float(np.median(grey))]
    return Light(float(np.median(grey[table])), min(middles) / max(max(middles), 1.0))


def _corners(picture: Picture, table: NDArray[np.bool_]) -> tuple[bool, bool, bool, bool]:
    """A corner is of the table when its colour, light set aside, is like that of the table's middle."""
    height, width = picture.shape[:2]
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 3), cv2.COLOR_BGR2LAB).astype(np.float32)
    top, left = height // 4, width // 4
    inner = table[top:-top, left:-left]
    middle = lab[top:-top, left:-left][inner if inner.any() else np.ones_like(inner)]
    centre, spread = np.median(middle, axis=0), np.median(np.abs(middle - np.median(middle, axis=0)), axis=0)
    limit = np.maximum(6 * spread, (60, 14, 14))
    h, w = height // 12, width // 12
    corners = (lab[:h, :w], lab[:h, -w:], lab[-h:, -w:], lab[-h:, :w])
    first, second, third, fourth = (bool(np.all(np.abs(np.median(c, axis=(0, 1)) - centre) < limit)) for c in corners)
    return first, second, third, fourth
