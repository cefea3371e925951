"""The bootstrap over clusters: whole clusters are drawn, never single rows.

Rows of one cluster (items about the same vehicle, pictures of one sentence) are not independent; drawing rows
would count them as if they were, and give intervals that are too narrow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trope.stats import _resample as rs
from trope.stats._checks import (
    FloatArray,
    RangeError,
    at_least,
    codes,
    level,
    numbers,
    one_of,
)
from trope.stats.result import NAN, Estimate, undefined


def _studentized(
    value: float,
    sums: FloatArray,
    counts: FloatArray,
    n_resamples: int,
    confidence: float,
    bounds: tuple[float, float] | None,
    rng: np.random.Generator,
) -> tuple[float, float] | None:
    """The studentized interval, or None if an end of it falls among resamples without spread."""
    low, width = (bounds[0], bounds[1] - bounds[0]) if bounds else (0.0, 1.0)
    sums = (sums - low * counts) / width
    mean = (value - low) / width
    error = float(rs.cluster_error(sums[:, None], counts[:, None])[0])
    distance = np.sort(rs.studentized(sums, counts, n_resamples, rng, arcsine=bounds is not None))
    position = int((n_resamples - 1) * (1 - confidence) / 2)
    if np.isinf(distance[position]) or np.isinf(distance[n_resamples - 1 - position]):
        return None
    finite = np.clip(distance, -1e9, 1e9)
    near, far = rs.quantile_pair(finite, (1 - confidence) / 2, (1 + confidence) / 2)
    if bounds is None:
        return value - far * error, value - near * error
    if not 0 < mean < 1:
        return None
    angle = np.arcsin(np.sqrt(mean))
    spread = error / (2 * np.sqrt(mean * (1 - mean)))
    ends = np.sin(np.clip([angle - far * spread, angle - near * spread], 0, np.pi / 2)) ** 2
    return low + width * float(ends[0]), low + width * float(ends[1])


def cluster_bootstrap(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    method: str = "bca",
    bounds: tuple[float, float] | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    r"""Mean of rows with a bootstrap interval over clusters, by the method that is asked for.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN rows are left out and counted in ``n_missing``.
    clusters : labels, shape (n,)
        Rows with the same label are drawn together.
    method
        ``"percentile"``; ``"bca"`` (bias-corrected and accelerated); ``"studentized"`` (each resample is
        divided by its own standard error between clusters, which corrects for skew).
    bounds
        Smallest and largest possible value. Only ``"studentized"`` uses it: it then works on the scale
        asin(sqrt(x)) between the bounds, so that its ends stay inside.
    confidence
        In (0, 1).
    n_resamples
        Draws, at least 1.
    rng
        The only source of randomness; the same state gives the same interval.

    Returns
    -------
    Estimate
        Its value is the mean over rows (a large cluster weighs more). The interval is NaN with a reason for
        one cluster, if all resamples agree, or if too many resamples have no spread to divide by: no
        interval of zero width is ever given.

    Raises
    ------
    ShapeError, RangeError, StatsError
        Lengths differ; infinite values or values outside `bounds`; an unknown method.

    Notes
    -----
    Unit of resampling: the cluster; as many are drawn as there are, with replacement. Statistic
    :math:`\sum_c w_c S_c / \sum_c w_c N_c`; quantiles of replicates by linear interpolation.
    Source: Efron (1987), doi:10.1080/01621459.1987.10478410 (BCa); Davison and Hinkley (1997), sections 3.8
    and 5.2 (studentized). Checked against ``scipy.stats.bootstrap`` with the same draws.
    """
    one_of(method, ("percentile", "bca", "studentized"), "method")
    array = numbers(values, "values")
    if bounds is not None:
        check_bounds(array, bounds)
    if method != "studentized":
        return _table(array[:, None], clusters, confidence, n_resamples, method, rng)[0]
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    codes(clusters, "clusters", len(array))
    present = ~np.isnan(array)
    missing, array = int((~present).sum()), array[present]
    code, n_clusters = codes(np.asarray(clusters)[present], "clusters", len(array))
    if len(array) == 0:
        return undefined("no values", n_missing=missing)
    sums, counts = (x[:, 0] for x in rs.per_cluster(array[:, None], code, n_clusters))
    value = float(sums.sum() / counts.sum())
    n = len(array)
    if n_clusters < 2:
        return Estimate(value, NAN, NAN, n, n_clusters, "none", "one cluster: nothing to resample", missing)
    if np.ptp(sums / counts) <= rs.TINY * abs(value):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT, missing)
    ends = _studentized(value, sums, counts, n_resamples, confidence, bounds, rng)
    if ends is None or not rs.wide(*ends):
        why = f"more than {50 * (1 - confidence):g} % of the resamples have no spread"
        return Estimate(value, NAN, NAN, n, n_clusters, "none", why, missing)
    return Estimate(value, *ends, n, n_clusters, "studentized-clusters", None, missing)


def check_bounds(array: FloatArray, bounds: tuple[float, float]) -> None:
    """Check that bounds are in order and that what is not NaN lies between them."""
    if not bounds[0] < bounds[1]:
        raise RangeError(f"bounds: expected low < high, got {bounds!r}")
    outside = (array < bounds[0]) | (array > bounds[1])
    if outside.any():
        raise RangeError(f"values: expected values in [{bounds[0]:g}, {bounds[1]:g}], got {array[outside].flat[0]:g}")


def _table(
    columns: FloatArray,
    clusters: npt.ArrayLike,
    confidence: float,
    n_resamples: int,
    method: str,
    rng: np.random.Generator,
) -> list[Estimate]:
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    code, n_clusters = codes(clusters, "clusters", len(columns))
    width = columns.shape[1]
    if n_clusters == 0:
        return [undefined("no values")] * width
    sums, counts = rs.per_cluster(columns, code, n_clusters)
    value = rs.ratio(sums.sum(axis=0), counts.sum(axis=0))
    sample = rs.replicates(sums, counts, n_resamples, rng)
    tail = (1 - confidence) / 2
    low_level, high_level = np.full(width, tail), np.full(width, 1 - tail)
    if method == "bca" and n_clusters > 1:
        low_level, high_level = rs.bca_levels(value, sample, rs.leave_one_out(sums, counts), confidence)
    out = []
    for j in range(width):
        n, used = int(counts[:, j].sum()), int((counts[:, j] > 0).sum())
        missing, mean = len(columns) - n, float(value[j])
        if n == 0:
            out.append(undefined("no values", n_missing=missing))
            continue
        column = sample[~np.isnan(sample[:, j]), j]
        if used < 2 or not len(column) or rs.flat(column, mean):
            why = "one cluster: nothing to resample" if used < 2 else rs.FLAT
            out.append(Estimate(mean, NAN, NAN, n, used, "none", why, missing))
            continue
        low, high = rs.quantile_pair(column, low_level[j], high_level[j])
        if not rs.wide(low, high):
            out.append(Estimate(mean, NAN, NAN, n, used, "none", rs.FLAT, missing))
            continue
        out.append(Estimate(mean, low, high, n, used, f"{method}-clusters", None, missing))
    return out


def cluster_bootstrap_table(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    method: str = "bca",
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> list[Estimate]:
    """The same as :func:`cluster_bootstrap` for many columns at once, all from the same draws.

    Parameters
    ----------
    values : float array, shape (n, k)
        One column a cell of a table (a model, a question); NaN where missing.
    clusters : labels, shape (n,)
        Rows with the same label are drawn together.
    method
        ``"percentile"`` or ``"bca"``.
    confidence, n_resamples, rng
        As in :func:`cluster_bootstrap`.

    Returns
    -------
    list of k Estimate
        Equal to k calls of :func:`cluster_bootstrap` that start from the same state of `rng`.

    Raises
    ------
    ShapeError, RangeError, StatsError
        As in :func:`cluster_bootstrap`.

    Notes
    -----
    One matrix product replaces k passes over the draws; ``benchmarks/stats_bca.py`` measures by how much.
    """
    one_of(method, ("percentile", "bca"), "method")
    return _table(numbers(values, "values", ndim=2), clusters, confidence, n_resamples, method, rng)


def two_way_bootstrap(
    values: npt.ArrayLike,
    clusters_a: npt.ArrayLike,
    clusters_b: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    r"""Mean with a percentile interval from drawing two crossed groupings at once, say vehicles and templates.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN rows are left out and counted.
    clusters_a, clusters_b : labels, shape (n,)
        The two groupings.
    confidence, n_resamples, rng
        As in :func:`cluster_bootstrap`.

    Returns
    -------
    Estimate
        ``n_clusters`` is the smaller of the two numbers of groups; method ``"percentile-two-way"``.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ, infinite values.

    Notes
    -----
    The pigeonhole bootstrap: groups of either kind are drawn with replacement, independently of each other,
    and a row counts :math:`w_a w_b` times. Resamples in which no row was drawn (sparse crossings) are left
    out; more than 5 % of them give no interval. It errs on the wide side where rows vary much within a
    crossing. Source: Owen (2007), doi:10.1214/07-AOAS122; McCullagh (2000), doi:10.2307/3318577.
    """
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    array = numbers(values, "values")
    code_a, _ = codes(clusters_a, "clusters_a", len(array))
    code_b, _ = codes(clusters_b, "clusters_b", len(array))
    present = ~np.isnan(array)
    missing, array = int((~present).sum()), array[present]
    n = len(array)
    if n == 0:
        return undefined("no values", n_missing=missing)
    code_a, n_a = codes(code_a[present], "clusters_a", n)
    code_b, n_b = codes(code_b[present], "clusters_b", n)
    value, fewest = float(array.mean()), min(n_a, n_b)
    if fewest < 2:
        return Estimate(value, NAN, NAN, n, fewest, "none", "one group in one of the two ways", missing)
    cell, size = code_a * n_b + code_b, n_a * n_b
    sums = np.bincount(cell, weights=array, minlength=size).reshape(n_a, n_b)
    counts = np.bincount(cell, minlength=size).reshape(n_a, n_b).astype(np.float64)
    drawn_a = np.concatenate(list(rs.draws(n_a, n_resamples, rng)))
    drawn_b = np.concatenate(list(rs.draws(n_b, n_resamples, rng)))
    sample = rs.ratio(((drawn_a @ sums) * drawn_b).sum(axis=1), ((drawn_a @ counts) * drawn_b).sum(axis=1))
    empty = int(np.isnan(sample).sum())
    if empty > 0.05 * n_resamples:
        why = f"{empty} of {n_resamples} resamples drew no row: the two groupings hardly cross"
        return Estimate(value, NAN, NAN, n, fewest, "none", why, missing)
    if rs.flat(sample[~np.isnan(sample)], value):
        return Estimate(value, NAN, NAN, n, fewest, "none", rs.FLAT, missing)
    tail = (1 - confidence) / 2
    low, high = rs.quantile_pair(sample, tail, 1 - tail)
    if not rs.wide(low, high):
        return Estimate(value, NAN, NAN, n, fewest, "none", rs.FLAT, missing)
    return Estimate(value, low, high, n, fewest, "percentile-two-way", None, missing)
