from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from trope.stats import (
    correlation_interval,
    kendall_tau_b,
    kendall_w,
    pairwise_spearman,
    pearson,
    spearman,
)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("n", [5, 30, 700])
@pytest.mark.parametrize("seed", range(3))
def test_equal_to_scipy(seed: int, n: int, tied: bool) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.5 * x + rng.normal(size=n)
    if tied:
        x, y = np.rint(2 * x), np.rint(2 * y)
    theirs = scipy_stats.pearsonr(x, y)
    found, limits = pearson(x, y), theirs.confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((theirs.statistic, *limits), abs=1e-9)
    assert spearman(x, y).value == pytest.approx(scipy_stats.spearmanr(x, y).statistic, abs=1e-9)
    assert kendall_tau_b(x, y).value == pytest.approx(scipy_stats.kendalltau(x, y).statistic, abs=1e-9)


def test_by_hand() -> None:
    for function, expected in ((pearson, 0.5), (spearman, 0.5), (kendall_tau_b, 1 / 3)):
        assert function([1, 2, 3], [1, 3, 2]).value == pytest.approx(expected)
    assert kendall_w([[1, 1], [2, 3], [3, 2]]).value == pytest.approx(0.75)
    assert pairwise_spearman([[1, 1, 1], [2, 2, 3], [3, 3, 2]]).value == pytest.approx(2 / 3)
    # tanh(atanh(0.5) +- 1.96 sqrt((1 + 0.125) / 17)) for Spearman's 0.5 of 20 rows
    half = 1.959964 * math.sqrt(1.125 / 17)
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=20), rng.normal(size=20)
    found = spearman(x, y)
    half = 1.959964 * math.sqrt((1 + found.value**2 / 2) / 17)
    assert found.high == pytest.approx(math.tanh(math.atanh(found.value) + half), abs=1e-6)
    found = kendall_tau_b(x, y)
    assert found.low == pytest.approx(math.tanh(math.atanh(found.value) - 1.959964 * math.sqrt(0.437 / 16)), abs=1e-6)


def test_concordance_equals_friedman_and_mean_spearman() -> None:
    rng = np.random.default_rng(2)
    ratings = rng.normal(size=(12, 1)) + rng.normal(size=(12, 5))
    chi = scipy_stats.friedmanchisquare(*ratings).statistic  # rows are treatments, columns are blocks
    assert kendall_w(ratings).value == pytest.approx(chi / (5 * 11), abs=1e-9)
    w = kendall_w(ratings).value
    assert pairwise_spearman(ratings).value == pytest.approx((5 * w - 1) / 4, abs=1e-9)
    tied = np.rint(ratings)
    chi = scipy_stats.friedmanchisquare(*tied).statistic
    assert kendall_w(tied).value == pytest.approx(chi / (5 * 11), abs=1e-9)


def test_pairwise_deletion() -> None:
    rng = np.random.default_rng(3)
    ratings = rng.normal(size=(15, 1)) + rng.normal(size=(15, 3))
    ratings[0, 0] = ratings[1, 1] = np.nan
    expected = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = ~np.isnan(ratings[:, i] + ratings[:, j])
        expected.append(scipy_stats.spearmanr(ratings[both, i], ratings[both, j]).statistic)
    found = pairwise_spearman(ratings)
    assert found.value == pytest.approx(np.mean(expected), abs=1e-9) and found.n_missing == 2
    ratings[:, 2] = 4
    assert pairwise_spearman(ratings).reason == "2 of 3 pairs of raters undefined"


@pytest.mark.parametrize(("kind", "function"), [("pearson", "pearsonr"), ("spearman", "spearmanr")])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_cluster_bootstrap_equals_a_plain_loop(kind: str, function: str, method: str) -> None:
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(15), 4)
    x = np.rint(2 * (rng.normal(size=15)[labels] + rng.normal(size=60)))
    y = np.rint(x + 3 * rng.normal(size=60))
    theirs = getattr(scipy_stats, function)

    def correlation(picks: np.ndarray) -> float:
        rows = np.concatenate([np.flatnonzero(labels == c) for c in picks])
        return float(theirs(x[rows], y[rows]).statistic)

    found = correlation_interval(x, y, labels, kind=kind, method=method, n_resamples=200, rng=np.random.default_rng(9))
    sample = np.array([correlation(p) for p in np.random.default_rng(9).integers(0, 15, (200, 15))])
    low, high = 0.025, 0.975
    if method == "bca":
        left = np.array([correlation(np.delete(np.arange(15), c)) for c in range(15)])
        pull = left.mean() - left
        a = (pull**3).sum() / (6 * (pull**2).sum() ** 1.5)
        z0 = scipy_stats.norm.ppf((sample < found.value).mean())
        low, high = (
            scipy_stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in scipy_stats.norm.ppf([0.025, 0.975])
        )
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(sample, [low, high])), abs=1e-9)
    assert found.value == pytest.approx(theirs(x, y).statistic, abs=1e-9)


def test_rows_instead_of_images_would_be_too_narrow() -> None:
    """Three ratings of one image are not three images: the simile paper's intervals take them so."""
    rng = np.random.default_rng(5)
    image = np.repeat(np.arange(100), 3)
    x = rng.normal(size=100)[image]
    y = 0.5 * x + rng.normal(size=100)[image] + rng.normal(0, 0.2, 300)
    images = correlation_interval(x, y, image, rng=np.random.default_rng(1))
    rows = correlation_interval(x, y, np.arange(300), rng=np.random.default_rng(1))
    assert images.high - images.low > 1.4 * (rows.high - rows.low)
    assert (images.n, images.n_clusters) == (300, 100)


def test_what_is_undefined() -> None:
    assert pearson([1], [1]).reason == "1 row(s), fewer than 2"
    assert spearman([1, 1], [1, 2]).reason == "one of the two has no spread"
    assert pearson([1, 2], [1, 2]).reason == "2 rows: too few for an interval"
    assert pearson([1, 2, 3, 4], [2, 4, 6, 8]).reason == "the correlation is perfect: no interval"
    assert kendall_w([[1, 1], [1, 1]]).reason == "every rater ties everything"
    assert kendall_w([[1, 1]]).reason == "1 row(s) and 2 rater(s): fewer than 2 of one"
    assert pairwise_spearman([[1], [2]]).reason == "1 rater(s): no pair with a defined correlation"
    few = correlation_interval([1, 2, 3], [1, 3, 2], [1, 2, 3], rng=np.random.default_rng(0))
    assert few.value == pytest.approx(0.5) and few.reason == "3 clusters, fewer than 10"
