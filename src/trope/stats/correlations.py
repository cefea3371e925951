"""How two measurements of the same things go together: Pearson, Spearman, Kendall, with intervals."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from trope.stats import _resample as rs
from trope.stats._checks import FloatArray, at_least, codes, complete_rows, level, numbers, one_of, pair
from trope.stats._ranking import midranks, tie_term
from trope.stats.result import NAN, Estimate, undefined

_NO_SPREAD = "one of the two has no spread"


def _no_spread(x: FloatArray) -> bool:
    return float(np.ptp(x)) <= rs.TINY * float(np.abs(x).max())


def _product_moment(x: FloatArray, y: FloatArray) -> float:
    if _no_spread(x) or _no_spread(y):
        return NAN
    dx, dy = x - x.mean(), y - y.mean()
    scaled_x, scaled_y = dx / np.abs(dx).max(), dy / np.abs(dy).max()
    r = float(scaled_x @ scaled_y) / math.sqrt(float(scaled_x @ scaled_x) * float(scaled_y @ scaled_y))
    return min(1.0, max(-1.0, r))


def _fisher(r: float, variance: float, n: int, missing: int, confidence: float) -> Estimate:
    """The interval tanh(atanh(r) +- z sqrt(variance))."""
    if not variance > 0 or math.isinf(variance):
        return Estimate(r, NAN, NAN, n, n, "none", f"{n} rows: too few for an interval", missing)
    if abs(r) == 1:
        return Estimate(r, NAN, NAN, n, n, "none", "the correlation is perfect: no interval", missing)
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(variance)
    low, high = math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
    return Estimate(r, low, high, n, n, "fisher-z", None, missing)


def _over(excess: int) -> float:
    return 1 / excess if excess > 0 else math.inf


def pearson(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    r"""Pearson's product-moment correlation, with Fisher's interval for independent rows.

    Parameters
    ----------
    x, y : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        In [-1, 1], clipped against rounding. NaN with a reason for fewer than two rows or no spread; no
        interval for fewer than four rows or a perfect correlation.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    .. math:: \tanh(\operatorname{atanh} r \pm z / \sqrt{n - 3})

    Rows are taken as independent; several ratings of one image are not: see :func:`correlation_interval`.
    Source: Fisher (1921), Metron 1, 3-32. By hand: (1, 2, 3) and (1, 3, 2) give 1/2. Checked against
    ``scipy.stats.pearsonr``.
    """
    level(confidence)
    first, second, missing = pair(x, y, "x, y")
    n = len(first)
    if n < 2:
        return undefined(f"{n} row(s), fewer than 2", n, n, missing)
    r = _product_moment(first, second)
    if math.isnan(r):
        return undefined(_NO_SPREAD, n, n, missing)
    return _fisher(r, _over(n - 3), n, missing, confidence)


def spearman(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    r"""Spearman's rank correlation, with an interval for independent rows.

    Parameters
    ----------
    x, y : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        As in :func:`pearson`.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    Pearson's correlation of midranks (which is what ties need; 1 - 6 sum d^2 / (n^3 - n) holds without ties
    only).

    .. math:: \tanh(\operatorname{atanh} r \pm z \sqrt{(1 + r^2/2) / (n - 3)})

    Source: Spearman (1904), doi:10.2307/1412159; Bonett and Wright (2000), doi:10.1007/BF02294183, for the
    interval. By hand: ranks (1, 2, 3) and (1, 3, 2) give 1 - 6 * 2 / 24 = 1/2. Checked against
    ``scipy.stats.spearmanr``.
    """
    level(confidence)
    first, second, missing = pair(x, y, "x, y")
    n = len(first)
    if n < 2:
        return undefined(f"{n} row(s), fewer than 2", n, n, missing)
    r = _product_moment(midranks(first), midranks(second))
    if math.isnan(r):
        return undefined(_NO_SPREAD, n, n, missing)
    return _fisher(r, (1 + r * r / 2) * _over(n - 3), n, missing, confidence)


def kendall_tau_b(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    r"""Kendall's tau-b: concordant less discordant pairs, corrected for ties, with an interval.

    Parameters
    ----------
    x, y : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        As in :func:`pearson`; no interval for fewer than five rows.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    .. math::
        \tau_b = \frac{C - D}{\sqrt{(n_0 - t_x)(n_0 - t_y)}},\quad
        \tanh(\operatorname{atanh} \tau \pm z \sqrt{0.437 / (n - 4)})

    n_0 = n(n-1)/2 pairs, t pairs tied in x or y. All pairs are looked at (n^2 memory, in blocks). Source:
    Kendall (1945), doi:10.1093/biomet/33.3.239; Fieller, Hartley and Pearson (1957),
    doi:10.1093/biomet/44.3-4.470, for the interval, which is for data without ties. By hand: (1, 2, 3) and
    (1, 3, 2) give (2 - 1) / 3. Checked against ``scipy.stats.kendalltau``.
    """
    level(confidence)
    first, second, missing = pair(x, y, "x, y")
    n = len(first)
    if n < 2:
        return undefined(f"{n} row(s), fewer than 2", n, n, missing)
    balance, pairs = 0.0, n * (n - 1) / 2
    for start in range(0, n, 512):
        rows = slice(start, start + 512)
        signs = np.sign(first[rows, None] - first) * np.sign(second[rows, None] - second)
        balance += float(signs.sum())
    sizes = [np.unique(v, return_counts=True)[1] for v in (first, second)]
    tied = [float((c * (c - 1.0)).sum()) / 2 for c in sizes]
    scale = math.sqrt((pairs - tied[0]) * (pairs - tied[1]))
    if scale == 0:
        return undefined(_NO_SPREAD, n, n, missing)
    tau = min(1.0, max(-1.0, balance / 2 / scale))
    return _fisher(tau, 0.437 * _over(n - 4), n, missing, confidence)


def pairwise_spearman(ratings: npt.ArrayLike) -> Estimate:
    """Mean of Spearman's correlations between all pairs of raters.

    Parameters
    ----------
    ratings : float array, shape (n, k)
        One row a thing rated, one column a rater; NaN where a rater is missing.

    Returns
    -------
    Estimate
        The mean over the pairs for which the correlation is defined; `reason` says if some are not. NaN with
        a reason if none is. ``n`` rows, no interval (``bootstrap_statistic`` over rows gives one).

    Raises
    ------
    ShapeError, RangeError
        Not two-dimensional; infinite values.

    Notes
    -----
    A pair of raters uses the rows that both rated; plain mean, not by Fisher's z. By hand: columns (1, 2, 3),
    (1, 2, 3), (1, 3, 2) give (1 + 1/2 + 1/2) / 3 = 2/3. Checked against scipy and pandas-style pairwise
    deletion.
    """
    array = numbers(ratings, "ratings", ndim=2)
    n, k = array.shape
    found = [spearman(array[:, i], array[:, j]).value for i in range(k) for j in range(i)]
    known = [r for r in found if not math.isnan(r)]
    missing = int(np.isnan(array).any(axis=1).sum())
    if not known:
        return undefined(f"{k} rater(s): no pair with a defined correlation", n, n, missing)
    lost = len(found) - len(known)
    reason = f"{lost} of {len(found)} pairs of raters undefined" if lost else None
    return Estimate(math.fsum(known) / len(known), NAN, NAN, n, n, "point", reason, missing)


def kendall_w(ratings: npt.ArrayLike) -> Estimate:
    r"""Kendall's coefficient of concordance: how far k raters rank n things alike.

    Parameters
    ----------
    ratings : float array, shape (n, k)
        One row a thing, one column a rater. Rows with a NaN are left out and counted.

    Returns
    -------
    Estimate
        In [0, 1], corrected for ties; no interval. NaN with a reason for fewer than two rows or raters, or if
        every rater ties everything.

    Raises
    ------
    ShapeError, RangeError
        Not two-dimensional; infinite values.

    Notes
    -----
    .. math:: W = \frac{12 \sum (R_i - \bar R)^2}{k^2 (n^3 - n) - k \sum_j \sum (t^3 - t)}

    R_i sums of midranks. Mean pairwise Spearman = (kW - 1) / (k - 1) without ties. Source: Kendall and
    Babington Smith (1939), doi:10.1214/aoms/1177732186. By hand: columns (1, 2, 3), (1, 3, 2): R = 2, 5, 5,
    squares 6, 12 * 6 / (4 * 24) = 0.75. Checked against the chi-squared of ``scipy.stats.friedmanchisquare``.
    """
    array, missing = complete_rows(ratings, "ratings")
    n, k = array.shape
    if n < 2 or k < 2:
        return undefined(f"{n} row(s) and {k} rater(s): fewer than 2 of one", n, n, missing)
    sums = np.sum([midranks(array[:, j]) for j in range(k)], axis=0)
    below = k * k * (n**3 - n) - k * sum(tie_term(array[:, j]) for j in range(k))
    if below == 0:
        return undefined("every rater ties everything", n, n, missing)
    w = 12 * float(((sums - sums.mean()) ** 2).sum()) / below
    return Estimate(min(1.0, w), NAN, NAN, n, n, "point", None, missing)


def _weighted_ranks(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Midranks of the rows in each resample, up to a constant: shape of `weights`."""
    _, inverse = np.unique(values, return_inverse=True)
    order = np.argsort(inverse.reshape(-1), kind="stable")
    starts = np.flatnonzero(np.diff(inverse.reshape(-1)[order], prepend=-1))
    group = np.add.reduceat(weights[:, order], starts, axis=1)
    middle = np.cumsum(group, axis=1) - group / 2
    ranks: FloatArray = middle[:, inverse.reshape(-1)]
    return ranks


