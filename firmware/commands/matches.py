"""`arbitro matches list|show|export|replay|backup|restore|stats`: what was played."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import msgspec

from engine.cards import format_cards
from engine.errors import IllegalPlay
from engine.notation import format_record, parse
from engine.rules import variant
from firmware.backup import restore_backup, write_backup
from firmware.errors import UsageError, WrongResult
from firmware.events import (
    AnyEvent,
    Claimed,
    Corrected,
    Fault,
    Hand,
    Match,
    Played,
    Settled,
    Start,
    Table,
    Undone,
    Voided,
    encode,
)
from firmware.match_options import state_of
from firmware.plots import write_plots
from firmware.sette_written import line
from firmware.statistics import courses, tales
from firmware.store import MatchRow, Store
from firmware.written import replay, written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro matches`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="all matches, the oldest first")
    show = actions.add_parser("show", help="one match, event by event")
    show.add_argument("id", type=int, help="its number in the list")
    export = actions.add_parser("export", help="one match as a text that people can read and write")
    export.add_argument("id", type=int, help="its number in the list")
    again = actions.add_parser("replay", help="play a written match again, by the rules")
    again.add_argument("file", type=Path, metavar="FILE", help="a text as export writes it")
    backup = actions.add_parser("backup", help="all matches, settings and learnt decks in one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="a ZIP file; one that is there is replaced")
    restore = actions.add_parser("restore", help="everything as it was in a backup; what it replaces is kept")
    restore.add_argument("file", type=Path, metavar="FILE", help="a file that backup wrote")
    stats = actions.add_parser("stats", help="what each player and each pair has played and won")
    stats.add_argument("--plots", type=Path, metavar="DIR", help="also write pictures there (needs matplotlib)")
    for action in (listing, show, export, backup, restore, stats):
        action.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")
    for action in (listing, show, again, stats):
        action.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or one match, or play a written one again."""
    if arguments.action == "replay":
        return _replay(arguments.file, arguments.json)
    if arguments.action == "restore":
        return _restore(arguments.file, state_of(arguments))
    if arguments.action == "backup":
        return _backup(arguments.file, state_of(arguments))
    with Store.look(state_of(arguments)) as store:
        if arguments.action == "list":
            _list(store.matches(), arguments.json)
        elif arguments.action == "stats":
            _stats(store, arguments.json, arguments.plots)
        elif arguments.action == "show":
            _show(store.events(arguments.id), arguments.json)
        else:
            events = store.events(arguments.id)
            date = next(row.began for row in store.matches() if row.id == arguments.id)
            print(format_record(written(events, date)), end="")
    return 0


def _replay(file: Path, as_json: bool) -> int:
    """Exit status 1 at the first play that the rules refuse, and for another result than the plays have."""
    try:
        record = parse(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"expected a text in UTF-8, got {file}: {error}") from error
    try:
        for step in replay(record):
            table = format_cards(step.table)
            print(json.dumps({"text": step.text, "table": table.split()}) if as_json else f"{step.text:40}  {table}")
    except (IllegalPlay, WrongResult) as error:
        print(f"arbitro: {error}", file=sys.stderr)
        return 1
    return 0


def _stats(store: Store, as_json: bool, folder: Path | None) -> None:
    rows = [row for row in store.matches() if variant(row.start.variant).game != "sette_e_mezzo"]
    logs = {row.id: store.events(row.id) for row in rows}
    found = tales(logs.values())
    for tale in found:
        if as_json:
            print(msgspec.json.encode(tale).decode())
        else:
            numbers = "  ".join(f"{name} {number}" for name, number in tale.numbers().items())
            print(f"{tale.name:20}  {numbers}")
    if folder is not None:
        ended = [(row.id, courses(logs[row.id])) for row in rows if row.state == "over"]
        for file in write_plots(folder, found, ended):
            print(file, file=sys.stderr)


def _backup(file: Path, state: Path) -> int:
    with Store.look(state) as store:
        decks = write_backup(store, state, file)
        print(f"{file}: {len(store.matches())} matches, {decks} decks")
    return 0


def _restore(file: Path, state: Path) -> int:
    with Store.open(state) as store:
        before = restore_backup(store, state, file)
        print(f"{state}: {len(store.matches())} matches; what was there before is in {before.name}")
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
            marks = f"{'  SCOPA' if event.scopa else ''}{'  accepted against the rules' if event.overruled else ''}"
            return f"{event.n:4}.  {players[event.player]} {card}{takes}{marks}  ({event.how})"
        case Settled():
            return f"{event.n:4}.  was {event.card}  ({event.how})"
        case Undone():
            return f"{event.n:4}.  taken back"
        case Fault():
            return f"fault  {event.rule}: {players[event.player]} {event.card or '?'} {' '.join(event.takes)}"
        case Hand():
            total = ", ".join(f"{players[int(side)]} {points}" for side, points in event.total.items())
            return f"hand   {total}{'' if event.settled else '  (not settled)'}"
        case Corrected():
            total = ", ".join(f"{players[int(side)]} {points}" for side, points in event.hand.total.items())
            return f"hand {event.number} is {total}  ({event.hand.how})"
        case Claimed():
            return f"claim  {players[event.side]} with {event.total} certain points"
        case Voided():
            return "the hand counts for nothing"
        case Match():
            return f"match  won by {players[int(event.winner)] if event.winner else 'nobody alone'}"
    return line(event, players) or encode(event).decode()
