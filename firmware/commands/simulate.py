"""`arbitro simulate`: a match on a rendered table; `--render DIR` writes its frames and its truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
from tqdm import tqdm

from engine.rules import variant
from firmware.errors import UsageError
from vision.synthetic.choice import FAULTS
from vision.synthetic.director import QUIET_DISTURBANCES, Plan
from vision.synthetic.looks import folder_pack, our_pack, random_look
from vision.synthetic.recording import RenderedMatch, write_frames
from vision.synthetic.sette import SettePlan
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace
from vision.synthetic.style import DEFAULT_STYLE, STYLES

_SIZES: Final = {f"{16 * k}x{9 * k}": (16 * k, 9 * k) for k in (24, 48, 72, 96, 144)}
_PACES: Final = {
    "calm": Pace(reach=0.6, carry=0.4, pick=0.25, still=1.6),
    "usual": Pace(),
    "fast": Pace(reach=0.35, carry=0.2, pick=0.1, still=0.6),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro simulate`."""
    parser.add_argument("--render", type=Path, metavar="DIR", help="only write frames and truth.json into DIR")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default: 1)")
    parser.add_argument("--variant", default="scopa_2", help="a name of `arbitro rules list` (default: scopa_2)")
    parser.add_argument("--hands", type=int, default=1, help="how many hands, or rounds (default: 1)")
    parser.add_argument("--players", type=int, choices=range(2, 8), default=4, help="in Sette e mezzo (default: 4)")
    parser.add_argument("--faults", default="", metavar="LIST", help=f"violations to play: {','.join(FAULTS)}, or all")
    parser.add_argument("--deck", default=DEFAULT_STYLE, help=f"{', '.join(STYLES)}, or a folder of faces")
    parser.add_argument("--fps", type=int, choices=(5, 10, 15), default=5, help="frames a second (default: 5)")
    parser.add_argument("--size", choices=sorted(_SIZES), default="1536x864", help="of a frame (default: 1536x864)")
    parser.add_argument("--pace", choices=sorted(_PACES), default="usual", help="how fast people play (default: usual)")
    parser.add_argument("--hard", action="store_true", help="tilt, glare, uneven light, overlaps, disturbances")
    parser.add_argument("--no-piles", action="store_true", help="people keep stock and captured cards out of sight")
    parser.add_argument("--count", action="store_true", help="the piles are fanned out after each hand")
    parser.add_argument("--knocks", action="store_true", help="Cirulla: knocks, and first tables of 15 and 30")
    parser.add_argument("--video", action="store_true", help="write table.mp4 instead of pictures")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a violation that was asked for never became possible."""
    if arguments.render is None:
        raise UsageError("expected --render DIR")
    match = rendered_match(arguments)
    with tqdm(unit=" frames", file=sys.stderr) as bar:
        write_frames(match, arguments.render, bar.update, arguments.video, arguments.fps)
    if match.director.waiting:
        print(f"arbitro: no occasion for {', '.join(match.director.waiting)} in this match", file=sys.stderr)
        return 1
    return 0


def rendered_match(arguments: argparse.Namespace) -> RenderedMatch:
    """The match that the arguments describe. Raises `UsageError` for what cannot be played."""
    hard, rng = arguments.hard, np.random.default_rng(arguments.seed)
    look = random_look(_pack(arguments.deck), rng, hard, *_SIZES[arguments.size], arguments.fps)
    pace, piles = _PACES[arguments.pace], not arguments.no_piles
    return RenderedMatch(_plan(arguments), look, pace, arguments.fps, arguments.seed, 0.8 if hard else 0.05, piles)


def _plan(arguments: argparse.Namespace) -> Plan | SettePlan:
    if arguments.hands < 1:
        raise UsageError(f"expected --hands 1 or more, got {arguments.hands}")
    rules, hard = variant(arguments.variant), arguments.hard
    if rules.game == "sette_e_mezzo":
        return SettePlan(rules, arguments.players, arguments.hands)
    return Plan(
        rules,
        arguments.hands,
        _faults(arguments.faults),
        disturbed=0.12 if hard else 0.0,
        hidden=0.35 if hard else 0.05,
        count=arguments.count,
        knocks=arguments.knocks,
        disturbances=(*QUIET_DISTURBANCES, "bump", "mind"),
    )


def _faults(text: str) -> tuple[str, ...]:
    wanted = FAULTS if text == "all" else tuple(name for name in text.split(",") if name)
    unknown = [name for name in wanted if name not in FAULTS]
    if unknown:
        raise UsageError(f"expected faults of {', '.join(FAULTS)}, got {unknown[0]!r}")
    return wanted


def _pack(deck: str) -> Pack:
    if deck in STYLES:
        return our_pack(deck)
    if not Path(deck).is_dir():
        raise UsageError(f"expected a deck of {', '.join(STYLES)} or a folder of faces, got {deck!r}")
    return folder_pack(Path(deck))
