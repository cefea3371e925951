"""What the paper's text says in numbers; shown only beside the paper's own items."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from trope.protocols.base import Study
from trope.protocols.m3r.labels import gold
from trope.protocols.tables import Table

# The benchmark is known by its counts of labels, which no other set has by chance.
_METAPHORS: Final = {"Yes": 510, "No": 490}
_SENTIMENTS: Final = {"Positive": 495, "Neutral": 206, "Negative": 299}


@cache
def printed() -> Mapping[str, Any]:
    """The paper's numbers: ``columns``, ``rows``, ``source``."""
    table: dict[str, Any] = tomllib.loads(Path(__file__).with_name("reference.toml").read_text("utf-8"))
    return table


def value(what: str) -> float:
    """One number by what it is; raises `KeyError`."""
    rows: dict[str, float] = {row[0]: row[1] for row in printed()["rows"]}
    return rows[what]


def reference_tables(study: Study) -> list[Table]:
    """The paper's numbers as a table, if the study is of the paper's 1,000 items; else none."""
    truth = [gold(item) for item in {cell.item.id: cell.item for cell in study.cells}.values()]
    counts = Counter(true.metaphor for true in truth), Counter(true.sentiment for true in truth)
    if counts != (_METAPHORS, _SENTIMENTS):
        return []
    file = printed()
    notes = [
        f"Source: {file['source']}.",
        "Its BERTScore is bert-base-multilingual-cased at layer 9: compare TP, SP and JLA behind that matcher only.",
    ]
    return [Table("paper", "Paper: what its text says in numbers", file["columns"], file["rows"], notes)]
