"""`arbitro demo`: referee a rendered hand with the project's own deck, and keep pictures of it."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path
from typing import Final, NoReturn

import cv2
from PIL import Image
from tqdm import tqdm

from engine.rules import variant
from firmware.annotate import annotate
from firmware.choices import Choices
from firmware.draw import draw, enlarge, terminal, write_gif
from firmware.errors import UsageError
from firmware.events import Event, Hand, Knocked, Played
from firmware.referee import Referee
from firmware.screens_page import Screen
from firmware.screens_view import screen_for
from firmware.session import EventLines, Session
from firmware.store import Store
from firmware.text import LANGUAGES, Words
from vision.deck import make_deck
from vision.detect import read
from vision.observation import TableObservation
from vision.settle import Watcher
from vision.synthetic.director import Plan
from vision.synthetic.looks import our_pack, plain_look
from vision.synthetic.recording import Frame, RenderedMatch
from vision.synthetic.stage import Pace

FPS: Final = 5
SIZE: Final = (1152, 648)
"""Pixels of a frame: large enough to look at, small enough for an old laptop."""
GAMES: Final = {"scopa": "scopa_2", "scopone": "scopone_scientifico", "cirulla": "cirulla_2"}
"""The variant that is meant by the name of a game alone."""
SEEDS: Final = {"cirulla_2": 8}
"""Hands that show what is special of a game: here a knock with the matta. All others are hand 7."""
TOLD: Final = 2.0
"""Seconds for which the display tells a play before it says whose turn it is."""
PAGE: Final = 1.2
"""Seconds for which the GIF shows each page."""
FRAMES: Final = 430
"""About so many frames does a hand take; only the progress bar uses it."""


class Display:
    """The display in the terminal, drawn over itself, and every page that it showed."""

    def __init__(self, bar: tqdm[NoReturn]) -> None:
        self.pages: list[Image.Image] = []
        self._bar = bar
        self._shown: Screen | None = None
        self._live = sys.stderr.isatty()

    def show(self, screen: Screen) -> None:
        """A page, if it is another one than before."""
        if screen == self._shown:
            return
        picture = draw(screen)
        block = "\n".join(f" {line}" for line in terminal(picture).splitlines())
        if self._live:
            up = f"\x1b[{block.count(chr(10)) + 1}A" if self.pages else ""
            self._bar.clear()
            self._bar.fp.write(f"{up}{block}\n")
            self._bar.refresh()
        self.pages.append(picture)
        self._shown = screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro demo`."""
    parser.add_argument("folder", type=Path, nargs="?", default=Path("demo"), help="where pictures go (default demo)")
    parser.add_argument("--variant", default="scopa", help="a game, or a name of `arbitro rules list` (default scopa)")
    parser.add_argument("--seed", type=int, help="another seed is another hand")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the display (default en)")


def run(arguments: argparse.Namespace) -> int:
    """Play, watch, referee, and print the points. Exit status 1 if the referee did not come to the end of the hand."""
    name = GAMES.get(arguments.variant, arguments.variant)
    rules = variant(name)
    seed = SEEDS.get(name, 7) if arguments.seed is None else arguments.seed
    if rules.game == "sette_e_mezzo":
        raise UsageError(f"expected a variant of the Scopa family, got {arguments.variant}")
    say, folder = Words(arguments.language), arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    print("A hand is rendered with the project's own deck, watched frame by frame and refereed.", file=sys.stderr)
    pack = our_pack()
    deck = make_deck("arbitro", pack.faces, pack.back)
    match = RenderedMatch(Plan(rules, knocks=rules.bussate), plain_look(pack, *SIZE, fps=FPS), Pace(), FPS, seed)
    referee = Referee(rules, Choices(variant=name).players(say))
    events: list[Event] = []
    with Store.open(folder / "state") as store, EventLines(folder / "events.jsonl") as lines:
        opening = referee.begin()
        number = store.begin("demo", opening, datetime.now().isoformat(" ", "seconds"))

        def tell(event: Event) -> None:
            lines.write(event)
            events.append(event)

        for event in opening:
            tell(event)
        session = Session(referee, store, number, tell)
        pages = _follow(session, referee, match, Watcher(deck, read), say, folder / "table.jpg")
    write_gif(folder / "display.gif", pages, [PAGE] * (len(pages) - 1) + [4 * PAGE])
    enlarge(pages[-1]).save(folder / "score.png")
    return _report(events, match, folder, referee.players)


def _follow(
    session: Session, referee: Referee, match: RenderedMatch, watcher: Watcher, say: Words, table: Path
) -> list[Image.Image]:
    """Referee every frame; the pages of the display. The fullest quiet table is kept as a picture."""
    fullest, told_until = 3, 0.0
    with tqdm(total=FRAMES, unit=" frames", file=sys.stderr, disable=None) as bar:
        display = Display(bar)
        for frame in match.frames():
            now = frame.number / FPS
            observation = watcher.update(frame.picture, frame.number, now)
            if any(isinstance(event, Played | Knocked) for event in session.observe(observation)):
                told_until = now + TOLD
            display.show(screen_for(referee.view, referee.rules, say, told=now < told_until))
            if observation.still and len(observation.cards) > fullest:
                fullest = len(observation.cards)
                _keep(table, frame, observation)
            bar.update()
        bar.total = bar.n
    return display.pages


def _keep(file: Path, frame: Frame, observation: TableObservation) -> None:
    """The picture of a table with what was read, as a file."""
    if not cv2.imwrite(str(file), annotate(frame.picture, observation.cards, observation.backs)):
        raise OSError(f"expected to write a picture to {file}, and could not")


def _report(events: list[Event], match: RenderedMatch, folder: Path, players: tuple[str, ...]) -> int:
    """Say what was refereed, beside what was played. Exit status 1 if they differ."""
    played = sum(isinstance(event, Played) for event in events)
    hands = [event for event in events if isinstance(event, Hand)]
    truth = match.truth()["hands"][0]["total"]
    print(f"{played} plays refereed")
    for side, points in (hands[0].total if hands else {}).items():
        print(f"{players[int(side)]:12} {points} points (played: {truth[side]})")
    for name in ("table.jpg", "display.gif", "score.png", "events.jsonl"):
        print(f"{folder / name}")
    return 0 if hands and hands[0].total == truth else 1
