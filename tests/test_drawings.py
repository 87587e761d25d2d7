"""The drawings in docs/ are those that the code draws now."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path
from xml.etree import ElementTree

import pytest

from hardware.pins import BUTTON_PINS, BUZZER_PIN, I2C_PINS, SPI_PINS

FOLDER = Path(__file__).parent.parent / "docs/drawings"
MODULE = run_path(str(FOLDER / "draw.py"))


@pytest.mark.parametrize("name", MODULE["DRAWINGS"])
def test_a_drawing_is_up_to_date_and_well_formed(name: str) -> None:
    drawn = MODULE["DRAWINGS"][name]()
    assert (FOLDER / name).read_text() == drawn, "run python docs/drawings/draw.py"
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_the_table_of_the_guide_has_the_pins_of_the_program() -> None:
    guide = (FOLDER.parent / "build-the-box.md").read_text()
    rows = {int(bcm): int(pin) for bcm, pin in re.findall(r"\| (\d+) \| (\d+) \|$", guide, re.MULTILINE)}
    used = {*BUTTON_PINS.values(), BUZZER_PIN, *I2C_PINS.values(), *SPI_PINS.values(), 24, 25}
    assert set(rows) == used
    assert {bcm: MODULE["HEADER"][bcm] for bcm in used} == rows
