"""Conformance cases of the rules (one JSON object a line): each is answered by the engine and compared.

A case has `id`, `kind`, `rules` (`variant`, `options`), `input` and `expect`; only the keys of `expect` are compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.errors import EngineError
from engine.rules import RuleSet, variant
from firmware import conformance_hands, conformance_match, conformance_sette
from firmware.errors import UsageError

Answer = Callable[[RuleSet, dict[str, Any]], dict[str, Any]]

ANSWERS: Final[Mapping[str, Answer]] = {
    **conformance_hands.ANSWERS,
    **conformance_match.ANSWERS,
    **conformance_sette.ANSWERS,
}


RULES: Final[Mapping[str, str]] = {
    "capture": "P2-P5",
    "play": "8",
    "score": "2.3",
    "match": "M1-M4",
    "claim": "M5",
    "opening": "D3",
    "rhythm": "D2, D4",
    "order": "D1, D5, D6",
    "knock": "6",
    "knock_claim": "6",
    "game": "2-6, 8",
    "sm_hand": "Z1, Z2, Z11",
    "sm_round": "Z4-Z10, Z13",
    "sm_cover": "Z12",
}
"""The rules of docs/rules.md that each kind of case is about."""


@dataclass(frozen=True, slots=True)
class Result:
    """One case: what was expected and what came, both as JSON values; the keys of both are those that `expect` has."""

    id: str
    rule: str
    expected: Mapping[str, Any]
    got: Mapping[str, Any]
    skipped: bool = False

    @property
    def passed(self) -> bool:
        """Whether all expected keys came with the expected values."""
        return not self.skipped and self.expected == self.got


def check_file(path: Path) -> list[Result]:
    """Answer every case of a file. Raises `UsageError` naming the line that is no case."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"expected cases in UTF-8, got {path}: {error}") from error
    return [_checked(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _checked(path: Path, number: int, line: str) -> Result:
    case = _case(path, number, line)
    try:
        return check_case(case)
    except (LookupError, TypeError, AttributeError, ValueError) as error:  # what JSON of another shape leads to
        what = f"{type(error).__name__} {error}"
        raise UsageError(
            f"expected what a case of kind {case['kind']!r} needs, {path} line {number}: {what}"
        ) from error


def check_case(case: Mapping[str, Any]) -> Result:
    """Answer one case; a variant, option or kind that does not exist is skipped.

    A case without the keys and types that its kind needs raises what reading them does: `KeyError`, `TypeError`.
    """
    rule = f"{case['kind']} {case['rules']['variant']}, rule {RULES.get(case['kind'], '-')}"
    try:
        rules = variant(case["rules"]["variant"]).replace(**case["rules"].get("options", {}))
    except EngineError:
        return Result(case["id"], rule, case["expect"], {}, skipped=True)
    answer = ANSWERS.get(case["kind"])
    if answer is None:
        return Result(case["id"], rule, case["expect"], {}, skipped=True)
    try:
        got = answer(rules, case["input"])
    except EngineError as error:
        got = {"error": str(error)}
    expected = {key: _comparable(value) for key, value in case["expect"].items()}
    shown = got if "error" in got else {key: _comparable(got[key]) for key in expected if key in got}
    return Result(case["id"], rule, expected, shown)


def _comparable(value: Any) -> Any:
    """Captures compare as sets of sets: every list of lists of cards is sorted."""
    if isinstance(value, list) and all(isinstance(inner, list) for inner in value):
        return sorted(sorted(inner) for inner in value)
    return value


def _case(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        case = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"expected one JSON object a line, {path} line {number}: {error}") from error
    missing = [
        key for key in ("id", "kind", "rules", "input", "expect") if not isinstance(case, dict) or key not in case
    ]
    if missing:
        raise UsageError(f"expected a case with {missing[0]!r}, {path} line {number}: {line[:60]}")
    return dict(case)
