"""A referee that goes on where its stored events end: the fold of a match's log."""

from __future__ import annotations

from collections.abc import Sequence

from engine import game
from engine.cards import Card, parse_cards
from engine.play import Knock, KnockKind, Play
from engine.rules import RuleSet, variant
from firmware.errors import StoreError
from firmware.events import AnyEvent, Hand, Knocked, Played, Settled, Start, Table
from firmware.in_force import in_force
from firmware.record import Record, Turn
from firmware.referee import Referee
from firmware.times import Times


def resumed(events: Sequence[AnyEvent], times: Times | None = None) -> Referee:
    """The referee of a match as it was after `events`. Raises `StoreError` for events that cannot be a match."""
    start = events[0] if events else None
    if not isinstance(start, Start):
        raise StoreError(f"expected a match to begin with a start event, got {start}")
    referee = Referee(rules_of(start), start.players, times)
    record: Record | None = None
    dealer, played = start.dealer, 0
    for event in in_force(events[1:]):
        match event:
            case Table():
                record = Record.begin(game.new_hand(referee.rules, dealer, parse_cards(event.cards)), played + 1)
            case Played():
                record, played = _played(_of(record, event), _turn(event)), event.n
            case Settled() if record is not None:  # after the end of its hand, a hand in its place tells the points
                record = record.naming(event.n, Card.parse(event.card))
            case Knocked():
                record = _of(record, event).knock(_knock(event))
            case Hand():
                record, dealer = None, (dealer + 1) % referee.rules.players
            case _:
                pass
        referee.course.remember(event, record, dealer)
    return referee


def rules_of(start: Start) -> RuleSet:
    """The rules that a match began with."""
    return variant(start.variant).replace(**start.rules)


def _of(record: Record | None, event: AnyEvent) -> Record:
    if record is None:
        raise StoreError(f"expected the first table of a hand before {event}")
    return record


def _played(record: Record, turn: Turn) -> Record:
    """One play more; a card that it shows for certain cannot have been an earlier open play."""
    seen = turn.play.takes if turn.open else turn.play.takes | {turn.play.card}
    spared = record.sparing(frozenset(seen) - record.lying)
    if spared is None:
        raise StoreError(
            f"expected plays that can all have been, got play {turn.n}, which none of the open ones allows"
        )
    return spared.add(turn)


def _knock(event: Knocked) -> Knock:
    kind: KnockKind | None = "low" if event.kind == "low" else "three" if event.kind == "three" else None
    if event.cards:
        return Knock(event.player, frozenset(parse_cards(event.cards)))
    return Knock(event.player, None, kind)


def _turn(event: Played) -> Turn:
    options = parse_cards(event.options) if event.card is None else (Card.parse(event.card),)
    play = Play(event.player, options[0], frozenset(parse_cards(event.takes)))
    return Turn(event.n, play, frozenset(options), event.how, event.confidence, event.overruled)
