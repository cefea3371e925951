"""How alike two pictures, and two texts, are. m3r, section 3: the numbers a near duplicate has to reach."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from trope.build.dedupe.hashes import open_gray

SIDE = 256


@dataclass(frozen=True, slots=True)
class Likeness:
    """Of two pictures: correlation of gray values in [-1, 1], and mean absolute difference as a share of 255."""

    correlation: float
    error: float


def pictures_alike(first: Path, second: Path) -> Likeness:
    """Compare two picture files, both brought to 256 x 256 gray.

    A picture without any contrast correlates with nothing; two of them correlate fully if they are equal.
    """
    a, b = _gray(first), _gray(second)
    error = float(np.abs(a - b).mean() / 255)
    da, db = a - a.mean(), b - b.mean()
    length = float(np.sqrt((da**2).sum() * (db**2).sum()))
    correlation = float((da * db).sum()) / length if length > 0 else float(error == 0)
    return Likeness(correlation, error)


@lru_cache(maxsize=256)
def _gray(path: Path) -> npt.NDArray[np.float32]:
    gray, _ = open_gray(path.read_bytes(), path.name, SIDE)
    return np.asarray(gray.resize((SIDE, SIDE), Image.Resampling.LANCZOS), np.float32)


def sequences_alike(first: str, second: str) -> float:
    """Share of characters in matching blocks, in [0, 1]; the lower of both orders, so that order does not matter."""
    if first == second:
        return 1.0
    return min(SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in ((first, second), (second, first)))
