"""The report as a folder that opens from file:// with no network."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from trope.errors import UsageError
from trope.protocols import Protocol, Scores, Study
from trope.protocols.tables import Value, plain
from trope.report.formats import as_csv, as_json
from trope.report.gallery import write_gallery
from trope.report.plots import svg
from trope.store import Store

_TEMPLATES = Path(__file__).parent / "templates"
_MARK = ".trope-report"
_LONG = 14  # rows; longer tables open on demand


def write_site(
    study: Study, scores: Scores, asked: Protocol, store: Store, folder: Path, *, title: str, run_toml: str
) -> Path:
    """Write the report and return its first page.

    Tables and plots are in the page; the gallery's rows come in scripts, so that the page stays small
    whatever the number of pictures. It is made beside ``folder`` and takes its place when it is whole.

    Raises
    ------
    UsageError : ``folder`` holds something that is no report of ours.
    """
    folder = folder.resolve()
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / _MARK).exists())):
        raise UsageError(f"{str(folder)!r} holds something else. Expected: a new or empty folder, or an older report")
    made = folder.with_name(f".new-{folder.name}-{os.getpid()}")
    shutil.rmtree(made, ignore_errors=True)
    try:
        _write(study, scores, asked, store, made, title=title, run_toml=run_toml)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    except OSError as error:
        raise UsageError(f"cannot write a report to {str(folder)!r}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder / "index.html"


def _write(
    study: Study, scores: Scores, asked: Protocol, store: Store, folder: Path, *, title: str, run_toml: str
) -> None:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder.mkdir(parents=True)
    (folder / _MARK).write_text("This folder is a Trope report; writing it anew replaces all of it.\n", "utf-8")
    gallery = write_gallery(study, asked, store, folder)
    (folder / "scores.json").write_text(as_json(scores), "utf-8")
    as_csv(scores, folder / "csv")
    for asset in ("style.css", "gallery.js"):
        shutil.copyfile(_TEMPLATES / asset, folder / asset)
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = _shown
    page = environment.get_template("index.html").render(
        title=title, scores=scores, gallery=gallery, plots=[svg(p) for p in scores.plots], long=_LONG, run_toml=run_toml
    )
    (folder / "index.html").write_text(page, "utf-8")


def _shown(cell: Value) -> dict[str, Any]:
    """A cell for the page: text, whether it is a number, a bar's ends in percent, and what a pointer tells."""
    shown: dict[str, Any] = {"text": plain(cell), "interval": "", "told": None, "bar": None, "mark": None}
    if not isinstance(cell, dict):
        return shown | {"number": isinstance(cell, int | float)}
    value, low, high = cell["value"], cell["low"], cell["high"]
    told = f"n = {cell['n']}, clusters = {cell['clusters']}, {cell['method']}"
    told += f": {cell['reason']}" if cell.get("reason") else ""
    shown |= {"text": plain(value), "number": True, "told": told, "mark": cell.get("mark")}
    if None not in (value, low, high):
        shown["interval"] = f"[{low:.3f}, {high:.3f}]"
        if 0 <= low <= high <= 1:
            shown["bar"] = {"at": 100 * value, "low": 100 * low, "width": 100 * (high - low)}
    return shown
