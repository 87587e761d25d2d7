"""The Raspberry Pi's camera through picamera2: one configuration, never switched, nothing waits without a limit."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from hardware import exposure
from hardware.errors import CameraBusyError, CameraError, MissingLibraryError
from hardware.frame import Picture, Shot

log = logging.getLogger(__name__)

BGR_FORMAT: Final = "RGB888"
"""picamera2 names formats backwards: this one gives arrays in the order blue, green, red."""
SMALL_WIDTH: Final = 384
"""Pixels across the second, small picture, in which motion is looked for."""
WAIT: Final = 1.5
"""Seconds that a frame may take; shorter than the stall time, so that a lost camera fails instead of hanging."""


class PiCamera:
    """The camera, streaming. Both pictures and metadata always come from one request, which is always released."""

    def __init__(
        self,
        size: tuple[int, int] = (2304, 1296),
        fps: float = 10.0,
        buffers: int = 3,
        open_camera: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`size` is width, height in pixels. `open_camera` makes the `Picamera2` object. Raises `CameraError`."""
        self._clock = clock
        self._camera = (open_camera or _picamera2)()
        try:
            configuration = self._configuration(size, fps, buffers)
            self._small = configuration.get("lores") is not None
            self._camera.configure(configuration)
            self._camera.start()
            known = self._camera.camera_controls
            self._exposure = exposure.ExposureLock() if {"AeEnable", "AwbEnable"} <= set(known) else None
            self._focus = exposure.FocusLock() if "LensPosition" in known else None
            self._set(exposure.AUTOMATIC if self._exposure else None)
            self._set(exposure.SEARCH if self._focus else None)
        except (RuntimeError, OSError, ValueError) as error:
            self._camera.close()
            raise CameraError(f"expected the camera to stream {size[0]}x{size[1]}, got: {error}") from error

    def read(self) -> Shot:
        """The next picture and when it was exposed; no picture while light or lens settled.

        Raises `CameraError` when none comes in time.
        """
        try:
            with self._camera.captured_request(wait=WAIT) as request:
                picture, metadata = request.make_array("main"), request.get_metadata()
                small = request.make_array("lores") if self._small else None
        except TimeoutError as error:
            raise CameraError(f"expected a frame within {WAIT} s, got none: check the flat cable") from error
        fit = self._fit(picture, metadata)
        return Shot(picture if fit else None, self._exposed_at(metadata), _colours(small) if fit else None)

    def close(self) -> None:
        """Stop and let go of the camera. Hangs when the camera is gone: the hand-over then leaves the thread behind."""
        self._camera.stop()
        self._camera.close()

    def _configuration(self, size: tuple[int, int], fps: float, buffers: int) -> Any:
        period = round(1e6 / fps)  # microseconds
        options: dict[str, Any] = {}
        array = self._camera.camera_properties.get("PixelArraySize")
        if array:  # by halves both ways the sensor shows its whole field; left alone, libcamera may take a crop
            options["raw"] = {"size": (array[0] // 2, array[1] // 2)}
        small = small_size(size)
        if small:
            options["lores"] = {"size": small, "format": "YUV420"}
        wanted = {"FrameDurationLimits": (period, period), "NoiseReductionMode": exposure.NOISE_REDUCTION_BEST}
        # a control that the camera does not have makes the start fail
        controls = {name: value for name, value in wanted.items() if name in self._camera.camera_controls}
        return self._camera.create_video_configuration(
            main={"size": size, "format": BGR_FORMAT},
            buffer_count=buffers,
            queue=False,
            display=None,
            encode=None,
            controls=controls,
            **options,
        )

    def _fit(self, picture: Picture, metadata: Mapping[str, Any]) -> bool:
        """Whether light and lens were settled; whatever must change for it is asked of the camera."""
        lens, light = self._focus, self._exposure
        if lens is not None and not lens.fit:
            self._set(lens.step(metadata))
        if light is not None:
            self._set(light.step(metadata, float(picture[::16, ::16].mean())))
        return (lens is None or lens.fit) and (light is None or light.fit)

    def _set(self, controls: Mapping[str, Any] | None) -> None:
        if controls is not None:
            log.info("camera controls: %s", controls)
            self._camera.set_controls(dict(controls))

    def _exposed_at(self, metadata: Mapping[str, Any]) -> float:
        """By our clock. `SensorTimestamp` is in nanoseconds since boot, sleep included."""
        stamp = metadata.get("SensorTimestamp")
        if stamp is None:
            return self._clock()
        return self._clock() - max(0.0, (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - int(stamp)) / 1e9)


def small_size(size: tuple[int, int]) -> tuple[int, int] | None:
    """The size (width, height in pixels) of the second stream, a whole part of `size`; None where there is none.

    The camera pads rows to 64 pixels and halves the colours both ways: other sizes would have to be cut apart.
    """
    part = max(1, round(size[0] / SMALL_WIDTH))
    width, height = size[0] // part, size[1] // part
    whole = part > 1 and (width * part, height * part) == size
    return (width, height) if whole and width % 64 == 0 and height % 2 == 0 else None


def _colours(planes: Picture | None) -> Picture | None:
    """The small picture, blue, green, red, from its brightness and colour planes."""
    if planes is None:
        return None
    import cv2

    return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)


def _picamera2() -> Any:
    """A new `Picamera2`. Raises `MissingLibraryError`, or `CameraError` that tells a missing camera from a busy one."""
    try:
        from picamera2 import Picamera2
    except (ImportError, ValueError) as error:  # numpy's "dtype size changed" is a ValueError
        raise MissingLibraryError(
            f"expected the library picamera2 (apt install python3-picamera2 --no-install-recommends; virtual "
            f"environment with --system-site-packages), got: {error}"
        ) from error
    try:
        return Picamera2()
    except IndexError as error:
        raise CameraError("expected a camera, got none: check the flat cable at both ends") from error
    except RuntimeError as error:
        cause = f": {error.__context__}" if error.__context__ else ""  # picamera2 says there what it stumbled over
        raise CameraBusyError(f"expected a free camera, got: {error}{cause} (another program may hold it)") from error
