"""The display on luma's real drivers; the picture is rebuilt from the bytes that would reach the panel."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import i2c
from PIL import Image, ImageChops, ImageDraw

from hardware.display import BackgroundDisplay, Display
from hardware.errors import DisplayError
from hardware.panel import Wiring, open_panel, size_of, spi_serial
from tests.hardware.panel_bytes import RecordingBus, RecordingSpi


def drawing(text: str = "SCOPA 11 - 7") -> Image.Image:
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.text((3, 2), text, fill=1)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.line((0, 20, 127, 63), fill=1)
    return picture


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


def on_bus(bus: RecordingBus, driver: Any = "ssd1306", rotate: int = 0) -> Any:
    return lambda: open_panel(driver, Wiring(rotate=rotate), serial=i2c(bus=bus, address=0x3C))


@pytest.mark.parametrize(("driver", "columns"), [("ssd1306", 128), ("ssd1309", 128), ("sh1106", 132)])
@pytest.mark.parametrize("rotate", [0, 2])
def test_the_picture_reaches_the_glass(driver: str, columns: int, rotate: int) -> None:
    bus = RecordingBus(columns)
    display = Display(on_bus(bus, driver, rotate))
    assert display.show(drawing())
    assert same(bus.glass.picture(), drawing().rotate(90 * rotate))
    assert bus.glass.lit


def test_a_wrong_driver_shifts_the_picture() -> None:
    bus = RecordingBus(132)
    Display(on_bus(bus, "ssd1306")).show(drawing())
    assert not same(bus.glass.picture(), drawing())


def test_spi_drives_data_and_command_through_gpiozero() -> None:
    factory = MockFactory()
    spi = RecordingSpi(lambda: factory.pin(24).state)
    display = Display(lambda: open_panel("ssd1306", serial=spi_serial(Wiring(bus="spi"), factory, spi)))
    assert display.show(drawing())
    assert same(spi.glass.picture(), drawing())
    assert [state.state for state in factory.pin(25).states][-2:] == [False, True]  # reset, then let go
    display.close()
    assert spi.opened is None
    with LED(24, pin_factory=factory), LED(25, pin_factory=factory):
        pass  # the pins are free again


class LateSpi(RecordingSpi):
    """A bus that the kernel brings only later."""

    there = False

    def open(self, port: int, device: int) -> None:
        if not self.there:
            raise FileNotFoundError(2, "No such file or directory")
        super().open(port, device)


def test_an_spi_panel_comes_back_after_its_bus_was_not_there() -> None:
    factory, now = MockFactory(), [0.0]
    spi = LateSpi(lambda: factory.pin(24).state)
    wiring = Wiring(bus="spi")
    display = Display(lambda: open_panel("ssd1306", serial=spi_serial(wiring, factory, spi)), clock=lambda: now[0])
    assert not display.show(drawing())
    assert display.lost is not None
    spi.there = True
    now[0] += 3
    assert display.show(drawing())
    assert same(spi.glass.picture(), drawing())


def test_an_spi_panel_without_pins_is_told() -> None:
    display = Display(lambda: open_panel("ssd1306", serial=spi_serial(Wiring(bus="spi"), None, None)))
    assert not display.show(drawing())
    assert "pins for D/C" in str(display.lost)
    factory = MockFactory()
    with LED(25, pin_factory=factory):
        display = Display(lambda: open_panel("ssd1306", serial=spi_serial(Wiring(bus="spi"), factory, None)))
        assert not display.show(drawing())
        assert "BCM 25 to be free" in str(display.lost)


def test_an_equal_picture_is_not_written_again() -> None:
    bus = RecordingBus()
    display = Display(on_bus(bus))
    display.show(drawing())
    before = bus.data_bytes
    display.show(drawing())
    assert bus.data_bytes == before
    display.show(drawing("another"))
    assert bus.data_bytes == before + 1024


def test_contrast_and_power() -> None:
    bus = RecordingBus()
    display = Display(on_bus(bus))
    display.show(drawing())
    display.contrast(10)
    display.off()
    assert (bus.glass.contrast, bus.glass.lit) == (10, False)
    display.on()
    assert bus.glass.lit


@pytest.mark.parametrize(("keep", "lit"), [(True, True), (False, False)])
def test_what_stays_on_the_glass_at_the_end_is_chosen(keep: bool, lit: bool) -> None:
    bus = RecordingBus()
    display = Display(on_bus(bus))
    display.show(drawing())
    display.close(keep_picture=keep)
    assert bus.glass.lit is lit
    assert same(bus.glass.picture(), drawing())


def test_another_form_of_picture_is_refused() -> None:
    with pytest.raises(DisplayError, match=r"128x64 dots, got L \(128, 64\)"):
        Display(on_bus(RecordingBus())).show(Image.new("L", (128, 64)))


def test_tc8_absent_at_start_pulled_and_back() -> None:
    now, bus = [0.0], RecordingBus()
    bus.unplug()
    display = Display(on_bus(bus), clock=lambda: now[0])
    assert not display.show(drawing("play 1"))
    assert "address 0x3C of /dev/i2c-1" in (display.lost or "")
    bus.plug()
    assert not display.show(drawing("play 2")), "tried again before its time"
    now[0] = 2.0
    assert display.show(drawing("play 3"))
    display.contrast(40)
    bus.unplug()
    assert not display.show(drawing("play 7"))
    bus.plug()
    now[0] = 4.5
    assert display.show(drawing("play 9"))
    assert display.lost is None
    assert same(bus.glass.picture(), drawing("play 9"))
    assert (bus.glass.lit, bus.glass.contrast) == (True, 40)


def test_a_panel_that_comes_back_gets_the_picture_that_did_not_change() -> None:
    now, bus = [0.0], RecordingBus()
    display = Display(on_bus(bus), clock=lambda: now[0])
    display.show(drawing())
    bus.unplug()
    display.contrast(1)
    bus.plug()
    now[0] = 3.0
    display.show(drawing())
    assert same(bus.glass.picture(), drawing())


def test_a_panel_that_was_lost_is_forgotten() -> None:
    now, bus, panels = [0.0], RecordingBus(), []

    def opener() -> Any:
        panel = on_bus(bus)()
        panels.append(weakref.ref(panel))
        return panel

    display = Display(opener, clock=lambda: now[0])
    for _ in range(5):
        display.show(drawing(str(now[0])))
        bus.unplug()
        display.contrast(9)
        bus.plug()
        now[0] += 3
    display.close()
    gc.collect()
    assert len(panels) == 5
    assert [panel() for panel in panels] == [None] * 5


def test_a_missing_bus_is_named() -> None:
    with pytest.raises(DisplayError, match="/dev/i2c-93"):
        open_panel("ssd1306", Wiring(port=93))


@pytest.mark.parametrize("driver", ["dummy", "capture"])
def test_emulators(driver: Any, tmp_path: Any) -> None:
    options = {"file_template": str(tmp_path / "{0:04}.png")} if driver == "capture" else {}
    panel = open_panel(driver, **options)
    assert Display(lambda: panel).show(drawing())
    if driver == "capture":
        assert list(tmp_path.glob("*.png"))
    else:
        assert same(panel.image, drawing())


def test_the_background_writes_only_the_newest() -> None:
    bus, gate = RecordingBus(), threading.Event()
    opening = on_bus(bus)

    def slow() -> Any:
        assert gate.wait(10)
        return opening()

    background = BackgroundDisplay(Display(slow), period=0.0)
    for number in range(100):
        background.show(drawing(f"play {number}"))  # none of these waits for the panel
    gate.set()
    background.close(keep_picture=True, limit=10)
    assert same(bus.glass.picture(), drawing("play 99"))
    assert bus.data_bytes <= 3 * 1024  # luma's own clearing, the one that was under way, the newest


@pytest.mark.parametrize(("driver", "size"), [("ssd1322", (256, 64)), ("ssd1351", (128, 128))])
def test_a_larger_panel_gets_its_whole_picture(driver: Any, size: tuple[int, int]) -> None:
    class Bus:
        """Counts what would reach the panel."""

        def __init__(self) -> None:
            self.sent = 0

        def command(self, *commands: int) -> None:
            del commands

        def data(self, data: Any) -> None:
            self.sent += len(data)

        def cleanup(self) -> None:
            """Nothing to give back."""

    bus = Bus()
    display = Display(lambda: open_panel(driver, Wiring(bus="spi"), serial=bus), size=size_of(driver))
    assert display.size == size
    assert display.show(Image.new("RGB", size, (255, 255, 255)))
    whole = bus.sent
    assert whole >= size[0] * size[1] // 2
    assert display.show(Image.new("1", (128, 64), 1)), "a small page is shown at the top left"
    with pytest.raises(DisplayError, match="dots"):
        display.show(Image.new("1", (size[0] + 1, size[1])))


def test_a_larger_panel_is_wired_to_spi() -> None:
    with pytest.raises(DisplayError, match=r"expected display\.bus = spi for a ssd1351"):
        open_panel("ssd1351", Wiring(bus="i2c"))
