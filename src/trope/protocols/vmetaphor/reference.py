"""What the paper printed, as data; shown only beside the paper's own items."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from trope.protocols.base import Study
from trope.protocols.tables import Table

SPLIT = "vmetaphor-bench"  # what items imported from the paper's release carry as their split
FILES = ("table1", "table2", "table4", "table5", "table7", "table8", "figure5")
_FOLDER = Path(__file__).with_name("reference")


@cache
def printed(name: str) -> Mapping[str, Any]:
    """One file of the paper's numbers: ``columns``, ``rows``, ``source``, ``title``, ``notes``."""
    table: dict[str, Any] = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))
    return table


def reference_tables(study: Study) -> list[Table]:
    """The paper's tables, if the study is of the paper's items, all of them and no others; else none."""
    return [made for name in FILES for made in _tables(name)] if of_the_paper(study) else []


def of_the_paper(study: Study) -> bool:
    """Whether items say they are the paper's, and number in every category what its table 5 prints."""
    items = {cell.item.id: cell.item for cell in study.cells}
    if any(item.split != SPLIT for item in items.values()):
        return False
    counts = Counter(item.labels.get("category", "") for item in items.values())
    return counts == Counter({row[1]: row[2] for row in printed("table5")["categories"]["rows"]})


def _tables(name: str) -> list[Table]:
    file = printed(name)
    parts = {f"paper_{name}": file}
    if "categories" in file:
        parts["paper_categories"] = {"notes": [], **file["categories"]}
    return [
        Table(
            place, f"Paper, {file['table']}: {part['title']}", part["columns"],
            [[None if cell == "" else cell for cell in row] for row in part["rows"]],
            [f"Source: {file['source']}.", *part["notes"]],
        )
        for place, part in parts.items()
    ]  # fmt: skip
