"""The units as systemd judges them, and the files that are installed beside them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from firmware.config import Config, describe, load

ROOT = Path(__file__).parent.parent.parent
SYSTEMD = ROOT / "systemd"
UNITS = ("arbitro.service", "arbitro-failed.service", "arbitro-splash.service")

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units with a program that exists on any machine."""
    for name in UNITS:
        text = (SYSTEMD / name).read_text()
        (tmp_path / name).write_text(re.sub(r"/opt/arbitro/current/venv/bin/\w+", "/bin/true", text))
    return tmp_path


def analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)


@needs_systemd
def test_verify_prints_nothing(units: Path) -> None:
    result = analyze(units, "verify", *(f"./{name}" for name in UNITS))
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


@needs_systemd
def test_verify_would_print_an_unknown_key(units: Path) -> None:
    unit = units / "arbitro.service"
    unit.write_text(unit.read_text().replace("WatchdogSec", "WatchdogSecs"))
    assert "WatchdogSecs" in analyze(units, "verify", "./arbitro.service").stderr


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
def test_exposure_is_at_most_one(units: Path, name: str) -> None:
    result = analyze(units, "security", "--offline=true", "--threshold=10", f"./{name}")
    assert result.returncode == 0, result.stdout[-200:]


@needs_systemd
def test_exposure_without_the_sandbox_fails(units: Path) -> None:
    unit = units / "arbitro.service"
    unit.write_text(re.sub(r"(?m)^(ProtectSystem|SystemCallFilter|CapabilityBoundingSet)=.*\n", "", unit.read_text()))
    assert analyze(units, "security", "--offline=true", "--threshold=10", "./arbitro.service").returncode != 0


@pytest.mark.parametrize("device", ["gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap"])
@pytest.mark.parametrize("name", UNITS)
def test_each_device_is_allowed(name: str, device: str) -> None:
    if name == "arbitro-splash.service" and device in ("video4linux", "media", "dma_heap"):
        assert device not in (SYSTEMD / name).read_text(), "it draws, and looks at nothing"
        return
    assert f"DeviceAllow=char-{device} rw\n" in (SYSTEMD / name).read_text()


def test_copies_can_be_written_to_sticks() -> None:
    assert "ReadWritePaths=-/media -/run/media\n" in (SYSTEMD / "arbitro.service").read_text()


def test_the_groups_of_the_unit_are_made() -> None:
    made = re.findall(r"(?m)^g (\w+)", (SYSTEMD / "arbitro.sysusers").read_text())
    wanted = re.search(r"(?m)^SupplementaryGroups=(.*)$", (SYSTEMD / "arbitro.service").read_text())
    assert wanted is not None
    assert set(wanted[1].split()) <= set(made)


@pytest.mark.parametrize("name", ["install.sh", "uninstall.sh"])
def test_the_scripts_are_posix_shell(name: str) -> None:
    shell = shutil.which("dash") or "/bin/sh"
    assert subprocess.run([shell, "-n", SYSTEMD / name], capture_output=True, timeout=10).stderr == b""


def test_all_files_that_the_installer_names_exist() -> None:
    named = re.findall(r'"\$from/([\w.-]+)"', (SYSTEMD / "install.sh").read_text())
    assert len(named) >= 7
    assert [name for name in named if not (SYSTEMD / name).is_file()] == []


def test_what_is_installed_is_removed() -> None:
    uninstall = (SYSTEMD / "uninstall.sh").read_text()
    script = (SYSTEMD / "install.sh").read_text().replace("$UNITS", "/etc/systemd/system")
    installed = re.findall(r'install -D .*"\$from/[\w.-]+" (\S+)', script)
    assert len(installed) >= 6
    assert [path for path in installed if path not in uninstall] == []
    assert "/var/lib/arbitro" not in re.findall(r"(?m)^\s*rm .*$", uninstall)[-1]


def test_the_example_shows_every_setting_with_its_default(tmp_path: Path) -> None:
    example = (SYSTEMD / "arbitro.toml").read_text()
    assert load(SYSTEMD / "arbitro.toml") == Config()
    uncommented = tmp_path / "all.toml"
    uncommented.write_text(re.sub(r"(?m)^#(\w+ = )", r"\1", example))
    assert load(uncommented) == Config()
    assert {
        f"{section}.{name}" for section, group in tomllib.loads(uncommented.read_text()).items() for name in group
    } == {key for key, *_ in describe(Config())}


@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_the_locks_keep_what_the_project_asks_for(release: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (SYSTEMD / f"requirements-{release}.txt").read_text()
    pins = dict(re.findall(r"(?m)^([\w.-]+)==(\S+) \\$", lock))
    assert lock.count("==") == len(pins)
    for requirement in map(Requirement, project["dependencies"]):
        name = requirement.name.replace(".", "-")
        assert pins[name] in requirement.specifier, f"{release}: {name} {pins.get(name)}"
    assert all(re.search(rf"(?m)^{name}=={pins[name]} \\\n    --hash=sha256:", lock) for name in pins)


def test_the_locks_pair_numpy_and_opencv() -> None:
    pairs = {}
    for release in ("bookworm", "trixie"):
        lock = (SYSTEMD / f"requirements-{release}.txt").read_text()
        pairs[release] = re.findall(r"(?m)^(?:numpy|opencv-python-headless)==(\S+)", lock)
    assert pairs["bookworm"][0].startswith("1.26.")  # apt's simplejpeg is built for numpy 1
    assert pairs["bookworm"][1].startswith("4.11.")
    assert pairs["trixie"][0].startswith("2.2.")
    assert pairs["trixie"][1].startswith("4.14.")


def test_nothing_of_the_installation_is_writable_for_others() -> None:
    assert [file.name for file in SYSTEMD.iterdir() if file.stat().st_mode & 0o002] == []
