"""Every screen fits in both languages, with real glyphs and whole texts, also with the longest names."""

from __future__ import annotations

import re
import string
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from engine.cards import DECK, Card
from firmware.draw import draw, terminal, write_gif
from firmware.errors import FirmwareError
from firmware.font import big_glyph, glyph, glyphs
from firmware.screens import Screen
from firmware.text import LANGUAGES, Words
from firmware.texts import TEXTS
from tests.firmware.screen_samples import HARDEST, USUAL, Maker

ALL = [(name, maker) for samples in (USUAL, HARDEST) for name, maker in samples.items()]
FAMILIES = ("italian", "donna", "french")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("name", "maker"), ALL, ids=[f"{place}-{name}" for place, (name, _) in enumerate(ALL)])
def test_every_screen_fits_whole(name: str, maker: Maker, language: str, family: str) -> None:
    screen = maker(Words(language, family))  # type: ignore[arg-type]
    assert any(screen.rows)
    assert not [row for row in screen.rows if "…" in row], "a text was cut"
    assert np.asarray(draw(screen)).any()


def test_texts_have_both_languages_with_the_same_fields() -> None:
    formatter = string.Formatter()
    for key, texts in TEXTS.items():
        assert len(texts) == len(LANGUAGES)
        assert all(text == text.strip() and text for text in texts), key
        fields = [{field for _, field, _, _ in formatter.parse(text) if field} for text in texts]
        assert all(each == fields[0] for each in fields), f"{key} has fields {fields}"


def test_every_character_of_every_text_has_a_glyph_of_its_own() -> None:
    written = {character for texts in TEXTS.values() for text in texts for character in text} - {"\u00a0"}
    signs = {Words("it", family).icon(card) for family in FAMILIES for card in DECK}  # type: ignore[arg-type]
    missing = sorted((written | signs | set(string.printable[:94])) - set(glyphs()))
    assert not missing


def test_no_two_glyphs_are_alike_and_none_is_empty() -> None:
    drawn = {character: dots for character, dots in glyphs().items() if character != " "}
    assert all(dots.any() for dots in drawn.values())
    alike = [a + b for a, b in combinations(drawn, 2) if np.array_equal(drawn[a], drawn[b])]
    assert not alike


def test_accents_stand_clear_of_their_letter() -> None:
    for character in "àèéìòùÀÈÉÌÒÙ":
        upper, lower = glyph(character)[:2], glyph(character)[2:]
        assert upper.any()
        assert lower.any()
        assert not np.array_equal(glyph(character), glyph(character.lower() if character.isupper() else "?"))


def test_a_character_that_the_font_lacks_loses_its_accent_or_becomes_a_question_mark() -> None:
    assert np.array_equal(glyph("š"), glyph("s"))
    assert np.array_equal(glyph("漢"), glyph("?"))


def test_big_glyphs_keep_the_shape_of_the_small_ones() -> None:
    for character in glyphs():
        shrunk = big_glyph(character).reshape(8, 2, 6, 2).sum(axis=(1, 3)) >= 2
        assert (shrunk == glyph(character)).mean() > 0.9, character


def test_a_row_that_is_too_long_or_a_row_too_many_is_refused() -> None:
    with pytest.raises(FirmwareError, match="21 cells"):
        Screen("x", ("a" * 22,))
    with pytest.raises(FirmwareError, match="21 cells"):
        Screen("x", ("»" + "a" * 11,))
    with pytest.raises(FirmwareError, match="at most 8 rows"):
        Screen("x", ("a", "»b", "»c", "»d", "»e"))


def test_the_picture_has_its_text_where_the_rows_say() -> None:
    picture = np.asarray(draw(Screen("x", ("A", "", "»B"))))
    assert picture.shape == (64, 128)
    assert np.array_equal(picture[:8, :6], glyph("A"))
    assert np.array_equal(picture[16:32, :12], big_glyph("B"))
    assert picture.sum() == glyph("A").sum() + big_glyph("B").sum()


def test_an_alarm_is_shown_in_reverse_and_a_held_button_as_a_bar() -> None:
    plain, alarm = (np.asarray(draw(Screen("x", ("A", "B"), alarm))) for alarm in (False, True))
    assert np.array_equal(plain[:8], ~alarm[:8])
    assert np.array_equal(plain[8:], alarm[8:])
    half = np.asarray(draw(Screen("x", ("A",)), held=0.5))
    assert half[-2:].sum() == 2 * 64


@pytest.mark.parametrize("wide", [False, True])
def test_the_terminal_shows_every_pixel(wide: bool) -> None:
    picture = draw(USUAL["play"](Words("it")))
    text = terminal(picture, wide=wide)
    lit = sum(
        (ord(c) - 0x2800).bit_count() if not wide else {"█": 2, "▀": 1, "▄": 1}.get(c, 0) for c in text if c != "\n"
    )
    assert lit == np.asarray(picture).sum()
    assert {len(line) for line in text.splitlines()} == {128 if wide else 64}


