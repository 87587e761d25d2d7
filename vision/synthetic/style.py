"""What distinguishes one pattern of cards from another: sizes, colours, frame, how the long suits lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from vision.synthetic.pen import Colour

Suits = Literal["latin", "french"]
LongSuits = Literal["columns", "crossed"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Inks of one printing, blue green red."""

    red: Colour
    blue: Colour
    green: Colour
    gold: Colour
    skin: Colour = (172, 200, 236)
    paper: Colour = (246, 250, 251)


@dataclass(frozen=True, slots=True)
class Style:
    """One pattern of cards.

    `millimetres` are width and height of a card, `inset` the share of its width left free around a frame (0: no frame),
    `numbers` prints the rank into two corners, `mirrored` draws figures with two heads, `long_suits` says how swords
    and batons lie: side by side as in the South, or crossed as in the North.
    """

    name: str
    suits: Suits
    millimetres: tuple[float, float]
    palette: Palette
    inset: float = 0.0
    numbers: bool = False
    mirrored: bool = False
    long_suits: LongSuits = "columns"
    pip: float = 1.0
    back: Literal["grid", "scales", "diamonds"] = "grid"

    @property
    def height(self) -> float:
        """Height of a card whose width is 100."""
        return 100 * self.millimetres[1] / self.millimetres[0]


_BRIGHT: Final = Palette(red=(48, 42, 208), blue=(150, 74, 42), green=(72, 118, 36), gold=(52, 190, 240))
_DARK: Final = Palette(
    red=(46, 36, 168), blue=(98, 48, 32), green=(50, 84, 30), gold=(60, 158, 214), paper=(226, 240, 246)
)
_LIVELY: Final = Palette(red=(36, 28, 226), blue=(196, 92, 24), green=(84, 150, 40), gold=(24, 208, 252))
_FRENCH: Final = Palette(red=(40, 30, 206), blue=(150, 70, 40), green=(72, 118, 36), gold=(70, 200, 244))

STYLES: Final[dict[str, Style]] = {
    style.name: style
    for style in (
        Style("meridionale", "latin", (54, 90), _BRIGHT),
        Style("settentrionale", "latin", (51, 93), _LIVELY, 0.07, mirrored=True, long_suits="crossed", back="scales"),
        Style("padana", "latin", (54, 95), _DARK, 0.09, numbers=True, mirrored=True, pip=0.85, back="diamonds"),
        Style("isolana", "latin", (56, 86), _LIVELY, 0.05, numbers=True, pip=1.12, back="scales"),
        Style("francese", "french", (58, 88), _FRENCH, numbers=True, mirrored=True, back="diamonds"),
    )
}
"""The project's own patterns, by name. The first is the one that `arbitro demo` plays with."""
DEFAULT_STYLE: Final = "meridionale"
