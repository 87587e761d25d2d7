"""Each of the fifteen cases that faults of other boxes led to has its tests where docs/hardware-tests.md says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = re.findall(r"^\| (TC\d+) \|.*\| (`.*`) \|$", (ROOT / "docs/hardware-tests.md").read_text(), re.MULTILINE)


def test_all_are_listed() -> None:
    assert [case for case, _ in ROWS] == [f"TC{number}" for number in range(1, 16)]


@pytest.mark.parametrize(("case", "files"), ROWS, ids=[case for case, _ in ROWS])
def test_the_files_have_it(case: str, files: str) -> None:
    for file in re.findall("`(.*?)`", files):
        assert f"def test_{case.lower()}_" in (ROOT / "tests" / file).read_text(), f"{file} has no test of {case}"
