"""Midranks, tie groups, and the two exact rank distributions that small samples need."""

from __future__ import annotations

import numpy as np

from trope.stats._checks import FloatArray


def midranks(values: FloatArray) -> FloatArray:
    """Ranks 1..n in rising order; ties get the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: FloatArray = ((2 * last - counts + 1) / 2.0)[inverse.reshape(-1)]
    return ranks


def tie_term(values: FloatArray) -> float:
    """Sum of t^3 - t over groups of t equal values: 0 without ties."""
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float((counts**3 - counts).sum())


def signed_rank_counts(n: int) -> FloatArray:
    """How many of the 2^n sign patterns give each sum 0..n(n+1)/2 of the positive ranks."""
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1.0
    for rank in range(1, n + 1):
        counts[rank:] += counts[:-rank].copy()
    return counts


def rank_sum_counts(n_a: int, n_b: int) -> FloatArray:
    """How many of the arrangements of n_a and n_b values give each U = 0..n_a n_b."""
    top = n_a * n_b
    counts = np.zeros(top + 1)
    counts[0] = 1.0
    for i in range(1, n_a + 1):  # the Gaussian binomial coefficient, factor by factor
        multiply, divide = n_b + i, i
        if multiply <= top:
            counts[multiply:] -= counts[: top + 1 - multiply].copy()
        for u in range(divide, top + 1):
            counts[u] += counts[u - divide]
    return counts


def two_tails(counts: FloatArray, statistic: float) -> float:
    """Two-sided p of a whole number under a distribution given by counts: twice the smaller tail."""
    at = round(statistic)
    total = counts.sum()
    low, high = counts[: at + 1].sum() / total, counts[at:].sum() / total
    return float(min(1.0, 2 * min(low, high)))
