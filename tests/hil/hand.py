"""A rendered hand in as few pictures as a slow machine can look at: a picture for each way the table comes to lie."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.rules import variant
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, plain_look
from vision.synthetic.painter import Painter
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.scene import Scene
from vision.synthetic.stage import Pace

SIZE = (768, 432)
"""Width and height in pixels: the smallest at which all cards of a hand are read."""
FPS = 5


def write_hand(folder: Path, seed: int) -> None:
    """Writes `000.bgr` and so on, rows of blue, green and red bytes, and `hand.json`: what each picture completes.

    Hands and piles are left out: people take their arms away before the camera looks, and keep what they took.
    """
    folder.mkdir(parents=True, exist_ok=True)
    look = plain_look(our_pack(), *SIZE)
    match = RenderedMatch(Plan(variant("scopa_2")), look, Pace(), FPS, seed, piles=False)
    scenes = list(match.director.scenes())
    truth = match.truth()
    steps = _steps(scenes, truth)
    painter = Painter(look, seed)
    for number, (frame, _) in enumerate(steps):
        scene = replace(scenes[frame], arms=(), carried=(), before=None)
        (folder / f"{number:03}.bgr").write_bytes(np.ascontiguousarray(painter.paint(scene)).tobytes())
    told = {"plays": truth["plays"], "total": truth["hands"][0]["total"], "after": [plays for _, plays in steps]}
    (folder / "hand.json").write_text(json.dumps(told))


def _steps(scenes: list[Scene], truth: dict[str, Any]) -> list[tuple[int, int]]:
    """Frames to show, each with the number of plays that are complete when it was seen."""
    steps = [(0, 0), (truth["plays"][0]["first_frame"] - 1, 0)]
    for number, play in enumerate(truth["plays"], 1):
        if play["takes"]:
            wanted = {play["card"], *play["takes"]}
            during = range(play["first_frame"], play["landed"])
            steps.append(([frame for frame in during if wanted <= _faces(scenes[frame])][-1], number - 1))
        steps.append((play["landed"], number))
    return [*steps, (len(scenes) - 1, len(truth["plays"]))]


def _faces(scene: Scene) -> set[str]:
    return {str(thing.card) for thing in scene.lying if thing.kind == "face" and thing.key == str(thing.card)}
