from __future__ import annotations

import math

import numpy as np
import pytest

from trope.stats import RangeError, ShapeError, anova_components, reml_components


def crossed(seed: int, a: int = 12, b: int = 8, repeats: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(0, 1, (a, 1, 1))
        + rng.normal(0, 0.7, (1, b, 1))
        + rng.normal(0, 0.6, (a, b, 1))
        + rng.normal(0, 0.5, (a, b, repeats))
    )


def long(values: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    places = np.indices(values.shape)
    item, judge = places[0].ravel(), places[1].ravel()
    return values.ravel(), {"item": item, "judge": judge, "item:judge": item * 1000 + judge}


def test_by_hand() -> None:
    found = anova_components([[1, 3], [3, 5]], ["item", "judge"])
    assert found.values == pytest.approx((2, 2, 0)) and found.names == ("item", "judge", "residual")


def test_anova_equals_a_linear_model() -> None:
    """Mean squares from least squares with sums of squares by statsmodels, then the textbook's equations."""
    values = crossed(0)
    a, b, r = values.shape
    grand = values.mean()
    ms_a = b * r * ((values.mean(axis=(1, 2)) - grand) ** 2).sum() / (a - 1)
    ms_b = a * r * ((values.mean(axis=(0, 2)) - grand) ** 2).sum() / (b - 1)
    cells = values.mean(axis=2)
    rest = cells - values.mean(axis=(1, 2))[:, None] - values.mean(axis=(0, 2)) + grand
    ms_ab = r * (rest**2).sum() / ((a - 1) * (b - 1))
    ms_e = ((values - cells[..., None]) ** 2).sum() / (a * b * (r - 1))
    found = anova_components(values, ["item", "judge"], repeats=True)
    expected = ((ms_a - ms_ab) / (b * r), (ms_b - ms_ab) / (a * r), (ms_ab - ms_e) / r, ms_e)
    assert found.values == pytest.approx(expected, abs=1e-12)
    assert found["item:judge"] == found.values[2]


def test_three_factors_are_unbiased() -> None:
    rng = np.random.default_rng(1)
    total = np.zeros(7)
    for _ in range(600):
        values = (
            rng.normal(0, 1, (10, 1, 1))
            + rng.normal(0, 0.5, (1, 6, 1))
            + rng.normal(0, 0.4, (1, 1, 4))
            + rng.normal(0, 0.6, (10, 6, 1))
            + rng.normal(0, 0.3, (10, 6, 4))
        )
        found = anova_components(values, ["item", "judge", "seed"])
        total += found.raw
    assert found.names == ("item", "judge", "seed", "item:judge", "item:seed", "judge:seed", "residual")
    np.testing.assert_allclose(total / 600, [1, 0.25, 0.16, 0.36, 0, 0, 0.09], atol=0.04)


@pytest.mark.parametrize("seed", range(3))
def test_reml_equals_anova_on_complete_designs(seed: int) -> None:
    values = crossed(seed)
    expected = anova_components(values, ["item", "judge"], repeats=True)
    assert min(expected.raw) > 0
    found = reml_components(*long(values))
    # looser than 1e-9: a maximum found by an optimizer is exact to about the root of the likelihood's rounding
    assert found.values == pytest.approx(expected.values, rel=1e-6)
    assert found.names == expected.names


def test_reml_equals_statsmodels_on_incomplete_designs() -> None:
    mixed = pytest.importorskip("statsmodels.regression.mixed_linear_model")
    pandas = pytest.importorskip("pandas")
    values, factors = long(crossed(4, 10, 6, 2))
    kept = np.random.default_rng(5).random(len(values)) < 0.7
    frame = pandas.DataFrame({"y": values[kept], "item": factors["item"][kept], "judge": factors["judge"][kept]})
    frame["all"] = 1
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = mixed.MixedLM.from_formula(
            "y ~ 1", groups="all", vc_formula={"item": "0 + C(item)", "judge": "0 + C(judge)"}, data=frame
        ).fit(reml=True, method=["lbfgs"])
    found = reml_components(np.where(kept, values, np.nan), {k: factors[k] for k in ("item", "judge")})
    assert [found["item"], found["judge"]] == pytest.approx(list(theirs.vcomp), rel=2e-3)  # statsmodels' own tolerance
    assert found["residual"] == pytest.approx(theirs.scale, rel=2e-3)
    assert found.n_missing == (~kept).sum()


def test_negative_estimates_are_kept_apart() -> None:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(6, 5))
    values -= values.mean(axis=1, keepdims=True)  # items with equal means: less spread than chance gives
    found = anova_components(values, ["item", "judge"])
    assert found.raw[0] < 0 and found["item"] == 0
    assert found.reason is not None and found.reason.startswith("negative, set to 0: item")
    places = np.indices(values.shape)
    reml = reml_components(values.ravel(), {"item": places[0].ravel(), "judge": places[1].ravel()})
    assert reml["item"] == 0


def test_what_is_undefined() -> None:
    one = anova_components([[1.0, 2.0]], ["item", "judge"])
    assert one.reason == "shape (1, 2): fewer than 2 levels in one axis" and math.isnan(one["item"])
    holes = anova_components([[1, np.nan], [2, 3]], ["item", "judge"])
    assert holes.reason == "values are missing: use reml_components"
    assert reml_components([1, 1, 1], {"a": [0, 0, 1]}).reason == "fewer than 3 values, or no spread"
    assert reml_components([1, 2, 3], {"a": [0, 0, 0]}).reason == "a: one level"
    assert reml_components([1, 2, 3], {"a": [0, 1, 2]}).reason == "a: a level a row, like the residual"
    twice = reml_components([1, 2, 3, 5], {"a": [0, 0, 1, 1], "b": ["x", "x", "y", "y"]})
    assert twice.reason == "a and b say the same"
    with pytest.raises(ShapeError, match=r"values: expected 2 dimension\(s\), got shape \(3,\)"):
        anova_components([1, 2, 3], ["item", "judge"])
    with pytest.raises(RangeError, match="factors: expected names other than 'residual'"):
        reml_components([1, 2], {"residual": [0, 1]})
