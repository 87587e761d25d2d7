"""`arbitro rules`: conformance files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from firmware.conformance import Result, check_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro rules`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="conformance files")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a case failed."""
    return _check(arguments.files)


def _check(files: list[Path]) -> int:
    results = [result for path in files for result in check_file(path)]
    failed = [result for result in results if not result.passed and not result.skipped]
    for result in failed:
        print(_difference(result))
    skipped = sum(result.skipped for result in results)
    print(f"{len(results) - len(failed) - skipped} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed else 0


def _difference(result: Result) -> str:
    wrong = {key: value for key, value in result.expected.items() if result.got.get(key) != value}
    got = {key: result.got.get(key) for key in wrong} if not result.got.get("error") else result.got
    return f"{result.id} ({result.rule}): expected {json.dumps(wrong)}, got {json.dumps(got)}"
