"""What missing values could change at most: worst and best case.

Nothing is assumed about why a value is missing, so nothing can be wrong about it; the price is width.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trope.stats._checks import FloatArray, PairingError, RangeError, codes, numbers, within
from trope.stats.intervals import mean_interval
from trope.stats.result import NAN, Estimate, undefined


def _filled(values: npt.ArrayLike, name: str, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    if not low < high:
        raise RangeError(f"low, high: expected low < high, got {low!r} and {high!r}")
    array = within(numbers(values, name), name, low, high)
    missing = np.isnan(array)
    return np.where(missing, low, array), np.where(missing, high, array)


def mean_bounds(values: npt.ArrayLike, low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    r"""Smallest and largest mean that the missing values allow (worst and best, where more is better).

    Parameters
    ----------
    values : float array, shape (n,)
        NaN where missing; what is there lies in [low, high].
    low, high
        The smallest and the largest value possible.

    Returns
    -------
    (worst, best)
        The mean with every missing value at `low`, and at `high`; (NaN, NaN) for no rows.

    Raises
    ------
    RangeError
        low >= high, or a value outside them.

    Notes
    -----
    .. math:: \left[\frac{\sum x + m\,l}{n},\; \frac{\sum x + m\,h}{n}\right]

    with m missing of n rows. The mean of the full data lies inside, whatever made values go missing.
    Source: Manski (1989), J. Human Resources 24(3), 343-360. By hand: (1, 0, NaN) gives (1/3, 2/3).
    """
    worst, best = _filled(values, "values", low, high)
    if len(worst) == 0:
        return NAN, NAN
    return float(worst.mean()), float(best.mean())


def difference_bounds(a: npt.ArrayLike, b: npt.ArrayLike, low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    r"""Smallest and largest mean of a - b over the same rows that the missing values allow.

    Parameters
    ----------
    a, b : float array, shape (n,)
        NaN where missing; row i is the same item in both.
    low, high
        The smallest and the largest value possible, in either.

    Returns
    -------
    (worst, best)
        a at its worst where missing and b at its best, and the reverse; (NaN, NaN) for no rows.

    Raises
    ------
    PairingError, RangeError
        Lengths differ; low >= high, or a value outside them.

    Notes
    -----
    .. math:: [\bar a_{l} - \bar b_{h},\; \bar a_{h} - \bar b_{l}]

    Sharp, since a missing a and a missing b may take any pair of values. Source: Horowitz and Manski (2000),
    doi:10.1080/01621459.2000.10473902. By hand: a = (1, NaN), b = (NaN, 0) gives (0, 1): (1 - 1 + 0 - 0)/2
    and (1 - 0 + 1 - 0)/2.
    """
    a_worst, a_best = _filled(a, "a", low, high)
    b_worst, b_best = _filled(b, "b", low, high)
    if len(a_worst) != len(b_worst):
        raise PairingError(f"a, b: expected the same rows in both, got {len(a_worst)} and {len(b_worst)}")
    if len(a_worst) == 0:
        return NAN, NAN
    return float((a_worst - b_best).mean()), float((a_best - b_worst).mean())


def manski_interval(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    low: float = 0.0,
    high: float = 1.0,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Interval for the mean of the full population of which some values are missing, for whatever reason.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN where missing.
    clusters : labels, shape (n,)
        The unit of resampling.
    low, high
        The smallest and the largest value possible.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        `value` is the mean of what is there (NaN if nothing is); `low` is the lower end of the interval of
        the worst case, `high` the upper end of the interval of the best case; method ``"manski: ..."`` names
        both.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; low >= high, or a value outside them.

    Notes
    -----
    It covers the whole range between the bounds with about `confidence`, hence the mean itself with more (up
    to (1 + confidence) / 2 where much is missing). Unit of resampling: the cluster, as in ``mean_interval``.
    Source: Manski (1989), J. Human Resources 24(3), 343-360. Differs from Imbens and Manski (2004),
    doi:10.1111/j.1468-0262.2004.00555.x, who take that excess back: it needs a normal distribution at both
    ends.
    """
    worst, best = _filled(values, "values", low, high)
    codes(clusters, "clusters", len(worst))
    if len(worst) == 0:
        return undefined("no values")
    array = numbers(values, "values")
    present = ~np.isnan(array)
    n, missing = int(present.sum()), int((~present).sum())
    value = float(array[present].mean()) if n else NAN
    ends = [
        mean_interval(filled, clusters, bounds=(low, high), confidence=confidence, n_resamples=n_resamples, rng=rng)
        for filled in (worst, best)
    ]
    reasons = [end.reason for end in ends if end.reason]
    if n == 0:
        reasons.insert(0, "every value is missing")
    method = f"manski: {ends[0].method}, {ends[1].method}"
    return Estimate(
        value, ends[0].low, ends[1].high, n, ends[0].n_clusters, method, "; ".join(reasons) or None, missing
    )
