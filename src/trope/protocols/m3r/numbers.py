"""Numbers of m3r on the paper's scale of 0 to 100, with intervals over items (those that share a text as one)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from trope.protocols.base import Study
from trope.protocols.m3r.labels import CATEGORICAL
from trope.protocols.m3r.views import Floats, Mask, Strings, View
from trope.protocols.tables import estimate_cell
from trope.stats.intervals import mean_interval, rate_interval
from trope.stats.result import Estimate, undefined
from trope.stats.statistic import bootstrap_statistic

RESAMPLES: Final = 1000  # of macro-F1 and Mean, whose statistic is computed anew for each
FEW: Final = 10  # clusters


def percent(estimate: Estimate, mark: str | None = None) -> dict[str, Any]:
    """An estimate in [0, 1] as a table cell in percent."""
    scaled = replace(estimate, value=100 * estimate.value, low=100 * estimate.low, high=100 * estimate.high)
    return estimate_cell(scaled, mark=mark)


def nothing(reason: str) -> dict[str, Any]:
    """A cell without a number, and why."""
    return estimate_cell(undefined(reason))


def rate(study: Study, view: View, hits: Floats, mask: Mask | None = None, *place: str) -> dict[str, Any]:
    """A share, over the rows of ``mask``; rows that are not known make it undefined (denominators never shrink)."""
    return _over(study, view, hits, mask, place, rate=True)


def mean(study: Study, view: View, values: Floats, mask: Mask | None = None, *place: str) -> dict[str, Any]:
    """A mean of scores, as `rate`."""
    return _over(study, view, values, mask, place, rate=False)


def _over(
    study: Study, view: View, values: Floats, mask: Mask | None, place: Sequence[str], *, rate: bool
) -> dict[str, Any]:
    rows = np.ones(len(values), bool) if mask is None else mask
    lost = int(np.isnan(values[rows]).sum())
    if lost:
        return nothing(
            f"{lost} of {int(rows.sum())} were not measured. What failed is asked again by the next run; what the"
            " matcher cannot read is in the warnings"
        )
    rng = study.rng(*place, view.subject, view.strategy)
    if rate:
        return percent(rate_interval(values[rows], view.clusters[rows], rng=rng))
    bounds = (0.0, 1.0) if not rows.any() or 0 <= values[rows].min() <= values[rows].max() <= 1 else (-1.0, 1.0)
    return percent(mean_interval(values[rows], view.clusters[rows], bounds=bounds, rng=rng))


def macro_f1_cell(study: Study, view: View, field: str, mask: Mask | None = None, *place: str) -> dict[str, Any]:
    """Macro-F1 of ``metaphor`` or ``sentiment`` over the classes of the truth, with a bootstrap interval.

    An answer that is no label misses its row's class and adds to no other (as `stats.macro_f1`).
    """
    codes = {label: n for n, label in enumerate(CATEGORICAL[field])}
    true, said = view.labels(field)
    rows = np.arange(len(true)) if mask is None else np.flatnonzero(mask)
    gold = np.array([codes[str(true[n])] for n in rows], int)
    guess = np.array([codes.get(str(said[n]), len(codes)) for n in rows], int)
    classes = np.unique(gold)

    def f1(picked: np.ndarray[Any, np.dtype[np.int64]]) -> float:
        a, b = gold[picked], guess[picked]
        right = np.bincount(a[a == b], minlength=len(codes) + 1)
        both = np.bincount(a, minlength=len(codes) + 1) + np.bincount(b, minlength=len(codes) + 1)
        with np.errstate(invalid="ignore"):
            return float(np.mean((2 * right / both)[classes])) if len(classes) else float("nan")

    rng = study.rng("macro-F1", field, view.subject, view.strategy, str(len(rows)), *place)
    return percent(_bootstrap(f1, view.clusters[rows], rng))


def overall(study: Study, view: View, scores: Mapping[str, Floats], mask: Mask, *place: str) -> dict[str, Any]:
    """The mean of the stages' means, over the rows of ``mask``; each stage over the items it is defined on."""
    rows = np.flatnonzero(mask)
    values = np.stack([column[rows] for column in scores.values()])
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)

    def mean_of_means(picked: np.ndarray[Any, np.dtype[np.int64]]) -> float:
        with np.errstate(invalid="ignore"):
            return float(np.mean(filled[:, picked].sum(1) / known[:, picked].sum(1)))

    rng = study.rng("overall", *place, view.subject, view.strategy)
    return percent(_bootstrap(mean_of_means, view.clusters[rows], rng))


def _bootstrap(
    statistic: Callable[[np.ndarray[Any, np.dtype[np.int64]]], float], clusters: Strings, rng: np.random.Generator
) -> Estimate:
    """A statistic of rows; no interval for fewer than ten clusters, on which a percentile bootstrap is too narrow."""
    if (count := len(np.unique(clusters))) < FEW:
        value = float(statistic(np.arange(len(clusters)))) if count else float("nan")
        reason = f"{count} clusters, fewer than {FEW}: no interval" if count else "no rows"
        return Estimate(value, float("nan"), float("nan"), len(clusters), count, "none", reason)
    return bootstrap_statistic(statistic, clusters, n_resamples=RESAMPLES, rng=rng)


def difference(study: Study, a: Floats, b: Floats, clusters: Strings, *place: str) -> dict[str, Any]:
    """The mean of a - b over pairs in which both are known, in points."""
    rng = study.rng("difference", *place)
    return percent(mean_interval(a - b, clusters, bounds=(-1.0, 1.0), rng=rng))


def same(values: Strings, value: str) -> Mask:
    """Rows that hold ``value``."""
    found: Mask = values == value
    return found
