"""Where the spread of scores comes from: variance components of crossed designs, by ANOVA and by REML."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trope.stats._checks import FloatArray, RangeError, ShapeError, codes, numbers
from trope.stats._resample import TINY
from trope.stats.result import NAN

RESIDUAL = "residual"


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components by name, `residual` last.

    Attributes
    ----------
    names, values
        One component a factor or crossing of factors (``"item:seed"``); at least 0, NaN if undefined.
    raw
        Before negative estimates were set to 0 (as ANOVA can give them); equal to `values` for REML.
    method
        ``"anova"`` or ``"reml"``, or ``"none"``.
    n
        Values used.
    reason
        Why something is NaN or was set to 0; None otherwise.
    n_missing
        Values left out because they were NaN.
    """

    names: tuple[str, ...]
    values: tuple[float, ...]
    raw: tuple[float, ...]
    method: str
    n: int
    reason: str | None = None
    n_missing: int = 0

    def __getitem__(self, name: str) -> float:
        return self.values[self.names.index(name)]


def _nothing(names: Sequence[str], reason: str, n: int, missing: int = 0) -> Components:
    nans = (NAN,) * len(names)
    return Components(tuple(names), nans, nans, "none", n, reason, missing)


def anova_components(values: npt.ArrayLike, names: Sequence[str], *, repeats: bool = False) -> Components:
    r"""Variance components of a complete crossed design, all factors random, from expected mean squares.

    Parameters
    ----------
    values : float array with one axis a factor
        Every combination exactly once; axis i has the levels of ``names[i]``.
    names
        One a factor. With `repeats` the last axis is none: it holds repeats within each combination, and has
        no name.
    repeats
        Whether the last axis is repeats.

    Returns
    -------
    Components
        All factors and their crossings, in order of size, joined by ``":"``; `residual` is the highest
        crossing (with `repeats`: the spread between repeats, and the highest crossing is a component of its
        own). Negative estimates are set to 0 in `values`, and kept in `raw`. NaN with a reason for an axis
        with fewer than two levels, or a missing value (:func:`reml_components` takes those).

    Raises
    ------
    ShapeError, RangeError
        As many names as axes are expected; infinite values.

    Notes
    -----
    .. math:: E[MS_A] = \sigma^2_{res} + \sum_{B \supseteq A} \Big(\prod_{f \notin B} n_f\Big) \sigma^2_B

    solved from the highest crossing down. Source: Cornfield and Tukey (1956), doi:10.1214/aoms/1177728067;
    Searle, Casella and McCulloch (1992), chapter 4. By hand: rows (1, 3), (3, 5) give MS of 4, 4 and
    residual 0, so both components are (4 - 0)/2 = 2.
    """
    shape = np.asarray(values).shape
    array = numbers(values, "values", ndim=len(names) + int(repeats))
    if not names:
        raise ShapeError("names: expected at least one factor, got none")
    factors = range(len(names))
    subsets = [s for size in range(1, len(names) + 1) for s in itertools.combinations(factors, size)]
    labels = [":".join(names[f] for f in s) for s in subsets]
    shown = [*labels, RESIDUAL] if repeats else [*labels[:-1], RESIDUAL]
    if min(shape) < 2:
        return _nothing(shown, f"shape {shape}: fewer than 2 levels in one axis", array.size)
    if np.isnan(array).any():
        missing = int(np.isnan(array).sum())
        return _nothing(shown, "values are missing: use reml_components", array.size - missing, missing)
    sizes = array.shape
    cells = array.mean(axis=-1) if repeats else array
    each = sizes[-1] if repeats else 1
    effects: dict[tuple[int, ...], FloatArray] = {(): np.asarray(cells.mean()).reshape((1,) * cells.ndim)}
    squares: dict[tuple[int, ...], float] = {}
    for s in subsets:
        rest = tuple(f for f in factors if f not in s)
        mean = cells.mean(axis=rest, keepdims=True) if rest else cells
        below = [effects[b] for size in range(len(s)) for b in itertools.combinations(s, size)]
        effects[s] = mean - sum(below)
        df = math.prod(sizes[f] - 1 for f in s)
        squares[s] = each * math.prod(sizes[f] for f in rest) * float((effects[s] ** 2).sum()) / df
    residual = squares[subsets[-1]]
    if repeats:
        residual = float(((array - cells[..., None]) ** 2).sum()) / (cells.size * (each - 1))
    raw: dict[tuple[int, ...], float] = {}
    for s in reversed(subsets if repeats else subsets[:-1]):
        above = sum(raw[b] * _weight(b, sizes, factors, each) for b in raw if set(s) < set(b))
        raw[s] = (squares[s] - residual - above) / _weight(s, sizes, factors, each)
    order = [raw[s] for s in (subsets if repeats else subsets[:-1])] + [residual]
    floor = TINY * max(max(map(abs, order)), TINY)
    negative = [name for name, x in zip(shown, order, strict=True) if x < -floor]
    reason = f"negative, set to 0: {', '.join(negative)}" if negative else None
    kept = tuple(max(x, 0.0) for x in order)
    return Components(tuple(shown), kept, tuple(order), "anova", array.size, reason)


