"""Every conformance case is answered by the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.conformance import Result, check_file

CASES = Path(__file__).parent.parent / "data" / "cases"
RESULTS = [result for file in sorted(CASES.glob("*.jsonl")) for result in check_file(file)]


@pytest.mark.parametrize("result", [r for r in RESULTS if not r.skipped], ids=lambda result: result.id)
def test_case(result: Result) -> None:
    assert result.got == result.expected
