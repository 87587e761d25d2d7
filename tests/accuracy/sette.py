"""Rounds of Sette e mezzo on rendered tables through the real eyes: `python -m tests.accuracy.sette --help`.

For each game: rounds paid as they were played, steps that differ, cards read wrongly, questions, faults that were none.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from engine.cards import DECK
from engine.rules import variant
from firmware.events import AnyEvent, Drawn, Fault, Paid, Revealed, Swapped
from firmware.sette_referee import SetteReferee
from firmware.sette_script import Scripted, presses
from firmware.sette_table import SetteTable
from vision.deck import Deck, make_deck
from vision.detect import read
from vision.settle import Watcher
from vision.synthetic.looks import folder_pack, our_pack, plain_look, random_look
from vision.synthetic.painter import Look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.sette import SettePlan
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace
from vision.synthetic.style import DEFAULT_STYLE, STYLES

FPS = 5
Shown = tuple[str, int, str]
"""A step that shows a card: what it is, the player, the card."""


@dataclass
class Report:
    """What one game showed."""

    rounds: int = 0
    paid: int = 0
    cards: int = 0
    wrong: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    questions: int = 0
    frames: int = 0
    seconds: float = 0.0


def game(pack: Pack, deck: Deck, rules: str, players: int, rounds: int, seed: int, plain: bool) -> Report:
    """One game: played once for its truth and its buttons, then once for the camera."""
    plan = SettePlan(variant(rules), players, rounds)

    def match() -> RenderedMatch:
        look: Look = plain_look(pack) if plain else random_look(pack, np.random.default_rng(seed), False)
        return RenderedMatch(plan, look, Pace(), FPS, seed)

    first = match()
    frames = sum(1 for _ in first.director.scenes())
    truth = first.truth()
    table = SetteTable(SetteReferee(plan.rules, [str(player) for player in range(players)]), lambda count: 0)
    scripted = Scripted(table, list(presses(truth, plan.rules)), FPS)
    report, told = Report(frames=frames), list[AnyEvent]()
    watcher, asked = Watcher(deck, read, marks=False), None
    for frame in tqdm(match().frames(), total=frames, file=sys.stderr, leave=False, disable=None):
        begun = time.process_time()
        observation = watcher.update(frame.picture, frame.number, frame.number / FPS)
        told += scripted.observe(observation)
        report.seconds += time.process_time() - begun
        question = table.referee.asked
        if question is not None and (asked is None or asked.track != question.track):
            report.questions += 1
        asked = question
    _compare(report, truth, told)
    return report


def _compare(report: Report, truth: dict[str, Any], told: list[AnyEvent]) -> None:
    rounds = list(_rounds(told))
    report.rounds = len(truth["rounds"])
    report.faults = [
        f"{event.rule} {event.player} {event.card} at {event.frame}" for event in told if isinstance(event, Fault)
    ]
    for number, entry in enumerate(truth["rounds"]):
        shown, paid = rounds[number] if number < len(rounds) else ([], None)
        should = [(move["move"], move["player"], move["card"]) for move in entry["moves"] if "card" in move]
        report.cards += len(should)
        known = {card for _, _, card in should} | set(entry["covered"])
        report.wrong += [f"round {number}: {step}" for step in shown if step[2] not in known]
        late = [step for step in should if step not in shown and not _needless(step, should)]
        report.differ += [f"round {number}: not told {step}" for step in late]
        report.differ += [f"round {number}: told {step}" for step in shown if step not in should]
        right = paid is not None and list(paid.net) == entry["net"] and paid.next_bank == entry["next_bank"]
        report.paid += right and paid is not None and list(paid.chips) == entry["chips_after"]


def _needless(step: Shown, should: list[Shown]) -> bool:
    """A card turned up when the payment was certain already."""
    return all(later[0] == "reveal" for later in should[should.index(step) :])


def _rounds(told: list[AnyEvent]) -> Iterator[tuple[list[Shown], Paid | None]]:
    shown: list[Shown] = []
    for event in told:
        match event:
            case Drawn():
                shown.append(("draw", event.player, event.card))
            case Swapped():
                shown.append(("swap", event.player, event.card))
            case Revealed():
                shown.append(("reveal", event.player, event.card))
            case Paid():
                yield shown, event
                shown = []
    if shown:
        yield shown, None


def _pack(name: str) -> Pack:
    if name in STYLES:
        return our_pack(name)
    return folder_pack(Path(os.environ.get("ARBITRO_DATA", "../shared")) / "decks" / name)


def main() -> int:
    """A line a game; exit status 1 if a card was wrong or a payment was."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy.sette", description=__doc__)
    parser.add_argument("--decks", default=DEFAULT_STYLE, help="styles of ours or folders of decks, with commas")
    parser.add_argument("--players", default="2,3,4,5,6,7")
    parser.add_argument("--rules", default="sette_e_mezzo,sette_e_mezzo_jolly")
    parser.add_argument("--rounds", type=int, default=3, help="rounds a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="always the same quiet table")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    whole, seed = Report(), arguments.seed
    for name in arguments.decks.split(","):
        pack = _pack(name)
        deck = make_deck(name, {card: pack.faces[card] for card in DECK}, pack.back)
        for rules in arguments.rules.split(","):
            for players in map(int, arguments.players.split(",")):
                report = game(pack, deck, rules, players, arguments.rounds, seed, arguments.plain)
                _print(f"{name} {rules} {players} players, seed {seed}", report)
                _join(whole, report)
                seed += 1
    _print("all", whole)
    return 1 if whole.wrong or whole.paid < whole.rounds else 0


def _print(name: str, report: Report) -> None:
    counts = f"{report.paid}/{report.rounds} rounds paid right, {report.cards} cards, {len(report.wrong)} wrong"
    per_frame = 1000 * report.seconds / max(1, report.frames)
    print(f"{name}: {counts}, {report.questions} questions, {len(report.faults)} faults, {per_frame:.0f} ms a frame")
    for line in (*report.wrong, *report.differ, *report.faults) if name != "all" else ():
        print(f"    {line}")
    sys.stdout.flush()


def _join(whole: Report, report: Report) -> None:
    for name in ("rounds", "paid", "cards", "wrong", "differ", "faults", "questions", "frames", "seconds"):
        setattr(whole, name, getattr(whole, name) + getattr(report, name))


if __name__ == "__main__":
    sys.exit(main())
