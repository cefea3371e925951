"""The book of a study: who was drawn, who is to answer what in which order, invitations, breaks.

One SQLite file beside the design. Answers are not in it: they are observations, in the store.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trope.errors import StoreError
from trope.people.sampling import Stratum

_SCHEMA = """
CREATE TABLE IF NOT EXISTS frame (unit TEXT PRIMARY KEY, stratum TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS drawn (
    unit TEXT PRIMARY KEY, wave INTEGER NOT NULL, shared INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waves (
    wave INTEGER NOT NULL, stratum TEXT NOT NULL, size INTEGER NOT NULL, drawn INTEGER NOT NULL,
    made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), PRIMARY KEY (wave, stratum)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS raters (
    rater TEXT PRIMARY KEY, seed INTEGER NOT NULL, lang TEXT,
    made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS assigned (
    rater TEXT NOT NULL, position INTEGER NOT NULL, page TEXT NOT NULL, PRIMARY KEY (rater, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS invites (
    nonce TEXT PRIMARY KEY, rater TEXT NOT NULL, role TEXT NOT NULL, expires REAL, session TEXT, revoked TEXT,
    made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY, rater TEXT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
"""
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"


@dataclass(frozen=True, slots=True)
class Invite:
    """One invitation link: for one rater (or the coordinator), used by one browser."""

    nonce: str
    rater: str
    role: str
    expires: float | None
    session: str | None
    revoked: str | None
    made_at: str


class Book:
    """The book of one study; several threads and processes may use it."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{str(path)!r} is not a readable book of a study: {error}") from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    # --- what is drawn ---

    def keep_frame(self, strata: Mapping[str, str]) -> None:
        """Freeze the frame: unit to stratum."""
        self._many("INSERT INTO frame VALUES (?, ?)", strata.items())

    def frame(self) -> dict[str, str]:
        """Unit to stratum."""
        return {unit: stratum for unit, stratum in self._all("SELECT unit, stratum FROM frame")}

    def keep_draw(self, units: Iterable[str], shared: Iterable[str], strata: Sequence[Stratum]) -> int:
        """Write a draw and each stratum's standing after it; returns the number of the wave."""
        among = set(shared)
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            wave = 1 + connection.execute("SELECT coalesce(max(wave), 0) FROM waves").fetchone()[0]
            connection.executemany("INSERT INTO drawn VALUES (?, ?, ?)", [(u, wave, u in among) for u in units])
            rows = [(wave, s.name, s.size, s.drawn) for s in strata]
            connection.executemany("INSERT INTO waves (wave, stratum, size, drawn) VALUES (?, ?, ?, ?)", rows)
            connection.execute("COMMIT")
        return int(wave)

    def drawn(self) -> dict[str, bool]:
        """Unit to whether all raters get it."""
        return {unit: bool(shared) for unit, shared in self._all("SELECT unit, shared FROM drawn")}

    def strata(self) -> list[Stratum]:
        """Each stratum as it stands after the last draw."""
        sql = "SELECT stratum, size, drawn FROM waves WHERE wave = (SELECT max(wave) FROM waves) ORDER BY stratum"
        return [Stratum(*row) for row in self._all(sql)]

    # --- who answers what ---

    def add_rater(self, rater: str, seed: int) -> None:
        """Note a rater, and the seed of their orders."""
        self._run("INSERT OR IGNORE INTO raters (rater, seed) VALUES (?, ?)", (rater, seed))

    def raters(self) -> dict[str, int]:
        """Rater to seed, in the order they came."""
        return {r: int(seed) for r, seed in self._all("SELECT rater, seed FROM raters ORDER BY made_at, rater")}

    def lang(self, rater: str) -> str | None:
        """The language a rater has chosen."""
        rows = self._all("SELECT lang FROM raters WHERE rater = ?", (rater,))
        return rows[0][0] if rows else None

    def set_lang(self, rater: str, lang: str) -> None:
        """Note the language a rater chooses."""
        self._run("UPDATE raters SET lang = ? WHERE rater = ?", (lang, rater))

    def assign(self, rater: str, pages: Sequence[str]) -> None:
        """Append pages to what a rater is to answer."""
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            sql = "SELECT coalesce(max(position), 0) FROM assigned WHERE rater = ?"
            start = 1 + connection.execute(sql, (rater,)).fetchone()[0]
            rows = [(rater, start + n, page) for n, page in enumerate(pages)]
            connection.executemany("INSERT INTO assigned VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")

    def assigned(self, rater: str) -> list[str]:
        """The pages of a rater, in their order."""
        return [p for (p,) in self._all("SELECT page FROM assigned WHERE rater = ? ORDER BY position", (rater,))]

    # --- invitations ---

    def invite(self, nonce: str, rater: str, role: str, expires: float | None) -> None:
        """Note an invitation."""
        sql = "INSERT INTO invites (nonce, rater, role, expires) VALUES (?, ?, ?, ?)"
        self._run(sql, (nonce, rater, role, expires))

    def invited(self, nonce: str) -> Invite | None:
        """The invitation of that number."""
        sql = "SELECT nonce, rater, role, expires, session, revoked, made_at FROM invites WHERE nonce = ?"
        rows = self._all(sql, (nonce,))
        return Invite(*rows[0]) if rows else None

    def invites(self) -> list[Invite]:
        """All invitations, oldest first."""
        sql = "SELECT nonce, rater, role, expires, session, revoked, made_at FROM invites ORDER BY made_at, nonce"
        return [Invite(*row) for row in self._all(sql)]

    def claim(self, nonce: str, session: str) -> bool:
        """Bind an invitation to the first session that uses it; whether it is this one's now."""
        self._run("UPDATE invites SET session = ? WHERE nonce = ? AND session IS NULL", (session, nonce))
        found = self.invited(nonce)
        return found is not None and found.session == session

    def revoke(self, rater: str) -> int:
        """Withdraw all invitations of a rater; returns how many there were."""
        sql = f"UPDATE invites SET revoked = {_NOW} WHERE rater = ? AND revoked IS NULL"
        return self._run(sql, (rater,))

    # --- what happened ---

    def note(self, rater: str, what: str, **detail: Any) -> None:
        """Note that something happened: a start, a break, a refusal."""
        row = (rater, what, json.dumps(detail, ensure_ascii=False))
        self._run("INSERT INTO events (rater, what, detail) VALUES (?, ?, ?)", row)

    def events(self, rater: str | None = None) -> list[tuple[str, str, dict[str, Any], str]]:
        """What happened: rater, what, detail, when; of one rater or of all."""
        where = "" if rater is None else "WHERE rater = ?"
        sql = f"SELECT rater, what, detail, at FROM events {where} ORDER BY seq"
        return [(r, what, json.loads(d), at) for r, what, d, at in self._all(sql, () if rater is None else (rater,))]

    # --- inside ---

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def _run(self, sql: str, values: Sequence[Any]) -> int:
        with self._lock:
            return self._connection.execute(sql, values).rowcount

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(sql, list(rows))
            connection.execute("COMMIT")
