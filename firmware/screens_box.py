"""Screens about the box itself: self-test and calibration."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.doctor import Finding
from firmware.screens_page import Screen, page, split
from firmware.text import Words

SIGNS = {"ok": "OK", "warning": "!", "fault": "!"}


def selftest(say: Words, *, findings: Sequence[Finding]) -> Screen:
    """What was found, what is wrong first; a code in place of the value leads to the troubleshooting page."""
    order = sorted(findings, key=lambda finding: ("fault", "warning", "ok").index(finding.state))
    rows = [_row(say, finding) for finding in order]
    room = 6
    if len(rows) > room:
        rows = [*rows[: room - 1], say("selftest.more", count=len(rows) - room + 1)]
    return page("selftest", [say("selftest.title")], rows, [say("selftest.foot")])


def _row(say: Words, finding: Finding) -> str:
    what = finding.code or finding.value
    return split(f"{say(f'part.{finding.part}'):<10} {'' if what == '-' else what}", SIGNS[finding.state])
