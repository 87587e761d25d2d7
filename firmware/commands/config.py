"""`arbitro config show`: the settings in force with their meaning, range and default."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from firmware.config import describe, load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro config`."""
    parser.add_argument("action", choices=["show"])
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file; without it the defaults")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Print every setting, section by section."""
    section = ""
    for key, value, default, span, meaning in describe(load(arguments.config)):
        if arguments.json:
            print(json.dumps({"key": key, "value": value, "default": default, "range": span, "meaning": meaning}))
            continue
        if key.split(".")[0] != section:
            section = key.split(".")[0]
            print(f"[{section}]")
        text = json.dumps(value)
        note = "" if value == default else f" (default {json.dumps(default)})"
        print(f"{key.split('.')[1]} = {text}{note}  # {meaning}{'; ' + span if span else ''}")
    return 0
