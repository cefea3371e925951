"""Where pictures come from: a folder, or a list of web addresses. An id does not depend on the other pictures."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trope.errors import ItemError

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif")
LISTS = (".txt", ".csv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Source:
    """One picture to be had.

    Attributes
    ----------
    place : its web address, or its path below the folder.
    path : the file, for a folder; None for an address.
    page : the page it is shown on, where the list says it.
    """

    id: str
    place: str
    path: Path | None = None
    page: str | None = None


def read_sources(where: Path) -> list[Source]:
    """The pictures of a folder, or of a list: ``.txt`` (an address a line), ``.csv`` or ``.jsonl`` (``url``, ``page``).

    Raises
    ------
    ItemError : nothing is there, or it is no such list; names file and line.
    """
    if where.is_dir():
        found = list(_folder(where))
    elif where.suffix.lower() in LISTS:
        found = list(_listed(where))
    else:
        raise ItemError(f"{str(where)!r}: expected a folder of pictures, or a list ({', '.join(LISTS)}) of addresses")
    if not found:
        raise ItemError(f"{str(where)!r} holds no pictures. Expected: files ({', '.join(ENDINGS)}), or addresses")
    return found


def _folder(where: Path) -> Iterator[Source]:
    paths = sorted(path for path in where.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
    names = Counter(_slug(path.stem) for path in paths)
    for path in paths:
        place, slug = path.relative_to(where).as_posix(), _slug(path.stem)
        alone = slug and names[slug] == 1
        yield Source(f"vm-{slug}" if alone else f"vm-{slug or 'picture'}-{_short(place)}", place, path)


def _listed(where: Path) -> Iterator[Source]:
    try:
        text = where.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ItemError(f"{str(where)!r} cannot be read: {error}") from None
    seen: set[str] = set()
    for line, row in _rows(text, where):
        url, page = row.get("url"), row.get("page")
        if not isinstance(url, str) or not url.strip():
            raise ItemError(f"{where.name}, line {line}: expected an address in the field 'url', got {url!r}")
        if url.strip() not in seen:
            seen.add(url.strip())
            yield Source(f"vm-{_short(url.strip())}", url.strip(), page=page or None)


def _rows(text: str, where: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if where.suffix.lower() == ".csv":
        reader = csv.DictReader(io.StringIO(text, newline=""))
        for row in reader:
            yield reader.line_num, {(key or "").strip().lower(): value for key, value in row.items() if key}
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if where.suffix.lower() == ".txt":
            yield number, {"url": line.strip()}
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ItemError(f"{where.name}, line {number}: not JSON: {error}") from None
        yield number, row if isinstance(row, dict) else {"url": row}


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:60]


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]
