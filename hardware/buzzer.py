"""A piezo buzzer through gpiozero: short sounds that never hold anything up."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from hardware.errors import HardwareError
from hardware.pins import BUZZER_PIN

Sound = Literal["click", "scopa", "attention", "stop"]

SOUNDS: Final[Mapping[Sound, tuple[tuple[float, float], ...]]] = {
    "click": ((1760.0, 0.03),),
    "scopa": ((880.0, 0.12), (1320.0, 0.18)),
    "attention": ((330.0, 0.15), (0.0, 0.08), (330.0, 0.15)),
    "stop": ((260.0, 0.8),),
}
"""Tones as (hertz, seconds), 0 Hz is silence: one click for a play, two rising for a scopa, two low, one long low."""


class Buzzer:
    """One buzzer with its own thread; a sound that comes while four wait is dropped."""

    def __init__(self, factory: Any, pin: int = BUZZER_PIN, pause: Callable[[float], object] = time.sleep) -> None:
        """`factory` is a gpiozero pin factory; `pause` waits for seconds. Raises `HardwareError` for a pin in use."""
        from gpiozero import GPIOZeroError, TonalBuzzer
        from gpiozero.tones import Tone

        self._tone, self._pause = Tone.from_frequency, pause
        try:
            self._device: Any = TonalBuzzer(pin, mid_tone=Tone.from_frequency(880.0), octaves=2, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            raise HardwareError(f"expected the buzzer on BCM {pin}, got: {error}") from error
        self._wanted: queue.Queue[Sound | None] = queue.Queue(maxsize=4)
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, sound: Sound) -> bool:
        """Begin a sound as soon as those before it are over; False when it was dropped."""
        try:
            self._wanted.put_nowait(sound)
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        """Finish what is playing, then give the pin back."""
        self._wanted.put(None)
        self._thread.join(5.0)
        self._device.close()

    def _run(self) -> None:
        while (sound := self._wanted.get()) is not None:
            for hertz, seconds in SOUNDS[sound]:
                if hertz:
                    self._device.play(self._tone(hertz))
                else:
                    self._device.stop()
                self._pause(seconds)
            self._device.stop()
