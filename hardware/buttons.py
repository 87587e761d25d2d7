"""Four buttons to ground through gpiozero. Its callbacks only put the edge into a queue; the loop asks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from hardware.errors import HardwareError
from hardware.gestures import Gesture, GestureReader, GestureTimes
from hardware.pins import BUTTON_PINS


class Buttons:
    """The buttons of the box. `poll` at least ten times a second: a hold must be confirmed by reading the pins."""

    def __init__(
        self,
        factory: Any,
        pins: Mapping[str, int] = BUTTON_PINS,
        times: GestureTimes = GestureTimes(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`factory` is a gpiozero pin factory; `pins` BCM numbers by name. Raises `HardwareError` for a pin in use."""
        from gpiozero import DigitalInputDevice, GPIOZeroError

        self._clock = clock
        self._reader = GestureReader(tuple(pins), times)
        self._edges: deque[tuple[str, bool, float]] = deque(maxlen=1024)  # bounded: what is lost, the samples mend
        self._devices: dict[str, Any] = {}
        for name, pin in pins.items():
            try:
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
            except (GPIOZeroError, OSError) as error:
                self.close()
                raise HardwareError(f"expected the button {name} on BCM {pin}, got: {error}") from error
            device.when_activated = self._callback(name, True)
            device.when_deactivated = self._callback(name, False)
            self._devices[name] = device

    def poll(self) -> list[Gesture]:
        """What was done since the last call, in the order of time."""
        gestures = []
        while self._edges:
            gestures += self._reader.edge(*self._edges.popleft())
        levels = {name: bool(device.is_active) for name, device in self._devices.items()}
        return gestures + self._reader.sample(levels, self._clock())

    def held(self) -> tuple[str, float] | None:
        """The button (or `no+ok`) that is down and for how many seconds, as of the last `poll`."""
        return self._reader.held()

    def close(self) -> None:
        """Give the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

    def _callback(self, name: str, down: bool) -> Callable[[Any], None]:
        def edge(device: Any) -> None:
            # by when the kernel saw it: two late callbacks in a row would make a press look like a spike
            age = (device.active_time if down else device.inactive_time) or 0.0
            self._edges.append((name, down, self._clock() - max(0.0, age)))

        return edge
