"""An arm with a hand, seen from above: its outline in millimetres and its picture.

The arm's own coordinates: the palm at the origin, fingers towards -y, the forearm towards +y.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.pen import XY, Colour, Pen, rounded
from vision.synthetic.scene import Arm, Grip

LENGTH: Final = 900.0
"""Millimetres from the palm to where the arm ends, always outside of the picture."""
BOX: Final = (-75.0, -125.0, 75.0, LENGTH)
"""Left, top, right, bottom of the picture of an arm."""
HEIGHT: Final = 45.0
"""Millimetres of the hand over the table."""
SKINS: Final[tuple[Colour, ...]] = ((142, 172, 226), (96, 132, 196), (62, 92, 150), (160, 186, 232))
SLEEVES: Final[tuple[Colour | None, ...]] = (None, (96, 62, 40), (70, 70, 74), (204, 210, 216))

_CUFF: Final[list[XY]] = [(-46, 190), (46, 190), (60, LENGTH), (-60, LENGTH)]
_FINGERS: Final[dict[Grip, tuple[tuple[float, float, float, float], ...]]] = {
    # foot x, foot y, length, lean in degrees
    "open": ((-30, -22, 62, -13), (-11, -32, 76, -4), (9, -32, 72, 4), (28, -24, 58, 13), (34, 18, 62, 52)),
    "pinch": ((-22, -24, 46, -3), (-8, -32, 56, 0), (7, -32, 54, 1), (21, -25, 46, 5), (32, 10, 52, 16)),
}


def parts(grip: Grip) -> list[list[XY]]:
    """Polygons that together make the bare arm: forearm, palm, fingers, thumb."""
    forearm = [(-30.0, 60.0), (30.0, 60.0), (44.0, LENGTH), (-44.0, LENGTH)]
    palm = rounded([(-38, -30), (36, -32), (44, 6), (34, 70), (-32, 70), (-42, 10)], 3)
    return [forearm, palm, *(_finger(*finger) for finger in _FINGERS[grip])]


def covers(arm: Arm) -> list[list[XY]]:
    """Polygons that together make an arm with its sleeve: what it hides of the table."""
    bare = parts(arm.grip)
    return bare if SLEEVES[arm.player % len(SLEEVES)] is None else [*bare, _CUFF]


def _finger(x: float, y: float, length: float, lean: float) -> list[XY]:
    angle = math.radians(lean)
    along, across = (math.sin(angle), -math.cos(angle)), (math.cos(angle), math.sin(angle))
    tip = [(-9.5, -8), (9.5, -8), (9, length * 0.7), (6.5, length), (-6.5, length), (-9, length * 0.7)]
    return rounded([(x + s * across[0] + t * along[0], y + s * across[1] + t * along[1]) for s, t in tip], 2)


def placed(arm: Arm) -> NDArray[np.float64]:
    """The matrix (2 x 3) from the arm's coordinates to the table's."""
    way = np.array(arm.shoulder) - np.array(arm.hand)
    angle = math.atan2(way[1], way[0]) - math.pi / 2
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, arm.hand[0]], [sin, cos, arm.hand[1]]])


def arm_picture(grip: Grip, player: int, pixels_per_mm: float) -> NDArray[np.uint8]:
    """The picture of an arm inside `BOX`, BGR and opacity."""
    size = (round((BOX[3] - BOX[1]) * pixels_per_mm), round((BOX[2] - BOX[0]) * pixels_per_mm))
    skin, sleeve = SKINS[player % len(SKINS)], SLEEVES[player % len(SLEEVES)]
    colour, mask = np.full((*size, 3), skin, np.uint8), np.zeros((*size, 3), np.uint8)
    whole = Pen.on(mask, pixels_per_mm).at(-BOX[0], -BOX[1])
    for part in parts(grip):
        whole.polygon(part, (255, 255, 255), None)
    pen = Pen.on(colour, pixels_per_mm).at(-BOX[0], -BOX[1])
    dark: Colour = (int(skin[0] * 0.72), int(skin[1] * 0.74), int(skin[2] * 0.8))
    for part in parts(grip)[2:]:
        pen.polygon(part, skin, dark, 1.6)
    pen.polygon(rounded([(-34, -22), (32, -24), (38, 6), (30, 60), (-28, 60), (-36, 10)], 3), skin, None)
    for x, y, length, lean in _FINGERS[grip]:
        angle = math.radians(lean)
        tip_x, tip_y = x + math.sin(angle) * length * 0.9, y - math.cos(angle) * length * 0.9
        pen.ellipse(tip_x, tip_y, 4.5, 6, (190, 200, 232), dark, 0.7)
        pen.disc(x, y, 3.5, dark, None)
    if sleeve is not None:
        whole.polygon(_CUFF, (255, 255, 255), None)
        pen.polygon(_CUFF, sleeve, (40, 40, 40), 2.5)
    return _modelled(colour, mask[:, :, 0], pixels_per_mm)


def _modelled(colour: NDArray[np.uint8], mask: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Round to the eye: darker towards the outline."""
    depth = cv2.GaussianBlur(mask, (0, 0), 9 * scale).astype(np.float32) / 255
    shade = np.clip(0.45 + 0.62 * depth, 0, 1.05)[:, :, None]
    soft = np.asarray(cv2.GaussianBlur(colour, (0, 0), 0.5 * scale), np.float32)
    lit = np.clip(soft * shade, 0, 255).astype(np.uint8)
    return np.dstack([lit, np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.6), np.uint8)])
