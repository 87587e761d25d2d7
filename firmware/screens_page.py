"""What a screen is made of: rows of text, and how a title, a body and the meaning of the buttons fill them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.errors import FirmwareError

ROWS: Final = 8
WIDTH: Final = 21
BIG: Final = "»"
"""A row that begins with this sign is two rows high and holds `BIG_WIDTH` characters."""
BIG_WIDTH: Final = 10


@dataclass(frozen=True, slots=True)
class Screen:
    """One page: a name and rows of text from top to bottom, 8 rows of 21 cells in all; a BIG row counts as two.

    `alarm` shows the first row in reverse. Raises `FirmwareError` if the rows do not fit.
    """

    name: str
    rows: tuple[str, ...]
    alarm: bool = False

    def __post_init__(self) -> None:
        if height(self.rows) > ROWS:
            raise FirmwareError(f"expected at most {ROWS} rows on screen {self.name}, got {height(self.rows)}")
        for row in self.rows:
            if len(row) > (BIG_WIDTH + 1 if row.startswith(BIG) else WIDTH):
                raise FirmwareError(f"expected rows of at most {WIDTH} cells on screen {self.name}, got {row!r}")


def height(rows: Iterable[str]) -> int:
    """Rows of the display that these rows take."""
    return sum(2 if row.startswith(BIG) else 1 for row in rows)


def page(name: str, head: Sequence[str], body: Sequence[str], foot: Sequence[str], *, alarm: bool = False) -> Screen:
    """A screen with `head` at the top, `body` wrapped below it and `foot` at the bottom.

    A body that is too long loses its end, marked by `…`: what to press must always be seen.
    """
    foot = [_cut(row) for row in foot]
    rows = [_cut(row) for row in head]
    room = ROWS - height(rows) - height(foot)
    wrapped = [part for row in body for part in _wrap(row)]
    while height(wrapped) > room:
        if room <= 0 or len(wrapped) < 2:
            wrapped = []
            break
        wrapped = [*wrapped[:-2], _cut(wrapped[-2] + "…" * (WIDTH + 1))]
    gap = [""] * (room - height(wrapped))
    return Screen(name, (*rows, *wrapped, *gap, *foot), alarm)


def _cut(row: str) -> str:
    width = BIG_WIDTH + 1 if row.startswith(BIG) else WIDTH
    return row if len(row) <= width else row[: width - 1].rstrip("… ") + "…"


def _wrap(row: str) -> list[str]:
    if row.startswith(BIG) or len(row) <= WIDTH:
        return [_cut(row)]
    return textwrap.wrap(row, WIDTH, break_on_hyphens=False)


def split(left: str, right: str, width: int = WIDTH) -> str:
    """A row with one text at each side; the left one gives way."""
    return left[: width - len(right) - 1].ljust(width - len(right)) + right


def labels(no: str = "", minus: str = "", plus: str = "", ok: str = "") -> str:
    """The bottom row that names the four buttons, each near its own."""
    row = f"{no:<5}{minus:<5}{plus}"
    return split(row, ok).rstrip()


def shortest(options: Sequence[str], width: int = WIDTH) -> str:
    """The first text that fits into `width` cells; the last one, cut, if none does."""
    return next((option for option in options if len(option) <= width), options[-1][:width])


def best(room: int, *bodies: Sequence[str]) -> Sequence[str]:
    """The first body that takes at most `room` rows when wrapped; the last one if none does."""
    return next((body for body in bodies if height(part for row in body for part in _wrap(row)) <= room), bodies[-1])


def tally(names: Sequence[str], values: Sequence[object], more: str = "") -> str:
    """A row such as `NORD 7 SUD 5 mazzo 24`; names grow shorter until it fits. Two alone stand at the two sides."""
    rows = []
    for length in (10, 5, 3, 2, 1):
        parts = [f"{name[:length]} {value}" for name, value in zip(names, values, strict=True)]
        if len(parts) == 2 and not more and sum(map(len, parts)) < WIDTH:
            return split(parts[0], parts[1])
        rows.append(" ".join([*parts, more]).rstrip())
    rows.append(rows[-1].removesuffix(more).rstrip())
    return shortest(rows)


def card_rows(label: str, names: Sequence[str], rows: int, signed: Sequence[str] = ()) -> list[str]:
    """Cards in at most `rows` rows, after a label that is left out when they need its room; the rest is counted.

    `signed` are the same cards with the signs of their suits, for where there is room for them.
    """
    for start in (label, label[:3] + "."):
        if signed and len(f"{start} {' '.join(signed)}") <= WIDTH:
            return [f"{start} {' '.join(signed)}"]
    full = f"{label} {' '.join(names) or '-'}".lstrip()
    if len(full) <= WIDTH:
        return [full]
    wrapped = textwrap.wrap(" ".join(names), WIDTH)
    if len(wrapped) > rows:
        fit = rows * 7 - 1
        wrapped = textwrap.wrap(" ".join([*names[:fit], f"+{len(names) - fit}"]), WIDTH)
    return wrapped
