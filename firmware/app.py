"""The loop of the appliance: frames, gestures and time go to the desk; pictures, sounds and wishes come from it.

One thread decides. The camera, the buttons, the display and the buzzer have their own threads below, which only fill or
empty a queue: nothing here waits for a device, so buttons and display work whatever the camera does.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from PIL.Image import Image

from engine.cards import Family
from firmware.calibration import ninth
from firmware.desk import Desk
from firmware.errors import FirmwareError
from firmware.idle import Idle, glass
from firmware.menu_facts import NoCamera, Trouble
from firmware.notify import Notifier
from firmware.tasks import Tasks
from firmware.text import Words
from hardware.buzzer import Sound
from hardware.errors import CameraError
from hardware.frame import Frame, Picture
from hardware.gestures import Gesture
from hardware.live import BACK_OFF, CameraHealth, Cause
from vision.observation import SeenCard, TableObservation

log = logging.getLogger(__name__)

WAIT: Final = 0.04
"""Seconds that one turn of the loop waits for a frame: buttons must be asked ten times a second or more."""
SHOWN: Final = 3.0
"""Seconds for which a change of the light is shown."""
SMALL: Final = (128, 64)
"""Dots of the usual display; on a larger one there is room for a page beside the one that people see."""
CODES: Final[dict[Cause, str]] = {"library": "C01", "busy": "C02", "gone": "C03"}
"""Codes of docs/troubleshooting.md for a camera that gives no frames."""


class FrameFeed(Protocol):
    """Where frames come from: `hardware.live.LiveCamera`, or a rendered table."""

    @property
    def health(self) -> CameraHealth: ...

    def newest(self, wait: float = 0.0) -> Frame | None: ...


class Watching(Protocol):
    """What makes observations of frames: `vision.settle.Watcher`."""

    def update(self, picture: Picture, frame: int, time: float, little: Picture | None = None) -> TableObservation: ...


class Glass(Protocol):
    """A display: `hardware.display.BackgroundDisplay`, or a terminal."""

    def show(self, picture: Image) -> object: ...

    def contrast(self, level: int) -> object: ...

    def on(self) -> object: ...

    def off(self) -> object: ...


class Pressed(Protocol):
    """Buttons: `hardware.buttons.Buttons`, or the keys of a terminal."""

    def poll(self) -> list[Gesture]: ...

    def held(self) -> tuple[str, float] | None: ...


class Heard(Protocol):
    """A buzzer: `hardware.buzzer.Buzzer`."""

    def play(self, sound: Sound) -> object: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The devices of a box; any of them but the camera may be missing. `size` of the display in dots."""

    camera: FrameFeed
    display: Glass | None = None
    buttons: Pressed | None = None
    buzzer: Heard | None = None
    size: tuple[int, int] = SMALL
    colour: bool = False


