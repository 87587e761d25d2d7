"""What can be chosen: for each field its values, its value in force, and its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import msgspec

from engine.errors import RuleError
from engine.rules import OPTIONS, VARIANTS, Option, variant
from firmware.choices import Choices, SoundLevel, Tone
from firmware.text import LANGUAGES, Words
from firmware.texts import TEXTS

Values = Mapping[str, Option]
"""The values of an edited page, by field."""

NEW: Final = "+"
"""In place of a name: one that is still to be spelt."""
TARGETS: Final = (11, 16, 21, 31, 51)

HOUSE_RULES: Final[dict[str, tuple[str, ...]]] = {
    "scopa": ("napola", "primiera", "primiera_faces", "last_scopa", "end", "direction"),
    "scopone": ("napola", "primiera", "primiera_faces", "last_scopa", "end", "direction"),
    "scopa_assi": ("napola", "primiera", "ace_scopa", "last_scopa", "end", "direction"),
    "cirulla": ("value_capture", "ace_scopa", "capotto", "last_scopa", "end", "direction"),
    "sette_e_mezzo": ("max_stake", "chips", "double_bet", "direction"),
}
"""The house rules that the buttons offer, by game; all others are settings of the file."""

SEATS: Final = tuple(range(2, 11))
"""So many may play Sette e mezzo; with ten, the stock has cards for one or two each."""

_STEPS: Final[dict[str, tuple[int, ...]]] = {
    "max_stake": (5, 10, 20, 50, 100, 200),
    "chips": (50, 100, 200, 500, 1000),
}


@dataclass(frozen=True, slots=True)
class Known:
    """What the box knows and choices depend on: learnt decks, and names that have played."""

    decks: tuple[str, ...] = ("arbitro",)
    names: tuple[str, ...] = ()


def fields_of(page: str, choices: Choices) -> tuple[str, ...]:
    """The fields of a page, in their order."""
    rules = choices.ruleset()
    if page == "game":
        return ("variant",) if rules.game == "sette_e_mezzo" else ("variant", "target")
    if page == "players" and rules.game == "sette_e_mezzo":
        return ("seats", *(f"name.{seat}" for seat in range(min(choices.seats, len(choices.names)))))
    if page == "players":
        return tuple(f"name.{seat}" for seat in range(rules.players))
    if page == "rules":
        return tuple(f"rule.{name}" for name in HOUSE_RULES[rules.game])
    return ("dealer",) if page == "by_hand" else (page,)


def values_of(field: str, choices: Choices, known: Known) -> tuple[Option, ...]:
    """The values of a field in the order of − and +. The value in force is always among them."""
    kind, _, what = field.partition(".")
    value = value_of(field, choices)
    values: tuple[Option, ...]
    if kind == "name":
        taken = {name for seat, name in enumerate(choices.names) if seat != int(what)}
        values = ("", *(name for name in known.names if name not in taken), NEW)
    elif kind == "rule":
        values = _STEPS.get(what) or _literals(what)
    else:
        values = {
            "variant": tuple(VARIANTS),
            "seats": SEATS,
            "target": TARGETS,
            "deck": known.decks,
            "dealer": tuple(range(choices.ruleset().players)),
            "tone": get_args(Tone),
            "sound": get_args(SoundLevel),
            "language": LANGUAGES,
        }[kind]
    return values if value in values else (value, *values)


def _literals(option: str) -> tuple[Option, ...]:
    return (False, True) if OPTIONS[option] is bool else get_args(OPTIONS[option])


def value_of(field: str, choices: Choices) -> Option:
    """The value in force."""
    kind, _, what = field.partition(".")
    if kind == "name":
        return choices.names[int(what)]
    if kind in {"rule", "target"}:
        return choices.option(what or kind)
    value: Option = getattr(choices, kind)
    return value


def changed(field: str, choices: Choices, value: Option) -> Choices:
    """The choices with one field changed; unchanged where the rules forbid it."""
    kind, _, what = field.partition(".")
    if kind == "name":
        return choices.with_name(int(what), str(value))
    if kind == "variant":
        return choices.with_variant(str(value))
    if kind in {"rule", "target"}:
        try:
            return _valid(choices.with_option(what or kind, value))
        except RuleError:
            return choices
    return msgspec.structs.replace(choices, **{kind: value})


def _valid(choices: Choices) -> Choices:
    choices.ruleset()
    return choices


def value_text(say: Words, field: str, value: Option, choices: Choices) -> str:
    """A value as people read it."""
    kind, _, what = field.partition(".")
    if kind == "dealer":
        return choices.players(say)[int(value or 0)]
    if kind == "name" and value == NEW:
        return say("value.name.new")
    if kind == "name" and not value:
        return choices.with_name(int(what), "").players(say)[int(what)]
    if isinstance(value, bool):
        return say("yes").lower() if value else say("no").lower()
    key = f"value.{what or kind}.{value}"
    return say(key) if key in TEXTS else str(value)


def field_text(say: Words, field: str, choices: Choices) -> str:
    """The label of a field."""
    kind, _, what = field.partition(".")
    if kind == "name":
        return f"{int(what) + 1}"
    return say(f"field.{what or kind}")


def game_text(say: Words, choices: Choices) -> str:
    """The game's name, short."""
    return say(f"game.{variant(choices.variant).game}")
