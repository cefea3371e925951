"""Items from files: JSON lines, JSON, CSV, TSV, Excel. What ships and what runs keep is JSON lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trope.errors import ItemError
from trope.items.findings import ItemFile, fatal, raise_first
from trope.items.records import How
from trope.nouns import Item

FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".xlsx")


def inspect_items(path: Path, how: How | None = None) -> ItemFile:
    """Read a file and report whatever is found; a finding that is ``fatal`` means its row is not among the items.

    Raises
    ------
    ItemError : there is no such file, or it is of no kind that can be read.
    MissingExtra : a workbook, and openpyxl is not installed.
    """
    from trope.items.files import load

    return load(path, _bytes(path), how or How())


def read_items(path: Path, how: How | None = None) -> list[Item]:
    """Read a file of items; the format follows from its name.

    Values that had to be changed (`changed` findings) are counted in a warning of the logger ``trope.items``.

    Raises
    ------
    ItemError : naming file, line, field, value and rule; ids must be unique.
    """
    read = inspect_items(path, how)
    raise_first(read.findings, str(path))
    changed = [finding for finding in read.findings if finding.level == "changed"]
    if changed:
        import logging
        from collections import Counter

        kinds = ", ".join(f"{kind} {n}" for kind, n in Counter(f.kind for f in changed).items())
        logging.getLogger("trope.items").warning(
            "%s: %d values were changed while reading (%s). `trope items validate %s` lists them",
            path.name, len(changed), kinds, path,
        )  # fmt: skip
    return read.items


def parse_items(text: str, name: str) -> list[Item]:
    """Items from JSON lines already in memory; ``name`` is used in errors.

    Raises
    ------
    ItemError : as `read_items`.
    """
    from trope.items.files import from_lines

    read = from_lines(text, name)
    if fatal(read.findings):
        raise_first(read.findings, name)
    return read.items


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


def _bytes(path: Path) -> bytes:
    if path.suffix.lower() == ".xls":
        raise ItemError(f"{path.name}: the old Excel format is not read. Save it as .xlsx, or as UTF-8 CSV")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ItemError(f"no items at {str(path)!r}. Expected: a file of items, or the name of a set") from None
    except IsADirectoryError:
        raise ItemError(f"{str(path)!r} is a folder. Expected: a file of items ({', '.join(FORMATS)})") from None
    except OSError as error:
        raise ItemError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    if path.suffix.lower() not in FORMATS:
        raise ItemError(f"{path.name}: unknown kind of file {path.suffix!r}. Expected: {', '.join(FORMATS)}")
    return data
