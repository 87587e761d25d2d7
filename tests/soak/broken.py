"""Boxes that are broken on purpose, to show that the suite then fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from firmware.store import Store
from tests.soak.box import Box
from vision.observation import TableObservation


class Forgetful(Box):
    """Goes on as if stored what the disk refused."""

    @contextmanager
    def _refusing(self, store: Store, really: bool) -> Iterator[None]:
        if really:
            self.faults["writes refused"] += 1
            store.append = lambda match, events: None  # type: ignore[method-assign]
        try:
            yield
        finally:
            vars(store).pop("append", None)


class Hoarding(Box):
    """Keeps every look for ever."""

    def _run(self, *arguments: Any) -> int:
        self.kept = [*getattr(self, "kept", ()), *map(_copied, arguments[2])]
        return super()._run(*arguments)


def _copied(observation: TableObservation) -> bytes:
    return repr(observation).encode()


BREAKS: dict[str, type[Box]] = {"store": Forgetful, "memory": Hoarding}
