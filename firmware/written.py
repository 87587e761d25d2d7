"""A match between its two lasting forms: the referee's events, and the text that people read and write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cards import Card, parse_cards
from engine.match import Match
from engine.notation import format_outcome
from engine.play import KnockKind
from engine.record import Dealt, Entry, Marked, Outcome, Record
from engine.record import Knocked as WrittenKnock
from engine.record import Played as Written
from engine.replay import replay_steps, session_steps
from engine.scoring import Points
from firmware.errors import WrongResult
from firmware.events import (
    AnyEvent,
    Corrected,
    Fault,
    Hand,
    Knocked,
    KnockUndone,
    Played,
    Settled,
    Start,
    Table,
    Undone,
    Voided,
)
from firmware.events import Match as Won
from firmware.resume import rules_of
from firmware.sette_written import written_game


def written(events: Sequence[AnyEvent], date: str) -> Record:
    """The record of a stored match; `date` as its header says it. Raises `InvalidPlay` for names that cannot be.

    A result that the players corrected is told as a remark only: the plays have another one.
    """
    start = events[0]
    assert isinstance(start, Start), "the store begins every match with its start"
    rules = rules_of(start)
    if rules.game == "sette_e_mezzo":
        return written_game(start, events, date)
    entries: list[Entry] = []
    places: dict[int, int] = {}
    live: list[int] = []  # the entries that were not undone
    outcome: Outcome | None = None
    corrected = False
    for event in events[1:]:
        match event:
            case Table():
                live.append(len(entries))
                entries.append(Dealt(parse_cards(event.cards)))
            case Played():
                places[event.n] = len(entries)
                live.append(len(entries))
                entries.append(_entry(event))
            case Knocked():
                live.append(len(entries))
                entries.append(_knock(event))
            case KnockUndone():
                entries.append(Marked("undo"))
                live.pop()
            case Settled():
                entry = entries[places[event.n]]
                assert isinstance(entry, Written)
                entries[places[event.n]] = replace(entry, cards=(Card.parse(event.card),), comment=event.how)
            case Undone() | Voided():
                entries += _undone(entries, live, places[event.n] if isinstance(event, Undone) else None)
                outcome = None
            case Corrected():
                corrected, totals = True, event.hand.total.items()
                remark = " ".join(f"{side}:{total}" for side, total in totals)
                entries.append(Marked("", f"corrected hand {event.number} {remark}"))
            case Fault():
                entries.append(Marked("", f"{event.rule}: {start.players[event.player]} {event.card or '?'}"))
            case Hand():
                entries.append(Marked("", "hand " + " ".join(f"{k}:{v}" for k, v in event.total.items())))
            case Won():
                sides = sorted(event.totals, key=int)
                outcome = Outcome(tuple(event.totals[side] for side in sides), sides.index(event.winner))
    result = None if corrected else outcome
    return Record(rules, start.players, start.dealer, tuple(entries), result, (("Date", date),))


def _undone(entries: list[Entry], live: list[int], place: int | None) -> list[Entry]:
    """One mark for each entry that is undone, the newest first: down to that place, or to the newest deal."""
    marks: list[Entry] = []
    while live:
        last = live.pop()
        marks.append(Marked("undo"))
        if last == place or (place is None and isinstance(entries[last], Dealt)):
            break
    return marks


def _entry(event: Played) -> Written:
    cards = event.options if event.card is None else (event.card,)
    how = "" if event.how == "seen" else event.how
    return Written(event.player, parse_cards(cards), parse_cards(event.takes), how, event.overruled)


def _knock(event: Knocked) -> WrittenKnock:
    kind: KnockKind | None = "low" if event.kind == "low" else "three" if event.kind == "three" else None
    return WrittenKnock(event.player, parse_cards(event.cards), kind, event.matta)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One step of a replay: what happened in words, and the cards that lie open on the table after it."""

    text: str
    table: frozenset[Card] = frozenset()


def replay(record: Record) -> Iterator[Replayed]:
    """Play a written match again, by the rules; what was undone is left out.

    Raises `IllegalPlay` for what the rules refuse, `WrongResult` where another result comes than is written.
    """
    yield from _rounds(record) if record.rules.game == "sette_e_mezzo" else _hands(record)


def _hands(record: Record) -> Iterator[Replayed]:
    matches: tuple[Match, ...] = (Match.new(record.rules, record.dealer),)
    hands = 0
    for said, matches in replay_steps(record):
        lying = [match.hand.table for match in matches if match.hand is not None]
        yield Replayed(said, frozenset.intersection(*lying) if lying else frozenset())
        if len(matches[0].scored) > hands:
            hands += 1
            yield from _points(record, [match.scored[-1] for match in matches])
    outcomes = [Outcome(match.standing.totals, match.standing.winner) for match in matches]
    # A score that was kept by hand has a result and no plays.
    if hands or any(match.standing.winner is not None for match in matches):
        yield from _result(record, outcomes)


def _points(record: Record, worlds: Sequence[Sequence[Points]]) -> Iterator[Replayed]:
    for side in sorted(set(record.sides)):
        names = [name for name, theirs in zip(record.players, record.sides, strict=True) if theirs == side]
        counts = [world[side].items() | {"total": world[side].total} for world in worlds]
        ranges = {item: (min(c[item] for c in counts), max(c[item] for c in counts)) for item in counts[0]}
        items = ", ".join(f"{item} {_range(*ends)}" for item, ends in ranges.items() if ends[1])
        yield Replayed(f"{' and '.join(names)}: {items or 'no points'}")


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _rounds(record: Record) -> Iterator[Replayed]:
    chips: tuple[int, ...] = ()
    for said, session in session_steps(record):
        places = () if session.round is None else session.round.places
        yield Replayed(said, frozenset(card for place in places for card in place.up))
        chips = session.chips
    if chips:
        winner = None if record.outcome is None else record.outcome.winner  # nobody wins Sette e mezzo by the rules
        yield from _result(record, [Outcome(chips, winner)])


def _result(record: Record, outcomes: Sequence[Outcome]) -> Iterator[Replayed]:
    came = " or ".join(dict.fromkeys(format_outcome(record, outcome) for outcome in outcomes))
    if record.outcome is not None and record.outcome not in outcomes:
        raise WrongResult(f"expected {came}, got {format_outcome(record, record.outcome)}")
    yield Replayed(came)
