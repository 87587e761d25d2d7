"""The table in a terminal: beside or below the display, never over it, in the colours of the picture."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

from firmware.table_blocks import Spot, blocks, spot


@pytest.mark.parametrize(
    ("columns", "lines", "expected"),
    [
        (80, 24, None),
        (80, 60, Spot(20, 1, 80)),
        (200, 40, Spot(1, 67, 112)),
        (120, 24, Spot(1, 67, 54)),
        (64, 40, Spot(20, 1, 64)),
        (10, 5, None),
    ],
)
def test_where_the_table_goes(columns: int, lines: int, expected: Spot | None) -> None:
    """At 1536x864 a table 112 columns wide needs 31 or 32 lines; the display has 64 columns and 16 lines."""
    found = spot(os.terminal_size((columns, lines)), (1536, 864))
    assert found == expected
    if found is not None:
        drawn = blocks(np.zeros((864, 1536, 3), np.uint8), found.width)
        assert found.row + len(drawn) - 1 <= lines
        assert found.column + found.width - 1 <= columns


def test_blocks_have_the_colours_of_the_picture() -> None:
    """Blue above, red below: BGR becomes the red, green, blue of the terminal."""
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[:20, :, 0], picture[20:, :, 2] = 200, 150
    lines = blocks(picture, 2)
    assert len(lines) == 1
    assert re.findall(r"[0-9;]+(?=m▀)", lines[0]) == ["38;2;0;0;200;48;2;150;0;0"] * 2
    assert lines[0].endswith("\x1b[0m")
