from __future__ import annotations

import math

import numpy as np
import pytest

from trope.stats import RangeError, anova_components, bland_altman, icc, spearman_brown

SHROUT_FLEISS = np.array(  # Shrout and Fleiss (1979), table 2: six targets, four judges
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def test_shrout_and_fleiss_1979() -> None:
    found = {kind: icc(SHROUT_FLEISS, kind) for kind in ("1", "2", "3", "1k", "2k", "3k")}
    published = {"1": 0.17, "2": 0.29, "3": 0.71, "1k": 0.44, "2k": 0.62, "3k": 0.91}
    assert {kind: round(one.value, 2) for kind, one in found.items()} == published
    # their table 4 gives the mean squares: 11.24, 32.49 (judges), 1.02, and 6.26 within
    assert found["1"].value == pytest.approx((11.24 - 6.26) / (11.24 + 3 * 6.26), abs=2e-3)


@pytest.mark.filterwarnings("ignore")  # its own, about pandas
@pytest.mark.parametrize("seed", range(3))
def test_intervals_equal_pingouin(seed: int) -> None:
    pingouin = pytest.importorskip("pingouin")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=(20, 1)) + rng.normal(size=(1, 5)) * 0.4 + rng.normal(size=(20, 5)) * 0.7
    long = pandas.DataFrame(ratings).melt(ignore_index=False).reset_index()
    theirs = pingouin.intraclass_corr(long, "index", "variable", "value")
    for row, kind in zip(theirs.itertuples(), ("1", "2", "3", "1k", "2k", "3k"), strict=True):
        found = icc(ratings, kind)
        assert found.value == pytest.approx(row.ICC, abs=1e-9)
        assert [found.low, found.high] == pytest.approx(list(row.CI95), abs=0.0051)  # it rounds to two digits


def test_from_variance_components() -> None:
    parts = anova_components(SHROUT_FLEISS, ["target", "judge"])
    total = parts["target"] + parts["judge"] + parts["residual"]
    assert icc(SHROUT_FLEISS, "2").value == pytest.approx(parts["target"] / total, abs=1e-12)
    assert icc(SHROUT_FLEISS, "3").value == pytest.approx(
        parts["target"] / (parts["target"] + parts["residual"]), abs=1e-12
    )


def test_average_is_single_stepped_up() -> None:
    for kind in ("1", "2", "3"):
        single, average = icc(SHROUT_FLEISS, kind), icc(SHROUT_FLEISS, f"{kind}k")
        for one, other in ((single.value, average.value), (single.low, average.low), (single.high, average.high)):
            assert spearman_brown(one, 4) == pytest.approx(other, abs=1e-12)


def test_intervals_cover() -> None:
    rng = np.random.default_rng(7)
    held = dict.fromkeys(("1", "2", "3"), 0)
    for _ in range(1500):
        target, judge = rng.normal(0, 1, (30, 1)), rng.normal(0, 0.5, (1, 6))
        ratings = target + judge + rng.normal(0, 0.8, (30, 6))
        alone = target + rng.normal(0, math.sqrt(0.89), (30, 6))
        for kind, data, truth in (
            ("1", alone, 1 / 1.89),
            ("2", ratings, 1 / 1.89),
            ("3", ratings, 1 / 1.64),
        ):
            found = icc(data, kind)
            held[kind] += found.low <= truth <= found.high
    assert all(0.93 <= count / 1500 <= 0.97 for count in held.values()), held


def test_vista() -> None:
    assert round(spearman_brown(0.784, 12), 3) == 0.978


def test_spearman_brown() -> None:
    assert spearman_brown(spearman_brown(0.6, 5), 1 / 5) == pytest.approx(0.6)
    assert spearman_brown(1, 3) == 1 and spearman_brown(0, 3) == 0
    assert math.isnan(spearman_brown(-0.5, 4))
    with pytest.raises(RangeError, match=r"reliability: expected at most 1, got 1\.2"):
        spearman_brown(1.2, 2)
    with pytest.raises(RangeError, match="k: expected a number above 0, got 0"):
        spearman_brown(0.5, 0)


def test_icc_of_what_does_not_vary() -> None:
    assert icc(np.ones((4, 3)), "2").reason == "nothing varies"
    assert icc([[1, 2]], "1").reason == "1 thing(s) and 2 rater(s): fewer than 2 of one"
    perfect = icc([[1, 1], [2, 2], [3, 3]], "2")
    assert perfect.value == 1 and perfect.reason == "raters agree without error: no interval"
    shifted = icc([[1, 2], [2, 3], [3, 4]], "3")
    assert shifted.value == 1 and not shifted.bounded
    holes = icc(np.vstack([SHROUT_FLEISS, [np.nan, 1, 2, 3]]), "2")
    assert holes.n_missing == 1 and holes.value == icc(SHROUT_FLEISS, "2").value


def test_bland_altman_by_hand() -> None:
    found = bland_altman([1, 3, 5], [1, 2, 3])  # differences 0, 1, 2
    assert (found.bias.value, found.sd) == (1, 1)
    assert (found.lower.value, found.upper.value) == pytest.approx((1 - 1.959964, 1 + 1.959964), abs=1e-6)
    t = 4.302653  # 2 degrees of freedom
    assert found.bias.high == pytest.approx(1 + t / math.sqrt(3), abs=1e-6)
    error = math.sqrt(1 / 3 + 1.959964**2 / 4)
    assert found.upper.high == pytest.approx(1 + 1.959964 + t * error, abs=1e-5)
    assert bland_altman([1], [1]).bias.reason == "1 pair(s), fewer than 2"
    assert bland_altman([2, 2], [1, 1]).upper.reason == "the differences have no spread"
