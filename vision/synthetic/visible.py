"""The truth of one frame: which face-up cards can be seen, how much of each, and where its corners are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.synthetic.arm import HEIGHT, covers, placed
from vision.synthetic.camera import Camera, Points
from vision.synthetic.scene import Arm, Scene, Thing, outline, placed_on
from vision.synthetic.sprites import SHAPES, Pack

_STEP: Final = 2
"""Shares are counted on a picture with every second row and column."""


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """A face-up card of which at least one pixel shows. `share` 0..1 of its face inside of the picture and uncovered.

    `corners`: top left, top right, bottom right, bottom left of the face held upright, pixels, where they are or would
    be. `moving`: it is in a hand, not on the table.
    """

    card: Card
    share: float
    corners: tuple[tuple[float, float], ...]
    moving: bool


def visible_cards(scene: Scene, camera: Camera, pack: Pack) -> tuple[VisibleCard, ...]:
    """All visible face-up cards of a scene, from the table upwards."""
    camera = scene.camera or camera
    things = (*scene.lying, *scene.carried)
    owners = np.zeros((camera.height // _STEP, camera.width // _STEP), np.uint8)
    whole: dict[int, int] = {}
    for number, thing in enumerate(things, 1):
        if thing.kind in SHAPES:
            for shape in SHAPES[thing.kind]:
                cv2.fillPoly(
                    owners, [np.rint(camera.project(placed_on(thing.pose, shape)) / _STEP).astype(int)], number
                )
        else:
            whole[number] = _fill(owners, _pixels(thing, camera, pack), number)
    for arm in scene.arms:
        for polygon in _arm_pixels(arm, camera):
            cv2.fillPoly(owners, [polygon], 255)
    counts = np.bincount(owners.ravel(), minlength=256)
    found = []
    for number, thing in enumerate(things, 1):
        if thing.kind == "face" and thing.card is not None and counts[number]:
            corners = camera.project(outline(thing.pose, pack.millimetres))
            share = min(1.0, float(counts[number]) / max(1, whole[number]))
            moving = number > len(scene.lying)
            found.append(VisibleCard(thing.card, share, tuple((float(x), float(y)) for x, y in corners), moving))
    return tuple(found)


def arm_shows(arm: Arm, carried: Iterable[Thing], camera: Camera, pack: Pack) -> bool:
    """Whether something of an arm, or of what it carries, is inside of the picture."""
    points = [pixels * _STEP for pixels in _arm_pixels(arm, camera)] + [_pixels(one, camera, pack) for one in carried]
    x, y = np.concatenate(points).T
    return bool(((x > 0) & (x < camera.width) & (y > 0) & (y < camera.height)).any())


def _pixels(thing: Thing, camera: Camera, pack: Pack) -> Points:
    return camera.project(outline(thing.pose, pack.size(thing)))


def _fill(owners: NDArray[np.uint8], pixels: Points, number: int) -> int:
    """Mark the pixels of a thing and say how many there would be on an endless picture."""
    fine = pixels / _STEP - 0.5
    inwards = fine.mean(axis=0) - fine  # OpenCV fills the pixels of the outline too: draw it half a pixel inside
    polygon = np.rint(fine + 0.5 * inwards / np.abs(inwards).max(axis=1, keepdims=True)).astype(np.int32)
    left, top = polygon.min(axis=0)
    right, bottom = polygon.max(axis=0)
    alone = np.zeros((bottom - top + 1, right - left + 1), np.uint8)
    cv2.fillConvexPoly(alone, polygon - (left, top), 1)
    cv2.fillConvexPoly(owners, polygon, number)
    return int(alone.sum())


def _arm_pixels(arm: Arm, camera: Camera) -> list[NDArray[np.int32]]:
    matrix = placed(arm)
    polygons = []
    for part in covers(arm):
        flat = np.asarray(part, float) @ matrix[:, :2].T + matrix[:, 2]
        pixels = camera.project(np.column_stack([flat, np.full(len(flat), HEIGHT)]))
        polygons.append(np.rint(pixels / _STEP).astype(np.int32))
    return polygons
