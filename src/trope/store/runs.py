"""A run: a folder with what was asked (`run.toml`) and of what (`items.jsonl`); its cells are in the store."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trope.errors import UnknownName, UsageError
from trope.store.store import Store

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class CellRow:
    """One cell of a run as it ended: what was asked of whom, and the keys of what came of it.

    ``attempts`` is the number of pictures the strategy asked for; ``gates`` the instruments it looked
    through while deciding, which may therefore not score it; ``observations`` maps instrument to key.
    """

    item: str
    subject: str
    strategy: str
    seed: int
    output: str
    attempts: int
    gates: tuple[str, ...]
    observations: dict[str, str]


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

    def freeze(self, asked: str, items: str) -> None:
        """Write what is asked and of what; the texts are the whole truth about the run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, text in ((self.asked, asked), (self.items, items)):
            temporary = path.with_name(f".new-{path.name}")
            temporary.write_text(text, "utf-8")
            temporary.replace(path)

    def save_cells(self, cells: Sequence[CellRow]) -> None:
        """Replace the run's cells in one transaction."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM cells WHERE run = ?", [self.name])
            connection.executemany(
                "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(self.name, n, *cell_columns(c)) for n, c in enumerate(cells)],
            )

        self.store.database.submit(work).result()

    def cells(self) -> list[CellRow]:
        """The run's cells, in the order they were planned."""
        rows = self.store.database.query(
            "SELECT item, subject, strategy, seed, output, attempts, gates, observations"
            " FROM cells WHERE run = ? ORDER BY position",
            [self.name],
        )
        return [cell_from(row) for row in rows]


def cell_columns(cell: CellRow) -> tuple[Any, ...]:
    """A cell as columns, JSON where a column holds more than one thing."""
    return (
        cell.item, cell.subject, cell.strategy, cell.seed, cell.output, cell.attempts,
        json.dumps(cell.gates), json.dumps(cell.observations),
    )  # fmt: skip


def cell_from(columns: Sequence[Any]) -> CellRow:
    """A cell back from its columns."""
    item, subject, strategy, seed, output, attempts, gates, observations = columns
    return CellRow(item, subject, strategy, seed, output, attempts, tuple(json.loads(gates)), json.loads(observations))
