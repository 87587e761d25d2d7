"""What covers the table: pictures of cloth and wood that can be laid side by side, made from a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Camera
from vision.synthetic.pen import Colour, Pen, Picture

Floats = NDArray[np.float32]
TILE: Final = (1280.0, 800.0)
"""Width and height of the piece that repeats, millimetres."""


def surface(name: str, pixels_per_mm: float, rng: np.random.Generator) -> Picture:
    """A piece of `TILE` millimetres. Raises `KeyError` for a name that is not in `SURFACES`."""
    size = (round(TILE[1] * pixels_per_mm), round(TILE[0] * pixels_per_mm))
    return SURFACES[name](size, pixels_per_mm, rng)


def ground(tile: Picture, camera: Camera) -> Picture:
    """The empty table as a camera sees it; `tile` is repeated as often as needed.

    The way back through the lens is computed at every eighth pixel and joined by straight lines.
    """
    columns, rows = np.meshgrid(np.arange(0, camera.width + 8, 8), np.arange(0, camera.height + 8, 8))
    places = camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]).astype(float))
    at = np.meshgrid(np.arange(camera.width, dtype=np.float32) / 8, np.arange(camera.height, dtype=np.float32) / 8)
    maps = []
    for axis in (0, 1):
        knots = places[:, axis] * tile.shape[1] / TILE[0] + tile.shape[1 - axis] / 2
        maps.append(cv2.remap(knots.reshape(rows.shape).astype(np.float32), at[0], at[1], cv2.INTER_LINEAR))
    return np.asarray(cv2.remap(tile, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.uint8)


def smooth_noise(size: tuple[int, int], grain: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Noise of about unit strength whose lumps are `grain` pixels high and wide."""
    coarse = (max(2, round(size[0] / grain[0])), max(2, round(size[1] / grain[1])))
    noise = rng.standard_normal(coarse).astype(np.float32)
    return np.asarray(cv2.resize(noise, size[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _coloured(colour: Colour, shade: Floats) -> Picture:
    lit = np.asarray(colour, np.float32)[None, None, :] * (1 + shade[:, :, None])
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _weave(size: tuple[int, int], scale: float, rng: np.random.Generator, strength: float = 0.05) -> Floats:
    threads = smooth_noise(size, (0.7 * scale, 2.4 * scale), rng) + smooth_noise(size, (2.4 * scale, 0.7 * scale), rng)
    return strength * threads + 0.035 * smooth_noise(size, (90 * scale, 120 * scale), rng)


def _felt(colour: Colour) -> Callable[[tuple[int, int], float, np.random.Generator], Picture]:
    return lambda size, scale, rng: _coloured(colour, _weave(size, scale, rng))


def _wood(colour: Colour, plank: float) -> Callable[[tuple[int, int], float, np.random.Generator], Picture]:
    def make(size: tuple[int, int], scale: float, rng: np.random.Generator) -> Picture:
        rows = np.arange(size[0], dtype=np.float32)[:, None] / scale
        bend = 9 * smooth_noise(size, (60 * scale, 260 * scale), rng)
        grain = np.sin((rows + bend) / 3.1) * 0.07 + 0.05 * smooth_noise(size, (1.2 * scale, 60 * scale), rng)
        planks = int(TILE[1] / plank)
        tone = np.repeat(rng.normal(0, 0.09, planks).astype(np.float32), int(plank * scale) + 1)[: size[0], None]
        gap = np.where((rows % plank) < 1.2, np.float32(-0.45), np.float32(0))
        return _coloured(colour, grain + np.resize(tone, (size[0], 1)) + gap)

    return make


def _checked(size: tuple[int, int], scale: float, rng: np.random.Generator) -> Picture:
    """Red and white squares whose crossing stripes are darker, as woven cloth has them."""
    square = 40 * scale
    across = ((np.arange(size[1]) // square) % 2).astype(np.float32)[None, :]
    along = ((np.arange(size[0]) // square) % 2).astype(np.float32)[:, None]
    red = (across + along)[:, :, None] / 2
    base = (1 - red) * np.array([228, 234, 238], np.float32) + red * np.array([62, 52, 178], np.float32)
    return np.clip(base * (1 + _weave(size, scale, rng)[:, :, None]), 0, 255).astype(np.uint8)


def _flowered(size: tuple[int, int], scale: float, rng: np.random.Generator) -> Picture:
    """A blue cloth strewn with pale flowers: edges and bright spots that are no cards."""
    cloth = _coloured((124, 88, 52), _weave(size, scale, rng))
    pen = Pen.on(cloth, scale)
    for x in np.arange(40, TILE[0], 80.0):
        for y in np.arange(40, TILE[1], 80.0):
            flower = pen.at(float(x) + 40 * (round(y / 80) % 2), float(y), 1.1, float(rng.uniform(0, 72)))
            for k in range(5):
                flower.at(0, 0, turn=72 * k).ellipse(0, -9, 5, 7, (198, 206, 214), (150, 140, 130), 0.6)
            flower.disc(0, 0, 4, (70, 170, 214), None)
    return np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.6), np.uint8)


def _damask(size: tuple[int, int], scale: float, rng: np.random.Generator) -> Picture:
    """A cream tablecloth, nearly as bright as the cards, with a woven lattice."""
    cloth = _coloured((196, 216, 224), _weave(size, scale, rng, 0.02))
    pen = Pen.on(cloth, scale)
    for x in np.arange(0, TILE[0], 64.0):
        for y in np.arange(0, TILE[1], 64.0):
            pen.polygon([(x, y - 30), (x + 30, y), (x, y + 30), (x - 30, y)], None, (182, 202, 212), 1.5)
            pen.disc(float(x) + 32, float(y) + 32, 7, (204, 222, 230), None)
    return cloth


SURFACES: Final[dict[str, Callable[[tuple[int, int], float, np.random.Generator], Picture]]] = {
    "cloth": _felt((44, 92, 30)),
    "blue cloth": _felt((108, 62, 30)),
    "red cloth": _felt((44, 38, 122)),
    "wood": _wood((44, 74, 118), 92),
    "light wood": _wood((104, 150, 188), 130),
    "checked": _checked,
    "flowered": _flowered,
    "damask": _damask,
}
"""Every cover of the table, by name."""
