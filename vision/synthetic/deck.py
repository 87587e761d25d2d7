"""The project's own decks: forty faces and a back, drawn by code, the same bytes every time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.synthetic.figures import draw_figure, draw_half_figure
from vision.synthetic.number_cards import draw_number
from vision.synthetic.pen import INK, Pen, Picture
from vision.synthetic.pips import FRENCH_SIGNS
from vision.synthetic.style import DEFAULT_STYLE, STYLES, Style

SUIT_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "latin": ("denari", "coppe", "spade", "bastoni"),
    "french": ("quadri", "cuori", "picche", "fiori"),
}
_FINE: Final = 3
"""Pictures are drawn this many times as large and shrunk, so that edges are smooth."""


def faces(style: str = DEFAULT_STYLE, width: int = 300) -> dict[Card, Picture]:
    """The forty faces of a style of ours, upright, BGR, `width` pixels wide. Raises `KeyError` for an unknown style."""
    return {card: face(card, STYLES[style], width) for card in DECK}


def face(card: Card, style: Style, width: int = 300) -> Picture:
    """One face, upright, square corners, BGR."""
    picture = _blank(style, width)
    pen = Pen.on(picture, width * _FINE / 100)
    if style.inset and style.suits == "latin":
        _frame(pen, style)
    if card.value <= 7:
        draw_number(pen, card, style)
    elif style.mirrored:
        draw_half_figure(pen, card, style)
        _turn_round(picture)
        pen.polygon(
            [
                (12, style.height / 2 - 1),
                (88, style.height / 2 - 1),
                (88, style.height / 2 + 1),
                (12, style.height / 2 + 1),
            ],
            style.palette.gold,
            width=0.8,
        )
        if style.suits == "french":
            _frame(pen, style)
    else:
        draw_figure(pen, card, style)
    if style.numbers:
        _print_corners(picture, pen, card, style)
    return _shrink(picture)


def back(style: str = DEFAULT_STYLE, width: int = 300) -> Picture:
    """The back of a style of ours, BGR."""
    chosen = STYLES[style]
    picture = _blank(chosen, width)
    pen, ink, high = Pen.on(picture, width * _FINE / 100), chosen.palette, chosen.height
    colour = {"grid": ink.blue, "scales": ink.red, "diamonds": ink.green}[chosen.back]
    pen.polygon([(6, 6), (94, 6), (94, high - 6), (6, high - 6)], ink.paper, colour, 2)
    for row in range(int((high - 14) / 6)):
        for column in range(14):
            tile = pen.at(10 + 6 * column + (3 if row % 2 and column < 13 else 0), 10 + 6 * row)
            if chosen.back == "grid":
                tile.polygon([(0, 0), (4, 0), (4, 4), (0, 4)], colour, None)
            elif chosen.back == "scales":
                tile.disc(2, 2, 2.4, colour, ink.paper, 0.5)
            else:
                tile.polygon([(2, -0.6), (4.6, 2), (2, 4.6), (-0.6, 2)], colour, ink.gold, 0.4)
    return _shrink(picture)


def write_deck(folder: Path, style: str = DEFAULT_STYLE, width: int = 300) -> int:
    """Write a style as a folder of faces, `denari_1.png` to `bastoni_10.png` and `back.png`. Returns how many files."""
    folder.mkdir(parents=True, exist_ok=True)
    words = SUIT_WORDS[STYLES[style].suits]
    pictures = {f"{words[card.suit]}_{card.value}": picture for card, picture in faces(style, width).items()}
    pictures["back"] = back(style, width)
    for name, picture in pictures.items():
        (folder / f"{name}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return len(pictures)


def _blank(style: Style, width: int) -> Picture:
    size = (round(width * _FINE * style.height / 100), width * _FINE)
    return np.full((*size, 3), style.palette.paper, np.uint8)


def _shrink(picture: Picture) -> Picture:
    size = (picture.shape[1] // _FINE, picture.shape[0] // _FINE)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _turn_round(picture: Picture) -> None:
    """Copy the upper half, turned by 180 degrees, over the lower half."""
    half = picture.shape[0] // 2
    picture[-half:] = picture[:half][::-1, ::-1].copy()


def _frame(pen: Pen, style: Style) -> None:
    edge = 100 * max(style.inset, 0.12 if style.suits == "french" else 0)
    pen.polygon(
        [(edge, edge), (100 - edge, edge), (100 - edge, style.height - edge), (edge, style.height - edge)], None
    )


def _print_corners(picture: Picture, pen: Pen, card: Card, style: Style) -> None:
    """The rank, on French cards also the suit, in the top left corner and turned round in the bottom right one."""
    french = style.suits == "french"
    colour = (style.palette.red if card.suit < 2 else INK) if french else INK
    text = ("A234567JQK" if french else "1234567890")[card.value - 1]
    text = "10" if text == "0" else text
    deep, broad = (26, 13) if french else (14, 12)
    left = 0 if french else round(100 * style.inset * 0.3)
    pen.at(left, 0).polygon([(1, 2), (broad, 2), (broad, deep), (1, deep)], style.palette.paper, None)
    pen.text(left + 7, 9, text, 10 if french else 8, colour)
    if french:
        FRENCH_SIGNS[card.suit](pen.at(7, 21, 0.5), colour)
    scale = picture.shape[1] / 100
    rows, columns = slice(0, round(deep * scale)), slice(0, round((left + broad) * scale))
    corner = picture[rows, columns][::-1, ::-1].copy()
    picture[-corner.shape[0] :, -corner.shape[1] :] = corner
