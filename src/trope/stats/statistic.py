"""Bootstrap intervals over clusters for what is not a plain mean: a ratio of means, and any statistic of
rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from trope.stats import _resample as rs
from trope.stats._checks import FloatArray, IntArray, at_least, codes, level, numbers, one_of, pair
from trope.stats.result import NAN, Estimate, undefined


def ratio_interval(
    top: npt.ArrayLike,
    bottom: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    r"""Ratio of two means over the same rows, such as a literalization index, with a BCa interval over
    clusters.

    Parameters
    ----------
    top, bottom : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    clusters : labels, shape (n,)
        Rows with the same label are drawn together.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        NaN with a reason if the mean of `bottom` cannot be told from 0, |mean| <= t SE between clusters
        (then the ratio has no finite interval, by Fieller's argument), or for fewer than ten clusters.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ, infinite values.

    Notes
    -----
    .. math:: \sum_i t_i / \sum_i b_i

    Both sums are resampled together. Source: Efron (1987), doi:10.1080/01621459.1987.10478410; Fieller
    (1954), J. R. Statist. Soc. B 16, 175-185, for when it is undefined.
    """
    from scipy.special import stdtrit

    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    all_top, all_bottom = numbers(top, "top"), numbers(bottom, "bottom")
    above, below, missing = pair(all_top, all_bottom, "top, bottom")
    code, _ = codes(clusters, "clusters", len(all_top))
    code, n_clusters = codes(code[~np.isnan(all_top + all_bottom)], "clusters", len(above))
    n = len(above)
    if n_clusters < rs.FEW_CLUSTERS:
        return undefined(f"{n_clusters} clusters, fewer than {rs.FEW_CLUSTERS}", n, n_clusters, missing)
    sums, _ = rs.per_cluster(np.column_stack([above, below]), code, n_clusters)
    counts = np.bincount(code, minlength=n_clusters).astype(np.float64)[:, None]
    error = float(rs.cluster_error(sums[:, 1:], counts)[0])
    critical = float(stdtrit(n_clusters - 1, 0.5 + confidence / 2))
    mean_below = float(below.mean())
    if abs(mean_below) <= max(critical * error, rs.TINY):
        why = f"the divisor cannot be told from 0: {mean_below:.3g} with standard error {error:.3g}"
        return undefined(why, n, n_clusters, missing)
    value = float(sums[:, 0].sum() / sums[:, 1].sum())
    sample = rs.replicates(sums[:, :1], sums[:, 1:], n_resamples, rng)[:, 0]
    if rs.flat(sample[~np.isnan(sample)], value):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT, missing)
    left_out = rs.leave_one_out(sums[:, :1], sums[:, 1:])[:, 0]
    low, high = rs.interval(value, sample, lambda: left_out, "bca", confidence)
    if not rs.wide(low, high):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT, missing)
    return Estimate(value, low, high, n, n_clusters, "bca-clusters", None, missing)


def bootstrap_statistic(
    statistic: Callable[[IntArray], float],
    clusters: npt.ArrayLike,
    *,
    method: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Any statistic of rows (an alpha, a kappa, a macro-F1) with a bootstrap interval over clusters.

    Parameters
    ----------
    statistic
        Given the numbers of the rows to use (some repeated), returns a number, NaN where it is undefined.
    clusters : labels, shape (n,)
        One a row; ``np.arange(n)`` draws single rows.
    method
        ``"percentile"`` or ``"bca"``.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        NaN with a reason if the statistic is undefined on all rows; no interval for one cluster, if more
        than 5 % of the resamples are undefined, or if all agree.

    Raises
    ------
    ShapeError, RangeError, StatsError
        Missing labels; an unknown method.

    Notes
    -----
    The statistic is called once a resample, in order; nothing is vectorized. Undefined resamples are left
    out. Source: Davison and Hinkley (1997), sections 3.8 and 5.3.
    """
    one_of(method, ("percentile", "bca"), "method")
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    code, n_clusters = codes(clusters, "clusters", len(np.asarray(clusters)))
    n = len(code)
    if n == 0:
        return undefined("no rows")
    value = float(statistic(np.arange(n)))
    if np.isnan(value):
        return undefined("the statistic is undefined on these rows", n, n_clusters)
    if n_clusters < 2:
        return Estimate(value, NAN, NAN, n, n_clusters, "none", "one cluster: nothing to resample")
    order = np.argsort(code, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(code))[:-1])
    picks = rng.integers(0, n_clusters, (n_resamples, n_clusters))
    drawn = (order[pick] if n_clusters == n else np.concatenate([rows[c] for c in pick]) for pick in picks)
    sample = np.array([float(statistic(chosen)) for chosen in drawn])
    empty = int(np.isnan(sample).sum())
    if empty > 0.05 * n_resamples:
        why = f"the statistic is undefined in {empty} of {n_resamples} resamples"
        return Estimate(value, NAN, NAN, n, n_clusters, "none", why)
    if rs.flat(sample[~np.isnan(sample)], value):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT)

    def left_out() -> FloatArray:
        return np.array([float(statistic(np.flatnonzero(code != c))) for c in range(n_clusters)])

    low, high = rs.interval(value, sample, left_out, method, confidence)
    if not rs.wide(low, high):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT)
    return Estimate(value, low, high, n, n_clusters, f"{method}-clusters")
