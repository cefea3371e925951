"""No example may be in the benchmark: by hash, and by near-duplicate.

Source of the near-duplicate rule: m3r, appendix A.2 (picture correlation >= 0.98 and error <= 0.06 on 256 x 256 gray
pixels, text similarity >= 0.90). Ours: text similarity is character TF-IDF and sequence similarity, both; and a
benchmark picture under another text is left out as well, since a model would learn it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from trope.items.tfidf import similar_pairs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

CORRELATION: Final = 0.98
ERROR: Final = 0.06
TEXT: Final = 0.90
_SIDE, _SCREEN_SIDE = 256, 16
_SCREEN = 0.90  # correlation of 16 x 16 pixels below which 256 x 256 are not compared
_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Seen:
    """One picture with its text, as it is compared: ``small`` is 16 x 16, ``gray`` 256 x 256, both in [0, 1]."""

    id: str
    text: str
    sha: str
    small: npt.NDArray[np.float64]
    gray: npt.NDArray[np.uint8]


def look(id: str, text: str, sha: str, image: Image) -> Seen:
    """Prepare one picture for comparison."""
    import numpy as np
    from PIL.Image import Resampling

    gray = image.convert("L")
    small = np.asarray(gray.resize((_SCREEN_SIDE, _SCREEN_SIDE), Resampling.BOX), float) / 255
    return Seen(id, plain(text), sha, small, np.asarray(gray.resize((_SIDE, _SIDE), Resampling.BILINEAR)))


def plain(text: str) -> str:
    """A text as it is compared: NFKC, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def overlaps(pool: Sequence[Seen], benchmark: Sequence[Seen]) -> dict[str, tuple[str, str]]:
    """Which of the pool are in the benchmark.

    Returns
    -------
    Id -> (rule, what was found). Rules: ``duplicate`` (picture and text), ``picture`` (the same picture),
    ``near-duplicate`` (nearly the same picture and text), ``near-picture`` (nearly the same picture).
    """
    found: dict[str, tuple[str, str]] = {}
    by_picture: dict[str, list[Seen]] = {}
    for there in benchmark:
        by_picture.setdefault(there.sha, []).append(there)
    for here in pool:
        same = by_picture.get(here.sha, [])
        twin = next((there for there in same if there.text == here.text), None)
        if twin is not None:
            found[here.id] = ("duplicate", f"picture and text of {twin.id} of the benchmark")
        elif same:
            found[here.id] = ("picture", f"the picture of {same[0].id} of the benchmark, under another text")
    rest = [here for here in pool if here.id not in found]
    alike = _text_pairs(rest, benchmark)
    for here, there, correlation, error in _picture_pairs(rest, benchmark):
        what = f"of {there.id} of the benchmark (correlation {correlation:.3f}, error {error:.3f})"
        if (here.id, there.id) in alike:
            found[here.id] = ("near-duplicate", f"nearly the picture and text {what}")
        else:
            found.setdefault(here.id, ("near-picture", f"nearly the picture {what}, under another text"))
    return found


def compare_pictures(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> tuple[float, float]:
    """Correlation and mean absolute error (in [0, 1]) of two gray pictures of one size.

    Two flat pictures correlate if they are equal, and not otherwise.
    """
    import numpy as np

    a, b = left.astype(float).ravel() / 255, right.astype(float).ravel() / 255
    error = float(np.abs(a - b).mean())
    a, b = a - a.mean(), b - b.mean()
    length = float(np.sqrt((a @ a) * (b @ b)))
    if length < 1e-9:
        return float(error < 1 / 255), error
    return float(a @ b) / length, error


def _text_pairs(pool: Sequence[Seen], benchmark: Sequence[Seen]) -> set[tuple[str, str]]:
    texts = [seen.text for seen in (*pool, *benchmark)]
    found = set()
    for pair in similar_pairs(texts, TEXT, (1, 3)):
        if pair.first < len(pool) <= pair.second:
            here, there = pool[pair.first], benchmark[pair.second - len(pool)]
            if SequenceMatcher(None, here.text, there.text, autojunk=False).ratio() >= TEXT:
                found.add((here.id, there.id))
    return found


def _picture_pairs(pool: Sequence[Seen], benchmark: Sequence[Seen]) -> list[tuple[Seen, Seen, float, float]]:
    import numpy as np

    if not pool or not benchmark:
        return []
    theirs = _standard(benchmark)
    found = []
    for start in range(0, len(pool), _BLOCK):
        block = pool[start : start + _BLOCK]
        near = _standard(block) @ theirs.T
        flat = np.isnan(near)  # a flat picture has no direction: it is compared with everything
        for n, k in np.argwhere((near >= _SCREEN) | flat):
            here, there = block[n], benchmark[k]
            correlation, error = compare_pictures(here.gray, there.gray)
            if correlation >= CORRELATION and error <= ERROR:
                found.append((here, there, correlation, error))
    return found


def _standard(seen: Sequence[Seen]) -> npt.NDArray[Any]:
    """A row a picture, of mean 0 and length 1; NaN for a flat one."""
    import numpy as np

    rows = np.stack([one.small.ravel() for one in seen])
    rows = rows - rows.mean(axis=1, keepdims=True)
    length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    found: npt.NDArray[Any] = np.divide(rows, length, out=np.full_like(rows, np.nan), where=length > 1e-6)
    return found
