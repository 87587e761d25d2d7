"""One picture of the table with its time and number: what every camera and recording gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Height x width x 3, channels in the order blue, green, red (OpenCV's), 0..255."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. `time` in seconds since the source began (recordings: number / fps, never the clock).

    `number` counts from 0 all that the source took, also frames that nobody looked at. `small`: the same picture in
    little, where the camera gives one.
    """

    picture: Picture
    time: float
    number: int
    small: Picture | None = None


class Shot(NamedTuple):
    """What a camera took: the picture, None when it is not fit to be judged; when, by the clock of who asked (seconds);
    and the same picture in little, where the camera gives one.
    """

    picture: Picture | None
    taken: float
    small: Picture | None = None


class FrameSource(Protocol):
    """Anything that gives frames in order, and is closed once."""

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> object: ...
