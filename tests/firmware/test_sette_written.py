"""A stored game of Sette e mezzo is written as a text, read again, and played again to the same chips."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.notation import format_record, parse
from engine.replay import replay_session
from engine.rules import variant
from firmware.cli import main
from firmware.store import Store
from firmware.written import replay, written
from tests.firmware.sette_world import SetteWorld


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_written_and_played_again(seed: int) -> None:
    world = SetteWorld(4, variant("sette_e_mezzo_jolly"), seed=seed)
    world.sit()
    for _ in range(3):
        world.play_round()
    referee = world.table.referee
    told = [*world.told, *referee.tell(referee.ended())]
    record = written(told, "2026-12-01")
    assert parse(format_record(record)) == record
    assert replay_session(record).chips == referee.record.session.chips
    assert list(replay(record))


def test_the_command_exports_a_game_and_replays_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = SetteWorld(3, seed=7)
    world.sit()
    world.play_round()
    with Store.open(tmp_path) as store:
        store.begin("table", world.told, "2026-12-01 21:00:00")
    assert main(["matches", "export", "1", "--state", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    (tmp_path / "game.txt").write_text(text)
    assert main(["matches", "replay", str(tmp_path / "game.txt")]) == 0
    assert main(["matches", "show", "1", "--state", str(tmp_path)]) == 0
    assert "stake" in text
    shown = capsys.readouterr().out
    assert "{" not in shown
    for word in ("seats  G0", "bank   G", "round 1", "stakes ", "gets ", "turns up ", "pay    bank"):
        assert word in shown, word
