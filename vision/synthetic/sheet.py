"""A deck on paper: A4 pages with cards in their true size and marks to cut along, backs behind the faces."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from vision.synthetic.deck import back, faces
from vision.synthetic.pen import Picture
from vision.synthetic.style import DEFAULT_STYLE, STYLES

A4: Final = (210.0, 297.0)
"""Millimetres."""
_GAP: Final = 4.0
_MARK: Final = 3.0


def write_sheet(path: Path, style: str = DEFAULT_STYLE, dpi: int = 300) -> int:
    """Write a style as a PDF for double-sided printing, turned over the long edge. Returns the number of pages."""
    wide = STYLES[style].millimetres[0]
    width = round(wide * dpi / 25.4)
    cards, reverse = list(faces(style, width).values()), back(style, width)
    slots = _slots(STYLES[style].millimetres)
    pages = []
    for first in range(0, len(cards), len(slots)):
        shown = cards[first : first + len(slots)]
        pages += [_page(shown, slots, dpi), _page([reverse] * len(slots), slots, dpi)]
    then = time.gmtime(0)  # the same bytes every time
    facts = {"title": f"Arbitro: {style}", "creationDate": then, "modDate": then}
    pages[0].save(path, "PDF", resolution=dpi, save_all=True, append_images=pages[1:], **facts)
    return len(pages)


def _slots(card: tuple[float, float]) -> list[tuple[float, float]]:
    """Top left corners of as many cards as fit, in millimetres, centred so that faces and backs meet."""
    counts = [int((A4[k] - 2 * _GAP - 2 * _MARK + _GAP) // (card[k] + _GAP)) for k in (0, 1)]
    starts = [(A4[k] - counts[k] * card[k] - (counts[k] - 1) * _GAP) / 2 for k in (0, 1)]
    return [
        (starts[0] + column * (card[0] + _GAP), starts[1] + row * (card[1] + _GAP))
        for row in range(counts[1])
        for column in range(counts[0])
    ]


def _page(cards: list[Picture], slots: list[tuple[float, float]], dpi: int) -> Image.Image:
    dots = dpi / 25.4
    page = Image.new("RGB", (round(A4[0] * dots), round(A4[1] * dots)), "white")
    draw = ImageDraw.Draw(page)
    for card, (x, y) in zip(cards, slots, strict=False):
        left, top = round(x * dots), round(y * dots)
        right, bottom = left + card.shape[1], top + card.shape[0]
        page.paste(Image.fromarray(np.ascontiguousarray(card[:, :, ::-1])), (left, top))
        reach = round(_MARK * dots / 2)
        for px in (left, right):
            for py, way in ((top, -1), (bottom, 1)):
                draw.line([(px, py), (px, py + way * reach)], "black")
        for py in (top, bottom):
            for px, way in ((left, -1), (right, 1)):
                draw.line([(px, py), (px + way * reach, py)], "black")
    return page
