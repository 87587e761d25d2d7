"""A written match played again, with every card that an open play may have been."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from engine.cards import DECK
from engine.errors import EngineError, IllegalPlay, InvalidPlay
from engine.match import Accepted, Claim, Deal, Event, Match, Undo, advance, standing_events
from engine.notation import format_entry
from engine.play import Knock, Play
from engine.record import Dealt, Entry, Knocked, Marked, Played, Record, Said, next_number
from engine.sette_moves import Draw, Reveal, Shuffle, Stake, Stand, Swap
from engine.sette_session import BankByLot, RoundDeal, Session
from engine.sette_session import Event as SetteEvent
from engine.sette_session import advance as advance_session

MOST: Final = 1024
"""More histories than this are not followed."""


def replay(record: Record) -> tuple[Match, ...]:
    """Every match of the Scopa family that the record may be: one, unless plays stayed open.

    Raises `IllegalPlay` when no reading of an entry is legal, `InvalidPlay` for another game, for a card that must be
    known and is not, or for too many open plays.
    """
    ways = [(Match.new(record.rules, record.dealer),), *(matches for _, matches in replay_steps(record))]
    return ways[-1]


def replay_steps(record: Record) -> Iterator[tuple[str, tuple[Match, ...]]]:
    """Each entry that was not undone, as it is written, with all matches that it may lead to. Raises as `replay`."""
    _check_family(record, sette=False)
    matches: tuple[Match, ...] = (Match.new(record.rules, record.dealer),)
    for said, entry in _standing(record):
        matches = _advanced(matches, said, tuple(_readings(record, entry)))
        yield said, matches


def _check_family(record: Record, sette: bool) -> None:
    if (record.rules.game == "sette_e_mezzo") != sette:
        family = "Sette e mezzo" if sette else "a game of the Scopa family"
        raise InvalidPlay(f"expected {family}, got {record.rules.variant}")


def _standing(record: Record) -> list[tuple[str, Entry]]:
    """The entries that count, each as it is written: comments and undone entries left out."""
    marks = {"undo": Undo()}
    entries = (entry for entry in record.entries if entry != Marked("", entry.comment))
    kept = standing_events(marks.get(entry.word, entry) if isinstance(entry, Marked) else entry for entry in entries)
    standing = [entry for entry in kept if not isinstance(entry, Undo)]
    return [(format_entry(record, entry, next_number(standing[:place])), entry) for place, entry in enumerate(standing)]


def _advanced(matches: tuple[Match, ...], said: str, readings: tuple[Event, ...]) -> tuple[Match, ...]:
    after: dict[Match, None] = {}  # equal matches are one: what an open card changes may be forgotten later
    refusals: list[EngineError] = []
    for match, event in product(matches, readings):
        try:
            after[advance(match, event)] = None
        except EngineError as error:  # illegal, or after the end of a match that an open card may have won
            refusals.append(error)
        if len(after) > MOST:
            raise InvalidPlay(f"{said}: expected open plays with at most {MOST} histories, got more")
    if not after:
        raise _placed(said, refusals[0]) from refusals[0]
    return tuple(after)


def _placed(said: str, error: EngineError) -> EngineError:
    """The same refusal with the entry that was refused."""
    told = f"{said}: {error}"
    return IllegalPlay(error.code, told) if isinstance(error, IllegalPlay) else InvalidPlay(told)


def _readings(record: Record, entry: Entry) -> Iterable[Event]:
    if isinstance(entry, Dealt):
        if None in entry.cards:
            raise InvalidPlay("expected every card of a first table, got ?")
        return [Deal(tuple(card for card in entry.cards if card is not None))]
    if isinstance(entry, Played):
        takes = frozenset(entry.takes)
        plays = [Play(entry.player, card, takes) for card in entry.cards or DECK]
        return map(Accepted, plays) if entry.accepted else plays
    if isinstance(entry, Knocked):
        return [Knock(entry.player, frozenset(entry.cards) or None, entry.kind, entry.value)]
    if isinstance(entry, Said) and entry.verb == "claim":
        return [Claim(record.rules.sides[entry.player])]
    raise InvalidPlay(f"expected an entry of the Scopa family, got {entry}")


def replay_session(record: Record) -> Session:
    """The game of Sette e mezzo that a record holds, `dealer` being the first bank. Raises as `replay` does."""
    return [_begun(record), *(session for _, session in session_steps(record))][-1]


def session_steps(record: Record) -> Iterator[tuple[str, Session]]:
    """Each entry of a game of Sette e mezzo that was not undone, as it is written, with the game after it."""
    session = _begun(record)
    for said, entry in _standing(record):
        try:
            session = advance_session(session, _session_event(entry))
        except EngineError as error:
            raise _placed(said, error) from error
        yield said, session


def _begun(record: Record) -> Session:
    _check_family(record, sette=True)
    return advance_session(Session.new(record.rules, len(record.players)), BankByLot(record.dealer))


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
