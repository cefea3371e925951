"""Which interval a rate or a mean gets: the choice is made here, once, and named in the result.

The usual interval is a studentized bootstrap over clusters; for what lies between bounds it works on the
scale asin(sqrt(x)). It cannot be trusted for a rate of 0 or 1, for fewer than ten clusters, or where too
many resamples have no spread; then Wilson's interval takes the number of clusters as its sample size, or
there is no interval and the reason is said. ``docs/statistics.md`` has the simulated coverage that this
choice rests on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from trope.stats._checks import FloatArray, IntArray, RangeError, codes, level, numbers
from trope.stats._resample import FEW_CLUSTERS
from trope.stats.bootstrap import check_bounds, cluster_bootstrap, two_way_bootstrap
from trope.stats.proportions import wilson
from trope.stats.result import NAN, Estimate, undefined


def _present(
    array: FloatArray, labels: dict[str, npt.ArrayLike]
) -> tuple[FloatArray, dict[str, tuple[IntArray, int]], int]:
    """What is not NaN, its labels as codes, and how many were missing."""
    known = {name: codes(label, name, len(array))[0] for name, label in labels.items()}
    present = ~np.isnan(array)
    used = array[present]
    return used, {n: codes(c[present], n, len(used)) for n, c in known.items()}, int((~present).sum())


def _wilson_on_clusters(
    value: float,
    n: int,
    n_clusters: int,
    missing: int,
    why: str,
    confidence: float,
    bounds: tuple[float, float],
) -> Estimate:
    low, width = bounds[0], bounds[1] - bounds[0]
    share = min(1.0, max(0.0, (value - low) / width))
    score = wilson(share * n_clusters, n_clusters, confidence=confidence)
    ends = low + width * score.low, low + width * score.high
    return Estimate(value, *ends, n, n_clusters, "wilson-clusters", why, missing)


def _unusual(
    array: FloatArray, n_clusters: int, missing: int, confidence: float, bounds: tuple[float, float] | None
) -> Estimate | None:
    """The interval where resampling cannot be trusted, or None where it can."""
    n = len(array)
    if n == 0:
        return undefined("no values", n_missing=missing)
    value = float(array.mean())
    if n_clusters < 2:
        why = "one cluster: what varies between clusters cannot be seen"
        return Estimate(value, NAN, NAN, n, n_clusters, "none", why, missing)
    if float(np.ptp(array)) == 0.0:
        value, why = float(array[0]), f"all values are {array[0]:g}"
    elif n_clusters < FEW_CLUSTERS:
        why = f"{n_clusters} clusters, fewer than {FEW_CLUSTERS}"
    else:
        return None
    if bounds is None:
        return Estimate(value, NAN, NAN, n, n_clusters, "none", why, missing)
    return _wilson_on_clusters(value, n, n_clusters, missing, why, confidence, bounds)


def _chosen(
    array: FloatArray,
    clusters: npt.ArrayLike,
    bounds: tuple[float, float] | None,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Estimate:
    level(confidence)
    used, labels, missing = _present(array, {"clusters": clusters})
    code, n_clusters = labels["clusters"]
    special = _unusual(used, n_clusters, missing, confidence, bounds)
    if special is not None:
        return special
    if bounds is not None and n_clusters == len(used) and bool(np.isin(used, bounds).all()):
        low, width = bounds[0], bounds[1] - bounds[0]
        score = wilson(float((used == bounds[1]).sum()), n_clusters, confidence=confidence)
        ends = low + width * score.low, low + width * score.high
        return Estimate(float(used.mean()), *ends, len(used), n_clusters, "wilson", None, missing)
    usual = cluster_bootstrap(
        used,
        code,
        method="studentized",
        bounds=bounds,
        confidence=confidence,
        n_resamples=n_resamples,
        rng=rng,
    )
    if not usual.bounded and bounds is not None:
        why = usual.reason or ""
        return _wilson_on_clusters(usual.value, len(used), n_clusters, missing, why, confidence, bounds)
    return replace(usual, n_missing=missing)


def rate_interval(
    hits: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Share of hits, with the interval that the data allow.

    Parameters
    ----------
    hits : bool or float array, shape (n,)
        1 a hit, 0 none, NaN missing (left out and counted).
    clusters : labels, shape (n,)
        The unit of resampling.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        Never of zero width; `method` and `reason` say what was chosen:
        ``"studentized-clusters"`` usually; ``"wilson"`` if every cluster is one row;
        ``"wilson-clusters"`` (sample size = clusters) for a rate of 0 or 1, for fewer than ten clusters, or
        if so few clusters hold a hit (or none) that more than 2.5 % of the resamples hold one outcome only;
        ``"none"`` with NaN ends for one cluster.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; a value that is neither 0, 1 nor NaN.

    Notes
    -----
    Unit of resampling: the cluster. Equal to ``mean_interval(hits, clusters, bounds=(0, 1))``.
    Source: ours; the parts are said in ``cluster_bootstrap`` and ``wilson``.
    """
    array = numbers(hits, "hits")
    odd = (array != 0.0) & (array != 1.0) & ~np.isnan(array)
    if odd.any():
        raise RangeError(f"hits: expected 0, 1 or NaN, got {array[odd][0]:g}")
    return _chosen(array, clusters, (0.0, 1.0), confidence, n_resamples, rng)


