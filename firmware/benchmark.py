"""What `arbitro bench` measures: a drawn table of ten cards, one that is at rest, and a card laid by a hand."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import platformdirs

from engine.cards import Card, parse_cards
from engine.rules import variant
from firmware.decks import OWN, open_deck
from firmware.events import Played
from firmware.referee import Referee
from firmware.store import Store
from vision.deck import Deck
from vision.detect import read
from vision.faces import Picture
from vision.settle import Watcher

SIZES: Final = ((1536, 864), (2304, 1296))
FPS: Final = 5
TEN: Final = parse_cards("Ad 7d 2c 5c Fc 3s 6s Cs 4b Rb")
FIRST_TABLE: Final = parse_cards("2d 4c 6s Rb")
LAID: Final = Card.parse("As")
_LONG_SIDE: Final = 1 / 6
"""Long side of a drawn card as a share of the picture's height."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds at one size. `threshold`: one `cv2.adaptiveThreshold` over the same frame, to compare machines.

    `motion_to_play`: from the last frame in which something moved to the play in the store, at `FPS` frames a second.
    """

    width: int
    height: int
    read: float
    still: float
    threshold: float
    motion_to_play: float


def own_deck() -> Deck:
    """The project's own deck, drawn once and then kept with the user's caches."""
    return open_deck(OWN, platformdirs.user_cache_path("arbitro", appauthor=False))


def draw_table(deck: Deck, size: tuple[int, int], cards: Sequence[Card], hand: bool = False, seed: int = 0) -> Picture:
    """Cards in rows of five on green cloth with sensor noise of its own `seed`; `hand`: an arm from the south."""
    width, height = size
    picture = np.full((height, width, 3), (60, 95, 45), np.uint8)
    for place, card in enumerate(cards):
        middle = (width * (place % 5 + 1) / 6, height * (0.3 + 0.4 * (place // 5)))
        _lay(picture, deck.face(card), middle, angle=11.0 * place - 40, long_side=height * _LONG_SIDE)
    if hand:
        cv2.line(picture, (width // 3, height), (width // 3, round(height * 0.7)), (110, 145, 200), height // 14)
    noise = np.random.default_rng(seed).normal(0, 2, (height, width, 1)).astype(np.float32)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def _lay(picture: Picture, face: Picture, middle: tuple[float, float], angle: float, long_side: float) -> None:
    rows, columns = face.shape[:2]
    turn = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), angle, long_side / rows)
    turn[:, 2] += np.asarray(middle) - ((columns - 1) / 2, (rows - 1) / 2)
    cv2.warpAffine(
        face, turn, picture.shape[1::-1], dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )


def measure(deck: Deck, size: tuple[int, int], rounds: int) -> Speed:
    """Medians of `rounds` runs of each."""
    table = draw_table(deck, size, TEN)
    grey = cv2.cvtColor(table, cv2.COLOR_BGR2GRAY)
    return Speed(
        width=size[0],
        height=size[1],
        read=_median(lambda: read(table, deck), rounds),
        still=_median(frames_at_rest(deck, size), rounds),
        threshold=_median(lambda: cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, 0, 31, 5), rounds),
        motion_to_play=motion_to_play(deck, size),
    )


def frames_at_rest(deck: Deck, size: tuple[int, int]) -> Callable[[], object]:
    """A call that gives one more frame of a table at rest to a watcher that knows it."""
    watcher = Watcher(deck)
    pictures = [draw_table(deck, size, TEN, seed=seed) for seed in range(4)]
    number = 0

    def one_frame() -> object:
        nonlocal number
        number += 1
        return watcher.update(pictures[number % 4], number, number / FPS)

    for _ in range(10):
        one_frame()
    return one_frame


def motion_to_play(deck: Deck, size: tuple[int, int]) -> float:
    """Milliseconds from the last motion to the committed play; infinite if the play was not told in four seconds."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder)) as store:
        watcher, referee = Watcher(deck), Referee(variant("scopa_2"), ("0", "1"))
        match = store.begin("bench", referee.begin(), began="")
        moved_at, spent = 0, 0.0
        for number, picture in enumerate(_one_play(deck, size)):
            begun = time.perf_counter()
            observation = watcher.update(picture, number, number / FPS)
            events = referee.observe(observation)
            store.append(match, events)
            if not observation.still:
                moved_at, spent = number, 0.0
            spent = time.perf_counter() - begun
            if any(isinstance(event, Played) for event in events):
                return 1000 * ((number - moved_at) / FPS + spent)
    return float("inf")


def _one_play(deck: Deck, size: tuple[int, int]) -> Iterator[Picture]:
    yield from (draw_table(deck, size, (), seed=seed) for seed in range(3))
    yield from (draw_table(deck, size, FIRST_TABLE, seed=seed) for seed in range(5))
    yield draw_table(deck, size, FIRST_TABLE, hand=True)
    yield from (draw_table(deck, size, (*FIRST_TABLE, LAID), seed=seed) for seed in range(4 * FPS))


def _median(call: Callable[[], object], rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - begun))
    return statistics.median(spent)
