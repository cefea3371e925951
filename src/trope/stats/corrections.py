"""What a fallible instrument's numbers say about the truth: correct by its known errors, or by a sample of
truth.

`rogan_gladen` takes an instrument's sensitivity and specificity out of a rate. The prediction-powered
functions join an instrument's values for ALL rows with people's values for a sample of them, drawn with
known inclusion probabilities: the instrument may be as wrong as it likes, the result is still about what
people say.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from trope.stats._checks import FloatArray, IntArray, PairingError, RangeError, codes, level, numbers, within
from trope.stats._resample import CELLS, TINY
from trope.stats.result import NAN, Estimate, undefined

FEW_LABELS = 10


def rogan_gladen(
    hits: float,
    n: float,
    *,
    true_positives: float,
    positives: float,
    true_negatives: float,
    negatives: float,
    confidence: float = 0.95,
) -> Estimate:
    r"""True rate behind an apparent one, given how an instrument did on cases whose truth is known.

    Parameters
    ----------
    hits, n
        What the instrument called positive, of how many. For clustered rows n should be an effective number.
    true_positives, positives
        Positives that it called so, of how many known positives: its sensitivity.
    true_negatives, negatives
        Negatives that it called so, of how many known negatives: its specificity.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        Clipped to [0, 1], value and ends. NaN with a reason if anything was never tried, or if sensitivity +
        specificity <= 1: then the instrument is no better than a coin.

    Raises
    ------
    RangeError
        A part larger than its whole, or negative.

    Notes
    -----
    .. math:: \hat\pi = \frac{\hat p + Sp - 1}{Se + Sp - 1}

    Interval of Lang and Reiczigel: Wilson-like shrinkage of the three rates, then

    .. math::
        \hat\pi' + d \pm z \sqrt{\frac{p'(1-p')}{n + z^2} + \frac{(1-\hat\pi')^2 Sp'(1-Sp')}{n_{sp} + 2}
        + \frac{\hat\pi'^2 Se'(1-Se')}{n_{se} + 2}} \,/\, (Se' + Sp' - 1)

        d = 2 z^2 \left(\frac{\hat\pi' Se'(1-Se')}{n_{se}+2} - \frac{(1-\hat\pi') Sp'(1-Sp')}{n_{sp}+2}\right)

    Source: Rogan and Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Lang and Reiczigel (2014),
    doi:10.1016/j.prevetmed.2013.09.015. By hand: 30 of 100 with Se = Sp = 0.9 gives 0.2 / 0.8 = 0.25.
    """
    level(confidence)
    for name, part, whole in (
        ("hits", hits, n),
        ("true_positives", true_positives, positives),
        ("true_negatives", true_negatives, negatives),
    ):
        if not 0 <= part <= whole or math.isinf(whole):
            raise RangeError(f"{name}: expected a number in [0, {whole:g}], got {part!r}")
    used = round(n)
    if min(n, positives, negatives) == 0:
        return undefined("no rows, or no known positives or negatives", used, used)
    rate, se, sp = hits / n, true_positives / positives, true_negatives / negatives
    if se + sp - 1 <= TINY:
        return undefined(f"sensitivity {se:.3g} + specificity {sp:.3g} <= 1: no better than a coin", used, used)
    value = min(1.0, max(0.0, (rate + sp - 1) / (se + sp - 1)))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    n_rate, n_se, n_sp = n + z * z, positives + 2, negatives + 2
    rate = (hits + z * z / 2) / n_rate
    se, sp = (true_positives + 1) / n_se, (true_negatives + 1) / n_sp
    if se + sp - 1 <= TINY:
        return Estimate(value, NAN, NAN, used, used, "none", "too few known cases for an interval")
    true = (rate + sp - 1) / (se + sp - 1)
    part_se, part_sp = se * (1 - se) / n_se, sp * (1 - sp) / n_sp
    shift = 2 * z * z * (true * part_se - (1 - true) * part_sp)
    spread = rate * (1 - rate) / n_rate + (1 - true) ** 2 * part_sp + true**2 * part_se
    half = z * math.sqrt(spread) / (se + sp - 1)
    low, high = (min(1.0, max(0.0, true + shift + side * half)) for side in (-1, 1))
    return Estimate(value, min(low, value), max(high, value), used, used, "lang-reiczigel")


def _sample(
    predictions: npt.ArrayLike, labels: npt.ArrayLike, inclusion: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray, FloatArray] | Estimate:
    """Predictions, labels (0 where there is none) and weights (0 where there is none), or why not."""
    predicted, known = numbers(predictions, "predictions"), numbers(labels, "labels")
    if len(predicted) != len(known):
        got = f"{len(predicted)} and {len(known)}"
        raise PairingError(f"predictions, labels: expected the same rows in both, got {got}")
    sampled = ~np.isnan(known)
    n, size = int(sampled.sum()), len(known)
    if inclusion is None:
        return undefined(
            "refused: no inclusion probabilities. Rows labeled for reasons nobody wrote down need not be "
            "like the others; draw a sample with known probabilities",
            n,
            n,
            size - n,
        )
    chance = within(numbers(inclusion, "inclusion"), "inclusion", 0.0, 1.0)
    if len(chance) != size:
        raise PairingError(f"inclusion: expected one probability a row ({size}), got {len(chance)}")
    if np.isnan(chance).any() or (chance == 0).any():
        bad = int((np.isnan(chance) | (chance == 0)).sum())
        why = f"refused: {bad} rows could never be drawn (inclusion 0 or unknown), so nothing is known of them"
        return undefined(why, n, n, size - n)
    if np.isnan(predicted).any():
        why = f"refused: {int(np.isnan(predicted).sum())} rows have no prediction"
        return undefined(why, n, n, size - n)
    if n < FEW_LABELS:
        return undefined(f"{n} labels, fewer than {FEW_LABELS}", n, n, size - n)
    weights = np.where(sampled, 1 / chance, 0.0)
    return predicted, np.where(sampled, known, 0.0), weights


def _influence(predicted: FloatArray, labels: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What each row adds to the mean, a + power * b, where b has mean 0; columns are different variables."""
    share = (weights / weights.sum())[:, None]
    scaled = share * len(weights)
    mean_label, mean_predicted = (share * labels).sum(axis=0), (share * predicted).sum(axis=0)
    a = mean_label + scaled * (labels - mean_label)
    b = (1 - scaled) * (predicted - mean_predicted)
    return a, b


def _grouped(rows: FloatArray, code: IntArray | None) -> FloatArray:
    """Deviations from the mean of each column, summed by cluster if there are any."""
    centered = rows - rows.mean(axis=0)
    if code is None:
        return np.asarray(centered, dtype=np.float64)
    order = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.diff(code[order], prepend=-1))
    sums: FloatArray = np.add.reduceat(centered[order], starts, axis=0)
    return sums


