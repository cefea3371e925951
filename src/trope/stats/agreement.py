"""How far raters agree beyond chance: Krippendorff's alpha, Cohen's and Fleiss's kappa."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from trope.stats._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    PairingError,
    RangeError,
    StatsError,
    label_array,
    level,
    one_of,
)
from trope.stats._resample import TINY
from trope.stats.result import NAN, Estimate, undefined

LEVELS = ("nominal", "ordinal", "interval")


def _distances(values: FloatArray, counts: FloatArray, metric: str) -> FloatArray:
    """Squared differences between values, by level of measurement."""
    if metric == "nominal":
        return 1.0 - np.eye(len(counts))
    if metric == "interval":
        gaps: FloatArray = (values[:, None] - values) ** 2
        return gaps
    upto = np.cumsum(counts)
    middle = upto - counts / 2
    ranks: FloatArray = (middle[:, None] - middle) ** 2
    return ranks


def krippendorff_alpha(ratings: npt.ArrayLike, metric: str = "nominal") -> Estimate:
    r"""Krippendorff's alpha: agreement of any number of raters, with missing ratings.

    Parameters
    ----------
    ratings : array, shape (n, k)
        One row a unit, one column a rater; NaN or None where a rater said nothing. Numbers for ``"ordinal"``
        and ``"interval"``; any labels for ``"nominal"``.
    metric
        ``"nominal"``, ``"ordinal"`` or ``"interval"``.

    Returns
    -------
    Estimate
        At most 1; 0 is chance; it can be negative. ``n`` counts the units with at least two ratings,
        ``n_missing`` the others. NaN with a reason if there is none, or if all ratings are the same.
        No interval: ``bootstrap_statistic`` over units gives one.

    Raises
    ------
    ShapeError, RangeError, StatsError
        Not two-dimensional; infinite values; labels that are not numbers where they must be.

    Notes
    -----
    .. math::
        \alpha = 1 - (n - 1) \frac{\sum_{c,k} o_{ck} \delta^2_{ck}}{\sum_{c,k} n_c n_k \delta^2_{ck}},\quad
        o_{ck} = \sum_u \frac{n_{uc} n_{uk} - [c = k]\, n_{uc}}{m_u - 1}

    The ordinal difference is the number of ratings from one value to the other, each end counted half:
    :math:`(\sum_{g=c}^{k} n_g - (n_c + n_k)/2)^2`. Source: Krippendorff (2011), Computing Krippendorff's
    alpha-reliability, sections A to D, whose examples (0.095, 0.692, 0.743, 0.815, 0.849) are tests. Written
    from that description; the GPL package ``krippendorff`` is an oracle in tests only.
    """
    one_of(metric, LEVELS, "metric")
    array, missing = label_array(ratings, "ratings", ndim=2)
    if metric != "nominal" and array.dtype.kind not in "biuf":
        raise StatsError(f"ratings: expected numbers for {metric!r} data, got {array.reshape(-1).tolist()[0]!r}")
    if array.dtype.kind == "f" and np.isinf(array).any():
        raise RangeError("ratings: expected finite numbers, got inf")
    known, inverse = np.unique(array[~missing], return_inverse=True)
    unit = np.nonzero(~missing)[0]
    n, size = len(array), len(known)
    table = np.bincount(unit * size + inverse.reshape(-1), minlength=n * size).reshape(n, size)
    table = table[table.sum(axis=1) >= 2].astype(np.float64)
    used = len(table)
    if used == 0:
        return undefined("no unit with two ratings", 0, 0, n)
    each = table.sum(axis=1)
    weighted = table / (each - 1)[:, None]
    observed = table.T @ weighted - np.diag(weighted.sum(axis=0))
    counts = observed.sum(axis=1)
    total = float(counts.sum())
    values = known.astype(np.float64) if metric == "interval" else np.zeros(size)
    distance = _distances(values, counts, metric)
    expected = float(counts @ distance @ counts)
    if np.count_nonzero(counts > TINY) < 2 or expected == 0:
        return undefined("all ratings are the same", used, used, n - used)
    alpha = 1 - (total - 1) * float((observed * distance).sum()) / expected
    return Estimate(alpha, NAN, NAN, used, used, "point", None, n - used)


def _union(
    arrays: list[tuple[npt.NDArray[Any], BoolArray]], labels: Sequence[Any] | None
) -> tuple[list[IntArray], int]:
    """Codes of labels in the order of `labels`, or of their sorted union; -1 where missing."""
    kinds = {"text" if a.dtype.kind in "US" else "number" for a, m in arrays if not m.all()}
    if len(kinds) > 1:
        raise StatsError("labels: expected the same kind in both, got numbers and strings")
    found = np.unique(np.concatenate([a[~m] for a, m in arrays if not m.all()] or [np.zeros(0)]))
    if labels is not None:
        order = np.asarray(labels).tolist()
        unknown = [x for x in found.tolist() if x not in order]
        if unknown:
            raise RangeError(f"labels: expected one of {order!r}, got {unknown[0]!r}")
        place = {x: i for i, x in enumerate(order)}
    else:
        place = {x: i for i, x in enumerate(found)}
    out = []
    for array, missing in arrays:
        code = [(-1 if gone else place[x]) for x, gone in zip(array, missing, strict=True)]
        out.append(np.array(code, dtype=np.int64))
    return out, len(place)


def cohen_kappa(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    weights: str = "none",
    labels: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> Estimate:
    r"""Cohen's kappa of two raters, plain or weighted.

    Parameters
    ----------
    a, b : labels, shape (n,)
        Row i is the same thing. Rows with a NaN or None in either are left out and counted.
    weights
        ``"none"``; ``"linear"`` or ``"quadratic"`` by how many places apart two labels are.
    labels
        All labels that could occur, in order; else the sorted labels that do occur (with weights, a label
        that nobody used then leaves no gap).
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        At most 1; 0 is chance. NaN with a reason for no rows, or if both use the same one label; no interval
        if they agree on everything.

    Raises
    ------
    PairingError, ShapeError, RangeError, StatsError
        Lengths differ; a label that is not in `labels`; unknown weights.

    Notes
    -----
    .. math::
        \kappa = (p_o - p_e) / (1 - p_e),\quad p_o = \sum w_{ij} p_{ij},\quad p_e = \sum w_{ij} p_{i.} p_{.j}

    with agreement weights w (1 on the diagonal). Interval: normal, with the large-sample standard error for
    kappa different from 0. Source: Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968),
    doi:10.1037/h0026256; Fleiss, Cohen and Everitt (1969), doi:10.1037/h0028106, eq. 8 and 13. By hand:
    yes-yes 20, yes-no 5, no-yes 10, no-no 15 give (0.7 - 0.5) / 0.5 = 0.4. Checked against scikit-learn and
    statsmodels.
    """
    one_of(weights, ("none", "linear", "quadratic"), "weights")
    level(confidence)
    first, second = label_array(a, "a"), label_array(b, "b")
    if len(first[0]) != len(second[0]):
        raise PairingError(f"a, b: expected the same rows in both, got {len(first[0])} and {len(second[0])}")
    (code_a, code_b), size = _union([first, second], labels)
    present = (code_a >= 0) & (code_b >= 0)
    n, missing = int(present.sum()), int((~present).sum())
    if n == 0:
        return undefined("no rows", n_missing=missing)
    joint = code_a[present] * size + code_b[present]
    table = np.bincount(joint, minlength=size * size).reshape(size, size) / n
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    if weights == "none":
        agree = (apart == 0).astype(np.float64)
    else:
        agree = 1 - (apart / max(size - 1, 1)) ** (1 if weights == "linear" else 2)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, chance = float((agree * table).sum()), float(rows @ agree @ columns)
    if 1 - chance <= TINY:
        return undefined("both raters use the same one label", n, n, missing)
    kappa = (observed - chance) / (1 - chance)
    shifted = agree - ((agree @ columns)[:, None] + rows @ agree) * (1 - kappa)
    spread = float((table * shifted**2).sum()) - (kappa - chance * (1 - kappa)) ** 2
    error = math.sqrt(max(spread, 0.0) / n) / (1 - chance)
    if error <= 1e-9:
        return Estimate(kappa, NAN, NAN, n, n, "none", "no spread: no interval", missing)
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    return Estimate(kappa, kappa - half, kappa + half, n, n, "normal", None, missing)


def fleiss_kappa(ratings: npt.ArrayLike) -> Estimate:
    r"""Fleiss's kappa of k ratings of each of n things, by raters who need not be the same.

    Parameters
    ----------
    ratings : labels, shape (n, k)
        One row a thing. Rows with a NaN or None are left out and counted.

    Returns
    -------
    Estimate
        At most 1; 0 is chance. NaN with a reason for no complete row, fewer than two ratings a row, or one
        label only. No interval: ``bootstrap_statistic`` over rows gives one.

    Raises
    ------
    ShapeError
        Not two-dimensional.

    Notes
    -----
    .. math::
        \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e},\quad
        \bar P = \frac{1}{n k (k-1)} \left(\sum_{ij} n_{ij}^2 - nk\right),\quad \bar P_e = \sum_j p_j^2

    Source: Fleiss (1971), doi:10.1037/h0031619. By hand: rows (a, a), (a, b): P = (1 + 0)/2, p = 3/4, 1/4,
    P_e = 0.625, kappa = -0.125 / 0.375 = -1/3. Checked against statsmodels.
    """
    array, gone = label_array(ratings, "ratings", ndim=2)
    complete = ~gone.any(axis=1)
    missing, array = int((~complete).sum()), array[complete]
    n, k = array.shape
    if n == 0 or k < 2:
        return undefined(f"{n} complete row(s) of {k} rating(s)", n, n, missing)
    _, inverse = np.unique(array, return_inverse=True)
    inverse = inverse.reshape(n, k)
    size = int(inverse.max()) + 1
    cell = (np.arange(n)[:, None] * size + inverse).reshape(-1)
    table = np.bincount(cell, minlength=n * size).reshape(n, size).astype(np.float64)
    agreed = float((table**2).sum() - n * k) / (n * k * (k - 1))
    chance = float(((table.sum(axis=0) / (n * k)) ** 2).sum())
    if 1 - chance <= TINY:
        return undefined("one label only", n, n, missing)
    return Estimate((agreed - chance) / (1 - chance), NAN, NAN, n, n, "point", None, missing)
