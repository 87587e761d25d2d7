"""Runs on both sides of the emulation: `draw FILE DECK`, `read FILE DECK`, `imports VERSION` of all wheels.

The deck is learnt here and only read there: learning it takes minutes under emulation.
"""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path

LIBRARIES = (
    "numpy",
    "cv2",
    "PIL.Image",
    "gpiozero",
    "luma.core",
    "luma.oled.device",
    "smbus2",
    "msgspec",
    "platformdirs",
    "tqdm",
)
OURS = (
    "engine.game",
    "vision.detect",
    "vision.settle",
    "hardware.camera",
    "hardware.buttons",
    "hardware.panel",
    "firmware.cli",
)
CARDS = ("7d", "2c", "Rs", "5b", "Fd", "6c")


def imports(version: str) -> None:
    """Raises when a library is missing, or when this is another machine or Python than it should be."""
    for name in LIBRARIES + OURS:
        importlib.import_module(name)
    python = ".".join(platform.python_version_tuple()[:2])
    if (platform.machine(), python) != ("aarch64", version):
        raise SystemExit(f"expected aarch64 and Python {version}, got {platform.machine()} and {python}")


def draw(file: str, deck: str) -> None:
    """Six cards of the project's own deck on a green cloth, each turned; and that deck, learnt."""
    import cv2
    import numpy as np

    from engine.cards import Card
    from vision.deck import make_deck, save_deck
    from vision.synthetic.deck import faces

    table = np.full((864, 1536, 3), (70, 110, 50), np.uint8)
    drawn = faces()
    for place, name in enumerate(CARDS):
        face = drawn[Card.parse(name)]
        height, width = face.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), 25.0 * place, 110 / width)
        turn[:, 2] += (250 + 210 * place - width / 2, 400 + 60 * (place % 2) - height / 2)
        mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), turn, (1536, 864))[:, :, None] / 255.0
        card = cv2.warpAffine(face, turn, (1536, 864), flags=cv2.INTER_AREA)
        table = (table * (1 - mask) + card * mask).astype(np.uint8)
    cv2.imwrite(file, table)
    save_deck(make_deck("ours", drawn), Path(deck))


def read(file: str, deck: str) -> None:
    """Print the cards that are seen for certain, sorted."""
    import cv2

    from vision.deck import load_deck
    from vision.detect import read as read_picture

    cv2.setNumThreads(1)
    reading = read_picture(cv2.imread(file), load_deck(Path(deck)))
    print(*sorted(str(seen.card) for seen in reading.cards if seen.card is not None))


if __name__ == "__main__":
    {"imports": imports, "draw": draw, "read": read}[sys.argv[1]](*sys.argv[2:])
