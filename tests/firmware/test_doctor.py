"""Each check of the self-test, made to pass and made to fail."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections import namedtuple
from importlib import metadata
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import i2c

from engine.cards import DECK
from firmware import doctor
from firmware.commands import doctor as command
from firmware.config import Buttons, Config, Display
from firmware.doctor import Finding
from firmware.doctor_devices import (
    border_pattern,
    check_buttons,
    check_buzzer,
    check_camera,
    check_display,
    check_learnt_deck,
    check_pin_table,
)
from firmware.draw import draw
from firmware.report import PlayPictures, write_bundle
from firmware.screens_box import selftest
from firmware.store import Store
from firmware.text import Words
from firmware.texts_box import BOX_TEXTS as TEXTS
from hardware.errors import CameraBusyError, CameraError, MissingLibraryError
from hardware.frame import Shot
from hardware.panel import Wiring, open_panel
from hardware.pins import pin_factory
from tests.firmware.screen_samples import USUAL
from tests.hardware.panel_bytes import RecordingBus
from vision.deck import Deck, make_deck, save_deck
from vision.synthetic.deck import faces

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck("ours", faces(width=160))


@pytest.fixture
def factory() -> Any:
    factory = pin_factory("mock")
    yield factory
    factory.reset()


def table(deck: Deck) -> np.ndarray:
    picture = np.full((576, 1024, 3), (70, 110, 50), np.uint8)
    for place, card in enumerate(DECK[4:8]):
        small = cv2.resize(deck.face(card), (90, round(90 * deck.aspect)), interpolation=cv2.INTER_AREA)
        picture[200 : 200 + small.shape[0], 100 + 200 * place : 190 + 200 * place] = small
    return picture


class Camera:
    """A device that gives one picture again and again, a tenth of a second apart by its own clock."""

    def __init__(self, picture: np.ndarray, step: float = 0.1) -> None:
        self.picture, self.step, self.now = picture, step, 0.0

    def __call__(self) -> Camera:
        return self

    def read(self) -> Shot:
        self.now += self.step
        return Shot(self.picture, self.now)

    def close(self) -> None:
        pass

    def codes(self, deck: Deck | None) -> dict[str, str | None]:
        return {finding.part: finding.code for finding in check_camera(self, deck, lambda: self.now)}


def test_a_good_camera(deck: Deck) -> None:
    camera = Camera(table(deck))
    findings = list(check_camera(camera, deck, lambda: camera.now))
    assert [(f.part, f.code) for f in findings] == [
        *(("camera", None), ("colours", None), ("focus", None), ("reflections", None), ("light", None))
    ]
    assert findings[0].value == "10 fps"
    assert findings[1].value == "R>B"


def test_a_slow_camera(deck: Deck) -> None:
    assert Camera(table(deck), step=0.5).codes(deck)["camera"] == "C04"


def test_a_soft_picture(deck: Deck) -> None:
    assert Camera(cv2.GaussianBlur(table(deck), (0, 0), 2.5)).codes(deck)["focus"] == "C05"


def test_tc4_exchanged_colours(deck: Deck) -> None:
    assert Camera(np.ascontiguousarray(table(deck)[:, :, ::-1])).codes(deck)["colours"] == "C06"


def test_a_reflection_and_poor_light(deck: Deck) -> None:
    shining = table(deck)
    cv2.circle(shining, (500, 80), 40, (255, 255, 255), -1)
    assert Camera(shining).codes(deck)["reflections"] == "C07"
    assert Camera(table(deck) // 8).codes(None)["light"] == "C08"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MissingLibraryError("expected picamera2"), "C01"),
        (CameraBusyError("in use"), "C02"),
        (CameraError("none"), "C03"),
        (OSError("no device"), "C03"),
    ],
)
def test_a_camera_that_does_not_open(error: Exception, code: str) -> None:
    def fail() -> Any:
        raise error

    assert [(f.part, f.state, f.code) for f in check_camera(fail, None)] == [("camera", "fault", code)]


def test_a_display_that_answers_keeps_the_test_pattern() -> None:
    bus = RecordingBus()

    def opener(driver: Any, wiring: Wiring, factory: Any) -> Any:
        return open_panel(driver, wiring, serial=i2c(bus=bus, address=wiring.address))

    assert check_display(Config(), None, opener).code is None
    assert bus.glass.picture().tobytes() == border_pattern().tobytes()
    assert check_display(Config(display=Display(driver="none")), None, opener).value == "-"


@pytest.mark.parametrize(("node", "mode", "code"), [("i2c-1", 0o600, "D01"), ("other", 0o600, "D02")])
def test_a_display_that_does_not_answer(node: str, mode: int, code: str, tmp_path: Path) -> None:
    bus = RecordingBus()
    bus.unplug()
    (tmp_path / node).touch(mode)

    def opener(driver: Any, wiring: Wiring, factory: Any) -> Any:
        return open_panel(driver, wiring, serial=i2c(bus=bus, address=wiring.address))

    finding = check_display(Config(), None, opener, tmp_path)
    assert (finding.state, finding.code) == ("fault", code)
    assert "0x3C" in finding.detail


def test_a_display_that_may_not_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "i2c-1").touch()
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may everything, and tests may run as root

    def refused(*_: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    assert check_display(Config(), None, refused, tmp_path).code == "D03"


def test_a_display_without_its_library(tmp_path: Path) -> None:
    def missing(*_: Any) -> Any:
        raise MissingLibraryError("luma")

    assert check_display(Config(), None, missing, tmp_path).code == "D04"


def test_buttons(factory: MockFactory) -> None:
    assert check_buttons(Config(), factory, pause=lambda seconds: None).code is None


def test_pins_that_two_parts_share(factory: MockFactory) -> None:
    assert check_pin_table(Config()) is None
    finding = check_pin_table(Config(buttons=Buttons(ok=18)))
    assert finding is not None
    assert finding.code == "B02"
    assert "BCM 18" in finding.detail
    assert check_pin_table(Config(display=Display(bus="spi"), buttons=Buttons(no=24))) is not None
    with LED(22, pin_factory=factory):
        assert check_buttons(Config(), factory).code == "B02"


def test_a_button_that_is_stuck(factory: MockFactory) -> None:
    config, now = Config(), [0.0]

    def pause(seconds: float) -> None:
        now[0] += seconds
        factory.pin(27).drive_low()

    finding = check_buttons(config, factory, pause=pause, clock=lambda: now[0])
    assert (finding.code, finding.value) == ("B03", "minus")


def test_a_button_that_is_not_pressed(factory: MockFactory) -> None:
    now, ticks = [0.0], [0]
    pins = [factory.pin(number) for number in (17, 27, 22)]

    def pause(seconds: float) -> None:
        now[0] += seconds
        ticks[0] += 1
        for place, pin in enumerate(pins):
            if ticks[0] == 10 + 10 * place:
                pin.drive_low()
            if ticks[0] == 15 + 10 * place:
                pin.drive_high()

    finding = check_buttons(Config(), factory, press=5, pause=pause, clock=lambda: now[0])
    assert (finding.code, finding.value) == ("B04", "ok")


def test_the_buzzer(factory: MockFactory) -> None:
    assert check_buzzer(Config(), factory).code is None
    with LED(18, pin_factory=factory):
        assert check_buzzer(Config(), factory).code == "S01"


def test_the_deck(tmp_path: Path, deck: Deck) -> None:
    assert check_learnt_deck("arbitro", tmp_path)[0].code is None
    assert check_learnt_deck("nobody", tmp_path)[0].code == "M01"
    poor = {card: cv2.GaussianBlur(deck.face(card), (0, 0), 6) for card in DECK}
    save_deck(make_deck("poor", poor), tmp_path / "decks" / "poor.deck")
    finding, learnt = check_learnt_deck("poor", tmp_path)
    assert finding.code == "M02"
    assert "soft" in finding.detail
    assert learnt is not None


def test_the_disk(tmp_path: Path) -> None:
    assert doctor.check_disk(tmp_path).code is None
    assert doctor.check_disk(tmp_path, lambda path: Usage(32_000_000_000, 0, 150_000_000)).code == "K01"
    (tmp_path / "file").touch()
    assert doctor.check_disk(tmp_path / "file").code == "K02"
    assert list(tmp_path.glob(".selftest*")) == []


def test_the_matches(tmp_path: Path) -> None:
    assert doctor.check_matches(tmp_path).code is None
    with Store.open(tmp_path):
        assert (doctor.check_matches(tmp_path).code, doctor.check_matches(tmp_path).value) == (None, "-")
    with sqlite3.connect(tmp_path / "arbitro.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert doctor.check_matches(tmp_path).code == "K03"


def test_the_clock(tmp_path: Path) -> None:
    assert doctor.check_clock(tmp_path).code == "T01"
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert doctor.check_clock(tmp_path).code is None


@pytest.mark.parametrize(("text", "code", "value"), [("58400", None, "58C"), ("81000", "T02", "81C"), ("", None, "-")])
def test_the_temperature(text: str, code: str | None, value: str, tmp_path: Path) -> None:
    (tmp_path / "sys/class/thermal/thermal_zone0").mkdir(parents=True)
    (tmp_path / "sys/class/thermal/thermal_zone0/temp").write_text(text)
    finding = doctor.check_temperature(tmp_path)
    assert (finding.code, finding.value) == (code, value)


@pytest.mark.parametrize(("alarm", "code"), [("0\n", None), ("1\n", "T03")])
def test_the_supply(alarm: str, code: str | None, tmp_path: Path) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        folder = tmp_path / f"sys/class/hwmon/hwmon{number}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(name + "\n")
        (folder / "in0_lcrit_alarm").write_text(alarm)
    assert doctor.check_supply(tmp_path).code == code
    assert doctor.check_supply(tmp_path / "none").value == "-"


def test_the_versions() -> None:
    assert doctor.check_versions().code is None
    missing = doctor.check_versions(find=lambda name: None if name in ("cv2", "luma.oled") else object())
    assert (missing.code, missing.detail) == ("V01", "missing: cv2, luma.oled")
    assert doctor.check_versions(version=lambda name: "4.10").code == "V02"

    def bare(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    assert doctor.check_versions(version=bare).value == ""


def test_tc7_every_missing_part_in_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware.cli import main

    monkeypatch.setattr(command, "camera_opener", lambda config: _no_camera)
    monkeypatch.setattr(command, "pin_factory", _no_pins)
    assert main(["doctor", "--state", str(tmp_path), "--json"]) == 1
    output = capsys.readouterr()
    findings = {line["part"]: line for line in map(json.loads, output.out.splitlines())}
    assert {part: findings[part]["code"] for part in ("camera", "display", "buttons", "buzzer")} == {
        "camera": "C03", "display": "D02", "buttons": "B01", "buzzer": "B01",
    }  # fmt: skip
    assert output.err.count("\n") == 1
    assert "Camera (C03), Display (D02), Buttons (B01), Buzzer (B01)" in output.err


def _no_camera() -> Any:
    raise CameraError("expected a camera, got none")


def _no_pins(name: str) -> Any:
    raise MissingLibraryError("expected lgpio")


def test_while_a_referee_runs_its_parts_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from firmware.cli import main

    with Store.open(tmp_path):
        assert main(["doctor", "--state", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("the referee that runs holds it") == 4


def test_the_bundle_holds_findings_log_and_the_last_three_plays(tmp_path: Path) -> None:
    state, runtime = tmp_path / "state", tmp_path / "run"
    state.mkdir()
    runtime.mkdir()
    (state / "arbitro.log").write_text("camera lost")
    pictures = PlayPictures(runtime)
    for play in range(1, 6):
        for frame in (play * 10, play * 10 + 1):
            pictures.keep(play, frame, np.zeros((8, 8, 3), np.uint8))
    restarted = PlayPictures(runtime)
    restarted.keep(6, 60, np.zeros((8, 8, 3), np.uint8))
    bundle = tmp_path / "report.zip"
    assert write_bundle(bundle, [Finding("disk", "ok")], state, runtime, Config()) == 8
    with zipfile.ZipFile(bundle) as archive:
        assert archive.read("log/arbitro.log") == b"camera lost"
        assert json.loads(archive.read("findings.json"))[0]["part"] == "disk"
        plays = [name for name in archive.namelist() if name.startswith("plays/")]
    assert [name[6:11] for name in plays] == ["00004", "00004", "00005", "00005", "00006"]


def test_without_a_folder_in_memory_no_pictures_are_kept(tmp_path: Path) -> None:
    PlayPictures(None).keep(1, 1, np.zeros((8, 8, 3), np.uint8))
    assert write_bundle(tmp_path / "r.zip", [], tmp_path, None, Config()) == 2


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_screen_shows_what_is_wrong_first(language: Any) -> None:
    findings = [Finding("disk", "ok", "81%"), *[Finding("clock", "warning", "?", "T01")] * 2]
    findings += [Finding("temperature", "ok", "58C"), Finding("reflections", "fault", "", "C07")]
    screen = selftest(Words(language), findings=[*findings, *findings])
    assert "C07" in screen.rows[1]
    assert screen.rows[1].endswith("!")
    assert all(len(row) <= 21 for row in screen.rows)
    assert draw(screen).getbbox() is not None


def test_every_alarm_is_in_the_guide() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs/troubleshooting.md").read_text()
    pages = [make(Words(language)) for make in USUAL.values() for language in ("it", "en")]
    titles = [page.rows[0].strip() for page in pages if page.alarm]
    assert len(titles) > 12
    told = {name for row in guide.splitlines() for cell in row.split("|")[1:3] for name in cell.strip().split(", ")}
    assert [title for title in titles if title not in told] == []


def test_every_code_has_its_advice_and_is_in_the_guide() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs/troubleshooting.md").read_text()
    codes = {key.removeprefix("code.") for key in TEXTS if key.startswith("code.")}
    sources = "".join(
        (Path(doctor.__file__).parent / name).read_text()
        for name in ("doctor.py", "doctor_devices.py", "commands/doctor.py")
    )
    assert all(f'"{code}"' in sources for code in codes), "a code that nothing tells"
    assert [code for code in sorted(codes) if f"| {code} |" not in guide] == []
