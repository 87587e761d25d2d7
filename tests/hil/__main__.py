"""`python -m tests.hil [GROUP...]`: the installed appliance in a virtual machine; see docs/hardware-tests.md."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hil.hand import write_hand
from tests.hil.machine import Machine

HERE = Path(__file__).parent
PROGRAMS = ("qemu-system-x86_64", "qemu-img", "debootstrap", "busybox", "cpio", "mke2fs")
PACKAGES = "qemu-system-x86 qemu-utils debootstrap busybox-static cpio e2fsprogs xz-utils"
SILENCE = 900
"""Seconds without a word after which a machine counts as hung."""


class Suite:
    """What all groups need: the cache, the luck, and what is broken on purpose."""

    def __init__(self, cache: Path, seed: int, cuts: int, broken: str, until: str) -> None:
        self.cache, self.cuts = cache, cuts
        self.words = f" hil.broken={broken}" * bool(broken) + f" hil.until={until}" * bool(until)
        self.seed, self.luck = seed, random.Random(seed)
        self.failures = 0

    def boot(self, words: str, log: str, disk: Path | None = None, *more: str) -> Machine:
        """Switch the machine on; without a `disk` of its own it forgets everything afterwards."""
        disk = disk or self.cache / "root.img"
        return Machine(self.cache, disk, words + self.words, self.cache / f"{log}.log", more)

    def disk(self, name: str) -> Path:
        """A disk that keeps what is written between boots."""
        disk = self.cache / f"{name}.qcow2"
        disk.unlink(missing_ok=True)
        command = ["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(self.cache / "root.img"), "-F", "raw"]
        subprocess.run([*command, str(disk)], check=True)
        return disk

    def tell(self, line: str) -> None:
        """Pass on what was proved, count what was not."""
        self.failures += line.startswith("hil: FAILED")
        print(line, flush=True)


def usual(suite: Suite, group: str, disk: Path | None = None, *more: str, words: str = "") -> list[str]:
    """One boot whose scenarios speak for themselves."""
    said = []
    with suite.boot(f"hil={group}{words}", group, disk, *more) as machine:
        for line in machine.lines(SILENCE):
            said.append(line)
            if line.startswith(("hil: passed", "hil: FAILED")):
                suite.tell(line)
            if line == "hil: end" and disk is not None:
                break  # the plug is pulled
    if "hil: end" not in said:
        suite.tell(f"hil: FAILED: {group}: it did not come to its end, see {suite.cache / group}.log")
    return said


def hand(suite: Suite) -> None:
    """A whole hand, from the first button to the score."""
    shutil.rmtree(suite.cache / "share/hand", ignore_errors=True)
    write_hand(suite.cache / "share/hand", suite.seed)
    usual(suite, "hand")


def power(suite: Suite) -> None:
    """The plug is pulled at random moments, again and again on one disk."""
    disk, shown, moment = suite.disk("power"), "", 0.0
    for cut in range(suite.cuts + 1):
        last = cut == suite.cuts
        words = f"INIT=/opt/hil/cut.sh hil.seed={suite.seed * 1000 + cut * 50} hil.shown={shown}"
        with suite.boot(words + " hil.end=1" * last, "power", disk) as machine:
            for line in machine.until("hil: playing", SILENCE):
                if line.startswith(("hil: passed", "hil: FAILED")):
                    suite.tell(f"{line} (cut {cut} of {suite.cuts}, {moment:.2f} s after it began to play)")
            if last:
                break
            moment = suite.luck.uniform(0.5, 6)
            said = _said_in(machine, moment)
        marks = [line.removeprefix("hil: shown ") for line in said if line.startswith("hil: shown ")]
        shown = marks[-1] if marks else shown
    disk.unlink()


def _said_in(machine: Machine, seconds: float) -> list[str]:
    """What is said until the plug is pulled so much later."""
    time.sleep(seconds)
    return machine.pull()


def clock(suite: Suite) -> None:
    """The clock at 1970, a cut, the clock right and then set back."""
    disk = suite.disk("clock")
    usual(suite, "clock-1970", disk)
    usual(suite, "clock-right", disk)
    disk.unlink()


def readonly(suite: Suite) -> None:
    """The root read-only, the matches on a disk of their own."""
    state = suite.cache / "state.img"
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", str(state), "64M"], check=True)
    usual(suite, "readonly", None, "-drive", f"file={state},if=virtio,format=raw,snapshot=on", words=" hil.readonly")


GROUPS: dict[str, Callable[[Suite], object]] = {
    "parts": lambda suite: usual(suite, "parts"),
    "appliance": lambda suite: usual(suite, "appliance"),
    "camera": lambda suite: usual(suite, "camera"),
    "hand": hand,
    "power": power,
    "readonly": readonly,
    "clock": clock,
    "update": lambda suite: usual(suite, "update"),
}


def share(cache: Path) -> None:
    """What the machine gets from here: the scenarios and what they take from the other tests."""
    folder = cache / "share"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "guest", folder / "guest", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE.parent / "hardware/panel_bytes.py", folder / "guest")
    for file in ("firmware/camera.py", "soak/evening.py"):
        (folder / "tests" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE.parent / file, folder / "tests" / file)


def missing() -> Iterator[str]:
    """What this machine lacks for the suite."""
    if os.getuid() != 0:
        yield "expected to run as root"
    for program in PROGRAMS:
        if shutil.which(program) is None:
            yield f"expected {program}: apt-get install --no-install-recommends {PACKAGES}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=[], metavar="GROUP", help=f"of {', '.join(GROUPS)}; else all")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--cuts", type=int, default=20, help="how often the plug is pulled")
    parser.add_argument("--broken", default="", choices=("", "device", "pin", "fsync"), help="break it on purpose")
    parser.add_argument("--until", default="", metavar="SCENARIO", help="the last one of its group to run")
    parser.add_argument("--as-installed", action="store_true", help="the machine as it was built last time")
    arguments = parser.parse_args()
    lacking = list(missing()) + [f"expected one of {', '.join(GROUPS)}" for g in arguments.groups if g not in GROUPS]
    if lacking:
        print(f"hil: {lacking[0]}", file=sys.stderr)
        return 1
    began = time.monotonic()
    cache = Path(os.environ.get("ARBITRO_CACHE", Path.home() / ".cache/arbitro")) / "hil"
    if not arguments.as_installed:
        subprocess.run([HERE / "image.sh", cache], check=True)
        print(f"hil: the machine is built after {time.monotonic() - began:.0f} s", flush=True)
    share(cache)
    suite = Suite(cache, arguments.seed, arguments.cuts, arguments.broken, arguments.until)
    for group in arguments.groups or GROUPS:
        (cache / f"{group}.log").unlink(missing_ok=True)
        try:
            GROUPS[group](suite)
        except TimeoutError as error:
            suite.tell(f"hil: FAILED: {group}: {error}")
    result = f"{suite.failures} failed" if suite.failures else "all passed"
    print(f"hil: {result} in {time.monotonic() - began:.0f} s (seed {suite.seed})")
    return 1 if suite.failures else 0


if __name__ == "__main__":
    sys.exit(main())
