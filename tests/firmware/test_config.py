"""Settings: strict, ranged, and explained in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config import Config, describe, load
from firmware.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[camera]\nwidht = 3", "widht"),
        ("[kamera]\nwidth = 3", "kamera"),
        ("[camera]\nwidth = 3", "camera.width"),
        ("[camera]\nwidth = 'wide'", "camera.width"),
        ("[display]\ndriver = 'oled'", "display.driver"),
        ("[game]\ncertain = 1.0", "game.certain"),
        ("[buttons]\nok = 99", "buttons.ok"),
        ("camera = ", "not TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, names: str) -> None:
    file = tmp_path / "arbitro.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert names in str(caught.value)


def test_a_file_that_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can be read"):
        load(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError):
        load(tmp_path / "binary.toml")


def test_what_a_file_does_not_say_keeps_its_default(tmp_path: Path) -> None:
    file = tmp_path / "arbitro.toml"
    file.write_text("[buttons]\nok = 5\n")
    config = load(file)
    assert config.buttons.ok == 5
    assert (config.buttons.no, config.camera) == (17, Config().camera)


def test_every_setting_has_a_meaning() -> None:
    rows = list(describe(Config()))
    assert len(rows) > 25
    assert all(meaning for *_, meaning in rows)


def test_show_prints_value_default_range_and_meaning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "arbitro.toml"
    file.write_text("[camera]\nwidth = 2304\n")
    assert main(["config", "show", "--config", str(file)]) == 0
    assert "width = 2304 (default 1536)  # pixels; 320 to 4608" in capsys.readouterr().out
