"""What the recogniser compares with: forty faces, both ways up, brought to one small size and one light."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing import Drawing, Features
from vision.faces import Picture

Kind = TypeVar("Kind", bound=np.generic)

HEIGHT: Final = 96
"""Pixels of a card's long side where cards are compared."""
BLUR: Final = 1.0
"""Standard deviation, pixels: hides what a small error of the corners changes."""
BLURS: Final = (0.6, 1.0, 1.5)
"""The same of faces that are compared with a picture that is left as it is: from sharp to out of focus."""
RIM: Final = 3
"""Pixels along a card's sides in which like faces are not compared: corners are round, rims worn and in shadow."""
MOST_ALIKE: Final = 48
"""Groups of like faces that are kept for the next time."""
EVERY: Final = 2
"""Of so many pixels, down and across, one is compared: blur makes neighbours tell the same."""
COARSE_STEP: Final = (2, 1)
"""The same, down and across, of faces at half the size: they are narrow, and need every column."""
SHIFTS: Final = (-1, 0, 1)
"""Pixels by which one face may be moved over another to look like it."""
CHROMA: Final = 1.4
"""Weight of colour against brightness: suits of one shape differ by colour alone."""
LEAST: Final = 40
"""Pixels from which the colour of the paper is taken, at least;"""
SKIP: Final = 4
"""of these every fourth."""
MIX: Final = np.array(
    [(1 / 3, 1 / 3, 1 / 3), (0, -CHROMA, CHROMA), (CHROMA, -CHROMA / 2, -CHROMA / 2)], np.float32
)  # blue, green, red to brightness and two colour differences


