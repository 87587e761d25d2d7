"""What people choose with the buttons before a match: kept in the store, and offered again as the last value."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

import msgspec

from engine.rules import Option, RuleSet, variant
from firmware.text import Language, Words

Tone = Literal["discreet", "severe", "scorer"]
"""How much the judge says: only what is illegal or lost; also what is out of turn or slow; nothing, he only counts."""
SoundLevel = Literal["off", "errors", "scopa", "all"]

_SEATS: Final = {2: (0, 1), 3: (0, 2, 1), 4: (0, 2, 1, 3)}
"""Seats clockwise for so many players, as places in the text `seats` (north, south, east, west)."""


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of one table. `names` are by seat in the order of play, "" for the seat's own name (NORD, SUD, ...);
    `rules` are the house rules that differ from the variant's; `dealer` is a place in the order of play; `seats` is how
    many play Sette e mezzo, in which the first four may have names.
    """

    variant: str = "scopa_2"
    rules: dict[str, bool | int | str | None] = {}
    names: tuple[str, str, str, str] = ("", "", "", "")
    deck: str = "arbitro"
    dealer: int = 0
    tone: Tone = "discreet"
    sound: SoundLevel = "scopa"
    language: Language = "it"
    seats: int = 4

    def ruleset(self) -> RuleSet:
        """The rules of the match. Raises `RuleError` for rules that cannot go together."""
        return _ruleset(self.variant, tuple(self.rules.items()))

    def option(self, name: str) -> Option:
        """The value in force of one option."""
        value: Option = getattr(self.ruleset(), name)
        return value

    def players(self, say: Words) -> tuple[str, ...]:
        """The names at the table in the order of play."""
        rules = self.ruleset()
        if rules.game == "sette_e_mezzo":
            named = (*self.names, *("",) * self.seats)[: self.seats]
            return tuple(name or say("sette.player", number=place) for place, name in enumerate(named, 1))
        seats = say("seats").split()
        order = _SEATS[rules.players]
        if rules.direction == "ccw":
            order = (order[0], *reversed(order[1:]))
        return tuple(name or seats[seat] for name, seat in zip(self.names, order, strict=False))

    def with_option(self, name: str, value: Option) -> Choices:
        """One house rule changed; a value that is the variant's own is no house rule."""
        kept = {key: old for key, old in self.rules.items() if key != name}
        if value != getattr(variant(self.variant), name):
            kept[name] = value
        return msgspec.structs.replace(self, rules=kept)

    def with_variant(self, name: str) -> Choices:
        """Another game; its own rules are in force until they are changed."""
        if name == self.variant:
            return self
        players = variant(name).players
        return msgspec.structs.replace(self, variant=name, rules={}, dealer=min(self.dealer, players - 1))

    def with_name(self, seat: int, name: str) -> Choices:
        """Another name at a place in the order of play."""
        names = tuple(name if place == seat else old for place, old in enumerate(self.names))
        return msgspec.structs.replace(self, names=names)


@cache
def _ruleset(name: str, changed: tuple[tuple[str, Option], ...]) -> RuleSet:
    """Kept, since every page of the menus asks for it many times."""
    return variant(name).replace(**dict(changed))
