"""A USB camera through OpenCV on V4L2."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.errors import CameraBusyError, CameraError
from hardware.frame import Shot


class UsbCamera:
    """One USB camera, open. Focus and exposure stay as the camera's own automatics set them unless it takes orders."""

    def __init__(
        self,
        index: int = 0,
        size: tuple[int, int] = (1920, 1080),
        fps: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`size` is width, height in pixels. Raises `CameraError` when there is no such camera or it is in use."""
        import cv2

        self._name, self._clock = f"/dev/video{index}", clock
        if not Path(self._name).exists():
            raise CameraError(f"expected a USB camera at {self._name}, got no such device")
        self._capture: Any = cv2.VideoCapture(index, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraBusyError(
                f"expected a USB camera at {self._name}, got none that opens: in use, or no permission"
            )
        for key, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),  # uncompressed full HD does not fit USB 2
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_FPS, fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._capture.set(key, value)  # a camera that cannot keeps its own value: the frames are read as they are

    def read(self) -> Shot:
        """The next picture and when it came. Raises `CameraError` when the camera is gone."""
        good, picture = self._capture.read()
        if not good:
            raise CameraError(f"expected a frame from {self._name}, got none: unplugged?")
        return Shot(picture, self._clock())

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()