def _best_power(a: FloatArray, b: FloatArray, code: IntArray | None) -> float:
    """The share of the predictions that makes the variance smallest, for one column."""
    grouped_a, grouped_b = _grouped(a, code)[:, 0], _grouped(b, code)[:, 0]
    spread = float(grouped_b @ grouped_b)
    return -float(grouped_a @ grouped_b) / spread if spread > TINY**2 else 0.0


def _error(rows: FloatArray, code: IntArray | None) -> FloatArray:
    """Standard error of the mean of each column."""
    grouped = _grouped(rows, code)
    units = len(grouped)
    error: FloatArray = np.sqrt(units / (units - 1) * (grouped**2).sum(axis=0)) / len(rows)
    return error


def prediction_powered_mean(
    predictions: npt.ArrayLike,
    labels: npt.ArrayLike,
    inclusion: npt.ArrayLike | None,
    *,
    clusters: npt.ArrayLike | None = None,
    power: float | None = None,
    confidence: float = 0.95,
) -> Estimate:
    r"""Mean of what people would say of all rows, from an instrument's values and a sample of people's.

    Parameters
    ----------
    predictions : float array, shape (N,)
        The instrument's value of every row.
    labels : float array, shape (N,)
        People's value, NaN where nobody was asked.
    inclusion : float array, shape (N,), or None
        With which probability each row was to be asked about, in (0, 1]. None is refused, with the reason.
    clusters : labels, shape (N,), or None
        The independent units; None takes rows as independent.
    power
        How much the predictions count: 0 not at all, 1 in full; None takes what makes the variance smallest.
    confidence
        In (0, 1).

    Returns
    -------
    Estimate
        ``n`` counts labels, ``n_missing`` the rows without. NaN with a reason if inclusion probabilities are
        missing or 0 somewhere, for a row without prediction, or for fewer than ten labels; no interval for
        one cluster or without spread.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values; probabilities outside [0, 1].

    Notes
    -----
    .. math::
        \hat\theta = \frac{\lambda}{N} \sum_i f_i + \frac{\sum_{i \in S} (y_i - \lambda f_i)/\pi_i}
        {\sum_{i \in S} 1/\pi_i}

    Weights are normalized (Hajek), so that an equal-probability sample of fixed size is treated as what it
    is. The variance is that of the linearized rows, for the mean of the population that the N rows came
    from; the interval is t with (labels, or clusters that hold one) - 1 degrees of freedom. lambda is not
    clipped. Source: Angelopoulos, Duchi and Zrnic (2023), PPI++, arXiv:2311.01453; Zrnic and Candes (2024),
    arXiv:2403.03208, for unequal probabilities. By hand: all rows asked (inclusion 1) gives the mean of the
    labels and s / sqrt(N).
    """
    from scipy.special import stdtrit

    level(confidence)
    sample = _sample(predictions, labels, inclusion)
    if isinstance(sample, Estimate):
        return sample
    predicted, known, weights = sample
    size, n = len(weights), int((weights > 0).sum())
    code = None if clusters is None else codes(clusters, "clusters", size)[0]
    units = n if code is None else len(np.unique(code[weights > 0]))
    a, b = _influence(predicted[:, None], known[:, None], weights)
    used = _best_power(a, b, code) if power is None else float(power)
    share = weights / weights.sum()
    value = used * float(predicted.mean()) + float(share @ (known - used * predicted))
    if units < 2:
        return Estimate(value, NAN, NAN, n, units, "none", "one cluster: no spread between clusters", size - n)
    error = float(_error(a + used * b, code)[0])
    if error <= TINY * max(abs(value), float(np.abs(known).max())):
        return Estimate(value, NAN, NAN, n, units, "none", "no spread: no interval", size - n)
    half = float(stdtrit(units - 1, 0.5 + confidence / 2)) * error
    return Estimate(value, value - half, value + half, n, units, f"ppi++ power {used:.3g}", None, size - n)


