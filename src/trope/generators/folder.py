"""`folder`: pictures that were made elsewhere, matched to items by a manifest or by their file names.

Names: ``{item}.png``, ``{item}_{seed}.png``, ``{item}_{seed}_{attempt}.png`` (any picture suffix); without a
seed in the name a picture serves every seed. Manifest: CSV or JSONL with ``item`` and ``file``, and
optionally ``seed``, ``attempt``, ``strategy``. A picture without a strategy was made from the bare sentence
(`base`, and the attempts of `random`); it never stands for another wording.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trope.errors import PictureError, UsageError, nearest
from trope.generators.base import Generator
from trope.records import Generate, Job, Result, digest

if TYPE_CHECKING:
    from trope.store import Store

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif"})
_COLUMNS = ("item", "file", "seed", "attempt", "strategy")
_ALIASES = {"item_id": "item", "id": "item", "path": "file", "image": "file", "picture": "file"}


@dataclass(frozen=True, slots=True)
class Place:
    """Which request a picture answers; ``seed`` None answers any."""

    item: str
    seed: int | None
    attempt: int
    variant: str


class Folder(Generator):
    """Pictures of one subject in one folder.

    Parameters
    ----------
    model : the folder.
    manifest : file in the folder that says which picture is whose; default ``manifest.csv`` or
        ``manifest.jsonl`` if there is one, else file names.
    label : a name for the model that made them; part of the identity, shown in tables.
    """

    batch = 16

    def __init__(self, model: str, manifest: str | None = None, label: str | None = None) -> None:
        self.folder = Path(model)
        if not self.folder.is_dir():
            raise UsageError(f"folder:{model}: no such folder. Expected: a folder with pictures")
        self._label = label
        self._places, self._spare = self._scan(manifest)

    def identity(self) -> Mapping[str, Any]:
        """The label alone: what a picture shows is in its own hash."""
        return {"generator": "folder", "label": self._label}

    def key(self, request: Any, seed: int, item_id: str) -> str:
        """The file's name, size and time stand for its content, so that nothing is decoded to plan a run."""
        path = self._find(request, seed, item_id)
        if path is None:
            return digest([self._identity_digest(), "missing", item_id, seed, request.attempt, request.variant])
        status = path.stat()
        return digest([self._identity_digest(), item_id, seed, path.name, status.st_size, status.st_mtime_ns])

    def unmatched(self, items: Iterable[str]) -> tuple[list[str], list[str]]:
        """Files that belong to no item of the run, and items that have no picture."""
        wanted = set(items)
        matched = {path for place, path in self._places.items() if place.item in wanted}
        spare = {path.name for path in self._places.values() if path not in matched} | set(self._spare)
        return sorted(spare), sorted(wanted - {place.item for place in self._places})

    async def open(self, store: Store) -> None:
        """Keep the store, which takes the pictures in."""
        self._store = store

    def perform_one(self, job: Job) -> Result:
        """Take the picture into the store."""
        assert isinstance(job.request, Generate)
        path = self._find(job.request, job.seed, job.item_id)
        if path is None:
            wanted = f"item {job.item_id!r}, seed {job.seed}, attempt {job.request.attempt}"
            return Result(status="failed", reason=f"no picture for {wanted}, strategy {job.request.variant!r}")
        try:
            sha = self._store.adopt(path)
        except PictureError as error:
            return Result(status="failed", reason=str(error))
        except OSError as error:
            return Result(status="failed", reason=f"{path.name}: {error.strerror or error}")
        return Result(picture=sha, provenance={"generator": "folder", "file": path.name, "label": self._label})

    def _find(self, request: Generate, seed: int, item_id: str) -> Path | None:
        exact = Place(item_id, seed, request.attempt, request.variant)
        any_seed = Place(item_id, None, request.attempt, request.variant)
        return self._places.get(exact) or self._places.get(any_seed)

    def _scan(self, manifest: str | None) -> tuple[dict[Place, Path], list[str]]:
        named = [manifest] if manifest else ["manifest.csv", "manifest.jsonl"]
        path = next((self.folder / n for n in named if (self.folder / n).exists()), None)
        if path is None and manifest:
            raise UsageError(f"folder:{self.folder}: no manifest {manifest!r} there")
        return self._by_name() if path is None else self._by_manifest(path)

    def _by_name(self) -> tuple[dict[Place, Path], list[str]]:
        places: dict[Place, Path] = {}
        for path in sorted(self.folder.iterdir()):
            if path.suffix.lower() not in SUFFIXES or not path.is_file():
                continue
            match = re.fullmatch(r"(?P<item>.+?)(?:_(?P<seed>\d+)(?:_(?P<attempt>\d+))?)?", path.stem)
            assert match
            seed = None if match["seed"] is None else int(match["seed"])
            place = Place(match["item"], seed, int(match["attempt"] or 0), "base")
            if place in places:
                raise UsageError(f"{places[place].name!r} and {path.name!r} are both picture of {place.item!r}")
            places[place] = path
        for path in [*places.values()]:  # an item's own name may end in _42: the whole stem is a name too
            places.setdefault(Place(path.stem, None, 0, "base"), path)
        return places, []

    def _by_manifest(self, manifest: Path) -> tuple[dict[Place, Path], list[str]]:
        places: dict[Place, Path] = {}
        root = self.folder.resolve()
        for number, row in _rows(manifest):
            where = f"{manifest.name}, line {number}"
            unknown = [c for c in row if c not in _COLUMNS]
            if unknown or not row.get("item") or not row.get("file"):
                near = nearest(unknown[0], _COLUMNS) if unknown else None
                raise UsageError(
                    f"{where}: " + (f"unknown column {unknown[0]!r}" if unknown else "item or file is missing")
                    + (f". Did you mean {near!r}?" if near else "") + f". Columns: {', '.join(_COLUMNS)}"
                )  # fmt: skip
            path = (self.folder / str(row["file"])).resolve()
            if not path.is_relative_to(root):
                raise UsageError(f"{where}: {row['file']!r} leaves the folder. Expected: a file inside it")
            try:
                seed = None if row.get("seed") in (None, "") else int(row["seed"])
                attempt = int(row.get("attempt") or 0)
            except ValueError:
                raise UsageError(f"{where}: seed and attempt must be whole numbers") from None
            place = Place(str(row["item"]), seed, attempt, str(row.get("strategy") or "base"))
            if place in places:
                raise UsageError(f"{where}: {place.item!r} (seed {seed}, attempt {attempt}) was given before")
            places[place] = path
        listed = set(places.values())
        spare = [p.name for p in sorted(root.iterdir()) if p.suffix.lower() in SUFFIXES and p not in listed]
        return places, spare


def _rows(manifest: Path) -> Iterable[tuple[int, dict[str, Any]]]:
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
