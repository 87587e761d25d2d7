"""Keys of a terminal in place of the four buttons."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from typing import Final

from hardware.gestures import Gesture

LEGEND: Final = """n - + o: buttons   N O: held   F: OK held long   x: NO and OK   q: end
space: people wait   p: they play once   1 to 9, 0: they break a rule as soon as they can"""

_KEYS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "n": (("no", "press"),),
    "-": (("minus", "press"),),
    "+": (("plus", "press"),),
    "=": (("plus", "press"),),  # the same key without shift
    "o": (("ok", "press"),),
    "\n": (("ok", "press"),),
    "N": (("no", "hold"),),
    "O": (("ok", "hold"),),
    "F": (("ok", "hold"), *((("ok", "repeat"),) * 4)),
    "x": (("no+ok", "chord"),),
}


class Keys:
    """Gestures from characters. `read` gives what was typed since it was last asked.

    `waiting` turns with the space bar; `once` is true from p until somebody has played; `broken` are the numbers,
    from 0, of the rules that people are to break. `ended` is true after q. `silent` counts the looks since something
    was typed. `clock` gives the time of the gestures in seconds.
    """

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read
        self.clock: Callable[[], float] = lambda: 0.0
        self.waiting = self.once = self.ended = False
        self.broken: list[int] = []
        self.silent = 0

    def poll(self) -> list[Gesture]:
        """What was typed, as gestures."""
        gestures: list[Gesture] = []
        text = self._read()
        self.silent = 0 if text else self.silent + 1
        for character in text:
            if character == " ":
                self.waiting = not self.waiting
            elif character == "p":
                self.waiting = self.once = True
            elif character in "1234567890":
                self.broken.append((int(character) - 1) % 10)
            elif character == "q":
                self.ended = True
            for button, kind in _KEYS.get(character, ()):
                gestures.append(Gesture(button, kind, self.clock()))  # type: ignore[arg-type]  # kinds of the table
        return gestures

    def end(self) -> None:
        """As q does."""
        self.ended = True

    def held(self) -> None:
        """A terminal does not tell how long a key is down."""
        return


@contextlib.contextmanager
def typed() -> Iterator[Callable[[], str]]:
    """What is typed on standard input, key by key, while the block runs; nothing where it is no terminal."""
    if not sys.stdin.isatty():
        yield lambda: ""
        return
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield lambda: _waiting(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _waiting(number: int) -> str:
    ready, _, _ = select.select([number], [], [], 0)
    return os.read(number, 64).decode("utf-8", "ignore") if ready else ""
