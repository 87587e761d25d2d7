"""What the box does for itself from the menu: calibration, self-test, report. The loop brings frames and wishes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware import calibration, doctor
from firmware.actions import ActionName
from firmware.backup import backup_to_stick, copies, restore_backup, stick
from firmware.config import Config
from firmware.decks import OWN, deck_names
from firmware.doctor import Finding
from firmware.doctor_devices import judge_picture
from firmware.errors import FirmwareError, StoreError
from firmware.events import AnyEvent, Played
from firmware.learning import Learning
from firmware.menu_facts import Ability, Facts, Progress
from firmware.report import PlayPictures, runtime_directory, write_bundle
from firmware.store import Store
from firmware.text import Words
from hardware import system
from hardware.frame import Picture
from vision.calibrate import Calibration, calibrate
from vision.observation import CardDetection, PictureReading, TableObservation

log = logging.getLogger(__name__)

ABLE: Final[frozenset[Ability]] = frozenset({"learn", "calibrate", "selftest", "backup", "report"})
EVERY: Final = 1.0
"""Seconds between two judgements while the page of the calibration is open: one takes a third of a second."""
REPORTS: Final = 3


class Tasks:
    """The tasks of one box. `parts` tells for display, buttons and buzzer whether they are there."""

    def __init__(
        self, store: Store, state: Path, config: Config, parts: Callable[[], dict[str, bool]], root: Path = system.ROOT
    ) -> None:
        self._store, self._state, self._config, self._parts, self._root = store, state, config, parts, root
        self._calibrating, self._next = False, 0.0
        self._found: Calibration | None = None
        self._kept = _kept(store)
        self._copied: Progress | None = None
        self._copies: tuple[Path, ...] = ()
        self._learning: Learning | None = None
        self._deck: Learning | None = None
        self._decks = self._known_decks()
        self._seen: tuple[Picture, TableObservation] | None = None
        self._findings: tuple[Finding, ...] = ()
        self._pictures = PlayPictures(runtime_directory())

    def look(self, picture: Picture, observation: TableObservation, now: float) -> None:
        """The newest frame, and what is known to lie there."""
        self._seen = (picture, observation)
        if self._calibrating and now >= self._next:
            self._next = now + EVERY
            self._found = calibrate(picture, _reading(picture, observation))

    def played(self, events: Sequence[AnyEvent]) -> None:
        """Keeps the picture in which a play was decided, for a report."""
        for event in events:
            if isinstance(event, Played) and self._seen is not None:
                self._pictures.keep(event.n, event.frame, self._seen[0])

    @property
    def learning(self) -> bool:
        """Whether the page that learns a deck is open: frames go to `learn` then."""
        return self._learning is not None

    def learn(self, picture: Picture, time: float) -> tuple[bool, bool]:
        """One more frame for the deck being learnt: whether something moved, and whether a card was taken."""
        return self._learning.look(picture, time) if self._learning else (False, False)

    def wish(self, name: ActionName, say: Words) -> str | None:
        """What the players chose; the name of a deck that has just been learnt. Raises `StoreError` when a calibration
        cannot be kept.
        """
        if name == "learn":
            self._learning = self._deck = self._deck or Learning(self._state)
        elif self._learning is not None:
            return self._wish_of_learning(self._learning, name, say)
        elif name == "calibrate":
            self._calibrating, self._found, self._next = True, None, float("-inf")
        elif name in ("save", "cancel"):
            if name == "save" and self._calibrating and self._found is not None:
                calibration.keep(self._store, self._found)
                self._kept = self._found
            self._calibrating = False
        elif name == "selftest":
            self._findings = tuple(self._test())
        elif name == "report":
            self._report()
        elif name == "backup":
            self._copied = self._backup(say)
        if name in ("save", "cancel"):
            self._copied = None
        return None

    def _backup(self, say: Words) -> Progress:
        """What became of the copy on a stick."""
        folder = stick(self._root)
        if folder is None:
            return Progress(lines=((say("backup.stick"), say("backup.none")),), note=say("backup.help"))
        try:
            file = backup_to_stick(self._store, self._state, folder)
        except FirmwareError as error:
            log.error("no backup: %s", error)
            return Progress(lines=((folder.name[:12], say("backup.failed")),))
        self._copies = tuple(copy for copy in copies(folder) if copy != file)
        names = tuple(copy.name for copy in self._copies)
        return Progress(lines=((file.name, say("ok")),), note=say("backup.done"), copies=names)

    def restore(self, place: int, say: Words) -> bool:
        """The state becomes what the copy at this place holds; whether it does. The page says what became of it."""
        file = self._copies[place]
        try:
            restore_backup(self._store, self._state, file)
        except (FirmwareError, OSError) as error:  # the stick may be gone, the disk full: nothing is changed then
            log.error("nothing restored: %s", error)
            self._copied = Progress(lines=((file.name, say("backup.failed")),))
            return False
        self._kept, self._decks = _kept(self._store), self._known_decks()
        self._copied = Progress(lines=((file.name, say("ok")),), note=say("backup.restored"))
        return True

    def _wish_of_learning(self, learning: Learning, name: ActionName, say: Words) -> str | None:
        """Leaving the page keeps what was learnt until the page is opened again."""
        if name == "take":
            learning.take()
        elif name == "skip":
            learning.skip()
        elif name == "redo":
            learning.redo()
        elif name == "cancel":
            self._learning = None
        elif name == "save" and (learnt := learning.save(say)):
            self._learning = self._deck = None
            self._decks = self._known_decks()
            return learnt
        return None

    def _known_decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([OWN, *deck_names(self._state)]))

    def told(self, box: Facts, say: Words) -> Facts:
        """The facts of the box with what the tasks have found."""
        progress = None
        if self._calibrating:
            progress = calibration.shown(say, self._found) if self._found else Progress()
        progress = self._copied or progress
        if self._learning:
            progress = self._learning.shown(say, calibration.best_place(self._kept))
        known = replace(box.known, decks=self._decks)
        return replace(box, able=ABLE, findings=self._findings, progress=progress, known=known)

    def _test(self) -> Iterator[Finding]:
        """As `arbitro doctor`, but with the devices as the running box has them."""
        if self._seen is None:
            yield Finding("camera", "fault", "", "C03")
        else:
            yield Finding("camera", "ok")
            yield from judge_picture(self._seen[0], _reading(*self._seen))
        missing = {"display": "D01", "buttons": "B01", "buzzer": "S01"}
        for part, there in self._parts().items():
            yield Finding(part, *(("ok",) if there else ("fault", "", missing[part])))
        yield doctor.check_disk(self._state)
        yield doctor.check_clock(self._root)
        yield doctor.check_temperature(self._root)
        yield doctor.check_supply(self._root)
        yield doctor.check_versions()

    def _report(self) -> None:
        """One more report beside the matches; only the last three are kept."""
        findings = self._findings or tuple(self._test())
        old = sorted(self._state.glob("report-*.zip"))
        number = int(old[-1].stem.removeprefix("report-")) + 1 if old else 1
        try:
            write_bundle(
                self._state / f"report-{number:04}.zip", findings, self._state, runtime_directory(), self._config
            )
        except FirmwareError as error:
            log.error("no report: %s", error)
        for file in old[: max(0, len(old) + 1 - REPORTS)]:
            file.unlink(missing_ok=True)


def _kept(store: Store) -> Calibration | None:
    """The calibration in force; one that cannot be read is as good as none, the menu makes another."""
    try:
        return calibration.kept(store)
    except StoreError as error:
        log.warning("%s", error)
        return None


def _reading(picture: Picture, observation: TableObservation) -> PictureReading:
    """What is known to lie there, as if it were read from this picture."""
    cards = tuple(
        CardDetection(seen.card, seen.confidence, seen.options, seen.corners, seen.visible)
        for seen in observation.cards
    )
    return PictureReading(picture.shape[1], picture.shape[0], cards, observation.backs)