@dataclass(frozen=True, eq=False)
class Templates:
    """`planes`: float32 (80, HEIGHT, width, 3), the faces as learnt, then turned by 180 degrees. `back`: float32
    (2, values), both ways up as `unit(thin(...))` makes it, or None. `width` in pixels. `faces`: as learnt, uint8 BGR
    (40, height, width, 3).
    """

    width: int
    back: Features | None
    planes: Features
    faces: Picture
    _alike: dict[tuple[tuple[int, ...], float], Alike] = field(default_factory=dict)

    @classmethod
    def of(cls, faces: Picture, back: Picture | None) -> Templates:
        """Templates of forty BGR faces of one size."""
        width = round(HEIGHT * faces.shape[2] / faces.shape[1])
        upright = np.stack([features(_small(face, width)) for face in faces])
        planes = np.concatenate([upright, upright[:, ::-1, ::-1]])
        backs = None
        if back is not None:
            seen = features(_small(back, width))
            backs = np.stack([unit(thin(seen)), unit(thin(seen[::-1, ::-1]))])
        return cls(width, backs, planes, faces)

    def alike(self, places: tuple[int, ...], blur: float) -> Alike:
        """Faces (each 0..79) that are like one another, at this blur (standard deviation, pixels)."""
        if (places, blur) not in self._alike:
            if len(self._alike) >= MOST_ALIKE:
                self._alike.clear()
            upright = [features(_small(self.faces[place % len(self.faces)], self.width), blur) for place in places]
            turned = [place >= len(self.faces) for place in places]
            planes = [face[::-1, ::-1] if turn else face for face, turn in zip(upright, turned, strict=True)]
            self._alike[places, blur] = Alike.of(np.stack(planes))
        return self._alike[places, blur]

    @cached_property
    def coarse(self) -> Faces:
        """The faces at half the size, to choose among many patches, at every `COARSE_STEP` pixels of `coarse_size`."""
        return Faces.of(self._halved[:, :: COARSE_STEP[0], :: COARSE_STEP[1]])

    @property
    def coarse_size(self) -> tuple[int, int]:
        """Height and width of a face at half the size."""
        return (HEIGHT // 2, self.width // 2)

    @cached_property
    def fine(self) -> Faces:
        """The faces at full size, of every pixel that is compared."""
        return Faces.of(thin(self.planes))

    @property
    def likeness(self) -> Features:
        """Correlations of the faces with one another (80, 80)."""
        return self.fine.likeness

    @cached_property
    def coarse_drawing(self) -> Drawing:
        """The faces at half the size, to be laid roughly."""
        return Drawing.of(self._halved, HEIGHT)

    @cached_property
    def fine_drawing(self) -> Drawing:
        """The faces at full size, to be laid exactly."""
        return Drawing.of(self.planes, HEIGHT)

    @property
    def _halved(self) -> Features:
        size = self.coarse_size[::-1]
        return np.stack([cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in self.planes])


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces laid out for products: `flat` float32 (80, pixels * 3), each with mean 0 a channel, `by_pixel` (pixels,
    240), the same with a row a pixel, `squares` (pixels, 80), the sums of each pixel's squares. `norms` (80,) of whole
    faces, `likeness` (80, 80), their correlations with one another. `size`: (height, width)."""

    flat: Features
    by_pixel: Features
    squares: Features
    norms: Features
    likeness: Features
    size: tuple[int, int]

    @classmethod
    def of(cls, planes: Features) -> Faces:
        """Faces of float32 (80, height, width, 3)."""
        count, height, width, _ = planes.shape
        pixels = (planes - planes.mean(axis=(1, 2), keepdims=True)).reshape(count, -1, 3)
        by_pixel = np.ascontiguousarray(pixels.transpose(1, 0, 2).reshape(height * width, -1))
        squares = np.ascontiguousarray((pixels**2).sum(axis=2).T)
        flat = np.ascontiguousarray(pixels.reshape(count, -1))
        norms = np.maximum(np.linalg.norm(flat, axis=1), 1e-6)
        return cls(flat, by_pixel, squares, norms, flat @ flat.T / np.outer(norms, norms), (height, width))


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """A few faces, and how like each other they are (n, n) when they are moved a little, without their rims."""

    faces: Faces
    likeness: Features

    @classmethod
    def of(cls, planes: Features) -> Alike:
        """Of faces of float32 (n, height, width, 3)."""
        height, width = planes.shape[1:3]
        moved = [planes[:, RIM + y : height - RIM + y, RIM + x : width - RIM + x] for x in SHIFTS for y in SHIFTS]
        flat = [np.stack([unit(face) for face in faces]) for faces in moved]
        whole = flat[len(flat) // 2]
        return cls(Faces.of(planes), np.asarray(np.max([whole @ other.T for other in flat], axis=0), np.float32))


def _small(face: Picture, width: int) -> Picture:
    return np.asarray(cv2.resize(face, (width, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def thin(pixels: NDArray[Kind]) -> NDArray[Kind]:
    """The pixels of (..., HEIGHT, width, channels) that are compared at full size."""
    return pixels[..., 1::EVERY, 1::EVERY, :]


def features(patch: Picture, blur: float = BLUR, shown: NDArray[np.bool_] | None = None) -> Features:
    """Brightness and two colour differences relative to the card's own paper: float32 of the patch's shape.

    Dividing by the paper takes the colour of the lamp and the exposure away; the paper is the brightest tenth, of what
    is `shown` if that is given.
    """
    pixels = patch.reshape(-1, 3) if shown is None else patch[shown]
    pixels = (pixels if len(pixels) >= LEAST else patch.reshape(-1, 3))[::SKIP]
    place = len(pixels) * 9 // 10
    paper = np.maximum(np.partition(pixels, place, axis=0)[place], 24).astype(np.float32)
    planes = cv2.transform(patch.astype(np.float32), MIX / paper)
    return np.asarray(cv2.GaussianBlur(np.clip(planes, -1.2, 1.2), (0, 0), blur), np.float32)


def unit(planes: Features) -> Features:
    """The planes as one vector of norm 1 whose channels have mean 0."""
    centred = (planes - planes.mean(axis=(0, 1))).reshape(-1)
    return np.asarray(centred / max(float(np.linalg.norm(centred)), 1e-6), np.float32)
