"""Tables of cells, by hand."""

from __future__ import annotations

import pytest

from tests.items.helpers import item
from trope.items import SETS, load_set
from trope.items.tables import Table, blind_table, cross, set_tables


def test_a_cross_table_by_hand() -> None:
    items = [item("a", held_out=True), item("b"), item("c", "zh"), item("d", "zh", figure={"form": "metaphor"})]
    table = cross(
        items, "Forms", lambda i: str(i.figures[0].form), lambda i: i.lang, ("simile", "metaphor", "en", "zh")
    )
    assert table == Table(
        "Forms (held out)",
        ("", "en", "zh", "all"),
        (
            ("simile", "2 (1)", "1 (0)", "3 (1)"),
            ("metaphor", "–", "1 (0)", "1 (0)"),
            ("all", "2 (1)", "2 (0)", "4 (1)"),
        ),
    )
    assert table.text() == (
        "Forms (held out)\n\ten\tzh\tall\n"
        "simile\t2 (1)\t1 (0)\t3 (1)\nmetaphor\t–\t1 (0)\t1 (0)\nall\t2 (1)\t2 (0)\t4 (1)\n"
    )
    assert table.markdown() == (
        "**Forms (held out)**\n\n|  | en | zh | all |\n| --- | ---: | ---: | ---: |\n"
        "| simile | 2 (1) | 1 (0) | 3 (1) |\n"
        "| metaphor | – | 1 (0) | 1 (0) |\n| all | 2 (1) | 2 (0) | 4 (1) |\n"
    )


def test_cells_are_escaped_in_markdown() -> None:
    assert "a\\|b" in Table("t", ("x",), (("a|b",),)).markdown()


@pytest.mark.parametrize("name", list(SETS))
def test_tables_of_the_shipped_sets(name: str) -> None:
    items = load_set(name)
    tables = set_tables(name, items)
    assert ("items", str(len(items))) in tables[0].rows
    assert all(len(row) == len(table.header) for table in tables for row in table.rows)
    assert len(tables) >= 2


def test_no_items() -> None:
    assert set_tables("mine.csv", [])[0].rows[0] == ("items", "0")


def test_the_blind_table_of_a_few_items() -> None:
    table = blind_table(load_set("vista")[:20], "vista")
    assert table.header[:3] == ("level", "questions", "chance")
    assert [row[0] for row in table.rows] == ["ar Q1", "ar Q2", "ar Q3", "ar Q4"]
    assert all(row[1:3] == ("20", "25.0%") for row in table.rows)
