"""What the functions of this room return: an estimate with an interval, or a test.

Undefined is NaN with a reason; a number is never invented for it. The records are frozen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with an interval, and what stands behind it.

    Attributes
    ----------
    value
        The point estimate; NaN if undefined.
    low, high
        The ends of the interval; both NaN where none can be given (`reason` says why) or where the function
        gives none (method ``"point"``).
    n
        Rows that were used; missing ones are not counted here.
    n_clusters
        Independent units behind them: the unit of resampling.
    method
        How the interval was made, e.g. ``"wilson-clusters"``; ``"none"`` if it could not be made.
    reason
        Why something is NaN, or why another method than the usual one was taken; None otherwise.
    n_missing
        Rows left out because a value was NaN.
    """

    value: float
    low: float
    high: float
    n: int
    n_clusters: int
    method: str
    reason: str | None = None
    n_missing: int = 0

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def bounded(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test: its statistic, its p value, and an effect size that can be read without them.

    Attributes
    ----------
    statistic
        The test statistic that the function names; NaN if undefined.
    p
        In (0, 1] for permutation tests, in [0, 1] for the others; NaN if undefined. Two-sided unless said.
    effect
        The effect size that the function names; NaN if undefined.
    n_used
        Rows, or pairs of rows, that were used.
    method
        E.g. ``"sign-flip exact"``; ``"none"`` if there is no test.
    reason
        Why something is NaN, or what limits the reading; None otherwise.
    n_clusters
        Independent units; None where the test has none.
    df
        Degrees of freedom: one number, two, or none.
    n_missing
        Rows or pairs left out because a value was NaN.
    """

    __test__: ClassVar[bool] = False  # pytest must not collect it

    statistic: float
    p: float
    effect: float
    n_used: int
    method: str
    reason: str | None = None
    n_clusters: int | None = None
    df: tuple[float, ...] = ()
    n_missing: int = 0

    @property
    def defined(self) -> bool:
        """Whether there is a p value."""
        return not math.isnan(self.p)


def point(value: float, n: int, reason: str | None = None, n_missing: int = 0) -> Estimate:
    """An estimate whose function gives no interval."""
    return Estimate(value, NAN, NAN, n, n, "point", reason, n_missing)


def undefined(reason: str, n: int = 0, n_clusters: int = 0, n_missing: int = 0) -> Estimate:
    """No value, no interval, and why."""
    return Estimate(NAN, NAN, NAN, n, n_clusters, "none", reason, n_missing)


def untested(reason: str, n: int = 0, n_missing: int = 0) -> TestResult:
    """No test, and why."""
    return TestResult(NAN, NAN, NAN, n, "none", reason, n_missing=n_missing)
