from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from trope.stats import (
    PairingError,
    RangeError,
    prediction_powered_mean,
    prediction_powered_quantile,
    rogan_gladen,
    wilson,
)


def known(se: float = 0.9, sp: float = 0.9, n: int = 100) -> dict[str, float]:
    return {"true_positives": se * n, "positives": n, "true_negatives": sp * n, "negatives": n}


def test_rogan_gladen_by_hand() -> None:
    assert rogan_gladen(30, 100, **known()).value == pytest.approx(0.2 / 0.8)
    assert rogan_gladen(5, 100, **known()).value == 0.0  # 0.05 - 0.1 < 0: clipped
    assert rogan_gladen(95, 100, **known()).value == 1.0


def test_a_perfect_instrument_is_nearly_wilson() -> None:
    found = rogan_gladen(30, 100, **known(1, 1, 10**9))
    score = wilson(30, 100)
    assert found.value == pytest.approx(0.3)
    assert (found.low, found.high) == pytest.approx((score.low, score.high), abs=2e-3)


def test_rogan_gladen_covers() -> None:
    rng = np.random.default_rng(1)
    for true, se, sp, n, cases in ((0.3, 0.9, 0.8, 300, 80), (0.1, 0.7, 0.95, 500, 60), (0.6, 0.75, 0.85, 200, 50)):
        held = 0
        for _ in range(2000):
            found = rogan_gladen(
                rng.binomial(n, true * se + (1 - true) * (1 - sp)),
                n,
                true_positives=rng.binomial(cases, se),
                positives=cases,
                true_negatives=rng.binomial(cases, sp),
                negatives=cases,
            )
            held += found.low <= true <= found.high
        assert 0.935 <= held / 2000 <= 0.975, (true, held / 2000)


def test_rogan_gladen_undefined() -> None:
    coin = rogan_gladen(30, 100, **known(0.5, 0.5))
    assert coin.reason == "sensitivity 0.5 + specificity 0.5 <= 1: no better than a coin"
    assert rogan_gladen(0, 0, **known()).reason == "no rows, or no known positives or negatives"
    with pytest.raises(RangeError, match=r"true_positives: expected a number in \[0, 5\], got 6"):
        rogan_gladen(1, 2, true_positives=6, positives=5, true_negatives=1, negatives=5)


