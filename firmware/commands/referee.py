"""`arbitro referee SOURCE --deck DECK`: referee a recorded or live table without buttons, and write the events."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from engine.rules import RuleSet, parse_option, variant
from firmware.decks import open_deck
from firmware.errors import UsageError
from firmware.events import AnyEvent, Hand, Match
from firmware.referee import Referee
from firmware.session import EventLines, Session
from firmware.snapshots import Snapshots
from firmware.store import Store, default_directory
from firmware.text import SEATS
from hardware.camera import Frame, FrameSource, open_source
from vision.deck import Deck
from vision.detect import read
from vision.settle import Watcher


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro referee`."""
    parser.add_argument("source", metavar="SOURCE", help="camera, usb:0, a video file or a folder of pictures")
    parser.add_argument("--deck", required=True, help="name of a learnt deck, or a folder of faces")
    parser.add_argument("--variant", default="scopa_2", help="a name of `arbitro rules list` (default scopa_2)")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="change one option")
    parser.add_argument("--players", metavar="NAME,NAME,...", help="in playing order of the first hand")
    parser.add_argument("--hands", type=_positive, metavar="N", help="stop after N hands")
    parser.add_argument("--fps", type=float, default=5.0, help="frames a second of a recording (default 5)")
    parser.add_argument("--from-frame", type=int, default=0, metavar="N", help="first frame of a recording")
    parser.add_argument("--events", type=Path, metavar="FILE", help="where events go (default standard output)")
    parser.add_argument("--save", type=Path, metavar="DIR", help="a picture of each play")
    parser.add_argument("--match", metavar="NAME", help="match to begin or resume (default: name of the source)")
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")


def run(arguments: argparse.Namespace) -> int:
    """Referee until the source ends, the match is won or the hands asked for are over."""
    rules = rules_of(arguments.variant, arguments.rule)
    players = players_of(arguments.players, rules)
    state = arguments.state or default_directory()
    with Store.open(state) as store:
        deck = open_deck(arguments.deck, state)
        referee, match, told = _match(store, arguments, rules, players)
        first = max([arguments.from_frame, *(event.frame + 1 for event in told if hasattr(event, "frame"))])
        with closing(open_source(arguments.source, arguments.fps, first)) as source, EventLines(arguments.events) as out:
            if match is None:
                opening = referee.begin()
                match = store.begin(_name(arguments), opening[0], datetime.now().isoformat(" ", "seconds"))
                told = opening
            for event in told:
                out.write(event)
            session = Session(referee, store, match, out.write)
            _follow(session, source, deck, arguments.hands, Snapshots(arguments.save))
    return 0