def prediction_powered_quantile(
    predictions: npt.ArrayLike,
    labels: npt.ArrayLike,
    inclusion: npt.ArrayLike | None,
    q: float,
    *,
    clusters: npt.ArrayLike | None = None,
    power: float | None = None,
    confidence: float = 0.95,
) -> Estimate:
    r"""Quantile of what people would say of all rows, from an instrument's values and a sample of people's.

    Parameters
    ----------
    predictions, labels, inclusion, clusters, power, confidence
        As in :func:`prediction_powered_mean`; the power is chosen once, at the quantile of the labels alone.
    q
        Which quantile, in (0, 1).

    Returns
    -------
    Estimate
        The value is the smallest of all predictions and labels at which the estimated distribution reaches
        q. Its interval holds every point at which that distribution is not told from q. Undefined as
        :func:`prediction_powered_mean` is.

    Raises
    ------
    PairingError, ShapeError, RangeError
        As there; q outside (0, 1).

    Notes
    -----
    .. math::
        \hat F(t) = \frac{\lambda}{N} \sum_i 1[f_i \le t]
        + \frac{\sum_{S} (1[y_i \le t] - \lambda 1[f_i \le t])/\pi_i}{\sum_S 1/\pi_i},\quad
        |\hat F(t) - q| \le t_{df}\, SE(t)

    The distribution is made monotone by a running maximum for the value only. The upper end is the next
    point above the last one that is not rejected (where there is none: that last one), since the
    distribution stays the same until there. Source: as the mean; Angelopoulos et al. (2023), example 2.
    Checked with inclusion 1 against the sample quantile.
    """
    from scipy.special import stdtrit

    if not 0.0 < q < 1.0:
        raise RangeError(f"q: expected a number between 0 and 1 (exclusive), got {q!r}")
    level(confidence)
    sample = _sample(predictions, labels, inclusion)
    if isinstance(sample, Estimate):
        return sample
    predicted, known, weights = sample
    size, sampled = len(weights), weights > 0
    n = int(sampled.sum())
    code = None if clusters is None else codes(clusters, "clusters", size)[0]
    units = n if code is None else len(np.unique(code[sampled]))
    order = np.argsort(known[sampled], kind="stable")
    reached = np.cumsum(weights[sampled][order]) / weights.sum()
    pilot = known[sampled][order][min(int(np.searchsorted(reached, q - TINY)), n - 1)]

    def rows(points: FloatArray) -> tuple[FloatArray, FloatArray]:
        labels_below = ((known[:, None] <= points) & sampled[:, None]).astype(np.float64)
        return _influence((predicted[:, None] <= points).astype(np.float64), labels_below, weights)

    used = _best_power(*rows(np.array([pilot])), code) if power is None else float(power)
    grid = np.unique(np.concatenate([known[sampled], predicted if used else known[sampled]]))
    if units < 2:
        return Estimate(float(pilot), NAN, NAN, n, units, "none", "one cluster: no spread", size - n)
    critical = float(stdtrit(units - 1, 0.5 + confidence / 2))
    heights, errors = [], []
    block = max(1, CELLS // size)
    for start in range(0, len(grid), block):
        a, b = rows(grid[start : start + block])
        influence = a + used * b
        heights.append(influence.mean(axis=0))
        errors.append(_error(influence, code))
    height = np.concatenate(heights)
    accepted = np.abs(height - q) <= critical * np.concatenate(errors)
    value = float(grid[min(int(np.searchsorted(np.maximum.accumulate(height), q - TINY)), len(grid) - 1)])
    if not accepted.any():
        why = "no value is compatible with q: too few distinct values"
        return Estimate(value, NAN, NAN, n, units, "none", why, size - n)
    inside = np.flatnonzero(accepted)
    low, high = float(grid[inside[0]]), float(grid[min(inside[-1] + 1, len(grid) - 1)])
    low, high = min(low, value), max(high, value)
    return Estimate(value, low, high, n, units, f"ppi++ power {used:.3g}", None, size - n)
