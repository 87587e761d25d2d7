"""`arbitro rules list|show|check`: named variants with every option in words; conformance files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from engine.rules import VARIANTS, RuleSet, changed, variant
from firmware.conformance import Result, check_file
from firmware.errors import UsageError
from firmware.rules_text import describe, title
from firmware.text import LANGUAGES, Language, Words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro rules`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="all named variants")
    show = actions.add_parser("show", help="one variant, every option in words")
    show.add_argument("variant", help="a name of the list")
    show.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="change an option (repeatable)")
    for action in (listing, show):
        action.add_argument("--json", action="store_true", help="one JSON object a line")
        action.add_argument("--language", choices=LANGUAGES, default="it", help="of the words (default: it)")
    check = actions.add_parser("check", help="answer conformance cases and compare")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="cases, one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a conformance case failed."""
    if arguments.action == "check":
        return _check(arguments.files)
    if arguments.action == "list":
        _list(arguments.language, arguments.json)
    else:
        _show(changed(arguments.variant, _options(arguments.rule)), arguments.language, arguments.json)
    return 0


def _options(pairs: list[str]) -> dict[str, str]:
    """The texts of `--rule NAME=VALUE`."""
    for pair in pairs:
        if "=" not in pair:
            raise UsageError(f"expected --rule NAME=VALUE, got {pair!r}")
    return dict(pair.split("=", 1) for pair in pairs)


def _list(language: Language, as_json: bool) -> None:
    for name in VARIANTS:
        rules = variant(name)
        if as_json:
            print(_json(rules, language))
        else:
            target = "" if rules.game == "sette_e_mezzo" else str(rules.target)
            print(f"{name:20}  {target:>3}  {title(name, language)}")


def _show(rules: RuleSet, language: Language, as_json: bool) -> None:
    if as_json:
        print(_json(rules, language))
        return
    print(title(rules.variant, language))
    for name, value, meaning in describe(rules, Words(language)):
        print(f"  {name + ' = ' + value:32}  {meaning}")


def _json(rules: RuleSet, language: Language) -> str:
    return json.dumps({"variant": rules.variant, "title": title(rules.variant, language), "rules": rules.settings()})


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
    got = result.got if "error" in result.got else {key: result.got.get(key) for key in wrong}
    return f"{result.id} ({result.rule}): expected {json.dumps(wrong)}, got {json.dumps(got)}"
