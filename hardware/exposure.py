"""Exposure, white balance and focus of a libcamera camera: settled once, then locked, so that a hand in view changes
nothing. Works on the metadata of frames and on controls as plain values; which camera it is does not matter here.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from typing import Any, Final, Literal

log = logging.getLogger(__name__)

FLICKER: Final = 10_000
"""Microseconds of one half wave of the mains at 50 Hz; an exposure of whole half waves shows no bands."""
STEADY_FRAMES: Final = 5
TOLERANCE: Final = 0.02

AF_MANUAL: Final = 0
AF_AUTO: Final = 1
AF_START: Final = 0
AF_FOCUSED: Final = 2
AF_FAILED: Final = 3
NOISE_REDUCTION_BEST: Final = 2
"""Values of libcamera's control_ids.yaml: AfMode, AfTrigger, AfState, NoiseReductionMode."""

AUTOMATIC: Final[Mapping[str, Any]] = {"AeEnable": True, "AwbEnable": True}
SEARCH: Final[Mapping[str, Any]] = {"AfMode": AF_AUTO, "AfTrigger": AF_START}

LATE_FRAMES: Final = 5
"""Frames that a control may need to reach the sensor."""
SETTLE_FRAMES: Final = 60
"""Frames after which settling, or searching the focus, is given up."""
LIGHT_CHANGE: Final = 0.3
"""Share by which the mean of the picture must differ from when exposure was locked, for `LIGHT_FRAMES` in a row."""
LIGHT_FRAMES: Final = 20


class ExposureLock:
    """Exposure and white balance over time: the automatics settle, are locked, and settle anew when the light changes.

    `step` takes each frame's metadata and mean brightness 0..255, and gives the controls to set, if any. A frame is
    `fit` to be judged only while the lock holds.
    """

    def __init__(self) -> None:
        self._phase: Literal["settling", "locking", "locked"] = "settling"
        self._settled, self._frames = Settled(), 0
        self._wanted: Mapping[str, Any] = {}
        self._mean, self._other_light = 0.0, 0

    @property
    def fit(self) -> bool:
        """Whether the last frame was taken with locked values."""
        return self._phase == "locked"

    def step(self, metadata: Mapping[str, Any], mean: float) -> Mapping[str, Any] | None:
        """One more frame."""
        self._frames += 1
        if self._phase == "settling":
            steady = self._settled.update(metadata) and self._frames > LATE_FRAMES
            if steady or self._frames >= SETTLE_FRAMES:
                self._phase, self._frames, self._wanted = "locking", 0, lock(metadata)
                return self._wanted
        elif self._phase == "locking":
            if obeyed(self._wanted, metadata) or self._frames > 2 * LATE_FRAMES:
                self._phase, self._mean, self._other_light = "locked", mean, 0
        elif self._light_changed(mean):
            self._phase, self._frames, self._settled = "settling", 0, Settled()
            log.warning("the light has changed: exposure and colours settle again")
            return AUTOMATIC
        return None

    def _light_changed(self, mean: float) -> bool:
        """A hand or cards change less of the picture, or for a shorter time."""
        other = abs(mean - self._mean) > LIGHT_CHANGE * max(self._mean, 1.0)
        self._other_light = self._other_light + 1 if other else 0
        return self._other_light >= LIGHT_FRAMES


class FocusLock:
    """One search of the lens at the start; then it stays, for a searching lens makes every picture soft."""

    def __init__(self) -> None:
        self.fit = False
        self._frames = 0

    def step(self, metadata: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """One more frame; gives the controls to set, if any."""
        if self.fit:
            return None
        self._frames += 1
        ended = metadata.get("AfState") in (AF_FOCUSED, AF_FAILED)
        if not ended and self._frames < SETTLE_FRAMES:
            return None
        self.fit = True
        if metadata.get("AfState") != AF_FOCUSED:
            log.warning("the camera did not find its focus: lay a card in the middle of the table and restart")
        return {"AfMode": AF_MANUAL, "LensPosition": metadata.get("LensPosition", 1.0)}


class Settled:
    """Tells when exposure, colours and lens have stood still for some frames."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, ...]] = deque(maxlen=STEADY_FRAMES)

    def update(self, metadata: Mapping[str, Any]) -> bool:
        """True when the last frames were all alike."""
        light = float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 1))
        self._recent.append(
            (light, *map(float, metadata.get("ColourGains", ())), float(metadata.get("LensPosition", 0)))
        )
        return len(self._recent) == STEADY_FRAMES and all(_alike(self._recent[-1], old) for old in self._recent)


def lock(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that keep what a frame was taken with; exposure in whole half waves of the mains, the gain to suit."""
    exposure, gain = int(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
    whole = exposure // FLICKER * FLICKER or exposure  # a very bright table needs less than one half wave
    controls: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": whole,
        "AnalogueGain": gain * exposure / whole,
        "AwbEnable": False,
        "ColourGains": tuple(metadata["ColourGains"]),
    }
    return controls


def obeyed(controls: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether a frame was taken with these controls: they reach the sensor some frames after they were set."""
    wanted = [float(controls["ExposureTime"]), *map(float, controls["ColourGains"])]
    got = [float(metadata.get("ExposureTime", 0)), *map(float, metadata.get("ColourGains", ()))]
    return _alike(wanted, got)


def _alike(one: tuple[float, ...] | list[float], other: tuple[float, ...] | list[float]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= TOLERANCE * max(abs(a), abs(b), 1e-9) for a, b in zip(one, other, strict=True)
    )
