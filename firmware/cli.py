"""The command `arbitro`: finds the module of a command, runs it, turns our errors into one line and exit status 2."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from engine.errors import EngineError
from firmware.errors import FirmwareError, UsageError
from firmware.libraries import missing_libraries
from hardware.errors import HardwareError
from vision.errors import VisionError

COMMANDS: Final[dict[str, str]] = {
    "demo": "referee a rendered hand with the project's own deck and keep pictures of it",
    "run": "the appliance: camera, buttons, display, until it is stopped",
    "simulate": "the whole appliance off-device, on a rendered table",
    "referee": "referee a recorded or live table without buttons, and write the events",
    "read": "recognise the cards in pictures",
    "deck": "learnt decks: learn, list, show, check, remove, print",
    "rules": "named variants with every option; conformance files",
    "matches": "what was played",
    "config": "the settings in force, with their meaning and range",
    "doctor": "self-test of camera, display, buttons, deck, disk, clock, versions",
    "bench": "speed of this machine",
}


OURS: Final = frozenset({"engine", "vision", "hardware", "firmware"})


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line instead of printing the whole usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 the work found something wrong, 2 unusable input or arguments."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for threads in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
    ):  # must be set before numpy comes
        os.environ.setdefault(threads, "1")
    logging.basicConfig(level=os.environ.get("ARBITRO_LOG", "WARNING"), format="%(name)s: %(message)s")
    try:
        return _run(arguments)
    except (EngineError, VisionError, HardwareError, FirmwareError, OSError) as error:
        print(f"arbitro: {_one_line(error)}", file=sys.stderr)
        return 2
    except ImportError as error:
        if str(error.name).partition(".")[0] in OURS:
            raise
        missing = ", ".join(missing_libraries()) or f"one that does not load: {_one_line(error)}"
        print(f"arbitro: expected all libraries to be installed, got missing: {missing} (code V01)", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    parser = _Parser(prog="arbitro", description=__doc__.split(":")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, sense in COMMANDS.items():
        command = commands.add_parser(name, help=sense, description=sense)
        if name == chosen:  # only the chosen command is imported: `arbitro rules` needs no OpenCV
            importlib.import_module(f"firmware.commands.{name}").add_arguments(command)
    parsed = parser.parse_args(arguments)
    if parsed.command is None:
        parser.print_help()
        return 0
    try:
        return int(importlib.import_module(f"firmware.commands.{parsed.command}").run(parsed))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away: nothing more to say
        return 0


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())
