"""The engine of the bootstrap over clusters: how often each cluster is drawn, and what follows from it.

A mean over resampled clusters needs only the sum and the count of each, so that many columns share the same
draws and one matrix product does all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import NormalDist

import numpy as np

from trope.stats._checks import FloatArray, IntArray
from trope.stats.result import NAN

CELLS = 100_000  # entries of one block of draws (0.8 MB: larger blocks leave the cache and are slower)
FEW_CLUSTERS = 10  # with fewer, resampling is not trusted: docs/statistics.md has its coverage
FLAT = "resamples give one and the same value: clusters hardly differ"
TINY = 1e-12  # relative: what is smaller is rounding


def draws(n_clusters: int, n_resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield blocks of rows, one row a resample, that say how often each cluster was drawn.

    The stream is that of ``rng.integers(0, n_clusters, (n_resamples, n_clusters))``, whatever the block size.
    """
    block = max(1, CELLS // n_clusters)
    for start in range(0, n_resamples, block):
        rows = min(block, n_resamples - start)
        index = rng.integers(0, n_clusters, (rows, n_clusters))
        index += np.arange(rows)[:, None] * n_clusters
        counts = np.bincount(index.reshape(-1), minlength=rows * n_clusters)
        yield counts.reshape(rows, n_clusters).astype(np.float64)


def per_cluster(columns: FloatArray, code: IntArray, n_clusters: int) -> tuple[FloatArray, FloatArray]:
    """Sum and count of what is not NaN, by cluster and column: two arrays of shape (n_clusters, k)."""
    present = ~np.isnan(columns)
    filled = np.where(present, columns, 0.0)
    shape = (n_clusters, columns.shape[1])
    sums, counts = np.empty(shape), np.empty(shape)
    for j in range(columns.shape[1]):
        sums[:, j] = np.bincount(code, weights=filled[:, j], minlength=n_clusters)
        counts[:, j] = np.bincount(code, weights=present[:, j], minlength=n_clusters)
    return sums, counts


def ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Quotient, NaN where the divisor is 0."""
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    out: FloatArray = np.full(shape, NAN)
    np.divide(top, bottom, out=out, where=np.broadcast_to(bottom != 0, shape))
    return out


def replicates(sums: FloatArray, counts: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Means of `n_resamples` resamples of clusters: shape (n_resamples, k), NaN where nothing was drawn."""
    if (counts == counts[0, 0]).all() and counts[0, 0] > 0:
        total = float(counts[0, 0]) * len(counts)
        return np.concatenate([block @ sums / total for block in draws(len(sums), n_resamples, rng)])
    if (counts == counts[:, :1]).all():
        counts = counts[:, :1]
    parts = [ratio(block @ sums, block @ counts) for block in draws(len(sums), n_resamples, rng)]
    return np.concatenate(parts)


def leave_one_out(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Means with one cluster left out at a time: shape (n_clusters, k)."""
    return ratio(sums.sum(axis=0) - sums, counts.sum(axis=0) - counts)


def cluster_error(sums: FloatArray, counts: FloatArray) -> FloatArray:
    r"""Standard error of the mean of each column from the spread between clusters.

    .. math:: \sqrt{\frac{C}{C-1} \sum_c (S_c - \bar x N_c)^2} / N

    The linearization of a ratio; for clusters of one row it is the usual s / sqrt(n) with ddof 1.
    """
    total = counts.sum(axis=0)
    used = (counts > 0).sum(axis=0).astype(np.float64)
    rest = sums - ratio(sums.sum(axis=0), total) * counts
    error: FloatArray = np.sqrt(ratio(used, used - 1) * (rest**2).sum(axis=0)) / total
    return error


def studentized(
    sums: FloatArray,
    counts: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    arcsine: bool,
) -> FloatArray:
    """How many standard errors each replicate lies from the mean, for one column: shape (n_resamples,).

    With `arcsine` on the scale asin(sqrt(x)), on which the spread of a rate does not depend on the rate. A
    replicate without any spread is infinitely far (0 if it hits the mean).
    """
    mean = float(sums.sum() / counts.sum())
    rest = sums - mean * counts
    table = np.column_stack([rest, counts, rest**2, rest * counts, counts**2])
    scaled = len(sums) / (len(sums) - 1)
    parts = []
    for block in draws(len(sums), n_resamples, rng):
        top, bottom, squares, cross, sizes = (block @ table).T
        shift = top / bottom
        spread = squares - 2 * shift * cross + shift**2 * sizes
        still = spread <= 1e-10 * (squares + shift**2 * sizes)
        error = np.sqrt(scaled * np.where(still, 1.0, spread)) / bottom
        distance = shift / error
        if arcsine:
            rate = np.clip(mean + shift, 1e-300, 1 - 1e-16)
            gap = np.arcsin(np.sqrt(rate)) - np.arcsin(np.sqrt(min(max(mean, 0.0), 1.0)))
            distance = gap * 2 * np.sqrt(rate * (1 - rate)) / error
        far = np.where(np.abs(shift) <= TINY * max(abs(mean), TINY), 0.0, np.copysign(np.inf, shift))
        parts.append(np.where(still, far, distance))
    return np.concatenate(parts)


def bca_levels(
    value: FloatArray, sample: FloatArray, left_out: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Percentile levels of the BCa interval, one pair a column.

    The bias z0 comes from the share of replicates below the estimate (ties count half; equal is equal up to
    rounding; the share is clipped to [1/2B, 1 - 1/2B]), the acceleration from the jackknife over clusters;
    it is 0 where leaving one out changes nothing.
    """
    from scipy.special import ndtr, ndtri

    near = TINY * np.maximum(np.abs(value), np.nanmax(np.abs(sample), axis=0, initial=0.0))
    known = np.maximum((~np.isnan(sample)).sum(axis=0), 1)
    below = (sample < value - near).sum(axis=0) + (sample <= value + near).sum(axis=0)
    bias = ndtri(np.clip(below / (2.0 * known), 0.5 / known, 1 - 0.5 / known))
    left = np.maximum((~np.isnan(left_out)).sum(axis=0), 1)
    pull = np.nansum(left_out, axis=0) / left - left_out
    spread = np.nansum(pull**2, axis=0)
    flat = spread <= (TINY * np.maximum(np.abs(value), 1e-200)) ** 2
    acceleration = np.where(flat, 0.0, np.nansum(pull**3, axis=0) / (6 * np.where(flat, 1.0, spread) ** 1.5))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    low, high = bias - z, bias + z
    with np.errstate(divide="ignore", invalid="ignore"):
        low_level = np.where(acceleration * low < 1, ndtr(bias + low / (1 - acceleration * low)), 0.0)
        high_level = np.where(acceleration * high < 1, ndtr(bias + high / (1 - acceleration * high)), 1.0)
    return low_level, high_level


def quantile_pair(sample: FloatArray, low_level: float, high_level: float) -> tuple[float, float]:
    """Two quantiles of what is not NaN, by linear interpolation."""
    low, high = np.quantile(sample[~np.isnan(sample)], [low_level, high_level])
    return float(low), float(high)


def flat(sample: FloatArray, value: float) -> bool:
    """Whether replicates are all equal up to rounding."""
    return float(np.ptp(sample)) <= TINY * max(abs(value), float(np.abs(sample).max()))


def wide(low: float, high: float) -> bool:
    """Whether an interval has a width: one of none would claim a certainty that no data give."""
    return high - low > TINY * max(abs(low), abs(high))


def interval(
    value: float,
    sample: FloatArray,
    left_out: Callable[[], FloatArray],
    method: str,
    confidence: float,
) -> tuple[float, float]:
    """Percentile or BCa interval of one statistic; `left_out` gives its jackknife values, if they are
    needed.
    """
    tail = (1 - confidence) / 2
    if method == "percentile":
        return quantile_pair(sample, tail, 1 - tail)
    low, high = bca_levels(np.array([value]), sample[:, None], left_out()[:, None], confidence)
    return quantile_pair(sample, float(low[0]), float(high[0]))
