"""A folder or a table of image-text pairs, read as it is: nothing is judged here."""

from __future__ import annotations

import os
from collections.abc import Iterator
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


def read_pairs(source: Path, images: Path | None = None, encoding: str | None = None) -> list[PairRecord]:
    """Read pairs.

    Parameters
    ----------
    source : a folder of pictures (each with a ``.txt`` of the same name beside it, or without a text), or a table
        (CSV, TSV, JSON lines) with columns for picture and text.
    images : where the table's pictures lie; default: beside it.
    encoding : of the table, or of the texts beside pictures, if it is not UTF-8.

    Raises
    ------
    ItemError : no such source, a table without the columns, a row or a text that cannot be read, an id for two pairs.
    """
    if source.is_dir():
        return _folder(source, encoding)
    if not source.is_file():
        raise ItemError(f"nothing at {str(source)!r}. Expected: a folder of pictures, or a table (.csv, .tsv, .jsonl)")
    folder = source.parent if images is None else images
    pairs = list(_table(source, folder, encoding))
    seen: dict[str, str] = {}
    for pair in pairs:
        if pair.id in seen:
            raise ItemError(f"{pair.where}: id {pair.id!r} was used in {seen[pair.id]}; ids are unique")
        seen[pair.id] = pair.where
    return pairs


def _folder(folder: Path, encoding: str | None) -> list[PairRecord]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PICTURES and path.is_file())
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


def _table(source: Path, folder: Path, encoding: str | None) -> Iterator[PairRecord]:
    rows = table_rows(source, encoding)
    columns = list(rows[0][1])
    image, words = _column(columns, _IMAGE, source.name, "picture"), _column(columns, _TEXT, source.name, "text")
    key = next((name for name in columns if name.casefold() in _ID), None)
    for n, (where, fields) in enumerate(rows, start=1):
        path = str(fields.get(image) or "")
        at = _inside(path, folder, source.parent)
        if at is None:
            raise ItemError(
                f"{where}: picture {path!r} lies outside {str(folder)!r}. Expected: a path inside it, or the folder"
                " that all pictures lie in: --images FOLDER"
            )
        name = str(fields.get(key) or "") if key else ""
        yield PairRecord(name or f"{source.stem}-{n:06}", at, str(fields.get(words) or ""), where, fields)


def _inside(path: str, folder: Path, beside: Path) -> Path | None:
    """Where a picture lies: a path from the pictures' folder, or from the table into that folder; never outside it."""
    whole = os.path.normpath(folder.absolute())
    bases = (base for base in (folder, beside) if Path(os.path.normpath(base.absolute() / path)).is_relative_to(whole))
    return next((base / path for base in bases), None)


def _column(columns: list[str], names: tuple[str, ...], where: str, what: str) -> str:
    for column in columns:
        if column.strip().casefold() in names:
            return column
    raise ItemError(f"{where}: no column for the {what}. Expected: {', '.join(names)}. There are: {', '.join(columns)}")
