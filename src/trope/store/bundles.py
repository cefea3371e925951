"""A bundle: one zip that holds a run, everything said in it, its pictures (or only their hashes), its scores."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from trope.errors import BundleError
from trope.nouns import Status
from trope.records import Observation, Output
from trope.store.database import Entry
from trope.store.files import durable
from trope.store.pictures import MAX_BYTES, canonical_picture
from trope.store.runs import CellRow, RunFolder, cell_columns, cell_from
from trope.store.store import Store

FORMAT = "trope-bundle-1"
_STAMP = (1980, 1, 1, 0, 0, 0)  # the same run makes the same bytes
_LIMIT = 2_000_000_000
_PROVENANCE = "key, request, identity, provenance, usd, made_at"


@dataclass(frozen=True)
class Bundle:
    """What a bundle holds, read back: ready to be scored without a store."""

    name: str
    asked: str
    items: str
    cells: list[CellRow]
    records: dict[str, Output | Observation]
    scores: Any


def write_bundle(run: RunFolder, scores: Any, path: Path, *, pictures: bool = True) -> Path:
    """Write the run as one zip; ``pictures=False`` keeps only their hashes.

    It holds every record a cell rests on, those of its search too, with how each came about.
    """
    cells = run.cells()
    keys = sorted(set().union(*(cell.keys() for cell in cells)))
    records = run.store.records(keys)
    missing = [k for k in keys if k not in records]
    if missing:
        raise BundleError(f"the store has lost {len(missing)} records of run {run.name!r}; cannot bundle it")
    with durable(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:

        def put(name: str, data: str | bytes) -> None:
            info = zipfile.ZipInfo(name, _STAMP)
            info.compress_type = zipfile.ZIP_STORED if name.startswith("images/") else zipfile.ZIP_DEFLATED
            bundle.writestr(info, data)

        put("bundle.json", json.dumps({"format": FORMAT, "run": run.name, "pictures": pictures}))
        put("run.toml", run.asked.read_bytes())
        put("items.jsonl", run.items.read_bytes())
        put("cells.jsonl", _lines(list(cell_columns(c)) for c in cells))
        put("records.jsonl", _lines(_record_line(records[k]) for k in keys))
        put("provenance.jsonl", _lines(_provenance(run, keys)))
        put("scores.json", json.dumps(scores, ensure_ascii=False, indent=1, sort_keys=True))
        if pictures:
            for sha in sorted({r.picture for r in records.values() if r.picture}):
                picture = run.store.picture(sha)
                put(f"images/{picture.name}", picture.read_bytes())
    return path


def open_bundle(path: Path) -> Bundle:
    """Read a bundle, checking every picture it carries against its hash and its record's status.

    Raises
    ------
    BundleError : not a bundle, of another format, damaged, or a picture that is not the one its name says.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            if sum(i.file_size for i in bundle.infolist() if not i.filename.startswith("images/")) > _LIMIT:
                raise BundleError(f"{path.name}: unpacks to more than {_LIMIT:,} bytes; refused")
            about = json.loads(bundle.read("bundle.json"))
            if about.get("format") != FORMAT:
                raise BundleError(f"{path.name}: format {about.get('format')!r}; this Trope reads {FORMAT!r}")
            if large := [i.filename for i in bundle.infolist() if i.file_size > MAX_BYTES and "/" in i.filename]:
                raise BundleError(f"{path.name}: {large[0]} unpacks to more than {MAX_BYTES:,} bytes; refused")
            cells = [cell_from(c) for c in _read_lines(bundle, "cells.jsonl")]
            records = dict(_record_from(line) for line in _read_lines(bundle, "records.jsonl"))
            asked, items = (bundle.read(n).decode("utf-8") for n in ("run.toml", "items.jsonl"))
            scores = json.loads(bundle.read("scores.json"))
            if about["pictures"]:
                _check_pictures(path, bundle, records.values())
    except FileNotFoundError:
        raise BundleError(f"no bundle at {str(path)!r}. Make one: trope report NAME --bundle FILE") from None
    except (zipfile.BadZipFile, OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise BundleError(f"{path.name}: not a Trope bundle, or damaged: {error}") from None
    return Bundle(str(about["run"]), asked, items, cells, records, scores)


def restore(path: Path, store: Store) -> RunFolder:
    """Put a bundle's run into a store, as if it had been run there, and return it."""
    bundle = open_bundle(path)
    resolved = tomllib.loads(bundle.asked)["resolved"]
    run = RunFolder(store, bundle.name)
    with zipfile.ZipFile(path) as opened:
        for name in opened.namelist():
            if name.startswith("images/"):
                store.keep_picture(canonical_picture(opened.read(name), name=name))
        about = {line["key"]: line for line in _read_lines(opened, "provenance.jsonl")}
    entries = []
    for key, record in bundle.records.items():
        told = about.get(key, {})
        provenance = {**told.get("provenance", {}), "restored_from": path.name}
        entries.append(Entry(record, told.get("request"), told.get("identity", {}), provenance, told.get("usd")))
    store.database.add(entries).result()
    run.freeze(bundle.asked, bundle.items, resolved["sha256"], resolved["items_sha256"])
    run.save_cells(list(enumerate(bundle.cells))).result()
    return run


def _check_pictures(path: Path, bundle: zipfile.ZipFile, records: Iterable[Output | Observation]) -> None:
    held = {name.removeprefix("images/").rpartition(".")[0]: name for name in bundle.namelist()}
    blank: dict[str, bool] = {}
    for record in records:
        sha = record.picture
        if sha is None:
            continue
        if sha not in blank:
            if sha not in held:
                raise BundleError(f"{path.name}: picture {sha[:12]}… is missing")
            picture = canonical_picture(bundle.read(held[sha]), name=held[sha])
            if picture.sha != sha:
                raise BundleError(f"{path.name}: picture {sha[:12]}… is not the one its name says")
            blank[sha] = picture.blank
        if record.status in ("ok", "blank") and (record.status == "blank") is not blank[sha]:
            raise BundleError(f"{path.name}: picture {sha[:12]}… has status {record.status!r}, which it does not show")


def _provenance(run: RunFolder, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    database = run.store.database
    identities = dict(database.query("SELECT digest, identity FROM identities"))
    for start in range(0, len(keys), 800):
        chunk = keys[start : start + 800]
        sql = f"SELECT {_PROVENANCE} FROM records WHERE key IN ({','.join('?' * len(chunk))}) ORDER BY key, seq"
        for key, request, identity, provenance, usd, made_at in database.query(sql, chunk):
            yield {
                "key": key, "request": json.loads(request), "identity": json.loads(identities[identity]),
                "provenance": json.loads(provenance), "usd": usd, "made_at": made_at,
            }  # fmt: skip


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(v, ensure_ascii=False, sort_keys=True) + "\n" for v in values)


def _read_lines(bundle: zipfile.ZipFile, name: str) -> Iterator[Any]:
    for line in bundle.read(name).decode("utf-8").split("\n"):  # not splitlines: U+2028 is text
        if line:
            yield json.loads(line)


def _record_line(record: Output | Observation) -> dict[str, Any]:
    kind = "output" if isinstance(record, Output) else "observation"
    line = {"kind": kind, "key": record.key, "backend": record.backend, "status": record.status}
    optional = {"value": record.value, "raw": record.raw, "picture": record.picture, "reason": record.reason}
    return line | {k: v for k, v in optional.items() if v is not None}


def _record_from(line: dict[str, Any]) -> tuple[str, Output | Observation]:
    cls = Output if line.pop("kind") == "output" else Observation
    value = line.pop("value", None)
    record = cls(**line)
    if record.status not in get_args(Status):
        raise ValueError(f"record {record.key[:12]}… has status {record.status!r}")
    if value is not None:
        record = replace(record, value_json=json.dumps(value, ensure_ascii=False))
    return record.key, record
