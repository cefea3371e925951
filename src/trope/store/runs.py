"""A run: a folder with what was asked (`run.toml`) and of what (`items.jsonl`); its cells are in the store."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from trope.errors import BudgetError, UnknownName, UsageError
from trope.store.files import write_durably
from trope.store.store import Store

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_COLUMNS = "item, subject, strategy, seed, output, trail, gates, observations"


@dataclass(frozen=True, slots=True)
class CellRow:
    """One cell of a run as it ended: what was asked of whom, and the keys of what came of it.

    ``output`` is the strategy's choice; ``trail`` every key the strategy asked for, in order; ``gates`` the
    instruments it looked through while deciding, which may therefore not score it; ``observations`` maps
    instrument to call to key.
    """

    item: str
    subject: str
    strategy: str
    seed: int
    output: str
    trail: tuple[str, ...]
    gates: tuple[str, ...]
    observations: dict[str, dict[str, str]]

    def keys(self) -> set[str]:
        """Every record the cell rests on."""
        return {self.output, *self.trail, *(key for calls in self.observations.values() for key in calls.values())}


class RunFolder:
    """The folder and cells of one run."""

    def __init__(self, store: Store, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"run name {name!r} cannot be a folder name. Expected: letters, digits, '.', '_', '-', at most 100"
            )
        self.store, self.name = store, name
        self.folder = store.folder / "runs" / name
        self.asked = self.folder / "run.toml"
        self.items = self.folder / "items.jsonl"

    @classmethod
    def find(cls, store: Store, name: str) -> RunFolder:
        """The run of that name; raises `UnknownName` with what there is."""
        run = cls(store, name)
        if not run.asked.exists():
            raise UnknownName("run", name, cls.names(store), hint=f"Looked in {str(store.folder / 'runs')!r}.")
        return run

    @staticmethod
    def names(store: Store) -> list[str]:
        """Names of all runs in a store."""
        return sorted(p.parent.name for p in (store.folder / "runs").glob("*/run.toml"))

    def freeze(self, asked: str, items: str, question: str, items_digest: str) -> None:
        """Write what is asked and of what.

        Parameters
        ----------
        question, items_digest : hashes of the two; the store remembers them, whatever becomes of the files.

        Raises
        ------
        UsageError : the run exists and asked something else.
        """
        gone = not self.asked.exists()  # somebody deleted the folder: the name is free again

        def work(connection: sqlite3.Connection) -> tuple[str, str]:
            if gone:
                connection.execute("DELETE FROM runs WHERE name = ?", [self.name])
                connection.execute("DELETE FROM cells WHERE run = ?", [self.name])
            connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?)", (self.name, question, items_digest))
            row = connection.execute("SELECT question, items FROM runs WHERE name = ?", [self.name]).fetchone()
            return row[0], row[1]

        if self.store.database.submit(work).result() != (question, items_digest):
            raise UsageError(
                f"run {self.name!r} exists and asked something else. Choose another --name; answers already stored"
                " are used again whatever the run is called"
            )
        write_durably(self.asked, asked.encode("utf-8"))
        write_durably(self.items, items.encode("utf-8"))

    def frozen(self) -> tuple[str, str]:
        """The hashes of question and items as they were first asked; empty if the store does not know the run."""
        rows = self.store.database.query("SELECT question, items FROM runs WHERE name = ?", [self.name])
        return (str(rows[0][0]), str(rows[0][1])) if rows else ("", "")

    def save_cells(self, ended: Sequence[tuple[int, CellRow]]) -> Future[Any]:
        """Write finished cells, by position; done when the future is. A row is replaced only by another one."""
        made = [(position, *cell_columns(cell)) for position, cell in ended]

        def work(connection: sqlite3.Connection) -> None:
            places = [row[0] for row in made]
            sql = f"SELECT position, {_COLUMNS} FROM cells WHERE run = ? AND position BETWEEN ? AND ?"
            known = set(connection.execute(sql, (self.name, min(places, default=0), max(places, default=0))))
            rows = [(self.name, *row) for row in made if row not in known]
            connection.executemany("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

        return self.store.database.submit(work)

    def cells(self) -> list[CellRow]:
        """The finished cells, in the order they were planned."""
        sql = f"SELECT {_COLUMNS} FROM cells WHERE run = ? ORDER BY position"
        return [cell_from(row) for row in self.store.database.query(sql, [self.name])]

    def spent(self, *, strict: bool = False) -> float:
        """US dollars that this run has cost so far, as far as costs are known.

        Raises
        ------
        BudgetError : ``strict``, and some of the run's requests were made without a price.
        """
        sql = "SELECT total(usd), total(usd IS NULL) FROM records WHERE run = ?"
        ((usd, unknown),) = self.store.database.query(sql, [self.name])
        if strict and unknown:
            raise BudgetError(
                f"{unknown:.0f} earlier requests of run {self.name!r} were made without a price: a limit over the run"
                " cannot be held. Use another --name: what is stored costs nothing again"
            )
        return float(usd)

    @contextlib.contextmanager
    def working(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the run for this process; calls ``waiting`` once if another one has it.

        Two processes on one run would ask the same questions at the same time, and pay twice.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ImportError:  # Windows: two processes on one run are safe there too, only wasteful
            yield
            return
        with (self.folder / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def cell_columns(cell: CellRow) -> tuple[Any, ...]:
    """A cell as columns, JSON where a column holds more than one thing."""
    return (
        cell.item, cell.subject, cell.strategy, cell.seed, cell.output,
        json.dumps(cell.trail), json.dumps(cell.gates), json.dumps(cell.observations),
    )  # fmt: skip


def cell_from(columns: Sequence[Any]) -> CellRow:
    """A cell back from its columns."""
    item, subject, strategy, seed, output, trail, gates, observations = columns
    return CellRow(
        item, subject, strategy, seed, output,
        tuple(json.loads(trail)), tuple(json.loads(gates)), _by_call(json.loads(observations)),
    )  # fmt: skip


def _by_call(observations: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Runs made before an instrument could be called twice hold one bare key an instrument."""
    return {name: {"look": calls} if isinstance(calls, str) else calls for name, calls in observations.items()}
