"""Metrics against people: image-level correlations with what raters see and think. simile, section 3.3, table 3.

A rating of the picture's fit is expected to fall where a detector is surer of the vehicle, so that for ``fits`` the
signs of detector metrics are reversed: a high number is good news for every metric. Where the vehicle is not found,
confidence and area are 0 (as in the paper's table 3, not as in its table 7). Intervals resample images: three ratings
of one image are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.simile.reading import look
from trope.protocols.simile.similarities import score_of
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats import correlation_interval, welch
from trope.wire import read_ratings

RATE, VISIBLE, FITS = "rate", "visible", "fits"
Metric = Callable[[Measured], float]


def human_tables(study: Study) -> list[Table]:
    """Correlations, and ratings with and without a detection; none for a study that nobody rated."""
    found = {cell.output.key: (cell, said) for cell in reversed(study.cells) if (said := ratings(cell))}
    rated = list(reversed(found.values()))  # a picture that several strategies kept is one picture: the first has it
    if not rated:
        return []
    cells, means = [cell for cell, _ in rated], [said for _, said in rated]
    return [_correlations(study, cells, means), _split(study, cells, means)]


def ratings(cell: Measured) -> dict[str, float]:
    """Mean rating of ``visible`` and ``fits`` over the raters of a picture; empty if nobody rated it."""
    found: dict[str, list[int]] = {VISIBLE: [], FITS: []}
    for calls in cell.observations.values():
        said = calls.get(RATE)
        if said is not None and said.ok and said.raw is not None:
            for name, rating in read_ratings(said.raw, (VISIBLE, FITS)).items():
                found[name].append(rating)
    return {name: float(np.mean(of)) for name, of in found.items()} if found[VISIBLE] else {}


def _metrics(study: Study) -> Mapping[str, tuple[Metric, bool]]:
    """Name -> value of a cell, and whether it finds the vehicle (and so is reversed for ``fits``)."""
    found: dict[str, tuple[Metric, bool]] = {}
    for name, kind in study.instruments.items():
        if kind == "similarity":
            found[name] = (lambda cell, name=name: score_of(cell, name), False)  # type: ignore[misc]
            continue
        if not any(not math.isnan(look(cell, name).present) for cell in study.cells):
            continue
        for part in ("present", "conf", "area") if kind == "detector" else ("present",):
            found[f"{name} {part}"] = (lambda cell, name=name, part=part: _seen(cell, name, part), True)  # type: ignore[misc]
    return found


def _seen(cell: Measured, instrument: str, part: str) -> float:
    if instrument in cell.gates:
        return math.nan  # the strategy chose the picture with it
    seen = look(cell, instrument)
    return 0.0 if seen.present == 0.0 else float(getattr(seen, part))


def _correlations(study: Study, cells: list[Measured], means: list[dict[str, float]]) -> Table:
    images = np.array([cell.output.key for cell in cells], str)
    rows: list[list[Value]] = []
    for name, (metric, finds) in _metrics(study).items():
        values = np.array([metric(cell) for cell in cells], float)
        for rating in (VISIBLE, FITS):
            sign = -1.0 if finds and rating == FITS else 1.0
            said = np.array([mean[rating] for mean in means], float)
            row: list[Value] = [name, rating]
            for kind in ("pearson", "spearman"):
                rng = study.rng("human", name, rating, kind)
                row.append(estimate_cell(correlation_interval(sign * values, said, images, kind=kind, rng=rng)))
            rows.append([*row, "reversed" if sign < 0 else ""])
    columns = ("metric", "rating", "Pearson", "Spearman", "sign")
    notes = (
        "Over pictures, each with its mean rating; 95 % intervals resample pictures, not single ratings.",
        "visible: is the vehicle there as an object; fits: does the picture fit the sentence. For fits, metrics that"
        " find the vehicle are reversed. No detection: confidence and area are 0.",
        "A picture that several strategies kept counts once; what a strategy chose with an instrument does not count"
        " for that instrument.",
    )
    return Table("human", "Metrics against people's ratings", columns, rows, notes)


def _split(study: Study, cells: list[Measured], means: list[dict[str, float]]) -> Table:
    rows: list[list[Value]] = []
    for name, kind in study.instruments.items():
        present = np.array([_seen(cell, name, "present") for cell in cells], float)
        if kind == "similarity" or np.isnan(present).all():
            continue
        for rating in (VISIBLE, FITS):
            said = np.array([mean[rating] for mean in means], float)
            with_, without = said[present == 1.0], said[present == 0.0]
            result = welch(with_, without)
            shown = [number(float(part.mean())) if len(part) else None for part in (with_, without)]
            rows.append([
                name, rating, *shown, len(with_), len(without), number(result.statistic), number(result.p),
                number(result.effect), result.reason or "",
            ])  # fmt: skip
    columns = (
        "instrument", "rating", "mean, detected", "mean, not detected", "detected", "not detected", "Welch t", "p",
        "Cohen d", "note",
    )  # fmt: skip
    return Table("human_detected", "Ratings with and without a detection", columns, rows, ())
