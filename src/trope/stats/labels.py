"""How well predictions match the truth: accuracy, balanced accuracy, macro-F1, mean absolute error.

A prediction that is missing (None or NaN) is WRONG and stays in the denominator: a model gains nothing by not
answering. A missing truth is no truth: that row is left out and counted.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trope.stats._checks import BoolArray, IntArray, PairingError, StatsError, label_array, pair
from trope.stats.result import Estimate, point, undefined


def _codes(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> tuple[IntArray, IntArray, int, int]:
    """Truth as codes 0..k-1, predictions as codes or -1 where they are none of these, k, rows left out."""
    gold, gone = label_array(truth, "truth")
    said, silent = label_array(predicted, "predicted")
    if len(gold) != len(said):
        raise PairingError(f"truth, predicted: expected the same rows in both, got {len(gold)} and {len(said)}")
    kept: BoolArray = ~gone
    missing, gold, said, silent = int(gone.sum()), gold[kept], said[kept], silent[kept]
    texts = {array.dtype.kind in "US" for array in (gold, said[~silent]) if len(array)}
    if len(texts) > 1:
        raise StatsError("truth, predicted: expected the same kind in both, got numbers and strings")
    known, code = np.unique(gold, return_inverse=True)
    guess = np.full(len(gold), -1, dtype=np.int64)
    if len(known):
        spot = np.clip(np.searchsorted(known, said[~silent]), 0, len(known) - 1)
        guess[~silent] = np.where(known[spot] == said[~silent], spot, -1)
    return code.reshape(-1).astype(np.int64), guess, len(known), missing


def accuracy(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> Estimate:
    """Share of rows whose prediction is right.

    Parameters
    ----------
    truth : labels, shape (n,)
        Rows where it is None or NaN are left out and counted.
    predicted : labels, shape (n,)
        None or NaN (unparsed, refused) counts as wrong.

    Returns
    -------
    Estimate
        In [0, 1]; NaN with a reason for no rows. No interval: ``rate_interval`` on the rows that are right.

    Raises
    ------
    PairingError, ShapeError, StatsError
        Lengths differ; numbers against strings.

    Notes
    -----
    By hand: truth (a, b, b), predicted (a, b, None) give 2/3. Checked against
    ``sklearn.metrics.accuracy_score``.
    """
    gold, said, _, missing = _codes(truth, predicted)
    if len(gold) == 0:
        return undefined("no rows", n_missing=missing)
    return point(float((gold == said).mean()), len(gold), None, missing)


def balanced_accuracy(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> Estimate:
    r"""Mean over the classes of the truth of the share of their rows that are predicted right.

    Parameters
    ----------
    truth, predicted : labels, shape (n,)
        As in :func:`accuracy`.

    Returns
    -------
    Estimate
        In [0, 1]; NaN with a reason for no rows. A classifier that always says the same gets 1 / classes.

    Raises
    ------
    PairingError, ShapeError, StatsError
        Lengths differ; numbers against strings.

    Notes
    -----
    .. math:: \frac1K \sum_c \frac{\#\{truth = predicted = c\}}{\#\{truth = c\}}

    Not adjusted for chance; a class that the truth lacks does not count. Source: Brodersen et al. (2010),
    doi:10.1109/ICPR.2010.764. By hand: truth (a, a, b), predicted (a, b, b) give (1/2 + 1)/2 = 3/4. Checked
    against ``sklearn.metrics.balanced_accuracy_score``.
    """
    gold, said, size, missing = _codes(truth, predicted)
    if len(gold) == 0:
        return undefined("no rows", n_missing=missing)
    right = np.bincount(gold, weights=gold == said, minlength=size)
    return point(float((right / np.bincount(gold, minlength=size)).mean()), len(gold), None, missing)


def macro_f1(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> Estimate:
    r"""Mean over the classes of the truth of their F1.

    Parameters
    ----------
    truth, predicted : labels, shape (n,)
        As in :func:`accuracy`.

    Returns
    -------
    Estimate
        In [0, 1]; NaN with a reason for no rows.

    Raises
    ------
    PairingError, ShapeError, StatsError
        Lengths differ; numbers against strings.

    Notes
    -----
    .. math:: F_1(c) = \frac{2\,TP_c}{2\,TP_c + FP_c + FN_c}

    The mean of F1, not the F1 of mean precision and recall. Classes: those of the truth; a prediction that
    is none of them (or missing) is a miss of its row's class and nothing else. scikit-learn takes the union
    of truth and predictions unless ``labels`` says otherwise, and then agrees. Source: Opitz and Burst
    (2019), arXiv:1911.03347. By hand: truth (a, a, b), predicted (a, b, b): F1(a) = 2/3, F1(b) = 2/3.
    """
    gold, said, size, missing = _codes(truth, predicted)
    if len(gold) == 0:
        return undefined("no rows", n_missing=missing)
    right = np.bincount(gold, weights=gold == said, minlength=size)
    guessed = np.bincount(said[said >= 0], minlength=size)
    f1 = 2 * right / (np.bincount(gold, minlength=size) + guessed)
    return point(float(f1.mean()), len(gold), None, missing)


def mean_absolute_error(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """Mean of |a - b| over rows.

    Parameters
    ----------
    a, b : float array, shape (n,)
        Rows with a NaN in either are left out and counted (no error can be invented for them).

    Returns
    -------
    Estimate
        At least 0; NaN with a reason for no rows. No interval: ``mean_interval`` of |a - b|.

    Raises
    ------
    PairingError, ShapeError, RangeError
        Lengths differ; infinite values.

    Notes
    -----
    By hand: (1, 2) and (2, 4) give 3/2. Checked against ``sklearn.metrics.mean_absolute_error``.
    """
    first, second, missing = pair(a, b)
    if len(first) == 0:
        return undefined("no rows", n_missing=missing)
    return point(float(np.abs(first - second).mean()), len(first), None, missing)
