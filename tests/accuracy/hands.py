"""`make hands`: how well the referee follows whole rendered hands. `python -m tests.accuracy.hands --help`.

Two doors: observations written from the truth with blemishes (fast), and pictures through the eyes that ship. Each hand
has its own rules, pace, rate of frames, disturbances and violations, all drawn from its seed.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from tqdm import tqdm

from engine.rules import RuleSet, variant
from firmware.events import AnyEvent
from firmware.referee import Referee
from tests.accuracy.blemishes import Blemishes, Eyes
from tests.accuracy.judge import Count
from vision.deck import make_deck
from vision.detect import read
from vision.observation import TableObservation
from vision.settle import Watcher
from vision.synthetic.choice import FAULTS, KNOCK_FAULTS
from vision.synthetic.director import QUIET_DISTURBANCES, Plan
from vision.synthetic.looks import folder_pack, our_pack, random_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace

VARIANTS = ("scopa_2", "scopa_3", "scopa_4")
PACES = {
    "calm": Pace(reach=0.6, carry=0.4, pick=0.25, still=1.6, fault=5.0),
    "usual": Pace(fault=5.0),
    "fast": Pace(reach=0.35, carry=0.2, pick=0.1, still=0.6, fault=5.0),
}
SIZE = (1536, 864)
SMALL = (384, 216)
"""Where nothing is painted, what shows is counted on less."""


@dataclass(frozen=True)
class Seen:
    """One hand: what happened and what was told about its frames."""

    name: str
    rules: RuleSet
    truth: dict[str, Any]
    observations: tuple[TableObservation, ...]


@dataclass(frozen=True)
class Setting:
    """The conditions of one hand, drawn from its seed."""

    seed: int
    variant: str
    fps: int
    pace: str
    hard: bool
    plan: Plan

    @classmethod
    def of(cls, seed: int, variants: tuple[str, ...]) -> Setting:
        """Half of the hands hold a violation or two, half are disturbed."""
        rng = np.random.default_rng((seed, 7))
        name, hard = variants[seed % len(variants)], bool(rng.random() < 0.3)
        wanted = [rule for rule in FAULTS if rule not in KNOCK_FAULTS]
        faults = tuple(str(rule) for rule in rng.choice(wanted, int(rng.integers(0, 3)), replace=False))
        disturbances = (*QUIET_DISTURBANCES, "mind", "bump")
        plan = Plan(
            variant(name),
            faults=faults,
            disturbed=float(rng.choice((0.0, 0.1, 0.25))),
            hidden=float(rng.choice((0.0, 0.1, 0.3))),
            disturbances=disturbances,
        )
        return cls(seed, name, int(rng.choice((5, 10, 15))), str(rng.choice(list(PACES))), hard, plan)

    def __str__(self) -> str:
        kind = "hard" if self.hard else "normal"
        return f"{self.seed} {self.variant} {self.pace} {kind} {self.fps}/s"

    def match(self, pack: Pack, size: tuple[int, int]) -> RenderedMatch:
        """The hand on a table."""
        look = random_look(pack, np.random.default_rng(self.seed), self.hard, *size, self.fps)
        return RenderedMatch(self.plan, look, PACES[self.pace], self.fps, self.seed, 0.5 * self.hard)


def written(setting: Setting, pack: Pack) -> Seen:
    """A hand at the observations door."""
    match = setting.match(pack, SMALL)
    blemishes = Blemishes(doubt=0.05, glimpse=0.35, lost=0.004) if setting.hard else Blemishes()
    camera = match.look.camera
    eyes = Eyes(camera, match.look.pack, setting.fps, blemishes, np.random.default_rng((setting.seed, 9)))
    told = tuple(eyes.see(scene) for scene in match.director.scenes())
    return Seen(str(setting), setting.plan.rules, match.truth(), told)


def watched(setting: Setting, pack: Pack) -> Seen:
    """A hand as pictures that the eyes read."""
    match = setting.match(pack, SIZE)
    watcher = Watcher(make_deck("rendered", pack.faces, pack.back), read)
    frames = tqdm(match.frames(), str(setting), leave=False)
    told = tuple(watcher.update(frame.picture, frame.number, frame.number / setting.fps) for frame in frames)
    return Seen(str(setting), setting.plan.rules, match.truth(), told)


def kept(folder: Path | None, name: str, make: Callable[[], Seen]) -> Seen:
    """A hand that is kept in a folder once it was made, for reading takes minutes."""
    file = folder / f"{name.replace(' ', '-').replace('/', '-')}.pickle" if folder else None
    if file is not None and file.exists():
        seen: Seen = pickle.loads(file.read_bytes())
        return seen
    seen = make()
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(seen))
    return seen


def refereed(seen: Seen) -> tuple[list[AnyEvent], list[float]]:
    """All events of a hand, and the milliseconds of each step."""
    referee = Referee(seen.rules, [str(player) for player in range(seen.rules.players)])
    events, spent = referee.begin(), []
    for observation in seen.observations:
        begun = time.process_time()
        events += referee.observe(observation)
        spent.append(1000 * (time.process_time() - begun))
    return events, spent


def report(door: str, count: Count, spent: list[float]) -> None:
    """The figures of one door."""
    print(
        f"{door}: {count.hands} hands, {count.plays} plays: {count.right} right, {count.open} open, "
        f"{count.wrong} wrong, {count.untold} untold, {count.retracted} retracted; points right in {count.points}"
    )
    late = f"median {median(count.late):.1f} s, worst {max(count.late):.1f} s" if count.late else "none told"
    print(f"  {count.named} of {count.faults} violations named, {count.alarms} false alarms; told after rest: {late}")
    print(f"  a step takes {median(spent):.2f} ms (median), {max(spent):.1f} ms (worst)")
    for miss in count.misses:
        print(f"  {miss}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100, help="at the observations door")
    parser.add_argument("--frames", type=int, default=0, help="hands as pictures: minutes each")
    parser.add_argument("--seed", type=int, default=1, help="of the first hand; the next ones follow")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--deck", type=Path, help="a folder with forty faces; the project's own deck without it")
    parser.add_argument("--keep", type=Path, help="keep what the eyes told in this folder")
    arguments = parser.parse_args()
    pack = folder_pack(arguments.deck) if arguments.deck else our_pack()
    variants = tuple(arguments.variants.split(","))
    failed = False
    for door, make, hands in (("observations", written, arguments.hands), ("pictures", watched, arguments.frames)):
        count, spent = Count(), list[float]()
        for seed in tqdm(range(arguments.seed, arguments.seed + hands), door, file=sys.stderr, leave=False):
            setting = Setting.of(seed, variants)
            folder = arguments.keep if door == "pictures" else None
            seen = kept(folder, str(setting), lambda make=make, setting=setting: make(setting, pack))
            events, steps = refereed(seen)
            count.add(seen.name, seen.truth, events)
            spent += steps
        if hands:
            report(door, count, spent)
        failed = failed or count.wrong > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
