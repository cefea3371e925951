"""Sets of items that ship with Trope, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trope.data import ROOT
from trope.errors import ItemError, UnknownName
from trope.items.reading import read_items
from trope.items.records import How
from trope.nouns import Item

FOLDER = ROOT / "items"


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A set that ships: its file, what it is, the rules it keeps, and a file of ids if it is a selection."""

    file: str
    what: str
    rules: str
    ids: str | None = None


SETS: dict[str, ItemSet] = {
    "demo": ItemSet(
        "simile.jsonl", "40 similes of `simile` over classes that both collage and ssd know", "common", "demo.txt"
    ),
    "simile": ItemSet("simile.jsonl", "1,120 English similes: 80 vehicles x 14 templates, with twins", "simile"),
    "literal": ItemSet("literal.jsonl", "200 literal prompts that look figurative, in four languages", "literal"),
    "vista": ItemSet("vista.jsonl", "480 figures in four languages, with four ranked questions each", "vista"),
    "passages": ItemSet("passages.jsonl", "60 passages with none to four figures, in four languages", "passages"),
    "vmetaphor": ItemSet("vmetaphor.jsonl", "240 metaphors to be painted, with their questions", "vmetaphor"),
    "m3r-demo": ItemSet("m3r-demo.jsonl", "24 made-up pictures with texts (en, zh), to see m3r run", "m3r"),
}


def load_set(name: str) -> list[Item]:
    """The items of a set that ships; a selection keeps the order of its ids.

    Raises
    ------
    UnknownName : no such set.
    ItemError : a selection names an id that its file does not have.
    """
    if name not in SETS:
        raise UnknownName("item set", name, SETS, hint="A file is given by its path, e.g. my-items.jsonl")
    chosen = SETS[name]
    items = read_items(FOLDER / chosen.file)
    if chosen.ids is None:
        return items
    by_id = {item.id: item for item in items}
    ids = (FOLDER / chosen.ids).read_text("utf-8").split()
    missing = [i for i in ids if i not in by_id]
    if missing:
        raise ItemError(f"{chosen.ids}: id {missing[0]!r} is not in {chosen.file}")
    return [by_id[i] for i in ids]


def load_items(sources: Sequence[str], how: How | None = None, *, pictured: bool = False) -> list[Item]:
    """Items of several sources: names of shipped sets, or paths of files; ids are unique over all.

    Parameters
    ----------
    pictured : make the path of each item's own picture, given from where its file lies, absolute.
    """
    items: list[Item] = []
    seen: dict[str, str] = {}
    for source in sources:
        path = None if source in SETS else source_path(source)
        for item in load_set(source) if path is None else read_items(path, how):
            if item.id in seen:
                raise ItemError(f"id {item.id!r} is in both {seen[item.id]!r} and {source!r}; ids are unique")
            seen[item.id] = source
            items.append(_found(item, FOLDER if path is None else path.parent) if pictured else item)
    return items


def _found(item: Item, folder: Path) -> Item:
    elsewhere = item.image is None or re.match(r"sha256:|https?://", item.image)
    return item if elsewhere else item.model_copy(update={"image": str((folder / str(item.image)).resolve())})


def source_path(source: str) -> Path:
    """The path of a source that is no set; a bare word that is no file is taken for a misspelled set."""
    path = Path(source)
    if not path.exists() and path.suffix == "":
        raise UnknownName("item set", source, SETS, hint="A file is given by its path, e.g. my-items.jsonl")
    return path
