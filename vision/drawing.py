"""Faces prepared for being laid over a picture: how each changes when it is moved a little."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """Faces prepared for the fit, compared at every second pixel of each row (coarse) or of every second row (fine).

    `values`: float32 (80, places, 3); `steepest` (80, 8, places * 3): how they change with each of the parameters, in
    pixels about the patch's middle. The places are every `step` (down, across) pixels of a patch of `size` (height,
    width).
    """

    values: Features
    steepest: Features
    size: tuple[int, int]
    step: tuple[int, int]

    @classmethod
    def of(cls, planes: Features, whole: int) -> Drawing:
        """Of faces' features, float32 (80, height, width, 3); parameters as if they were `whole` pixels high."""
        count, height, width, _ = planes.shape
        unit = whole / height
        step = (max(1, round(2 / unit)), 2)
        places = np.arange(height * width).reshape(height, width)[:: step[0], :: step[1]].ravel()
        across, down = (
            np.stack([cv2.Sobel(face, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8 / unit) for face in planes])
            .reshape(count, -1, 3)[:, places]
            for dx, dy in ((1, 0), (0, 1))
        )  # fmt: skip
        x = ((places % width - (width - 1) / 2) * unit).astype(np.float32)[:, None]
        y = ((places // width - (height - 1) / 2) * unit).astype(np.float32)[:, None]
        radial = across * x + down * y
        columns = [across, down, across * x, across * y, down * x, down * y, -radial * x, -radial * y]
        steepest = np.stack([column.reshape(count, -1) for column in columns], axis=1)
        return cls(planes.reshape(count, -1, 3)[:, places], steepest, (height, width), step)
