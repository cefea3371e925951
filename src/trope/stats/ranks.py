"""Ranks that say how sure they are: the set of ranks that each system could have, all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trope.stats import _resample as rs
from trope.stats._checks import FloatArray, at_least, codes, complete_rows, level, numbers
from trope.stats._ranking import midranks
from trope.stats.result import NAN


@dataclass(frozen=True, slots=True)
class RankSet:
    """One system's mean and rank, and the ranks it could have.

    Attributes
    ----------
    mean
        Over the rows that all systems share.
    rank
        1 is best; ties get the mean of their ranks.
    best, worst
        The smallest and the largest rank that the data do not exclude.
    n, n_clusters
        Rows and clusters used.
    reason
        Why the set says less than it could; None otherwise.
    n_missing
        Rows left out because some system had no value.
    """

    mean: float
    rank: float
    best: int
    worst: int
    n: int
    n_clusters: int
    reason: str | None = None
    n_missing: int = 0


def rank(values: npt.ArrayLike, *, higher_is_better: bool = True) -> FloatArray:
    """Ranks of systems, 1 the best; ties get the mean of their ranks.

    Parameters
    ----------
    values : float array, shape (k,)
        NaN has no rank, and is not counted.
    higher_is_better
        Whether the largest value gets rank 1.

    Returns
    -------
    float array, shape (k,)
        NaN where the value is NaN.

    Raises
    ------
    ShapeError, RangeError
        Not one-dimensional; infinite values.

    Notes
    -----
    By hand: (0.5, 0.9, 0.5) gives (2.5, 1, 2.5). Checked against ``scipy.stats.rankdata``.
    """
    array = numbers(values, "values")
    out = np.full(len(array), NAN)
    known = ~np.isnan(array)
    out[known] = midranks(-array[known] if higher_is_better else array[known])
    return out


def rank_sets(
    scores: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> list[RankSet]:
    r"""For each system the set of ranks it could have; all sets are right at once with `confidence`.

    Parameters
    ----------
    scores : float array, shape (n, k)
        One row an item, one column a system. Rows with a NaN are left out and counted: systems are compared
        on the rows they share.
    clusters : labels, shape (n,)
        The unit of resampling.
    higher_is_better
        Whether the largest mean gets rank 1.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    list of k RankSet
        In the order of the columns. With fewer than ten clusters every rank is possible, and `reason` says
        so.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; not two-dimensional; infinite values.

    Notes
    -----
    A system is better than another if their mean difference exceeds c standard errors, c being the quantile
    over resamples of clusters of the largest studentized deviation of any difference from its mean:

    .. math:: best_j = 1 + \#\{l \text{ better than } j\},\quad worst_j = k - \#\{l \text{ worse than } j\}

    A difference that is the same in every cluster counts as certain if it is not 0. Single step, so on the
    wide side. Source: Mogstad, Romano, Shaikh and Wilhelm (2024), doi:10.1093/restud/rdad006, section 3;
    studentized with the standard error of the data, not of each resample.
    """
    level(confidence)
    at_least(n_resamples, 1, "n_resamples")
    raw = numbers(scores, "scores", ndim=2)
    array, missing = complete_rows(raw, "scores")
    code, _ = codes(clusters, "clusters", len(raw))
    code, n_clusters = codes(code[~np.isnan(raw).any(axis=1)], "clusters", len(array))
    n, k = array.shape
    if n == 0:
        return [RankSet(NAN, NAN, 1, k, 0, 0, "no complete rows", missing)] * k
    means = array.mean(axis=0)
    ranks = midranks(-means if higher_is_better else means)
    better = np.zeros((k, k), dtype=np.bool_)
    reason = None
    if n_clusters < rs.FEW_CLUSTERS:
        reason = f"{n_clusters} clusters, fewer than {rs.FEW_CLUSTERS}: every rank is possible"
    elif k > 1:
        better = _better(array if higher_is_better else -array, code, n_clusters, confidence, n_resamples, rng)
    return [
        RankSet(
            float(means[j]),
            float(ranks[j]),
            1 + int(better[:, j].sum()),
            k - int(better[j].sum()),
            n,
            n_clusters,
            reason,
            missing,
        )
        for j in range(k)
    ]


def _better(
    array: FloatArray,
    code: npt.NDArray[np.int64],
    n_clusters: int,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.bool_]:
    """Entry (i, j): whether system i is better than system j beyond doubt."""
    k = array.shape[1]
    i, j = np.triu_indices(k, 1)
    sums, counts = rs.per_cluster(array[:, i] - array[:, j], code, n_clusters)
    gap = sums.sum(axis=0) / counts.sum(axis=0)
    error = rs.cluster_error(sums, counts)
    varies = error > rs.TINY * np.maximum(np.abs(array).max(), rs.TINY)
    critical = np.inf
    if varies.any():
        sample = rs.replicates(sums[:, varies], counts[:, varies], n_resamples, rng)
        largest = (np.abs(sample - gap[varies]) / error[varies]).max(axis=1)
        critical = float(np.quantile(largest, confidence))
    distance = np.where(varies, gap / np.where(varies, error, 1.0), 0.0)
    certain = ~varies & (np.abs(gap) > rs.TINY * np.abs(array).max())
    above = (distance > critical) | (certain & (gap > 0))
    below = (distance < -critical) | (certain & (gap < 0))
    better = np.zeros((k, k), dtype=np.bool_)
    better[i, j], better[j, i] = above, below
    return better
