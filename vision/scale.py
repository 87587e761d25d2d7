"""How large a card is where: from cards already found on the picture, also when the camera looks aslant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.segment import Array


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Cards that were found: `middles` (n, 2) in pixels, and for each `metric` (n, 2, 2), which turns a direction d of
    the picture into its length on the table: sqrt(d M d), in card widths a pixel. `aspect`: a card's height in widths.
    """

    middles: NDArray[np.float64]
    metrics: NDArray[np.float64]
    aspect: float

    @classmethod
    def of(cls, cards: list[Array], aspect: float) -> Scale:
        """The scale that whole cards (4, 2), short side first, show. At least one is needed."""
        metrics = []
        for corners in cards:
            across = (corners[1] - corners[0] + corners[2] - corners[3]) / 2.0
            down = (corners[3] - corners[0] + corners[2] - corners[1]) / (2.0 * aspect)
            inverse = np.linalg.inv(np.stack([across, down], axis=1).astype(np.float64))
            metrics.append(inverse.T @ inverse)
        return cls(np.array([corners.mean(axis=0) for corners in cards], np.float64), np.array(metrics), aspect)

    @classmethod
    def level(cls, width: float, aspect: float) -> Scale:
        """Cards `width` pixels wide everywhere, seen from straight above."""
        return cls(np.zeros((1, 2)), np.eye(2)[None] / width**2, aspect)

    def metric(self, place: Array) -> NDArray[np.float64]:
        """The metric at a place: the found cards' own, the nearer ones counting more."""
        away = ((self.middles - place) ** 2).sum(axis=1)
        weights = 1 / (away + 1e4)
        return np.asarray((self.metrics * weights[:, None, None]).sum(axis=0) / weights.sum())

    def pixels(self, place: Array, direction: Array) -> float:
        """Pixels of one card width at a place along a unit direction of the picture."""
        return float(1 / np.sqrt(max(float(direction @ self.metric(place) @ direction), 1e-12)))

    def sizes(self, corners: Array) -> tuple[float, float]:
        """How wide and how high a card between four corners is, a short side first, in widths and heights of a card."""
        metric = self.metric(corners.mean(axis=0))
        wide = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
        high = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
        return float(np.sqrt(wide @ metric @ wide)), float(np.sqrt(high @ metric @ high)) / self.aspect

    def across(self, place: Array, direction: Array) -> Array:
        """The unit direction of the picture that on the table is square to another one, a quarter turn to its left."""
        leaning = self.metric(place) @ direction
        square = np.array([leaning[1], -leaning[0]])
        return np.asarray(square / max(float(np.linalg.norm(square)), 1e-12), np.float32)

    def angle(self, place: Array, one: Array, two: Array) -> float:
        """Cosine of the angle that two directions of the picture make on the table."""
        metric = self.metric(place)
        lengths = np.sqrt((one @ metric @ one) * (two @ metric @ two))
        return float((one @ metric @ two) / max(float(lengths), 1e-12))
