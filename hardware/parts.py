"""Opens all parts of the box at once: what is missing is told in one message, and the rest works without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hardware.errors import HardwareError


@dataclass(frozen=True)
class Parts:
    """`opened` holds what is there, by name, `missing` why the others are not."""

    opened: Mapping[str, Any]
    missing: Mapping[str, HardwareError]

    @property
    def message(self) -> str:
        """One line that names every missing part, empty when all are there."""
        if not self.missing:
            return ""
        parts = "; ".join(f"{name}: {' '.join(str(error).split())}" for name, error in self.missing.items())
        return f"{len(self.missing)} of {len(self.missing) + len(self.opened)} parts are missing: {parts}"


def open_parts(openers: Mapping[str, Callable[[], Any]]) -> Parts:
    """Open each part; one that fails stops no other."""
    opened, missing = dict[str, Any](), dict[str, HardwareError]()
    for name, opener in openers.items():
        try:
            opened[name] = opener()
        except HardwareError as error:
            missing[name] = error
    return Parts(opened, missing)
