"""Plots of vmetaphor, as plain data taken from its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trope.protocols.tables import Table
from trope.protocols.vmetaphor.estimates import MCQ
from trope.protocols.vmetaphor.questions import UNDETERMINED
from trope.strategies.kinds import STRUCTURES


def plots(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Levels with intervals, ratings, what structures are taken for, categories, gains, two judges at once."""
    by_name = {table.name: table for table in tables}
    if "levels" not in by_name:
        return []
    made = [_levels(by_name["levels"]), _ratings(by_name["dimensions"])]
    made += [_structures(by_name["structures"]), *_categories(by_name["by_category"])]
    return [*made, *_gains(by_name["levels"], by_name["prompt_kinds"]), *_judges(by_name["levels"])]


def _name(row: Sequence[Any]) -> str:
    return f"{row[0]} · {row[1]}"


def _levels(table: Table) -> dict[str, Any]:
    many = len({row[2] for row in table.rows}) > 1
    points = [
        {"label": _name(row) + (f" · {row[2]}" if many else ""), "series": level, **cell}
        for row in table.rows
        for level, cell in zip(MCQ[:5], row[3:], strict=False)
        if isinstance(cell, dict)
    ]
    title = "Share of right answers, by level"
    return {"kind": "intervals", "name": "levels", "title": title, "points": points, "limits": [0, 1]}


def _ratings(table: Table) -> dict[str, Any]:
    names = table.columns[3:7]
    points = [
        {"label": f"{_name(row)} · {row[2]}", "series": name, **cell}
        for row in table.rows
        for name, cell in zip(names, row[3:], strict=False)
        if isinstance(cell, dict)
    ]
    title = "Ratings, 1 to 5"
    return {"kind": "intervals", "name": "dimensions", "title": title, "points": points, "limits": [1, 5]}


def _structures(table: Table) -> dict[str, Any]:
    several = any(row[0] == "all subjects" for row in table.rows)
    rows = [row for row in table.rows if not several or row[0] == "all subjects"]
    parts = [*STRUCTURES, UNDETERMINED]
    return {
        "kind": "stacked", "name": "structures", "title": table.title, "parts": parts,
        "rows": [f"{row[3]} · {row[1]} · {row[2]}" for row in rows],
        "values": [[row[4 + n] or 0.0 for n in range(4)] for row in rows],
    }  # fmt: skip


def _categories(table: Table) -> list[dict[str, Any]]:
    column = list(table.columns).index("overall_pooled")
    rows = list(dict.fromkeys(str(row[0]) for row in table.rows))
    columns = list(dict.fromkeys(f"{_name(row[1:])} · {row[3]}" for row in table.rows))
    if len(rows) < 2:
        return []
    cells = {(str(row[0]), f"{_name(row[1:])} · {row[3]}"): row[column] for row in table.rows}
    values = [[_value(cells.get((row, name))) for name in columns] for row in rows]
    title = "Share of right answers (overall_pooled) by category"
    return [{
        "kind": "heatmap", "name": "by_category", "title": title, "rows": rows, "columns": columns, "values": values,
        "limits": [0, 1],
    }]  # fmt: skip


def _gains(levels: Table, kinds: Table) -> list[dict[str, Any]]:
    """What another kind of prompt adds, against how good a subject is without it: weak ones are said to gain more."""
    column = list(levels.columns).index("overall_pooled")
    without = {(row[0], row[1], row[2]): _value(row[column]) for row in levels.rows}
    points = []
    for subject, this, that, judge, measure, gain, *_ in kinds.rows:
        x, y = without.get((subject, that, judge)), _value(gain)
        if measure == "overall_pooled" and x is not None and y is not None:
            points.append({"x": x, "y": y, "label": str(subject), "series": f"{this} · {judge}"})
    if len({point["label"] for point in points}) < 2:
        return []
    return [{
        "kind": "scatter", "name": "gains", "title": "What another kind of prompt adds (overall_pooled)",
        "points": points, "xlabel": "without it", "ylabel": "difference",
    }]  # fmt: skip


def _judges(table: Table) -> list[dict[str, Any]]:
    judges = list(dict.fromkeys(str(row[2]) for row in table.rows))
    if len(judges) < 2:
        return []
    column = list(table.columns).index("overall_pooled")
    overall = {(str(row[2]), _name(row)): _value(row[column]) for row in table.rows}
    points = [
        {"x": overall[judges[0], name], "y": overall[judge, name], "label": name, "series": judge}
        for judge in judges[1:]
        for name in dict.fromkeys(_name(row) for row in table.rows)
        if overall.get((judges[0], name)) is not None and overall.get((judge, name)) is not None
    ]
    return [{
        "kind": "scatter", "name": "judges", "title": "Two judges of the same pictures (overall_pooled)",
        "points": points, "xlabel": judges[0], "ylabel": "other judges", "diagonal": True,
    }]  # fmt: skip


def _value(cell: Any) -> float | None:
    return cell["value"] if isinstance(cell, Mapping) else None
