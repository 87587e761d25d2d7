"""Writes the golden pictures of every screen and the sheets of docs/screens.md: `make screens`.

Look at every picture that changed before it is kept: the tests compare with what lies here.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from firmware.draw import draw, enlarge
from firmware.screens import Screen
from firmware.text import LANGUAGES, Language, Words
from tests.firmware.screen_samples import USUAL

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "tests" / "data" / "screens"
SHEETS = ROOT / "docs" / "screens"
COLUMNS, GAP = 4, 8


def golden(name: str, language: Language) -> Path:
    """Where the golden picture of a screen lies."""
    return GOLDEN / language / f"{name}.png"


def picture(name: str, language: Language) -> Image.Image:
    """The screen as it is drawn now."""
    return draw(USUAL[name](Words(language)))


def sheet(language: Language) -> Image.Image:
    """All screens of a language, each with its name above it."""
    tiles = [_tile(name, language) for name in USUAL]
    width, height = tiles[0].width + GAP, tiles[0].height + GAP
    rows = -(-len(tiles) // COLUMNS)
    whole = Image.new("L", (COLUMNS * width + GAP, rows * height + GAP), 90)
    for place, tile in enumerate(tiles):
        whole.paste(tile, (GAP + place % COLUMNS * width, GAP + place // COLUMNS * height))
    return whole.quantize(8)


def _tile(name: str, language: Language) -> Image.Image:
    label = draw(Screen("label", (name,))).crop((0, 0, 128, 8))
    large = enlarge(picture(name, language), 2).convert("L")
    tile = Image.new("L", (large.width, large.height + 12), 90)
    tile.paste(label.point(lambda dot: 255 if dot else 90, "L"), (0, 0))
    tile.paste(large, (0, 12))
    return tile


def strip(names: tuple[str, ...] = ("play", "took", "must_take", "score")) -> Image.Image:
    """A few screens side by side, as the README shows them."""
    tiles = [enlarge(picture(name, "en"), 2).convert("RGB") for name in names]
    whole = Image.new("RGB", (len(tiles) * (tiles[0].width + GAP) - GAP, tiles[0].height), "white")
    for place, tile in enumerate(tiles):
        whole.paste(tile, (place * (tile.width + GAP), 0))
    return whole.quantize(8)


def larger() -> Image.Image:
    """A page on larger displays: 256x64, and 128x128 in colours."""
    say, beside = Words("en"), Screen("aside", ("NORTH 7       SOUTH 5", "»7D 4B 2S", "»FC"))
    whole = Image.new("RGB", (2 * (256 + 128) + 3 * GAP, 256 + 2 * GAP), (90, 90, 90))
    wide = enlarge(draw(USUAL["play"](say), (256, 64), aside=beside), 2).convert("RGB")
    colours = draw(USUAL["must_take"](say), (128, 128), aside=beside, colour=True)
    whole.paste(wide, (GAP, GAP))
    whole.paste(colours.resize((256, 256), Image.Resampling.NEAREST), (512 + 2 * GAP, GAP))
    return whole.quantize(16)


def main() -> None:
    SHEETS.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        (GOLDEN / language).mkdir(parents=True, exist_ok=True)
        for name in USUAL:
            picture(name, language).save(golden(name, language), optimize=True)
        sheet(language).save(SHEETS / f"{language}.png", optimize=True)
    larger().save(SHEETS / "larger.png", optimize=True)
    strip().save(SHEETS / "display.png", optimize=True)


if __name__ == "__main__":
    main()
