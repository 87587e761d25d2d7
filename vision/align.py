"""Laying a face exactly over the picture: small errors of a card's corners are found by comparing with its drawing."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.faces import Picture
from vision.segment import Array
from vision.templates import HEIGHT, Features

MARGIN: Final = 10
"""Pixels around the patch in which the face may be found, of HEIGHT for a card's long side."""
ITERATIONS: Final = 20


def align(picture: Picture, corners: Array, face: Features, mask: Picture, factor: float) -> Array:
    """Corners (4, 2) moved so that the brightness of the picture between them follows a face; unchanged on failure.

    `face`: float32 (HEIGHT, width). `mask`: uint8, `factor` times the picture's size, 0 where the card is covered.
    Enhanced correlation: Evangelidis and Psarakis, IEEE PAMI 30 (2008).
    """
    width = face.shape[1]
    inner = np.array([(0, 0), (width, 0), (width, HEIGHT), (0, HEIGHT)], np.float32) - 0.5
    to_picture = cv2.getPerspectiveTransform(inner + MARGIN, corners)
    size = (width + 2 * MARGIN, HEIGHT + 2 * MARGIN)
    warp = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(picture, to_picture, size, flags=warp, borderMode=cv2.BORDER_REPLICATE)
    shrink = np.array([[factor, 0, factor / 2 - 0.5], [0, factor, factor / 2 - 0.5], [0, 0, 1]])
    seen = cv2.warpPerspective(mask, shrink @ to_picture, size, flags=warp)
    grey = cv2.GaussianBlur(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    start = np.array([[1, 0, MARGIN], [0, 1, MARGIN]], np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, ITERATIONS, 1e-3)
    visible = np.asarray(seen > 127, np.uint8)
    try:
        _, found = cv2.findTransformECC(face, grey, start, cv2.MOTION_AFFINE, criteria, visible, 1)
    except cv2.error:  # its way of saying that the two do not resemble each other
        return corners
    moved = cv2.perspectiveTransform(cv2.transform(inner[None], found), to_picture)[0]
    if np.abs(moved - corners).max() > 0.12 * float(np.linalg.norm(corners[1] - corners[2])):
        return corners
    return np.asarray(moved, np.float32)
