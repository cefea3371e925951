"""Tables and plots of the Diffusion Lens: when a vehicle appears along a text encoder, and whether it stays.

``lens_tables(study)`` is empty for a study without cells of the lens; such cells belong in no other table
(``strategies.lens.place`` tells them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from trope.protocols.base import Study
from trope.protocols.simile.strips import FATES, Strips, strips
from trope.protocols.simile.views import Floats
from trope.protocols.tables import Table, Value, estimate_cell
from trope.stats.intervals import mean_interval, rate_interval

_PLACE = ("subject", "branch", "instrument")


def lens_tables(study: Study) -> tuple[list[Table], list[dict[str, Any]]]:
    """Tables by layer, of emergence and of fates; and the plots taken from them."""
    found = strips(study)
    if not found:
        return [], []
    tables = [by_layer(study, found), emergence(study, found), fates(study, found)]
    return tables, plots(*tables)


def by_layer(study: Study, found: Sequence[Strips]) -> Table:
    """Det of each layer and of the normal picture."""
    rows: list[list[Value]] = []
    for strip in found:
        columns = [(str(layer), strip.seen[:, n]) for n, layer in enumerate(strip.layers)] + [("final", strip.final)]
        for layer, seen in columns:
            rate = _rate(study, strip, seen, f"layer {layer}")
            rows.append([*strip.place, layer, max(strip.layers), rate, rate["n"], len(seen)])
    columns_ = (*_PLACE, "layer", "of layers", "Det", "pictures", "of")
    notes = (
        "Det: share of the pictures made from this layer in which the vehicle is found; 95 % intervals over vehicle"
        " classes. final: the picture of the plain call, which may read another layer than the last.",
        "Pictures: those that were answered; a blank or failed one is missing, not free of the vehicle.",
    )
    return Table("lens_layers", "Detection along the layers of the text encoder", columns_, rows, notes)


def emergence(study: Study, found: Sequence[Strips]) -> Table:
    """First emergence and coverage, over the strips in which the vehicle appears at all."""
    rows: list[list[Value]] = []
    for strip in found:
        appears = strip.appears == 1.0
        first = _mean(study, strip, strip.first, "first")
        coverage = _mean(study, strip, np.where(appears, strip.coverage, np.nan), "coverage")
        rows.append([
            *strip.place, first, first["n"], coverage, coverage["n"],
            _mean(study, strip, strip.coverage, "coverage of all"), int(appears.sum()), len(appears), _shown(strip),
        ])  # fmt: skip
    columns = (
        *_PLACE, "first emergence", "n first", "coverage", "n coverage", "coverage, all", "appears in", "of",
        "layers shown",
    )  # fmt: skip
    notes = (
        "First emergence: (layer - 1) / (layers - 1) of the first layer with the vehicle, 0 the first and 1 the last;"
        " coverage: share of the layers with it. Both are means over the prompts where the vehicle appears in some"
        " layer (for the others there is no first layer); coverage, all counts the others as 0.",
        "A prompt counts once every layer that matters to it has answered: for first emergence those up to the first"
        " one with the vehicle, for coverage all.",
        "95 % intervals over vehicle classes. Layers shown: of all; with some left out, both are as coarse as that.",
    )
    return Table("lens_emergence", "When the vehicle appears, and in how many layers", columns, rows, notes)


def fates(study: Study, found: Sequence[Strips]) -> Table:
    """What becomes of the vehicle between the layers and the normal picture."""
    rows: list[list[Value]] = []
    for strip in found:
        known = strip.fate
        counts = Counter(known)
        row: list[Value] = [*strip.place]
        for fate in FATES:
            share = np.array([np.nan if f is None else float(f == fate) for f in known])
            row += [_rate(study, strip, share, fate), counts[fate]]
        rows.append([*row, len(known) - counts[None], counts[None]])
    columns = (*_PLACE, *(name for fate in FATES for name in (fate, f"n {fate}")), "of", "open")
    notes = (
        "never: in no layer and not in the final picture. suppressed: in a layer, not in the final picture."
        " persistent: in a layer and in the final picture. final only: in no layer that was looked at, yet in the final"
        " picture (which is made with all branches normal); the paper has no such kind.",
        "Shares are of the prompts whose kind is known (of); open: a picture or an answer that would decide it is"
        " missing. 95 % intervals over vehicle classes.",
    )
    return Table("lens_fates", "Whether the vehicle stays", columns, rows, notes)


def plots(layers: Table, emerging: Table, staying: Table) -> list[dict[str, Any]]:
    """Detection along the layers (lines); first emergence and coverage (intervals); fates (stacked)."""
    return [_lines(layers), *_intervals(emerging), _stacked(staying)]


def _lines(table: Table) -> dict[str, Any]:
    series: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for row in table.rows:
        if row[3] != "final" and isinstance(row[5], dict) and row[5]["value"] is not None:
            series.setdefault(_label(row), []).append((float(str(row[3])), row[5]))
    made = []
    for name, points in series.items():
        line: dict[str, Any] = {"name": name, "x": [x for x, _ in points], "y": [c["value"] for _, c in points]}
        if all(cell["low"] is not None for _, cell in points):
            line |= {"low": [c["low"] for _, c in points], "high": [c["high"] for _, c in points]}
        made.append(line)
    return {
        "kind": "lines", "name": "lens_layers", "title": table.title, "series": made,
        "xlabel": "layer of the text encoder", "ylabel": "Det",
    }  # fmt: skip


def _intervals(table: Table) -> list[dict[str, Any]]:
    titles = {
        3: ("lens_first", "First emergence (0: first layer, 1: last)"),
        5: ("lens_coverage", "Coverage of layers"),
    }
    return [
        {
            "kind": "intervals", "name": name, "title": title, "limits": [0.0, 1.0],
            "points": [
                {"label": f"{row[0]} · {row[1]}", "series": row[2], **cell}
                for row in table.rows if isinstance(cell := row[column], dict)
            ],
        }
        for column, (name, title) in titles.items()
    ]  # fmt: skip


def _stacked(table: Table) -> dict[str, Any]:
    values = [
        [cell["value"] for cell in row[3 : 3 + 2 * len(FATES) : 2] if isinstance(cell, dict)] for row in table.rows
    ]
    return {
        "kind": "stacked", "name": "lens_fates", "title": table.title, "rows": [_label(row) for row in table.rows],
        "parts": list(FATES), "values": values,
    }  # fmt: skip


def _label(row: Sequence[Value]) -> str:
    return f"{row[0]} · {row[1]} · {row[2]}"


def _shown(strip: Strips) -> str:
    return f"{len(strip.layers)} of {max(strip.layers)}"


def _rate(study: Study, strip: Strips, hits: Floats, name: str) -> dict[str, Any]:
    return estimate_cell(rate_interval(hits, strip.classes, rng=study.rng("lens", name, *strip.place)))


def _mean(study: Study, strip: Strips, values: Floats, name: str) -> dict[str, Any]:
    rng = study.rng("lens", name, *strip.place)
    return estimate_cell(mean_interval(values, strip.classes, bounds=(0.0, 1.0), rng=rng))
