"""Similarity of picture and sentence by strategy (CLIPScore, PickScore): what a strategy costs. simile, table 4."""

from __future__ import annotations

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.simile.reading import LOOK, NAN
from trope.protocols.simile.views import by_strategy, vehicle_of
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats import holm, mean_interval, paired_permutation


def similarities(study: Study) -> Table:
    """One row a subject, strategy and metric: mean, and the paired difference to the subject's first strategy."""
    metrics = [name for name, kind in study.instruments.items() if kind == "similarity"]
    groups = by_strategy(study)
    rows: list[list[Value]] = []
    tests: list[float] = []
    for metric in metrics:
        for (subject, strategy), cells in groups.items():
            first = next(group for (other, _), group in groups.items() if other == subject)
            rows.append([subject, strategy, metric, *_row(study, metric, cells)])
            tests.append(_test(study, metric, cells, first, rows[-1]))
    for row, adjusted in zip(rows, holm(np.array(tests)) if tests else (), strict=True):
        row[6] = number(float(adjusted))
    columns = (
        "subject", "strategy", "metric", "mean", "minus the first strategy", "p", "p (Holm)", "pictures", "text cut",
    )  # fmt: skip
    notes = (
        "CLIPScore is 100 x cosine, PickScore the raw logit, both of the whole picture and the original sentence."
        " 95 % intervals and sign-flip tests over vehicle classes, paired by item and seed.",
        "Text cut: sentences beyond the metric's token limit, of which only the beginning was compared.",
    )
    return Table("similarities", "Similarity of picture and sentence", columns, rows, notes)


def score_of(cell: Measured, metric: str) -> float:
    """What a metric says of a cell; NaN where it says nothing."""
    said = cell.said(metric, LOOK)
    return float(said.value["score"]) if said is not None and said.ok and said.value else NAN


def _row(study: Study, metric: str, cells: list[Measured]) -> list[Value]:
    scores = np.array([score_of(c, metric) for c in cells], float)
    classes = np.array([vehicle_of(c) for c in cells], str)
    known = ~np.isnan(scores)
    place = (cells[0].subject, cells[0].strategy, metric)
    mean = mean_interval(scores[known], classes[known], rng=study.rng("similarity", *place))
    cut = sum(bool(said.value.get("truncated")) for c in cells if (said := c.said(metric, LOOK)) and said.value)
    return [estimate_cell(mean), None, None, None, int(known.sum()), cut]


def _test(study: Study, metric: str, cells: list[Measured], first: list[Measured], row: list[Value]) -> float:
    if cells is first:
        return NAN
    before = {(c.item.id, c.seed): score_of(c, metric) for c in first}
    paired = [
        (score_of(c, metric), before[c.item.id, c.seed], vehicle_of(c)) for c in cells if (c.item.id, c.seed) in before
    ]
    mine, other = (np.array([p[n] for p in paired], float) for n in (0, 1))
    place = ("similarity difference", cells[0].subject, cells[0].strategy, metric)
    result = paired_permutation(mine, other, np.array([p[2] for p in paired], str), rng=study.rng(*place))
    row[4], row[5] = number(result.statistic), number(result.p)
    return result.p
