"""Rule sets: one field an option, one name a variant. A house rule is a field here and is used in one function."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Final, Literal, get_args, get_type_hints

from engine.cards import DECK, Card
from engine.errors import InvalidPlay, RuleError

Option = bool | int | str | None
"""The value of an option, as JSON writes it."""

Game = Literal["scopa", "scopone", "scopa_assi", "cirulla", "sette_e_mezzo"]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every option of every game; the defaults are Scopa for two.

    Chapters and identifiers of the rules are those of docs/rules.md. Raises `RuleError` for values that an option does
    not know or that cannot go together. `settings()` gives the options that act in the game.
    """

    variant: str = "scopa_2"
    game: Game = "scopa"
    players: Literal[2, 3, 4] = 2
    pairs: bool = False
    target: int = 11
    direction: Literal["cw", "ccw"] = "cw"
    hand_cards: int = 3
    table_cards: int = 4
    redeal_kings: int | None = 3
    redeal_aces: int | None = None
    value_capture: Literal["equal_first", "free", "fewest"] = "equal_first"
    sum15: bool = False
    ace: Literal["plain", "takes_all"] = "plain"
    ace_blocked_by_ace: bool = True
    ace_scopa: Literal["yes", "no_takeall", "never"] = "yes"
    ace_on_empty: Literal["stays", "takes_itself"] = "stays"
    ace_first: Literal["allowed", "forbidden"] = "allowed"
    last_scopa: Literal["no_last_card", "no_last_capture", "yes"] = "no_last_card"
    majority: Literal["most", "more_than_half"] = "most"
    primiera: Literal["best4", "settanta", "off"] = "best4"
    primiera_faces: Literal["10", "10-9-8"] = "10"
    napola: bool = False
    napola_max: int = 10
    napola_full_wins: bool = False
    re_bello: bool = False
    grande: bool = False
    bussate: bool = False
    bussata_low: int = 3
    bussata_three: int = 10
    bussata_both: bool = False
    matta: str | None = None
    matta_in_play: Literal["seven", "declared"] = "seven"
    matta_on_table: bool = False
    table_15: bool = False
    capotto: Literal["off", "wins_match"] = "off"
    end: Literal["hand_end", "declared"] = "hand_end"
    both_reach: Literal["sole_lead", "count_order"] = "sole_lead"
    # Sette e mezzo only
    min_stake: int = 1
    max_stake: int = 100
    chips: int = 100
    jolly: str | None = None
    jolly_alone: Literal["best", "half"] = "best"
    double_bet: bool = True
    triple_vs_bank_many: Literal[1, 3, -1] = 1
    triple_vs_bank_emblee: Literal[1, 3, -1] = 1
    bank_change: Literal["two_card"] = "two_card"

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))
        if self.pairs != (self.players == 4):
            raise RuleError(f"expected four players in pairs, or two or three alone, got {self.players}, {self.pairs=}")
        if (len(DECK) - self.table_cards) % (self.players * self.hand_cards):
            raise RuleError(
                f"expected a deal that ends with the deck, got {self.players} players, "
                f"{self.hand_cards} cards each and {self.table_cards} on the table"
            )
        if self.min_stake > self.max_stake:
            raise RuleError(f"expected min_stake <= max_stake, got {self.min_stake} and {self.max_stake}")

    def replace(self, **options: Option) -> RuleSet:
        """The same rules with some options changed. Raises `RuleError` for an unknown option or value."""
        unknown = sorted(set(options) - self.settings().keys())
        if unknown:
            raise RuleError(f"expected an option of {self.game}: {', '.join(self.settings())}; got {unknown[0]!r}")
        return replace(self, **options)  # type: ignore[arg-type]  # __post_init__ checks every value

    def settings(self) -> dict[str, Option]:
        """The options that act in this game with their values, in the order of the fields."""
        sette = self.game == "sette_e_mezzo"
        names = (name for name in OPTIONS if name in BOTH_GAMES or (name in SETTE_OPTIONS) == sette)
        return {name: getattr(self, name) for name in names}

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player, players in the order of play: partners sit opposite (D1)."""
        return tuple(player % 2 if self.pairs else player for player in range(self.players))

    @property
    def plays(self) -> int:
        """Cards played in a whole hand: 36, or 40 where nothing lies on the table at first (D4)."""
        return len(DECK) - self.table_cards

    @property
    def distributions(self) -> int:
        """How often cards are given out in a hand (D4)."""
        return self.plays // (self.players * self.hand_cards)


OPTIONS: Final[dict[str, object]] = {
    name: kind for name, kind in get_type_hints(RuleSet).items() if name not in {"variant", "game"}
}
"""Every option and its type: `bool`, `int`, `int | None`, `str | None` (a card), or a `Literal` of its values."""

BOTH_GAMES: Final = frozenset({"direction"})
SETTE_OPTIONS: Final = frozenset(list(OPTIONS)[list(OPTIONS).index("min_stake") :])

RANGES: Final[Mapping[str, range]] = {
    "target": range(1, 1000),
    "hand_cards": range(1, 11),
    "table_cards": range(21),
    "redeal_kings": range(1, 5),
    "redeal_aces": range(1, 5),
    "napola_max": range(3, 11),
    "bussata_low": range(52),
    "bussata_three": range(52),
    "min_stake": range(1, 1_000_001),
    "max_stake": range(1, 1_000_001),
    "chips": range(1, 1_000_001),
}


def _check(name: str, value: object) -> None:
    kind = OPTIONS.get(name)
    if kind is None or _fits(name, kind, value):
        return
    raise RuleError(f"expected {name} to be {expected(name)}, got {value!r}")


def _fits(name: str, kind: object, value: object) -> bool:
    if kind is bool:
        return isinstance(value, bool)
    if name in RANGES:
        optional = type(None) in get_args(kind)
        return (optional and value is None) or (type(value) is int and value in RANGES[name])
    if type(None) in get_args(kind):
        return value is None or (isinstance(value, str) and _is_card(value))
    return any(type(value) is type(known) and value == known for known in get_args(kind))


def _is_card(text: str) -> bool:
    try:
        Card.parse(text)
    except InvalidPlay:
        return False
    return True


def expected(option: str) -> str:
    """What values an option takes, in words. Raises `RuleError` for an unknown option."""
    if option not in OPTIONS:
        raise RuleError(f"expected an option of {', '.join(OPTIONS)}, got {option!r}")
    kind = OPTIONS[option]
    if kind is bool:
        return "true or false"
    none = " or none" if type(None) in get_args(kind) else ""
    if option in RANGES:
        return f"a whole number from {RANGES[option].start} to {RANGES[option].stop - 1}{none}"
    return "a card" + none if none else "one of " + ", ".join(str(value) for value in get_args(kind))


_WORDS: Final[dict[str, Option]] = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


def parse_option(option: str, text: str) -> Option:
    """The value of an option from the text of `--rule NAME=VALUE`. Raises `RuleError` as `RuleSet.replace` does."""
    words: dict[str, Option] = {"none": None}
    if OPTIONS.get(option) is bool:
        words |= _WORDS
    value: Option = words.get(text, text)
    if isinstance(value, str) and not _literal_text(option, text):
        value = int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
    expected(option)  # names an unknown option before an unknown value
    _check(option, value)
    return value


def _literal_text(option: str, text: str) -> bool:
    return text in get_args(OPTIONS.get(option))  # "10" is a text in primiera_faces and a number elsewhere


def option_text(value: Option) -> str:
    """The inverse of `parse_option`."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def changes(rules: RuleSet) -> dict[str, str]:
    """What a rule set changes of its named variant, as texts for `changed`."""
    named = variant(rules.variant).settings()
    return {name: option_text(value) for name, value in rules.settings().items() if named.get(name) != value}


