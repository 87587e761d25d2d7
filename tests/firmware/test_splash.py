"""The first picture of the display, before the referee is up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from luma.core.interface.serial import i2c

from firmware import splash
from firmware.config import Config, Display, Game
from firmware.draw import draw
from firmware.screens_start import boot
from firmware.text import Words
from hardware.panel import Wiring, open_panel
from tests.hardware.panel_bytes import RecordingBus


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_page_of_the_start_stays_on_the_glass(language: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splash, "version", lambda name: "1.2.3")
    bus = RecordingBus()

    def opener(driver: Any, wiring: Wiring, factory: Any) -> Any:
        assert (driver, wiring.address) == ("sh1106", 0x3D)
        return open_panel("ssd1306", wiring, serial=i2c(bus=bus, address=wiring.address))

    config = Config(display=Display(driver="sh1106", address=0x3D), game=Game(language=language))
    assert splash.show(config, opener)
    wanted = draw(boot(Words(language), version="1.2.3", checks=()))
    assert np.array_equal(np.asarray(bus.glass.picture(), bool), np.asarray(wanted, bool))
    assert bus.glass.lit, "the referee takes the panel over with the picture on it"


def test_without_a_panel_it_is_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bus = RecordingBus()
    bus.unplug()
    assert not splash.show(Config(), lambda *_: open_panel("ssd1306", serial=i2c(bus=bus, address=0x3C)))
    assert "display lost" in caplog.text


def test_wrong_settings_end_it_for_good(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[display]\ndriver = 'none'\n")
    assert splash.main(["--config", str(settings)]) == 0
    settings.write_text("[display]\ndriver = 'lcd'\n")
    assert splash.main(["--config", str(settings)]) == 2
    assert "display.driver" in caplog.text
