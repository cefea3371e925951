"""Intervals for one proportion: Wilson's score interval, and Clopper and Pearson's exact one."""

from __future__ import annotations

import math
from statistics import NormalDist

from trope.stats._checks import RangeError, level
from trope.stats.result import Estimate, undefined


def _check(hits: float, n: float) -> None:
    if not (math.isfinite(n) and n >= 0):
        raise RangeError(f"n: expected a number of at least 0, got {n!r}")
    if not 0 <= hits <= n:
        raise RangeError(f"hits: expected a number in [0, {n:g}], got {hits!r}")


def wilson(hits: float, n: float, *, confidence: float = 0.95) -> Estimate:
    r"""Wilson's score interval for a proportion.

    Parameters
    ----------
    hits, n
        Successes and trials; fractions are allowed (an effective sample size need not be whole).
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        Method ``"wilson"``; all NaN with a reason if n = 0. Never of zero width, without continuity
        correction; the ends are clipped to [0, 1] against rounding only.

    Raises
    ------
    RangeError
        Hits outside [0, n].

    Notes
    -----
    .. math:: \frac{\hat p + z^2/2n \pm z\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953. By hand: 0 of 10 has the upper end
    z²/(10 + z²) = 3.8415/13.8415 = 0.2775. Checked against statsmodels
    ``proportion_confint(method="wilson")``.
    """
    level(confidence)
    _check(hits, n)
    if n == 0:
        return undefined("no trials")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate = hits / n
    center = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if hits == 0 else max(0.0, center - half)
    high = 1.0 if hits == n else min(1.0, center + half)
    return Estimate(rate, low, high, round(n), round(n), "wilson")


def clopper_pearson(hits: float, n: float, *, confidence: float = 0.95) -> Estimate:
    r"""Clopper and Pearson's interval for a proportion, from the binomial distribution itself.

    Parameters
    ----------
    hits, n
        Successes and trials; fractions are allowed, as in :func:`wilson`.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        Method ``"clopper-pearson"``; all NaN with a reason if n = 0. It covers at least `confidence` whatever
        the rate, and is wider than Wilson's for that.

    Raises
    ------
    RangeError
        Hits outside [0, n].

    Notes
    -----
    .. math:: [B(\alpha/2; k, n-k+1),\; B(1-\alpha/2; k+1, n-k)]

    with B the quantile of the beta distribution; the ends are 0 at k = 0 and 1 at k = n.
    Source: Clopper and Pearson (1934), doi:10.1093/biomet/26.4.404. By hand: 0 of 10 has the upper end
    1 - 0.025^(1/10) = 0.3085. Checked against ``scipy.stats.binomtest``.
    """
    level(confidence)
    _check(hits, n)
    if n == 0:
        return undefined("no trials")
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return Estimate(hits / n, low, high, round(n), round(n), "clopper-pearson")
