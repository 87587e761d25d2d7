"""`arbitro simulate`: the appliance on a rendered table; `--render DIR` only writes its frames and its truth."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import numpy as np
from tqdm import tqdm

from engine.rules import variant
from firmware import button_script
from firmware.button_script import Press
from firmware.choices import Choices
from firmware.desk import Desk
from firmware.draw import terminal, write_gif
from firmware.errors import UsageError
from firmware.keys import Keys, typed
from firmware.menu_facts import Facts
from firmware.menu_fields import Known
from firmware.sette_script import presses
from firmware.simulation import TerminalGlass, script, simulate
from firmware.store import Store
from firmware.text import LANGUAGES
from firmware.times import Times
from hardware.frame import Picture
from vision.deck import Deck, learn_folder, make_deck
from vision.synthetic.choice import FAULTS, KNOCK_FAULTS
from vision.synthetic.director import QUIET_DISTURBANCES, Plan
from vision.synthetic.looks import folder_pack, our_pack, random_look
from vision.synthetic.recording import RenderedMatch, open_folder, write_frames, write_truth
from vision.synthetic.sette import SettePlan
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace
from vision.synthetic.style import DEFAULT_STYLE, STYLES

PLAYERS: Final = 4
"""Of Sette e mezzo, if nobody says."""
_LEAST, _MOST = (192, 108), (2304, 1296)
"""Width and height of the smallest frame in which a card is more than a spot, and of the largest of the camera."""
_PACES: Final = {
    "calm": Pace(reach=0.6, carry=0.4, pick=0.25, still=1.6),
    "usual": Pace(),
    "fast": Pace(reach=0.35, carry=0.2, pick=0.1, still=0.6),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro simulate`."""
    parser.add_argument("--render", type=Path, metavar="DIR", help="only write frames and truth.json into DIR")
    parser.add_argument("--seed", type=_seed, default=1, help="the same seed gives the same bytes (default: 1)")
    parser.add_argument("--variant", default="scopa_2", help="a name of `arbitro rules list` (default: scopa_2)")
    parser.add_argument("--hands", type=int, help="hands, or rounds (default: a match, rendered: 1)")
    parser.add_argument("--players", type=int, choices=range(2, 8), help="in Sette e mezzo (default: 4)")
    parser.add_argument("--faults", default="", metavar="LIST", help=f"violations to play: {','.join(FAULTS)}, or all")
    parser.add_argument("--deck", default=DEFAULT_STYLE, help=f"{', '.join(STYLES)}, or a folder of faces")
    parser.add_argument("--fps", type=int, choices=(5, 10, 15), default=5, help="frames a second (default: 5)")
    parser.add_argument("--size", type=_size, default=(1536, 864), metavar="WxH", help="of a frame (default: 1536x864)")
    parser.add_argument("--pace", choices=sorted(_PACES), default="usual", help="how fast people play (default: usual)")
    parser.add_argument("--hard", action="store_true", help="tilt, glare, uneven light, overlaps, disturbances")
    parser.add_argument("--no-piles", action="store_true", help="people keep stock and captured cards out of sight")
    parser.add_argument("--count", action="store_true", help="the piles are fanned out after each hand")
    parser.add_argument("--knocks", action="store_true", help="Cirulla: knocks, and first tables of 15 and 30")
    parser.add_argument("--keys", metavar="TEXT", help="type these and run as fast as can be, instead of a person")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the display (default: en)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="keep the matches there (default: nowhere)")
    parser.add_argument("--gif", type=Path, metavar="FILE", help="write what the display showed")
    parser.add_argument("--video", action="store_true", help="write table.mp4 instead of pictures")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a violation that was asked for never became possible."""
    _check(arguments)
    match = rendered_match(arguments)
    if arguments.render is None:
        return _played(arguments, match)
    open_folder(arguments.render)  # before people wait for anything
    with tqdm(total=played_ahead(arguments)["frames"], unit=" frames", file=sys.stderr) as bar:
        write_frames(match, arguments.render, bar.update, arguments.video, arguments.fps)
    rules = variant(arguments.variant)
    if rules.game == "sette_e_mezzo":
        button_script.write(arguments.render / "buttons.txt", presses(match.truth(), rules))
    write_truth(match, arguments.render)
    if match.director.waiting:
        print(f"arbitro: no occasion for {', '.join(match.director.waiting)} in this match", file=sys.stderr)
        return 1
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Raises `UsageError` for what does not go together: no option is passed over in silence."""
    game = variant(arguments.variant).game
    if game == "sette_e_mezzo" and (arguments.faults or arguments.count):
        raise UsageError("expected --faults and --count with a variant of the Scopa family, got Sette e mezzo")
    if game != "sette_e_mezzo" and arguments.players is not None:
        raise UsageError(f"expected --players with a variant of Sette e mezzo, got {arguments.variant}")
    for name in arguments.faults.split(","):
        if game != "cirulla" and name in KNOCK_FAULTS:
            raise UsageError(f"expected {name} with a variant of Cirulla, got {arguments.variant}")
    if game != "cirulla" and arguments.knocks:
        raise UsageError(f"expected --knocks with a variant of Cirulla, got {arguments.variant}")
    if arguments.video and not arguments.render:
        raise UsageError("expected --video together with --render DIR")
    if arguments.gif and not arguments.gif.absolute().parent.is_dir():
        raise UsageError(f"expected --gif in a folder that exists, got {arguments.gif}")
    if not arguments.render and not arguments.keys and not sys.stdin.isatty():
        raise UsageError("expected a terminal to type into, --keys TEXT, or --render DIR")


