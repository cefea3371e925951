"""The gallery's data: one row a cell, in scripts of a few hundred rows, pictures beside them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trope.protocols import Measured, Protocol, Study
from trope.store import Store
from trope.strategies.lens import place

Layers = Mapping[tuple[str, str], int]
REPLY = 1200  # characters of a model's reply that a page shows
VERDICTS = 24  # what an instrument says is offered as a filter unless there are more kinds
ROWS = 400  # a script; the first one must be small enough to show something at once


def write_gallery(study: Study, asked: Protocol, store: Store, folder: Path) -> dict[str, Any]:
    """Write the data scripts and link the pictures; returns what the page has to know.

    ``file://`` pages cannot fetch, so data comes as scripts that call ``trope.rows([...])``.
    """
    data = folder / "data"
    data.mkdir()
    pictures, layers = _Pictures(store, folder), _layers(study)
    chunks = 0
    verdicts: dict[str, set[str]] = {name: set() for name in study.instruments}
    for rows in _chunks(_row(cell, asked, pictures, layers) for cell in study.cells):
        chunks += 1
        for row in rows:
            for name in verdicts.keys() & row["seen"].keys():
                verdicts[name].add(str(row["seen"][name]["verdict"]))
        (data / f"{chunks:04}.js").write_text(f"trope.rows({_script_json(rows)});\n", "utf-8")
    few = [kinds for kinds in verdicts.values() if len(kinds) <= VERDICTS]
    return {
        "chunks": chunks, "cells": len(study.cells),
        "missing": pictures.missing, "verdicts": sorted(set[str]().union(*few)),
        "subjects": _unique(c.subject for c in study.cells), "strategies": _unique(c.strategy for c in study.cells),
        "instruments": list(study.instruments),
        "lens": bool(layers),
    }  # fmt: skip


def _layers(study: Study) -> Layers:
    """The last layer of every text encoder that was looked through, by subject and branch."""
    found: dict[tuple[str, str], int] = {}
    for cell in study.cells:
        where = place(cell.strategy)
        if where is not None and where.layer is not None:
            key = (cell.subject, where.branch)
            found[key] = max(found.get(key, 0), where.layer)
    return found


def _row(cell: Measured, asked: Protocol, pictures: _Pictures, layers: Layers) -> dict[str, Any]:
    figure = cell.item.figure
    spans = figure.spans if figure else None
    row = {
        "item": cell.item.id, "lang": cell.item.lang, "text": cell.item.text, "subject": cell.subject,
        "strategy": cell.strategy, "seed": cell.seed, "status": cell.output.status, "attempts": cell.attempts,
        "seen": {k: _rounded(v) for k, v in asked.highlight(cell).items()},
    }  # fmt: skip
    if spans:
        row["marks"] = {k: v for k in ("tenor", "vehicle") if (v := getattr(spans, k))}
    if figure:
        row["vehicle"] = figure.vehicle
    if (where := place(cell.strategy)) is not None:
        of = layers.get((cell.subject, where.branch))
        row |= {"branch": where.branch, "layer": "final" if where.layer is None else f"layer {where.layer}/{of}"}
    if cell.picture:
        row |= pictures.link(cell.picture)
    if cell.output.raw:
        row["reply"] = cell.output.raw[:REPLY] + ("…" if len(cell.output.raw) > REPLY else "")
    if cell.output.reason:
        row["reason"] = cell.output.reason
    return row


class _Pictures:
    """Links pictures and thumbnails of the store into the report; copies where links cannot be made."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._done: dict[str, dict[str, str]] = {}
        self.missing = 0

    def link(self, sha: str) -> dict[str, str]:
        if sha not in self._done:
            image = self._store.pictures.find(sha)
            if image is None:
                self.missing += 1
                self._done[sha] = {}
                return {}
            thumb = self._store.pictures.thumbnail(sha)
            self._done[sha] = {
                "image": self._place(image, f"images/{sha[:2]}"),
                "thumb": self._place(thumb, f"thumbs/{sha[:2]}") if thumb else "",
            }
        return self._done[sha]

    def _place(self, source: Path, under: str) -> str:
        target = self._folder / under / source.name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:
                shutil.copyfile(source, target)
        return f"{under}/{source.name}"


def _rounded(seen: Mapping[str, Any]) -> dict[str, Any]:
    short = dict(seen)
    if "score" in short:
        short["score"] = round(short["score"], 3)
        short["box"] = [round(v, 4) for v in short["box"]]
    return short


def _chunks(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == ROWS:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _script_json(value: Any) -> str:
    """JSON that is safe inside a script file and, should somebody inline it, inside a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _unique(values: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(values))
