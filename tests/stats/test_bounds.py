from __future__ import annotations

import numpy as np
import pytest

from trope.stats import RangeError, difference_bounds, manski_interval, mean_bounds


def test_by_hand() -> None:
    assert mean_bounds([1, 0, np.nan]) == pytest.approx((1 / 3, 2 / 3))
    assert mean_bounds([3, np.nan], 0, 3) == pytest.approx((1.5, 3.0))
    assert difference_bounds([1, np.nan], [np.nan, 0]) == pytest.approx((0.0, 1.0))
    assert mean_bounds([0.25, 0.75]) == (0.5, 0.5)
    assert np.isnan(mean_bounds([])).all() and np.isnan(difference_bounds([], [])).all()
    assert mean_bounds([np.nan]) == (0.0, 1.0)


def lose(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values go missing with a probability that depends on the value itself, in one of several ways."""
    how = rng.integers(4)
    chance = [values, 1 - values, (values > 0.5) * 1.0, np.abs(values - 0.5) * 2][how] * rng.random()
    return np.where(rng.random(len(values)) < chance, np.nan, values)


def test_bounds_contain_the_truth_always_when_missingness_depends_on_the_value() -> None:
    rng = np.random.default_rng(1)
    wrong, informative = 0, 0
    for _ in range(4000):
        n = int(rng.integers(1, 60))
        full = (rng.random((2, n)) < rng.random()) * 1.0 if rng.random() < 0.5 else rng.beta(0.7, 0.7, (2, n))
        a, b = lose(full[0], rng), lose(full[1], rng)
        worst, best = mean_bounds(a)
        low, high = difference_bounds(a, b)
        gap = full[0].mean() - full[1].mean()
        wrong += not (worst - 1e-12 <= full[0].mean() <= best + 1e-12) or not (low - 1e-12 <= gap <= high + 1e-12)
        seen = a[~np.isnan(a)]
        informative += len(seen) > 0 and abs(seen.mean() - full[0].mean()) > 0.05
    assert wrong == 0
    assert informative > 1000  # the mean of what is left would often have been wrong


def test_bounds_are_sharp() -> None:
    values = np.array([0.2, np.nan, 0.9, np.nan])
    worst, best = mean_bounds(values)
    assert worst == np.where(np.isnan(values), 0, values).mean()
    assert best == np.where(np.isnan(values), 1, values).mean()
    more = mean_bounds(np.append(values, np.nan))
    assert more[0] < worst and more[1] > best


def test_more_missing_values_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    hits, labels = (rng.random(200) < 0.6) * 1.0, np.arange(200) // 5
    widths = []
    for share in (0, 0.1, 0.3):
        holes = np.where(np.arange(200) < share * 200, np.nan, hits)
        found = manski_interval(holes, labels, rng=np.random.default_rng(0))
        assert found.n_missing == share * 200 and found.n == 200 - share * 200
        worst, best = mean_bounds(holes)
        assert found.low < worst <= best < found.high
        widths.append(found.high - found.low)
    assert widths[0] < widths[1] < widths[2]


def test_everything_missing_says_nothing() -> None:
    found = manski_interval([np.nan] * 20, np.arange(20), rng=np.random.default_rng(0))
    assert (found.low, found.high) == (0, 1) and not found.defined
    assert found.reason is not None and found.reason.startswith("every value is missing")
    assert manski_interval([], [], rng=np.random.default_rng(0)).reason == "no values"


def test_the_interval_covers_the_population_although_missingness_depends_on_the_value() -> None:
    rng = np.random.default_rng(3)
    held = naive = 0
    labels = np.arange(200) // 5
    for _ in range(400):
        rates = rng.beta(6, 4, 40)[labels]
        hits = (rng.random(200) < rates) * 1.0
        holes = np.where((hits == 0) & (rng.random(200) < 0.3), np.nan, hits)  # refusals hide failures
        found = manski_interval(holes, labels, n_resamples=400, rng=rng)
        held += found.low <= 0.6 <= found.high
        seen = np.nanmean(holes)
        naive += abs(seen - 0.6) < 0.09
    assert held / 400 > 0.95
    assert naive / 400 < 0.9


def test_what_is_refused() -> None:
    with pytest.raises(RangeError, match=r"values: expected values in \[0, 1\], got 3"):
        mean_bounds([3.0])
