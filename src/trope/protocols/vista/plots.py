"""Plots of vista, as plain data taken from its tables and views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trope.protocols.tables import Table
from trope.protocols.vista.questions import PERMUTED
from trope.protocols.vista.views import Sheet, View

_COLORS = 6  # series that a plot can tell apart


def plots(tables: Sequence[Table], sheet: Sheet) -> list[dict[str, Any]]:
    """V-Scores, options of Q2, gains, languages, and V-Score against the presence questions."""
    by_name = {table.name: table for table in tables}
    made: list[dict[str, Any] | None] = []
    if "v_score" in by_name:
        made += [_scores(by_name["v_score"]), _options(by_name["options"])]
    if "gains" in by_name:
        made.append(_gains(by_name["gains"]))
    for name in ("by_language", "by_form", "by_mechanism"):
        if name in by_name and len(by_name[name].columns) > 6:
            made.append(_heatmap(by_name[name]))
    if sheet.control and sheet.figure:
        made.append(_presence(sheet))
    return [plot for plot in made if plot is not None]


def _primary(table: Table, at: int) -> list[Sequence[Any]]:
    """Rows of the call that scores rest on: permuted where it was asked, for plots that would be long with both."""
    permuted = [row for row in table.rows if str(row[at]).startswith(PERMUTED)]
    return list(permuted or table.rows)


def _label(row: Sequence[Any]) -> str:
    return f"{row[0]} · {row[1]}"


def _scores(table: Table) -> dict[str, Any]:
    points = [{"label": _label(row), "series": f"{row[2]} · {row[3]}", **row[4]} for row in table.rows]  # type: ignore[dict-item]
    return {"kind": "intervals", "name": "v_score", "title": "V-Score", "points": points, "limits": [0, 100]}


def _options(table: Table) -> dict[str, Any]:
    mine = [row for row in _primary(table, 3) if str(row[4]).startswith("Q2")]
    return {
        "kind": "stacked", "name": "options", "title": "Q2: how far the vehicle is kept out (share of valid replies)",
        "rows": [f"{_label(row)} · {row[2]}" for row in mine],
        "parts": ["3 points", "2 points", "1 point", "0 points"],
        "values": [list(row[5:9]) for row in mine],
    }  # fmt: skip


def _gains(table: Table) -> dict[str, Any] | None:
    chosen = [row for row in _primary(table, 4) if row[5] in ("V-Score", "Q1, Q3, Q4") and isinstance(row[6], dict)]
    points = [{"label": f"{_label(row)} · {row[3]}", "series": str(row[5]), **row[6]} for row in chosen]
    ends = [abs(end) for p in points for end in (p["value"], p["low"], p["high"]) if end is not None]
    if not ends:
        return None
    most = max(5.0, *ends) * 1.05
    title = "Gain over base in points of the V-Score"
    return {"kind": "intervals", "name": "gains", "title": title, "points": points, "limits": [-most, most]}


def _heatmap(table: Table) -> dict[str, Any]:
    mine = [row for row in _primary(table, 3) if row[4] == "V-Score"]
    return {
        "kind": "heatmap", "name": table.name, "title": f"V-Score {table.title.lower()}", "limits": [0, 100],
        "rows": [f"{_label(row)} · {row[2]}" for row in mine],
        "columns": [str(name) for name in table.columns[5:]],
        "values": [[cell["value"] if isinstance(cell, dict) else None for cell in row[5:]] for row in mine],
    }  # fmt: skip


def _presence(sheet: Sheet) -> dict[str, Any] | None:
    """Every picture of the first judge; a series a subject where subjects with strategies are more than colors."""
    judge = sheet.control[0].instrument
    mine = [control for control in sheet.control if control.instrument == judge]
    points: list[dict[str, Any]] = []
    for control in mine:
        views = [v for v in sheet.figure if v.place[:3] == control.place[:3]]
        if not views:
            continue
        view: View = next((v for v in views if v.call.startswith(PERMUTED)), views[0])
        score = dict(zip(view.pair, view.score.tolist(), strict=True))
        right = (100 * control.points.mean(axis=1)).tolist()
        series = control.group if len(mine) <= _COLORS else control.subject
        points += [
            {"x": x, "y": score[pair], "label": pair[0], "series": series}
            for x, pair in zip(right, control.pair, strict=True)
            if x == x and score.get(pair, float("nan")) == score.get(pair)
        ]
    if not points:
        return None
    return {
        "kind": "scatter", "name": "presence", "title": "V-Score against questions about presence",
        "xlabel": f"presence score ({judge})", "ylabel": f"V-Score ({judge})", "points": points,
    }  # fmt: skip
