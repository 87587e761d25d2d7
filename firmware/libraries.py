"""Which of the libraries that the program needs are missing: all of them at once, told without any of them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Final

LIBRARIES: Final = ("numpy", "cv2", "PIL", "gpiozero", "luma.oled", "luma.core", "msgspec", "platformdirs", "tqdm")


def missing_libraries(find: Callable[[str], object | None] = importlib.util.find_spec) -> tuple[str, ...]:
    """The names under which they would be imported."""
    return tuple(name for name in LIBRARIES if not _found(name, find))


def _found(name: str, find: Callable[[str], object | None]) -> bool:
    try:
        return find(name) is not None
    except (ImportError, ValueError):  # the package around it is missing, or was only half loaded
        return False
