"""The eyes over time on recorded hands: `python -m tests.accuracy.watch [NAME ...]`, data found by `ARBITRO_DATA`.

For each recording: frames from `landed` until the cards told are the table of the truth and stay so; how the played
card of each capture was seen; the edge from which the arm came; cards told that never lay there, or lost.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from vision import deck, detect
from vision.observation import TableObservation
from vision.settle import Watcher

Play = dict[str, Any]
DATA = Path(os.environ.get("ARBITRO_DATA", "../shared"))


def frames(video: Path) -> Iterator[Any]:
    capture = cv2.VideoCapture(str(video))
    while (step := capture.read())[0]:
        yield step[1]


def watch(name: str, truth: Play) -> tuple[list[TableObservation], list[float]]:
    """Every frame of a recording through the watcher, and the milliseconds of processor time that each took."""
    faces = deck.learn_folder(DATA / "decks" / truth["deck"], truth["deck"])
    watcher = Watcher(faces, detect.read)
    told, spent = [], []
    for number, picture in enumerate(tqdm(frames(DATA / "recordings" / f"{name}.mp4"), name, truth["frames"])):
        begun = time.process_time()
        told.append(watcher.update(picture, number, number / truth["fps"]))
        spent.append(1000 * (time.process_time() - begun))
    return told, spent


def table(observation: TableObservation) -> set[str]:
    return {str(card.card) if card.card else "?" for card in observation.cards}


def settled(told: list[TableObservation], play: Play) -> int | None:
    """Frames from `landed` after which the cards told are the truth's until the quiet frames end; None: never."""
    late = None
    for number in range(play["landed"], min(play["last_frame"], len(told) - 1) + 1):
        if table(told[number]) != set(play["table"]):
            late = None
        elif late is None:
            late = number - play["landed"]
    return late


def glimpse(told: list[TableObservation], play: Play) -> str:
    """The best that was seen of the played card before `landed`."""
    rank = {"never": 0, "option": 1, "moving": 2, "still": 3, "still twice": 4}
    best, still = "never", 0
    for number in range(play["first_frame"], play["landed"]):
        for seen in told[number].cards:
            if not seen.seen:
                continue
            if str(seen.card) == play["card"]:
                still += seen.still
                found = "still twice" if still > 1 else "still" if seen.still else "moving"
            else:
                found = "option" if play["card"] in {str(card) for card, _ in seen.options} else "never"
            best = max(best, found, key=lambda kind: rank[kind])
    return best


def disturbed(truth: Play, play: Play) -> bool:
    """True while a violation lies on the table in the quiet frames after a play."""
    return any(
        fault["kind"] == "violation" and fault["frame"] <= play["last_frame"] and fault["until"] >= play["landed"]
        for fault in truth["faults"]
    )


def judge(name: str, verbose: bool) -> None:
    truth = json.loads((DATA / "recordings" / f"{name}.truth.json").read_text())
    told, spent = watch(name, truth)
    late, glimpses, arms, lies = Counter[str](), Counter[str](), Counter[str](), []
    for play in truth["plays"]:
        frame = settled(told, play)
        late["never" if frame is None else str(frame)] += 1
        if frame is None and verbose:
            here = told[min(play["last_frame"], len(told) - 1)]
            print(
                f"   {play['landed']}: {' '.join(sorted(table(here)))} for {' '.join(play['table'])}", file=sys.stderr
            )
        if play["takes"]:
            glimpses[glimpse(told, play)] += 1
        for edge in {edge for n in range(play["first_frame"], play["landed"]) for edge in told[n].arms} or {"none"}:
            arms[f"{play['player']}{edge}"] += 1
        possible = {play["card"], *play["takes"], *play["table"]}
        for number in range(play["first_frame"], min(play["last_frame"], len(told) - 1) + 1):
            lies += [
                f"{number}:{card}" for card in table(told[number]) - possible - {"?"} if not disturbed(truth, play)
            ]
    quiet = [ms for ms, seen in zip(spent, told, strict=True) if seen.still]
    print(f"{name}: {len(truth['plays'])} plays")
    print("  frames late     ", dict(sorted(late.items())))
    print("  captures, card  ", dict(glimpses))
    print("  arms            ", dict(sorted(arms.items())))
    print("  never there     ", len(lies), " ".join(lies[:20]))
    print("  tracks          ", max((card.track for seen in told for card in seen.cards), default=0))
    print(f"  ms still, moving {np.median(quiet):.1f} {np.median(sorted(set(spent) - set(quiet))):.1f}")
    print("  moved, light    ", [o.frame for o in told if o.moved], [o.frame for o in told if o.light])


def main() -> None:
    cv2.setNumThreads(1)
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    if not (DATA / "recordings").is_dir():
        sys.exit(f"no recordings in {DATA}: skipped")
    for name in names or sorted(path.stem for path in (DATA / "recordings").glob("*.mp4")):
        judge(name, verbose="-v" in sys.argv)


if __name__ == "__main__":
    main()
