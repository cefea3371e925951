"""Plots of m3r, as plain data taken from its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from trope.protocols.tables import Table

_LIMITS: Final = [0, 100]


def plots(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Scores with intervals, explanations, scores by language and origin, the confusion of sentiments."""
    by_name = {table.name: table for table in tables}
    made = [
        _intervals("scores", "Metaphor, sentiment, and all four fields", [
            (by_name["labels"], 2, ("MD macro-F1", "SC macro-F1")), (by_name["mapping"], 3, ("JLA",)),
        ]),
        _intervals("mapping", "Target and source over all true metaphors (F1)", [
            (by_name["mapping"], 3, ("TP", "SP")),
        ]),
    ]  # fmt: skip
    if "explanations" in by_name:
        stages = [(by_name["explanations"], 4, ("ITE", "MC", "SJ"))]
        made.append(_intervals("explanations", "Explanations behind their gates", stages))
    for what in ("language", "origin"):
        table = by_name[f"by_{what}"]
        if len({row[0] for row in table.rows}) > 1:
            made.append(_by(table, what))
    return [plot for plot in made if plot.get("points") or plot.get("rows")]


def _intervals(name: str, title: str, parts: Sequence[tuple[Table, int, Sequence[str]]]) -> dict[str, Any]:
    points = [
        {"label": " · ".join(map(str, row[:2])), "series": _series(column, row[2:known], len(parts)), **cell}
        for table, known, columns in parts
        for row in table.rows
        for column in columns
        if isinstance(cell := row[list(table.columns).index(column)], dict) and cell["value"] is not None
    ]
    once = {(point["label"], point["series"]): point for point in reversed(points)}  # of several matchers the first
    return {"kind": "intervals", "name": name, "title": title, "points": list(once.values())[::-1], "limits": _LIMITS}


def _series(column: str, through: Sequence[Any], parts: int) -> str:
    """The score, and the instruments it came through where the plot shows no other kind of score."""
    return column if parts > 1 else " · ".join([column, *map(str, through)])


def _by(table: Table, what: str) -> dict[str, Any]:
    columns = ["MD accuracy", "SC accuracy", "TP", "SP", "JLA"]
    at = [list(table.columns).index(column) for column in columns]
    rows = [" · ".join(map(str, (row[1], row[2], row[0]))) for row in table.rows]
    values = [[cell["value"] if isinstance(cell := row[n], dict) else None for n in at] for row in table.rows]
    return {
        "kind": "heatmap", "name": f"by_{what}", "title": table.title, "rows": rows, "columns": columns,
        "values": values, "limits": _LIMITS,
    }  # fmt: skip
