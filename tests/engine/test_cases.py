"""Every conformance case is answered by the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.conformance import Result, check_file

CASES = Path(__file__).parent.parent / "data" / "cases"
RESULTS = [result for file in sorted(CASES.glob("*.jsonl")) for result in check_file(file)]


def test_all_cases_are_there() -> None:
    assert len(RESULTS) == 399


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.id)
def test_case(result: Result) -> None:
    assert not result.skipped
    assert result.got == result.expected
