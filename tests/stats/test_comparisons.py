from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from trope.stats import PairingError, RangeError, cohen_d_paired, equivalence, holm, paired_permutation, wilcoxon


def generator() -> np.random.Generator:
    return np.random.default_rng(11)


def test_permutation_by_hand() -> None:
    # differences 3, 2, 1 in three clusters: of 8 sign patterns only +++ and --- reach |6|
    found = paired_permutation([3, 2, 1], [0, 0, 0], ["a", "b", "c"], rng=generator())
    assert (found.statistic, found.p, found.effect) == pytest.approx((2.0, 2 / 8, 2.0))
    assert found.method == "sign-flip exact" and found.reason == "3 cluster(s): p cannot be below 0.25"
    # in two clusters {3, 2} and {1} the patterns give 6, 4, -4, -6
    assert paired_permutation([3, 2, 1], [0, 0, 0], [0, 0, 1], rng=generator()).p == 0.5
    assert paired_permutation([1, 0, 1], [0, 1, 1], [0, 1, 2], rng=generator()).p == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_exact_p_equals_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.4, 1, 11), rng.normal(size=11)
    theirs = scipy_stats.permutation_test(
        (a, b), lambda x, y, axis: (x - y).mean(axis), permutation_type="samples", vectorized=True, n_resamples=np.inf
    )
    found = paired_permutation(a, b, np.arange(11), rng=rng)
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)
    assert found.statistic == pytest.approx(theirs.statistic, abs=1e-9)


def test_drawn_p_is_near_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.3, 1, 60), rng.normal(size=60)
    labels = np.arange(60) // 5
    exact = paired_permutation(a, b, labels, rng=generator())
    drawn = paired_permutation(a, b, labels, n_perm=4000, rng=generator())
    assert exact.method == "sign-flip exact" and drawn.method == "sign-flip"
    assert drawn.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 4000))
    assert paired_permutation(a + 9, b, np.arange(60), n_perm=99, rng=generator()).p == 1 / 100


def test_degenerate_pairs() -> None:
    nothing = paired_permutation([], [], [], rng=generator())
    assert not nothing.defined and nothing.reason == "no pairs"
    lost = paired_permutation([np.nan], [1], [0], rng=generator())
    assert not lost.defined and lost.n_missing == 1
    equal = paired_permutation([1] * 20, [1] * 20, np.arange(20), rng=generator())
    assert equal.p == 1 and math.isnan(equal.effect)
    assert equal.reason == "the differences have no spread: no effect size"
    assert paired_permutation([5, 6], [1, 1], ["x", "x"], rng=generator()).p == 1.0
    with pytest.raises(PairingError, match="a, b: expected the same rows in both, got 2 and 1"):
        paired_permutation([1, 2], [1], [0, 1], rng=generator())


def type_one(n_clusters: int, runs: int, seed: int) -> float:
    """Share of p <= 0.05 where A and B are equal, clusters of unequal size having their own differences."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(runs):
        labels = np.repeat(np.arange(n_clusters), rng.integers(2, 12, n_clusters))
        gap = rng.normal(0, 1, n_clusters)[labels] + rng.standard_t(4, len(labels))
        found += paired_permutation(gap, np.zeros(len(gap)), labels, n_perm=499, rng=rng).p <= 0.05
    return found / runs


def test_type_one_error_is_five_percent() -> None:
    assert 0.04 <= type_one(40, 2000, 20260101) <= 0.06


def test_flipping_rows_instead_of_clusters_would_not_do() -> None:
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(300):
        labels = np.repeat(np.arange(40), 6)
        gap = rng.normal(0, 1, 40)[labels] + rng.normal(0, 1, 240)
        found += paired_permutation(gap, np.zeros(240), np.arange(240), n_perm=499, rng=rng).p <= 0.05
    assert found / 300 > 0.15


@pytest.mark.parametrize("n", [3, 10, 25, 50])
@pytest.mark.parametrize("seed", range(3))
def test_wilcoxon_equals_scipy_exact(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.3, 1, n), rng.normal(size=n)
    theirs = scipy_stats.wilcoxon(a, b, method="exact")
    found = wilcoxon(a, b)
    assert found.method == "wilcoxon exact"
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)
    assert min(found.statistic, n * (n + 1) / 2 - found.statistic) == pytest.approx(theirs.statistic)


@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_equals_scipy_with_ties_and_zeros(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, 40), rng.integers(0, 6, 40)
    theirs = scipy_stats.wilcoxon(a, b, method="asymptotic", zero_method="wilcox", correction=False)
    found = wilcoxon(a, b)
    assert found.method == "wilcoxon normal"
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)


def test_wilcoxon_by_hand() -> None:
    found = wilcoxon([1, 2, 3], [0, 0, 0])
    assert (found.statistic, found.p, found.effect) == (6, 0.25, 1)
    assert wilcoxon([1, 1], [1, 1]).reason == "no pair differs"


def test_d_by_hand() -> None:
    found = cohen_d_paired([1, 2, 3], [0, 0, 0])
    assert found.value == 2.0
    assert found.high - found.value == pytest.approx(1.959964 * math.sqrt(1 / 3 + 4 / 6), abs=1e-5)
    assert cohen_d_paired([2, 2], [1, 1]).reason == "the differences have no spread"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("margin", [0.2, 0.5, 2.0])
def test_equivalence_equals_statsmodels(seed: int, margin: float) -> None:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=30)
    b = a + rng.normal(0.1, 0.5, 30)
    p, low, high = ttost_paired(a, b, -margin, margin)
    found = equivalence(a, b, np.arange(30), margin=margin)
    assert found.p == pytest.approx(p, abs=1e-9)
    harder = low if low[1] > high[1] else high
    assert (found.statistic, found.df[0]) == pytest.approx((harder[0], harder[2]), abs=1e-9)


def test_equivalence_over_clusters_is_more_careful() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(20), 10)
    gap = rng.normal(0, 0.4, 20)[labels] + rng.normal(0, 0.4, 200)
    rows = equivalence(gap, gap * 0, np.arange(200), margin=0.3)
    clusters = equivalence(gap, gap * 0, labels, margin=0.3)
    assert clusters.p > rows.p and clusters.df == (19.0,)
    with pytest.raises(RangeError, match="margin: expected a number above 0, got 0"):
        equivalence([1], [1], [1], margin=0)
    assert equivalence([1, 2], [1, 2], [0, 0], margin=1).reason == "1 cluster(s), fewer than 2"


@pytest.mark.parametrize("seed", range(5))
def test_holm_equals_statsmodels(seed: int) -> None:
    p = np.random.default_rng(seed).beta(0.5, 3, 12)
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], atol=1e-12)
    order = np.random.default_rng(seed).permutation(12)
    np.testing.assert_allclose(holm(p[order]), holm(p)[order])


def test_holm_by_hand_and_with_undefined_tests() -> None:
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.01, np.nan, 0.04]), [0.02, np.nan, 0.04])
    assert len(holm([])) == 0
