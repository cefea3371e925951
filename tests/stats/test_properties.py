"""What holds for every function of the room, whatever the data: one table, and a test that nothing is left out of it.

Each public function says for each property either what must hold, or in words why the property means nothing for it.
A function that is added to ``trope.stats`` without a line here fails `test_every_function_is_covered`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trope import stats
from trope.stats import BlandAltman, Components, Design, Estimate, RankSet, Spread, TestResult

Data = dict[str, Any]
Relation = Callable[[Any, Any], None]
B = 60  # resamples and permutations: properties do not depend on them
PROPERTIES = ("order", "symmetry", "bounds", "duplication", "constant", "one row", "ties", "nan")


# What a result holds


def flat(result: Any) -> np.ndarray:
    """All numbers of a result."""
    if isinstance(result, Estimate):
        return np.array([result.value, result.low, result.high])
    if isinstance(result, TestResult):
        return np.array([result.statistic, result.p, result.effect])
    if isinstance(result, RankSet):
        return np.array([result.mean, result.rank, result.best, result.worst], dtype=float)
    if isinstance(result, Components):
        return np.array(result.values)
    if isinstance(result, BlandAltman):
        return np.concatenate([flat(result.bias), flat(result.lower), flat(result.upper)])
    if isinstance(result, (list, tuple)) and result and is_dataclass(result[0]):
        return np.concatenate([flat(one) for one in result])
    return np.atleast_1d(np.asarray(result, dtype=float))


def parts(result: Any) -> list[Any]:
    """The records of a result."""
    if isinstance(result, BlandAltman):
        return [result.bias, result.lower, result.upper]
    if isinstance(result, list):
        return result
    return [result]


def sane(result: Any) -> None:
    """NaN has a reason, an interval holds its value and has a width, p is a probability."""
    for one in parts(result):
        if isinstance(one, Estimate):
            if not one.defined:
                assert one.reason
            if one.bounded:
                assert one.low < one.high
                if one.defined:
                    assert one.low <= one.value + 1e-9 and one.value <= one.high + 1e-9
            else:
                assert one.method == "point" or one.reason
            assert not math.isinf(one.value) and not math.isinf(one.low) and not math.isinf(one.high)
        elif isinstance(one, TestResult):
            if one.defined:
                assert 0 <= one.p <= 1
            else:
                assert one.reason and math.isnan(one.statistic) and math.isnan(one.effect)
        elif isinstance(one, RankSet):
            assert 1 <= one.best <= one.worst
            assert math.isnan(one.rank) or one.best <= one.rank + 1e-9 or one.n_clusters >= 10
        elif isinstance(one, Components):
            assert all(value >= 0 or (math.isnan(value) and one.reason) for value in one.values)


# Relations between the result before and after


def same(before: Any, after: Any) -> None:
    np.testing.assert_allclose(flat(after), flat(before), rtol=1e-9, atol=1e-9)


def same_value(before: Any, after: Any) -> None:
    for one, other in zip(parts(before), parts(after), strict=True):
        if isinstance(one, Estimate):
            assert other.value == pytest.approx(one.value, rel=1e-9, abs=1e-9, nan_ok=True)
        elif isinstance(one, TestResult):
            assert other.effect == pytest.approx(one.effect, rel=1e-9, abs=1e-9, nan_ok=True)
        else:
            same(one, other)


def negated(before: Any, after: Any) -> None:
    for one, other in zip(parts(before), parts(after), strict=True):
        if isinstance(one, TestResult):
            assert other.p == pytest.approx(one.p, rel=1e-9, nan_ok=True)
            assert other.effect == pytest.approx(-one.effect, rel=1e-9, abs=1e-12, nan_ok=True)
        else:
            np.testing.assert_allclose(
                [other.value, other.low, other.high], [-one.value, -one.high, -one.low], rtol=1e-9, atol=1e-9
            )


def negated_value(before: Any, after: Any) -> None:
    assert after.value == pytest.approx(-before.value, rel=1e-9, abs=1e-9, nan_ok=True)


def complement(before: Any, after: Any) -> None:
    np.testing.assert_allclose(
        [after.value, after.low, after.high], [1 - before.value, 1 - before.high, 1 - before.low], rtol=1e-9, atol=1e-9
    )


def complement_value(before: Any, after: Any) -> None:
    assert after.value == pytest.approx(1 - before.value, rel=1e-9, nan_ok=True)


def narrower(before: Any, after: Any) -> None:
    same_value(before, after)
    assert after.high - after.low < before.high - before.low


def turned(before: Any, after: Any) -> None:
    np.testing.assert_allclose(after, [-before[1], -before[0]], atol=1e-12)


def limits_swapped(before: Any, after: Any) -> None:
    negated([before.bias], [after.bias])
    negated([before.lower], [after.upper])
    negated([before.upper], [after.lower])


def dropped(before: Any, after: Any) -> None:
    """Rows with NaN change nothing but the count of what is missing."""
    same(before, after)
    for one, other in zip(parts(before), parts(after), strict=True):
        if hasattr(one, "n_missing"):
            assert other.n_missing > one.n_missing


def dropped_without_count(before: Any, after: Any) -> None:
    same(before, after)


# Makers of data: n rows, tied or not


def numbers(rng: np.random.Generator, n: int, tied: bool) -> np.ndarray:
    return rng.integers(0, 3, n).astype(float) if tied else rng.normal(3, 1, n)


def labels(n: int) -> np.ndarray:
    return np.arange(n) // 2 if n < 40 else np.arange(n) // 3


def one_sample(rng: np.random.Generator, n: int, tied: bool) -> Data:
    return {"values": numbers(rng, n, tied), "clusters": labels(n)}


def binary(rng: np.random.Generator, n: int, tied: bool) -> Data:
    return {"values": (rng.random(n) < 0.4).astype(float), "clusters": labels(n)}


def crossed(rng: np.random.Generator, n: int, tied: bool) -> Data:
    return {"values": numbers(rng, n, tied), "a": rng.integers(0, 12, n), "b": rng.integers(0, 12, n)}


def pairs(rng: np.random.Generator, n: int, tied: bool) -> Data:
    a = numbers(rng, n, tied)
    b = numbers(rng, n, tied) + (0 if tied else 0.5 * a)
    return {"a": a, "b": b, "clusters": labels(n)}


def unit_pairs(rng: np.random.Generator, n: int, tied: bool) -> Data:
    made = pairs(rng, n, tied)
    return {key: np.clip(made[key] / 6, 0, 1) for key in ("a", "b")}


def matrix(rng: np.random.Generator, n: int, tied: bool) -> Data:
    base = numbers(rng, n, tied)[:, None]
    noise = rng.integers(-1, 2, (n, 4)) if tied else rng.normal(0, 0.6, (n, 4))
    return {"ratings": base + noise, "clusters": labels(n)}


def categories(rng: np.random.Generator, n: int, tied: bool) -> Data:
    a = rng.integers(0, 3, n)
    b = np.where(rng.random(n) < 0.6, a, rng.integers(0, 3, n))
    return {"a": a.astype(float), "b": b.astype(float)}


def powered(rng: np.random.Generator, n: int, tied: bool) -> Data:
    f = numbers(rng, n, tied)
    y = f + rng.normal(0, 0.5, n) + 0.2
    chance = np.full(n, 0.7)
    asked = rng.random(n) < chance
    asked[: min(n, 12)] = True
    return {"f": f, "y": np.where(asked, y, np.nan), "chance": chance}


def table(rng: np.random.Generator, n: int, tied: bool) -> Data:
    a, b = max(2, n // 4), 4
    values = rng.normal(size=(a, 1)) + rng.normal(size=(1, b)) + rng.normal(size=(a, b))
    return {"values": np.rint(2 * values) if tied else values}


def tall(rng: np.random.Generator, n: int, tied: bool) -> Data:
    i, j = np.arange(n) // 4, np.arange(n) % 4
    spread = rng.normal(size=n)[i] + rng.normal(size=4)[j] + rng.normal(size=n)
    return {"values": np.rint(2 * spread) if tied else spread, "item": i, "judge": j}


# The table


@dataclass(frozen=True)
class Case:
    """How a function is called, and what must hold; a string says why a property means nothing here."""

    make: Callable[[np.random.Generator, int, bool], Data]
    call: Callable[[Data, np.random.Generator], Any]
    rows: tuple[str, ...]
    symmetry: tuple[Callable[[Data], Data], Relation] | str
    bounds: tuple[float, float] | str
    duplication: Relation | str
    nan: tuple[tuple[str, ...], Relation] | str
    order: Relation | str = same
    constant: Callable[[Any], None] | str = sane
    one_row: Callable[[Any], None] | str = sane
    least: int = 24  # rows of the usual data


def swap(d: Data) -> Data:
    return {**d, "a": d["b"], "b": d["a"]}


def negative(d: Data) -> Data:
    return {**d, "values": -d["values"]}


def opposite(d: Data) -> Data:
    return {**d, "values": 1 - d["values"]}


def columns_turned(d: Data) -> Data:
    return {**d, "ratings": d["ratings"][:, ::-1]}


def undefined(result: Any) -> None:
    sane(result)
    assert all(math.isnan(value) for one in parts(result) for value in flat(one))


def no_interval(result: Any) -> None:
    sane(result)
    assert all(one.defined and not one.bounded for one in parts(result))


def _design(items: int) -> Design:
    return Design(max(items // 2, 1), 2, 2, 1)


def _spread(values: np.ndarray) -> Spread:
    return Spread(cluster=float(np.var(values)), item=float(np.mean(values**2)))


COUNTS = "it takes counts, not rows"
FREE = "it has no bounds"
SCALAR = "it takes numbers, not rows"
MORE_ROWS = "more rows are more evidence: a p value or an interval changes"
VARIANCES = "it takes a design and variances, not rows"
ONE_SAMPLE = ("values", "clusters")

CASES: dict[str, Case] = {
    "wilson": Case(
        binary,
        lambda d, g: stats.wilson(float(d["values"].sum()), len(d["values"])),
        ("values",),
        (opposite, complement),
        (0, 1),
        narrower,
        COUNTS,
    ),
    "clopper_pearson": Case(
        binary,
        lambda d, g: stats.clopper_pearson(float(d["values"].sum()), len(d["values"])),
        ("values",),
        (opposite, complement),
        (0, 1),
        narrower,
        COUNTS,
    ),
    "cluster_bootstrap": Case(
        one_sample,
        lambda d, g: stats.cluster_bootstrap(d["values"], d["clusters"], n_resamples=B, rng=g),
        ONE_SAMPLE,
        (negative, negated),
        FREE,
        same,
        (("values",), dropped),
        constant=no_interval,
        one_row=no_interval,
    ),
    "cluster_bootstrap_table": Case(
        matrix,
        lambda d, g: stats.cluster_bootstrap_table(d["ratings"], d["clusters"], n_resamples=B, rng=g),
        ("ratings", "clusters"),
        (lambda d: {**d, "ratings": -d["ratings"]}, negated),
        FREE,
        same,
        (("ratings",), dropped),
        constant=no_interval,
        one_row=no_interval,
    ),
    "two_way_bootstrap": Case(
        crossed,
        lambda d, g: stats.two_way_bootstrap(d["values"], d["a"], d["b"], n_resamples=B, rng=g),
        ("values", "a", "b"),
        (negative, negated),
        FREE,
        same,
        (("values",), dropped),
        constant=no_interval,
        one_row=no_interval,
        least=60,
    ),
    "bootstrap_statistic": Case(
        one_sample,
        lambda d, g: stats.bootstrap_statistic(
            lambda rows: float(np.median(d["values"][rows])), d["clusters"], n_resamples=B, rng=g
        ),
        ONE_SAMPLE,
        (negative, negated),
        FREE,
        same,
        "its statistic decides what NaN means",
        constant=no_interval,
        one_row=no_interval,
    ),
    "ratio_interval": Case(
        pairs,
        lambda d, g: stats.ratio_interval(d["a"], d["b"], d["clusters"], n_resamples=B, rng=g),
        ("a", "b", "clusters"),
        (lambda d: {**d, "a": -d["a"]}, negated),
        FREE,
        same,
        (("a",), dropped),
        one_row=undefined,
    ),
    "rate_interval": Case(
        binary,
        lambda d, g: stats.rate_interval(d["values"], d["clusters"], n_resamples=B, rng=g),
        ONE_SAMPLE,
        (opposite, complement),
        (0, 1),
        same,
        (("values",), dropped),
        one_row=no_interval,
    ),
    "mean_interval": Case(
        one_sample,
        lambda d, g: stats.mean_interval(d["values"], d["clusters"], n_resamples=B, rng=g),
        ONE_SAMPLE,
        (negative, negated),
        FREE,
        same,
        (("values",), dropped),
        constant=no_interval,
        one_row=no_interval,
    ),
    "two_way_interval": Case(
        crossed,
        lambda d, g: stats.two_way_interval(d["values"], d["a"], d["b"], n_resamples=B, rng=g),
        ("values", "a", "b"),
        (negative, negated_value),
        FREE,
        same,
        (("values",), dropped),
        one_row=no_interval,
        least=60,
    ),
    "mean_bounds": Case(
        unit_pairs,
        lambda d, g: stats.mean_bounds(d["a"]),
        ("a",),
        (
            lambda d: {**d, "a": 1 - d["a"]},
            lambda x, y: np.testing.assert_allclose(y, [1 - x[1], 1 - x[0]], atol=1e-12),
        ),
        (0, 1),
        same,
        "NaN is what it is about: the bounds widen (test_bounds.py)",
    ),
    "difference_bounds": Case(
        unit_pairs,
        lambda d, g: stats.difference_bounds(d["a"], d["b"]),
        ("a", "b"),
        (swap, turned),
        (-1, 1),
        same,
        "NaN is what it is about: the bounds widen (test_bounds.py)",
    ),
    "manski_interval": Case(
        binary,
        lambda d, g: stats.manski_interval(d["values"], d["clusters"], n_resamples=B, rng=g),
        ONE_SAMPLE,
        "the two ends use one generator in turn, so that only the worst case is exactly reproducible",
        (0, 1),
        same,
        "NaN is what it is about: the interval widens (test_bounds.py)",
        one_row=no_interval,
    ),
    "paired_permutation": Case(
        pairs,
        lambda d, g: stats.paired_permutation(d["a"], d["b"], d["clusters"], n_perm=B, rng=g),
        ("a", "b", "clusters"),
        (swap, negated),
        (-math.inf, math.inf),
        lambda x, y: np.testing.assert_allclose(
            [y.statistic, y.p], [x.statistic, x.p], rtol=1e-9
        ),  # the clusters are the same
        (("a",), dropped),
    ),
    "wilcoxon": Case(
        pairs,
        lambda d, g: stats.wilcoxon(d["a"], d["b"]),
        ("a", "b"),
        (swap, negated),
        (-1, 1),
        MORE_ROWS,
        (("a",), dropped),
    ),
    "cohen_d_paired": Case(
        pairs,
        lambda d, g: stats.cohen_d_paired(d["a"], d["b"]),
        ("a", "b"),
        (swap, negated),
        FREE,
        "ddof 1: doubling the rows changes the SD",
        (("b",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "equivalence": Case(
        pairs,
        lambda d, g: stats.equivalence(d["a"], d["b"], d["clusters"], margin=0.5),
        ("a", "b", "clusters"),
        (swap, negated),
        (-math.inf, math.inf),
        same,
        (("a",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "holm": Case(
        unit_pairs,
        lambda d, g: stats.holm(d["a"]),
        ("a",),
        "it has one argument",
        (0, 1),
        "twice the tests is another family",
        (("a",), lambda x, y: np.testing.assert_allclose(y[: len(x)], x)),
        order="it keeps the order of its input (test_comparisons.py)",
    ),
    "welch": Case(
        pairs,
        lambda d, g: stats.welch(d["a"], d["b"]),
        ("a", "b"),
        (swap, negated),
        (-math.inf, math.inf),
        MORE_ROWS,
        (("a", "b"), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "mann_whitney": Case(
        pairs,
        lambda d, g: stats.mann_whitney(d["a"], d["b"]),
        ("a", "b"),
        (swap, negated),
        (-1, 1),
        lambda x, y: same_value(x, y),
        (("a", "b"), dropped),
        constant=undefined,
    ),
    "anova": Case(
        pairs,
        lambda d, g: stats.anova([d["a"], d["b"], d["a"] + 1]),
        ("a", "b"),
        (swap, lambda x, y: None),
        (0, 1),
        MORE_ROWS,
        (("a", "b"), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "cohen_d": Case(
        pairs,
        lambda d, g: stats.cohen_d(d["a"], d["b"]),
        ("a", "b"),
        (swap, negated),
        FREE,
        "n - 2 in the SD: doubling the rows changes it",
        (("a", "b"), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "r_from_d": Case(
        pairs,
        lambda d, g: stats.r_from_d(float(np.mean(d["a"]) - np.mean(d["b"])), 0.3),
        ("a", "b"),
        (swap, lambda x, y: np.testing.assert_allclose(y, -x)),
        (-1, 1),
        same,
        SCALAR,
    ),
    "rank": Case(
        one_sample,
        lambda d, g: stats.rank(d["values"]),
        ("values",),
        (negative, lambda x, y: np.testing.assert_allclose(y, len(x) + 1 - x)),
        (1, 1000),
        lambda x, y: np.testing.assert_allclose(y[: len(x)], 2 * x - 0.5),
        (("values",), lambda x, y: np.testing.assert_allclose(y[: len(x)], x)),
        order="it keeps the order of its input (test_ranks.py)",
    ),
    "rank_sets": Case(
        matrix,
        lambda d, g: stats.rank_sets(d["ratings"], d["clusters"], n_resamples=B, rng=g),
        ("ratings", "clusters"),
        "which column is which changes with their order (test_ranks.py)",
        "a record, checked by `sane`",
        same,
        (("ratings",), dropped),
    ),
    "pearson": Case(
        pairs,
        lambda d, g: stats.pearson(d["a"], d["b"]),
        ("a", "b"),
        (swap, same),
        (-1, 1),
        same_value,
        (("a",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "spearman": Case(
        pairs,
        lambda d, g: stats.spearman(d["a"], d["b"]),
        ("a", "b"),
        (swap, same),
        (-1, 1),
        same_value,
        (("a",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "kendall_tau_b": Case(
        pairs,
        lambda d, g: stats.kendall_tau_b(d["a"], d["b"]),
        ("a", "b"),
        (swap, same),
        (-1, 1),
        same_value,
        (("a",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "correlation_interval": Case(
        pairs,
        lambda d, g: stats.correlation_interval(d["a"], d["b"], d["clusters"], n_resamples=B, rng=g),
        ("a", "b", "clusters"),
        (swap, same),
        (-1, 1),
        same,
        (("a",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "pairwise_spearman": Case(
        matrix,
        lambda d, g: stats.pairwise_spearman(d["ratings"]),
        ("ratings",),
        (columns_turned, same),
        (-1, 1),
        same,
        (("ratings",), lambda x, y: same(x, y)),
        constant=undefined,
        one_row=undefined,
    ),
    "kendall_w": Case(
        matrix,
        lambda d, g: stats.kendall_w(d["ratings"]),
        ("ratings",),
        (columns_turned, same),
        (0, 1),
        same_value,
        (("ratings",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "spearman_brown": Case(
        unit_pairs,
        lambda d, g: stats.spearman_brown(float(np.mean(d["a"])), 3),
        ("a",),
        "it has no pair of arguments that could be exchanged",
        (0, 1),
        same,
        SCALAR,
    ),
    "icc": Case(
        matrix,
        lambda d, g: [stats.icc(d["ratings"], kind) for kind in ("1", "2", "3", "1k", "2k", "3k")],
        ("ratings",),
        (columns_turned, same),
        (-math.inf, 1),
        "n - 1 in the mean squares: doubling the rows changes them",
        (("ratings",), dropped),
        constant=undefined,
        one_row=undefined,
    ),
    "bland_altman": Case(
        pairs,
        lambda d, g: stats.bland_altman(d["a"], d["b"]),
        ("a", "b"),
        (swap, limits_swapped),
        FREE,
        "ddof 1: doubling the rows changes the SD",
        (("a",), dropped),
        constant=no_interval,
        one_row=undefined,
    ),
    "krippendorff_alpha": Case(
        matrix,
        lambda d, g: [stats.krippendorff_alpha(d["ratings"], m) for m in ("nominal", "ordinal", "interval")],
        ("ratings",),
        (columns_turned, same),
        (-math.inf, 1),
        "n - 1 in the expected disagreement: doubling the rows changes it",
        (("ratings",), dropped),
        constant=undefined,
    ),
    "cohen_kappa": Case(
        categories,
        lambda d, g: [stats.cohen_kappa(d["a"], d["b"], weights=w) for w in ("none", "linear", "quadratic")],
        ("a", "b"),
        (swap, same),
        (-1, 1),
        same_value,
        (("a",), dropped),
        constant=undefined,
    ),
    "fleiss_kappa": Case(
        lambda g, n, tied: {"ratings": g.integers(0, 3, (n, 4)).astype(float)},
        lambda d, g: stats.fleiss_kappa(d["ratings"]),
        ("ratings",),
        (columns_turned, same),
        (-1, 1),
        same_value,
        (("ratings",), dropped),
        constant=undefined,
    ),
    "accuracy": Case(
        categories,
        lambda d, g: stats.accuracy(d["a"], d["b"]),
        ("a", "b"),
        (swap, same),
        (0, 1),
        same_value,
        (("a",), dropped),
    ),
    "balanced_accuracy": Case(
        categories,
        lambda d, g: stats.balanced_accuracy(d["a"], d["b"]),
        ("a", "b"),
        "truth and prediction cannot be exchanged",
        (0, 1),
        same_value,
        (("a",), dropped),
    ),
    "macro_f1": Case(
        categories,
        lambda d, g: stats.macro_f1(d["a"], d["b"]),
        ("a", "b"),
        "truth and prediction cannot be exchanged: the classes are those of the truth",
        (0, 1),
        same_value,
        (("a",), dropped),
    ),
    "mean_absolute_error": Case(
        pairs,
        lambda d, g: stats.mean_absolute_error(d["a"], d["b"]),
        ("a", "b"),
        (swap, same),
        (0, math.inf),
        same_value,
        (("a",), dropped),
    ),
    "rogan_gladen": Case(
        binary,
        lambda d, g: stats.rogan_gladen(
            float(d["values"].sum()),
            len(d["values"]),
            true_positives=45,
            positives=50,
            true_negatives=45,
            negatives=50,
        ),
        ("values",),
        (opposite, complement),
        (0, 1),
        narrower,
        COUNTS,
    ),
    "prediction_powered_mean": Case(
        powered,
        lambda d, g: stats.prediction_powered_mean(d["f"], d["y"], d["chance"]),
        ("f", "y", "chance"),
        (lambda d: {**d, "f": -d["f"], "y": -d["y"]}, negated),
        FREE,
        narrower,
        "a row without a label is what it is about; one without prediction is refused (test_corrections.py)",
        constant=no_interval,
        one_row=undefined,
    ),
    "prediction_powered_quantile": Case(
        powered,
        lambda d, g: stats.prediction_powered_quantile(d["f"], d["y"], d["chance"], 0.5),
        ("f", "y", "chance"),
        "the lower median of -x is minus the upper median of x",
        FREE,
        same_value,
        "as prediction_powered_mean",
        constant=lambda result: None,
        one_row=undefined,
    ),
    "anova_components": Case(
        table,
        lambda d, g: stats.anova_components(d["values"], ["item", "judge"]),
        ("values",),
        (
            lambda d: {**d, "values": d["values"].T},
            lambda x, y: np.testing.assert_allclose(
                [y["judge"] if False else y.raw[0], y.raw[1], y.raw[2]], [x.raw[1], x.raw[0], x.raw[2]], atol=1e-9
            ),
        ),
        (0, math.inf),
        "levels drawn twice are no new levels",
        "a missing value is refused (test_variance.py)",
        one_row=undefined,
    ),
    "reml_components": Case(
        tall,
        lambda d, g: stats.reml_components(d["values"], {"item": d["item"], "judge": d["judge"]}),
        ("values", "item", "judge"),
        (negative, lambda x, y: np.testing.assert_allclose(y.values, x.values, rtol=1e-4, atol=1e-6)),
        (0, math.inf),
        "rows drawn twice have the same residual twice",
        (("values",), lambda x, y: np.testing.assert_allclose(y.values, x.values, rtol=1e-4, atol=1e-6)),
        order=lambda x, y: np.testing.assert_allclose(y.values, x.values, rtol=1e-4, atol=1e-6),
        constant=undefined,
        one_row=undefined,
    ),
    "design_error": Case(
        one_sample,
        lambda d, g: stats.design_error(_design(len(d["values"])), _spread(d["values"])),
        ("values",),
        (negative, same),
        (0, math.inf),
        lambda x, y: np.testing.assert_array_less(y, x),
        VARIANCES,
    ),
    "achieved_power": Case(
        one_sample,
        lambda d, g: stats.achieved_power(0.5, _design(len(d["values"])), _spread(d["values"])),
        ("values",),
        (negative, same),
        (0.05, 1),
        lambda x, y: np.testing.assert_array_less(x.value, y.value),
        VARIANCES,
        one_row=undefined,
    ),
    "minimum_detectable_effect": Case(
        one_sample,
        lambda d, g: stats.minimum_detectable_effect(_design(len(d["values"])), _spread(d["values"])),
        ("values",),
        (negative, same),
        (0, math.inf),
        lambda x, y: np.testing.assert_array_less(y.value, x.value),
        VARIANCES,
        one_row=undefined,
    ),
    "clusters_needed": Case(
        one_sample,
        lambda d, g: stats.clusters_needed(0.5, _spread(d["values"]), most=100_000),
        ("values",),
        (negative, same),
        (2, 100_000),
        same,
        VARIANCES,
    ),
}


def public_functions() -> set[str]:
    return {name for name in stats.__all__ if inspect.isfunction(getattr(stats, name))}


def test_every_function_is_covered() -> None:
    assert set(CASES) == public_functions()


def test_the_cover_would_notice_a_new_function() -> None:
    assert set(CASES) != public_functions() | {"brand_new"}
    assert all(name in inspect.getsource(CASES[name].call) for name in CASES)


def test_a_property_is_only_left_out_with_words() -> None:
    for name, case in CASES.items():
        for what in (case.symmetry, case.bounds, case.duplication, case.nan, case.order, case.constant, case.one_row):
            assert not isinstance(what, str) or len(what) > 10, name


# The properties


def run(case: Case, data: Data, seed: int) -> Any:
    result = case.call(data, np.random.default_rng(seed))
    sane(result)
    return result


def take(data: Data, case: Case, rows: np.ndarray) -> Data:
    return {key: value[rows] if key in case.rows else value for key, value in data.items()}


def with_missing(data: Data, case: Case, where: tuple[str, ...], rng: np.random.Generator) -> Data:
    """Two rows more, NaN in the arrays named."""
    n = len(data[case.rows[0]])
    grown = take(data, case, np.concatenate([np.arange(n), rng.integers(0, n, 2)]))
    for name in where:
        grown[name] = np.array(grown[name], dtype=float)
        grown[name][n:] = np.nan
    return grown


def check(name: str, prop: str, seed: int, more: int, tied: bool) -> None:
    case = CASES[name]
    rng = np.random.default_rng(seed)
    n = case.least + more
    if prop == "one row":
        if not isinstance(case.one_row, str):
            data = take(case.make(rng, case.least, tied), case, np.arange(1))
            case.one_row(case.call(data, np.random.default_rng(seed)))
        return
    data = case.make(rng, n, tied or prop == "ties")
    rows = len(data[case.rows[0]])
    if prop == "ties":
        run(case, data, seed)
    if prop in ("order", "ties") and not isinstance(case.order, str):
        case.order(run(case, data, seed), run(case, take(data, case, rng.permutation(rows)), seed))
    elif prop == "symmetry" and not isinstance(case.symmetry, str):
        change, relation = case.symmetry
        relation(run(case, data, seed), run(case, change(data), seed))
    elif prop == "bounds" and not isinstance(case.bounds, str):
        result = run(case, data, seed)
        for one in parts(result):
            main = one.value if isinstance(one, Estimate) else one.effect if isinstance(one, TestResult) else flat(one)
            main = np.atleast_1d(main)[~np.isnan(np.atleast_1d(main))]
            assert ((main >= case.bounds[0] - 1e-12) & (main <= case.bounds[1] + 1e-12)).all()
            if isinstance(one, Estimate) and case.bounds == (0, 1) and one.bounded:
                assert one.low >= 0 and one.high <= 1
    elif prop == "duplication" and not isinstance(case.duplication, str):
        twice = take(data, case, np.concatenate([np.arange(rows)] * 2))
        case.duplication(run(case, data, seed), run(case, twice, seed))
    elif prop == "constant" and not isinstance(case.constant, str):
        level = 1.0 if seed % 2 else 0.0
        flat_data = {
            key: np.full(np.shape(value), level) if key in ("values", "a", "b", "ratings", "f") else value
            for key, value in data.items()
        }
        if name in ("two_way_bootstrap", "two_way_interval"):
            flat_data |= {"a": data["a"], "b": data["b"]}
        if "y" in data:
            flat_data["y"] = np.where(np.isnan(data["y"]), np.nan, level)
        if name.startswith(("design", "achieved", "minimum", "clusters_needed")) and not level:
            return
        case.constant(case.call(flat_data, np.random.default_rng(seed)))
    elif prop == "nan" and not isinstance(case.nan, str):
        where, relation = case.nan
        relation(run(case, data, seed), run(case, with_missing(data, case, where, rng), seed))


@pytest.mark.parametrize("prop", PROPERTIES)
@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(seed=st.integers(0, 2**32 - 1), more=st.integers(0, 12), tied=st.booleans())
def test_property(name: str, prop: str, seed: int, more: int, tied: bool) -> None:
    check(name, prop, seed, more, tied)


def test_a_broken_function_is_found() -> None:
    """The properties really look: a mean that forgets a row fails order, one with a zero width fails the rest."""
    worse = replace(CASES["mean_absolute_error"], call=lambda d, g: stats.mean_absolute_error(d["a"][1:], d["b"][1:]))
    data = worse.make(np.random.default_rng(0), 30, False)
    with pytest.raises(AssertionError):
        same(run(worse, data, 0), run(worse, take(data, worse, np.arange(30)[::-1]), 0))
    with pytest.raises(AssertionError):
        sane(Estimate(0.0, 0.0, 0.0, 10, 10, "percentile-clusters"))
    with pytest.raises(AssertionError):
        sane(Estimate(math.nan, math.nan, math.nan, 0, 0, "none"))