def _played(arguments: argparse.Namespace, match: RenderedMatch) -> int:
    """The appliance on that table, with keys for buttons, until q."""
    pack = _pack(arguments.deck)
    deck, language = _learnt(arguments.deck, pack), arguments.language
    rules = variant(arguments.variant)
    first = Choices(variant=arguments.variant, dealer=rules.players - 1, language=language, sound="all")
    pressed: tuple[Press, ...] = ()
    if rules.game == "sette_e_mezzo":
        first = msgspec.structs.replace(first, seats=arguments.players or PLAYERS)
        pressed = tuple(presses(played_ahead(arguments), rules))
    with ExitStack() as stack:
        state = arguments.state or Path(stack.enter_context(TemporaryDirectory(prefix="arbitro-")))
        store = stack.enter_context(Store.open(state))
        desk = Desk(store, Times(), _today, Facts(known=Known(decks=("arbitro",))), first)
        typing = script(arguments.keys) if arguments.keys else stack.enter_context(typed())
        glass = TerminalGlass(sys.stdout)
        real = not arguments.keys
        bar = stack.enter_context(tqdm(unit=" frames", file=sys.stderr, disable=True if real else None))

        def watch(picture: Picture) -> None:
            glass.table(picture)
            bar.update()

        stack.callback(glass.leave)
        simulate(desk, match, arguments.fps, deck, Keys(typing), glass, real=real, watch=watch, pressed=pressed)
    if arguments.keys:
        print(terminal(glass.pictures[-1]))
    if arguments.gif:
        write_gif(arguments.gif, glass.pictures, [1.0] * len(glass.pictures))
    return 0


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, got {text!r}")
    return int(text)


def played_ahead(arguments: argparse.Namespace) -> dict[str, Any]:
    """The truth of the match that the arguments describe, without a picture."""
    match = rendered_match(arguments)
    for _ in match.director.scenes():
        pass
    return match.truth()


def _size(text: str) -> tuple[int, int]:
    """The size that `--size` names. Both sides must be even: videos need that."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"expected a size such as 1536x864, got {text!r}")
    size = int(width), int(height)
    if any(not least <= side <= most or side % 2 for least, side, most in zip(_LEAST, size, _MOST, strict=True)):
        raise argparse.ArgumentTypeError(
            f"expected even sides from {_LEAST[0]}x{_LEAST[1]} to {_MOST[0]}x{_MOST[1]}, got {text}"
        )
    return size


def _today() -> str:
    return datetime.now().isoformat(" ", "seconds")


def rendered_match(arguments: argparse.Namespace) -> RenderedMatch:
    """The match that the arguments describe. Raises `UsageError` for what cannot be played."""
    hard, rng = arguments.hard, np.random.default_rng(arguments.seed)
    width, height = arguments.size
    look = random_look(_pack(arguments.deck), rng, hard, width, height, arguments.fps)
    pace, piles, mess = _PACES[arguments.pace], not arguments.no_piles, 0.8 if hard else 0.05
    named = {"deck": Path(arguments.deck).name, "hard": hard}
    return RenderedMatch(_plan(arguments), look, pace, arguments.fps, arguments.seed, mess, piles, named)


def _plan(arguments: argparse.Namespace) -> Plan | SettePlan:
    hands: int | None = arguments.hands
    if hands is None and arguments.render:
        hands = 1
    if hands is not None and hands < 1:
        raise UsageError(f"expected --hands 1 or more, got {hands}")
    rules, hard = variant(arguments.variant), arguments.hard
    if rules.game == "sette_e_mezzo":
        return SettePlan(rules, arguments.players or PLAYERS, hands or 1)
    return Plan(
        rules,
        hands,
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


def _learnt(deck: str, pack: Pack) -> Deck:
    """The deck as the eyes know it."""
    if deck in STYLES:
        french = STYLES[deck].suits == "french"
        return replace(make_deck("arbitro", pack.faces, pack.back), family="french" if french else "italian")
    return learn_folder(Path(deck), "arbitro")


def _pack(deck: str) -> Pack:
    if deck in STYLES:
        return our_pack(deck)
    if not Path(deck).is_dir():
        raise UsageError(f"expected a deck of {', '.join(STYLES)} or a folder of faces, got {deck!r}")
    return folder_pack(Path(deck))
