"""Screens of the menus: lists, and pages of fields."""

from __future__ import annotations

from firmware.choices import Choices
from firmware.menu import Editing, Listing, lines
from firmware.menu_facts import Facts
from firmware.menu_fields import field_text, fields_of, game_text, value_of, value_text
from firmware.screens_page import BIG, BIG_WIDTH, WIDTH, Screen, labels, page, split
from firmware.text import Words


def listing(say: Words, *, shown: Listing, choices: Choices, facts: Facts) -> Screen:
    """A list with its cursor, and what is in force at the right of each line."""
    rows = []
    present = lines(shown.name, facts)
    at = shown.at if shown.at in present else present[0]
    for line in present:
        cursor = ">" if line == at else " "
        rows.append(split(cursor + _line(say, line, choices), _in_force(say, line, choices)).rstrip())
    foot = [labels(say("back"), "-", "+", say("ok"))]
    return page(shown.name, [say(f"list.{shown.name}")], rows, foot)


def _line(say: Words, line: str, choices: Choices) -> str:
    return game_text(say, choices) if line == "game" else say(f"line.{line}")


def _in_force(say: Words, line: str, choices: Choices) -> str:
    """The value in force of a line, short enough to stand beside it."""
    rules = choices.ruleset()
    if line == "game":
        return "" if rules.game == "sette_e_mezzo" else say("short.points", target=rules.target)
    if line == "players":
        return str(choices.seats if rules.game == "sette_e_mezzo" else rules.players)
    if line == "rules":
        count = sum(name != "target" for name in choices.rules)
        return say("short.rules_none" if not count else "short.rules_one" if count == 1 else "short.rules", count=count)
    if line in {"deck", "tone", "sound", "language"}:
        return value_text(say, line, value_of(line, choices), choices)[:12]
    return ""


def editing(say: Words, *, shown: Editing) -> Screen:
    """A page of fields: the one being changed in BIG, and three of them in small."""
    draft = shown.draft
    fields = fields_of(shown.name, draft)
    field = fields[shown.place]
    value = value_text(say, field, value_of(field, draft), draft)
    head = [say(f"edit.{shown.name}"), BIG + value if len(value) <= BIG_WIDTH else value]
    if fields == ("dealer",):
        players = draft.players(say)
        body = ["", say("edit.first", player=players[(draft.dealer + 1) % len(players)])]
    else:
        body = _around(say, draft, fields, shown.place)
    hint = [say("edit.next")] if len(fields) > 1 else []
    return page(shown.name, head, body, [*hint, labels(say("no"), "-", "+", say("ok"))])


def naming(say: Words, *, letters: str, seat: int) -> Screen:
    """A name being spelt; a mark below stands under the letter that − and + change."""
    shown = letters.replace(" ", "_")
    mark = " " * round((len(letters) - 1) * 2) + "^^"
    head = [say("naming.title", seat=seat), BIG + shown, mark[:WIDTH]]
    foot = [say("naming.next"), labels(say("no"), "-", "+", say("ok"))]
    return page("naming", head, [], foot)


def _around(say: Words, draft: Choices, fields: tuple[str, ...], place: int) -> list[str]:
    if len(fields) == 1:
        return []
    first = max(0, min(place - 1, len(fields) - 3))
    rows = []
    for number, field in enumerate(fields[first : first + 3], first):
        label = (">" if number == place else " ") + field_text(say, field, draft)
        value = value_text(say, field, value_of(field, draft), draft)
        rows.append(split(label, value[: WIDTH - 1 - len(label)]))
    return rows
