"""Panels that luma drives: SSD1306, SH1106, SSD1309 over I2C or SPI, its emulators, and one that only remembers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, Literal, get_args

from hardware.errors import DisplayError, MissingLibraryError

WIDTH: Final = 128
HEIGHT: Final = 64
NO_OPERATION: Final = 0xE3
"""A command that all three drivers accept and that does nothing."""

Driver = Literal["ssd1306", "sh1106", "ssd1309", "ssd1322", "ssd1351", "dummy", "capture", "gifanim", "pygame"]
DRIVERS: Final[tuple[Driver, ...]] = get_args(Driver)
LARGER: Final = {"ssd1322": (256, 64), "ssd1351": (128, 128)}
"""Panels of another size, width and height in dots; they are wired to SPI only."""
COLOURED: Final = frozenset({"ssd1351"})


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where the panel is. `port` is the number of the I2C bus, `device` the chip select of SPI, `data_command` and
    `reset` are its BCM pins; `rotate` counts quarter turns (0 or 2).
    """

    bus: Literal["i2c", "spi"] = "i2c"
    port: int = 1
    address: int = 0x3C
    device: int = 0
    data_command: int = 24
    reset: int = 25
    rotate: int = 0


def size_of(driver: str) -> tuple[int, int]:
    """Width and height of the panels with this chip, in dots."""
    return LARGER.get(driver, (WIDTH, HEIGHT))


def open_panel(driver: Driver = "ssd1306", wiring: Wiring = Wiring(), factory: Any = None, **options: Any) -> Any:
    """A luma device of `size_of` its driver, 1 bit a dot or in colours. `factory` is a gpiozero pin factory (SPI only);
    `options` go to an emulator or, as `serial`, replace the bus. Raises `DisplayError` or `MissingLibraryError`.
    """
    from luma.core.error import Error as LumaError

    try:
        if driver in ("ssd1306", "sh1106", "ssd1309", *LARGER):
            panel = _real_panel(driver, wiring, factory, options.get("serial"))
        else:
            panel = _emulator(driver, options)
    except (LumaError, OSError) as error:
        raise DisplayError(f"expected a {driver} {_place(wiring)}, got: {error}") from error
    except ImportError as error:
        raise MissingLibraryError(f"expected the library for a {driver} on {wiring.bus}, got: {error}") from error
    panel.persist = True  # whether the picture stays at the end is decided by `Display.close`, not by luma at exit
    return panel


def _real_panel(driver: str, wiring: Wiring, factory: Any, serial: Any) -> Any:
    import luma.oled.device

    if serial is None and driver in LARGER and wiring.bus == "i2c":
        raise DisplayError(f"expected display.bus = spi for a {driver}, got i2c")
    if serial is None:
        serial = _i2c(wiring) if wiring.bus == "i2c" else spi_serial(wiring, factory)
    width, height = size_of(driver)
    form = {} if driver not in LARGER else {"mode": "RGB" if driver in COLOURED else "1"}
    try:
        if driver not in LARGER:
            serial.command(NO_OPERATION)
        with _without_exit_hook():
            make = getattr(luma.oled.device, driver)
            return make(serial, width=width, height=height, rotate=wiring.rotate, **form)
    except Exception:
        serial.cleanup()
        raise


@contextmanager
def _without_exit_hook() -> Iterator[None]:
    """luma registers every device for the end of the process, which keeps it for ever: a panel that comes and goes
    would cost 160 kB each time. What happens to the picture at the end is decided by `Display.close` anyway.
    """
    import luma.core.device as module

    kept, module.atexit = module.atexit, SimpleNamespace(register=lambda hook: None)
    try:
        yield
    finally:
        module.atexit = kept


def _i2c(wiring: Wiring) -> Any:
    from luma.core.interface.serial import i2c

    return i2c(port=wiring.port, address=wiring.address)


def spi_serial(wiring: Wiring, factory: Any, spi: Any = None) -> Any:
    """luma's SPI with D/C and reset driven through gpiozero, so that neither RPi.GPIO nor a second owner of the pins
    is needed. `spi` is an object like `spidev.SpiDev`, by default a new one.
    """
    from luma.core.interface.serial import spi as luma_spi

    pins = _LumaPins(factory)

    class Spi(luma_spi):  # type: ignore[misc]
        """Gives the pins back too, which luma leaves to whoever made them: a panel that comes back needs them again."""

        def cleanup(self) -> None:
            super().cleanup()
            pins.cleanup()

    try:
        return Spi(spi=spi, gpio=pins, port=0, device=wiring.device, gpio_DC=wiring.data_command, gpio_RST=wiring.reset)
    except Exception:
        pins.cleanup()
        raise


def _emulator(driver: str, options: dict[str, Any]) -> Any:
    if driver == "dummy":
        from luma.core.device import dummy

        return dummy(width=WIDTH, height=HEIGHT, mode="1")
    import luma.emulator.device

    return getattr(luma.emulator.device, driver)(width=WIDTH, height=HEIGHT, mode="1", **options)


def _place(wiring: Wiring) -> str:
    if wiring.bus == "i2c":
        return f"at address 0x{wiring.address:02X} of /dev/i2c-{wiring.port}"
    return f"at /dev/spidev0.{wiring.device}, D/C on BCM {wiring.data_command}, reset on BCM {wiring.reset}"


class _LumaPins:
    """The few names of RPi.GPIO that luma's SPI calls, on gpiozero."""

    BCM, OUT, LOW, HIGH = 11, 0, 0, 1

    def __init__(self, factory: Any) -> None:
        self._factory, self._devices = factory, dict[int, Any]()

    def setmode(self, mode: int) -> None:
        """gpiozero knows BCM numbers only, which is what luma asks for."""

    def setup(self, pin: int, direction: int) -> None:
        """Take the pin as an output."""
        from gpiozero import DigitalOutputDevice, GPIOZeroError

        if self._factory is None:  # gpiozero would look for pins of its own
            raise DisplayError(f"expected pins for D/C and reset, got none for BCM {pin}")
        if pin not in self._devices:
            try:
                self._devices[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)
            except GPIOZeroError as error:
                raise DisplayError(f"expected BCM {pin} to be free for the display, got: {error}") from error

    def output(self, pin: int, level: int) -> None:
        """Set the level of an output."""
        self._devices[pin].value = level

    def cleanup(self, pins: object = None) -> None:
        """Give all pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()
