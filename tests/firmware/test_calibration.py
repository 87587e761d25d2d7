"""Calibration on the display and in the store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.calibration import keep, kept, shown
from firmware.draw import draw
from firmware.errors import StoreError
from firmware.screens_pages import task
from firmware.store import Store
from firmware.text import Words
from vision.calibrate import Calibration, Light

GOOD = Calibration(1536, 864, (True,) * 4, Light(90.0, 0.7), (), 0.8, 99.4, (700, 200, 171, 119))
POOR = replace(
    GOOD,
    corners=(True, False, True, True),
    light=Light(90.0, 0.2),
    reflections=((1, 2, 3, 4),),
    blur=2.5,
    card_width=40.0,
    read_box=(300, 590, 100, 70),
)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("found", [GOOD, POOR, replace(GOOD, blur=None, card_width=None)])
def test_every_calibration_fits_the_page(language: Any, found: Calibration) -> None:
    say = Words(language)
    progress = shown(say, found)
    screen = task(say, name="calibrate", lines=progress.lines, note=progress.note)
    assert all(
        label in row and state in row for (label, state), row in zip(progress.lines, screen.rows[1:], strict=False)
    )
    assert draw(screen).getbbox() is not None


def test_what_is_wrong_is_said_in_words() -> None:
    assert dict(shown(Words("en"), GOOD).lines) == {
        "Corners 4/4": "Spots 0", "Light": "good", "Focus": "86/100", "Card": "99 px", "Box": "top",
    }  # fmt: skip
    poor = shown(Words("it"), POOR)
    assert dict(poor.lines) == {
        "Angoli 3/4": "Riflessi 1", "Luce": "diseguale", "Fuoco": "sfocato", "Carta": "piccola",
        "Box": "basso a sinistra",
    }  # fmt: skip
    assert poor.note == "si gioca, ma meno bene"


def test_the_last_one_is_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert kept(store) is None
        keep(store, POOR)
        keep(store, GOOD)
    with Store.open(tmp_path) as store:
        assert kept(store) == GOOD
        store.keep("calibration", {"width": "wide"})
        with pytest.raises(StoreError, match="expected a calibration"):
            kept(store)
