"""One match in play: what the referee tells is committed to the store first, then handed on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from firmware.events import Event, encode
from firmware.referee import Referee
from firmware.store import Store
from vision.observation import TableObservation


class Session:
    """Joins one referee with its match in the store. `tell` gets each event after it is on disk."""

    def __init__(self, referee: Referee, store: Store, match: int, tell: Callable[[Event], None]) -> None:
        self.referee, self.match = referee, match
        self._store, self._tell = store, tell

    def observe(self, observation: TableObservation) -> Sequence[Event]:
        """One look at the table; the events that it led to, committed and told. Raises `StoreError`."""
        return self._commit(self.referee.observe(observation))

    def _commit(self, events: Sequence[Event]) -> Sequence[Event]:
        self._store.append(self.match, events)
        for event in events:
            self._tell(event)
        return events


class EventLines:
    """Writes events to a file or to standard output, a line each, as soon as they come."""

    def __init__(self, file: Path | None) -> None:
        """Raises `OSError` for a file that cannot be written."""
        self._file: BinaryIO = sys.stdout.buffer if file is None else file.open("wb", buffering=0)

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
