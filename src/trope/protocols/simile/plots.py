"""Plots of simile, as plain data taken from its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trope.protocols.tables import Table, Value


def plots(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Det with intervals, and Det by class and view."""
    by_name = {table.name: table for table in tables}
    points = [
        {"label": f"{row[0]} · {row[1]}", "series": row[2], **row[3]}
        for row in by_name["detection"].rows
        if isinstance(row[3], dict)
    ]
    title = "Share of pictures that show the vehicle (Det)"
    made: list[dict[str, Any]] = [{"kind": "intervals", "name": "detection", "title": title, "points": points}]
    classes = by_name["by_vehicle_class"]
    if 1 < len(classes.rows) <= 80:
        made.append({
            "kind": "heatmap",
            "name": "by_vehicle_class",
            "title": classes.title,
            "rows": [str(row[0]) for row in classes.rows],
            "columns": [_marked(name, [row[n] for row in classes.rows]) for n, name in enumerate(classes.columns) if n],
            "values": [[cell["value"] if isinstance(cell, dict) else None for cell in row[1:]] for row in classes.rows],
        })  # fmt: skip
    return made


def _marked(name: str, cells: Sequence[Value]) -> str:
    marks = {cell["mark"] for cell in cells if isinstance(cell, dict) and cell.get("mark")}
    return f"{name} ({', '.join(sorted(marks))})" if marks else name
