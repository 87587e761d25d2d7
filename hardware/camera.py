"""The source that a user names: `camera`, `usb:0`, a video file or a folder of pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.errors import CameraError
from hardware.frame import Frame, FrameSource
from hardware.live import CameraDevice, LiveCamera
from hardware.pi_camera import PiCamera
from hardware.recorded import open_recording
from hardware.usb import UsbCamera

__all__ = ["Frame", "FrameSource", "device_opener", "open_source"]


def open_source(
    source: str, fps: float = 5.0, from_frame: int = 0, size: tuple[int, int] = (2304, 1296), max_age: float = 0.3
) -> FrameSource:
    """The frames of `source`. `fps` and `from_frame` are for recordings; `size` (width, height) and `max_age`
    (seconds) for cameras. Raises `CameraError`.
    """
    opener = device_opener(source, size)
    if opener is None:
        return open_recording(Path(source), fps, from_frame)
    if from_frame:
        raise CameraError(f"expected a recording to begin at frame {from_frame}, got the live source {source!r}")
    return LiveCamera(opener, max_age=max_age)


def device_opener(
    source: str, size: tuple[int, int] = (2304, 1296), fps: float = 10.0, buffers: int = 3
) -> Callable[[], CameraDevice] | None:
    """What opens a live source, or None when `source` names a recording. `size` is (width, height), `buffers` how many
    pictures picamera2 holds. Raises `CameraError` for a wrong number.
    """
    if source == "camera":
        return lambda: PiCamera(size, fps, buffers)
    if not source.startswith("usb:"):
        return None
    index = source.removeprefix("usb:")
    if not (index.isascii() and index.isdigit()):
        raise CameraError(f"expected usb: with the number of the camera as in usb:0, got {source!r}")
    return lambda: UsbCamera(int(index), size, fps)
