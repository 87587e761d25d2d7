"""`arbitro matches list|show`: what was played."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from firmware.events import AnyEvent, Fault, Hand, Match, Played, Settled, Start, Table, Undone, encode
from firmware.store import MatchRow, Store, default_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro matches`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="all matches, the oldest first")
    show = actions.add_parser("show", help="one match, event by event")
    show.add_argument("id", type=int, help="its number in the list")
    for action in (listing, show):
        action.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")
        action.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or one match."""
    with Store.open(arguments.state or default_directory()) as store:
        if arguments.action == "list":
            _list(store.matches(), arguments.json)
        else:
            _show(store.events(arguments.id), arguments.json)
    return 0


def _list(rows: list[MatchRow], as_json: bool) -> None:
    if not rows and not as_json:
        print("no matches yet", file=sys.stderr)
    for row in rows:
        if as_json:
            print(msgspec.json.encode(row).decode())
        else:
            players = ", ".join(row.start.players)
            print(f"{row.id:4}  {row.began:19}  {row.state:4}  {row.start.variant:20}  {row.name}  ({players})")


def _show(events: list[AnyEvent], as_json: bool) -> None:
    start = events[0]
    players = start.players if isinstance(start, Start) else ()
    for event in events:
        print(encode(event).decode() if as_json else _line(event, players))


def _line(event: AnyEvent, players: tuple[str, ...]) -> str:
    match event:
        case Start():
            return f"{event.variant}: {', '.join(event.players)}; dealer {event.players[event.dealer]}"
        case Table():
            return f"table  {' '.join(event.cards)}"
        case Played():
            card = event.card or "/".join(event.options)
            takes = f" takes {' '.join(event.takes)}" if event.takes else ""
            return (
                f"{event.n:4}.  {players[event.player]} {card}{takes}{'  SCOPA' if event.scopa else ''}  ({event.how})"
            )
        case Settled():
            return f"{event.n:4}.  was {event.card}  ({event.how})"
        case Undone():
            return f"{event.n:4}.  taken back"
        case Fault():
            return f"fault  {event.rule}: {players[event.player]} {event.card or '?'} {' '.join(event.takes)}"
        case Hand():
            total = ", ".join(f"{players[int(side)]} {points}" for side, points in event.total.items())
            return f"hand   {total}{'' if event.settled else '  (not settled)'}"
        case Match():
            return f"match  won by {players[int(event.winner)]}"
    return encode(event).decode()