class App:
    """One box. `watcher` makes what looks at frames for the deck of a name; `clock` is that of the gestures,
    `hold` the seconds until a button counts as held, `family` what the cards of a deck are called.
    """

    def __init__(
        self,
        desk: Desk,
        parts: Parts,
        watcher: Callable[[str], Watching],
        clock: Callable[[], float],
        *,
        idle: Idle | None = None,
        hold: float = 1.0,
        notifier: Notifier | None = None,
        switch_off: Callable[[], None] | None = None,
        tasks: Tasks | None = None,
        family: Callable[[str], Family] = lambda name: "italian",
    ) -> None:
        self.desk, self.parts = desk, parts
        self._make_watcher, self._clock = watcher, clock
        self._idle = replace(idle or Idle(), last=clock())
        self._notifier = notifier or Notifier({})
        self._hold, self._switch_off = hold, switch_off
        self._tasks, self._family = tasks, family
        self._eyes = ("", True)
        self._watcher: Watching | None = None
        self._bright: int | None = None
        self._lit_until = float("-inf")
        self._begun = False
        self._lost: set[str] = set()

    def run(self, stop: threading.Event) -> None:
        """Until `stop` is set. Raises `StoreError` when nothing can be stored any more, `CameraError` for a camera that
        hangs and cannot be stopped.
        """
        while not stop.is_set():
            self.step()
        self._notifier.stopping()

    def step(self) -> None:
        """One turn: what came, then what is to be seen and heard."""
        if self._begun:  # the first screen does not wait for a deck to be opened
            self._look(self.parts.camera.newest(WAIT))
        now = self._clock()
        self._listen(now)
        self._care(now)
        self.desk.tick(now)
        self._answer(now)
        if not self._begun:
            self._begun = True
            self._notifier.ready("at the table")
        self._notifier.alive()

    def _look(self, frame: Frame | None) -> None:
        """One frame, if a new one is there, with the eyes for the deck that was chosen."""
        if self._tasks and self._tasks.learning:  # no deck knows these cards yet
            self._learn(self._tasks, frame)
            return
        deck = self.desk.menu.choices.deck
        if self._watcher is None or (deck, self.desk.marks) != self._eyes:
            self._eyes, self._watcher = (deck, self.desk.marks), self._make_watcher(deck)
            self.desk.box = replace(self.desk.box, family=self._family(deck))
        if frame is None:
            return
        observation = self._watcher.update(frame.picture, frame.number, frame.time, frame.small)
        now = self._clock()
        if not observation.still:
            self._idle = self._idle.moved(now)
        height, width = frame.picture.shape[:2]
        trouble = trouble_of(observation, width, height)
        if trouble is not None:
            self._lit_until = now + SHOWN
        if trouble is not None or now >= self._lit_until:
            self.desk.box = replace(self.desk.box, trouble=trouble)
        if self._tasks:
            self._tasks.look(frame.picture, observation, now)
        events = self.desk.observe(observation, now)
        if self._tasks:
            self._tasks.played(events)

    def _learn(self, tasks: Tasks, frame: Frame | None) -> None:
        if frame is None:
            return
        moved, taken = tasks.learn(frame.picture, frame.time)
        if moved or taken:
            self._idle = self._idle.moved(self._clock())
        if taken and self.parts.buzzer and self.desk.menu.choices.sound != "off":
            self.parts.buzzer.play("click")

    def _listen(self, now: float) -> None:
        for gesture in self.parts.buttons.poll() if self.parts.buttons else []:
            self._idle, counts = self._idle.pressed(now)
            if counts:
                self.desk.gesture(gesture)

    def _care(self, now: float) -> None:
        """What the box knows of itself."""
        health = self.parts.camera.health
        if health.state == "stuck":  # what was shown is on disk; only a new process gets the camera back
            raise CameraError(f"expected a camera that can be stopped, got one that hangs: {health.reason}")
        camera = None
        if health.state == "lost":
            wait = round(BACK_OFF[min(max(health.attempt, 1), len(BACK_OFF)) - 1])
            camera = NoCamera(wait, health.attempt, CODES[health.cause])
        starting = (("memory", "ok"), ("buttons", "ok" if self.parts.buttons else "none"), ("camera", "running"))
        checks = (*starting, ("deck", self.desk.menu.choices.deck[:12])) if health.state == "starting" else ()
        self.desk.box = replace(self.desk.box, camera=camera, checks=checks)
        if self._tasks:
            self.desk.box = self._tasks.told(self.desk.box, Words(self.desk.menu.choices.language))
        self._idle = replace(self._idle, alarm=self.desk.alarm or camera is not None)
        self._note(camera is not None)

    def _note(self, camera_lost: bool) -> None:
        """A part that was lost is noted in the record of the match, once each time."""
        display_lost = getattr(self.parts.display, "lost", None) is not None
        lost = {name for name, gone in (("camera_lost", camera_lost), ("display_lost", display_lost)) if gone}
        for name in sorted(lost - self._lost):
            self.desk.notice(name)
        self._lost = lost

    def _answer(self, now: float) -> None:
        if self.parts.buzzer:
            for sound in self.desk.heard():
                self.parts.buzzer.play(sound)
        for wish in self.desk.wishes():
            if wish.name == "off":
                self._off()
            elif wish.name == "restore_copy" and self._tasks and wish.n is not None:
                if self._tasks.restore(wish.n, Words(self.desk.menu.choices.language)):
                    self.desk.renew()
            elif self._tasks:
                learnt = self._tasks.wish(wish.name, Words(self.desk.menu.choices.language))
                if learnt:
                    self.desk.use_deck(learnt)
        if self.parts.display:
            self._show(self.parts.display, now)

    def _show(self, display: Glass, now: float) -> None:
        bright = self._idle.contrast(now)
        if bright != self._bright:
            if bright and not self._bright:
                display.on()
            display.contrast(bright) if bright else display.off()
            self._bright = bright
        if bright:
            aside = self.desk.aside(now) if self.parts.size != SMALL else None
            shown, colour = self.desk.screen(now), self.parts.colour
            display.show(glass(shown, now, self.parts.size, held=self._held(), aside=aside, colour=colour))

    def _held(self) -> float:
        """How far a held button has got, 0 to 1."""
        held = self.parts.buttons.held() if self.parts.buttons else None
        if held is None or held[1] < 0.2:  # a short press shows no bar
            return 0.0
        return held[1] / (3.0 if held[0] == "no+ok" else self._hold)

    def _off(self) -> None:
        if self._switch_off is None:
            return
        try:
            self._switch_off()
        except FirmwareError as error:
            log.error("the box cannot be switched off: %s", error)


def trouble_of(observation: TableObservation, width: int, height: int) -> Trouble | None:
    """Light that changed, or where glare hides cards; `width` and `height` of the picture in pixels."""
    if observation.light:
        return Trouble("light", seconds=2)
    if not observation.glare:
        return None
    unread = [card for card in observation.cards if card.card is None]
    return Trouble("glare", count=max(1, len(unread)), where=_where(unread, width, height))


def _where(unread: list[SeenCard], width: int, height: int) -> str:
    """The ninth of the table in which the first of these cards lies."""
    if not unread:
        return "centre"
    corners = unread[0].corners
    return ninth(sum(x for x, _ in corners) / 4 / width, sum(y for _, y in corners) / 4 / height)
