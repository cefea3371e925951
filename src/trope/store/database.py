"""One SQLite file that holds everything anyone said: append-only, one durable transaction an answer.

Readers never wait (WAL). Writes go through one thread a process, which commits whatever has gathered and
only then says so: an answer is acknowledged when it is on the disk (``synchronous=FULL``).
"""

from __future__ import annotations

import json
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trope.errors import StoreError
from trope.records import Observation, Output, digest

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('output', 'observation')),
    backend TEXT NOT NULL,
    status TEXT NOT NULL,
    value TEXT,
    raw TEXT,
    picture TEXT,
    reason TEXT,
    request TEXT NOT NULL,
    identity TEXT NOT NULL,
    provenance TEXT NOT NULL,
    usd REAL,
    run TEXT,
    made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    process TEXT NOT NULL
);
CREATE INDEX records_by_key ON records (key);
CREATE INDEX records_by_run ON records (run) WHERE usd IS NOT NULL;
CREATE TABLE identities (digest TEXT PRIMARY KEY, identity TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pictures (
    sha TEXT PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL, blank INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE files (
    path TEXT PRIMARY KEY, state TEXT NOT NULL, sha TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE runs (name TEXT PRIMARY KEY, question TEXT NOT NULL, items TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cells (
    run TEXT NOT NULL, position INTEGER NOT NULL, item TEXT NOT NULL, subject TEXT NOT NULL,
    strategy TEXT NOT NULL, seed INTEGER NOT NULL, output TEXT NOT NULL, trail TEXT NOT NULL,
    gates TEXT NOT NULL, observations TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
"""
# The statements from version N to N + 1. A store is copied beside itself before the first step touches it.
MIGRATIONS: Mapping[int, Sequence[str]] = {}

_INSERT = (
    "INSERT INTO records (key, kind, backend, status, value, raw, picture, reason, request, identity, provenance, usd,"
    " run, process) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_CHUNK = 4000  # keys a statement; SQLite takes at least 32,766
_COLUMNS = "key, kind, backend, status, value, raw, picture, reason"


@dataclass(frozen=True)
class Entry:
    """A record on its way into the store, with what is kept beside it.

    ``identity`` is what the backend says it is, ``run`` the run that asked, ``picture`` a picture's row.
    """

    record: Output | Observation
    request: Any
    identity: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    usd: float | None = None
    run: str | None = None
    picture: tuple[str, int, int, bool] | None = None  # sha, width, height, blank

    def row(self, process: str) -> tuple[Any, ...]:
        """The columns of `records`, in order."""
        r = self.record
        kind = "output" if isinstance(r, Output) else "observation"
        return (
            r.key, kind, r.backend, r.status, r.value_json, r.raw, r.picture, r.reason,
            _json(self.request), digest(self.identity), _json(self.provenance), self.usd, self.run, process,
        )  # fmt: skip


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


class Database:
    """`observations.sqlite`. One object a process; reads on any thread, writes on its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._process = f"{os.uname().nodename if hasattr(os, 'uname') else 'host'}:{os.getpid()}"
        self._since = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._readers = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[tuple[Callable[[sqlite3.Connection], Any], Future[Any]] | None]
        self._queue = queue.SimpleQueue()
        self._prepare()
        self._writer = threading.Thread(target=self._write, name="trope-store", daemon=True)
        self._writer.start()

    # --- reading ---

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a SELECT."""
        return self._reader().execute(sql, parameters).fetchall()

    def records(self, keys: Iterable[str]) -> dict[str, Output | Observation]:
        """The standing record of each key: the newest that is not ``failed``, else the newest failure."""
        found: dict[str, Output | Observation] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            sql = f"SELECT {_COLUMNS} FROM records WHERE key IN ({marks}) ORDER BY seq"
            for key, kind, backend, status, value, raw, picture, reason in self.query(sql, chunk):
                if status == "failed" and key in found:
                    continue
                cls = Output if kind == "output" else Observation
                found[key] = cls(key, backend, status, value, raw, picture, reason)
        return found

    # --- writing ---

    def submit(self, work: Callable[[sqlite3.Connection], Any]) -> Future[Any]:
        """Queue one piece of writing; the future is done once it is committed."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # what is queued is written, whether or not anybody still waits
        self._queue.put((work, future))
        return future

    def add(self, entries: Sequence[Entry]) -> Future[int]:
        """Append records. The future gives how many keys another process had answered meanwhile."""

        def work(connection: sqlite3.Connection) -> int:
            keys = [e.record.key for e in entries if e.record.status != "failed"]
            marks = ",".join("?" * len(keys))
            (twice,) = connection.execute(
                f"SELECT count(DISTINCT key) FROM records WHERE key IN ({marks}) AND status = 'ok'"
                " AND process <> ? AND made_at >= ?",
                [*keys, self._process, self._since],
            ).fetchone()
            connection.executemany(_INSERT, [e.row(self._process) for e in entries])
            identities = {digest(e.identity): _json(e.identity) for e in entries}
            connection.executemany("INSERT OR IGNORE INTO identities VALUES (?, ?)", identities.items())
            pictures = [e.picture for e in entries if e.picture]
            connection.executemany("INSERT OR IGNORE INTO pictures VALUES (?, ?, ?, ?)", pictures)
            return int(twice)

        return self.submit(work)

    def close(self) -> None:
        """Commit what is queued and let go of the file."""
        self._queue.put(None)
        self._writer.join()
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    # --- inside ---

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=60, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{str(self.path)!r} is not a readable store ({error}). Nothing was changed; restore it from a"
                " copy or choose another with --store"
            ) from None
        return connection

    def _reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._readers, "connection", None)
        if connection is None:
            connection = self._connect()
            connection.execute("PRAGMA query_only=ON")
            self._readers.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    def _prepare(self) -> None:
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if "records" not in tables:
                if tables:
                    raise StoreError(f"{str(self.path)!r} is an SQLite file, but not a Trope store")
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute("INSERT INTO meta VALUES ('schema_version', ?)", [str(SCHEMA_VERSION)])
            self._migrate(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"{str(self.path)!r} cannot be prepared as a store: {error}") from None
        finally:
            connection.close()

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Bring an older schema up to date, inside one transaction, after a copy of what is committed."""
        version = int(connection.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchone()[0])
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"the store {str(self.path.parent)!r} has schema {version}, made by a newer Trope; this one knows"
                f" {SCHEMA_VERSION}. Upgrade: pip install -U trope"
            )
        if version == SCHEMA_VERSION:
            return
        copy = self.path.with_name(f"{self.path.name}.before-schema-{SCHEMA_VERSION}")
        with closing(self._connect()) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)  # readers see what was committed before this transaction
        for step in range(version, SCHEMA_VERSION):
            for statement in MIGRATIONS[step]:
                connection.execute(statement)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", [str(SCHEMA_VERSION)])

    def _write(self) -> None:
        connection = self._connect()
        while True:
            first = self._queue.get()
            if first is None:
                break
            batch, stop = [first], False
            while len(batch) < 256 and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    stop = True
                    break
                batch.append(following)
            self._commit(connection, batch)
            if stop:
                break
        connection.close()

    def _commit(
        self,
        connection: sqlite3.Connection,
        batch: Sequence[tuple[Callable[[sqlite3.Connection], Any], Future[Any]]],
    ) -> None:
        outcomes: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for work, future in batch:
                connection.execute("SAVEPOINT one")
                try:
                    outcomes.append((future, work(connection), None))
                    connection.execute("RELEASE one")
                except Exception as error:  # handed to whoever asked for this piece; the others stand
                    connection.execute("ROLLBACK TO one")
                    connection.execute("RELEASE one")
                    outcomes.append((future, None, error))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            failure = StoreError(f"cannot write to {str(self.path)!r}: {error}. Nothing of this step was stored")
            outcomes = [(future, None, failure) for _, future in batch]
        for future, value, trouble in outcomes:
            if trouble is None:
                future.set_result(value)
            else:
                future.set_exception(trouble)
