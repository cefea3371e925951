"""How far raters agree on numbers: intraclass correlations, Spearman-Brown, Bland-Altman."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy.typing as npt

from trope.stats._checks import FloatArray, RangeError, complete_rows, level, one_of, pair
from trope.stats._resample import TINY
from trope.stats.result import NAN, Estimate, undefined

KINDS = ("1", "2", "3", "1k", "2k", "3k")


def spearman_brown(reliability: float, k: float) -> float:
    r"""Reliability of the mean of k raters, from that of one.

    Parameters
    ----------
    reliability
        Of a single rater (or test, or judge repeat), at most 1.
    k
        How many times as many, > 0; below 1 it steps down.

    Returns
    -------
    float
        NaN if `reliability` is NaN, or where k raters of negative reliability have no mean (denominator <=
        0).

    Raises
    ------
    RangeError
        reliability > 1, or k <= 0.

    Notes
    -----
    .. math:: \frac{k r}{1 + (k - 1) r}

    Source: Spearman (1910), doi:10.1111/j.2044-8295.1910.tb00206.x; Brown (1910), same volume. By hand:
    0.784 for 12 raters gives 9.408 / 9.624 = 0.978, both of which the vista paper prints.
    """
    if reliability > 1:
        raise RangeError(f"reliability: expected at most 1, got {reliability!r}")
    if not k > 0:
        raise RangeError(f"k: expected a number above 0, got {k!r}")
    below = 1 + (k - 1) * reliability
    return k * reliability / below if below > 0 else NAN


def _squares(array: FloatArray) -> tuple[float, float, float, float]:
    """Mean squares of rows, of columns, of what is left, and within rows."""
    n, k = array.shape
    centered = array - array.mean()
    rows, columns = centered.mean(axis=1), centered.mean(axis=0)
    between = k * float((rows**2).sum()) / (n - 1)
    raters = n * float((columns**2).sum()) / (k - 1)
    left = float(((centered - rows[:, None] - columns) ** 2).sum()) / ((n - 1) * (k - 1))
    within = float(((centered - rows[:, None]) ** 2).sum()) / (n * (k - 1))
    return between, raters, left, within


def _single_agreement(
    between: float, raters: float, left: float, n: int, k: int, confidence: float
) -> tuple[float, float, float]:
    """ICC(2,1) with McGraw and Wong's interval."""
    from scipy.special import fdtri

    value = (between - left) / (between + (k - 1) * left + k * (raters - left) / n)
    a = k * value / (n * (1 - value)) if value < 1 else math.inf
    b = 1 + k * value * (n - 1) / (n * (1 - value)) if value < 1 else math.inf
    if math.isinf(a) or (a * raters + b * left) == 0:
        return value, NAN, NAN
    df = (a * raters + b * left) ** 2 / ((a * raters) ** 2 / (k - 1) + (b * left) ** 2 / ((n - 1) * (k - 1)))
    level_ = 0.5 + confidence / 2
    above, below = float(fdtri(n - 1, df, level_)), float(fdtri(df, n - 1, level_))
    middle = k * raters + (k * n - k - n) * left
    low = n * (between - above * left) / (above * middle + n * between)
    high = n * (below * between - left) / (middle + n * below * between)
    return value, low, high


