from __future__ import annotations

import numpy as np
import pytest

from trope.stats import RangeError, mean_interval, rate_interval, two_way_interval, wilson


def generator() -> np.random.Generator:
    return np.random.default_rng(11)


LABELS = np.repeat(np.arange(40), 5)


def some_hits(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random(200) < rng.beta(2, 4, 40)[LABELS]).astype(float)


def test_the_usual_interval() -> None:
    found = rate_interval(some_hits(), LABELS, rng=generator())
    assert (found.method, found.reason, found.n, found.n_clusters) == ("studentized-clusters", None, 200, 40)
    assert 0 < found.low < found.value < found.high < 1
    assert found == rate_interval(some_hits(), LABELS, rng=generator())
    assert found == mean_interval(some_hits(), LABELS, bounds=(0, 1), rng=generator())
    assert found == rate_interval(some_hits().astype(bool), [f"class {c}" for c in LABELS + 100], rng=generator())


@pytest.mark.parametrize(("value", "reason"), [(0.0, "all values are 0"), (1.0, "all values are 1")])
@pytest.mark.parametrize("clusters", [2, 9, 10, 40])
def test_a_rate_of_0_or_1_gets_wilson_on_clusters(value: float, reason: str, clusters: int) -> None:
    found = rate_interval(np.full(200, value), np.arange(200) % clusters, rng=generator())
    score = wilson(value * clusters, clusters)
    assert (found.value, found.low, found.high) == (value, score.low, score.high)
    assert (found.method, found.reason) == ("wilson-clusters", reason)
    assert found.high - found.low > 0.05


def test_fewer_than_ten_clusters_get_wilson_on_clusters() -> None:
    hits = some_hits()
    found = rate_interval(hits, np.arange(200) % 9, rng=generator())
    score = wilson(hits.mean() * 9, 9)
    assert (found.low, found.high) == pytest.approx((score.low, score.high), abs=1e-12)
    assert (found.method, found.reason) == ("wilson-clusters", "9 clusters, fewer than 10")
    assert rate_interval(hits, np.arange(200) % 10, rng=generator()).method == "studentized-clusters"


def test_hits_in_three_clusters_are_too_few_to_resample() -> None:
    hits = np.zeros(200)
    hits[[0, 1, 50, 100]] = 1
    found = rate_interval(hits, LABELS, rng=generator())
    assert (found.method, found.reason) == ("wilson-clusters", "more than 2.5 % of the resamples have no spread")
    assert found.low > 0
    assert rate_interval(1 - hits, LABELS, rng=generator()).method == "wilson-clusters"


def test_clusters_of_one_row_get_wilson() -> None:
    hits = some_hits()[:60]
    found = rate_interval(hits, np.arange(60), rng=generator())
    score = wilson(hits.sum(), 60)
    assert (found.method, found.low, found.high) == ("wilson", score.low, score.high)


def test_one_cluster_and_no_rows() -> None:
    one = rate_interval([1, 0, 1], ["a", "a", "a"], rng=generator())
    assert one.value == pytest.approx(2 / 3) and not one.bounded
    assert one.reason == "one cluster: what varies between clusters cannot be seen"
    none = rate_interval([], [], rng=generator())
    assert not none.defined and none.reason == "no values" and none.n == 0
    gone = rate_interval([np.nan, np.nan], [1, 2], rng=generator())
    assert not gone.defined and gone.n_missing == 2


def test_missing_values_are_counted() -> None:
    hits = some_hits()
    holes = np.concatenate([hits, [np.nan, np.nan]])
    found = rate_interval(holes, np.concatenate([LABELS, [0, 99]]), rng=generator())
    assert found.n_missing == 2 and found.n_clusters == 40
    assert (found.low, found.high) == pytest.approx(
        (lambda e: (e.low, e.high))(rate_interval(hits, LABELS, rng=generator()))
    )


def test_means_without_bounds_have_no_stand_in() -> None:
    few = mean_interval([1.0, 2.0, 3.0], [1, 2, 3], rng=generator())
    assert few.value == 2 and not few.bounded and few.reason == "3 clusters, fewer than 10"
    flat = mean_interval(np.full(30, 2.5), np.arange(30), rng=generator())
    assert flat.value == 2.5 and not flat.bounded and flat.reason == "all values are 2.5"
    bounded = mean_interval([1.0, 2.0, 3.0], [1, 2, 3], bounds=(0, 3), rng=generator())
    score = wilson(2, 3)  # 2 of 3 on the way from 0 to 3
    assert (bounded.low, bounded.high) == pytest.approx((3 * score.low, 3 * score.high))


def test_ends_stay_within_bounds() -> None:
    rng = np.random.default_rng(2)
    labels = np.repeat(np.arange(12), 3)
    for seed in range(50):
        values = 100 * np.random.default_rng(seed).beta(8, 0.5, 36)
        found = mean_interval(values, labels, bounds=(0, 100), n_resamples=200, rng=rng)
        assert 0 <= found.low < found.value < found.high <= 100


def test_two_ways() -> None:
    hits, template = some_hits(), np.arange(200) % 14
    found = two_way_interval(hits, LABELS, template, rng=generator())
    assert (found.method, found.n_clusters) == ("percentile-two-way", 14)
    few = two_way_interval(hits, LABELS, np.arange(200) % 5, rng=generator())
    assert (few.method, few.reason) == ("wilson-clusters", "5 clusters, fewer than 10")
    zero = two_way_interval(hits * 0, LABELS, template, rng=generator())
    assert zero.low == 0 and zero.high == wilson(0, 14).high
    scores = two_way_interval(hits * 2.5, LABELS, np.arange(200) % 5, rng=generator())
    assert not scores.bounded and scores.reason == "5 clusters, fewer than 10"


def test_what_is_refused() -> None:
    with pytest.raises(RangeError, match=r"hits: expected 0, 1 or NaN, got 0\.5"):
        rate_interval([0.5], [1], rng=generator())
    with pytest.raises(RangeError, match="clusters: expected a label for every row, got 1 missing"):
        rate_interval([1, 0], ["a", None], rng=generator())
    with pytest.raises(RangeError, match=r"values: expected values in \[0, 1\], got 2"):
        mean_interval([2.0], [1], bounds=(0, 1), rng=generator())


@pytest.mark.parametrize(("n", "least", "share_in_band"), [(40, 0.92, 0.85), (80, 0.935, 0.97), (160, 0.94, 1.0)])
def test_coverage_of_single_rows_exactly(n: int, least: float, share_in_band: float) -> None:
    """For clusters of one row it is a sum of binomial probabilities: no simulation, the docs' table is computed so."""
    from scipy.stats import binom

    ends = [(one.low, one.high) for one in (wilson(k, n) for k in range(n + 1))]
    low, high = np.array(ends).T
    rates = np.linspace(0.05, 0.95, 181)
    found = np.array([binom.pmf(np.flatnonzero((low <= r) & (r <= high)), n, r).sum() for r in rates])
    assert found.mean() == pytest.approx(0.95, abs=0.003) and found.min() > least
    assert ((found >= 0.935) & (found <= 0.965)).mean() >= share_in_band