def _weight(s: tuple[int, ...], sizes: tuple[int, ...], factors: range, each: int) -> int:
    return each * math.prod(sizes[f] for f in factors if f not in s)


def reml_components(values: npt.ArrayLike, factors: Mapping[str, npt.ArrayLike]) -> Components:
    r"""Variance components of any crossed design, complete or not, by restricted maximum likelihood.

    Parameters
    ----------
    values : float array, shape (n,)
        NaN is left out and counted.
    factors
        Name -> labels, shape (n,). A crossing is a factor of its own, e.g. ``"item:seed"`` with a label a
        pair.

    Returns
    -------
    Components
        In the order of `factors`, then `residual`; at least 0. NaN with a reason for fewer than three
        values, no spread, a factor with one level, or two that say the same (they could not be told apart; a
        factor with a level a row cannot be told from the residual).

    Raises
    ------
    ShapeError, RangeError
        Lengths differ; infinite values; a factor named ``"residual"``.

    Notes
    -----
    .. math::
        y = \mu + \sum_f Z_f u_f + e,\quad
        -2\ell = \log|V| + \log|1'V^{-1}1| + (n-1) \log \frac{(y-\hat\mu)' V^{-1} (y-\hat\mu)}{n-1}

    with V in units of the residual; maximized over the ratios of standard deviations by L-BFGS-B from two
    starts, then polished, which leaves a relative error of about 1e-6. For complete designs without negative
    estimates it equals :func:`anova_components`. Source: Patterson and Thompson (1971),
    doi:10.1093/biomet/58.3.545; Bates et al. (2015), doi:10.18637/jss.v067.i01, for the parametrization.
    Checked against statsmodels ``MixedLM``.
    """
    from scipy.optimize import minimize

    array = numbers(values, "values")
    if RESIDUAL in factors:
        raise RangeError(f"factors: expected names other than {RESIDUAL!r}")
    present = ~np.isnan(array)
    names, missing = [*factors, RESIDUAL], int((~present).sum())
    coded = {name: codes(label, name, len(array))[0] for name, label in factors.items()}
    y = array[present]
    n = len(y)
    grouped = {name: codes(code[present], name, n) for name, code in coded.items()}
    if n < 3 or float(np.ptp(y)) <= TINY * float(np.abs(y).max()):
        return _nothing(names, "fewer than 3 values, or no spread", n, missing)
    for name, (_, size) in grouped.items():
        if size < 2 or size == n:
            what = "one level" if size < 2 else "a level a row, like the residual"
            return _nothing(names, f"{name}: {what}", n, missing)
    for first, second in itertools.combinations(grouped, 2):
        joint = len(np.unique(np.column_stack([grouped[first][0], grouped[second][0]]), axis=0))
        if joint == grouped[first][1] == grouped[second][1]:
            return _nothing(names, f"{first} and {second} say the same", n, missing)
    scale = float(y.std())
    likelihood = _Likelihood((y - y.mean()) / scale, list(grouped.values()))
    k = len(grouped)
    fits = [
        minimize(likelihood, np.full(k, start), method="L-BFGS-B", bounds=[(0, None)] * k, options=_TIGHT)
        for start in (1.0, 0.2)
    ]
    best = min(fits, key=lambda fit: float(fit.fun))
    ratios = _polished(likelihood, np.asarray(best.x, dtype=np.float64))
    ratios[ratios < 1e-5] = 0.0
    residual = likelihood.residual(ratios) * scale**2
    found = tuple(float(x) for x in [*(ratios**2 * residual), residual])
    return Components(tuple(names), found, found, "reml", n, None, missing)


