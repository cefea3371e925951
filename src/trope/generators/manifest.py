"""A manifest: which picture of a folder answers which request."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trope.errors import UsageError, nearest

COLUMNS = ("item", "file", "seed", "attempt", "strategy")
_ALIASES = {"item_id": "item", "id": "item", "path": "file", "image": "file", "picture": "file"}


@dataclass(frozen=True, slots=True)
class Place:
    """Which request a picture answers; ``seed`` None answers any."""

    item: str
    seed: int | None
    attempt: int
    variant: str


def read_manifest(path: Path) -> Iterator[tuple[Place, Path]]:
    """Read ``item, file[, seed, attempt, strategy]`` from CSV or JSONL.

    Raises
    ------
    UsageError : naming the line and the rule; a file must stay inside the folder and be there.
    """
    root = path.parent.resolve()
    seen: set[Place] = set()
    for number, row in _rows(path):
        where = f"{path.name}, line {number}"
        unknown = [column for column in row if column not in COLUMNS]
        if unknown:
            near = nearest(unknown[0], COLUMNS)
            hint = f" Did you mean {near!r}?" if near else ""
            raise UsageError(f"{where}: unknown column {unknown[0]!r}.{hint} Columns: {', '.join(COLUMNS)}")
        if not row.get("item") or not row.get("file"):
            raise UsageError(f"{where}: item or file is missing")
        target = (root / str(row["file"])).resolve()
        if not target.is_relative_to(root):
            raise UsageError(f"{where}: {row['file']!r} leaves the folder. Expected: a file inside it")
        if not target.is_file():
            raise UsageError(f"{where}: no file {row['file']!r} in {str(path.parent)!r}")
        try:
            seed = None if row.get("seed") in (None, "") else int(row["seed"])
            attempt = int(row.get("attempt") or 0)
        except (TypeError, ValueError):
            raise UsageError(f"{where}: seed and attempt must be whole numbers") from None
        place = Place(str(row["item"]), seed, attempt, str(row.get("strategy") or "base"))
        if place in seen:
            raise UsageError(f"{where}: {place.item!r} (seed {seed}, attempt {attempt}) was given before")
        seen.add(place)
        yield place, target.relative_to(root)


def _rows(manifest: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = manifest.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{manifest.name}: not UTF-8 ({error.reason} at byte {error.start})") from None
    if manifest.suffix.lower() == ".csv":
        for number, fields in enumerate(csv.DictReader(io.StringIO(text)), start=2):
            if None in fields or None in fields.values():
                raise UsageError(f"{manifest.name}, line {number}: not as many fields as the header has")
            yield number, {_ALIASES.get(str(k), str(k)): v for k, v in fields.items()}
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise UsageError(f"{manifest.name}, line {number}: not JSON: {error.msg}") from None
            if not isinstance(row, dict):
                raise UsageError(f"{manifest.name}, line {number}: expected an object")
            yield number, {_ALIASES.get(str(k), str(k)): v for k, v in row.items()}
