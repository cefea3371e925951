"""CSV and TSV: ragged rows, phantom columns, blank rows, quotation marks, signs between cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.items.helpers import file, kinds
from trope.items import inspect_items
from trope.items.sheets import read_delimited

HEAD = "id,text,lang,vehicle\n"


def test_a_plain_table() -> None:
    sheet = read_delimited(HEAD + '1,"Fog, like wool.",en,wool\r\n2,Rain.,en,\n', "a.csv", ",")
    assert sheet.header == ["id", "text", "lang", "vehicle"]
    assert sheet.rows == [("a.csv, line 2", ["1", "Fog, like wool.", "en", "wool"]),
                          ("a.csv, line 3", ["2", "Rain.", "en", ""])]  # fmt: skip
    assert sheet.findings == []


def test_ragged_rows_are_not_read() -> None:
    sheet = read_delimited(HEAD + "1,Fog, like wool.,en,wool\n2,Rain.,en\n3,Snow.,en,\n", "a.csv", ",")
    assert [str(f) for f in sheet.findings] == [
        "a.csv, line 2: 'wool': has 5 cells, the header has 4 columns. A sign between cells may be missing or"
        " unquoted [ragged-row]",
        "a.csv, line 3: 'en': has 3 cells, the header has 4 columns. A sign between cells may be missing or"
        " unquoted [ragged-row]",
    ]
    assert [cells[0] for _, cells in sheet.rows] == ["3"]


def test_phantom_columns_and_blank_rows_are_counted() -> None:
    sheet = read_delimited("id,text,,lang,,\n1,Fog.,,en,,,\n,,,,,\n2,Rain.,,en,,,\n", "a.csv", ",")
    assert sheet.header == ["id", "text", "lang"]
    assert kinds(sheet.findings) == ["blank-row", "phantom-column"]
    assert "1 rows have no value" in sheet.findings[0].why
    assert sheet.findings[0].where == "a.csv, line 3"
    assert "4 columns have neither a name nor a value" in sheet.findings[1].why


def test_a_column_without_a_name_but_with_values_is_kept_and_not_read(tmp_path: Path) -> None:
    read = inspect_items(file(tmp_path, "a.csv", "id,text,lang,\n1,Fog.,en,extra\n"))
    assert len(read.items) == 1
    assert kinds(read.findings) == ["column"]


def test_another_sign_between_cells_is_noted() -> None:
    sheet = read_delimited("id;text;lang\n1;Fog, like wool.;en\n", "a.csv", ",")
    assert sheet.rows[0][1] == ["1", "Fog, like wool.", "en"]
    assert str(sheet.findings[0]) == (
        "a.csv, line 1: ';': cells are separated by semicolon, not comma; read so [delimiter]"
    )
    assert kinds(read_delimited("id\ttext\n1\tFog\n", "a.csv", ",").findings) == ["delimiter"]


def test_an_open_quotation_mark() -> None:
    sheet = read_delimited(HEAD + '1,"Fog.,en,wool\n2,Rain.,en,\n', "a.csv", ",")
    assert str(sheet.findings[0]) == (
        "a.csv, line 2: cannot be split into cells: unexpected end of data. A quotation mark may be open from here"
        " on [format]"
    )


def test_line_numbers_count_lines_not_rows() -> None:
    sheet = read_delimited(HEAD + '1,"Fog\nand rain.",en,\n2,Snow.,en\n', "a.csv", ",")
    assert sheet.findings[0].where == "a.csv, line 4"


def test_quotation_marks_of_a_tsv_are_text_unless_the_file_needs_them() -> None:
    sheet = read_delimited('text\tlang\n"G I G G L E" painted in thick letters\ten\n', "a.tsv", "\t")
    assert sheet.rows[0][1][0] == '"G I G G L E" painted in thick letters'
    assert kinds(sheet.findings) == ["quotation-mark"]
    quoted = read_delimited('text\tlang\n"He said ""no""."\ten\n', "a.tsv", "\t")
    assert quoted.rows[0][1][0] == 'He said "no".'
    broken = read_delimited('text\tlang\n"two\nlines"\ten\n', "a.tsv", "\t")
    assert broken.rows[0][1][0] == "two\nlines"


@pytest.mark.parametrize("text", ["", "\n\n", " \n"])
def test_an_empty_file(text: str) -> None:
    assert kinds(read_delimited(text, "a.csv", ",").findings) == ["format"]


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_whatever_stands_in_cells_no_row_is_lost_unseen(rows: list[list[str]]) -> None:
    import csv
    import io

    out = io.StringIO(newline="")
    csv.writer(out).writerows([["id", "text", "lang"], *rows])
    sheet = read_delimited(out.getvalue(), "a.csv", ",")
    if any(f.kind == "format" for f in sheet.findings):
        return
    ragged = sum(f.kind == "ragged-row" for f in sheet.findings)
    blank = sum(not any(cell.strip() for cell in row) for row in rows)
    assert len(sheet.rows) + ragged + blank == len(rows)
