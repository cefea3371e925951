"""Excel workbooks (.xlsx), by openpyxl: an optional package, extra `frames`."""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
from typing import Any

from trope.errors import MissingExtra
from trope.items.findings import Finding
from trope.items.sheets import Sheet, from_rows


def read_workbook(data: bytes, name: str, wanted: str | None = None) -> Sheet:
    """One sheet of a workbook: the only one that is not empty, or the one ``wanted``.

    Raises
    ------
    MissingExtra : openpyxl is not installed.
    """
    try:
        import openpyxl
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise MissingExtra(f"reading {name}", "openpyxl", "frames") from None

    def opened(*, values: bool) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and validations that are not read anyway
            return openpyxl.load_workbook(io.BytesIO(data), data_only=values)

    try:
        book = opened(values=False)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        why = f"is no .xlsx workbook ({error or type(error).__name__}). Save it as .xlsx, or as UTF-8 CSV"
        return _refused(name, "format", "", why)
    filled = [sheet.title for sheet in book.worksheets if _used(sheet)]
    if wanted is not None and wanted not in book.sheetnames:
        return _refused(name, "sheet", wanted, f"is no sheet. There are: {', '.join(book.sheetnames)}")
    if wanted is None and len(filled) != 1:
        why = f"{len(filled)} sheets have values ({', '.join(filled) or 'none'}). Say which: --sheet NAME"
        return _refused(name, "sheet", "", why)
    title = wanted or filled[0]
    has_formula = any(cell.data_type == "f" for row in book[title].iter_rows() for cell in row)
    computed = opened(values=True)[title] if has_formula else book[title]
    return _cells(book[title], computed, f"{name}[{title}]")


def _used(sheet: Any) -> bool:
    return any(cell.value not in (None, "") for row in sheet.iter_rows() for cell in row)


def _cells(written: Any, computed: Any, name: str) -> Sheet:
    found: list[Finding] = []
    rows = []
    for written_row, computed_row in zip(written.iter_rows(), computed.iter_rows(), strict=True):
        cells = []
        where = f"{name}, row {written_row[0].row}"
        for source, cell in zip(written_row, computed_row, strict=True):
            cells.append(_text(cell.value))
            at = f"{name}, cell {source.coordinate}"
            if source.data_type == "f" and cell.value is None:
                why = "is a formula without a stored value: open and save the file in a spreadsheet program"
                found.append(Finding("formula", "fatal", at, "", str(source.value), why))
            elif source.data_type == "f":
                found.append(Finding("formula", "note", at, "", str(source.value), f"read as {cells[-1]!r}"))
            if cell.data_type == "e":
                found.append(Finding("spreadsheet-value", "fatal", at, "", cells[-1], "is an error, not a value"))
            elif isinstance(cell.value, datetime.datetime | datetime.date | datetime.time):
                why = "was turned into a date by the spreadsheet program; format the column as text and type it anew"
                found.append(Finding("spreadsheet-value", "fatal", at, "", cells[-1], why))
        rows.append((where, cells))
    sheet = from_rows(name, rows)
    sheet.findings[:0] = found
    return sheet


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _refused(name: str, kind: str, value: str, why: str) -> Sheet:
    return Sheet(name, [], [], [Finding(kind, "fatal", name, "", value, why)])
