"""What was played, on disk: one SQLite database in the state directory, each event committed before it is shown.

The events are the truth; the state of a match is always folded from them again. Nothing is rewritten or deleted.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec
import platformdirs

from firmware.errors import StoreBusyError, StoreError
from firmware.events import AnyEvent, Corrected, Event, Match, Start, Undone, decode, encode

VERSION: Final = 1
"""Version of the database's form; a state of a newer one is refused."""

_SCHEMA: Final = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    began TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'over', 'left'))
) STRICT;
CREATE TABLE events (
    match INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""

Status = Literal["open", "over", "left"]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in the list: `began` is a date as the clock told it, `state` open, over or left (given up)."""

    id: int
    name: str
    began: str
    state: Status
    start: Start


def default_directory() -> Path:
    """The state directory of systemd, else the user's data folder by the XDG rules."""
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(given) if given else platformdirs.user_data_path("arbitro", appauthor=False)


class Store:
    """The database of one state directory. Only one process at a time holds it; use `Store.open`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @staticmethod
    @contextmanager
    def open(directory: Path) -> Iterator[Store]:
        """Hold the state directory while the block runs; it is made when it does not exist.

        Raises `StoreError` when another process holds it, when it was written by a newer version, or when it cannot
        be read or written.
        """
        with _locked(directory), _errors(directory):
            connection = sqlite3.connect(directory / "arbitro.db", isolation_level=None)
            try:
                _prepare(connection, directory)
                yield Store(connection)
            finally:
                connection.close()

    @staticmethod
    @contextmanager
    def look(directory: Path) -> Iterator[Store]:
        """Only read while the block runs: also while another process holds the state, and without the right to write
        there. A directory without matches is an empty store. Raises `StoreError` as `open` does.
        """
        file = directory / "arbitro.db"
        with _errors(directory):
            if file.is_file():
                # with no log beside it nobody writes; SQLite would make one, which a reader may not be allowed to
                still = not file.with_name("arbitro.db-wal").exists()
                uri = f"{file.resolve().as_uri()}?mode=ro{'&immutable=1' if still else ''}"
                connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            else:
                connection = sqlite3.connect(":memory:", isolation_level=None)
                connection.executescript(_SCHEMA + f"PRAGMA user_version = {VERSION};")
            try:
                _check_version(connection, directory)
                yield Store(connection)
            finally:
                connection.close()

    def begin(self, name: str, events: Sequence[Event], began: str) -> int:
        """A new match with its first events, `Start` before all; its number. `began` is a date in ISO form.

        An unfinished match of the same name is given up: one name is one match in play.
        """
        with self._transaction():
            self._connection.execute("UPDATE matches SET state = 'left' WHERE state = 'open' AND name = ?", (name,))
            cursor = self._connection.execute(
                "INSERT INTO matches (name, began, state) VALUES (?, ?, 'open')", (name, began)
            )
            match = int(cursor.lastrowid or 0)
            self._insert(match, 0, events)
        return match

    def append(self, match: int, events: Sequence[Event]) -> None:
        """Commit events, all or none; when this returns they are on disk."""
        if not events:
            return
        with self._transaction():
            (number,) = self._connection.execute("SELECT count(*) FROM events WHERE match = ?", (match,)).fetchone()
            self._insert(match, number, events)
            decisive = [event for event in events if isinstance(event, Match | Undone | Corrected)]
            if decisive:  # a winner ends it, until the players take something back
                state = "over" if isinstance(decisive[-1], Match) else "open"
                self._connection.execute("UPDATE matches SET state = ? WHERE id = ?", (state, match))

    def leave(self, match: int) -> None:
        """Give an unfinished match up; it stays in the list."""
        with self._transaction():
            self._connection.execute("UPDATE matches SET state = 'left' WHERE id = ? AND state = 'open'", (match,))

    def events(self, match: int) -> list[AnyEvent]:
        """All events of a match in their order. Raises `StoreError` for a match that does not exist."""
        with self._reading():
            # As a text, which SQLite compares as the number that it is: no number is too large to ask for.
            rows = self._connection.execute("SELECT event FROM events WHERE match = ? ORDER BY number", (str(match),))
            events = [decode(text) for (text,) in rows]
        if not events:
            raise StoreError(f"expected the number of a match (see arbitro matches list), got {match}")
        return events

    def matches(self) -> list[MatchRow]:
        """All matches, the oldest first."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT id, name, began, state, event FROM matches JOIN events ON match = id AND number = 0 ORDER BY id"
            ).fetchall()
        return [MatchRow(number, name, began, state, _start(first)) for number, name, began, state, first in rows]

    def unfinished(self, name: str | None = None) -> int | None:
        """The newest match that is neither over nor left, of this name if one is given."""
        with self._reading():
            row = self._connection.execute(
                "SELECT max(id) FROM matches WHERE state = 'open' AND (? IS NULL OR name = ?)", (name, name)
            ).fetchone()
        return None if row[0] is None else int(row[0])

    def setting(self, name: str) -> bytes | None:
        """A stored setting as JSON, or None."""
        with self._reading():
            row = self._connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0]).encode()

    def keep(self, name: str, value: object) -> None:
        """Store a setting (anything that JSON can hold), on disk when this returns."""
        text = msgspec.json.encode(value).decode()
        with self._transaction():
            self._connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, text))

    def copy_to(self, file: Path) -> None:
        """A copy of the database in a new file, whole even while matches are stored."""
        with _errors(file.parent), closing(sqlite3.connect(file)) as copy:
            self._connection.backup(copy)

    @staticmethod
    def check(file: Path) -> None:
        """Raises `StoreError` for a file that is no database of ours, or one of a newer version."""
        with _errors(file.parent), closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as other:
            (state,) = other.execute("PRAGMA integrity_check").fetchone()
            if state != "ok" or _check_version(other, file.parent) == 0:
                raise StoreError(f"expected a database of arbitro that is whole, got {file.name}: {state}")
            other.execute("SELECT id, name, began, state FROM matches JOIN events ON match = id LIMIT 1")
            other.execute("SELECT name, value FROM settings LIMIT 1")

    def take_from(self, file: Path) -> None:
        """Everything as it is in a copy; all of it or nothing, also when the power goes."""
        with _errors(file.parent), closing(sqlite3.connect(file)) as copy:
            copy.backup(self._connection)

    def _insert(self, match: int, number: int, events: Iterable[Event]) -> None:
        self._connection.executemany(
            "INSERT INTO events (match, number, event) VALUES (?, ?, ?)",
            [(match, number + k, encode(event).decode()) for k, event in enumerate(events)],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _errors(None):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with _errors(None):
            yield


def _start(text: str) -> Start:
    event = decode(text)
    if not isinstance(event, Start):
        raise StoreError(f"expected a match to begin with a start event, got {text[:80]}")
    return event


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    try:
        directory.mkdir(mode=0o750, parents=True, exist_ok=True)
        handle = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    except OSError as error:
        raise StoreError(
            f"expected a state directory that can be written, got {directory}: {error.strerror}"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.pread(handle, 32, 0).decode("ascii", "replace").strip() or "unknown"
            raise StoreBusyError(f"the state in {directory} is in use by another arbitro (process {owner})") from error
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        except OSError as error:
            raise StoreError(f"cannot write in the state directory {directory}: {error.strerror}") from error
        yield
    finally:
        os.close(handle)


def _prepare(connection: sqlite3.Connection, directory: Path) -> None:
    """Durable settings, then the schema of a new database, or the check of an old one."""
    # of a new database only; a play then writes two pages of 1 kB to the card instead of two of 4 kB
    connection.execute("PRAGMA page_size = 1024")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    version = _check_version(connection, directory)
    if version == 0:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")


def _check_version(connection: sqlite3.Connection, directory: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise StoreError(
            f"the state in {directory} was written by a newer arbitro (form {version}, this one knows {VERSION}): "
            "update arbitro, or give another --state"
        )
    return int(version)


@contextmanager
def _errors(directory: Path | None) -> Iterator[None]:
    """SQLite's errors (disk full, read-only, damaged) as ours."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter for texts of a damaged file
        where = f" in {directory}" if directory else ""
        raise StoreError(f"the state{where} cannot be used: {error}; what was committed before is kept") from error
