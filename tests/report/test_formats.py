"""The same numbers in every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from trope.protocols import Scores, Table
from trope.protocols.tables import plain
from trope.report import as_csv, as_json, as_markdown, as_pdf
from trope.report.plots import svg

ESTIMATE = {"value": 0.25, "low": 0.1, "high": 0.4, "n": 20, "clusters": 10, "method": "bootstrap"}
UNDEFINED = {"value": None, "low": None, "high": None, "n": 0, "clusters": 0, "method": "none", "reason": "no rows"}
SCORES = Scores(
    "simile",
    "simile@x#1",
    [
        Table("one", "A | title", ["name", "Det", "n"], [["猫 | قطة", ESTIMATE, 3], ["b", UNDEFINED, None]], ["a note"]),
        Table("empty", "Empty", ["name"], []),
        Table("wide", "Wide", ["name", *map(str, range(40))], [[f"row {r}", *[ESTIMATE] * 40] for r in range(50)]),
    ],
    [
        {"kind": "intervals", "name": "p", "title": "T <b>", "points": [{"label": "a", "series": "s", **ESTIMATE}, {"label": "b", "series": "s", **UNDEFINED}]},
        {"kind": "heatmap", "name": "h", "title": "H", "rows": ["a", "b"], "columns": ["c"], "values": [[0.5], [None]]},
    ],
    ["be careful"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"), (3, "3"), (0.12345, "0.123"), (0.0001, "<0.001"), (0.0, "0.000"), ("x", "x"),
        (ESTIMATE, "0.250 [0.100, 0.400]"), (UNDEFINED, "–"), (ESTIMATE | {"mark": "optimized on"}, "0.250 [0.100, 0.400] (optimized on)"),
    ],
)  # fmt: skip
def test_cells_as_text(cell: object, text: str) -> None:
    assert plain(cell) == text  # type: ignore[arg-type]


def test_markdown_keeps_its_columns() -> None:
    lines = as_markdown(SCORES).splitlines()
    rows = [line for line in lines if line.startswith("|")][:4]
    assert {row.replace("\\|", "").count("|") for row in rows} == {4}
    assert "> be careful" in lines and "a note" in lines


def test_csv_spreads_estimates(tmp_path: Path) -> None:
    paths = as_csv(SCORES, tmp_path)
    assert [p.name for p in paths] == ["one.csv", "empty.csv", "wide.csv"]
    with paths[0].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:4] == ["name", "Det", "Det low", "Det high"] and len({len(r) for r in rows}) == 1
    assert rows[1][:4] == ["猫 | قطة", "0.25", "0.1", "0.4"]


def test_json_is_what_a_bundle_holds() -> None:
    assert json.loads(as_json(SCORES)) == json.loads(json.dumps(SCORES.as_json()))


def test_pdf_has_every_row_of_every_table(tmp_path: Path) -> None:
    reader = PdfReader(as_pdf(SCORES, tmp_path / "r.pdf"))
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "Wide" in text and all(f"row {r}" in text for r in range(50)) and "0.250" in text


def test_plots_take_the_page_s_color_and_cannot_break_out_of_it() -> None:
    for plot in SCORES.plots:
        drawn = svg(plot)
        assert drawn.startswith("<svg role=") and "currentColor" in drawn and "#0a0b0c" not in drawn
        assert "<b>" not in drawn and "<script" not in drawn
    assert svg(SCORES.plots[0]) == svg(SCORES.plots[0])
