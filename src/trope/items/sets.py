"""Sets of items that ship with Trope, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trope.data import ROOT
from trope.errors import ItemError, UnknownName
from trope.items.reading import read_items
from trope.nouns import Item

# name -> file in data/items, and what it is
SETS: dict[str, tuple[str, str]] = {
    "demo": ("demo.jsonl", "40 English similes over classes that both collage and ssd know"),
}


def load_items(sources: Sequence[str]) -> list[Item]:
    """Items of several sources: names of shipped sets, or paths of JSONL files; ids are unique over all."""
    items: list[Item] = []
    seen: dict[str, str] = {}
    for source in sources:
        for item in read_items(_path(source)):
            if item.id in seen:
                raise ItemError(f"id {item.id!r} is in both {seen[item.id]!r} and {source!r}; ids are unique")
            seen[item.id] = source
            items.append(item)
    return items


def _path(source: str) -> Path:
    if source in SETS:
        return ROOT / "items" / SETS[source][0]
    path = Path(source)
    if not path.exists() and path.suffix == "":
        raise UnknownName("item set", source, SETS, hint="A file is given by its path, e.g. my-items.jsonl")
    return path