def _weighted_correlation(weights: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Correlation of each resample; x and y of shape (n,) or of the shape of `weights`."""
    total = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / total
    dy = y - (weights * y).sum(axis=1, keepdims=True) / total
    xx, yy = (weights * dx * dx).sum(axis=1), (weights * dy * dy).sum(axis=1)
    xy = (weights * dx * dy).sum(axis=1)
    size_x, size_y = np.abs(x).max(), np.abs(y).max()
    known = (xx > (rs.TINY * size_x) ** 2 * total[:, 0]) & (yy > (rs.TINY * size_y) ** 2 * total[:, 0])
    scale = np.sqrt(np.where(known, xx, 1.0)) * np.sqrt(np.where(known, yy, 1.0))
    return np.where(known, np.clip(xy / scale, -1.0, 1.0), NAN)


def correlation_interval(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    kind: str = "spearman",
    method: str = "bca",
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Pearson's or Spearman's correlation with a bootstrap interval over clusters (images, not ratings).

    Parameters
    ----------
    x, y : float array, shape (n,)
        Rows with a NaN in either are left out and counted.
    clusters : labels, shape (n,)
        Rows with the same label are drawn together.
    kind
        ``"pearson"`` or ``"spearman"`` (midranks are made anew in each resample).
    method
        ``"bca"`` or ``"percentile"``.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        NaN with a reason where :func:`pearson` is; no interval for fewer than ten clusters, if more than 5 %
        of the resamples have no spread, or if all agree.

    Raises
    ------
    PairingError, ShapeError, RangeError, StatsError
        Lengths differ; infinite values; an unknown kind or method.

    Notes
    -----
    Unit of resampling: the cluster. Source: Efron (1987), doi:10.1080/01621459.1987.10478410. Checked against
    scipy's correlations of the same resamples.
    """
    one_of(kind, ("pearson", "spearman"), "kind")
    one_of(method, ("bca", "percentile"), "method")
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    all_x, all_y = numbers(x, "x"), numbers(y, "y")
    first, second, missing = pair(all_x, all_y, "x, y")
    code, _ = codes(clusters, "clusters", len(all_x))
    code, n_clusters = codes(code[~np.isnan(all_x + all_y)], "clusters", len(first))
    plain = pearson(first, second) if kind == "pearson" else spearman(first, second)
    n, value = len(first), plain.value
    if not plain.defined:
        return undefined(plain.reason or "", n, n_clusters, missing)
    if n_clusters < rs.FEW_CLUSTERS:
        return Estimate(
            value, NAN, NAN, n, n_clusters, "none", f"{n_clusters} clusters, fewer than {rs.FEW_CLUSTERS}", missing
        )
    first, second = first - first.mean(), second - second.mean()

    def statistic(drawn: FloatArray) -> FloatArray:
        parts = []
        block = max(1, rs.CELLS // n)
        for start in range(0, len(drawn), block):
            weights = drawn[start : start + block, code]
            if kind == "spearman":
                ranks = (_weighted_ranks(weights, v) for v in (first, second))
                parts.append(_weighted_correlation(weights, *ranks))
            else:
                parts.append(_weighted_correlation(weights, first, second))
        return np.concatenate(parts)

    sample = np.concatenate([statistic(drawn) for drawn in rs.draws(n_clusters, n_resamples, rng)])
    empty = int(np.isnan(sample).sum())
    if empty > 0.05 * n_resamples:
        why = f"{empty} of {n_resamples} resamples have no spread"
        return Estimate(value, NAN, NAN, n, n_clusters, "none", why, missing)
    if rs.flat(sample[~np.isnan(sample)], value):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT, missing)
    low, high = rs.interval(value, sample, lambda: statistic(1.0 - np.eye(n_clusters)), method, confidence)
    if not rs.wide(low, high):
        return Estimate(value, NAN, NAN, n, n_clusters, "none", rs.FLAT, missing)
    return Estimate(value, low, high, n, n_clusters, f"{method}-clusters", None, missing)
