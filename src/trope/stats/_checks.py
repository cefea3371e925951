"""Input checks: what must hold before a number is computed, each with a message that says what was wrong.

Errors are for input that cannot be meant (lengths that differ, a rate of 1.4, an infinite value). Data that
is merely degenerate (empty, constant, one cluster) is no error: it gives NaN with a reason.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from trope.errors import TropeError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


class StatsError(TropeError, ValueError):
    """Input that a function of this room cannot take."""


class ShapeError(StatsError):
    """An array with the wrong number of dimensions, or lengths that should be equal and are not."""


class PairingError(ShapeError):
    """Two arrays that should describe the same rows and do not (there is no unpaired fallback)."""


class RangeError(StatsError):
    """A value outside the range that the function is defined on."""


def numbers(values: npt.ArrayLike, name: str, *, ndim: int = 1) -> FloatArray:
    """Return `values` as floats with `ndim` dimensions, finite except for NaN, which means missing."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatsError(f"{name}: expected numbers, got {values!r:.80}") from error
    if array.size == 0 and array.ndim < ndim:
        array = array.reshape((0,) * ndim)
    if array.ndim != ndim:
        raise ShapeError(f"{name}: expected {ndim} dimension(s), got shape {array.shape}")
    if np.isinf(array).any():
        raise RangeError(f"{name}: expected finite numbers, got {array[np.isinf(array)].flat[0]}")
    return array


def within(array: FloatArray, name: str, low: float, high: float) -> FloatArray:
    """Return `array` unchanged, having checked that what is not NaN lies in [low, high]."""
    outside = (array < low) | (array > high)
    if outside.any():
        raise RangeError(f"{name}: expected values in [{low:g}, {high:g}], got {array[outside].flat[0]:g}")
    return array


def _is_missing(label: Any) -> bool:
    return label is None or (isinstance(label, (float, np.floating)) and bool(np.isnan(label)))


def label_array(labels: npt.ArrayLike, name: str, *, ndim: int = 1) -> tuple[npt.NDArray[Any], BoolArray]:
    """Labels with `ndim` dimensions as numbers or strings, and where they are missing (None or NaN).

    The place of a missing label holds an arbitrary value.
    """
    array = np.asarray(labels)
    if array.size == 0 and array.ndim < ndim:
        array = array.reshape((0,) * ndim)
    if array.ndim != ndim:
        raise ShapeError(f"{name}: expected {ndim} dimension(s), got shape {array.shape}")
    if array.dtype.kind == "O":
        missing = np.array([_is_missing(x) for x in array.reshape(-1)], dtype=np.bool_).reshape(array.shape)
        known = [x for x in array.reshape(-1) if not _is_missing(x)]
        if all(isinstance(x, (int, float, np.integer, np.floating)) for x in known):
            return np.where(missing, 0, array).astype(np.float64), missing
        texts = [str(x) for x in array.reshape(-1)]
        return np.array(texts, dtype=np.str_).reshape(array.shape), missing
    if array.dtype.kind == "f":
        return array, np.isnan(array)
    return array, np.zeros(array.shape, dtype=np.bool_)


def codes(labels: npt.ArrayLike, name: str, length: int) -> tuple[IntArray, int]:
    """Number the labels 0..k-1 in sorted order: (code of each row, k); every row must have a label."""
    array, missing = label_array(labels, name)
    if len(array) != length:
        raise ShapeError(f"{name}: expected one label a row ({length}), got {len(array)}")
    if missing.any():
        raise RangeError(f"{name}: expected a label for every row, got {int(missing.sum())} missing")
    if length == 0:
        return np.zeros(0, dtype=np.int64), 0
    found, inverse = np.unique(array, return_inverse=True)
    return inverse.reshape(-1).astype(np.int64), len(found)


def level(confidence: float) -> float:
    """Return `confidence`, having checked that it lies strictly between 0 and 1."""
    if not 0.0 < confidence < 1.0:
        raise RangeError(f"confidence: expected a number between 0 and 1 (exclusive), got {confidence!r}")
    return float(confidence)


def at_least(number: int, least: int, name: str) -> int:
    """Return `number`, having checked that it is a whole number of at least `least`."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise RangeError(f"{name}: expected a whole number of at least {least}, got {number!r}")
    return int(number)


def one_of(choice: str, known: tuple[str, ...], name: str) -> str:
    """Return `choice`, having checked that it is one of `known`."""
    if choice not in known:
        raise StatsError(f"{name}: expected one of {', '.join(map(repr, known))}, got {choice!r}")
    return choice


def pair(a: npt.ArrayLike, b: npt.ArrayLike, names: str = "a, b") -> tuple[FloatArray, FloatArray, int]:
    """Two float arrays of the same rows without the rows where either is NaN, and how many those were."""
    first, second = (numbers(x, name) for x, name in zip((a, b), names.split(", "), strict=True))
    if len(first) != len(second):
        raise PairingError(f"{names}: expected the same rows in both, got {len(first)} and {len(second)}")
    present = ~(np.isnan(first) | np.isnan(second))
    return first[present], second[present], int((~present).sum())


def complete_rows(ratings: npt.ArrayLike, name: str) -> tuple[FloatArray, int]:
    """A float array of two dimensions without the rows that hold a NaN, and how many those were."""
    array = numbers(ratings, name, ndim=2)
    present = ~np.isnan(array).any(axis=1)
    return array[present], int((~present).sum())
