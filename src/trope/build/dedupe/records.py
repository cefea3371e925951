"""A folder or a table of image-text pairs, read as it is: nothing is judged here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trope.errors import ItemError
from trope.items.encodings import decode
from trope.items.findings import fatal
from trope.items.rows import table_rows

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
_ID = ("id", "uid", "item_id", "编号")
_IMAGE = ("image", "image_path", "img", "file", "filename", "picture", "图片")
_TEXT = ("text", "caption", "sentence", "文本")


@dataclass(frozen=True, slots=True)
class PairRecord:
    """One picture with its text, as found: ``fields`` are all columns of its row, untouched."""

    id: str
    image: Path
    text: str
    where: str
    fields: dict[str, Any]


def read_pairs(
    source: Path, images: Path | None = None, encoding: str | None = None, columns: Mapping[str, str] | None = None
) -> list[PairRecord]:
    """Read pairs.

    Parameters
    ----------
    source : a folder of pictures (each with a ``.txt`` of the same name beside it, or without a text), or a table
        (CSV, TSV, JSON lines) with columns for picture and text.
    images : where the table's pictures lie; default: beside it.
    encoding : of the table, or of the texts beside pictures, if it is not UTF-8.
    columns : which columns of the table are ``id``, ``image`` and ``text``, where their names do not say it.

    Raises
    ------
    ItemError : no such source, a table without the columns, a row or a text that cannot be read, an id for two pairs.
    """
    if images is not None and not images.is_dir():
        raise ItemError(f"no folder of pictures at {str(images)!r}")
    if source.is_dir():
        return _folder(source, encoding)
    if not source.is_file():
        raise ItemError(f"nothing at {str(source)!r}. Expected: a folder of pictures, or a table (.csv, .tsv, .jsonl)")
    folder = source.parent if images is None else images
    pairs = list(_table(source, folder, encoding, columns or {}))
    seen: dict[str, PairRecord] = {}
    again = [(pair, first) for pair in pairs if (first := seen.setdefault(pair.id, pair)) is not pair]
    if again:
        pair, first = again[0]
        apart = sum(pair.fields != first.fields for pair, first in again)
        raise ItemError(
            f"{pair.where}: id {pair.id!r} was used in {first.where}; ids are unique. {len(again)} rows repeat an id,"
            f" {apart} of them with other values"
        )
    return pairs


def _folder(folder: Path, encoding: str | None) -> list[PairRecord]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PICTURES and not path.is_dir())
    if not paths:
        raise ItemError(f"no pictures in {str(folder)!r}. Expected: files that end in {', '.join(sorted(PICTURES))}")
    pairs, unread = [], []
    for path in paths:
        beside = path.with_suffix(".txt")
        name = path.relative_to(folder).as_posix()
        text, _, found = decode(beside.read_bytes(), beside.name, encoding) if beside.is_file() else ("", "", [])
        if text is None or fatal(found):
            unread.append(str(fatal(found)[0]))
        pairs.append(PairRecord(name, path, text or "", name, {"image": name, "text": text or ""}))
    if unread:
        raise ItemError(f"{len(unread)} of {len(pairs)} texts cannot be read, e.g. {unread[0]}")
    return pairs


def _table(source: Path, folder: Path, encoding: str | None, said: Mapping[str, str]) -> Iterator[PairRecord]:
    rows = table_rows(source, encoding)
    columns = list(dict.fromkeys(name for _, fields in rows for name in fields))
    image = said.get("image") or _column(columns, _IMAGE, source.name, "picture")
    words = said.get("text") or _column(columns, _TEXT, source.name, "text")
    key = said.get("id") or next((name for name in columns if name.casefold() in _ID), None)
    if strange := [name for name in said.values() if name not in columns]:
        raise ItemError(f"{source.name}: no column {strange[0]!r}. There are: {', '.join(columns)}")
    for n, (where, fields) in enumerate(rows, start=1):
        path = _words(fields.get(image), where, image)
        at = _inside(path, folder, source.parent)
        if at is None:
            raise ItemError(
                f"{where}: picture {path!r} lies outside {str(folder)!r}. Expected: a path inside it, or the folder"
                " that all pictures lie in: --images FOLDER"
            )
        name = _words(fields.get(key), where, key) if key else ""
        yield PairRecord(name or f"{source.stem}-{n:06}", at, _words(fields.get(words), where, words), where, fields)


def _words(value: object, where: str, column: str) -> str:
    """A cell as text: JSON's numbers as they are written, null as nothing."""
    if isinstance(value, bool | list | dict):
        raise ItemError(f"{where}: {column} is {json.dumps(value, ensure_ascii=False)[:60]}. Expected: a text")
    return "" if value is None else str(value)


def _inside(path: str, folder: Path, beside: Path) -> Path | None:
    """Where a picture lies: a path from the pictures' folder, or from the table into that folder; never outside it."""
    whole = os.path.normpath(folder.absolute())
    bases = (base for base in (folder, beside) if Path(os.path.normpath(base.absolute() / path)).is_relative_to(whole))
    return next((base / path for base in bases), None)


def _column(columns: list[str], names: tuple[str, ...], where: str, what: str) -> str:
    for column in columns:
        if column.strip().casefold() in names:
            return column
    raise ItemError(
        f"{where}: no column for the {what}. Expected: {', '.join(names)}; or say which it is: --column"
        f" NAME={names[0]}. There are: {', '.join(columns)}"
    )
