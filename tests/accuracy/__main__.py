"""`make accuracy`: how well single pictures are read. `python -m tests.accuracy --help`."""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
from tqdm import tqdm

from tests.accuracy.report import Section, page, table
from tests.accuracy.sources import DATA, PHOTOS, TUNED, Sample, decks, photographs, recorded, rendered
from tests.accuracy.tally import Tally
from vision.deck import Deck, learn_folder
from vision.detect import read, table_cards

SOURCES = ("normal", "hard", "empty", "recordings", "photos")


def main() -> int:
    """Print a table a source, write the page if it is asked for; exit status 1 if any card was named wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("--sources", default=",".join(SOURCES))
    parser.add_argument("--decks", default="all", help="tune, judge, all, or names with commas")
    parser.add_argument("--scenes", type=int, default=20, help="rendered tables a deck and kind")
    parser.add_argument("--seed", type=int, default=1000, help="of the first table of the first deck")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="Markdown page to write, its plots beside it")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="where counts are kept: what is there is not repeated"
    )
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if not DATA.is_dir():
        print(f"no data at {DATA.resolve()}: set ARBITRO_DATA", file=sys.stderr)
        return 0
    sections = []
    for source in arguments.sources.split(","):
        section = Section(source, dict(_tallies(source, arguments)))
        print(f"\n### {source}\n\n{table(section)}")
        for line in section.wrong:
            print(f"\nwrong: {line}")
        sys.stdout.flush()
        sections.append(section)
    if arguments.write:
        page(arguments.write, sections, arguments.scenes, arguments.seed)
    return 1 if any(section.wrong for section in sections) else 0


def _tallies(source: str, arguments: argparse.Namespace) -> Iterator[tuple[str, Tally]]:
    """The names and counts of a source's sets."""
    for name, deck, samples, count in _sets(source, arguments):
        kept = arguments.keep / f"{source}-{name}-{arguments.seed}-{count}.pickle" if arguments.keep else None
        if kept and kept.is_file():
            yield name, pickle.loads(kept.read_bytes())
            continue
        tally = _measure(learn_folder(DATA / "decks" / deck, deck), samples, f"{source} {name}", count)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(pickle.dumps(tally))
        yield name, tally


def _sets(source: str, arguments: argparse.Namespace) -> Iterator[tuple[str, str, Iterable[Sample], int | None]]:
    """Name, deck, pictures and how many of each set of a source."""
    if source == "recordings":
        for file in sorted((DATA / "recordings").glob("*.truth.json")):
            deck, samples = recorded(file)
            yield file.name.removesuffix(".truth.json"), deck, samples, None
    elif source == "photos":
        for folder in sorted(path for path in (DATA / "photos").iterdir() if path.is_dir()):
            yield folder.name, PHOTOS.get(folder.name, TUNED[0]), photographs(folder), None
    else:
        every = decks("all")
        for deck in decks(arguments.decks):  # each deck has tables of its own
            first = arguments.seed + 100_000 * every.index(deck)
            yield deck, deck, rendered(deck, source, range(first, first + arguments.scenes)), arguments.scenes


def _measure(deck: Deck, samples: Iterable[Sample], what: str, count: int | None) -> Tally:
    tally = Tally()
    for name, picture, truth in tqdm(samples, desc=what, total=count, file=sys.stderr, leave=False):
        started = time.process_time()
        reading = read(picture, deck)
        tally.add(name, table_cards(reading), truth, time.process_time() - started)
    return tally


if __name__ == "__main__":
    sys.exit(main())
