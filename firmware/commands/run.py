"""`arbitro run`: the appliance, until it is stopped."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import cv2

from firmware import config as settings
from firmware.app import App, Parts, Watching
from firmware.app_parts import opened
from firmware.choices import Choices
from firmware.config import Config
from firmware.decks import open_deck
from firmware.desk import Desk
from firmware.idle import Idle
from firmware.match_options import state_of
from firmware.menu_facts import Facts
from firmware.menu_fields import Known
from firmware.notify import Notifier
from firmware.power import switch_off
from firmware.report import keep_log
from firmware.store import Store
from firmware.tasks import Tasks
from firmware.times import Times
from vision.detect import read
from vision.settle import Watcher


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro run`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")


def run(arguments: argparse.Namespace) -> int:
    """Until SIGTERM or SIGINT."""
    config, state = settings.load(arguments.config), state_of(arguments)
    cv2.setNumThreads(1)  # one core looks at the table; others are for the camera and the display
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with Store.open(state) as store, opened(config) as parts:
        keep_log(state)
        desk = desk_of(store, config, state)
        app = App(
            desk,
            parts,
            lambda name: watcher_of(name, state, desk.marks),
            time.monotonic,
            idle=Idle(config.display.dim_after, config.display.off_after),
            hold=config.buttons.hold,
            notifier=Notifier(),
            switch_off=switch_off,
            tasks=Tasks(store, state, config, lambda: _there(parts)),
            family=lambda name: open_deck(name, state).family,
        )
        app.run(stop)
    return 0


def _there(parts: Parts) -> dict[str, bool]:
    """For the self-test: what is there, and reachable now."""
    display = parts.display is not None and getattr(parts.display, "lost", None) is None
    return {"display": display, "buttons": parts.buttons is not None, "buzzer": parts.buzzer is not None}


def desk_of(store: Store, config: Config, state: Path) -> Desk:
    """The desk of a box with these settings; what was chosen with the buttons goes before them."""
    game = config.game
    first = Choices(variant=game.variant, deck=game.deck, language=game.language, sound=config.buzzer.level)
    times = Times(
        settled=config.times.settled,
        bad_take=config.times.bad_take,
        must_take=config.times.must_take,
        unknown_change=config.times.unknown_change,
        repeat=config.times.repeat,
        certain=config.game.certain,
    )
    box = Facts(version=version("arbitro"), known=Known(names=game.names))
    return Desk(store, times, _today, box, first)


def _today() -> str:
    return datetime.now().isoformat(" ", "seconds")


def watcher_of(name: str, state: Path, marks: bool = True) -> Watching:
    """What looks at frames for a deck. Raises `DeckError`, `UsageError`."""
    return Watcher(open_deck(name, state), read, marks)
