"""V-Score and its variants: weighted means of the four questions' points, from 0 to 100."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

MOST = 3  # points of a question
DEFAULT = "0.30, 0.30, 0.20, 0.20"
# Weights of Q1..Q4, as printed in the paper (appendix A.5).
SCHEMES: Mapping[str, tuple[float, float, float, float]] = {
    DEFAULT: (0.30, 0.30, 0.20, 0.20),
    "Q1 + Q2": (0.50, 0.50, 0.00, 0.00),
    "Q3 + Q4": (0.00, 0.00, 0.50, 0.50),
    "equal": (0.25, 0.25, 0.25, 0.25),
}
WEIGHTS = SCHEMES[DEFAULT]


def v_score(points: ArrayLike, weights: tuple[float, float, float, float] = WEIGHTS) -> NDArray[np.float64]:
    """Points of Q1..Q4 to a score; linear, so that a difference of points gives a difference of scores.

    Parameters
    ----------
    points : float array, shape (..., 4), each in [0, 3]; NaN where a question has no answer.

    Returns
    -------
    Array of shape (...), 100 * sum(weight * points) / 3; NaN unless all four are there, whatever the weights.

    Notes
    -----
    The paper prints the weights and loses the formula; the normalization is inferred: its examples 73.3, 80.0,
    93.3 and 100.0 are all reachable. By hand: (3, 1, 3, 2) -> 100 * (0.9 + 0.3 + 0.6 + 0.4) / 3 = 73.33.
    """
    given = np.asarray(points, float)
    return np.asarray(100.0 * (given * np.array(weights)).sum(axis=-1) / MOST)


def worth(question: int) -> float:
    """Points of the V-Score that one point of a question is worth: 10 for Q1 and Q2, 6.67 for Q3 and Q4."""
    return 100.0 * WEIGHTS[question] / MOST
