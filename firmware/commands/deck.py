"""`arbitro deck`: learnt decks."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from engine.cards import DECK, Card, Family
from firmware.decks import deck_names, deck_path, open_deck
from firmware.decks import learn as learn_from
from firmware.learning import learn_from_frames
from firmware.store import default_directory
from firmware.text import Words
from hardware.camera import device_opener, open_source
from vision.deck import Deck, save_deck
from vision.deck_check import check_deck, likest_pairs
from vision.enrol import Enrolment
from vision.synthetic.deck import write_deck
from vision.synthetic.sheet import write_sheet
from vision.synthetic.style import STYLES

CARDS: Final = "donna: Italian cards with a woman as the 8; french: quadri, cuori, fiori, picche, the queen is the 9"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro deck`."""
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="where learnt decks are kept")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    learn = actions.add_parser("learn", help="learn a deck from a camera, a video or a folder of pictures")
    learn.add_argument("name", metavar="NAME")
    learn.add_argument(
        "source",
        metavar="SOURCE",
        help="folder of faces, of four pictures of ten cards or forty of one; video, camera or usb:0, under which the "
        "cards are laid one after another, or ten at once",
    )
    learn.add_argument("--fps", type=float, default=5.0, help="frames a second of a video (default 5)")
    learn.add_argument("--cards", choices=get_args(Family), help=CARDS)
    cards = actions.add_parser("cards", help="say what the cards of a learnt deck are called")
    cards.add_argument("name", metavar="NAME")
    cards.add_argument("family", choices=get_args(Family), help=CARDS)
    actions.add_parser("list", help="the learnt decks")
    for action, sense in (
        ("show", "one deck"),
        ("check", "the pairs most alike, and faces learnt badly"),
        ("remove", "forget a deck"),
    ):
        actions.add_parser(action, help=sense).add_argument("name", metavar="NAME")
    printing = actions.add_parser("print", help="a deck of our own as sheets to print (PDF), or as a folder of faces")
    printing.add_argument("name", metavar="PATTERN", choices=tuple(STYLES), help=", ".join(STYLES))
    printing.add_argument("target", type=Path, metavar="TARGET", help="a name that ends in .pdf, or a folder")
    for command in actions.choices.values():
        command.add_argument("--json", action="store_true", help="one JSON object a line")
        command.add_argument("--state", type=Path, default=argparse.SUPPRESS, metavar="DIR", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a checked deck has faults."""
    state = arguments.state or default_directory()
    if arguments.action == "list":
        return _list(state, arguments.json)
    if arguments.action == "learn":
        return _learn(arguments, state)
    if arguments.action == "remove":
        open_deck(arguments.name, state)  # one message for a deck that is not there
        deck_path(arguments.name, state).unlink()
        return 0
    if arguments.action == "print":
        return _print(arguments.name, arguments.target, arguments.json)
    deck = open_deck(arguments.name, state)
    if arguments.action == "cards":
        save_deck(replace(deck, family=arguments.family), deck_path(arguments.name, state))
        return 0
    return _show(deck, arguments.json) if arguments.action == "show" else _check(deck, arguments.json)


def _print(pattern: str, target: Path, as_json: bool) -> int:
    sheet = target.suffix == ".pdf"
    count = write_sheet(target, pattern) if sheet else write_deck(target, pattern)
    what = "pages" if sheet else "pictures"
    print(json.dumps({"target": str(target), what: count}) if as_json else f"{target}: {count} {what}")
    return 0


def _learn(arguments: argparse.Namespace, state: Path) -> int:
    name, source = arguments.name, arguments.source
    path = deck_path(name, state)
    if device_opener(source) or Path(source).is_file():
        with closing(open_source(source, arguments.fps)) as frames:
            deck = learn_from_frames(frames, name, _tell)
    else:
        deck = learn_from(Path(source), name)
    if arguments.cards:
        deck = replace(deck, family=arguments.cards)
    save_deck(deck, path)
    return _check(deck, arguments.json)


def _tell(enrolment: Enrolment, taken: Sequence[Card]) -> None:
    """What was taken, what the last look found, and what is wanted now."""
    say = Words("en")
    found = say(f"learn.{enrolment.remark}", card=" ".join(map(str, taken)) or str(enrolment.taken))
    wanted = enrolment.wanted
    if enrolment.remark != "moving":
        print(f"{found}; {f'lay {wanted} down' if wanted else 'all forty are there'}", file=sys.stderr, flush=True)


def _list(state: Path, as_json: bool) -> int:
    for name in deck_names(state):
        print(json.dumps({"name": name}) if as_json else name)
    return 0


def _facts(deck: Deck) -> dict[str, object]:
    return {
        "name": deck.name,
        "faces": len(DECK),
        "aspect": round(deck.aspect, 3),
        "pixels": min(deck.pixels),
        "back": deck.back is not None,
        "cards": deck.family,
    }


def _show(deck: Deck, as_json: bool) -> int:
    facts = _facts(deck)
    if as_json:
        print(json.dumps(facts))
    else:
        print(f"{deck.name}: {len(DECK)} faces of {facts['pixels']} pixels and more, {deck.aspect:.2f} to 1, ", end="")
        print("with its back" if deck.back is not None else "without a back")
    return 0


def _check(deck: Deck, as_json: bool) -> int:
    faults, pairs = check_deck(deck), likest_pairs(deck)
    if as_json:
        alike = [{"cards": [str(pair.first), str(pair.second)], "margin": round(pair.margin, 4)} for pair in pairs]
        wrong = [{"card": str(f.card), "what": f.what, "value": round(f.value, 4)} for f in faults]
        print(json.dumps({**_facts(deck), "alike": alike, "faults": wrong}))
        return 1 if faults else 0
    _show(deck, as_json)
    print("most alike: " + ", ".join(f"{p.first} {p.second} {p.margin:.3f}" for p in pairs))
    for fault in faults:
        print(f"{fault.card}: {fault.what} ({fault.value:.3f})")
    return 1 if faults else 0
