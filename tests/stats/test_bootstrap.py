from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from trope.stats import (
    StatsError,
    _resample,
    bootstrap_statistic,
    cluster_bootstrap,
    cluster_bootstrap_table,
    ratio_interval,
    two_way_bootstrap,
)


def generator() -> np.random.Generator:
    return np.random.default_rng(11)


def ends(estimate: object) -> tuple[float, float]:
    return estimate.low, estimate.high  # type: ignore[attr-defined]


def ragged(seed: int, clusters: int = 30) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(clusters), rng.integers(1, 9, clusters))
    return rng.normal(size=clusters)[labels] + rng.gamma(2, size=len(labels)), labels


@pytest.mark.parametrize(("method", "theirs"), [("bca", "BCa"), ("percentile", "percentile")])
@pytest.mark.parametrize("seed", range(4))
def test_equal_to_scipy_with_the_same_draws(method: str, theirs: str, seed: int) -> None:
    values = np.random.default_rng(seed).gamma(2, size=60)
    ours = cluster_bootstrap(values, np.arange(60), method=method, n_resamples=999, rng=generator())
    found = scipy_stats.bootstrap((values,), np.mean, n_resamples=999, method=theirs, rng=generator())
    assert ends(ours) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_clusters_equal_scipy_on_sums_and_counts(seed: int) -> None:
    values, labels = ragged(seed)
    sums = np.array([values[labels == c].sum() for c in range(30)])
    counts = np.array([(labels == c).sum() for c in range(30)], dtype=float)
    found = scipy_stats.bootstrap(
        (sums, counts),
        lambda s, n, axis: s.sum(axis) / n.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=999,
        method="BCa",
        rng=generator(),
    )
    ours = cluster_bootstrap(values, labels, n_resamples=999, rng=generator())
    assert ends(ours) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)
    assert ours.value == pytest.approx(values.mean(), abs=1e-12)
    assert (ours.n, ours.n_clusters, ours.method) == (len(values), 30, "bca-clusters")


def test_studentized_equals_a_plain_loop() -> None:
    values, labels = ragged(5)

    def mean_and_error(rows: list[np.ndarray]) -> tuple[float, float]:
        sums, sizes = np.array([r.sum() for r in rows]), np.array([len(r) for r in rows])
        mean = sums.sum() / sizes.sum()
        c = len(rows)
        return mean, float(np.sqrt(c / (c - 1) * ((sums - mean * sizes) ** 2).sum()) / sizes.sum())

    groups = [values[labels == c] for c in range(30)]
    mean, error = mean_and_error(groups)
    distances = []
    for pick in generator().integers(0, 30, (999, 30)):
        drawn, spread = mean_and_error([groups[c] for c in pick])
        distances.append((drawn - mean) / spread)
    near, far = np.quantile(distances, [0.025, 0.975])
    ours = cluster_bootstrap(values, labels, method="studentized", n_resamples=999, rng=generator())
    assert ends(ours) == pytest.approx((mean - far * error, mean - near * error), abs=1e-9)


def test_studentized_on_the_arcsine_scale_equals_a_plain_loop() -> None:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(25), 6)
    values = (rng.random(150) < rng.beta(2, 5, 25)[labels]).astype(float)
    sums = np.bincount(labels, weights=values)

    def angle_and_error(s: np.ndarray) -> tuple[float, float]:
        rate = s.sum() / 150
        error = np.sqrt(25 / 24 * ((s - 6 * rate) ** 2).sum()) / 150
        return float(np.arcsin(np.sqrt(rate))), float(error / (2 * np.sqrt(rate * (1 - rate))))

    angle, error = angle_and_error(sums)
    distances = []
    for pick in generator().integers(0, 25, (999, 25)):
        drawn, spread = angle_and_error(sums[pick])
        distances.append((drawn - angle) / spread)
    near, far = np.quantile(distances, [0.025, 0.975])
    expected = np.sin([angle - far * error, angle - near * error]) ** 2
    ours = cluster_bootstrap(values, labels, method="studentized", bounds=(0, 1), n_resamples=999, rng=generator())
    assert ends(ours) == pytest.approx(tuple(expected), abs=1e-9)
    stretched = cluster_bootstrap(
        3 + 2 * values, labels, method="studentized", bounds=(3, 5), n_resamples=999, rng=generator()
    )
    assert ends(stretched) == pytest.approx(tuple(3 + 2 * expected), abs=1e-9)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_a_table_is_its_columns(method: str) -> None:
    values, labels = ragged(1)
    columns = np.column_stack([values, values**2, np.where(np.arange(len(values)) % 7 == 0, np.nan, values)])
    together = cluster_bootstrap_table(columns, labels, method=method, n_resamples=500, rng=generator())
    for j in range(3):
        alone = cluster_bootstrap(columns[:, j], labels, method=method, n_resamples=500, rng=generator())
        assert ends(together[j]) == pytest.approx(ends(alone), abs=1e-12)
        assert together[j].n_missing == alone.n_missing == np.isnan(columns[:, j]).sum()