def test_a_gif_holds_the_pictures_for_their_times(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from PIL import Image

    pictures = [draw(USUAL[name](Words("it"))) for name in ("play", "took", "scopa")]
    write_gif(tmp_path / "x.gif", pictures, [1.0, 0.5, 2.0])
    with Image.open(tmp_path / "x.gif") as read:
        assert read.n_frames == 3
        assert read.size == (384, 192)
        shown = []
        for frame in range(3):
            read.seek(frame)
            shown.append(read.info["duration"])
            lit = np.asarray(read.convert("L"))[1::3, 1::3] > 100
            assert np.array_equal(lit, np.asarray(pictures[frame], bool))
    assert shown == [1000, 500, 2000]


@pytest.mark.parametrize(
    ("language", "family", "card", "letters", "name"),
    [
        ("it", "italian", "Cb", "CB", "cavallo di bastoni"),
        ("it", "donna", "Fb", "DB", "donna di bastoni"),
        ("it", "french", "Cc", "DC", "donna di cuori"),
        ("it", "french", "Fd", "FQ", "fante di quadri"),
        ("en", "italian", "7c", "7C", "7 of cups"),
        ("en", "french", "Rs", "KS", "king of spades"),
    ],
)
def test_cards_are_named_as_the_deck_has_them(language: str, family: str, card: str, letters: str, name: str) -> None:
    say = Words(language, family)  # type: ignore[arg-type]
    assert say.card(Card.parse(card)) == letters
    assert say.card_name(Card.parse(card)) == name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_cards_share_letters_or_words(language: str, family: str) -> None:
    say = Words(language, family)  # type: ignore[arg-type]
    assert len({say.card(card) for card in DECK}) == 40
    assert len({say.card_name(card) for card in DECK}) == 40
    assert all(re.fullmatch(r"[A-Z2-7][A-Z]", say.card(card)) for card in DECK)


def test_the_signs_of_the_suits_stand_beside_their_letters_where_there_is_room() -> None:
    from firmware.screens_page import card_rows

    names, signed = ["7D", "4B", "2S", "FC"], ["7D◉", "4B♧", "2S†", "FC⚱"]
    assert card_rows("Tavolo", names[:3], 2, signed[:3]) == ["Tavolo 7D◉ 4B♧ 2S†"]
    assert card_rows("Tavolo", names, 2, signed) == ["Tav. 7D◉ 4B♧ 2S† FC⚱"]
    assert card_rows("Tavolo", [*names, "RB"], 2, [*signed, "RB♧"]) == ["Tavolo 7D 4B 2S FC RB"]


def test_the_guide_names_pages_as_the_display_does() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / "playing.md").read_text("utf-8")
    table = [line.split("|")[1] for line in guide.splitlines() if re.match(r"\| [A-Z]{2}", line)]
    titles = [title.strip() for cell in table for title in cell.split(",")]
    english = {texts[1] for texts in TEXTS.values()}
    assert len(titles) >= 6
    assert [title for title in titles if title not in english] == []


def test_an_unknown_text_is_an_error_that_names_it() -> None:
    with pytest.raises(FirmwareError, match="no_such"):
        Words("it")("no_such")


def test_a_larger_display_shows_the_table_beside_the_page() -> None:
    say = Words("it")
    page, aside = USUAL["play"](say), Screen("aside", ("NORD 7         SUD 5", "»7D 4B 2S"))
    small, beside = np.asarray(draw(page), bool), np.asarray(draw(aside), bool)
    wide = np.asarray(draw(page, (256, 64), aside=aside), bool)
    assert np.array_equal(wide[:, :128], small)
    assert np.array_equal(wide[:, 128:], beside)
    high = np.asarray(draw(page, (128, 128), aside=aside), bool)
    assert np.array_equal(high[:64], small)
    assert np.array_equal(high[64:], beside)
    large = np.asarray(draw(page, (320, 240), aside=aside), bool)
    assert np.array_equal(large[0:128:2, 0:256:2], small)
    assert np.array_equal(large[128:192, :128], beside)
    assert np.array_equal(np.asarray(draw(page, aside=aside), bool), small), "no room, no second page"


def test_colours_are_those_dots_that_are_lit_and_make_alarms_and_suits_stand_out() -> None:
    say = Words("it")
    for name in ("play", "must_take", "put_back"):
        page = USUAL[name](say)
        dots, painted = np.asarray(draw(page), bool), np.asarray(draw(page, colour=True))
        assert painted.shape == (64, 128, 3)
        assert np.array_equal(painted.any(axis=2), dots)
    alarm = np.asarray(draw(USUAL["must_take"](say), colour=True))
    assert {tuple(dot) for dot in alarm[:8].reshape(-1, 3) if dot.any()} == {(255, 90, 70)}
    suits = np.asarray(draw(Screen("x", ("7D◉ 4C⚱",)), colour=True))
    colours = [{tuple(dot) for dot in suits[:8, 6 * k : 6 * k + 6].reshape(-1, 3) if dot.any()} for k in (2, 6)]
    assert colours == [{(255, 200, 60)}, {(255, 110, 90)}]
