"""Items as JSON lines: one object a line, UTF-8, the fields of `nouns.Item`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trope.errors import ItemError, nearest
from trope.nouns import Item


def read_items(path: Path) -> list[Item]:
    """Read a JSONL file.

    Raises
    ------
    ItemError : naming file, line, field, value and rule; ids must be unique.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise ItemError(f"no items at {str(path)!r}. Expected: a JSONL file, or the name of a set") from None
    except IsADirectoryError:
        raise ItemError(f"{str(path)!r} is a folder. Expected: a JSONL file") from None
    except UnicodeDecodeError as error:
        raise ItemError(f"{path.name}: not UTF-8: byte {error.start} ({error.reason})") from None
    return parse_items(text, path.name)


def parse_items(text: str, name: str) -> list[Item]:
    """Items from JSON lines already in memory; ``name`` is used in errors."""
    items: list[Item] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        item = _item(line, f"{name}, line {number}")
        if item.id in lines:
            raise ItemError(f"{name}, line {number}: id {item.id!r} was used in line {lines[item.id]}; ids are unique")
        lines[item.id] = number
        items.append(item)
    return items


def dump_items(items: Iterable[Item]) -> str:
    """Items as JSON lines, empty fields left out; equal items give equal text."""
    return "".join(
        json.dumps(_without_defaults(item), ensure_ascii=False, separators=(", ", ": ")) + "\n" for item in items
    )


def items_digest(items: Iterable[Item]) -> str:
    """SHA-256 of the items, whatever their order in the file."""
    return hashlib.sha256("".join(sorted(dump_items([i]) for i in items)).encode()).hexdigest()


def _without_defaults(item: Item) -> dict[str, Any]:
    return item.model_dump(mode="json", exclude_defaults=True)


def _item(line: str, where: str) -> Item:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise ItemError(f"{where}: not JSON: {error.msg} at character {error.pos + 1}") from None
    try:
        return Item.model_validate(value)
    except ValidationError as error:
        raise ItemError(f"{where}: {_explain(error)}") from None


def _explain(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "the line"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        near = nearest(str(first["loc"][-1]), _names(first["loc"]))
        return f"unknown field {field!r}." + (f" Did you mean {near!r}?" if near else "") + more
    found = repr(first["input"])
    found = found if len(found) <= 80 else found[:77] + "..."
    return f"{field}: {first['msg'][:1].lower()}{first['msg'][1:]}, found {found}{more}"


def _names(place: Sequence[int | str]) -> list[str]:
    from trope.nouns import Figure, Question

    owner: Any = {"figures": Figure, "questions": Question}.get(str(place[0]), Item) if len(place) > 1 else Item
    return list(owner.model_fields)
