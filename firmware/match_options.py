"""What the commands that play a match have in common: its rules and its players from arguments."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from engine.rules import Option, RuleSet, parse_option, variant
from firmware.errors import UsageError
from firmware.store import default_directory


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """`--variant`, `--rule`, `--players` and `--state`."""
    parser.add_argument("--variant", default="scopa_2", help="a name of `arbitro rules list` (default scopa_2)")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="change one option")
    parser.add_argument("--players", metavar="NAME,NAME,...", help="in playing order of the first hand")
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")


def state_of(arguments: argparse.Namespace) -> Path:
    """The state directory asked for, or the default one."""
    return arguments.state or default_directory()


def rules_of(name: str, changes: Iterable[str]) -> RuleSet:
    """The rules of a variant with options changed as `NAME=VALUE` texts say. Raises `RuleError`, `UsageError`."""
    options: dict[str, Option] = {}
    for change in changes:
        option, sign, value = change.partition("=")
        if not sign:
            raise UsageError(f"expected --rule NAME=VALUE, got {change!r}")
        options[option] = parse_option(option, value)
    return variant(name).replace(**options)


def players_of(names: str | None, rules: RuleSet) -> tuple[str, ...]:
    """The players' names in the order of play; their numbers when none are given. Raises `UsageError`."""
    if names is None:
        return tuple(str(number) for number in range(rules.players))
    players = tuple(name.strip() for name in names.split(","))
    if rules.game == "sette_e_mezzo":
        if len(players) < 2 or len(set(players)) != len(players) or not all(players):
            raise UsageError(f"expected two or more different names for {rules.variant}, got {names!r}")
        return players
    if len(players) != rules.players or len(set(players)) != len(players) or not all(players):
        raise UsageError(f"expected {rules.players} different names for {rules.variant}, got {names!r}")
    return players
