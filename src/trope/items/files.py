"""A file's bytes to items: which reader, then the schema, then ids that must be unique."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trope.errors import nearest
from trope.items.columns import looks_flat, map_columns
from trope.items.encodings import decode
from trope.items.findings import Finding, ItemFile
from trope.items.records import How, clean, made_id, to_item
from trope.items.sheets import Sheet, read_delimited
from trope.items.swaps import find_swaps
from trope.nouns import Figure, Item, Question

_WRAPPERS = ("items", "data", "records", "examples")


def load(path: Path, data: bytes, how: How) -> ItemFile:
    """A file of items, by the ending of its name."""
    kind = path.suffix.lower()
    if kind == ".xlsx":
        from trope.items.workbooks import read_workbook

        return from_sheet(read_workbook(data, path.name, how.sheet), path.stem, how, ItemFile(path.name))
    text, encoding, found = decode(data, path.name, how.encoding)
    read = ItemFile(path.name, encoding=encoding, findings=found)
    if text is None:
        return read
    if kind in (".csv", ".tsv", ".tab"):
        sheet = read_delimited(text, path.name, "," if kind == ".csv" else "\t")
        return from_sheet(sheet, path.stem, how, read)
    rows = _array(text, path.name, read) if kind == ".json" else _lines(text, path.name, read)
    return _records(rows, path.stem, how, read)


def from_lines(text: str, name: str) -> ItemFile:
    """JSON lines already in memory."""
    read = ItemFile(name)
    return _records(_lines(text, name, read), Path(name).stem, How(), read)


def from_sheet(sheet: Sheet, stem: str, how: How, read: ItemFile) -> ItemFile:
    """The rows of a table, as items."""
    records, found = clean(sheet, how)
    read.findings += [*sheet.findings, *found]
    if sheet.header:
        read.columns = map_columns(sheet.header, how.columns, sheet.name)[0]
    for record in records:
        if how.lang is not None and record.values.get("lang") is None:
            record.values["lang"] = how.lang
    read.findings += find_swaps(records, sheet.name, read.columns, how.columns)
    if records and "id" not in read.columns.values():
        first = made_id(records[0].where, stem)
        why = f"no column is the id: {len(records)} ids are made of the file's name and the line, e.g. {first}"
        read.findings.append(Finding("id", "note", sheet.name, "id", "", why))
    for record in records:
        fields = to_item(record, how, stem, read.findings)
        if fields is not None:
            _add(fields, record.where, read)
    return read


def _records(rows: Sequence[tuple[str, Any]], stem: str, how: How, read: ItemFile) -> ItemFile:
    """JSON objects: items as they are, or the rows of a table written as objects."""
    objects = [(where, value) for where, value in rows if isinstance(value, dict)]
    for where, value in rows:
        if not isinstance(value, dict):
            why = f"is {_kind(value)}. Expected an object with the fields of an item"
            read.findings.append(Finding("schema", "fatal", where, "", json.dumps(value, ensure_ascii=False), why))
    if objects and (how.columns or all(looks_flat(list(value)) for _, value in objects)):
        keys = list(dict.fromkeys(key for _, value in objects for key in value))
        header = [key for key in keys if not any(_nested(value.get(key)) for _, value in objects)]
        for key in keys:
            if key not in header:
                read.findings.append(
                    Finding("column", "note", read.name, "", key, "holds lists or objects; it is not read")
                )
        cells = [(where, [_cell(value.get(key)) for key in header]) for where, value in objects]
        return from_sheet(Sheet(read.name, header, cells), stem, how, read)
    for where, value in objects:
        _add(value, where, read)
    return read


def _nested(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and not all(isinstance(part, str) for part in value))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kind(value: object) -> str:
    names = {list: "a list", str: "a string", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")


def _lines(text: str, name: str, read: ItemFile) -> list[tuple[str, Any]]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            rows += _json(line, f"{name}, line {number}", read)
    return rows


def _array(text: str, name: str, read: ItemFile) -> list[tuple[str, Any]]:
    whole = _json(text, name, read)
    if not whole:
        return []
    value = whole[0][1]
    if isinstance(value, dict):
        inside = [key for key in _WRAPPERS if isinstance(value.get(key), list)]
        value = value[inside[0]] if len(inside) == 1 else value
    if not isinstance(value, list):
        why = f"is {_kind(value) if not isinstance(value, dict) else 'an object'}. Expected a list of items"
        read.findings.append(Finding("format", "fatal", name, "", "", why))
        return []
    return [(f"{name}, item {n}", entry) for n, entry in enumerate(value, start=1)]


def _json(text: str, where: str, read: ItemFile) -> list[tuple[str, Any]]:
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [key for key, _ in found]
        twice.extend(sorted({key for key in names if names.count(key) > 1}))
        return dict(found)

    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        said = "too deep" if isinstance(error, RecursionError) else "a number of more digits than are read"
        if isinstance(error, json.JSONDecodeError):
            said = f"{error.msg} at character {error.pos + 1}"
        read.findings.append(Finding("format", "fatal", where, "", "", f"not JSON: {said}"))
        return []
    if twice:
        read.findings.append(Finding("schema", "fatal", where, twice[0], "", "the field is there twice in one object"))
        return []
    return [(where, value)]


def _add(fields: dict[str, Any], where: str, read: ItemFile) -> None:
    """Check the schema and the id, then take the item."""
    try:
        item = Item.model_validate(fields)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            read.findings.append(_schema(problem, where))
        return
    if item.id not in read.places:
        read.places[item.id] = where
        read.items.append(item)
        return
    first = next(other for other in read.items if other.id == item.id)
    old, new = first.model_dump(mode="json"), item.model_dump(mode="json")
    differing = [f"{name} {was!r} there, {now!r} here" for name, was, now in _differences(old, new)]
    said = f"with other values ({'; '.join(differing)})" if differing else "with the same values"
    why = f"was used in {read.places[item.id].removeprefix(read.name + ', ')}, {said}; ids are unique"
    read.findings.append(Finding("duplicate-id", "fatal", where, "id", item.id, why))


def _differences(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two records differ, down to the single value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys([*old, *new]):
            yield from _differences(old.get(name), new.get(name), f"{place}.{name}".strip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for n, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _differences(was, now, f"{place}.{n}")
    elif old != new:
        yield place, old, new


def _schema(problem: Any, where: str) -> Finding:
    place = problem["loc"]
    name = ".".join(str(part) for part in place) or "the line"
    if problem["type"] == "extra_forbidden":
        owner: Any = {"figures": Figure, "questions": Question}.get(str(place[0]), Item) if len(place) > 1 else Item
        near = nearest(str(place[-1]), list(owner.model_fields))
        hint = f" Did you mean {near!r}?" if near else ""
        return Finding("schema", "fatal", where, name, "", f"unknown field.{hint}")
    found = "" if problem["type"] == "missing" else str(problem["input"])
    return Finding("schema", "fatal", where, name, found, f"{problem['msg'][:1].lower()}{problem['msg'][1:]}")
