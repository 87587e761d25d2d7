"""A picture of the table with what was read drawn on it: for people who want to see what the referee saw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.observation import BackDetection, Corners

Picture = NDArray[np.uint8]
GREEN: Final = (60, 200, 60)
AMBER: Final = (0, 160, 255)
BLUE: Final = (220, 120, 40)


class Seen(Protocol):
    """A card of one picture (`CardDetection`) or of the table over time (`SeenCard`)."""

    @property
    def card(self) -> Card | None: ...
    @property
    def confidence(self) -> float: ...
    @property
    def corners(self) -> Corners: ...


def annotate(picture: Picture, cards: Iterable[Seen], backs: Iterable[BackDetection]) -> Picture:
    """A copy of the picture with outlines and names: green is sure, amber is not, blue lies face down."""
    drawn = picture.copy()
    thick = max(1, round(max(picture.shape[:2]) / 800))
    for back in backs:
        _outline(drawn, back.corners, BLUE, "", thick)
    for seen in cards:
        name = "?" if seen.card is None else f"{seen.card} {seen.confidence:.2f}"
        _outline(drawn, seen.corners, AMBER if seen.card is None else GREEN, name, thick)
    return drawn


def _outline(drawn: Picture, corners: Corners, colour: tuple[int, int, int], name: str, thick: int) -> None:
    points = np.round(np.array(corners)).astype(np.int32)
    cv2.polylines(drawn, [points], True, colour, thick, cv2.LINE_AA)
    place = (int(points[:, 0].min()), int(points[:, 1].min()) - 4)
    for ink, width in (((0, 0, 0), thick + 2), (colour, thick)):  # a dark rim keeps the name readable on any cloth
        cv2.putText(drawn, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick, ink, width, cv2.LINE_AA)
