"""Pictures with truth: rendered tables, photographs of real cards, frames of recordings at rest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from engine.cards import Card
from tests.accuracy.tables import LEAST, Kind, shoot
from tests.accuracy.tally import Truth
from vision.faces import read_picture
from vision.synthetic.looks import folder_pack

DATA = Path(os.environ.get("ARBITRO_DATA", "../shared"))
TUNED = (
    "napoletane__Fabioo18", "napoletane-modiano__stathismor", "napoletane__aaaasmile", "piacentine__OMerkel",
    "piacentine__aaaasmile", "bergamasche__OMerkel", "triestine__ivan17039", "francesi__GuilleX7",
)  # fmt: skip
"""The decks on which the recogniser was tuned. All others judge it."""
PHOTOS = {
    "GuilleX7__PlayingCardDetection": "francesi__GuilleX7",
    "MarijanMarkovic__Tressette-card-detector": "triestine__ivan17039",
}
"""Photographs that can be read, and with which deck. The others hold no card of any deck here."""
SUITS = {"denari": 0, "quadri": 0, "coppe": 1, "cuori": 1, "spade": 2, "picche": 2, "bastoni": 3, "fiori": 3}
RENDERED = ("normal", "hard", "empty")
"""Sources that are drawn with the faces of every deck."""
Sample = tuple[str, np.ndarray, list[Truth]]


def decks(which: str) -> list[str]:
    """Names of the decks `tune`, `judge`, `all`, or those named."""
    folder = DATA / "decks"
    present = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    groups = {
        "all": present,
        "tune": [d for d in present if d in TUNED],
        "judge": [d for d in present if d not in TUNED],
    }
    return groups.get(which, which.split(","))


def rendered(deck: str, kind: Kind, seeds: range) -> Iterator[Sample]:
    """Tables drawn with the faces of a deck; a card must be read if enough of it shows."""
    pack = folder_pack(DATA / "decks" / deck)
    least = LEAST if kind == "hard" else 0.9
    for seed in seeds:
        shot = shoot(pack, kind, seed)
        truth: list[Truth] = [(seen.card, np.array(seen.corners), seen.share >= least) for seen in shot.cards]
        yield f"{deck} {kind} {seed}", shot.picture, truth


def photographs(folder: Path) -> Iterator[Sample]:
    """Photographs of a folder. What its label does not call sure is looked at for wrong cards only; in folders of which
    no deck is here no card must be told."""
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        cards = [card for card in map(_card, label["cards"]) if card is not None]
        partial = {_card(name) for name in label["partial"]}
        truth: list[Truth] = [(card, None, card not in partial and label.get("sure", True)) for card in cards]
        truth = truth if folder.name in PHOTOS else []
        yield f"{folder.name}/{label['file']}", read_picture(folder / label["file"]), truth


def _card(name: str) -> Card | None:
    suit, _, rank = name.partition("_")
    return Card(SUITS[suit], int(rank)) if rank.isdigit() and suit in SUITS else None


def recorded(truth_file: Path) -> tuple[str, Iterator[Sample]]:
    """The deck of a recording, and its frames between plays: one after each play."""
    truth = json.loads(truth_file.read_text())
    tables = {play["landed"] + 2: play["table"] for play in truth["plays"]}
    faults = [(f["frame"] - 1, f["until"] + 12) for f in truth["faults"] if "until" in f]
    at_rest = {n: t for n, t in tables.items() if not any(start <= n <= end for start, end in faults)}
    video = truth_file.with_name(truth_file.name.replace(".truth.json", ".mp4"))
    return truth["deck"], _frames(video, at_rest)


def _frames(video: Path, tables: dict[int, list[str]]) -> Iterator[Sample]:
    capture = cv2.VideoCapture(str(video))
    for number in range(max(tables) + 1):
        if not capture.grab():
            return
        if number in tables:
            yield f"{video.stem} {number}", capture.retrieve()[1], [(Card.parse(c), None, True) for c in tables[number]]
