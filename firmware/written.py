"""A match between its two lasting forms: the referee's events, and the text that people read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine import game
from engine.cards import Card, parse_cards
from engine.errors import IllegalPlay
from engine.play import Play
from engine.record import Dealt, Entry, Marked, Outcome, Record
from engine.record import Played as Written
from engine.rules import variant
from firmware.errors import UsageError
from firmware.events import AnyEvent, Fault, Hand, Match, Played, Settled, Start, Table, Undone
from firmware.record import Record as HandRecord
from firmware.record import Turn


def written(events: Sequence[AnyEvent], date: str) -> Record:
    """The record of a stored match; `date` as its header says it. Raises `InvalidPlay` for names that cannot be."""
    start = events[0]
    assert isinstance(start, Start), "the store begins every match with its start"
    rules = variant(start.variant).replace(**start.rules)
    entries: list[Entry] = []
    places: dict[int, int] = {}
    outcome: Outcome | None = None
    for event in events[1:]:
        match event:
            case Table():
                entries.append(Dealt(parse_cards(event.cards)))
            case Played():
                places[event.n] = len(entries)
                entries.append(_entry(event))
            case Settled():
                entry = entries[places[event.n]]
                assert isinstance(entry, Written)
                entries[places[event.n]] = replace(entry, cards=(Card.parse(event.card),), comment=event.how)
            case Undone():
                entries.append(Marked("undo"))
            case Fault():
                entries.append(Marked("", f"{event.rule}: {start.players[event.player]} {event.card or '?'}"))
            case Hand():
                entries.append(Marked("", "hand " + " ".join(f"{k}:{v}" for k, v in event.total.items())))
            case Match():
                sides = sorted(event.totals, key=int)
                outcome = Outcome(tuple(event.totals[side] for side in sides), sides.index(event.winner))
    return Record(rules, start.players, start.dealer, tuple(entries), outcome, (("Date", date),))


def _entry(event: Played) -> Written:
    cards = event.options if event.card is None else (event.card,)
    return Written(event.player, parse_cards(cards), parse_cards(event.takes), "" if event.how == "seen" else event.how)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One step of a replay: what happened in words, and the table after it."""

    text: str
    table: frozenset[Card]


def replay(record: Record) -> Iterator[Replayed]:
    """Play a written match of the Scopa family again, by the rules.

    Raises `UsageError` for Sette e mezzo and for a play without cards, `IllegalPlay` for what the rules refuse.
    """
    if record.rules.game == "sette_e_mezzo":
        raise UsageError("expected a match of the Scopa family; rounds of Sette e mezzo are not replayed")
    hand: HandRecord | None = None
    dealer, number = record.dealer, 0
    for entry in record.entries:
        if isinstance(entry, Dealt):
            table = [card for card in entry.cards if card is not None]
            hand = HandRecord.begin(game.new_hand(record.rules, dealer, table))
            dealer = (dealer + 1) % record.rules.players
            yield Replayed("deal", hand.lying)
        elif isinstance(entry, Marked) and entry.word == "undo":
            hand = _hand(hand, "undo")
            hand, number = hand.until(len(hand.turns) - 1), number - 1
            yield Replayed("undo", hand.lying)
        elif isinstance(entry, Written):
            number += 1
            hand = _add(_hand(hand, f"play {number}"), entry, number)
            yield Replayed(_play_text(record, entry, number), hand.state.table)
            if hand.state.over:
                yield from _points(record, hand)


def _hand(hand: HandRecord | None, what: str) -> HandRecord:
    if hand is None:
        raise UsageError(f"expected a deal before {what}")
    return hand


def _add(hand: HandRecord, entry: Written, number: int) -> HandRecord:
    if not entry.cards:
        raise UsageError(f"expected the card of play {number}, or the cards that it may have been")
    play = Play(entry.player, entry.cards[0], frozenset(entry.takes))
    try:
        return hand.add(Turn(number, play, frozenset(entry.cards)))
    except IllegalPlay as error:
        raise IllegalPlay(error.code, f"play {number}: {error}") from error


def _play_text(record: Record, entry: Written, number: int) -> str:
    takes = f" x {_names(entry.takes)}" if entry.takes else ""
    return f"{number}. {record.players[entry.player]}: {'|'.join(map(str, entry.cards))}{takes}"


def _points(record: Record, hand: HandRecord) -> Iterator[Replayed]:
    for side, points in enumerate(hand.points()):
        names = [name for name, theirs in zip(record.players, record.rules.sides, strict=True) if theirs == side]
        items = ", ".join(f"{item} {_range(value)}" for item, value in points.items() if value)
        yield Replayed(f"{' and '.join(names)}: {items or 'no points'}", frozenset())


def _range(value: int | tuple[int, int]) -> str:
    return str(value) if isinstance(value, int) else f"{value[0]} to {value[1]}"


def _names(cards: Iterable[Card]) -> str:
    return "+".join(map(str, sorted(cards)))