def mean_interval(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    bounds: tuple[float, float] | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Mean of rows, with the interval that the data allow.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN is missing (left out and counted).
    clusters : labels, shape (n,)
        The unit of resampling.
    bounds
        Smallest and largest possible value, if there are such, e.g. (0, 100) for a score, (-1, 1) for a
        difference of rates. With them the ends stay inside, and Wilson's interval on clusters, stretched to
        the bounds, can stand in where resampling cannot be trusted (it is wide: nothing between two bounds
        varies more than a 0/1 variable does). Without them there is no interval then.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        Never of zero width; `method` and `reason` say what was chosen, as in :func:`rate_interval`.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; infinite values; values outside `bounds`.

    Notes
    -----
    Unit of resampling: the cluster; every row weighs the same. Source: as in :func:`rate_interval`.
    """
    array = numbers(values, "values")
    if bounds is not None:
        check_bounds(array, bounds)
    return _chosen(array, clusters, bounds, confidence, n_resamples, rng)


def two_way_interval(
    values: npt.ArrayLike,
    clusters_a: npt.ArrayLike,
    clusters_b: npt.ArrayLike,
    *,
    bounds: tuple[float, float] | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator,
) -> Estimate:
    """Mean of rows when two crossed groupings are drawn at once: the sensitivity line beside `rate_interval`.

    Parameters
    ----------
    values : bool or float array, shape (n,)
        NaN is missing (left out and counted).
    clusters_a, clusters_b : labels, shape (n,)
        The two groupings.
    bounds
        As in :func:`mean_interval`; (0, 1) is taken by itself if all values are 0 or 1.
    confidence, n_resamples, rng
        As in ``cluster_bootstrap``.

    Returns
    -------
    Estimate
        ``n_clusters`` is the smaller of the two numbers of groups, and decides what is chosen.

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; infinite values; values outside `bounds`.

    Notes
    -----
    Source: Owen (2007), doi:10.1214/07-AOAS122, see ``two_way_bootstrap``.
    """
    level(confidence)
    array = numbers(values, "values")
    used, labels, missing = _present(array, {"clusters_a": clusters_a, "clusters_b": clusters_b})
    (code_a, n_a), (code_b, n_b) = labels.values()
    if bounds is None and bool(np.isin(used, (0.0, 1.0)).all()):
        bounds = (0.0, 1.0)
    if bounds is not None:
        check_bounds(array, bounds)
    special = _unusual(used, min(n_a, n_b), missing, confidence, bounds)
    if special is not None:
        return special
    usual = two_way_bootstrap(used, code_a, code_b, confidence=confidence, n_resamples=n_resamples, rng=rng)
    if not usual.bounded and bounds is not None:
        why, fewest = usual.reason or "", usual.n_clusters
        return _wilson_on_clusters(usual.value, len(used), fewest, missing, why, confidence, bounds)
    return replace(usual, n_missing=missing)
