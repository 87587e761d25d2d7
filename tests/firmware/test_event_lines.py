"""The file of events: it begins with all that was told before, and is never without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.events import Cleared, encode
from firmware.session import EventLines

TOLD = (Cleared(3), Cleared(9))


def test_a_resumed_file_holds_what_was_told_before(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"of another match\n")
    with EventLines(file, TOLD) as lines:
        assert file.read_bytes() == b"".join(encode(event) + b"\n" for event in TOLD)
        lines.write(Cleared(12))
    assert file.read_bytes().splitlines() == [encode(event) for event in (*TOLD, Cleared(12))]
    assert list(tmp_path.iterdir()) == [file]


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "events.jsonl"
    with EventLines(file, TOLD):
        pass
    before = file.read_bytes()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        EventLines(file, TOLD)
    assert file.read_bytes() == before
