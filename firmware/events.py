"""The referee's events: what it tells, what is stored, and what `arbitro referee` writes, one JSON object a line.

The form is the public contract of docs/cli.md. A match is the list of its events: folding them again gives its state.
Cards are texts of two characters here, players numbers, sides the texts `"0"`, `"1"`, ... (in pairs the number of the
pair's first player).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from firmware.errors import StoreError

How = Literal["seen", "glimpsed", "deduced", "asked", "open"]


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=False, forbid_unknown_fields=True):
    """Any event."""


class Start(Event, frozen=True, tag="start"):
    """A match begins."""

    variant: str
    rules: dict[str, bool | int | str | None]
    players: tuple[str, ...]
    sides: tuple[int, ...]
    dealer: int


class Table(Event, frozen=True, tag="table"):
    """The first table of a hand."""

    cards: tuple[str, ...]
    frame: int


class Played(Event, frozen=True, tag="play"):
    """A play. `card` is None while it is open, and `options` then holds the cards that it may be."""

    n: int
    player: int
    card: str | None
    takes: tuple[str, ...]
    scopa: bool
    frame: int
    confidence: float
    how: How
    options: tuple[str, ...] = ()
    overruled: bool = False


class Settled(Event, frozen=True, tag="settled"):
    """An open play that became certain."""

    n: int
    card: str
    frame: int
    how: How


class Notice(Event, frozen=True, tag="notice"):
    """Camera, light, display: nothing of the game."""

    what: str
    frame: int


class Fault(Event, frozen=True, tag="fault"):
    """Something against the rules lies on the table. `put_back` are the cards that must return to it."""

    rule: str
    player: int
    card: str | None
    takes: tuple[str, ...]
    legal: tuple[tuple[str, ...], ...]
    frame: int
    put_back: tuple[str, ...] = ()


class Cleared(Event, frozen=True, tag="cleared"):
    """The table is right again."""

    frame: int


class Undone(Event, frozen=True, tag="undone"):
    """Play `n` is annulled."""

    n: int
    frame: int


class Hand(Event, frozen=True, tag="hand"):
    """A hand is over. When not `settled`, a point that is not certain is a range `[low, high]`."""

    piles: dict[str, tuple[str, ...]]
    points: dict[str, dict[str, int | tuple[int, int]]]
    total: dict[str, int | tuple[int, int]]
    settled: bool
    frame: int


class Match(Event, frozen=True, tag="match"):
    """A match is over."""

    totals: dict[str, int]
    winner: str


AnyEvent = Start | Table | Played | Settled | Notice | Fault | Cleared | Undone | Hand | Match

_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: Event) -> bytes:
    """One line of JSON, without its end of line."""
    return msgspec.json.encode(event)


def decode(line: bytes | str) -> AnyEvent:
    """The event that a line holds. Raises `StoreError` for anything else."""
    try:
        return _decoder.decode(line)
    except msgspec.DecodeError as error:
        raise StoreError(f"expected an event as one JSON object, got {line[:80]!r}: {error}") from error
