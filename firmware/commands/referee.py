"""`arbitro referee SOURCE --deck DECK`: referee a recorded or live table without buttons, and write the events."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from engine.rules import RuleSet
from firmware import button_script
from firmware.decks import open_deck
from firmware.errors import UsageError
from firmware.events import AnyEvent
from firmware.match_options import add_match_arguments, players_of, rules_of, state_of
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.session import EventLines, Following, Session, Snapshots, follow
from firmware.sette_referee import SetteReferee
from firmware.sette_script import Scripted
from firmware.sette_table import SetteTable
from firmware.store import Store
from hardware.camera import open_source
from vision.detect import read
from vision.settle import Watcher

LIVE = ("camera", "usb:")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro referee`."""
    parser.add_argument("source", metavar="SOURCE", help="camera, usb:0, a video file or a folder of pictures")
    parser.add_argument("--deck", required=True, help="name of a learnt deck, or a folder of faces")
    add_match_arguments(parser)
    parser.add_argument("--hands", type=int, metavar="N", help="stop after N hands")
    parser.add_argument("--fps", type=float, default=5.0, help="frames a second of a recording (default 5)")
    parser.add_argument("--from-frame", type=int, default=0, metavar="N", help="first frame of a recording")
    parser.add_argument("--events", type=Path, metavar="FILE", help="where events go (default standard output)")
    parser.add_argument("--script", type=Path, metavar="FILE", help="buttons of a recording of Sette e mezzo")
    parser.add_argument("--save", type=Path, metavar="DIR", help="a picture of each play")
    parser.add_argument("--match", metavar="NAME", help="match to begin or resume (default: name of the source)")


def run(arguments: argparse.Namespace) -> int:
    """Referee until the source ends, the match is won or the hands asked for are over."""
    if arguments.hands is not None and arguments.hands < 1:
        raise UsageError(f"expected --hands of 1 or more, got {arguments.hands}")
    rules = rules_of(arguments.variant, arguments.rule)
    players = players_of(arguments.players, rules)
    state = state_of(arguments)
    name = arguments.match or Path(arguments.source).stem
    with Store.open(state) as store:
        deck = open_deck(arguments.deck, state)
        match = store.unfinished(name) if _resumes(arguments) else None
        told = store.events(match) if match is not None else []
        referee, begun = _follower(arguments, rules, players, told)
        first = max(arguments.from_frame, _next_frame(told))
        with (
            closing(open_source(arguments.source, arguments.fps, first)) as source,
            EventLines(arguments.events, told) as out,
        ):
            if match is None:
                match = store.begin(name, begun, datetime.now().isoformat(" ", "seconds"))
                for event in begun:
                    out.write(event)
            session = Session(referee, store, match, out.write)
            follow(
                session,
                source,
                Watcher(deck, read, marks=rules.game != "sette_e_mezzo"),
                hands=arguments.hands,
                snapshots=Snapshots(arguments.save),
            )
    return 0


def _follower(
    arguments: argparse.Namespace, rules: RuleSet, players: tuple[str, ...], told: Sequence[AnyEvent]
) -> tuple[Following, list[AnyEvent]]:
    """Who follows the match, from its beginning or from where its events end; and the event that begins it."""
    if arguments.script and rules.game != "sette_e_mezzo":
        raise UsageError(f"expected a variant of Sette e mezzo with --script, got {rules.variant}")
    if rules.game != "sette_e_mezzo":
        referee = resumed(told) if told else Referee(rules, players)
        return referee, referee.begin()
    sette = SetteReferee(rules, players, told=told)
    presses = button_script.read(arguments.script) if arguments.script else ()
    return Scripted(SetteTable(sette, secrets.randbelow), presses, arguments.fps), sette.begin()


def _resumes(arguments: argparse.Namespace) -> bool:
    """A recording from its first frame is a new match, unless the match to resume is named."""
    live = arguments.source.startswith(LIVE)
    return bool(arguments.match) or arguments.from_frame > 0 or live


def _next_frame(told: Sequence[AnyEvent]) -> int:
    """The first frame that was not refereed yet: what was told of a frame is not told again."""
    return max((event.frame + 1 for event in told if hasattr(event, "frame")), default=0)
