"""`arbitro bench`: the speed of this machine."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

import cv2

from firmware.benchmark import FPS, SIZES, Speed, measure, own_deck
from firmware.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro bench`."""
    parser.add_argument("--rounds", type=int, default=20, help="runs of which the median is taken (default 20)")
    parser.add_argument("--json", action="store_true", help="one JSON object a size")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 0. Everything runs on one core, as on the appliance."""
    if arguments.rounds < 1:
        raise UsageError(f"expected at least 1 round, got {arguments.rounds}")
    cv2.setNumThreads(1)
    deck = own_deck()
    for size in SIZES:
        speed = measure(deck, size, arguments.rounds)
        print(json.dumps(asdict(speed)) if arguments.json else _table(speed))
    return 0


def _table(speed: Speed) -> str:
    return "\n".join(
        [
            f"{speed.width}x{speed.height}",
            f"  read ten cards       {speed.read:8.1f} ms {speed.read / speed.threshold:8.1f} x adaptiveThreshold",
            f"  nothing moved        {speed.still:8.1f} ms {speed.still / speed.threshold:8.1f} x adaptiveThreshold",
            f"  last motion to play  {speed.motion_to_play:8.0f} ms at {FPS} frames a second",
        ]
    )
