"""The Pi's camera on a stand-in for Picamera2, which runs on a Raspberry Pi only: it settles, obeys late, and fails."""

from __future__ import annotations

import gc
import random
import resource
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from hardware.errors import CameraBusyError, CameraError, MissingLibraryError
from hardware.live import LiveCamera
from hardware.pi_camera import PiCamera, small_size

SIZE = (64, 48)


class Request:
    def __init__(self, camera: Sensor) -> None:
        self.camera = camera

    def make_array(self, name: str) -> np.ndarray:
        light = min(255, self.camera.brightness())
        if name == "main":
            return np.full((SIZE[1], SIZE[0], 3), light, np.uint8)
        width, height = self.camera.configuration["lores"]["size"]
        planes = np.full((height * 3 // 2, width), 128, np.uint8)  # brightness, then both colours at half the size
        planes[:height] = light
        return planes

    def get_metadata(self) -> dict[str, Any]:
        return self.camera.metadata()


class Sensor:
    """Shaped like `Picamera2`. Its automatics approach their aim step by step; controls take effect after 3 frames."""

    opened = 0

    def __init__(
        self, controls: tuple[str, ...] = ("AeEnable", "AwbEnable", "ExposureTime"), light: float = 1.0
    ) -> None:
        Sensor.opened += 1
        self.camera_properties = {"PixelArraySize": (4608, 2592)}
        self.camera_controls = dict.fromkeys(controls)
        self.light, self.exposure, self.gain, self.lens = light, 5000.0, 1.0, 0.0
        self.automatic = True
        self.pending: list[tuple[int, dict[str, Any]]] = []
        self.frame = self.held = 0
        self.lost = self.stopped = False
        self.orders: list[dict[str, Any]] = []
        self.configuration: dict[str, Any] = {}

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        assert not self.configuration, "configured twice"
        unknown = configuration["controls"].keys() - self.camera_controls.keys()
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.configuration = configuration

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.orders.append(controls)
        self.pending.append((self.frame + 3, controls))

    @contextmanager
    def captured_request(self, wait: float) -> Iterator[Request]:
        if self.lost:
            raise TimeoutError
        self.frame += 1
        self._obey()
        self.held += 1
        assert self.held == 1, "a request was not released"
        try:
            yield Request(self)
        finally:
            self.held -= 1

    def _obey(self) -> None:
        while self.pending and self.pending[0][0] <= self.frame:
            controls = self.pending.pop(0)[1]
            self.automatic = controls.get("AeEnable", self.automatic)
            self.exposure = controls.get("ExposureTime", self.exposure)
            self.gain = controls.get("AnalogueGain", self.gain)
            if "AfTrigger" in controls:
                self.lens = 2.5
        if self.automatic:
            self.gain = 1.0
            self.exposure += 0.5 * (23000 / self.light - self.exposure)

    def brightness(self) -> int:
        return round(100 * self.light * self.exposure * self.gain / 23000)

    def metadata(self) -> dict[str, Any]:
        return {
            "ExposureTime": round(self.exposure), "AnalogueGain": self.gain, "ColourGains": (1.8, 1.6),
            "LensPosition": self.lens, "AfState": 2 if self.lens else 1,
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 50_000_000,
        }  # fmt: skip

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        pass


def settled(sensor: Sensor) -> PiCamera:
    camera = PiCamera(SIZE, open_camera=lambda: sensor)
    while camera.read()[0] is None:
        assert sensor.frame < 80
    return camera


def test_one_configuration_with_the_whole_field_and_bgr() -> None:
    sensor = Sensor(controls=("AeEnable", "AwbEnable", "NoiseReductionMode", "FrameDurationLimits"))
    PiCamera((1536, 864), fps=10, open_camera=lambda: sensor)
    assert sensor.configuration["main"] == {"size": (1536, 864), "format": "RGB888"}
    assert sensor.configuration["raw"] == {"size": (2304, 1296)}
    assert sensor.configuration["controls"] == {"FrameDurationLimits": (100_000, 100_000), "NoiseReductionMode": 2}
    assert sensor.configuration["queue"] is False
    assert sensor.configuration["lores"] == {"size": (384, 216), "format": "YUV420"}


@pytest.mark.parametrize(
    ("size", "small"), [((2304, 1296), (384, 216)), ((1536, 864), (384, 216)), ((1280, 720), None), ((384, 216), None)]
)
def test_the_small_picture_is_a_whole_part_of_the_large_one(size: tuple[int, int], small: tuple[int, int]) -> None:
    assert small_size(size) == small


def test_both_pictures_are_of_one_request_and_show_the_same_light() -> None:
    sensor = Sensor()
    camera = PiCamera((1536, 864), open_camera=lambda: sensor)
    shots = [camera.read() for _ in range(60)]
    assert all((shot.picture is None) == (shot.small is None) for shot in shots)
    seen = shots[-1]
    assert seen.picture is not None
    assert seen.small is not None
    assert seen.small.shape == (216, 384, 3)
    assert abs(float(seen.small.mean()) - 255 / 219 * (float(seen.picture.mean()) - 16)) < 3  # YUV keeps 16 to 235


def test_exposure_is_settled_then_locked_in_whole_half_waves() -> None:
    sensor = Sensor()
    settled(sensor)
    assert not sensor.automatic
    assert sensor.exposure == 20_000
    assert sensor.brightness() == pytest.approx(100, abs=2)
    assert sensor.orders[0] == {"AeEnable": True, "AwbEnable": True}
    assert sensor.orders[-1]["ColourGains"] == (1.8, 1.6)


def test_the_lens_is_set_once_and_stays() -> None:
    sensor = Sensor(controls=("AeEnable", "AwbEnable", "LensPosition"))
    camera = settled(sensor)
    assert {"AfMode": 0, "LensPosition": 2.5} in sensor.orders
    sensor.light = 3.0
    for _ in range(30):
        camera.read()
    assert sum("AfTrigger" in order for order in sensor.orders) == 1


def test_a_change_of_light_settles_anew_and_no_frame_of_it_is_given() -> None:
    sensor = Sensor()
    camera = settled(sensor)
    orders = len(sensor.orders)
    sensor.light = 2.0
    pictures = [camera.read()[0] for _ in range(60)]
    shades = [None if picture is None else int(picture[0, 0, 0]) for picture in pictures]
    again = shades.index(None)
    assert len(sensor.orders) == orders + 2
    assert set(shades[:again]) == {200}
    assert again == 19
    locked = [shade for shade in shades[again:] if shade is not None]
    assert len(locked) > 15
    assert locked == pytest.approx([100] * len(locked), abs=2)


def test_a_hand_over_the_table_settles_nothing() -> None:
    sensor = Sensor()
    camera = settled(sensor)
    orders = len(sensor.orders)
    for light in (0.5, 1.0) * 10:
        sensor.light = light
        for _ in range(15):
            camera.read()
    assert len(sensor.orders) == orders


def test_a_camera_without_automatics_just_streams() -> None:
    sensor = Sensor(controls=("Brightness",))
    sensor.camera_properties = {}
    picture, taken, _ = PiCamera(SIZE, open_camera=lambda: sensor).read()
    assert picture is not None
    assert picture.shape == (48, 64, 3)
    assert sensor.orders == []
    assert "raw" not in sensor.configuration
    assert 0.04 < time.monotonic() - taken < 1.0, "the time of exposure, not of arrival"


def test_a_lost_camera_fails_instead_of_hanging() -> None:
    sensor = Sensor()
    camera = PiCamera(SIZE, open_camera=lambda: sensor)
    sensor.lost = True
    with pytest.raises(CameraError, match="flat cable"):
        camera.read()


def resident_bytes() -> int:
    """What this process holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_tc3_ten_thousand_frames_with_errors_leak_nothing() -> None:
    sensor, rng = Sensor(), random.Random(3)
    Sensor.opened = 1
    camera = PiCamera(SIZE, open_camera=lambda: sensor)
    make_array = Request.make_array

    def failing(self: Request, name: str) -> np.ndarray:
        if rng.random() < 0.1:
            raise RuntimeError("consumer")
        return make_array(self, name)

    before = resident = errors = 0
    tracemalloc.start()
    try:
        Request.make_array = failing  # type: ignore[method-assign]
        for number in range(10_000):
            try:
                camera.read()
            except RuntimeError:
                errors += 1
            if number == 1000:
                gc.collect()
                before, resident = tracemalloc.get_traced_memory()[0], resident_bytes()
        gc.collect()
        growth = tracemalloc.get_traced_memory()[0] - before
    finally:
        Request.make_array = make_array  # type: ignore[method-assign]
        tracemalloc.stop()
    assert errors > 500
    assert sensor.held == 0
    assert Sensor.opened == 1
    assert growth < 100_000
    assert resident_bytes() - resident < 5_000_000


def fake_library(monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> None:
    module = ModuleType("picamera2")

    def make() -> Sensor:
        if error is not None:
            raise error
        return Sensor()

    module.Picamera2 = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)


def test_tc2_missing_busy_and_absent_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(MissingLibraryError, match="python3-picamera2"):
        PiCamera()
    fake_library(monkeypatch, IndexError("list index out of range"))
    with pytest.raises(CameraError, match="check the flat cable"):
        PiCamera()
    fake_library(monkeypatch, RuntimeError("Camera __init__ sequence did not complete."))
    with pytest.raises(CameraBusyError, match="another program may hold it"):
        PiCamera()
    fake_library(monkeypatch, None)
    PiCamera(SIZE).close()


def test_the_hand_over_carries_it() -> None:
    live = LiveCamera(lambda: PiCamera(SIZE, open_camera=Sensor), max_age=60)
    frame = live.newest(wait=10)
    assert frame is not None
    assert frame.picture.shape == (48, 64, 3)
    assert live.close(limit=10)
