"""`arbitro read`: recognise the cards in pictures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
from tqdm import tqdm

from firmware.annotate import annotate as annotate_picture
from firmware.decks import open_deck
from firmware.errors import UsageError
from firmware.store import default_directory
from vision.colours import red_and_blue_swapped
from vision.deck import Deck
from vision.detect import read, table_cards
from vision.errors import PictureError
from vision.faces import ENDINGS, read_picture
from vision.observation import CardDetection, Corners, PictureReading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro read`."""
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="pictures, or folders of them")
    parser.add_argument("--deck", required=True, metavar="DECK", help="a learnt deck, or a folder of faces")
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="where learnt decks are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="write the pictures with what was read")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a picture could not be read."""
    cv2.setNumThreads(1)  # one core reads a picture; others are for the camera and the display
    deck = open_deck(arguments.deck, arguments.state or default_directory())
    files = [file for path in arguments.pictures for file in _files(path)]
    if arguments.annotate:
        arguments.annotate.mkdir(parents=True, exist_ok=True)
    broken = 0
    for file in tqdm(files, unit="picture", file=sys.stderr, disable=len(files) < 2, leave=False):
        try:
            _one(file, deck, arguments.json, arguments.annotate)
        except PictureError as error:
            print(f"arbitro: {error}", file=sys.stderr)
            broken += 1
    return 1 if broken else 0


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS)
    elif path.is_file():
        yield path
    else:
        raise UsageError(f"expected a picture or a folder of pictures, got {path}, which does not exist")


def _one(file: Path, deck: Deck, as_json: bool, annotate: Path | None) -> None:
    picture = read_picture(file)
    started = time.perf_counter()
    reading = read(picture, deck)
    milliseconds = (time.perf_counter() - started) * 1000
    print(json.dumps(as_record(file.name, reading, milliseconds)) if as_json else _line(file.name, reading))
    doubtful = not reading.cards or any(card.card is None for card in reading.cards)
    if doubtful and red_and_blue_swapped(picture, reading, deck):
        print(f"arbitro: {file.name}: red and blue are swapped", file=sys.stderr)
    if annotate:
        written = cv2.imwrite(
            str(annotate / f"{file.stem}.png"), annotate_picture(picture, table_cards(reading), reading.backs)
        )
        if not written:
            raise OSError(f"expected to write {annotate / file.stem}.png, and could not")


def as_record(name: str, reading: PictureReading, milliseconds: float) -> dict[str, Any]:
    """The line of `arbitro read --json` for one picture."""
    cards = table_cards(reading)
    sure = [card for card in cards if card.card is not None]
    unsure = [card for card in cards if card.card is None]
    return {
        "image": name,
        "width": reading.width,
        "height": reading.height,
        "milliseconds": round(milliseconds, 1),
        "cards": [
            {
                "card": str(card.card),
                "confidence": round(card.confidence, 5),
                "corners": _points(card.corners),
                "visible": round(card.visible, 2),
            }
            for card in sure
        ],
        "backs": [{"corners": _points(back.corners)} for back in reading.backs],
        "unreadable": [
            {"corners": _points(card.corners), "options": [str(option) for option, _ in card.options]}
            for card in unsure
        ],
    }


def _points(corners: Corners) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def _line(name: str, reading: PictureReading) -> str:
    cards = table_cards(reading)
    parts = [f"{card.card} {card.confidence:.3f}" for card in cards if card.card is not None]
    parts += [f"? ({_options(card)})" for card in cards if card.card is None]
    parts += [f"backs {len(reading.backs)}"] if reading.backs else []
    return f"{name}: {', '.join(parts) or 'no card'}"


def _options(card: CardDetection) -> str:
    return " or ".join(str(option) for option, _ in card.options[:2])
