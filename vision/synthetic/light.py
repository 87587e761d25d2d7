"""How the table is lit: a lamp, a window, their colour, glare, and what lens and sensor add."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Camera

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Glare:
    """A reflection: centre and radius in millimetres, brightness added in its middle (0..255)."""

    x: float
    y: float
    radius: float
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp over (`x`, `y`) whose light falls to half at `reach` millimetres, and a window at the left or right.

    `ambient` is the share of light that comes from everywhere, `window` (-1..1) brightens the right or left side,
    `cast` multiplies blue, green and red. Shadows fall away from the lamp, `softness` millimetres blurred.
    """

    x: float = 0.0
    y: float = -120.0
    reach: float = 620.0
    ambient: float = 0.45
    window: float = 0.0
    level: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glare: tuple[Glare, ...] = ()
    softness: float = 4.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """Blur and noise in pixels and grey levels at a width of 1536; `vignette` darkens the corners by that share."""

    blur: float = 0.6
    noise: float = 2.5
    stain: float = 1.0
    vignette: float = 0.12
    exposure: float = 0.3


def light_maps(light: Light, camera: Camera, vignette: float) -> tuple[Floats, Floats]:
    """What multiplies each pixel (rows, columns, 3) and what is added to it (rows, columns, 1).

    Computed on every eighth pixel and enlarged: light is smooth.
    """
    across, down = (np.linspace(0, side, side // 8) for side in (camera.width, camera.height))
    columns, rows = np.meshgrid(across, down)
    places = camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]))
    x, y = places[:, 0].reshape(columns.shape), places[:, 1].reshape(columns.shape)
    lamp = 1 / (1 + ((x - light.x) ** 2 + (y - light.y) ** 2) / light.reach**2)
    brightness = light.ambient + (1 - light.ambient) * lamp + light.window * x / 1400
    off_axis = ((columns / camera.width - 0.5) ** 2 + (rows / camera.height - 0.5) ** 2) * 2
    brightness *= light.level * (1 - vignette * off_axis)
    added = np.zeros_like(brightness)
    for spot in light.glare:
        added += spot.strength * np.exp(-((x - spot.x) ** 2 + (y - spot.y) ** 2) / spot.radius**2)
    gain = brightness[:, :, None] * np.asarray(light.cast)
    return _enlarge(gain, camera), _enlarge(added, camera)[:, :, None]


def _enlarge(small: NDArray[np.float64], camera: Camera) -> Floats:
    size = (camera.width, camera.height)
    return np.asarray(cv2.resize(small.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), np.float32)


class Noise:
    """Noise of a sensor, drawn once and laid over every frame at another place: cheap and different each time."""

    def __init__(self, camera: Camera, sensor: Sensor, rng: np.random.Generator) -> None:
        size = (camera.height + 96, camera.width + 96, 3)
        fine = rng.standard_normal(size, np.float32) * sensor.noise
        coarse = rng.standard_normal((size[0] // 3 + 1, size[1] // 3 + 1, 3), np.float32) * sensor.stain
        fine += np.asarray(cv2.resize(coarse, size[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
        self._bank = np.rint(fine).astype(np.int16)
        self._rng = rng

    def add(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture with fresh noise."""
        top, left = self._rng.integers(0, 96, 2)
        bank = self._bank[top : top + picture.shape[0], left : left + picture.shape[1]]
        return np.asarray(cv2.add(picture, bank, dtype=cv2.CV_8U), np.uint8)
