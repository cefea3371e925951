from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from trope.stats import rank, rank_sets


def test_rank_by_hand_and_scipy() -> None:
    np.testing.assert_array_equal(rank([0.5, 0.9, 0.5]), [2.5, 1, 2.5])
    np.testing.assert_array_equal(rank([0.5, 0.9, np.nan], higher_is_better=False), [1, 2, np.nan])
    x = np.random.default_rng(0).integers(0, 5, 30).astype(float)
    np.testing.assert_array_equal(rank(x), scipy_stats.rankdata(-x))


def some_scores(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = np.arange(300) // 5
    base = rng.normal(0, 1, 60)[labels][:, None]
    return base + rng.normal(0, 0.5, (300, 4)) + np.array([1.0, 0.02, 0.0, -1.0]), labels


def test_clear_and_unclear_places() -> None:
    scores, labels = some_scores()
    found = rank_sets(scores, labels, rng=np.random.default_rng(1))
    assert [(r.best, r.worst) for r in found] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    turned = rank_sets(scores[:, ::-1], labels, rng=np.random.default_rng(1))
    assert [(r.best, r.worst) for r in turned] == [(4, 4), (2, 3), (2, 3), (1, 1)]
    worse = rank_sets(-scores, labels, higher_is_better=False, rng=np.random.default_rng(1))
    assert [(r.rank, r.best, r.worst) for r in worse] == [(r.rank, r.best, r.worst) for r in found]


def test_few_clusters_and_missing_rows() -> None:
    scores, labels = some_scores()
    few = rank_sets(scores, labels % 9, rng=np.random.default_rng(1))
    assert all((r.best, r.worst) == (1, 4) for r in few)
    assert few[0].reason == "9 clusters, fewer than 10: every rank is possible"
    holes = scores.copy()
    holes[:10, 2] = np.nan
    found = rank_sets(holes, labels, rng=np.random.default_rng(1))
    assert found[0].n == 290 and found[0].n_missing == 10
    assert found[0].mean == pytest.approx(scores[10:, 0].mean())
    empty = rank_sets(holes[:10], labels[:10], rng=np.random.default_rng(1))
    assert empty[0].reason == "no complete rows" and np.isnan(empty[0].rank)


def test_a_constant_difference_is_certain() -> None:
    base = np.random.default_rng(0).normal(size=40)
    found = rank_sets(np.column_stack([base, base + 1, base]), np.arange(40), rng=np.random.default_rng(1))
    assert [(r.rank, r.best, r.worst) for r in found] == [(2.5, 2, 3), (1, 1, 1), (2.5, 2, 3)]
    same = rank_sets(np.ones((40, 3)), np.arange(40), rng=np.random.default_rng(1))
    assert all((r.best, r.worst) == (1, 3) for r in same)


def test_all_sets_hold_the_true_ranks_at_once() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([0.3, 0.2, 0.2, 0.1, 0.0])
    first, last = np.array([1, 2, 2, 4, 5]), np.array([1, 3, 3, 4, 5])
    runs, held = 400, 0
    for _ in range(runs):
        labels = np.arange(200) // 5
        scores = truth + rng.normal(0, 0.3, (40, 5))[labels] + rng.normal(0, 0.5, (200, 5))
        found = rank_sets(scores, labels, n_resamples=400, rng=rng)
        held += all(r.best <= a and b <= r.worst for r, a, b in zip(found, first, last, strict=True))
    assert held / runs >= 0.94
