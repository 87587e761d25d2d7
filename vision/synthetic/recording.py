"""Renders a match into a folder: frames or a video, `truth.json`, and what is visible in each frame."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.synthetic.director import Director, Plan
from vision.synthetic.layout import Layout, seats
from vision.synthetic.painter import Look, Painter
from vision.synthetic.pen import Picture
from vision.synthetic.scene import Scene
from vision.synthetic.sette import SetteDirector, SettePlan, sette_seats
from vision.synthetic.stage import Pace, Stage
from vision.synthetic.truth import Truth, visible_json
from vision.synthetic.visible import VisibleCard, visible_cards

JPEG_QUALITY: Final = 82


@dataclass(frozen=True, slots=True)
class Frame:
    """One rendered frame, BGR, with the face-up cards that it shows."""

    number: int
    picture: Picture
    visible: tuple[VisibleCard, ...]


class RenderedMatch:
    """A match on a rendered table. Iterate `frames` once; then `truth()` is complete.

    `named` is kept in the truth beside what happens. The same plan, look and seed give the same frames.
    """

    def __init__(
        self,
        plan: Plan | SettePlan,
        look: Look,
        pace: Pace,
        fps: int,
        seed: int,
        mess: float = 0.0,
        piles: bool = True,
        named: Mapping[str, Any] | None = None,
    ) -> None:
        self.look, self._seed = look, seed
        rng, rules = np.random.default_rng(seed), plan.rules
        asides: tuple[float, ...] | None = None
        if isinstance(plan, SettePlan):
            places, asides = sette_seats(plan.players)
        else:
            turned = int(rng.integers(4)) if rules.players > 2 else 2
            places = seats(rules.players, rules.direction == "cw", turned)
        layout = Layout.under(look.camera, mess, isinstance(plan, SettePlan))
        self._stage = Stage(look.camera, layout, look.pack, places, pace, fps, rng, piles, asides)
        facts: dict[str, Any] = {"seed": seed, "variant": rules.variant, "players": len(places), "seats": places}
        facts |= {"surface": look.surface, "fps": fps, "piles": piles, "size": [look.camera.width, look.camera.height]}
        facts |= {"stills": self._stage.frames(pace.still)} | dict(named or {})
        self._truth = Truth(facts)
        self.director: Director | SetteDirector = (
            SetteDirector(plan, self._stage, self._truth, rng)
            if isinstance(plan, SettePlan)
            else Director(plan, self._stage, self._truth, rng)
        )

    def frames(self) -> Iterator[Frame]:
        """Every frame from the empty table to the empty table."""
        painter = Painter(self.look, self._seed)
        shown: Scene | None = None
        seen: tuple[VisibleCard, ...] = ()
        for scene in self.director.scenes():
            if replace(scene, frame=0, before=None) != shown:
                shown = replace(scene, frame=0, before=None)
                seen = visible_cards(scene, self.look.camera, self.look.pack)
            yield Frame(scene.frame, painter.paint(scene), seen)

    def truth(self) -> dict[str, Any]:
        """What happened, as `truth.json` has it."""
        return self._truth.as_json(self._stage.frame)


def write_frames(match: RenderedMatch, folder: Path, each: Callable[[], object], video: bool, fps: int) -> int:
    """Write the frames of a match into a folder. `each` is called after every frame. Returns the number of frames.

    Frames are `000000.jpg` and so on, or `table.mp4`; `visible.jsonl` has a line for each. Raises `OSError` if the
    folder is not empty, or the video cannot be written.
    """
    open_folder(folder)
    camera, count = match.look.camera, 0
    writer = _video(folder / "table.mp4", fps, (camera.width, camera.height)) if video else None
    with (folder / "visible.jsonl").open("w") as lines:
        for frame in match.frames():
            if writer is not None:
                writer.write(frame.picture)
            else:
                (folder / f"{frame.number:06}.jpg").write_bytes(jpeg(frame.picture))
            lines.write(json.dumps(visible_json(frame.number, frame.visible)) + "\n")
            count += 1
            each()
    if writer is not None:
        writer.release()
        _whole(folder / "table.mp4", count)
    return count


def open_folder(folder: Path) -> None:
    """Make a folder for a match, or take an empty one. Raises `OSError` for any other."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise OSError(f"expected an empty or a new folder, got {folder}")


def write_truth(match: RenderedMatch, folder: Path) -> None:
    """Write `truth.json` beside the frames. It comes last and at once: a folder without it is not complete."""
    unfinished = folder / "truth.json.new"
    unfinished.write_text(json.dumps(match.truth(), indent=1) + "\n")
    unfinished.replace(folder / "truth.json")


def jpeg(picture: Picture) -> bytes:
    """A picture as it is written."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def _video(path: Path, fps: int, size: tuple[int, int]) -> cv2.VideoWriter:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    if not writer.isOpened():
        raise OSError(f"expected room on the disk, and OpenCV with MPEG-4, to write {path}; pictures need no --video")
    return writer


def _whole(path: Path, frames: int) -> None:
    """OpenCV does not say when a disk is full: look whether every frame arrived. Raises `OSError` if not."""
    written = int(cv2.VideoCapture(str(path)).get(cv2.CAP_PROP_FRAME_COUNT))
    if written != frames:
        raise OSError(f"expected {frames} frames in {path}, got {max(0, written)}: is the disk full?")
