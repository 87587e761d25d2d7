"""A written match as a value: what `engine.notation` reads and writes, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.play import KnockKind, check_claim
from engine.rules import RuleSet, changed, changes

KNOWN_HEADERS: Final = ("Variant", "Rules", "Players", "Dealer")
MOST: Final = 999_999_999
"""The greatest number that a stake, a bet or a total can be."""
_RESERVED: Final = re.compile(r"[:,;]|\A\d+\.")


@dataclass(frozen=True, slots=True)
class Dealt:
    """The first table of a hand; in Sette e mezzo the covered card of each player, None where nobody knows it."""

    cards: tuple[Card | None, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """One play. Several `cards`: it is open, and was one of them; none: nobody knows which.

    `accepted`: the rules refuse it, but all players let it pass.
    """

    player: int
    cards: tuple[Card, ...]
    takes: tuple[Card, ...] = ()
    comment: str = ""
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Knocked:
    """A knock: the cards that were shown, what was claimed, the value of the matta; empty or None if not said."""

    player: int
    cards: tuple[Card, ...] = ()
    kind: KnockKind | None = None
    value: int | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A move of Sette e mezzo, or a claim: `verb` is one of `VERBS`, with numbers (stakes, bet) and cards."""

    player: int
    verb: str
    numbers: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """A line without a player: `undo`, `shuffle`, or `` (only a comment)."""

    word: str
    comment: str = ""


VERBS: Final = ("claim", "stake", "draw", "stand", "swap", "reveal")
MARKS: Final = ("undo", "shuffle", "")
Entry = Dealt | Played | Knocked | Said | Marked


@dataclass(frozen=True, slots=True)
class Outcome:
    """The totals (in Sette e mezzo the chips) by side, and the winning side; None: the match is not over."""

    totals: tuple[int, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A written match. `players` are names in the order of play, `dealer` and `player` places in it.

    Raises `InvalidPlay` for names, headers or comments that could not be read again, and `RuleError` for rules that do
    not exist.
    """

    rules: RuleSet
    players: tuple[str, ...]
    dealer: int
    entries: tuple[Entry, ...] = ()
    outcome: Outcome | None = None
    headers: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name in (*self.players, *(key for key, _ in self.headers)):
            check_name(name)
        for text in (*(value for _, value in self.headers), *(entry.comment for entry in self.entries)):
            check_text(text)
        self._check_players()
        if self.outcome:
            self._check_outcome(self.outcome)
        for entry in self.entries:
            self._check_entry(entry)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player; in Sette e mezzo everybody is alone."""
        return tuple(range(len(self.players))) if self.rules.game == "sette_e_mezzo" else self.rules.sides

    def _check_players(self) -> None:
        if changed(self.rules.variant, changes(self.rules)) != self.rules:
            raise InvalidPlay(f"expected rules made with variant() and replace(), got {self.rules}")
        headers = [name for name, _ in self.headers]
        if len(set(headers)) != len(headers):
            raise InvalidPlay(f"expected each header once, got {headers}")
        if len(set(self.players)) != len(self.players) or not 0 <= self.dealer < len(self.players):
            raise InvalidPlay(f"expected different players, one of them the dealer, got {self.players}, {self.dealer}")
        if self.rules.game != "sette_e_mezzo" and len(self.players) != self.rules.players:
            raise InvalidPlay(f"expected {self.rules.players} players, got {len(self.players)}")

    def _check_outcome(self, outcome: Outcome) -> None:
        sides = len(set(self.sides))
        if len(outcome.totals) != sides or not 0 <= (outcome.winner or 0) < sides:
            raise InvalidPlay(f"expected totals of {sides} sides and one of them as the winner, got {outcome}")
        if max(map(abs, outcome.totals)) > MOST:
            raise InvalidPlay(f"expected totals up to {MOST}, got {outcome}")

    def _check_entry(self, entry: Entry) -> None:
        player = 0 if isinstance(entry, Dealt | Marked) else entry.player
        if not 0 <= player < len(self.players):
            raise InvalidPlay(f"expected one of {len(self.players)} players, got {entry}")
        if isinstance(entry, Said) and (entry.verb not in VERBS or not all(0 <= one <= MOST for one in entry.numbers)):
            raise InvalidPlay(f"expected one of {', '.join(VERBS)} with numbers up to {MOST}, got {entry}")
        if isinstance(entry, Marked) and entry.word not in MARKS:
            raise InvalidPlay(f"expected undo, shuffle or only a comment, got {entry.word!r}")
        if isinstance(entry, Knocked):
            check_claim(entry.kind, entry.value)
        lists = () if isinstance(entry, Marked) else (entry.cards, entry.takes if isinstance(entry, Played) else ())
        for cards in lists:
            known = [card for card in cards if card is not None]
            if len(set(known)) != len(known):
                raise InvalidPlay(f"expected each card once, got {entry}")


def next_number(entries: Sequence[Entry]) -> int:
    """The number of the next play: an undo gives the number of the play that it annuls back."""
    standing: list[Entry] = []
    for entry in entries:
        if entry == Marked("undo", entry.comment):
            standing = standing[:-1]
        elif entry != Marked("", entry.comment):
            standing.append(entry)
    return 1 + sum(isinstance(entry, Played) for entry in standing)


def check_name(name: str) -> None:
    """Raises `InvalidPlay` for what cannot be the name of a player or of a further header."""
    if name in KNOWN_HEADERS or not name or _RESERVED.search(name) or not _one_line(name):
        raise InvalidPlay(f"expected a name without : , ; line ends or a number and a dot, got {name!r}")


def check_text(text: str) -> None:
    """Raises `InvalidPlay` for what cannot be a comment or the value of a header."""
    if not _one_line(text):
        raise InvalidPlay(f"expected a text of one line without blanks at its ends, got {text!r}")


def _one_line(text: str) -> bool:
    return text == text.strip() and text.isprintable()
