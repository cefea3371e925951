"""`folder`: pictures that were made elsewhere, matched to items by a manifest or by their file names.

Names: ``{item}.png``, ``{item}_{seed}.png``, ``{item}_{seed}_{attempt}.png`` (any picture suffix); without a
seed in the name a picture serves every seed. Manifest: CSV or JSONL with ``item`` and ``file``, and
optionally ``seed``, ``attempt``, ``strategy``. A picture without a strategy was made from the bare sentence
(`base`, and the attempts of `random`); it never stands for another wording.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from trope.errors import PictureError, UsageError
from trope.generators.base import Generator
from trope.generators.manifest import Place, read_manifest
from trope.records import Result, key_of
from trope.requests import Generate, Job

NAMED = 8  # of files and items that do not match
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif"})


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
        named = [manifest] if manifest else ["manifest.csv", "manifest.jsonl"]
        self._manifest = next((p for n in named if (p := self.folder / n).exists()), None)
        if manifest and self._manifest is None:
            raise UsageError(f"folder:{self.folder}: no manifest {manifest!r} there")
        self._label = label
        self._places: dict[Place, Path] = {}
        self._taken: dict[Path, str | PictureError] = {}

    def identity(self) -> Mapping[str, Any]:
        """The label alone: what a picture shows is in its own hash."""
        return {"generator": "folder", "label": self._label}

    def named(self, name: str) -> str:
        """The label, or the folder's own name: not its path, which may be written in many ways."""
        return f"folder:{self._label or self.folder.resolve().name}"

    def prepare(self, items: Sequence[str], adopt: Callable[[Path], str]) -> list[str]:
        """Match files to items and take them in; says which files match no item, and which items have none."""
        wanted = set(items)
        files = sorted(p for p in self.folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
        if self._manifest is None:
            self._places = dict(_by_name(files, wanted))
        else:
            self._places = {place: self.folder / name for place, name in read_manifest(self._manifest)}
        used = [path for place, path in self._places.items() if place.item in wanted]
        with ThreadPoolExecutor(4) as pool:
            self._taken = dict(zip(used, pool.map(lambda path: _adopted(path, adopt), used), strict=True))
        places = {path.resolve() for path in used}
        spare = [p.name for p in files if p.resolve() not in places]
        missing = sorted(wanted - {place.item for place in self._places})
        found = [("files match no item", spare), ("items have no picture", missing)]
        told = [f"{self.name}: {len(names)} {what}: {_some(names)}" for what, names in found if names]
        if not used:
            how = "name files ITEM.png or ITEM_SEED.png, or write manifest.csv with the columns item and file"
            told.append(f"{self.name}: no item has a picture; {how} (trope items show SET lists items)")
        return told

    def material(self, request: Any) -> Any:
        """Not the text but the picture decides; `key` adds it."""
        return ["generate", request.attempt, request.variant]

    def key(self, request: Any, seed: int, item_id: str) -> str:
        """The item and its canonical picture; a renamed or losslessly re-encoded file is the same."""
        path = self._find(request, seed, item_id)
        taken = None if path is None else self._taken[path]
        shown = repr(taken) if isinstance(taken, PictureError) else taken
        return key_of(self.identity_digest, self.material(request), seed, item_id, shown)

    def perform_one(self, job: Job) -> Result:
        """The picture that was taken in, or why there is none."""
        assert isinstance(job.request, Generate)
        path = self._find(job.request, job.seed, job.item_id)
        if path is None:
            wanted = f"item {job.item_id!r}, seed {job.seed}, attempt {job.request.attempt}"
            reason = f"no picture for {wanted}, strategy {job.request.variant!r}"
            return Result(status="not_applicable", reason=reason)
        taken = self._taken[path]
        if isinstance(taken, PictureError):
            return Result(status="failed", reason=str(taken))
        return Result(picture=taken, provenance={"file": path.name})

    def _find(self, request: Generate, seed: int, item_id: str) -> Path | None:
        exact = Place(item_id, seed, request.attempt, request.variant)
        any_seed = Place(item_id, None, request.attempt, request.variant)
        return self._places.get(exact) or self._places.get(any_seed)


def _by_name(files: Sequence[Path], items: Collection[str]) -> Iterator[tuple[Place, Path]]:
    """Read ``item[_seed[_attempt]]`` against the items there are: an id may itself end in ``_42``."""
    seen: dict[Place, Path] = {}
    for path in files:
        parts = path.stem.split("_")
        for numbers in range(3):
            item, tail = "_".join(parts[: len(parts) - numbers]), parts[len(parts) - numbers :]
            if item in items and all(part.isdecimal() and part.isascii() for part in tail):
                seed = int(tail[0]) if tail else None
                attempt = int(tail[1]) if len(tail) == 2 else 0
                place = Place(item, seed, attempt, "base")
                if place in seen:
                    raise UsageError(f"{seen[place].name!r} and {path.name!r} are both pictures of {item!r}")
                seen[place] = path
                yield place, path
                break


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")


def _adopted(path: Path, adopt: Callable[[Path], str]) -> str | PictureError:
    try:
        return adopt(path)
    except PictureError as error:
        return error
    except OSError as error:
        return PictureError(f"{path.name}: {error.strerror or error}")
