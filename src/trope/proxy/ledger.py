"""The harm ledger: one line a guarded request, append-only, counted on demand. No words of a prompt unless asked.

Writing never waits and never fails a request: lines go to a thread of their own; what it cannot write is counted
and said.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any

from trope.errors import StoreError
from trope.proxy.note import Note

_COLUMNS = tuple(field.name for field in fields(Note))
_VALUES = attrgetter(*_COLUMNS)
_KINDS = {"int": "INTEGER", "int | None": "INTEGER", "float": "REAL", "float | None": "REAL"}
_VERSION = 1
_SCHEMA = f"""
CREATE TABLE requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL,
    {", ".join(f'"{field.name}" {_KINDS.get(str(field.type), "TEXT")}' for field in fields(Note))}
);
CREATE TRIGGER requests_are_kept BEFORE DELETE ON requests BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER requests_stay BEFORE UPDATE ON requests BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
PRAGMA user_version = {_VERSION};
"""
_NAMED = ", ".join(f'"{column}"' for column in _COLUMNS)
_INSERT = f"INSERT INTO requests (at, {_NAMED}) VALUES (?{', ?' * len(_COLUMNS)})"
_WAITING = 100_000  # lines that may wait to be written; more are dropped and counted

log = logging.getLogger("trope.proxy")


class Ledger:
    """A ledger file, open for writing while the block lasts.

    Parameters
    ----------
    path : the SQLite file, or None for counts in memory only.
    keep_prompts : store the prompt as it came and as it was sent.
    """

    def __init__(self, path: Path | None, *, keep_prompts: bool = False) -> None:
        self.path, self.keep_prompts = path, keep_prompts
        self.lost = 0
        self._lines: queue.Queue[tuple[Any, ...] | threading.Event | None] = queue.Queue(_WAITING)
        self._connection = _opened(path)
        self._reading = threading.Lock()
        self._writer = threading.Thread(target=self._write, name="trope-ledger", daemon=True)
        self._writer.start()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, note: Note) -> None:
        """Append a line; returns at once."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = _VALUES(note) if self.keep_prompts else (*_VALUES(note)[:-2], None, None)
        try:
            self._lines.put_nowait((at, *line))
        except queue.Full:
            self.lost += 1

    def flush(self) -> None:
        """Wait until what was added is written."""
        done = threading.Event()
        self._lines.put(done)
        done.wait()

    def counts(self) -> dict[str, Any]:
        """The counts so far, what waits included."""
        self.flush()
        with self._reading:
            return _counts(self._connection) | {"lines_lost": self.lost}

    def close(self) -> None:
        """Write what waits and close the file."""
        self._lines.put(None)
        self._writer.join()
        self._connection.close()

    def _write(self) -> None:
        while True:
            batch = [self._lines.get()]
            while not self._lines.empty():
                batch.append(self._lines.get())
            lines = [line for line in batch if isinstance(line, tuple)]
            try:
                with self._reading, self._connection:
                    self._connection.executemany(_INSERT, lines)
            except sqlite3.Error as error:
                if not self.lost:
                    log.warning("the ledger cannot be written (%s); images flow on", type(error).__name__)
                self.lost += len(lines)
            for mark in batch:
                if isinstance(mark, threading.Event):
                    mark.set()
            if None in batch:
                return
            time.sleep(0.05)  # gather: one commit for many lines


def read_counts(path: Path) -> dict[str, Any]:
    """The counts of a ledger file, whoever writes it now; raises `StoreError`."""
    if not path.is_file():
        raise StoreError(f"no ledger at {str(path)!r}. `trope guard serve --ledger FILE` writes one")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            _check(connection, path)
            return _counts(connection)
    except sqlite3.Error as error:
        raise StoreError(f"{str(path)!r} cannot be read as a ledger: {error}") from None


def _opened(path: Path | None) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            connection.executescript(_SCHEMA)
        _check(connection, path)
    except sqlite3.Error as error:
        raise StoreError(f"ledger {str(path)!r} cannot be opened: {error}. Name another: --ledger FILE") from None
    return connection


def _check(connection: sqlite3.Connection, path: Path | None) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version != _VERSION or "requests" not in tables:
        raise StoreError(f"{str(path)!r} is no ledger that this version can read. Name another: --ledger FILE")


def _counts(connection: sqlite3.Connection) -> dict[str, Any]:
    """Sums over all lines; pictures are counted where somebody could say what is in them."""
    row = connection.execute(
        "SELECT count(*), min(at), max(at), total(pictures), total(shown_first), total(shown), total(tries > 1),"
        " total(usd), total(seconds) FROM requests"
    ).fetchone()
    requests, first, last, pictures, shown_first, shown, again, usd, seconds = row

    def by(column: str) -> dict[str, int]:
        query = f'SELECT "{column}", count(*) FROM requests WHERE "{column}" <> \'\' GROUP BY 1 ORDER BY 2 DESC, 1'
        return {str(name): count for name, count in connection.execute(query)}

    looked = connection.execute("SELECT total(pictures) FROM requests WHERE shown IS NOT NULL").fetchone()[0]
    return {
        "requests": requests, "first": first, "last": last,
        "guard": by("guard"), "guard_reasons": by("guard_reason"), "languages": by("lang"),
        "check": by("check"), "check_reasons": by("check_reason"),
        "pictures": {
            "looked_at": int(pictures), "could_be_told": int(looked),
            "shown_at_first": int(shown_first), "shown_in_the_end": int(shown),
        },
        "drawn_again": int(again), "stopped": by("stopped"), "statuses": by("status"), "upstream": by("upstream"),
        "usd_for_further_draws": round(usd, 6), "seconds": round(seconds, 3),
    }  # fmt: skip
