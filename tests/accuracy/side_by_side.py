"""Ten pictures of the rendered table beside ten of the recordings and photographs: a sheet to look at, and numbers.

    python -m tests.accuracy.side_by_side SHEET.png
prints for each side the medians of brightness, contrast and paper (grey levels; paper is the brightness that one pixel
and a half in a hundred exceed), sharpness (share of the contrast that a blur of one pixel removes) and noise (grey
levels, Immerkaer 1996). Ours are taken as `arbitro simulate --render` writes them: compression took noise from the
recordings too. The sheet is for looking at and is never committed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules import variant
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, random_look
from vision.synthetic.painter import Painter
from vision.synthetic.recording import RenderedMatch, jpeg
from vision.synthetic.stage import Pace
from vision.synthetic.style import STYLES

DATA = Path(os.environ.get("ARBITRO_DATA", "../shared"))
VARIANTS = ("scopa_2", "scopone_scientifico", "cirulla_2", "scopa_4", "scopa_3")
SIZE = (1536, 864)
Picture = NDArray[np.uint8]


def ours(count: int) -> Iterator[Picture]:
    """A frame of the middle of `count` different matches, every second one on a hard table."""
    for seed in range(count):
        pack = our_pack(tuple(STYLES)[seed % len(STYLES)])
        hard = seed % 2 == 1
        look = random_look(pack, np.random.default_rng(seed), hard, *SIZE)
        plan = Plan(variant(VARIANTS[seed % len(VARIANTS)]), disturbed=0.2 * hard, hidden=0.4 * hard)
        match = RenderedMatch(plan, look, Pace(), 5, seed, 0.8 * hard)
        scene = next(scene for scene in match.director.scenes() if scene.frame == 150 + 7 * seed)
        written = np.frombuffer(jpeg(Painter(look, seed).paint(scene)), np.uint8)
        yield np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)


def recorded() -> Iterator[Picture]:
    """A frame of each recording."""
    for number, file in enumerate(sorted((DATA / "recordings").glob("*.mp4"))):
        film = cv2.VideoCapture(str(file))
        film.set(cv2.CAP_PROP_POS_FRAMES, 150 + 11 * number)
        found, frame = film.read()
        if found:
            yield np.asarray(frame, np.uint8)


def photographed(count: int) -> Iterator[Picture]:
    """Photographs of real cards."""
    photographs = sorted(file for folder in sorted((DATA / "photos").iterdir()) for file in folder.glob("*.jpg"))
    for file in photographs[:: max(1, len(photographs) // count)][:count]:
        yield fitted(np.asarray(cv2.imread(str(file)), np.uint8))


def fitted(picture: Picture) -> Picture:
    """A photograph on a frame of our size."""
    scale = min(SIZE[0] / picture.shape[1], SIZE[1] / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    frame = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    frame[: small.shape[0], : small.shape[1]] = small
    return frame


def numbers(picture: Picture) -> tuple[float, ...]:
    """Brightness, contrast, paper, sharpness, noise."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = grey[: int((picture.max(axis=(1, 2)) > 0).sum()), : int((picture.max(axis=(0, 2)) > 0).sum())]
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 1)
    mask = cv2.filter2D(grey, cv2.CV_32F, np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32))
    noise = float(np.sqrt(np.pi / 2) / 6 * np.median(np.abs(mask)) / 0.845)
    paper = float(np.percentile(grey, 98.5))
    return float(grey.mean()), float(grey.std()), paper, float(fine.std() / grey.std()), noise


def main(sheet: Path, count: int = 10) -> None:
    """Write the sheet and print the numbers."""
    films = list(recorded())
    sides = {"ours": list(ours(count)), "recordings": films, "photographs": list(photographed(count - len(films)))}
    for name, pictures in sides.items():
        values = np.median([numbers(picture) for picture in pictures], axis=0)
        words = zip(("brightness", "contrast", "paper", "sharpness", "noise"), values, strict=True)
        print(f"{name:11}", "  ".join(f"{word} {value:.3g}" for word, value in words))
    columns = (sides["ours"], sides["recordings"] + sides["photographs"])
    small = [[cv2.resize(p, (768, 432), interpolation=cv2.INTER_AREA) for p in column] for column in columns]
    cv2.imwrite(str(sheet), np.hstack([np.vstack(column) for column in small]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
