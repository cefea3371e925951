"""What the room offers: sorted names that are really there, documented, and nothing heavy until it is needed."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from trope import stats
from trope.errors import TropeError
from trope.stats import Estimate, RangeError, ShapeError, StatsError

ROOM = Path(stats.__file__).parent


def test_all_is_sorted_and_real() -> None:
    defined = set()
    for path in ROOM.glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
            if public and (not path.stem.startswith("_") or node.name.endswith("Error")):
                defined.add(node.name)
    helpers = {
        "point",
        "undefined",
        "untested",
        "check_bounds",
    }  # they make records or check input, for the room itself
    assert stats.__all__ == sorted(stats.__all__)
    assert set(stats.__all__) == defined - helpers
    assert dir(stats) == stats.__all__
    for name in stats.__all__:
        assert getattr(stats, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = stats.nothing


def test_importing_loads_no_scipy() -> None:
    code = (
        "import sys, numpy as np\n"
        "from trope.stats import *\n"
        "rate_interval([1, 0] * 20, np.arange(40) // 2, rng=np.random.default_rng(0))\n"
        "paired_permutation([1, 0] * 20, [0, 0] * 20, np.arange(40) // 2, rng=np.random.default_rng(0))\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('scipy', 'pandas', 'sklearn')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [n for n in stats.__all__ if inspect.isfunction(getattr(stats, n))])
def test_docstrings_say_what_they_must(name: str) -> None:
    text = inspect.getdoc(getattr(stats, name)) or ""
    for section in ("Parameters\n---", "Returns\n---", "Raises\n---", "Notes\n---"):
        assert section in text, section
    assert "Source:" in text or "By hand:" in text or "Checked against" in text or "matrix product" in text
    for argument in inspect.signature(getattr(stats, name)).parameters:
        assert argument in text, argument


def test_records_are_frozen() -> None:
    estimate = Estimate(0.5, 0.4, 0.6, 10, 5, "wilson")
    with pytest.raises(dataclasses.FrozenInstanceError):
        estimate.value = 1.0  # type: ignore[misc]
    assert estimate.defined and estimate.bounded
    assert not Estimate(float("nan"), float("nan"), float("nan"), 0, 0, "none", "no values").defined


def test_errors_are_one_tree_under_the_house_tree() -> None:
    for error in (ShapeError, RangeError, stats.PairingError):
        assert issubclass(error, StatsError) and issubclass(error, ValueError) and issubclass(error, TropeError)
    assert issubclass(stats.PairingError, ShapeError)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: stats.wilson(5, 4), RangeError, "hits: expected a number in [0, 4], got 5"),
        (lambda: stats.wilson(1, -1), RangeError, "n: expected a number of at least 0, got -1"),
        (
            lambda: stats.wilson(1, 2, confidence=95),
            RangeError,
            "confidence: expected a number between 0 and 1 (exclusive), got 95",
        ),
        (
            lambda: stats.pearson([1, 2], [1, 2, 3]),
            stats.PairingError,
            "x, y: expected the same rows in both, got 2 and 3",
        ),
        (lambda: stats.pearson([1, float("inf")], [1, 2]), RangeError, "x: expected finite numbers, got inf"),
        (lambda: stats.pearson(["a"], [1]), StatsError, "x: expected numbers, got ['a']"),
        (lambda: stats.pearson([[1]], [1]), ShapeError, "x: expected 1 dimension(s), got shape (1, 1)"),
        (
            lambda: stats.icc([[1, 2]], "4"),
            StatsError,
            "kind: expected one of '1', '2', '3', '1k', '2k', '3k', got '4'",
        ),
        (lambda: stats.holm([0.5, 1.4]), RangeError, "p_values: expected values in [0, 1], got 1.4"),
        (
            lambda: stats.mean_bounds([0.5], 1, 0),
            RangeError,
            "low, high: expected low < high, got 1 and 0",
        ),
        (
            lambda: stats.cohen_kappa(["a"], ["b"], labels=["a"]),
            RangeError,
            "labels: expected one of ['a'], got 'b'",
        ),
        (
            lambda: stats.accuracy([1], ["a"]),
            StatsError,
            "truth, predicted: expected the same kind in both, got numbers and strings",
        ),
        (lambda: stats.Design(0), RangeError, "n_clusters: expected a whole number of at least 1, got 0"),
        (lambda: stats.Spread(item=-1), RangeError, "item: expected a variance of at least 0, got -1"),
    ],
)
def test_errors_say_what_got_and_expected(call: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()  # type: ignore[operator]
    assert str(caught.value) == message
