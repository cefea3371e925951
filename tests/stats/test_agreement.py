from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from trope.stats import StatsError, bootstrap_statistic, cohen_kappa, fleiss_kappa, krippendorff_alpha

N = None
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, sections A, B and C
BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
NOMINAL = [list("aabbdcccedda"), list("babbbccceddd")]
FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


def units(raters: list[list[object]]) -> np.ndarray:
    return np.array(raters, dtype=object).T


def test_krippendorffs_published_examples() -> None:
    assert round(krippendorff_alpha(units(BINARY)).value, 3) == 0.095
    assert round(krippendorff_alpha(units(NOMINAL)).value, 3) == 0.692
    found = {metric: krippendorff_alpha(units(FOUR), metric) for metric in ("nominal", "ordinal", "interval")}
    assert {metric: round(one.value, 3) for metric, one in found.items()} == {
        "nominal": 0.743,
        "ordinal": 0.815,
        "interval": 0.849,
    }
    assert found["nominal"].n == 11 and found["nominal"].n_missing == 1


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(4))
def test_equal_to_the_package(metric: str, seed: int) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(seed)
    ratings = np.clip(rng.integers(1, 5, (40, 1)) + rng.integers(-1, 2, (40, 4)), 1, 6).astype(float)
    ratings[rng.random((40, 4)) < 0.25] = np.nan
    theirs = krippendorff.alpha(ratings.T, level_of_measurement=metric)
    assert krippendorff_alpha(ratings, metric).value == pytest.approx(theirs, abs=1e-9)


def test_alpha_by_hand() -> None:
    # units (a, a), (a, b): o_aa = 2, o_ab = o_ba = 1, n_a = 3, n_b = 1: alpha = 1 - 3 * 2 / (3 + 3)
    assert krippendorff_alpha([["a", "a"], ["a", "b"]]).value == pytest.approx(0.0)
    # 1 - (n - 1) sum o d^2 / sum n n d^2 with (1, 2), (3, 3): o d^2 = 2, pairs (1,2) 1, (1,3) 4*2, (2,3) 1*2, twice
    assert krippendorff_alpha([[1, 2], [3, 3]], "interval").value == pytest.approx(1 - 3 * 2 / 22)


def test_alpha_undefined() -> None:
    assert krippendorff_alpha([[1, 1], [1, 1]]).reason == "all ratings are the same"
    assert krippendorff_alpha([[1, np.nan], [np.nan, 2]]).reason == "no unit with two ratings"
    assert krippendorff_alpha([[None, None]]).reason == "no unit with two ratings"
    assert krippendorff_alpha(np.zeros((0, 3))).reason == "no unit with two ratings"
    lone = krippendorff_alpha([[1, 1], [1, 1], [2, np.nan]])
    assert lone.reason == "all ratings are the same" and lone.n_missing == 1
    with pytest.raises(StatsError, match="ratings: expected numbers for 'interval' data, got 'a'"):
        krippendorff_alpha([["a", "b"]], "interval")


def test_alpha_with_an_interval() -> None:
    ratings = units(FOUR)

    def alpha(rows: np.ndarray) -> float:
        return krippendorff_alpha(ratings[rows]).value

    found = bootstrap_statistic(alpha, np.arange(12), n_resamples=300, rng=np.random.default_rng(0))
    assert found.value == pytest.approx(0.743, abs=1e-3) and 0.3 < found.low < 0.743 < found.high <= 1


@pytest.mark.parametrize("seed", range(4))
def test_kappa_equals_scikit_learn_and_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 80)
    b = np.where(rng.random(80) < 0.5, a, rng.integers(0, 4, 80))
    table = inter_rater.to_table(np.column_stack([a, b]))[0]
    for ours, theirs in (("none", None), ("linear", "linear"), ("quadratic", "quadratic")):
        found = cohen_kappa(a, b, weights=ours)
        assert found.value == pytest.approx(cohen_kappa_score(a, b, weights=theirs), abs=1e-9)
        result = inter_rater.cohens_kappa(table, wt=theirs)
        assert (found.value, found.low, found.high) == pytest.approx(
            (result.kappa, result.kappa_low, result.kappa_upp), abs=1e-9
        )


def test_kappa_by_hand() -> None:
    a, b = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(a, b).value == pytest.approx((0.7 - 0.5) / 0.5)
    words = {0: "no", 1: "yes"}
    assert cohen_kappa([words[x] for x in a], [words[x] for x in b]).value == pytest.approx(0.4)


def test_kappa_keeps_the_places_of_unused_labels() -> None:
    a, b = [1, 1, 4, 4], [1, 4, 4, 4]
    assert cohen_kappa(a, b, weights="linear").value == cohen_kappa(a, b).value
    five = cohen_kappa([1, 2, 4, 5], [1, 4, 4, 5], weights="quadratic", labels=[1, 2, 3, 4, 5]).value
    assert five == pytest.approx(
        cohen_kappa_score([1, 2, 4, 5], [1, 4, 4, 5], weights="quadratic", labels=[1, 2, 3, 4, 5]), abs=1e-9
    )


def test_kappa_undefined() -> None:
    assert cohen_kappa([1, 1], [1, 1]).reason == "both raters use the same one label"
    assert cohen_kappa([], []).reason == "no rows"
    perfect = cohen_kappa([1, 2], [1, 2])
    assert perfect.value == 1 and perfect.reason == "no spread: no interval"
    holes = cohen_kappa(["a", "b", None], ["a", "b", "b"])
    assert holes.n == 2 and holes.n_missing == 1
    with pytest.raises(StatsError, match="labels: expected the same kind in both, got numbers and strings"):
        cohen_kappa([1], ["a"])


@pytest.mark.parametrize("seed", range(4))
def test_fleiss_equals_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = np.where(rng.random((30, 5)) < 0.5, rng.integers(0, 4, (30, 1)), rng.integers(0, 4, (30, 5)))
    table = inter_rater.aggregate_raters(ratings)[0]
    assert fleiss_kappa(ratings).value == pytest.approx(inter_rater.fleiss_kappa(table), abs=1e-9)


def test_fleiss_by_hand_and_a_known_table() -> None:
    assert fleiss_kappa([["a", "a"], ["a", "b"]]).value == pytest.approx(-1 / 3)
    known = [  # ten things, fourteen raters, five categories: the worked example of many textbooks, 0.210
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert round(fleiss_kappa([np.repeat(range(5), row) for row in known]).value, 3) == 0.210
    assert fleiss_kappa([["a", "a"]]).reason == "one label only"
    assert fleiss_kappa([["a"], ["b"]]).reason == "2 complete row(s) of 1 rating(s)"
    assert fleiss_kappa([["a", None], ["b", "b"], ["a", "a"]]).n_missing == 1
