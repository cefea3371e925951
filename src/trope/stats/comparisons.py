"""Is A better than B on the same items? Paired tests, with the cluster as the unit that is exchanged."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from trope.stats._checks import (
    FloatArray,
    IntArray,
    RangeError,
    at_least,
    codes,
    level,
    numbers,
    pair,
    within,
)
from trope.stats._ranking import midranks, signed_rank_counts, tie_term, two_tails
from trope.stats._resample import CELLS, TINY, cluster_error
from trope.stats.result import NAN, Estimate, TestResult, undefined, untested


def _differences(a: npt.ArrayLike, b: npt.ArrayLike, clusters: npt.ArrayLike) -> tuple[FloatArray, IntArray, int]:
    """Differences without NaN, the cluster of each as a code, and how many pairs were missing."""
    all_a, all_b = numbers(a, "a"), numbers(b, "b")
    first, second, missing = pair(all_a, all_b)
    code, _ = codes(clusters, "clusters", len(all_a))
    code, _ = codes(code[~np.isnan(all_a + all_b)], "clusters", len(first))
    return first - second, code, missing


def _standardized(difference: FloatArray) -> float:
    """Mean over SD (ddof 1), NaN without spread."""
    spread = float(difference.std(ddof=1)) if len(difference) > 1 else 0.0
    mean = float(difference.mean())
    return mean / spread if spread > TINY * abs(mean) else NAN


def _flips(n_clusters: int, start: int, rows: int) -> FloatArray:
    """Sign patterns number start..start+rows-1 of all 2^n, as -1 and 1."""
    number = np.arange(start, start + rows, dtype=np.int64)[:, None]
    bits = (number >> np.arange(n_clusters, dtype=np.int64)) & 1
    signs: FloatArray = 1.0 - 2.0 * bits.astype(np.float64)
    return signs


def paired_permutation(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    n_perm: int = 10_000,
    rng: np.random.Generator,
) -> TestResult:
    r"""Two-sided sign-flip test that A and B score equally, whole clusters being flipped.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Row i is the same item in both. Pairs with a NaN are left out and counted.
    clusters : labels, shape (n,)
        All differences of a cluster change sign together.
    n_perm
        Patterns drawn; all 2^C are taken instead if they are no more than that.
    rng
        Randomness; not used if all patterns are taken.

    Returns
    -------
    TestResult
        statistic = mean difference a - b over items; p in (0, 1]; effect = Cohen's d of the differences
        (mean / SD, ddof 1), NaN if they have no spread. All NaN with a reason if no pair is left; p = 1 if
        every difference is 0, and for one cluster (both patterns are as extreme).

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ (there is no unpaired fallback); infinite values.

    Notes
    -----
    .. math::
        p = \frac{1 + \#\{|d^*| \ge |d|\}}{1 + n_{perm}}
        \quad\text{or}\quad \frac{\#\{|d^*| \ge |d|\}}{2^C}

    Ties up to rounding (1e-12 of the largest sum possible) count as equal. No p below 2 / 2^C is possible:
    with fewer than six clusters nothing is significant at 5 %, and `reason` says so.
    Source: Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010),
    doi:10.2202/1544-6115.1585, for the 1 + in p. Checked against ``scipy.stats.permutation_test``.
    """
    at_least(n_perm, 1, "n_perm")
    difference, code, missing = _differences(a, b, clusters)
    n = len(difference)
    if n == 0:
        return untested("no pairs", n_missing=missing)
    sums = np.bincount(code, weights=difference)
    n_clusters = len(sums)
    edge = abs(float(sums.sum())) - TINY * float(np.abs(sums).sum())
    exact = n_clusters < 62 and 2**n_clusters <= n_perm
    total = 2**n_clusters if exact else n_perm
    block = max(1, CELLS // n_clusters)
    extreme = 0
    for start in range(0, total, block):
        rows = min(block, total - start)
        if exact:
            signs = _flips(n_clusters, start, rows)
        else:
            signs = 1.0 - 2.0 * rng.integers(0, 2, (rows, n_clusters), dtype=np.int8).astype(np.float64)
        extreme += int((np.abs(signs @ sums) >= edge).sum())
    p = extreme / total if exact else (1 + extreme) / (1 + total)
    effect = _standardized(difference)
    reason = None
    if n_clusters < 6:
        reason = f"{n_clusters} cluster(s): p cannot be below {min(1.0, 2 / 2**n_clusters):g}"
    elif math.isnan(effect):
        reason = "the differences have no spread: no effect size"
    method = "sign-flip exact" if exact else "sign-flip"
    return TestResult(float(difference.mean()), p, effect, n, method, reason, n_clusters, n_missing=missing)


def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    r"""Wilcoxon's signed-rank test for independent pairs, two-sided.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Row i is the same item in both. Pairs with a NaN are left out and counted.

    Returns
    -------
    TestResult
        statistic = W+, the sum of ranks where a > b; effect = matched rank-biserial correlation
        (W+ - W-) / (W+ + W-), in [-1, 1]. NaN with a reason if no pair differs.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    Pairs with difference 0 are dropped before ranking; ties get midranks. Exact for up to 50 remaining pairs
    without ties; otherwise the normal approximation with the variance corrected for ties,
    :math:`n(n+1)(2n+1)/24 - \sum(t^3-t)/48`, without continuity correction. Pairs are taken as independent:
    for clustered ones use :func:`paired_permutation`.
    Source: Wilcoxon (1945), doi:10.2307/3001968; Kerby (2014), doi:10.2466/11.IT.3.1, for the effect. By
    hand: differences (1, 2, 3) give W+ = 6, p = 2/8. Checked against ``scipy.stats.wilcoxon``.
    """
    first, second, missing = pair(a, b)
    difference = first - second
    difference = difference[difference != 0]
    n = len(difference)
    if n == 0:
        return untested("no pair differs", len(first), missing)
    ranks = midranks(np.abs(difference))
    plus = float(ranks[difference > 0].sum())
    total = n * (n + 1) / 2
    effect = 2 * plus / total - 1
    ties = tie_term(np.abs(difference))
    if n <= 50 and ties == 0:
        p = two_tails(signed_rank_counts(n), plus)
        return TestResult(plus, p, effect, len(first), "wilcoxon exact", n_missing=missing)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    z = (plus - total / 2) / spread
    p = 2 * NormalDist().cdf(-abs(z))
    return TestResult(plus, p, effect, len(first), "wilcoxon normal", n_missing=missing)


def cohen_d_paired(a: npt.ArrayLike, b: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    r"""Cohen's d of paired differences (often d_z): their mean in units of their own standard deviation.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Row i is the same item in both. Pairs with a NaN are left out and counted.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        NaN with a reason for fewer than two pairs or differences without spread.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    .. math:: d = \bar\delta / s_\delta,\quad SE = \sqrt{1/n + d^2 / 2n}

    s with ddof 1; no small-sample correction; normal interval, pairs taken as independent. Not the d of two
    groups: dividing by the SD of differences makes it larger where a and b correlate.
    Source: Cohen (1988), section 2.3.5; Hedges and Olkin (1985), p. 86. By hand: differences (1, 2, 3) give
    2 / 1 = 2.
    """
    level(confidence)
    first, second, missing = pair(a, b)
    n = len(first)
    if n < 2:
        return undefined(f"{n} pair(s), fewer than 2", n, n, missing)
    d = _standardized(first - second)
    if math.isnan(d):
        return undefined("the differences have no spread", n, n, missing)
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(1 / n + d * d / (2 * n))
    return Estimate(d, d - half, d + half, n, n, "normal", None, missing)


def equivalence(a: npt.ArrayLike, b: npt.ArrayLike, clusters: npt.ArrayLike, *, margin: float) -> TestResult:
    r"""Test that the mean difference lies within +-margin: two one-sided t tests over clusters.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Row i is the same item in both. Pairs with a NaN are left out and counted.
    clusters : labels, shape (n,)
        The independent units; ``np.arange(n)`` if rows are independent.
    margin
        The largest difference that does not matter, > 0.

    Returns
    -------
    TestResult
        A SMALL p says that A and B are equivalent. p is the larger of the two one-sided ones, statistic the
        t that it comes from, effect the mean difference a - b, df = clusters - 1. NaN with a reason for
        fewer than two clusters, or differences without spread.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values; margin <= 0.

    Notes
    -----
    Standard error from the spread between clusters (see ``cluster_error``), which for clusters of one row is
    s / sqrt(n), ddof 1. Source: Schuirmann (1987), doi:10.1007/BF01068419. Checked against statsmodels
    ``ttost_paired``.
    """
    from scipy.special import stdtr

    if not (math.isfinite(margin) and margin > 0):
        raise RangeError(f"margin: expected a number above 0, got {margin!r}")
    difference, code, missing = _differences(a, b, clusters)
    n = len(difference)
    n_clusters = int(code.max()) + 1 if n else 0
    if n_clusters < 2:
        return untested(f"{n_clusters} cluster(s), fewer than 2", n, missing)

    sums = np.bincount(code, weights=difference).astype(np.float64)[:, None]
    counts = np.bincount(code).astype(np.float64)[:, None]
    error = float(cluster_error(sums, counts)[0])
    mean = float(difference.mean())
    if error <= TINY * max(abs(mean), margin):
        return untested("the clusters do not differ: no standard error", n, missing)
    df = n_clusters - 1
    above, below = (mean + margin) / error, (mean - margin) / error
    p_above, p_below = float(stdtr(df, -above)), float(stdtr(df, below))
    statistic, p = (above, p_above) if p_above >= p_below else (below, p_below)
    return TestResult(statistic, p, mean, n, "tost", None, n_clusters, (float(df),), missing)


def holm(p_values: npt.ArrayLike) -> FloatArray:
    r"""Holm's step-down adjustment of the p values of a family of tests.

    Parameters
    ----------
    p_values : float array, shape (m,)
        In [0, 1]; NaN where a test is undefined.

    Returns
    -------
    float array, shape (m,)
        Adjusted p in the order given, clipped to 1. NaN stays NaN and is not counted in m.

    Raises
    ------
    RangeError
        A p outside [0, 1].

    Notes
    -----
    .. math:: \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})

    Source: Holm (1979), Scand. J. Statist. 6, 65-70. By hand: (.01, .04, .03) -> (.03, .06, .06). Checked
    against statsmodels ``multipletests(method="holm")``.
    """
    array = within(numbers(p_values, "p_values"), "p_values", 0.0, 1.0)
    out = np.full(len(array), NAN)
    where = np.flatnonzero(~np.isnan(array))
    order = where[np.argsort(array[where], kind="stable")]
    factor = np.arange(len(order), 0, -1)
    out[order] = np.minimum(1.0, np.maximum.accumulate(array[order] * factor))
    return out
