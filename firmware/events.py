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
Counted = Literal["played", "counted", "told"]
"""Where the points of a hand come from: its plays, its piles as they were looked at, or what the players said."""


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


class Knocked(Event, frozen=True, tag="knock"):
    """A knock (Cirulla): three fresh cards shown, or told by the players: then `cards` is empty and `how` is `asked`.

    `kind` is `low`, `three` or `both`, `matta` the value that the matta stands for; `points` come with the hand.
    """

    player: int
    cards: tuple[str, ...]
    kind: str
    points: int
    matta: int | None
    frame: int
    how: How = "seen"


class KnockUndone(Event, frozen=True, tag="knock_undone"):
    """The last knock of a player is annulled."""

    player: int
    frame: int


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


class Hand(Event, frozen=True, tag="hand", omit_defaults=True):
    """A hand is over. When not `settled`, a point that is not certain is a range `[low, high]`."""

    piles: dict[str, tuple[str, ...]]
    points: dict[str, dict[str, int | tuple[int, int]]]
    total: dict[str, int | tuple[int, int]]
    settled: bool
    frame: int
    how: Counted = "played"


class Corrected(Event, frozen=True, tag="corrected"):
    """The hand of this `number`, from 1, is `hand` and not what was told before; a winner told since is none."""

    number: int
    hand: Hand


class Voided(Event, frozen=True, tag="void"):
    """The running hand counts for nothing: the same dealer deals again."""

    frame: int


class Claimed(Event, frozen=True, tag="claim"):
    """A side says that it has reached the target; it has `total` certain points, those of the running hand included."""

    side: int
    total: int
    frame: int


class Match(Event, frozen=True, tag="match"):
    """A match is over. In Sette e mezzo `totals` are chips, and `winner` is empty when several have the most."""

    totals: dict[str, int]
    winner: str


# Sette e mezzo. `n` counts the steps of the whole match; a step with the number of an earlier one takes its place.


class Seats(Event, frozen=True, tag="seats"):
    """Where each player's cards lie: `places` in pixels, in the order of play, and the `cards` that taught it.

    `size` is the long side of a card in pixels.
    """

    places: tuple[tuple[float, float], ...]
    size: float
    cards: tuple[str, ...]
    frame: int


class Bank(Event, frozen=True, tag="bank"):
    """Who holds the first bank: by the highest of the cards, by the lot of the box, or as the players say."""

    player: int
    how: Literal["cards", "box", "asked"]
    frame: int


class Round(Event, frozen=True, tag="round"):
    """A round is dealt: `number` from 1, `order` of play with the bank last, everybody's `chips` before it."""

    n: int
    number: int
    bank: int
    order: tuple[int, ...]
    chips: tuple[int, ...]
    frame: int


class Bet(Event, frozen=True, tag="bet"):
    """A stake, or two: the first one asks cards, the second one stands (Z13)."""

    n: int
    player: int
    amounts: tuple[int, ...]
    frame: int


class Drawn(Event, frozen=True, tag="draw"):
    """A card given face up for the bet number `bet`; the `total` that lies open with it, the jolly counted least."""

    n: int
    player: int
    bet: int
    card: str
    total: float
    frame: int
    confidence: float
    how: How


class Stood(Event, frozen=True, tag="stand"):
    """A player stands with a bet; `deduced` where the rules leave nothing else."""

    n: int
    player: int
    bet: int
    frame: int
    how: How


class Swapped(Event, frozen=True, tag="swap"):
    """The covered card was turned up, and another one was given covered (Z12)."""

    n: int
    player: int
    card: str
    frame: int
    confidence: float
    how: How


class Revealed(Event, frozen=True, tag="reveal"):
    """The covered card was turned up; what the hand is then, with `total` points."""

    n: int
    player: int
    card: str
    kind: str
    total: float
    frame: int
    confidence: float
    how: How


class Shuffled(Event, frozen=True, tag="shuffle"):
    """The used cards were shuffled and are the stock again."""

    n: int
    frame: int


class Bust(Event, frozen=True, tag="bust"):
    """A bet is over seven and a half: the bank takes the `stake`. It follows from the steps before it."""

    player: int
    bet: int
    stake: int
    total: float
    frame: int


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bet won: `pays` times the stake, -1 when it is lost."""

    player: int
    stake: int
    kind: str
    total: float
    pays: int


class Paid(Event, frozen=True, tag="pay"):
    """A round is over: the result of every bet, net gains, chips after it, the next bank. It follows from its steps."""

    number: int
    bank_kind: str
    bank_total: float
    results: tuple[Result, ...]
    net: tuple[int, ...]
    chips: tuple[int, ...]
    next_bank: int
    frame: int


Step = Round | Bet | Drawn | Stood | Swapped | Revealed | Shuffled
"""What makes a game of Sette e mezzo, after its seats and its first bank."""
AnyEvent = (
    Start
    | Table
    | Played
    | Settled
    | Knocked
    | KnockUndone
    | Notice
    | Fault
    | Cleared
    | Undone
    | Hand
    | Corrected
    | Voided
    | Claimed
    | Match
    | Seats
    | Bank
    | Step
    | Bust
    | Paid
)

_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: Event) -> bytes:
    """One line of JSON, without its end of line."""
    return msgspec.json.encode(event)


def decode(line: bytes | str) -> AnyEvent:
    """The event that a line holds. Raises `StoreError` for anything else."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:  # the latter for endless brackets inside an event
        raise StoreError(f"expected an event as one JSON object, got {line[:80]!r}: {error}") from error
