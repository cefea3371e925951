"""Excel: values as text, and what a spreadsheet program did to them."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.items.helpers import file, kinds
from trope.errors import ItemError, MissingExtra
from trope.items import How, inspect_items, read_items

openpyxl = pytest.importorskip("openpyxl")
HEAD = ["id", "text", "lang", "vehicle"]


def book(path: Path, *rows: list[Any], others: dict[str, list[list[Any]]] | None = None) -> Path:
    made = openpyxl.Workbook()
    made.active.title = "items"
    for row in rows:
        made.active.append(row)
    for title, of in (others or {}).items():
        sheet = made.create_sheet(title)
        for row in of:
            sheet.append(row)
    made.save(path)
    return path


def test_cells_become_text(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", [*HEAD, "held_out", " "], [1, "雾像羊毛。", "zh", "羊毛", True, None],
                [None] * 5, [2.0, "Fog.", "en", "None", False, None])  # fmt: skip
    read = inspect_items(path)
    assert [(i.id, i.text, i.held_out) for i in read.items] == [("1", "雾像羊毛。", True), ("2", "Fog.", False)]
    assert read.places["2"] == "a.xlsx[items], row 4"
    assert sorted(kinds(read.findings)) == ["blank-row", "missing-mark", "phantom-column"]


def test_dates_errors_and_formulas_are_not_values(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", HEAD, [1, "Fog.", "en", datetime.date(2024, 3, 1)], [2, "Rain.", "en", "#N/A"],
                [3, '="Sn"&"ow."', "en", ""])  # fmt: skip
    said = [str(f) for f in inspect_items(path).findings if f.level == "fatal"]
    assert any("cell D2: '2024-03-01 00:00:00': was turned into a date" in s for s in said)
    assert any("cell D3: '#N/A': is an error, not a value" in s for s in said)
    assert any("cell B4" in s and "is a formula without a stored value" in s for s in said)


def test_several_sheets_are_not_chosen_from(tmp_path: Path) -> None:
    path = book(
        tmp_path / "a.xlsx", HEAD, [1, "Fog.", "en", ""], others={"notes": [["id", "text"], [1, "x"]], "empty": []}
    )
    with pytest.raises(ItemError, match=r"2 sheets have values \(items, notes\). Say which: --sheet NAME"):
        read_items(path)
    assert len(read_items(path, How(sheet="items"))) == 1
    with pytest.raises(ItemError, match=r"is no sheet. There are: items, notes, empty"):
        read_items(path, How(sheet="item"))


def test_what_is_no_workbook(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"is no .xlsx workbook"):
        read_items(file(tmp_path, "a.xlsx", b"id,text\n"))


def test_without_openpyxl_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(tmp_path / "a.xlsx", HEAD)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra) as error:
        read_items(path)
    assert str(error.value) == (
        "reading a.xlsx needs 'openpyxl', which is not installed. Run: pip install 'trope[frames]'"
    )
