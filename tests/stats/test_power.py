from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from trope.stats import (
    Design,
    RangeError,
    Spread,
    achieved_power,
    clusters_needed,
    design_error,
    minimum_detectable_effect,
)


@pytest.mark.parametrize("n", [2, 3, 10, 80, 1000])
@pytest.mark.parametrize("effect", [0.0, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_power_equals_statsmodels(n: int, effect: float, alpha: float) -> None:
    expected = TTestPower().power(effect, n, alpha, alternative="two-sided")
    if math.isnan(expected):
        expected = 1.0
    assert achieved_power(effect, Design(n), Spread(1.0), alpha=alpha).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [5, 30, 200])
def test_the_detectable_effect_equals_statsmodels(n: int) -> None:
    expected = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)
    found = minimum_detectable_effect(Design(n), Spread(1.0)).value
    assert found == pytest.approx(expected, rel=1e-5)  # its root finder stops there
    assert achieved_power(found, Design(n), Spread(1.0)).value == pytest.approx(0.8, abs=1e-9)


def test_error_by_hand() -> None:
    assert design_error(Design(4, 2), Spread(cluster=4, item=8)) == pytest.approx(math.sqrt(2))
    spread = Spread(1, 2, 3, 4, 5)
    expected = 1 / 10 + 2 / 50 + 3 / 2 + 4 / 100 + 5 / 300
    assert design_error(Design(10, 5, 2, 3), spread) == pytest.approx(math.sqrt(expected))


def simulated(design: Design, spread: Spread, effect: float, runs: int, seed: int) -> float:
    """Share of simulated studies whose t test over clusters finds the effect."""
    from scipy.stats import t

    rng = np.random.default_rng(seed)
    c, m, s, r = design.n_clusters, design.items_per_cluster, design.n_seeds, design.n_repeats
    found = 0
    for _ in range(runs):
        scores = (
            effect
            + rng.normal(0, math.sqrt(spread.cluster), (c, 1, 1, 1))
            + rng.normal(0, math.sqrt(spread.item), (c, m, 1, 1))
            + rng.normal(0, math.sqrt(spread.item_seed), (c, m, s, 1))
            + rng.normal(0, math.sqrt(spread.repeat), (c, m, s, r))
        )
        means = scores.mean(axis=(1, 2, 3))
        found += abs(means.mean()) / (means.std(ddof=1) / math.sqrt(c)) > t.ppf(0.975, c - 1)
    return found / runs


def test_a_simulated_study_finds_it_as_often_as_said() -> None:
    design, spread = Design(24, 4, 2, 2), Spread(cluster=0.02, item=0.1, item_seed=0.08, repeat=0.05)
    effect = minimum_detectable_effect(design, spread, power=0.8).value
    assert simulated(design, spread, effect, 2000, 1) == pytest.approx(0.8, abs=0.03)
    assert simulated(design, spread, 0.0, 2000, 2) == pytest.approx(0.05, abs=0.015)


def test_more_of_anything_finds_less() -> None:
    spread = Spread(0.02, 0.1, 0, 0.08, 0.05)
    effects = [
        minimum_detectable_effect(design, spread).value
        for design in (Design(20), Design(40), Design(40, 5), Design(40, 5, 3), Design(40, 5, 3, 2))
    ]
    assert effects == sorted(effects, reverse=True) and len(set(effects)) == 5


def test_clusters_needed() -> None:
    spread = Spread(0.02, 0.1)
    found = clusters_needed(0.1, spread, items_per_cluster=5)
    count = int(found.value)
    assert minimum_detectable_effect(Design(count, 5), spread).value <= 0.1
    assert minimum_detectable_effect(Design(count - 1, 5), spread).value > 0.1
    stuck = clusters_needed(0.01, Spread(0.02, seed=0.1), most=10_000)
    assert stuck.reason == "not even 10000 clusters are enough"
    with pytest.raises(RangeError, match="effect: expected a finite number other than 0, got 0"):
        clusters_needed(0, spread)


def test_seeds_and_the_undefined() -> None:
    warned = minimum_detectable_effect(Design(20), Spread(1, seed=0.1))
    assert warned.reason == "seeds are shared by all clusters: a test over clusters does not see that part"
    assert minimum_detectable_effect(Design(1), Spread(1)).reason == "one cluster: no test"
    assert achieved_power(1, Design(5), Spread()).reason == "no spread: nothing to plan for"
    assert achieved_power(1e6, Design(5), Spread(1)).value == 1.0
    with pytest.raises(RangeError, match=r"power: expected a number between alpha \(0\.05\) and 1, got 0\.01"):
        minimum_detectable_effect(Design(5), Spread(1), power=0.01)
