"""The buttons of a recording: which were pressed after which frame. A line is `FRAME BUTTON [hold|repeat] [xTIMES]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.errors import UsageError
from hardware.gestures import Gesture

_LINE: Final = re.compile(
    r"(?P<frame>\d+)\s+(?P<button>no|minus|plus|ok)(\s+(?P<kind>hold|repeat))?(\s+x(?P<times>\d+))?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """A button after a frame: `kind` is `press`, `hold` or `repeat`, done `times` times."""

    frame: int
    button: str
    kind: str = "press"
    times: int = 1

    def __str__(self) -> str:
        kind = "" if self.kind == "press" else f" {self.kind}"
        return f"{self.frame} {self.button}{kind}" + (f" x{self.times}" if self.times != 1 else "")

    def gestures(self, fps: float) -> Iterator[Gesture]:
        """What the box gets."""
        for _ in range(self.times):
            yield Gesture(self.button, self.kind, self.frame / fps)  # type: ignore[arg-type]  # kinds of the pattern


def parse(text: str) -> tuple[Press, ...]:
    """A script; empty lines and what follows a `#` say nothing. Raises `UsageError` that names the line."""
    presses: list[Press] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line.split("#")[0].strip()
        if not said:
            continue
        found = _LINE.fullmatch(said)
        if found is None:
            raise UsageError(
                f"expected FRAME BUTTON [hold|repeat] [xTIMES] in line {number} of the script, got {said!r}"
            )
        if presses and int(found["frame"]) < presses[-1].frame:
            raise UsageError(f"expected frames that do not go back, got {said!r} in line {number} of the script")
        kind, times = found["kind"] or "press", int(found["times"] or 1)
        presses.append(Press(int(found["frame"]), found["button"], kind, times))
    return tuple(presses)


def read(file: Path) -> tuple[Press, ...]:
    """The script in a file. Raises `UsageError`, `OSError`."""
    try:
        return parse(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"expected a script in UTF-8, got {file}: {error}") from error


def write(file: Path, presses: Iterable[Press]) -> None:
    """A script as `parse` reads it. Raises `OSError`."""
    file.write_text("".join(f"{press}\n" for press in presses))