def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values, labels = ragged(2)
    whole = cluster_bootstrap(values, labels, rng=generator())
    monkeypatch.setattr(_resample, "CELLS", 97)
    assert ends(cluster_bootstrap(values, labels, rng=generator())) == pytest.approx(ends(whole), abs=1e-12)


def test_the_seed_is_the_only_randomness() -> None:
    values, labels = ragged(2)
    assert cluster_bootstrap(values, labels, rng=generator()) == cluster_bootstrap(values, labels, rng=generator())


def test_two_ways_equal_a_plain_loop() -> None:
    rng = np.random.default_rng(4)
    a, b = np.repeat(np.arange(12), 10), np.tile(np.arange(10), 12)
    kept = rng.random(120) < 0.8
    a, b = a[kept], b[kept]
    values = rng.normal(size=12)[a] + rng.normal(size=10)[b] + rng.normal(size=len(a))
    ours = two_way_bootstrap(values, a, b, n_resamples=400, rng=generator())
    stream = generator()
    picks_a, picks_b = stream.integers(0, 12, (400, 12)), stream.integers(0, 10, (400, 10))
    means = []
    for pick_a, pick_b in zip(picks_a, picks_b, strict=True):
        weight = np.bincount(pick_a, minlength=12)[a] * np.bincount(pick_b, minlength=10)[b]
        means.append((weight * values).sum() / weight.sum())
    assert ends(ours) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-9)


def test_two_ways_that_hardly_cross() -> None:
    found = two_way_bootstrap(np.arange(2.0), np.arange(2), np.arange(2), n_resamples=200, rng=generator())
    assert not found.bounded and found.reason is not None
    assert found.reason.endswith("resamples drew no row: the two groupings hardly cross")


def test_a_ratio_equals_scipy() -> None:
    rng = np.random.default_rng(5)
    top, bottom = rng.normal(1, 1, 50), rng.normal(4, 1, 50)
    found = scipy_stats.bootstrap(
        (top, bottom),
        lambda t, b, axis: t.mean(axis) / b.mean(axis),
        paired=True,
        n_resamples=999,
        method="BCa",
        rng=generator(),
    )
    ours = ratio_interval(top, bottom, np.arange(50), n_resamples=999, rng=generator())
    assert ours.value == pytest.approx(top.mean() / bottom.mean())
    assert ends(ours) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)


def test_a_ratio_over_nothing_is_undefined() -> None:
    rng = np.random.default_rng(5)
    found = ratio_interval(rng.normal(1, 1, 50), rng.normal(0.01, 1, 50), np.arange(50), rng=generator())
    assert not found.defined and found.reason is not None
    assert found.reason.startswith("the divisor cannot be told from 0:")
    few = ratio_interval(np.ones(50), np.ones(50), np.arange(50) % 5, rng=generator())
    assert few.reason == "5 clusters, fewer than 10"


@pytest.mark.parametrize(("method", "theirs"), [("bca", "BCa"), ("percentile", "percentile")])
def test_any_statistic_equals_scipy(method: str, theirs: str) -> None:
    values = np.random.default_rng(6).gamma(2, size=41)
    found = scipy_stats.bootstrap((values,), np.std, n_resamples=300, method=theirs, vectorized=True, rng=generator())
    ours = bootstrap_statistic(
        lambda rows: float(np.std(values[rows])), np.arange(41), method=method, n_resamples=300, rng=generator()
    )
    assert ends(ours) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)


def test_a_statistic_that_is_often_undefined() -> None:
    def statistic(rows: np.ndarray) -> float:
        return float("nan") if 0 not in rows else 1.0 + len(set(rows))

    found = bootstrap_statistic(statistic, np.arange(5), n_resamples=200, rng=generator())
    assert found.value == 6 and not found.bounded
    assert found.reason is not None and found.reason.startswith("the statistic is undefined in")


def test_unknown_method() -> None:
    with pytest.raises(StatsError, match="method: expected one of 'percentile', 'bca', 'studentized', got 'magic'"):
        cluster_bootstrap([1, 2], [1, 2], method="magic", rng=generator())
