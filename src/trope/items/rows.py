"""Rows of any table as they are, each with where it stands: for files that hold no items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from trope.errors import ItemError
from trope.items.encodings import decode
from trope.items.findings import fatal, raise_first
from trope.items.sheets import read_delimited

LINES = (".jsonl", ".ndjson")
TABS = (".tsv", ".tab")
Row = tuple[str, dict[str, Any]]


def table_rows(path: Path, encoding: str | None = None) -> list[Row]:
    """Rows of a CSV, TSV or JSON-lines file: where each stands, and its values by column.

    Raises
    ------
    ItemError : no such file or none of these kinds, bytes that are not text, a row that cannot be read, no rows.
    """
    kind = path.suffix.lower()
    if not path.is_file():
        raise ItemError(f"no file at {str(path)!r}. Expected: a table (.csv, .tsv, .jsonl)")
    if kind not in (".csv", *TABS, *LINES):
        raise ItemError(f"{path.name}: unknown kind of file {path.suffix!r}. Expected: .csv, .tsv, .jsonl")
    text, _, findings = decode(path.read_bytes(), path.name, encoding)
    if text is None or fatal(findings):
        raise_first(findings, str(path))
    rows = list(_lines(text or "", path.name) if kind in LINES else _cells(text or "", path.name, kind))
    if not rows:
        raise ItemError(f"{path.name}: no rows. Expected: at least one")
    return rows


def _cells(text: str, name: str, kind: str) -> Iterator[Row]:
    sheet = read_delimited(text, name, "\t" if kind in TABS else ",")
    raise_first(sheet.findings, name)
    for where, cells in sheet.rows:
        yield where, dict(zip(sheet.header, cells, strict=True))


def _lines(text: str, name: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            row = json.loads(line, object_pairs_hook=partial(_unique, where))
        except json.JSONDecodeError as error:
            raise ItemError(f"{where}: not JSON: {error.msg} at character {error.pos + 1}") from None
        except RecursionError:
            raise ItemError(f"{where}: not JSON: too deep") from None
        except ValueError:  # a whole number of over 4,300 digits
            raise ItemError(f"{where}: holds a number of more digits than are read") from None
        if not isinstance(row, dict):
            raise ItemError(f"{where}: expected an object, got {type(row).__name__}")
        yield where, row


def _unique(where: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := next((name for n, name in enumerate(names) if name in names[:n]), None):
        raise ItemError(f"{where}: {twice!r} is there twice in one object")
    return dict(pairs)
