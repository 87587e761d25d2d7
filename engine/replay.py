"""A written match played again, with every card that an open play may have been."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

from engine.cards import DECK
from engine.errors import IllegalPlay, InvalidPlay
from engine.match import Claim, Deal, Event, Match, Undo, advance, standing_events
from engine.play import Knock, Play
from engine.record import Dealt, Entry, Knocked, Marked, Played, Record, Said
from engine.sette_moves import Draw, Reveal, Shuffle, Stake, Stand, Swap
from engine.sette_session import BankByLot, RoundDeal, Session
from engine.sette_session import Event as SetteEvent
from engine.sette_session import fold as fold_session

MOST: Final = 1024
"""More histories than this are not followed."""


def replay(record: Record) -> tuple[Match, ...]:
    """Every match of the Scopa family that the record may be: one, unless plays stayed open.

    Raises `IllegalPlay` when no reading of an entry is legal, `InvalidPlay` for another game, for a card that must be
    known and is not, or for too many open plays.
    """
    if record.rules.game == "sette_e_mezzo":
        raise InvalidPlay("expected a game of the Scopa family, got sette_e_mezzo")
    matches: tuple[Match, ...] = (Match.new(record.rules, record.dealer),)
    for entry in _standing(record):
        matches = _advanced(matches, tuple(_readings(record, entry)))
    return matches


def _standing(record: Record) -> list[Entry]:
    """The entries that count: comments and undone entries left out."""
    marks = {"undo": Undo()}
    entries = (entry for entry in record.entries if entry != Marked("", entry.comment))
    kept = standing_events(marks.get(entry.word, entry) if isinstance(entry, Marked) else entry for entry in entries)
    return [entry for entry in kept if not isinstance(entry, Undo)]


def _advanced(matches: tuple[Match, ...], readings: tuple[Event, ...]) -> tuple[Match, ...]:
    after: dict[Match, None] = {}  # equal matches are one: what an open card changes may be forgotten later
    refusals: list[IllegalPlay] = []
    for match, event in product(matches, readings):
        try:
            after[advance(match, event)] = None
        except IllegalPlay as error:
            refusals.append(error)
    if not after:
        raise refusals[0]
    if len(after) > MOST:
        raise InvalidPlay(f"expected open plays with at most {MOST} histories, got {len(after)}")
    return tuple(after)


def _readings(record: Record, entry: Entry) -> Iterable[Event]:
    if isinstance(entry, Dealt):
        if None in entry.cards:
            raise InvalidPlay("expected every card of a first table, got ?")
        return [Deal(tuple(card for card in entry.cards if card is not None))]
    if isinstance(entry, Played):
        takes = frozenset(entry.takes)
        return [Play(entry.player, card, takes) for card in entry.cards or DECK]
    if isinstance(entry, Knocked):
        return [Knock(entry.player, frozenset(entry.cards) or None, entry.kind, entry.value)]
    if isinstance(entry, Said) and entry.verb == "claim":
        return [Claim(record.rules.sides[entry.player])]
    raise InvalidPlay(f"expected an entry of the Scopa family, got {entry}")


def replay_session(record: Record) -> Session:
    """The game of Sette e mezzo that a record holds, `dealer` being the first bank. Raises as `replay` does."""
    session = Session.new(record.rules, len(record.players))
    events: list[SetteEvent] = [BankByLot(record.dealer), *(_session_event(entry) for entry in _standing(record))]
    return fold_session(session, events)


def _session_event(entry: Entry) -> SetteEvent:
    if isinstance(entry, Dealt):
        return RoundDeal(entry.cards or None)
    if isinstance(entry, Marked):
        return Shuffle()
    if not isinstance(entry, Said) or entry.verb == "claim":
        raise InvalidPlay(f"expected an entry of Sette e mezzo, got {entry}")
    bet = entry.numbers[0] - 1 if entry.numbers and entry.verb != "stake" else 0
    cards = entry.cards
    match entry.verb, len(cards):
        case "stake", 0:
            return Stake(entry.player, entry.numbers)
        case "stand", 0:
            return Stand(entry.player, bet)
        case "draw", 1:
            return Draw(entry.player, cards[0], bet)
        case "reveal", 1:
            return Reveal(entry.player, cards[0])
        case "swap", 1 | 2:
            return Swap(entry.player, *cards)
        case _:
            raise InvalidPlay(f"expected the cards that {entry.verb} needs, got {len(cards)}")
