"""How large a card is where: from cards already found on the picture, also when the camera looks aslant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.segment import Array

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Cards that were found: `middles` (n, 2) in pixels, and for each `metric` (n, 2, 2), which turns a direction d of
    the picture into its length on the table: sqrt(d M d), in card widths a pixel. `aspect`: a card's height in widths.

    Places and directions are (2,) or (k, 2); what is told of them has their leading shape.
    """

    middles: Floats
    metrics: Floats
    aspect: float

    @classmethod
    def of(cls, cards: list[Array], aspect: float) -> Scale:
        """The scale that whole cards (4, 2), short side first, show. At least one is needed."""
        quads = np.array(cards, np.float64)
        across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2.0
        down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / (2.0 * aspect)
        inverse = np.linalg.inv(np.stack([across, down], axis=2))
        return cls(quads.mean(axis=1), inverse.transpose(0, 2, 1) @ inverse, aspect)

    @classmethod
    def level(cls, width: float, aspect: float) -> Scale:
        """Cards `width` pixels wide everywhere, seen from straight above."""
        return cls(np.zeros((1, 2)), np.eye(2)[None] / width**2, aspect)

    def metric(self, places: Array | Floats) -> Floats:
        """The metric at places: the found cards' own, the nearer ones counting more."""
        away = ((self.middles - places[..., None, :]) ** 2).sum(axis=-1)
        weights = 1 / (away + 1e4)
        weights /= weights.sum(axis=-1, keepdims=True)
        flat = weights @ self.metrics.reshape(-1, 4)
        return np.asarray(flat.reshape(*flat.shape[:-1], 2, 2), np.float64)

    def pixels(self, places: Array | Floats, directions: Array | Floats) -> Floats:
        """Pixels of one card width at places along unit directions of the picture."""
        return 1 / np.sqrt(np.maximum(_product(directions, self.metric(places), directions), 1e-12))

    def sizes(self, corners: Array) -> tuple[float, float]:
        """How wide and how high a card between four corners is, a short side first, in widths and heights of a card."""
        metric = self.metric(corners.mean(axis=0))
        wide = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
        high = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
        return float(np.sqrt(wide @ metric @ wide)), float(np.sqrt(high @ metric @ high)) / self.aspect

    def across(self, places: Array, directions: Array) -> Array:
        """The unit direction of the picture that on the table is square to another one, a quarter turn to its left."""
        leaning = (self.metric(places) @ directions[..., None])[..., 0]
        square = np.stack([leaning[..., 1], -leaning[..., 0]], axis=-1)
        return np.asarray(square / np.maximum(np.linalg.norm(square, axis=-1, keepdims=True), 1e-12), np.float32)

    def angle(self, places: Array, ones: Array, twos: Array) -> Floats:
        """Cosine of the angle that two directions of the picture make on the table."""
        metric = self.metric(places)
        lengths = np.sqrt(_product(ones, metric, ones) * _product(twos, metric, twos))
        return _product(ones, metric, twos) / np.maximum(lengths, 1e-12)


def _product(ones: Array | Floats, metrics: Floats, twos: Array | Floats) -> Floats:
    """The inner product of directions by a metric."""
    return np.asarray((ones * (metrics @ twos[..., None])[..., 0]).sum(axis=-1), np.float64)