def icc(ratings: npt.ArrayLike, kind: str, *, confidence: float = 0.95) -> Estimate:
    r"""Intraclass correlation of n things rated by k raters.

    Parameters
    ----------
    ratings : float array, shape (n, k)
        One row a thing, one column a rater. Rows with a NaN are left out and counted.
    kind
        ``"1"``: every thing has raters of its own; ``"2"``: the same raters, drawn from many, absolute
        agreement; ``"3"``: the same raters, no others matter, consistency. With ``k`` appended: of the mean
        of the k raters.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        At most 1; it can be negative. ``n`` and ``n_clusters`` are things. NaN with a reason for fewer than
        two things or raters, or if nothing varies; no interval if raters agree without error.

    Raises
    ------
    ShapeError, RangeError, StatsError
        Not two-dimensional; infinite values; an unknown kind.

    Notes
    -----
    Mean squares of a two-way analysis of variance: B between things, J between raters, E left over, W within.

    .. math::
        ICC(1,1) = \frac{B - W}{B + (k-1) W},\quad
        ICC(2,1) = \frac{B - E}{B + (k-1)E + k(J-E)/n},\quad
        ICC(3,1) = \frac{B - E}{B + (k-1)E}

        ICC(1,k) = \frac{B-W}{B},\quad ICC(2,k) = \frac{B-E}{B + (J-E)/n},\quad ICC(3,k) = \frac{B-E}{B}

    The average kinds are the single ones stepped up by Spearman-Brown, and so are their intervals. Source:
    Shrout and Fleiss (1979), doi:10.1037/0033-2909.86.2.420; McGraw and Wong (1996),
    doi:10.1037/1082-989X.1.1.30, for the interval of ICC(2). Checked against Shrout and Fleiss's table 4 and
    pingouin.
    """
    from scipy.special import fdtri

    one_of(kind, KINDS, "kind")
    level(confidence)
    array, missing = complete_rows(ratings, "ratings")
    n, k = array.shape
    if n < 2 or k < 2:
        return undefined(f"{n} thing(s) and {k} rater(s): fewer than 2 of one", n, n, missing)
    between, raters, left, within = _squares(array)
    scale = (TINY * float(abs(array).max())) ** 2
    if max(between, raters, left) <= scale:
        return undefined("nothing varies", n, n, missing)
    if kind[0] == "2":
        if between + (k - 1) * left + k * (raters - left) / n <= scale:
            return undefined("the mean squares leave nothing to divide by", n, n, missing)
        value, low, high = _single_agreement(between, raters, left, n, k, confidence)
    else:
        error, df = (within, n * (k - 1)) if kind[0] == "1" else (left, (n - 1) * (k - 1))
        if between + (k - 1) * error <= scale:
            return undefined("the mean squares leave nothing to divide by", n, n, missing)
        value = (between - error) / (between + (k - 1) * error)
        low = high = NAN
        if error > scale:
            f, level_ = between / error, 0.5 + confidence / 2
            lower, upper = f / float(fdtri(n - 1, df, level_)), f * float(fdtri(df, n - 1, level_))
            low, high = (lower - 1) / (lower + k - 1), (upper - 1) / (upper + k - 1)
    if left <= scale:
        low = high = NAN
    if kind.endswith("k"):
        value, low, high = (spearman_brown(min(x, 1.0), k) for x in (value, low, high))
        if math.isnan(value):
            return undefined("things differ no more than raters do: no reliability of a mean", n, n, missing)
    reason = "raters agree without error: no interval" if math.isnan(low) else None
    return Estimate(value, low, high, n, n, "none" if reason else "f", reason, missing)


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Bias between two instruments, and the limits within which most of their differences lie."""

    bias: Estimate
    lower: Estimate
    upper: Estimate
    sd: float


def bland_altman(
    a: npt.ArrayLike, b: npt.ArrayLike, *, coverage: float = 0.95, confidence: float = 0.95
) -> BlandAltman:
    r"""Bias and limits of agreement of two instruments on the same things.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    coverage
        Share of differences that the limits should hold, in (0, 1).
    confidence
        Of the intervals of bias and limits, in (0, 1).

    Returns
    -------
    BlandAltman
        `bias` = mean of a - b with a t interval, `lower` and `upper` = bias -+ z SD with t intervals. All
        NaN with a reason for fewer than two rows; no intervals without spread.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    .. math::
        \bar d \pm t\, s / \sqrt n,\qquad
        \bar d \pm z s,\; SE = s \sqrt{\frac1n + \frac{z^2}{2(n-1)}}

    s with ddof 1; z, not t, in the limits; rows taken as independent. Source: Bland and Altman (1999),
    doi:10.1177/096228029900800204. By hand: differences (0, 1, 2) give bias 1, s = 1, limits 1 -+ 1.96.
    """
    from scipy.special import stdtrit

    level(confidence)
    level(coverage)
    first, second, missing = pair(a, b)
    difference, n = first - second, len(first)
    if n < 2:
        nothing = undefined(f"{n} pair(s), fewer than 2", n, n, missing)
        return BlandAltman(nothing, nothing, nothing, NAN)
    mean, sd = float(difference.mean()), float(difference.std(ddof=1))
    z = NormalDist().inv_cdf(0.5 + coverage / 2)
    t = float(stdtrit(n - 1, 0.5 + confidence / 2))

    def around(value: float, error: float) -> Estimate:
        if sd <= TINY * abs(mean):
            return Estimate(value, NAN, NAN, n, n, "none", "the differences have no spread", missing)
        return Estimate(value, value - t * error, value + t * error, n, n, "t", None, missing)

    error = sd * math.sqrt(1 / n + z * z / (2 * (n - 1)))
    return BlandAltman(around(mean, sd / math.sqrt(n)), around(mean - z * sd, error), around(mean + z * sd, error), sd)
