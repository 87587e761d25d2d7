"""Every screen looks as it did when it was last looked at: `make screens` writes the pictures anew."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from firmware import screens
from firmware.screens import Screen
from firmware.text import LANGUAGES, Language
from tests.firmware.golden_screens import GOLDEN, golden, picture
from tests.firmware.screen_samples import USUAL


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", USUAL)
def test_the_screen_is_the_golden_one(name: str, language: Language) -> None:
    with Image.open(golden(name, language)) as kept:
        different = int((np.asarray(kept, bool) ^ np.asarray(picture(name, language), bool)).sum())
    assert different == 0, f"{name} in {language} differs in {different} dots; look at it, then run make screens"


def test_every_screen_has_a_golden_picture_and_no_picture_is_left_over() -> None:
    makers = {name for name in screens.__all__ if name[0].islower()} - {"screen_for"}
    assert makers <= set(USUAL)
    assert {file.stem for file in GOLDEN.rglob("*.png")} == set(USUAL)


def test_the_golden_pictures_are_small() -> None:
    assert sum(file.stat().st_size for file in GOLDEN.rglob("*.png")) < 1_000_000


def test_screens_carry_their_own_name() -> None:
    from firmware.text import Words

    made = {name: maker(Words("it")) for name, maker in USUAL.items()}
    assert all(isinstance(screen, Screen) and screen.name == name for name, screen in made.items())
