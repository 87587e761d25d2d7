"""`arbitro doctor`: self-test of camera, display, buttons, deck, disk, clock, versions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from firmware import doctor, doctor_devices
from firmware.config import Config, load
from firmware.doctor import Finding
from firmware.draw import draw
from firmware.errors import StoreBusyError
from firmware.report import runtime_directory, write_bundle
from firmware.screens_box import selftest
from firmware.store import Store, default_directory
from firmware.text import Words
from firmware.wiring import camera_opener, wiring_of
from hardware import system
from hardware.display import Display
from hardware.errors import HardwareError
from hardware.panel import open_panel
from hardware.pins import pin_factory

INSTALLED_RUNTIME = Path("/run/arbitro")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `arbitro doctor`."""
    parser.add_argument("--state", type=Path, default=None, metavar="DIR", help="the state directory")
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help="the settings")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--display", action="store_true", help="show the findings on the display too")
    parser.add_argument("--press", type=float, default=0, metavar="SECONDS", help="wait for each button to be pressed")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="pack a report with log and the last plays")


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 if a fault was found."""
    config, state = load(arguments.config), arguments.state or default_directory()
    findings = []
    for finding in _all(config, state, arguments.press):
        findings.append(finding)
        _print(finding, arguments.json)
    _missing(findings)
    if arguments.display:
        _show(config, findings)
    if arguments.bundle:
        runtime = runtime_directory() or (INSTALLED_RUNTIME if INSTALLED_RUNTIME.is_dir() else None)
        count = write_bundle(arguments.bundle, findings, state, runtime, config)
        print(f"{arguments.bundle}: {count} files", file=sys.stderr)
    return 1 if doctor.worst(findings) == "fault" else 0


def _all(config: Config, state: Path, press: float) -> Iterator[Finding]:
    yield doctor.check_disk(state)
    yield doctor.check_matches(state)
    deck_finding, deck = doctor_devices.check_learnt_deck(config.game.deck, state)
    yield deck_finding
    if _referee_runs(state):
        for part in ("camera", "display", "buttons", "buzzer"):
            yield Finding(part, "ok", "-", detail="not tested: the referee that runs holds it")
    else:
        opener = camera_opener(config)
        if opener is None:
            yield Finding("camera", "ok", "-", detail=f"the settings name a recording: {config.camera.source}")
        else:
            yield from doctor_devices.check_camera(opener, deck)
        yield from _on_pins(config, press)
    yield doctor.check_clock()
    yield doctor.check_temperature()
    yield doctor.check_supply()
    yield doctor.check_versions()


def _on_pins(config: Config, press: float) -> Iterator[Finding]:
    """Display, buttons and buzzer; an SPI display needs the pins too."""
    try:
        factory: Any = pin_factory("lgpio")
    except HardwareError as error:
        if config.display.bus == "i2c":
            yield doctor_devices.check_display(config, None)
        else:
            yield Finding("display", "fault", "", "B01", str(error))
        yield Finding("buttons", "fault", "", "B01", str(error))
        yield Finding("buzzer", "fault", "", "B01", str(error))
        return
    try:
        yield doctor_devices.check_display(config, factory)
        if press:
            print(f"press each button once within {press:.0f} s", file=sys.stderr)
        yield doctor_devices.check_pin_table(config) or doctor_devices.check_buttons(config, factory, press)
        yield doctor_devices.check_buzzer(config, factory)
    finally:
        factory.close()


def _referee_runs(state: Path) -> bool:
    try:
        with Store.open(state):
            return False
    except StoreBusyError:
        return True


def _print(finding: Finding, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(finding).decode(), flush=True)
        return
    say = Words("en")
    name, mark = say(f"part.{finding.part}"), {"ok": "ok", "warning": "!", "fault": "FAULT"}[finding.state]
    value = "" if finding.value == "-" else finding.value
    print(f"{name:<12} {mark:<6} {finding.code or '':<4} {value:<10} {finding.detail}".rstrip())
    if finding.code:
        print(f"{'':24} -> {say(f'code.{finding.code}')}", flush=True)


def _missing(findings: list[Finding]) -> None:
    """All that is missing in one message, for people and for logs."""
    faults = [f"{Words('en')(f'part.{f.part}')} ({f.code})" for f in findings if f.state == "fault"]
    board = system.model() or "this computer, which is no Raspberry Pi"
    if faults:
        print(f"{len(faults)} faults on {board}: {', '.join(faults)}", file=sys.stderr)


def _show(config: Config, findings: list[Finding]) -> None:
    """The findings on the panel, and left there."""
    driver = config.display.driver
    if driver == "none":
        return
    factory = pin_factory("lgpio") if config.display.bus == "spi" else None
    display = Display(lambda: open_panel(driver, wiring_of(config.display), factory))
    display.show(draw(selftest(Words(config.game.language), findings=findings)))
    display.close(keep_picture=True)
