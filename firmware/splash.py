"""The first picture of the display, drawn by a unit of its own as soon as the bus is there (`arbitro-splash.service`).

Nothing is opened but the panel; the referee, which starts later, takes it over with the picture still on it.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from firmware.config import Config, load
from firmware.draw import draw
from firmware.errors import ConfigError
from firmware.screens_start import boot
from firmware.text import Words
from firmware.wiring import wiring_of
from hardware.display import Display
from hardware.errors import HardwareError
from hardware.panel import open_panel
from hardware.pins import pin_factory

log = logging.getLogger(__name__)


def show(config: Config, opener: Callable[..., Any] = open_panel) -> bool:
    """Draw the page of the start and leave it there; True when the panel has it, or the settings say there is none."""
    driver = config.display.driver
    if driver == "none":
        return True
    try:
        factory = pin_factory("lgpio") if config.display.bus == "spi" else None
    except HardwareError as error:
        log.error("no splash: %s", error)
        return False
    display = Display(lambda: opener(driver, wiring_of(config.display), factory))
    shown = display.show(draw(boot(Words(config.game.language), version=version("arbitro"), checks=())))
    display.close(keep_picture=True)
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 1 while no panel answers: the unit tries again; 2 for settings that cannot be used."""
    parser = argparse.ArgumentParser(prog="firmware.splash")
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help="the settings")
    try:
        config = load(parser.parse_args(arguments).config)
    except ConfigError as error:
        log.error("%s", error)
        return 2
    return 0 if show(config) else 1


if __name__ == "__main__":
    sys.exit(main())
