"""Pictures, with opacity, of all that can lie on the table: worn cards with round corners, and what is no card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.synthetic.camera import Points
from vision.synthetic.pen import Colour, Pen, Picture
from vision.synthetic.scene import SIZES, Kind, Thing

Sprite = NDArray[np.uint8]
"""Rows, columns, BGR and opacity."""


def _disc(x: float, y: float, radius: float) -> Points:
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])


SHAPES: Final[dict[Kind, tuple[Points, ...]]] = {
    "glass": (_disc(0, 0, 36),),
    "coin": (_disc(0, 0, 11.5),),
    "keys": (
        _disc(0, -22.5, 18),
        np.array([(-5, -22.5), (5, -22.5), (5, 45), (-5, 45)]),
        np.array([(5, 10), (30, 34), (26, 40), (3, 18)]),
    ),
}
"""What things cover that do not fill their rectangle, millimetres around their middle."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards that are played with: upright faces and a back, their size in millimetres, and how worn they are.

    `wear` 0..1 rubs edges and yellows the paper, `curl` 0..1 bends the cards, which shows as a shade along them,
    `sleeved` puts each into a clear sleeve.
    """

    faces: dict[Card, Picture]
    back: Picture
    millimetres: tuple[float, float]
    wear: float = 0.3
    curl: float = 0.2
    sleeved: bool = False

    @property
    def outer(self) -> tuple[float, float]:
        """Size with the sleeve, if there is one."""
        rim = 5.0 if self.sleeved else 0.0
        return self.millimetres[0] + rim, self.millimetres[1] + rim

    def size(self, thing: Thing) -> tuple[float, float]:
        """Width and height of a thing in millimetres."""
        return self.outer if thing.kind in ("face", "back") else SIZES[thing.kind]


class Sprites:
    """Makes each sprite once, a little finer than the camera sees it, so that warping neither blurs nor flickers."""

    def __init__(self, pack: Pack, pixels_per_mm: float, rng: np.random.Generator) -> None:
        self.pack, self.scale = pack, pixels_per_mm * 1.2
        self._seeds = rng.integers(0, 2**31, 64)
        self._made: dict[tuple[Kind, Card | None], Sprite] = {}

    def of(self, thing: Thing) -> Sprite:
        """The sprite of a thing."""
        key = (thing.kind, thing.card if thing.kind == "face" else None)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, kind: Kind, card: Card | None) -> Sprite:
        rng = np.random.default_rng(int(self._seeds[63 if card is None else card.index]))
        if kind == "face" and card is not None:
            return _card(self.pack, self.pack.faces[card], self.scale, rng)
        if kind == "back":
            return _card(self.pack, self.pack.back, self.scale, rng)
        return _object(kind, self.scale)


def _card(pack: Pack, face: Picture, scale: float, rng: np.random.Generator) -> Sprite:
    wide, high = (round(side * scale) for side in pack.millimetres)
    shown = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32)
    shown *= _rubbed((high, wide), pack, scale, rng)[:, :, None]
    shown *= 1 - np.asarray((0.10, 0.04, 0.02), np.float32) * pack.wear
    mask = _round_corners((high, wide), 3.2 * scale)
    card = np.dstack([np.clip(shown, 0, 255).astype(np.uint8), mask])
    return _sleeve(card, pack, scale) if pack.sleeved else card


def _rubbed(size: tuple[int, int], pack: Pack, scale: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Brightness of the paper: darker towards its edges, stained, shaded by its bend."""
    rows, columns = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]), indexing="ij")
    bend = pack.curl * rng.uniform(-0.09, 0.09) * rows + pack.curl * rng.uniform(-0.05, 0.05) * columns
    edge = np.minimum((1 - abs(rows)) * size[0], (1 - abs(columns)) * size[1]) / 2 / scale
    stains = cv2.resize(rng.standard_normal((7, 5)).astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    worn = 0.12 * np.exp(-edge / 1.1) * (0.4 + pack.wear) + 0.02 * pack.wear * np.asarray(stains)
    return np.asarray(1 + bend - worn, np.float32)


def _round_corners(size: tuple[int, int], radius: float) -> NDArray[np.uint8]:
    fine = 4
    mask = np.zeros((size[0] * fine, size[1] * fine), np.uint8)
    r = max(1, round(radius * fine))
    cv2.rectangle(mask, (r, 0), (mask.shape[1] - 1 - r, mask.shape[0]), 255, -1)
    cv2.rectangle(mask, (0, r), (mask.shape[1], mask.shape[0] - 1 - r), 255, -1)
    for x in (r, mask.shape[1] - 1 - r):
        for y in (r, mask.shape[0] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(mask, size[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def _sleeve(card: Sprite, pack: Pack, scale: float) -> Sprite:
    """A clear rim with a bright edge around the card and a pale streak across it."""
    size = (round(pack.outer[1] * scale), round(pack.outer[0] * scale))
    sleeve = np.full((*size, 4), (225, 225, 220, 70), np.uint8)
    cv2.rectangle(sleeve, (0, 0), (size[1] - 1, size[0] - 1), (240, 240, 238, 150), 1)
    top, left = (size[0] - card.shape[0]) // 2, (size[1] - card.shape[1]) // 2
    inner = sleeve[top : top + card.shape[0], left : left + card.shape[1]]
    inner[:] = np.where(card[:, :, 3:] > 127, card, inner)
    streak = np.zeros(size, np.float32)
    cv2.line(streak, (0, size[0] // 2), (size[1], size[0] // 5), 1.0, max(2, round(6 * scale)))
    glow = cv2.GaussianBlur(streak, (0, 0), 3 * scale)[:, :, None] * 38
    sleeve[:, :, :3] = np.clip(sleeve[:, :, :3] + glow, 0, 255).astype(np.uint8)
    return sleeve


_COLOURS: Final[dict[Kind, tuple[Colour, ...]]] = {
    "glass": ((196, 204, 206),),
    "coin": ((90, 170, 206),),
    "keys": ((150, 150, 156), (120, 150, 160), (110, 112, 118)),
}


def _object(kind: Kind, scale: float) -> Sprite:
    wide, high = SIZES[kind]
    size = (round(high * scale), round(wide * scale))
    colour, mask = np.zeros((*size, 3), np.uint8), np.zeros((*size, 3), np.uint8)
    for picture, solid in ((mask, True), (colour, False)):
        _draw_object(Pen.on(picture, scale).at(wide / 2, high / 2), kind, wide / 2, high / 2, solid)
    return np.dstack([colour, mask[:, :, 0]])


def _draw_object(pen: Pen, kind: Kind, x: float, y: float, solid: bool) -> None:
    """Draw a thing around the origin; `solid` draws its opacity instead of its colours."""
    white = (255, 255, 255)
    if kind in SHAPES:
        for shape, colour in zip(SHAPES[kind], _COLOURS[kind], strict=True):
            pen.polygon([(float(a), float(b)) for a, b in shape], white if solid else colour, None)
        if kind == "glass":
            pen.disc(0, 0, x - 4, white if solid else (40, 30, 120), None)
            pen.ellipse(-x / 3, -x / 3, 6, 10, white if solid else (220, 214, 228), None)
        elif kind == "coin":
            pen.disc(0, 0, x * 0.7, white if solid else (170, 180, 186), None)
    else:
        body = [(-x, -y), (x, -y), (x, y), (-x, y)]
        pen.polygon(body, white if solid else ((30, 28, 28) if kind == "phone" else (238, 240, 240)), None)
        if not solid and kind == "paper":
            for row in range(6):
                pen.line([(-x + 10, -y + 20 + 18 * row), (x - 20, -y + 21 + 18 * row)], (150, 90, 70), 1.2)
        elif not solid:
            pen.polygon([(-x + 4, -y + 8), (x - 4, -y + 8), (x - 4, y - 8), (-x + 4, y - 8)], (66, 58, 52), None)
