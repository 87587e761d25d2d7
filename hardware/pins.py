"""Pins by their BCM numbers, and the gpiozero factory that drives them."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, Literal

from hardware.errors import HardwareError, MissingLibraryError

BUTTON_PINS: Final[Mapping[str, int]] = {"no": 17, "minus": 27, "plus": 22, "ok": 23}
BUZZER_PIN: Final = 18
I2C_PINS: Final = {"SDA": 2, "SCL": 3}
SPI_PINS: Final = {"SCLK": 11, "MOSI": 10, "CE0": 8}

FactoryName = Literal["lgpio", "rpigpio", "mock"]


def pin_factory(name: FactoryName = "lgpio") -> Any:
    """A gpiozero pin factory. `mock` has no pins and is for trying out. Never a silent choice of another one.

    Raises `MissingLibraryError` when its library is missing, `HardwareError` when this machine has no such pins.
    """
    try:
        return _new_factory(name)
    except ImportError as error:
        hint = "apt install python3-lgpio" if name == "lgpio" else "apt install python3-rpi-lgpio"
        raise MissingLibraryError(f"expected the library of the pin factory {name} ({hint}), got: {error}") from error
    except Exception as error:
        raise HardwareError(f"expected pins through {name}, got {type(error).__name__}: {error}") from error


def check_pins(uses: Mapping[str, int]) -> None:
    """Raises `HardwareError` when two parts share a pin or a pin is none of the header's (BCM 2 to 27)."""
    parts = defaultdict(list)
    for part, pin in uses.items():
        if not 2 <= pin <= 27:
            raise HardwareError(f"expected a pin of the header (BCM 2 to 27) for {part}, got {pin}")
        parts[pin].append(part)
    shared = [f"BCM {pin}: {' and '.join(sorted(names))}" for pin, names in sorted(parts.items()) if len(names) > 1]
    if shared:
        raise HardwareError(f"expected each pin to serve one part, got {'; '.join(shared)}")


def _new_factory(name: FactoryName) -> Any:
    if name == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)  # the plain mock pin cannot do PWM, which the buzzer needs
    if name == "rpigpio":
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