_TIGHT = {"ftol": 1e-12, "gtol": 1e-8, "maxiter": 200}


def _polished(likelihood: _Likelihood, ratios: FloatArray) -> FloatArray:
    """A few Newton steps with central differences, for the ratios that are not at the edge 0."""
    inner = np.flatnonzero(ratios > 1e-2)
    step = 1e-4 * np.eye(len(ratios))[inner]
    for _ in range(3 if len(inner) else 0):
        up = np.array([likelihood(ratios + s) for s in step])
        down = np.array([likelihood(ratios - s) for s in step])
        middle = likelihood(ratios)
        bend = np.diag((up - 2 * middle + down) / 1e-8)
        for i, j in itertools.combinations(range(len(inner)), 2):
            corners = [likelihood(ratios + a * step[i] + b * step[j]) * a * b for a in (1, -1) for b in (1, -1)]
            bend[i, j] = bend[j, i] = sum(corners) / 4e-8
        if np.linalg.eigvalsh(bend)[0] <= 0:
            break
        moved = ratios.copy()
        moved[inner] -= np.linalg.solve(bend, (up - down) / 2e-4)
        if (moved[inner] <= 0).any() or likelihood(moved) > middle + 1e-9 * abs(middle):
            break
        ratios = moved
    return ratios


class _Likelihood:
    """Twice the negative restricted log-likelihood, as a function of the SD ratios."""

    def __init__(self, y: FloatArray, factors: list[tuple[npt.NDArray[np.int64], int]]) -> None:
        self.n = len(y)
        self.sizes = [size for _, size in factors]
        offsets = np.cumsum([0, *self.sizes])
        total = int(offsets[-1])
        self.cross = np.zeros((total, total))
        columns = [code + offset for (code, _), offset in zip(factors, offsets[:-1], strict=True)]
        for a, b in itertools.product(columns, repeat=2):
            np.add.at(self.cross, (a, b), 1.0)
        stacked = np.column_stack([np.ones(self.n), y])
        self.sides = np.zeros((total, 2))
        for column in columns:
            np.add.at(self.sides, column, stacked)
        self.plain = stacked.T @ stacked

    def _parts(self, ratios: FloatArray) -> tuple[float, FloatArray]:
        """Log-determinant of V, and the products of 1 and y under its inverse."""
        from scipy.linalg import cho_factor, cho_solve

        scales = np.repeat(ratios, self.sizes)
        inner = np.eye(len(scales)) + scales[:, None] * self.cross * scales
        root, lower = cho_factor(inner, lower=True, overwrite_a=True, check_finite=False)
        sides = scales[:, None] * self.sides
        products: FloatArray = self.plain - sides.T @ cho_solve((root, lower), sides, check_finite=False)
        return 2 * float(np.log(np.diag(root)).sum()), products

    def _rest(self, products: FloatArray) -> float:
        return float(products[1, 1] - products[0, 1] ** 2 / products[0, 0])

    def residual(self, ratios: FloatArray) -> float:
        return self._rest(self._parts(ratios)[1]) / (self.n - 1)

    def __call__(self, ratios: FloatArray) -> float:
        determinant, products = self._parts(ratios)
        rest = max(self._rest(products), 1e-300)
        return determinant + math.log(float(products[0, 0])) + (self.n - 1) * math.log(rest / (self.n - 1))
