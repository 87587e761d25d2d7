"""One match in play: what the referee tells is committed to the store first, then handed on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol

import cv2
from tqdm import tqdm

from firmware.annotate import annotate
from firmware.events import AnyEvent, Drawn, Event, Hand, Match, Paid, Played, Revealed, Swapped, encode
from firmware.store import Store
from hardware.frame import Frame, Picture
from vision.observation import TableObservation


class Watching(Protocol):
    """What makes observations of frames: `vision.settle.Watcher`."""

    def update(self, picture: Picture, frame: int, time: float) -> TableObservation: ...


class Following(Protocol):
    """What follows a match: `firmware.referee.Referee`, or a table of Sette e mezzo whose buttons a script presses."""

    def observe(self, observation: TableObservation) -> Sequence[AnyEvent]: ...


class Session:
    """Joins one referee with its match in the store. `tell` gets each event after it is on disk."""

    def __init__(self, referee: Following, store: Store, match: int, tell: Callable[[Event], None]) -> None:
        self.referee, self.match = referee, match
        self._store, self._tell = store, tell

    def observe(self, observation: TableObservation) -> Sequence[AnyEvent]:
        """One look at the table; the events that it led to, committed and told. Raises `StoreError`."""
        events = self.referee.observe(observation)
        self._store.append(self.match, events)
        for event in events:
            self._tell(event)
        return events


class EventLines:
    """Writes events to a file or to standard output, a line each, as soon as they come.

    It begins with what was `told` before; a file that held it already is at no moment without it.
    """

    def __init__(self, file: Path | None, told: Sequence[AnyEvent] = ()) -> None:
        """Raises `OSError` for a file that cannot be written."""
        lines = b"".join(encode(event) + b"\n" for event in told)
        if file is not None and file.is_file():
            part = file.with_name(file.name + ".part")
            part.write_bytes(lines)
            part.replace(file)
            self._file: BinaryIO = file.open("ab", buffering=0)
        else:
            self._file = sys.stdout.buffer if file is None else file.open("wb", buffering=0)
            if lines:
                self._file.write(lines)
                self._file.flush()

    def __enter__(self) -> EventLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not sys.stdout.buffer:
            self._file.close()

    def write(self, event: Event) -> None:
        """One line. Raises `OSError`, for a full disk too."""
        self._file.write(encode(event) + b"\n")
        self._file.flush()


class Snapshots:
    """Keeps an annotated picture of each play in a folder; nothing without a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def keep(self, events: Iterable[AnyEvent], frame: Frame, observation: TableObservation) -> None:
        """One picture for the plays among `events`, named by the number of the play. Raises `OSError`."""
        if self._folder is None:
            return
        for event in events:
            if isinstance(event, Played | Drawn | Swapped | Revealed):
                picture = annotate(frame.picture, observation.cards, observation.backs)
                good, jpeg = cv2.imencode(".jpg", picture)
                assert good, "a BGR picture of uint8 can always be encoded"
                (self._folder / f"play-{event.n:03}.jpg").write_bytes(jpeg.tobytes())


def follow(
    session: Session, source: Iterable[Frame], watcher: Watching, *, hands: int | None, snapshots: Snapshots
) -> None:
    """Referee all frames of a source, until it ends, the match is won or `hands` hands (or rounds) are over."""
    over = 0
    with tqdm(source, unit=" frames", file=sys.stderr, disable=None) as frames:
        for frame in frames:
            observation = watcher.update(frame.picture, frame.number, frame.time)
            events = session.observe(observation)
            snapshots.keep(events, frame, observation)
            over += sum(isinstance(event, Hand | Paid) for event in events)
            if any(isinstance(event, Match) for event in events) or (hands is not None and over >= hands):
                return
