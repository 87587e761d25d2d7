"""A stored game of Sette e mezzo as a text that people read and write: the steps that stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.cards import Card
from engine.record import Dealt, Entry, Marked, Outcome, Record, Said
from firmware import events
from firmware.events import AnyEvent, Start, Step
from firmware.resume import rules_of
from firmware.sette_record import SetteRecord, folded


def written_game(start: Start, told: Sequence[AnyEvent], date: str) -> Record:
    """The record of a game. Raises `EngineError` for events or names that cannot be."""
    rules = rules_of(start)
    record = folded(rules, len(start.players), told)
    bank = next((event.player for event in told if isinstance(event, events.Bank)), 0)
    ended = next((event for event in told if isinstance(event, events.Match)), None)
    outcome = None
    if ended is not None:
        outcome = Outcome(record.session.chips, int(ended.winner) if ended.winner else None)
    entries = tuple(_entries(record))
    return Record(rules, start.players, bank, entries, outcome, (("Date", date),))


def _entries(record: SetteRecord) -> Iterator[Entry]:
    for step, before in record.steps:
        bets = 0
        if before.round is not None and not isinstance(step, events.Round | events.Shuffled):
            bets = len(before.round.bets(step.player))
        yield _entry(step, double=bets == 2)


def _entry(step: Step, *, double: bool) -> Entry:
    match step:
        case events.Round():
            return Dealt()
        case events.Shuffled():
            return Marked("shuffle")
        case events.Bet():
            return Said(step.player, "stake", step.amounts)
        case events.Stood():
            return Said(step.player, "stand", _bet(step.bet, double))
        case events.Drawn():
            return Said(step.player, "draw", _bet(step.bet, double), (Card.parse(step.card),), _how(step.how))
        case events.Swapped():
            return Said(step.player, "swap", (), (Card.parse(step.card),), _how(step.how))
        case events.Revealed():
            return Said(step.player, "reveal", (), (Card.parse(step.card),), _how(step.how))


def _bet(bet: int, double: bool) -> tuple[int, ...]:
    """The number of a bet, which only a double one needs."""
    return (bet + 1,) if double else ()


def _how(how: str) -> str:
    return "" if how == "seen" else how


def line(event: AnyEvent, players: Sequence[str]) -> str | None:
    """An event of Sette e mezzo for people; None for one of another game."""
    match event:
        case events.Seats():
            return "seats  " + ", ".join(f"{name} {card}" for name, card in zip(players, event.cards, strict=True))
        case events.Bank():
            return f"bank   {players[event.player]}  ({event.how})"
        case events.Round():
            return f"{event.n:4}.  round {event.number}, bank {players[event.bank]}"
        case events.Shuffled():
            return f"{event.n:4}.  shuffled"
        case events.Bust():
            loses = f" loses {event.stake}" if event.stake else ""
            return f"bust   {players[event.player]} {event.total:g}{loses}"
        case events.Paid():
            chips = ", ".join(f"{name} {count}" for name, count in zip(players, event.chips, strict=True))
            return f"pay    bank {event.bank_total:g}: {chips}; next bank {players[event.next_bank]}"
        case events.Bet() | events.Stood() | events.Drawn() | events.Swapped() | events.Revealed():
            return f"{event.n:4}.  {players[event.player]} {_words(event)}"
    return None


def _words(step: events.Bet | events.Stood | events.Drawn | events.Swapped | events.Revealed) -> str:
    match step:
        case events.Bet():
            return "stakes " + " and ".join(map(str, step.amounts))
        case events.Stood():
            return f"stands  ({step.how})"
        case events.Drawn():
            return f"gets {step.card}  ({step.how})"
        case events.Swapped():
            return f"turns up {step.card} and takes another  ({step.how})"
    return f"turns up {step.card}: {step.kind} {step.total:g}  ({step.how})"
