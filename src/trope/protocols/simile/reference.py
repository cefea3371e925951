"""What the paper printed, as data; shown only beside the paper's own sentences."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from trope.protocols.base import Study
from trope.protocols.tables import Table

SPLIT = "simile-g5"  # what sentences imported from the paper's set carry as their split


@cache
def printed() -> dict[str, Any]:
    """The paper's numbers by table: ``title``, ``columns``, ``rows``, ``notes``."""
    return tomllib.loads(Path(__file__).with_name("reference.toml").read_text("utf-8"))


def reference_tables(study: Study) -> list[Table]:
    """The paper's tables, if the study is of the paper's sentences, all of them and no others; else none."""
    items = {cell.item.id: cell.item for cell in study.cells}
    if len(items) != printed()["sentences"] or any(item.split != SPLIT for item in items.values()):
        return []
    return [
        Table(
            f"paper_{name}", f"Paper, {name}: {part['title']}", part["columns"],
            [[None if cell == "" else cell for cell in row] for row in part["rows"]],
            (f"Source: {printed()['source']}.", *part["notes"]),
        )
        for name, part in printed().items() if isinstance(part, dict)
    ]  # fmt: skip
