"""Paints scenes. What lies still is painted once; a frame adds only what moves, then blur and noise of the sensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.arm import BOX, HEIGHT, arm_picture, placed
from vision.synthetic.camera import Camera, Points
from vision.synthetic.layers import Layer, Rect, around, blend, cut, darken, lay, meet, shifted, smear, soften, trimmed
from vision.synthetic.light import Light, Noise, Sensor, light_maps
from vision.synthetic.pen import Picture
from vision.synthetic.scene import Arm, Grip, Scene, Thing, outline
from vision.synthetic.sprites import Pack, Sprite, Sprites
from vision.synthetic.surface import ground, surface

_HAND = 150.0
"""Millimetres from the palm towards the elbow: where it ends, the picture of an arm still fits exactly."""
_EDGE = 0.5
"""Millimetres by which the shadow of a lying card shows its edge."""


@dataclass(frozen=True, slots=True)
class Look:
    """All that makes one table look different from another."""

    camera: Camera
    surface: str
    light: Light
    sensor: Sensor
    pack: Pack


class Painter:
    """Turns scenes into pictures, BGR uint8. Scenes must come in order; the same seed paints the same bytes."""

    def __init__(self, look: Look, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.look = look
        self._tile = surface(look.surface, look.camera.scale, rng)
        self._sprites = Sprites(look.pack, look.camera.scale, rng)
        self._arms: dict[tuple[Grip, int], Sprite] = {}
        self._noise = Noise(look.camera, look.sensor, rng)
        self._lying: tuple[Thing, ...] = ()
        self._layers: dict[Thing, tuple[Rect, Layer]] = {}
        self._last: tuple[Scene, Picture] | None = None
        self._set_camera(look.camera)

    def paint(self, scene: Scene) -> Picture:
        """The picture of one scene."""
        shown = replace(scene, frame=0, before=None)
        if self._last is None or scene.carried or scene.arms or shown != self._last[0]:
            self._last = shown, self._exposed(scene)
        return self._noise.add(self._last[1])

    def _exposed(self, scene: Scene) -> Picture:
        """What the lens lets through: everything but noise."""
        camera = scene.camera or self.look.camera
        if camera != self._camera:
            self._set_camera(camera)
        self._update(scene.lying)
        picture = self._lit.copy()
        for rect, layer in self._moving(scene):
            self._lay_over(picture, rect, layer)
        if scene.light != 1 or scene.warmth:
            gains = np.array([scene.light * (1 + 0.12 * scene.warmth * side) for side in (-1, 0, 1)], np.float32)
            picture = np.minimum(picture * gains, 255).astype(np.uint8)
        blur = self.look.sensor.blur * camera.width / 1536
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8) if blur > 0 else picture

    def _set_camera(self, camera: Camera) -> None:
        """Paint everything anew for a camera at this place."""
        self._camera = camera
        self._ground = ground(self._tile, camera)
        self._gain, self._added = light_maps(self.look.light, camera, self.look.sensor.vignette)
        self._layers.clear()
        whole = (0, 0, camera.width, camera.height)
        self._clean = self._ground.copy()
        for thing in self._lying:
            self._draw(self._clean, whole, thing)
        self._lit = self._light(self._clean, whole)

    def _update(self, lying: tuple[Thing, ...]) -> None:
        """Repaint where something came, went or changed places in the order."""
        if lying == self._lying:
            return
        changed = changes(self._lying, lying)
        self._lying = lying
        self._layers = {thing: self._layers[thing] for thing in lying if thing in self._layers}
        for rect in (self._rect(thing) for thing in changed):
            cut(self._clean, rect)[:] = cut(self._ground, rect)
            for thing in lying:
                self._draw(cut(self._clean, rect), rect, thing)
            cut(self._lit, rect)[:] = self._light(cut(self._clean, rect), rect)

    def _light(self, clean: Picture, rect: Rect) -> Picture:
        lit = clean * cut(self._gain, rect) + cut(self._added, rect)
        return np.asarray(np.minimum(lit, 255), np.uint8)

    def _moving(self, scene: Scene) -> Iterator[tuple[Rect, Layer]]:
        """Layers of what moves, from the table upwards, smeared along their way while the shutter was open."""
        open_for = self.look.sensor.exposure * self._camera.scale
        movers: list[Thing | Arm] = [*scene.carried, *scene.arms]
        for mover in movers:
            way = arm_way(mover, scene) if isinstance(mover, Arm) else thing_way(mover, scene)
            room = max(abs(way[0]), abs(way[1])) * min(1.0, open_for)
            rect, layer = self._arm_layer(mover, room) if isinstance(mover, Arm) else self._layer(mover, room)
            if layer.size:
                yield trimmed(rect, smear(layer, (way[0] * open_for, way[1] * open_for)))

    def _lay_over(self, picture: Picture, rect: Rect, layer: Layer) -> None:
        target, opacity = cut(picture, rect), layer[:, :, 3:].astype(np.float32) * np.float32(1 / 255)
        lit = layer[:, :, :3] * cut(self._gain, rect) + cut(self._added, rect) * opacity
        target[:] = np.minimum(target * (1 - opacity) + lit, 255).astype(np.uint8)

    def _rect(self, thing: Thing, room: float = 0.0) -> Rect:
        """The part of the picture that a thing and its shadow touch, with `room` more millimetres around."""
        corners = self._camera.project(outline(thing.pose, self.look.pack.size(thing)))
        return self._around(corners, thing.pose.z + room)

    def _arm_rect(self, arm: Arm, room: float = 0.0) -> Rect:
        left, top, right, bottom = BOX
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        return self._around(self._project_arm(arm, corners), HEIGHT / 2 + room)

    def _around(self, pixels: Points, room: float) -> Rect:
        margin = 4 + self._camera.scale * (2 * self.look.light.softness + room)
        return around(pixels, margin, self._camera.width, self._camera.height)

    def _project_arm(self, arm: Arm, points: Sequence[tuple[float, float]]) -> Points:
        matrix = placed(arm)
        flat = np.asarray(points, float) @ matrix[:, :2].T + matrix[:, 2]
        return self._camera.project(np.column_stack([flat, np.full(len(flat), HEIGHT)]))

    def _draw(self, canvas: NDArray[np.uint8], rect: Rect, thing: Thing) -> None:
        """Lay something that lies still over a picture; `canvas` shows the part `rect`."""
        if thing not in self._layers:
            self._layers[thing] = self._layer(thing)
        own, layer = self._layers[thing]
        inner = meet(rect, own)
        if inner is not None:
            lay(cut(canvas, shifted(inner, rect)), cut(layer, shifted(inner, own)))

    def _layer(self, thing: Thing, room: float = 0.0) -> tuple[Rect, Layer]:
        """A thing with its shadow, and where in the picture it is."""
        rect = self._rect(thing, room)
        layer = np.zeros((rect[3] - rect[1], rect[2] - rect[0], 4), np.uint8)
        if not layer.size:
            return rect, layer
        corners = outline(thing.pose, self.look.pack.size(thing))
        self._shadow(layer, corners, thing.pose.z + _EDGE, rect)
        sprite = self._sprites.of(thing)
        high, wide = sprite.shape[:2]
        source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        places = (self._camera.project(corners) - rect[:2] - 0.5).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, places)
        blend(layer, np.asarray(cv2.warpPerspective(sprite, matrix, layer.shape[1::-1]), np.uint8))
        return rect, layer

    def _arm_layer(self, arm: Arm, room: float) -> tuple[Rect, Layer]:
        """An arm with its shadow, and where in the picture it is."""
        rect = self._arm_rect(arm, room)
        layer = np.zeros((rect[3] - rect[1], rect[2] - rect[0], 4), np.uint8)
        if not layer.size:
            return rect, layer
        key = (arm.grip, arm.player)
        if key not in self._arms:
            self._arms[key] = arm_picture(arm.grip, arm.player, self.look.camera.scale)
        left, top, right, _ = BOX
        wide = self._arms[key].shape[1]
        deep = wide * (_HAND - top) / (right - left)
        source = np.array([[0, 0], [wide, 0], [wide, deep], [0, deep]], np.float32) - 0.5
        corners = [(left, top), (right, top), (right, _HAND), (left, _HAND)]
        places = (self._project_arm(arm, corners) - rect[:2] - 0.5).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, places)
        sprite = np.asarray(cv2.warpPerspective(self._arms[key], matrix, layer.shape[1::-1]), np.uint8)
        fall = self._fall(np.array(arm.hand), HEIGHT) * self._camera.scale
        move = np.array([[1, 0, fall[0]], [0, 1, fall[1]]])
        shadow = np.asarray(cv2.warpAffine(sprite[:, :, 3], move, layer.shape[1::-1]), np.uint8)
        darken(layer, soften(shadow, 2.5 * self.look.light.softness * self._camera.scale), 0.4)
        blend(layer, sprite)
        return rect, layer

    def _fall(self, place: NDArray[np.float64], height: float) -> Points:
        """How far, in millimetres, a shadow falls from something at this height."""
        away = place[:2] - (self.look.light.x, self.look.light.y)
        return np.asarray(away / (np.linalg.norm(away) + 250) * height * 0.55)

    def _shadow(self, target: NDArray[np.uint8], corners: Points, height: float, inner: Rect) -> None:
        fall = self._fall(corners.mean(axis=0), height) + np.array([0.4, 0.6])
        pixels = self._camera.project(np.column_stack([corners[:, :2] + fall, np.zeros(4)])) - inner[:2]
        mask = np.zeros(target.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(pixels * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        blur = 0.8 + self.look.light.softness * min(1.0, 0.2 + height / 30)
        darken(target, soften(mask, blur * self._camera.scale), 0.5)


def changes(old: tuple[Thing, ...], new: tuple[Thing, ...]) -> list[Thing]:
    """Things of both lists whose place on the table or in the order is not the same in the other."""
    before, after = set(old), set(new)
    kept = ([thing for thing in old if thing in after], [thing for thing in new if thing in before])
    reordered = [one for one, other in zip(*kept, strict=True) if one != other]
    return [thing for thing in old if thing not in after] + [thing for thing in new if thing not in before] + reordered


def thing_way(thing: Thing, scene: Scene) -> tuple[float, float]:
    """How far a thing moved since the frame before, millimetres."""
    past = scene.before
    pose = next((t.pose for t in (*past.carried, *past.lying) if t.key == thing.key), None) if past else None
    return (thing.pose.x - pose.x, thing.pose.y - pose.y) if pose else (0.0, 0.0)


def arm_way(arm: Arm, scene: Scene) -> tuple[float, float]:
    """How far a hand moved since the frame before, millimetres."""
    past = next((a.hand for a in scene.before.arms if a.player == arm.player), None) if scene.before else None
    return (arm.hand[0] - past[0], arm.hand[1] - past[1]) if past else (0.0, 0.0)
