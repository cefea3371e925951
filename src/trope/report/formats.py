"""Scores in formats for papers, spreadsheets and programs."""

from __future__ import annotations

import csv
import io
import json
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trope.protocols import Scores, Table
from trope.protocols.tables import Value, plain
from trope.store.files import write_durably

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PARTS = ("value", "low", "high", "n", "clusters", "method", "reason", "mark")


def as_json(scores: Scores) -> str:
    """Everything, as `scores.json` holds it."""
    return json.dumps(scores.as_json(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def as_markdown(scores: Scores) -> str:
    """Tables as GitHub-flavored Markdown."""
    parts = [f"# {scores.protocol}", f"Measured on `{scores.measured_on}`."]
    parts += [f"> {warning}" for warning in scores.warnings]
    for table in scores.tables:
        lines = [
            "| " + " | ".join(_escaped(c) for c in table.columns) + " |",
            "|" + "---|" * len(table.columns),
            *("| " + " | ".join(_escaped(plain(c)) for c in row) + " |" for row in table.rows),
        ]
        parts += [f"## {table.title}", "\n".join(lines), *table.notes]
    return "\n\n".join(parts) + "\n"


def as_csv(scores: Scores, folder: Path) -> list[Path]:
    """One file a table; an estimate becomes as many columns as it has parts."""
    paths = []
    for table in scores.tables:
        path = folder / f"{table.name}.csv"
        text = io.StringIO(newline="")
        csv.writer(text).writerows(_spread(table))
        write_durably(path, text.getvalue().encode("utf-8-sig"), sync=False)  # the mark makes spreadsheets see UTF-8
        paths.append(path)
    return paths


def as_pdf(scores: Scores, path: Path) -> Path:
    """Tables and plots on pages, for papers and for print."""
    from matplotlib.backends.backend_pdf import PdfPages

    from trope.report.plots import draw, style

    buffer = io.BytesIO()
    with style(), PdfPages(buffer) as pages, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # no font on this machine has it
        for plot in scores.plots:
            pages.savefig(draw(plot), bbox_inches="tight")
        for table in scores.tables:
            for figure in _table_pages(table):
                pages.savefig(figure)
    write_durably(path, buffer.getvalue(), sync=False)
    return path


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _spread(table: Table) -> list[list[Any]]:
    wide = [any(isinstance(row[n], dict) for row in table.rows) for n in range(len(table.columns))]
    head: list[Any] = []
    for name, spread in zip(table.columns, wide, strict=True):
        head += [f"{name} {part}".replace(" value", "") for part in _PARTS] if spread else [name]
    return [head, *([v for c, s in zip(row, wide, strict=True) for v in _cells(c, s)] for row in table.rows)]


def _cells(cell: Value, spread: bool) -> list[Any]:
    if not spread:
        return [cell]
    return [cell.get(part) for part in _PARTS] if isinstance(cell, dict) else [cell, *[None] * (len(_PARTS) - 1)]


def _table_pages(table: Table) -> list[Figure]:
    """Wide tables are cut into blocks of columns that repeat the first, long ones into pages."""
    from matplotlib.figure import Figure

    figures: list[Figure] = []
    widths = [max(len(plain(r[n])) for r in [table.columns, *table.rows]) for n in range(len(table.columns))]
    for columns in _blocks(widths, 150):
        for start in range(0, max(1, len(table.rows)), 34):
            rows = [[plain(row[n]) for n in columns] for row in table.rows[start : start + 34]]
            figure = Figure(figsize=(11.7, 8.3))
            axes = figure.add_axes((0.03, 0.08, 0.94, 0.82))
            axes.axis("off")
            figure.text(0.03, 0.94, table.title, fontsize=13, weight="bold")
            notes = "\n".join(line for note in table.notes for line in textwrap.wrap(note, 190))
            figure.text(0.03, 0.02, notes, fontsize=6.5, va="bottom")
            if rows:
                share = [max(4, widths[n]) for n in columns]
                drawn = axes.table(
                    cellText=rows,
                    colLabels=[textwrap.fill(table.columns[n], max(10, widths[n])) for n in columns],
                    colWidths=[w / max(sum(share), 90) for w in share],
                    loc="upper left",
                    cellLoc="left",
                    edges="horizontal",
                )
                drawn.auto_set_font_size(False)
                drawn.set_fontsize(6.5)
            figures.append(figure)
    return figures


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    blocks: list[list[int]] = [[0]]
    used = widths[0]
    for n in range(1, len(widths)):
        if used + widths[n] > room and len(blocks[-1]) > 1:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(n)
        used += widths[n]
    return blocks