def population(seed: int, n: int = 1000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What an instrument says (biased), what people would say, and with which chance people are asked."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, n)
    return truth + rng.normal(0.5, 0.5, n), truth, np.clip(0.05 + 0.15 * np.abs(truth), 0.05, 1)


def test_everybody_asked_is_the_plain_mean() -> None:
    f, y, _ = population(0)
    found = prediction_powered_mean(f, y, np.ones(1000))
    error = y.std(ddof=1) / math.sqrt(1000)
    half = scipy_stats.t.ppf(0.975, 999) * error
    assert (found.value, found.low, found.high) == pytest.approx((y.mean(), y.mean() - half, y.mean() + half), abs=1e-9)
    q = prediction_powered_quantile(f, y, np.ones(1000), 0.25)
    assert q.value == np.quantile(y, 0.25, method="inverted_cdf")


def test_power_0_is_the_weighted_mean_of_the_labels() -> None:
    f, y, chance = population(1)
    asked = np.random.default_rng(2).random(1000) < chance
    labels = np.where(asked, y, np.nan)
    found = prediction_powered_mean(f, labels, chance, power=0)
    weights = 1 / chance[asked]
    mean = np.average(y[asked], weights=weights)
    assert found.value == pytest.approx(mean, abs=1e-12)
    # the linearized variance of a ratio: sum w^2 (y - mean)^2 / (sum w)^2, and what the mean of all rows adds (none)
    error = math.sqrt((weights**2 * (y[asked] - mean) ** 2).sum()) / weights.sum() * math.sqrt(1000 / 999)
    half = scipy_stats.t.ppf(0.975, asked.sum() - 1) * error
    assert found.high - found.value == pytest.approx(half, rel=1e-9)


def test_an_equal_sample_by_hand() -> None:
    # N = 12, all 10 labels but two; predictions are off by exactly 1: theta = mean(f) - 1 with power 1, no spread left
    f = np.arange(12.0)
    labels = np.where(np.arange(12) < 10, f - 1, np.nan)
    found = prediction_powered_mean(f, labels, np.full(12, 10 / 12), power=1)
    assert found.value == pytest.approx(f.mean() - 1)


def test_the_best_power_is_the_best() -> None:
    f, y, chance = population(3)
    labels = np.where(np.random.default_rng(4).random(1000) < chance, y, np.nan)
    widths = {}
    for power in (None, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25):
        found = prediction_powered_mean(f, labels, chance, power=power)
        widths[power] = found.high - found.low
    assert min(widths, key=lambda p: widths[p]) is None
    assert widths[None] < 0.75 * widths[0.0]
    noise = np.random.default_rng(5).normal(size=1000)
    useless = prediction_powered_mean(noise, labels, chance)
    assert useless.high - useless.low <= widths[0.0] * 1.001


def test_it_covers_although_the_instrument_is_wrong_and_the_sample_unequal() -> None:
    rng = np.random.default_rng(6)
    held = dict.fromkeys(("mean", "median", "upper", "naive"), 0)
    runs = 1000
    for run in range(runs):
        truth = rng.normal(0, 1, 400)
        f = truth + rng.normal(0.5, 0.6, 400)
        chance = np.clip(0.12 + 0.12 * (f > 1), 0, 1)
        labels = np.where(rng.random(400) < chance, truth, np.nan)
        found = prediction_powered_mean(f, labels, chance)
        held["mean"] += found.low <= 0 <= found.high
        if run % 5 == 0:
            for name, q in (("median", 0.5), ("upper", 0.75)):
                found = prediction_powered_quantile(f, labels, chance, q)
                held[name] += found.low <= scipy_stats.norm.ppf(q) <= found.high
        seen = labels[~np.isnan(labels)]
        held["naive"] += abs(seen.mean()) <= 1.98 * seen.std(ddof=1) / math.sqrt(len(seen))
    assert 0.935 <= held["mean"] / runs <= 0.965
    assert 0.92 <= held["median"] / (runs / 5) <= 0.99
    assert 0.92 <= held["upper"] / (runs / 5) <= 0.99
    assert held["naive"] / runs < 0.85


def test_clusters_are_respected() -> None:
    rng = np.random.default_rng(7)
    held, alone = 0, 0
    for _ in range(500):
        labels = np.arange(600) // 10
        truth = rng.normal(0, 1, 60)[labels] + rng.normal(0, 1, 600)
        f = 0.5 * truth + rng.normal(0, 0.5, 600)
        y = np.where(rng.random(600) < 0.3, truth, np.nan)
        found = prediction_powered_mean(f, y, np.full(600, 0.3), clusters=labels)
        held += found.low <= 0 <= found.high
        found = prediction_powered_mean(f, y, np.full(600, 0.3))
        alone += found.low <= 0 <= found.high
    assert 0.925 <= held / 500 <= 0.975
    assert alone / 500 < 0.85


def test_refused_with_the_reason() -> None:
    f, y, chance = population(8)
    labels = np.where(np.arange(1000) % 5 == 0, y, np.nan)
    none = prediction_powered_mean(f, labels, None)
    assert not none.defined and none.n == 200 and none.reason is not None
    assert none.reason.startswith("refused: no inclusion probabilities.")
    assert prediction_powered_quantile(f, labels, None, 0.5).reason == none.reason
    chance[:3] = 0
    some = prediction_powered_mean(f, labels, chance)
    assert some.reason == "refused: 3 rows could never be drawn (inclusion 0 or unknown), so nothing is known of them"
    holes = f.copy()
    holes[7] = np.nan
    assert prediction_powered_mean(holes, labels, np.ones(1000)).reason == "refused: 1 rows have no prediction"
    few = np.where(np.arange(1000) < 9, y, np.nan)
    assert prediction_powered_mean(f, few, np.ones(1000)).reason == "9 labels, fewer than 10"
    with pytest.raises(PairingError, match="predictions, labels: expected the same rows in both, got 1000 and 999"):
        prediction_powered_mean(f, labels[1:], chance)
    with pytest.raises(RangeError, match="q: expected a number between 0 and 1"):
        prediction_powered_quantile(f, labels, chance, 1.0)
