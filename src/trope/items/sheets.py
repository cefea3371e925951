"""Tables of cells, from CSV, TSV, Excel or JSON: a header, and rows that know where they stand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trope.items.findings import Finding

_DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_LONGEST = 10_000_000  # characters of a cell


@dataclass(slots=True)
class Sheet:
    """Column names, rows of ``(where, cells)``, and what was found on the way."""

    name: str
    header: list[str]
    rows: list[tuple[str, list[str]]]
    findings: list[Finding] = field(default_factory=list)


def read_delimited(text: str, name: str, usual: str) -> Sheet:
    """CSV or TSV. ``usual`` is the sign between cells that the file's name promises.

    Another sign is taken if the header has it and not the usual one; that is noted.
    """
    sheet = Sheet(name, [], [])
    if not text.strip():
        sheet.findings.append(Finding("format", "fatal", name, "", "", "is empty. Expected a header and rows"))
        return sheet
    first = text.lstrip("\r\n").split("\n", 1)[0]
    sign = usual
    if usual not in first:
        sign = max(_DELIMITERS, key=first.count) if any(d in first for d in _DELIMITERS) else usual
    if sign != usual:
        why = f"cells are separated by {_DELIMITERS[sign]}, not {_DELIMITERS[usual]}; read so"
        sheet.findings.append(Finding("delimiter", "note", f"{name}, line 1", "", sign, why))
    rows = _bare(text, name, sheet) if sign == "\t" else None
    if rows is None:
        rows = _quoted(text, name, sign, sheet)
    return sheet if rows is None else _tidy(sheet, rows)


def _quoted(text: str, name: str, sign: str, sheet: Sheet) -> list[tuple[str, list[str]]] | None:
    """Rows in which quotation marks around a cell are no part of it."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    csv.field_size_limit(_LONGEST)
    rows: list[tuple[str, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            rows.append((f"{name}, line {start}", cells))
            start = reader.line_num + 1
    except csv.Error as error:
        why = f"cannot be split into cells: {error}. A quotation mark may be open from here on"
        sheet.findings.append(Finding("format", "fatal", f"{name}, line {start}", "", "", why))
        return None
    return rows


def _bare(text: str, name: str, sheet: Sheet) -> list[tuple[str, list[str]]] | None:
    """Rows between tabs, quotation marks being text; None where the file uses them as signs around cells."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    rows = [(f"{name}, line {n}", line.split("\t")) for n, line in enumerate(lines, start=1)]
    begun = [cell for _, cells in rows for cell in cells if cell.startswith('"')]
    width = max((len(cells) for where, cells in rows[:1]), default=0)
    signs = any('""' in cell[1:-1] or cell.count('"') == 1 for cell in begun)
    if signs or any(len(cells) not in (1, width) for _, cells in rows if any(cells)):
        return None if begun else rows
    if begun:
        why = f"{len(begun)} cells begin with a quotation mark; the marks are kept, for nothing in the file needs them"
        sheet.findings.append(Finding("quotation-mark", "note", name, "", begun[0], why))
    return rows


def from_rows(name: str, rows: Iterable[tuple[str, Sequence[str]]]) -> Sheet:
    """A sheet of rows already split, the first of which is the header."""
    return _tidy(Sheet(name, [], []), [(where, list(cells)) for where, cells in rows])


def _tidy(sheet: Sheet, rows: list[tuple[str, list[str]]]) -> Sheet:
    """Blank rows and phantom columns go, ragged rows are reported; all are counted."""
    filled = [(where, cells) for where, cells in rows if any(cell.strip() for cell in cells)]
    if len(filled) < len(rows):
        blank = [where for where, cells in rows if not any(cell.strip() for cell in cells)]
        why = f"{len(blank)} rows have no value and are left out, the first here"
        sheet.findings.append(Finding("blank-row", "note", blank[0], "", "", why))
    if not filled:
        sheet.findings.append(Finding("format", "fatal", sheet.name, "", "", "is empty. Expected a header and rows"))
        return sheet
    header = [cell.strip() for cell in filled[0][1]]
    width = len(header)
    body = filled[1:]
    # the same number of empty cells behind every row is a habit of the program that wrote it, no shift
    habit = min((len(cells) for _, cells in body), default=width)
    habit = habit if habit > width and not any(c.strip() for _, cells in body for c in cells[width:]) else width
    straight = []
    for where, cells in body:
        if len(cells) in (width, habit):
            straight.append((where, cells))
            continue
        said = [cell for cell in cells if cell.strip()]
        why = f"has {len(cells)} cells, the header has {width} columns. A sign between cells may be missing or unquoted"
        sheet.findings.append(Finding("ragged-row", "fatal", where, "", said[-1], why))
    body = straight
    phantom = [n for n in range(width) if not header[n] and not any(_cell(cells, n) for _, cells in body)]
    beyond = max((len(cells) for _, cells in body), default=width)
    if count := len(phantom) + max(0, beyond - width):
        why = f"{count} columns have neither a name nor a value and are left out"
        sheet.findings.append(Finding("phantom-column", "note", filled[0][0], "", "", why))
    kept = [n for n in range(width) if n not in phantom]
    sheet.header = [header[n] for n in kept]
    sheet.rows = [(where, [_cell(cells, n, strip=False) for n in kept]) for where, cells in body]
    return sheet


def _cell(cells: Sequence[str], n: int, *, strip: bool = True) -> str:
    value = cells[n] if n < len(cells) else ""
    return value.strip() if strip else value
