from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from trope.stats import clopper_pearson, wilson

GRID = [(hits, n) for n in (1, 2, 7, 40, 1576) for hits in {0, 1, n // 3, n - 1, n}]


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("hits", "n"), GRID)
def test_equal_to_statsmodels_and_scipy(hits: int, n: int, confidence: float) -> None:
    ours = wilson(hits, n, confidence=confidence)
    low, high = proportion_confint(hits, n, alpha=1 - confidence, method="wilson")
    assert (ours.value, ours.low, ours.high) == pytest.approx((hits / n, low, high), abs=1e-9)
    exact = clopper_pearson(hits, n, confidence=confidence)
    theirs = scipy_stats.binomtest(hits, n).proportion_ci(confidence, method="exact")
    assert (exact.low, exact.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_by_hand() -> None:
    # z = 1.959964, z^2 = 3.841459: 0 of 10 ends at z^2 / (10 + z^2) = 3.841459 / 13.841459
    assert wilson(0, 10).high == pytest.approx(0.277533, abs=1e-6)
    assert wilson(0, 10).low == 0.0 and wilson(10, 10).high == 1.0
    # 5 of 10: center 0.5, half z sqrt(0.25/10 + z^2/400) / (1 + z^2/10) = 1.959964 * 0.186029 / 1.384146
    assert wilson(5, 10).high - 0.5 == pytest.approx(0.263415, abs=1e-5)
    assert clopper_pearson(0, 10).high == pytest.approx(1 - 0.025**0.1, abs=1e-12)


def test_nothing_tried() -> None:
    for function in (wilson, clopper_pearson):
        found = function(0, 0)
        assert np.isnan([found.value, found.low, found.high]).all() and found.reason == "no trials"


def test_fractions_are_allowed_and_monotone() -> None:
    lows = [wilson(x, 10.5).low for x in np.linspace(0, 10.5, 30)]
    assert (np.diff(lows) > 0).all()
    highs = [clopper_pearson(x, 10.5).high for x in np.linspace(0, 10.4, 30)]
    assert (np.diff(highs) > 0).all()
