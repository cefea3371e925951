"""What the paper's text says in numbers; shown only beside the paper's own items."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from trope.protocols.base import Study
from trope.protocols.tables import Table

SPLIT = "vista-bench"  # what items imported from the paper's release carry as their split
COUNTS = (193, 1930)  # its subset, and all of it


@cache
def printed() -> Mapping[str, Any]:
    """The paper's numbers: ``columns``, ``rows``, ``source``, ``notes``."""
    table: dict[str, Any] = tomllib.loads(Path(__file__).with_name("reference.toml").read_text("utf-8"))
    return table


def value(what: str) -> float:
    """One number by what it is; raises `KeyError`."""
    rows: dict[str, float] = {row[0]: row[1] for row in printed()["rows"]}
    return rows[what]


def reference_tables(study: Study) -> list[Table]:
    """The paper's numbers as a table, if the study is of the paper's items, its subset or all; else none."""
    items = {cell.item.id: cell.item for cell in study.cells}
    if len(items) not in COUNTS or any(item.split != SPLIT for item in items.values()):
        return []
    file = printed()
    notes = [f"Source: {file['source']}.", *file["notes"]]
    return [Table("paper", "Paper: what its text says in numbers", file["columns"], file["rows"], notes)]
