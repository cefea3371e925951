"""CSV: all answers of a study, blank sheets to fill in elsewhere, and filled ones back.

A cell that a spreadsheet would take for a formula is written with an apostrophe before it, which reading takes off.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from trope.errors import ItemError
from trope.people.answers import answers_of
from trope.people.assignment import CHECK
from trope.people.desk import Desk
from trope.people.interchange.incoming import Incoming

LARGEST = 64 * 1024 * 1024
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
ANSWERS = (
    "study", "rater", "item", "task", "call", "cells", "field", "answer", "number", "raw", "seconds", "answered_at",
    "changes", "taken_back", "lang", "position", "stratum", "inclusion",
)  # fmt: skip


def answers_csv(desk: Desk) -> str:
    """Every standing answer, a line a field, with where, when and how it was given."""
    strata = {s.name: s for s in desk.book.strata()}
    frame = desk.book.frame()
    rows: list[list[Any]] = []
    for answer in answers_of(desk):
        if answer.raw is None:
            continue
        form = answer.task.form("en")
        said = form.answers(answer.raw)
        stratum = frame.get(answer.page.unit, "")
        chance = strata[stratum].inclusion if stratum in strata and desk.design.method != "convenience" else ""
        cells = " | ".join(f"{a} · {b} · {c}" for a, b, c in answer.task.places)
        for field in form.fields:
            if field.name not in said:
                continue
            number = field.number(said[field.name])
            rows.append([
                desk.design.name, answer.rater, answer.task.item.id, answer.task.id, answer.task.call, cells,
                field.name, said[field.name], "" if number != number else number, answer.raw, answer.seconds, answer.at,
                answer.changes, answer.withdrawn, answer.provenance.get("lang", ""),
                answer.provenance.get("position", ""), stratum, chance,
            ])  # fmt: skip
    return _written(ANSWERS, rows)


def blank_csv(desk: Desk, lang: str) -> str:
    """Every task of every rater in their order, with what was answered so far, to be filled in and taken back in."""
    fields: dict[str, None] = {}
    rows: list[tuple[list[Any], dict[str, str]]] = []
    for rater in desk.raters.values():
        for page_id in rater.queue:
            if page_id.startswith(CHECK):
                continue
            page = desk.page(rater, page_id)
            stands = desk.standing(rater, page_id)
            for n in desk.order(rater, page):
                task = page.tasks[n]
                form = task.form(lang)
                fields |= dict.fromkeys(f.name for f in form.fields)
                asked = " / ".join(_asked(f) for f in form.fields)
                raw = stands.answers[n]
                said = form.answers(raw) if raw is not None else {}
                said = {f.name: f.value for f in form.fields if f.value} | said
                text = task.item.text if "text" in form.shows else ""
                row = [rater.id, task.id, task.call, text, task.picture or "", form.intro, asked]
                rows.append((row, dict(said)))
    head = ("rater", "task", "call", "sentence", "picture", "about", "asked", *fields)
    return _written(head, [[*row, *(said.get(name, "") for name in fields)] for row, said in rows])


def read_answers(path: Path) -> list[Incoming]:
    """Answers of a filled sheet (`rater`, `task`, a column a field) or of an export (`field`, `answer`).

    Rows without any answer are passed over.

    Raises
    ------
    ItemError : no CSV in UTF-8, no such columns, a row of another length, a column twice.
    """
    if path.stat().st_size > LARGEST:
        raise ItemError(f"{path.name}: more than {LARGEST:,} bytes")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except UnicodeDecodeError as error:
        raise ItemError(f"{path.name}: not UTF-8 ({error.reason} at byte {error.start})") from None
    except csv.Error as error:
        raise ItemError(f"{path.name}: no CSV ({error})") from None
    if not rows:
        raise ItemError(f"{path.name}: empty")
    head = [name.strip() for name in rows[0]]
    twice = [name for n, name in enumerate(head) if name in head[:n]]
    if twice or not {"rater", "task"} <= set(head):
        got = f"{twice[0]!r} twice" if twice else ", ".join(head)[:200]
        raise ItemError(f"{path.name}: expected the columns rater and task, each column once; got {got}")
    records = []
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(head):
            raise ItemError(f"{path.name}: row {line} has {len(row)} cells, expected {len(head)}")
        records.append((line, dict(zip(head, map(_bare, row), strict=True))))
    return _long(path, records) if {"field", "answer"} <= set(head) else _wide(path, records, head)


def _wide(path: Path, records: list[tuple[int, dict[str, str]]], head: list[str]) -> list[Incoming]:
    known = {"rater", "task", "call", "sentence", "picture", "about", "asked", "seconds"}
    names = [name for name in head if name not in known]
    found = []
    for line, record in records:
        filled = {name: record[name] for name in names if record[name].strip()}
        if filled:
            found.append(Incoming(f"{path.name} row {line}", record["rater"].strip(), record["task"].strip(), filled))
    return found


def _long(path: Path, records: list[tuple[int, dict[str, str]]]) -> list[Incoming]:
    found: dict[tuple[str, str], tuple[int, dict[str, str]]] = {}
    for line, record in records:
        if record.get("call") == CHECK:
            continue
        place = (record["rater"].strip(), record["task"].strip())
        filled = found.setdefault(place, (line, {}))[1]
        if record["field"] in filled:
            raise ItemError(f"{path.name}: row {line} repeats field {record['field']!r} of task {place[1]!r}")
        filled[record["field"]] = record["answer"]
    return [Incoming(f"{path.name} row {line}", *place, filled) for place, (line, filled) in found.items()]


def _asked(field: Any) -> str:
    options = "; ".join(f"{o.value} = {o.text}" if o.text else o.value for o in field.options)
    return f"{field.name}: {field.stem}" + (f" [{options}]" if options else "")


def _written(head: Any, rows: list[list[Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return out.getvalue()


def _safe(cell: Any) -> Any:
    if cell is None:
        return ""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith((*_FORMULA, "'")) else cell


def _bare(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*_FORMULA, "'")) else cell
