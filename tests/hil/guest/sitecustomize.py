"""Makes this virtual machine a Raspberry Pi with a table under its camera, for programs with /opt/hil in their path.

Four things differ from a board: gpiozero finds no revision, vimc knows no RGB888 and no second stream, and its pictures
are test patterns.
So the real Picamera2 gets an allocator that writes the picture of the moment into each buffer before it is read.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
import zlib
from typing import Any

PICTURE = "/run/hil/picture.bgr"
LOOKED = "/run/arbitro/looked"
PI_4B = 0xC03115


def board(module: Any) -> None:
    module.LGPIOFactory._get_revision = lambda self: PI_4B


def camera(module: Any) -> None:
    from picamera2.allocators import DmaAllocator

    class PictureAllocator(DmaAllocator):
        def __init__(self) -> None:
            super().__init__()

            class PictureSync(DmaAllocator.DmaSync):
                def __enter__(self) -> Any:
                    buffer = super().__enter__()
                    with open(PICTURE, "rb") as file:
                        picture = file.read()
                    buffer[: len(picture)] = picture
                    return buffer

            self.sync = PictureSync

    class TableCamera(module.Picamera2):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__(allocator=PictureAllocator())

        def create_video_configuration(self, main: dict[str, Any] | None = None, **options: Any) -> Any:
            options.pop("lores", None)  # vimc has one stream only
            return super().create_video_configuration(main={**(main or {}), "format": "BGR888"}, **options)

    module.Picamera2 = TableCamera


def patience(module: Any) -> None:
    module.WAIT = 12.0


def long_start(module: Any) -> None:
    module.LiveCamera.__init__.__kwdefaults__["start_limit"] = 900.0


def looked(module: Any) -> None:
    """Leaves a note of which picture was looked at, and how often on end, for the people at the table."""
    update, last = module.Watcher.update, ["", 0]

    def noting(self: Any, picture: Any, *when: Any, **more: Any) -> Any:
        observation = update(self, picture, *when, **more)
        mark = f"{zlib.crc32(picture.tobytes()):08x}"
        last[:] = [mark, last[1] + 1 if mark == last[0] else 1]
        with open(LOOKED, "w") as file:
            file.write(f"{last[0]} {last[1]}")
        return observation

    module.Watcher.update = noting


PATCHES = {
    "gpiozero.pins.lgpio": board,
    "picamera2": camera,
    "hardware.pi_camera": patience,
    "hardware.live": long_start,
    "vision.settle": looked,
}


class Patching(importlib.abc.MetaPathFinder):
    """Lets a module load as usual, then patches it."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in PATCHES:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            load(module)
            PATCHES[name](module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Patching())
