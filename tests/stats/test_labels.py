from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics

from trope.stats import accuracy, balanced_accuracy, macro_f1, mean_absolute_error


@pytest.mark.parametrize("seed", range(5))
def test_equal_to_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = np.array(["Positive", "Neutral", "Negative"])[rng.integers(0, 3, 60)]
    said = np.where(rng.random(60) < 0.6, truth, np.array(["Positive", "Neutral", "Negative"])[rng.integers(0, 3, 60)])
    assert accuracy(truth, said).value == pytest.approx(metrics.accuracy_score(truth, said), abs=1e-12)
    assert balanced_accuracy(truth, said).value == pytest.approx(
        metrics.balanced_accuracy_score(truth, said), abs=1e-12
    )
    assert macro_f1(truth, said).value == pytest.approx(metrics.f1_score(truth, said, average="macro"), abs=1e-12)
    a, b = rng.normal(size=(2, 30))
    assert mean_absolute_error(a, b).value == pytest.approx(metrics.mean_absolute_error(a, b), abs=1e-12)


def test_what_is_not_parsed_is_wrong_and_stays_in() -> None:
    truth = ["Yes", "Yes", "No", "No"]
    said = ["Yes", None, "No", "maybe"]
    assert accuracy(truth, said).value == 0.5 and accuracy(truth, said).n == 4
    assert balanced_accuracy(truth, said).value == 0.5
    filled = ["Yes", "unparsed", "No", "maybe"]
    expected = metrics.f1_score(truth, filled, average="macro", labels=["No", "Yes"])
    assert macro_f1(truth, said).value == pytest.approx(expected)
    assert accuracy([1, 0], [1, np.nan]).value == 0.5
    assert accuracy(truth, [None] * 4).value == 0.0 and macro_f1(truth, [None] * 4).value == 0.0


def test_by_hand() -> None:
    assert accuracy(["a", "b", "b"], ["a", "b", None]).value == pytest.approx(2 / 3)
    assert balanced_accuracy(["a", "a", "b"], ["a", "b", "b"]).value == 0.75
    assert macro_f1(["a", "a", "b"], ["a", "b", "b"]).value == pytest.approx(2 / 3)
    assert mean_absolute_error([1, 2], [2, 4]).value == 1.5


def test_missing_truth_and_no_rows() -> None:
    found = accuracy(["a", None], ["a", "a"])
    assert (found.value, found.n, found.n_missing) == (1.0, 1, 1)
    for function in (accuracy, balanced_accuracy, macro_f1, mean_absolute_error):
        nothing = function([], [])
        assert math.isnan(nothing.value) and nothing.reason == "no rows"
    assert mean_absolute_error([np.nan, 1], [1, 3]).value == 2
