"""Tables: what scores are made of. Plain enough for JSON, so that a bundle's can be compared cell by cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trope.stats.result import Estimate

Value = str | int | float | None | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns, with a title and the notes a reader needs.

    An estimate is a cell of the form ``{"value", "low", "high", "n", "clusters", "method", "reason"}``;
    an undefined number is None there, with the reason.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    notes: Sequence[str] = field(default_factory=tuple)

    def as_json(self) -> dict[str, Any]:
        """The table as JSON holds it."""
        return {
            "name": self.name, "title": self.title, "columns": list(self.columns),
            "rows": [list(row) for row in self.rows], "notes": list(self.notes),
        }  # fmt: skip


def estimate_cell(estimate: Estimate, *, mark: str | None = None) -> dict[str, Any]:
    """An estimate as a table cell; ``mark`` says what keeps it from being a score (e.g. `optimized on`)."""
    cell: dict[str, Any] = {
        "value": number(estimate.value), "low": number(estimate.low), "high": number(estimate.high),
        "n": estimate.n, "clusters": estimate.n_clusters, "method": estimate.method,
    }  # fmt: skip
    if estimate.reason:
        cell["reason"] = estimate.reason
    if mark:
        cell["mark"] = mark
    return cell


def number(value: float) -> float | None:
    """A float as JSON can hold it, to ten decimals: NaN is None."""
    return None if math.isnan(value) else round(float(value), 10)


def plain(cell: Value, digits: int = 3) -> str:
    """A cell as text: ``0.350 [0.271, 0.433]``; what is undefined shows as a dash."""
    if cell is None:
        return "–"
    if isinstance(cell, dict):
        return _plain_estimate(cell, digits)
    if isinstance(cell, float):
        least = 10.0**-digits
        return f"<{least:g}" if 0 < cell < least / 2 else f"{cell:.{digits}f}"
    return str(cell)


def _plain_estimate(cell: Mapping[str, Any], digits: int) -> str:
    if cell["value"] is None:
        return "–"
    text = f"{cell['value']:.{digits}f}"
    if cell["low"] is not None and cell["high"] is not None:
        text += f" [{cell['low']:.{digits}f}, {cell['high']:.{digits}f}]"
    return text + (f" ({cell['mark']})" if cell.get("mark") else "")
