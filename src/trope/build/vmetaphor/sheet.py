"""The sheet for people: one row a picture, everything in it may be edited, decided upon and signed.

The same rules as for the stage files: what a person touched is kept, and a row that was taken out stays out. Columns
that only inform (`place`, `page`, `problems`) are not read back.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trope.build.vmetaphor.files import StageFile
from trope.build.vmetaphor.records import Checked
from trope.build.vmetaphor.sources import Source
from trope.errors import ItemError
from trope.items.encodings import decode
from trope.items.findings import raise_first
from trope.items.sheets import read_delimited

_TOLD = ("place", "page", "problems")
_DECIDED = ("decision", "verified_by", "note")
_NOTED = ("category", "structure", "absent", "target", "source", "meaning")
_WRITTEN = ("conceptual", "descriptive", "style")
_ASKED = ("Q1", "Q2", "Q4")
_PAIR = re.compile(r"Q5_([1-9]\d?)_(?:source|target)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet program would compute


class Sheet(StageFile[Checked]):
    """``verify.csv`` in the folder of a build."""

    ending = ".csv"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "verify", Checked)
        self.seen: Mapping[str, tuple[Source, list[str]]] = {}

    def encode(self, records: Mapping[str, Checked]) -> bytes:
        """The table, for any spreadsheet program: UTF-8 with a byte order mark, nothing that is computed."""
        most = max((len(record.annotation.mappings) for record in records.values()), default=1)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(_columns(most)), restval="")
        writer.writeheader()
        for name, record in records.items():
            writer.writerow({column: _plain(cell) for column, cell in self._row(name, record).items()})
        return text.getvalue().encode("utf-8-sig")

    def _row(self, name: str, record: Checked) -> dict[str, str]:
        noted, asked = record.annotation, record.options
        row = {"id": name, "decision": record.decision, "verified_by": ", ".join(record.verified_by)}
        row["note"] = record.note
        if name in self.seen:
            source, problems = self.seen[name]
            row |= {"place": source.place, "page": source.page or "", "problems": "\n".join(problems)}
        row |= {field: getattr(noted, field) or "" for field in _NOTED} | record.writing.model_dump()
        for question in _ASKED:
            row |= {f"{question}_wrong{n}": option for n, option in enumerate(getattr(asked, question), start=1)}
        for n, (pair, wrong) in enumerate(zip(noted.mappings, asked.Q5, strict=True), start=1):
            row |= {f"Q5_{n}_source": pair.source, f"Q5_{n}_target": pair.target}
            row |= {f"Q5_{n}_wrong1": wrong[0], f"Q5_{n}_wrong2": wrong[1]}
        return row

    def _rows(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        text, _, found = decode(self.path.read_bytes(), self.path.name)
        raise_first(found, str(self.path))
        sheet = read_delimited(text or "", self.path.name, ",")
        raise_first(sheet.findings, str(self.path))
        missing = [c for c in _columns(1) if c not in sheet.header and c not in _TOLD]
        if missing:
            raise ItemError(f"{self.path.name}: the column {missing[0]!r} is missing")
        for where, cells in sheet.rows:
            row = dict(zip(sheet.header, (_said(cell) for cell in cells), strict=True))
            yield where, row["id"], _fields(row)


def _columns(most: int) -> Iterator[str]:
    yield from ("id", *_TOLD, *_DECIDED, *_NOTED, *_WRITTEN)
    for question in _ASKED:
        yield from (f"{question}_wrong1", f"{question}_wrong2")
    for n in range(1, most + 1):
        yield from (f"Q5_{n}_source", f"Q5_{n}_target", f"Q5_{n}_wrong1", f"Q5_{n}_wrong2")


def _fields(row: Mapping[str, str]) -> dict[str, Any]:
    """A row as the record it stands for; empty cells of a mapping mean that there is none."""
    numbers = sorted({int(pair[1]) for column, cell in row.items() if cell and (pair := _PAIR.fullmatch(column))})
    noted: dict[str, Any] = {field: row[field] for field in _NOTED if field != "absent"}
    noted["absent"] = row["absent"] or None
    noted["mappings"] = [{side: row.get(f"Q5_{n}_{side}", "") for side in ("source", "target")} for n in numbers]
    wrong: dict[str, Any] = {q: (row[f"{q}_wrong1"], row[f"{q}_wrong2"]) for q in _ASKED}
    wrong["Q5"] = [(row.get(f"Q5_{n}_wrong1", ""), row.get(f"Q5_{n}_wrong2", "")) for n in numbers]
    people = tuple(name.strip() for name in row["verified_by"].replace(";", ",").split(",") if name.strip())
    return {
        "annotation": noted, "writing": {field: row[field] for field in _WRITTEN}, "options": wrong,
        "decision": row["decision"].lower(), "verified_by": people, "note": row["note"],
    }  # fmt: skip


def _plain(cell: str) -> str:
    """A cell that no program takes for a formula."""
    return "'" + cell if cell.lstrip("'").startswith(_FORMULA) else cell


def _said(cell: str) -> str:
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA) else cell
