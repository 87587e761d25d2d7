"""The whole appliance on a rendered table: the people there play by themselves, keys are the buttons."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from shutil import get_terminal_size
from typing import TextIO

from PIL.Image import Image

from firmware.app import App, Parts
from firmware.button_script import Press
from firmware.desk import Desk
from firmware.draw import terminal
from firmware.keys import LEGEND, Keys
from firmware.table_blocks import blocks, spot
from hardware.frame import Frame, Picture
from hardware.gestures import Gesture
from hardware.live import CameraHealth
from vision.deck import Deck
from vision.detect import read
from vision.settle import Watcher
from vision.synthetic.choice import FAULTS
from vision.synthetic.recording import RenderedMatch


class RenderedTable:
    """A camera above a rendered table, with a clock that goes on by one frame at every look.

    People play while `playing` says so. `real` keeps the clock from running ahead of the true time. `watch` is shown
    every frame.
    """

    def __init__(
        self,
        match: RenderedMatch,
        fps: int,
        playing: Callable[[], bool],
        real: bool,
        watch: Callable[[Picture], object],
    ) -> None:
        self._frames: Iterator[tuple[int, Picture]] = ((each.number, each.picture) for each in match.frames())
        self._fps, self._playing, self._watch = fps, playing, watch
        self._began = time.monotonic() if real else None
        self.now, self.over, self.number = 0.0, False, -1

    @property
    def health(self) -> CameraHealth:
        """A rendered camera is always well."""
        return CameraHealth("ok")

    def newest(self, wait: float = 0.0) -> Frame | None:
        """The next frame, None while nobody plays. Frames are made when they are asked for, so `wait` is not needed."""
        self.now += 1 / self._fps
        ahead = self.now - (time.monotonic() - self._began) if self._began is not None else 0.0
        if ahead > 0:
            time.sleep(ahead)
        if self.over or not self._playing():
            return None
        number, picture = next(self._frames, (-1, None))
        if picture is None:
            self.over = True
            return None
        self._watch(picture)
        self.number = number
        return Frame(picture, number / self._fps, number)


class People:
    """The buttons: what a person types, and what the people at the rendered table press, each after its frame."""

    def __init__(self, keys: Keys, presses: Iterable[Press], fps: int, shown: Callable[[], int]) -> None:
        self._keys, self._left, self._fps, self._shown = keys, list(presses), fps, shown

    def poll(self) -> list[Gesture]:
        """What was pressed since the last call."""
        gestures = self._keys.poll()
        while self._left and self._left[0].frame <= self._shown():
            gestures += self._left.pop(0).gestures(self._fps)
        return gestures

    def held(self) -> None:
        """Keys and rendered people only press."""
        return self._keys.held()


class TerminalGlass:
    """The display in a terminal: drawn over itself, the keys below it, the table where there is room.

    It keeps every picture that the display showed.
    """

    def __init__(self, out: TextIO) -> None:
        self._out, self._live = out, out.isatty()
        self.pictures: list[Image] = []
        if self._live:
            out.write("\x1b[2J")

    def show(self, picture: Image) -> None:
        """A picture, if it is another one than before."""
        if self.pictures and picture.tobytes() == self.pictures[-1].tobytes():
            return
        self.pictures.append(picture)
        if self._live:
            self._out.write(f"\x1b[H{terminal(picture)}\n\n{LEGEND}\n")
            self._out.flush()

    def table(self, picture: Picture) -> None:
        """What the camera sees now."""
        place = spot(get_terminal_size(), (picture.shape[1], picture.shape[0])) if self._live else None
        if place is not None:
            lines = enumerate(blocks(picture, place.width), place.row)
            self._out.write("".join(f"\x1b[{row};{place.column}H{line}" for row, line in lines))
            self._out.flush()

    def leave(self) -> None:
        """Nothing more will be shown: what the terminal writes next comes below."""
        if self._live:
            self._out.write(f"\x1b[{get_terminal_size().lines};1H\n")

    def contrast(self, level: int) -> None:
        """A terminal cannot be dimmed."""

    def on(self) -> None:
        """The next picture is drawn anyway."""

    def off(self) -> None:
        """Dark: an empty terminal."""
        if self._live:
            self._out.write("\x1b[2J")


def simulate(
    desk: Desk,
    match: RenderedMatch,
    fps: int,
    deck: Deck,
    keys: Keys,
    glass: TerminalGlass,
    *,
    real: bool,
    watch: Callable[[Picture], object],
    pressed: Iterable[Press] = (),
) -> RenderedTable:
    """Runs until q is typed or, when not `real`, a little after the people at the table have ended or wait in vain.

    They wait in vain where the appliance wants a key and none is left to type. `watch` is shown every frame that the
    camera took, `pressed` is what those people press.
    """

    def playing() -> bool:
        return desk.playing and (keys.once or not keys.waiting)

    table = RenderedTable(match, fps, playing, real, watch)
    keys.clock = lambda: table.now
    app = App(
        desk,
        Parts(table, glass, People(keys, pressed, fps, lambda: table.number)),
        lambda name: Watcher(deck, read, desk.marks),
        lambda: table.now,
        switch_off=keys.end,
        family=lambda name: deck.family,
    )
    rest, happened = 0, desk.happened
    while not keys.ended and rest < 5 * fps:
        app.step()
        match.director.waiting += [FAULTS[number] for number in keys.broken]
        keys.broken.clear()
        if desk.happened != happened:
            keys.once, happened = False, desk.happened
        vain = keys.silent > 0 and not playing()
        rest = rest + 1 if (table.over or vain) and not real else 0
    return table


def script(keys: Sequence[str]) -> Callable[[], str]:
    """Types one of these characters at each look; nothing when they are used up."""
    left = list(keys)
    return lambda: left.pop(0) if left else ""
