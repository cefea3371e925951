"""Do independent groups differ? For ratings of different sentences, or images with and without a detection.

All of these take rows as independent. Clustered rows make their p values too small; resample clusters
instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from trope.stats._checks import FloatArray, RangeError, level, numbers
from trope.stats._ranking import midranks, rank_sum_counts, tie_term, two_tails
from trope.stats._resample import TINY
from trope.stats.result import NAN, Estimate, TestResult, undefined, untested


def _two(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[FloatArray, FloatArray, int]:
    first, second = numbers(a, "a"), numbers(b, "b")
    missing = int(np.isnan(first).sum() + np.isnan(second).sum())
    return first[~np.isnan(first)], second[~np.isnan(second)], missing


def _pooled_d(a: FloatArray, b: FloatArray) -> float:
    """Mean difference over the pooled SD, NaN without spread or with fewer than three rows."""
    df = len(a) + len(b) - 2
    if min(len(a), len(b)) < 1 or df < 1:
        return NAN
    squares = float(((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum())
    spread = math.sqrt(squares / df)
    scale = max(abs(float(a.mean())), abs(float(b.mean())))
    return float(a.mean() - b.mean()) / spread if spread > TINY * scale else NAN


def welch(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    r"""Welch's t test that two independent groups have the same mean, two-sided, variances not taken as
    equal.

    Parameters
    ----------
    a, b : float array, shape (n_a,) and (n_b,)
        NaN is left out and counted.

    Returns
    -------
    TestResult
        statistic = t; effect = Cohen's d with the pooled SD; df by Welch and Satterthwaite. NaN with a
        reason for fewer than two values in a group, or no spread in either.

    Raises
    ------
    ShapeError, RangeError
        Not one-dimensional; infinite values.

    Notes
    -----
    .. math:: t = (\bar a - \bar b) / \sqrt{s_a^2/n_a + s_b^2/n_b}

    ddof 1. Source: Welch (1947), doi:10.1093/biomet/34.1-2.28. By hand: (1, 2, 3) and (4, 5, 6) give
    -3 / sqrt(2/3) = -3.674, df 4. Checked against ``scipy.stats.ttest_ind(equal_var=False)``.
    """
    from scipy.special import stdtr

    first, second, missing = _two(a, b)
    n_a, n_b = len(first), len(second)
    if min(n_a, n_b) < 2:
        return untested(f"groups of {n_a} and {n_b}: fewer than 2 values in one", n_a + n_b, missing)
    part_a, part_b = float(first.var(ddof=1)) / n_a, float(second.var(ddof=1)) / n_b
    gap = float(first.mean() - second.mean())
    if math.sqrt(part_a + part_b) <= TINY * max(abs(float(first.mean())), abs(float(second.mean()))):
        return untested("neither group has any spread", n_a + n_b, missing)
    t = gap / math.sqrt(part_a + part_b)
    df = (part_a + part_b) ** 2 / (part_a**2 / (n_a - 1) + part_b**2 / (n_b - 1))
    p = 2 * float(stdtr(df, -abs(t)))
    return TestResult(t, p, _pooled_d(first, second), n_a + n_b, "welch", df=(df,), n_missing=missing)


def mann_whitney(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    r"""Mann and Whitney's test that neither of two independent groups tends to larger values, two-sided.

    Parameters
    ----------
    a, b : float array, shape (n_a,) and (n_b,)
        NaN is left out and counted.

    Returns
    -------
    TestResult
        statistic = U of `a`, the pairs in which a > b (ties half); effect = rank-biserial correlation
        2U / (n_a n_b) - 1, in [-1, 1]. NaN with a reason if a group is empty or all values are equal.

    Raises
    ------
    ShapeError, RangeError
        Not one-dimensional; infinite values.

    Notes
    -----
    Exact if the smaller group has at most 8 values and there are no ties; otherwise the normal approximation
    with the variance corrected for ties, :math:`\frac{n_a n_b}{12}(N + 1 - \frac{\sum(t^3-t)}{N(N-1)})`, and
    a continuity correction of 1/2. Source: Mann and Whitney (1947), doi:10.1214/aoms/1177730491. By hand:
    (1, 2) and (3, 4) give U = 0, p = 2/6. Checked against ``scipy.stats.mannwhitneyu``.
    """
    first, second, missing = _two(a, b)
    n_a, n_b = len(first), len(second)
    if min(n_a, n_b) < 1:
        return untested(f"groups of {n_a} and {n_b}: one is empty", n_a + n_b, missing)
    together = np.concatenate([first, second])
    ties, n = tie_term(together), n_a + n_b
    u = float(midranks(together)[:n_a].sum()) - n_a * (n_a + 1) / 2
    effect = 2 * u / (n_a * n_b) - 1
    if ties == n**3 - n:
        return untested("all values are equal", n, missing)
    if min(n_a, n_b) <= 8 and ties == 0:
        p = two_tails(rank_sum_counts(n_a, n_b), u)
        return TestResult(u, p, effect, n, "mann-whitney exact", n_missing=missing)
    spread = math.sqrt(n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1))))
    z = (abs(u - n_a * n_b / 2) - 0.5) / spread
    p = min(1.0, 2 * NormalDist().cdf(-z))
    return TestResult(u, p, effect, n, "mann-whitney normal", n_missing=missing)


def anova(groups: Sequence[npt.ArrayLike]) -> TestResult:
    r"""One-way analysis of variance: that all groups have the same mean.

    Parameters
    ----------
    groups
        One float array a group; NaN is left out and counted.

    Returns
    -------
    TestResult
        statistic = F; effect = eta squared, the share of the sum of squares between groups, in [0, 1];
        df = (k - 1, n - k). NaN with a reason for fewer than two groups, an empty one, as many groups as
        values, or no spread within groups.

    Raises
    ------
    ShapeError, RangeError
        A group is not one-dimensional, or has infinite values.

    Notes
    -----
    .. math:: F = \frac{SS_b / (k-1)}{SS_w / (n-k)}

    Source: Fisher (1925), Statistical Methods for Research Workers, chapter VII. By hand: (1, 2, 3), (2, 3,
    4), (3, 4, 5) give (6/2) / (6/6) = 3. Checked against ``scipy.stats.f_oneway``.
    """
    from scipy.special import fdtrc

    arrays = [numbers(group, f"groups[{i}]") for i, group in enumerate(groups)]
    missing = sum(int(np.isnan(array).sum()) for array in arrays)
    arrays = [array[~np.isnan(array)] for array in arrays]
    k, n = len(arrays), sum(len(array) for array in arrays)
    if k < 2 or min(len(array) for array in arrays) < 1 or n <= k:
        sizes = ", ".join(str(len(array)) for array in arrays)
        return untested(f"groups of {sizes or 'none'}: too few or an empty one", n, missing)
    mean = float(np.concatenate(arrays).mean())
    between = sum(len(array) * (float(array.mean()) - mean) ** 2 for array in arrays)
    inside = sum(float(((array - array.mean()) ** 2).sum()) for array in arrays)
    if math.sqrt(inside / n) <= TINY * max(abs(float(array.mean())) for array in arrays):
        return untested("no group has any spread", n, missing)
    f = (between / (k - 1)) / (inside / (n - k))
    p = float(fdtrc(k - 1, n - k, f))
    eta = between / (between + inside)
    return TestResult(f, p, eta, n, "anova", df=(float(k - 1), float(n - k)), n_missing=missing)


def cohen_d(a: npt.ArrayLike, b: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    r"""Cohen's d of two independent groups: the difference of their means in pooled standard deviations.

    Parameters
    ----------
    a, b : float array, shape (n_a,) and (n_b,)
        NaN is left out and counted.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        NaN with a reason for an empty group, fewer than three values, or no spread.

    Raises
    ------
    ShapeError, RangeError
        Not one-dimensional; infinite values.

    Notes
    -----
    .. math:: d = \frac{\bar a - \bar b}{s_p},\quad SE = \sqrt{\frac{n_a+n_b}{n_a n_b} +
    \frac{d^2}{2(n_a+n_b)}}

    s_p pooled with n_a + n_b - 2; no small-sample correction; normal interval. Source: Cohen (1988), section
    2.2; Hedges and Olkin (1985), p. 86. By hand: (1, 2, 3) and (4, 5, 6) give -3 / 1 = -3.
    """
    level(confidence)
    first, second, missing = _two(a, b)
    n_a, n_b = len(first), len(second)
    d = _pooled_d(first, second)
    if math.isnan(d):
        return undefined(f"groups of {n_a} and {n_b} values: too few, or no spread", n_a + n_b, n_a + n_b, missing)
    error = math.sqrt((n_a + n_b) / (n_a * n_b) + d * d / (2 * (n_a + n_b)))
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    return Estimate(d, d - half, d + half, n_a + n_b, n_a + n_b, "normal", None, missing)


def r_from_d(d: float, share: float) -> float:
    r"""The point-biserial correlation that belongs to Cohen's d between two groups.

    Parameters
    ----------
    d
        The standardized difference.
    share
        Which part of all rows is in one of the groups, in (0, 1).

    Returns
    -------
    float
        In (-1, 1), with the sign of d; NaN if d is NaN.

    Raises
    ------
    RangeError
        share outside (0, 1).

    Notes
    -----
    .. math:: r = d / \sqrt{d^2 + 1 / (p(1-p))}

    Exact if d pools the SD with n instead of n - 2. Source: McGrath and Meyer (2006),
    doi:10.1037/1082-989X.11.4.386, eq. 5. By hand: d = 2.99 at a share of 0.40 gives 2.99 / sqrt(8.94 +
    4.17) = 0.826, the correlation that the simile paper prints.
    """
    if not 0.0 < share < 1.0:
        raise RangeError(f"share: expected a number between 0 and 1 (exclusive), got {share!r}")
    return d / math.sqrt(d * d + 1 / (share * (1 - share)))
