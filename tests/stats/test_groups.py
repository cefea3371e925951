from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from trope.stats import RangeError, anova, cohen_d, mann_whitney, r_from_d, welch


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n_a", "n_b"), [(2, 3), (8, 30), (25, 40)])
def test_equal_to_scipy(seed: int, n_a: int, n_b: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(0.4, 2, n_a), rng.normal(size=n_b), rng.normal(size=7)
    found, theirs = welch(a, b), scipy_stats.ttest_ind(a, b, equal_var=False)
    assert (found.statistic, found.p, found.df[0]) == pytest.approx(
        (theirs.statistic, theirs.pvalue, theirs.df), abs=1e-9
    )
    found, theirs = mann_whitney(a, b), scipy_stats.mannwhitneyu(a, b)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    assert found.method == ("mann-whitney exact" if n_a <= 8 else "mann-whitney normal")
    found, theirs = anova([a, b, c]), scipy_stats.f_oneway(a, b, c)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_mann_whitney_with_ties_equals_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(1, 6, 6), rng.integers(1, 6, 20)
    found, theirs = mann_whitney(a, b), scipy_stats.mannwhitneyu(a, b, method="asymptotic")
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)


def test_by_hand() -> None:
    found = welch([1, 2, 3], [4, 5, 6])
    assert (found.statistic, found.df[0], found.effect) == pytest.approx((-3 / np.sqrt(2 / 3), 4, -3))
    assert cohen_d([1, 2, 3], [4, 5, 6]).value == -3
    found = mann_whitney([1, 2], [3, 4])
    assert (found.statistic, found.effect) == (0, -1) and found.p == pytest.approx(2 / 6)
    found = anova([[1, 2, 3], [2, 3, 4], [3, 4, 5]])
    assert (found.statistic, found.effect, found.df) == (pytest.approx(3), pytest.approx(0.5), (2.0, 6.0))


def test_d_belongs_to_the_pooled_t() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(1, 1, 12), rng.normal(size=20)
    t = scipy_stats.ttest_ind(a, b).statistic
    assert cohen_d(a, b).value == pytest.approx(t * np.sqrt(1 / 12 + 1 / 20), abs=1e-9)


def test_r_from_d_is_the_point_biserial_correlation() -> None:
    rng = np.random.default_rng(3)
    y = np.concatenate([rng.normal(2, 1, 40), rng.normal(0, 1, 60)])
    group = np.repeat([1, 0], [40, 60])
    squares = sum(((y[group == g] - y[group == g].mean()) ** 2).sum() for g in (0, 1))
    d = (y[:40].mean() - y[40:].mean()) / np.sqrt(squares / 100)  # n, not n - 2
    assert r_from_d(d, 0.4) == pytest.approx(np.corrcoef(y, group)[0, 1], abs=1e-12)
    assert r_from_d(-d, 0.6) == pytest.approx(-r_from_d(d, 0.4))
    with pytest.raises(RangeError, match=r"share: expected a number between 0 and 1 \(exclusive\), got 1"):
        r_from_d(1, 1)


def test_what_is_undefined() -> None:
    assert welch([1], [1, 2]).reason == "groups of 1 and 2: fewer than 2 values in one"
    assert welch([1, 1], [2, 2]).reason == "neither group has any spread"
    assert mann_whitney([], [1]).reason == "groups of 0 and 1: one is empty"
    assert mann_whitney([1, 1], [1]).reason == "all values are equal"
    assert anova([[1, 2]]).reason == "groups of 2: too few or an empty one"
    assert anova([]).reason == "groups of none: too few or an empty one"
    assert anova([[1, 1], [2, 2]]).reason == "no group has any spread"
    assert cohen_d([1, 1], [1, 1]).reason == "groups of 2 and 2 values: too few, or no spread"
    assert np.isnan(r_from_d(float("nan"), 0.5))
