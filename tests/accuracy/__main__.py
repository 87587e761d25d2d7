"""`make accuracy`: how well single pictures are read. `python -m tests.accuracy --help`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from tqdm import tqdm

from tests.accuracy.sources import DATA, PHOTOS, TUNED, Sample, decks, photographs, recorded, rendered
from tests.accuracy.tally import Tally
from vision.deck import Deck, learn_folder
from vision.detect import read, table_cards

HEADS = (
    "| set | pictures | cards | recall | wrong | unreadable | corners (median, 99 %) | worst suit | worst card "
    "| calibration error | ms (median) |"
)


def main() -> int:
    """Print a table a source; exit status 1 if any card was named wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("--sources", default="normal,hard,empty,recordings,photos")
    parser.add_argument("--decks", default="all", help="tune, judge, all, or names with commas")
    parser.add_argument("--scenes", type=int, default=20, help="rendered tables a deck and kind")
    parser.add_argument("--seed", type=int, default=1000, help="of the first table")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if not DATA.is_dir():
        print(f"no data at {DATA.resolve()}: set ARBITRO_DATA", file=sys.stderr)
        return 0
    wrong = 0
    for source in arguments.sources.split(","):
        sets = list(_sets(source, arguments))
        print(f"\n### {source}\n\n{HEADS}\n|{'---|' * (HEADS.count('|') - 1)}")
        for name, tally in sets:
            print(_row(name, tally))
            wrong += len(tally.wrong) if not name.startswith("all ") else 0
        for line in (line for name, tally in sets if not name.startswith("all ") for line in tally.wrong):
            print(f"\nwrong: {line}")
        sys.stdout.flush()
    return 1 if wrong else 0


def _sets(source: str, arguments: argparse.Namespace) -> Iterator[tuple[str, Tally]]:
    if source == "recordings":
        for file in sorted((DATA / "recordings").glob("*.truth.json")):
            deck, samples = recorded(file)
            yield file.name.removesuffix(".truth.json"), _measure(_learn(deck), samples, file.name)
    elif source == "photos":
        for folder in sorted(path for path in (DATA / "photos").iterdir() if path.is_dir()):
            yield folder.name, _measure(_learn(PHOTOS.get(folder.name, TUNED[0])), photographs(folder), folder.name)
    else:
        seeds = range(arguments.seed, arguments.seed + arguments.scenes)
        groups = {"tuned": Tally(), "judged": Tally()}
        for deck in decks(arguments.decks):
            tally = _measure(_learn(deck), rendered(deck, source, seeds), f"{deck} {source}", len(seeds))
            groups["tuned" if deck in TUNED else "judged"].join(tally)
            yield deck + (" (tuned)" if deck in TUNED else ""), tally
        yield from ((f"all {name}", tally) for name, tally in groups.items() if tally.pictures)


def _learn(deck: str) -> Deck:
    return learn_folder(DATA / "decks" / deck, deck)


def _measure(deck: Deck, samples: Iterable[Sample], what: str, count: int | None = None) -> Tally:
    tally = Tally()
    for name, picture, truth in tqdm(samples, desc=what, total=count, file=sys.stderr, leave=False):
        started = time.process_time()
        reading = read(picture, deck)
        tally.add(name, table_cards(reading), truth, time.process_time() - started)
    return tally


def _row(name: str, tally: Tally) -> str:
    middle, most = np.percentile(tally.corners, [50, 99]) * 100 if tally.corners else (0, 0)
    corners = f"{middle:.1f} %, {most:.1f} %" if tally.corners else "-"
    cells = (
        name, tally.pictures, sum(tally.needed.values()), f"{tally.recall:.4f}", len(tally.wrong), tally.unreadable,
        corners, tally.worst_suit(), tally.worst_card(), f"{tally.calibration_error():.4f}",
        f"{np.median(tally.seconds or [0]) * 1000:.0f}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.exit(main())