def changed(name: str, options: Mapping[str, str]) -> RuleSet:
    """A named variant with options given as texts. Raises `RuleError` for what does not exist."""
    return variant(name).replace(**{option: parse_option(option, text) for option, text in options.items()})


_PAIRS: Final[dict[str, Option]] = {"players": 4, "pairs": True, "target": 21}
_ASSI: Final[dict[str, Option]] = {"game": "scopa_assi", "ace": "takes_all", "ace_scopa": "no_takeall"}
_CIRULLA: Final[dict[str, Option]] = {
    "game": "cirulla",
    "target": 51,
    "redeal_kings": None,
    "redeal_aces": 2,
    "value_capture": "free",
    "sum15": True,
    "ace": "takes_all",
    "napola": True,
    "grande": True,
    "bussate": True,
    "matta": "7c",
    "table_15": True,
    "capotto": "wins_match",
}
_SETTE: Final[dict[str, Option]] = {"game": "sette_e_mezzo", "direction": "ccw"}

VARIANTS: Final[dict[str, dict[str, Option]]] = {
    "scopa_2": {},
    "scopa_3": {"players": 3, "target": 16},
    "scopa_4": _PAIRS,
    "scopa_classica_21": {"target": 21},
    "scopa_napola": {"napola": True, "target": 21},
    "scopa_settanta": {"primiera": "settanta"},
    "scopa_dichiarata": {"end": "declared"},
    "scopone_scientifico": _PAIRS | {"game": "scopone", "direction": "ccw", "hand_cards": 10, "table_cards": 0},
    "scopone_9": _PAIRS | {"game": "scopone", "direction": "ccw", "hand_cards": 9},
    "scopa_assi": _ASSI,
    "scopa_assi_4": _PAIRS | _ASSI | {"direction": "ccw", "hand_cards": 10, "table_cards": 0},
    "cirulla_2": _CIRULLA,
    "cirulla_3": _CIRULLA | {"players": 3},
    "cirulla_4": _PAIRS | _CIRULLA,
    "sette_e_mezzo": _SETTE,
    "sette_e_mezzo_jolly": _SETTE | {"jolly": "Rd"},
}
"""What each named variant changes of `RuleSet()`, as the table of chapter 3 says."""


@cache
def variant(name: str) -> RuleSet:
    """The rules of a named variant. Raises `RuleError` for any other name."""
    if name not in VARIANTS:
        raise RuleError(f"expected a variant of {', '.join(VARIANTS)}, got {name!r}")
    return RuleSet(variant=name, **VARIANTS[name])  # type: ignore[arg-type]  # __post_init__ checks every value
