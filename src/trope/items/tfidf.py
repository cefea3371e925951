"""Character TF-IDF of short texts, and the pairs whose cosine reaches a threshold; exact, on 10^5 texts.

Weights are those of scikit-learn's ``TfidfVectorizer(analyzer="char", norm="l2", smooth_idf=True)``: counts
times ``ln((1 + n) / (1 + df)) + 1``, rows of length 1. Pairs are found by prefix filtering: with features
ordered from rare to common, a row's *prefix* leaves out common features as long as what is left out stays
shorter than 0.9 of the threshold. Of two rows take the one whose prefix ends first: all its prefix meets the
other's, and the rest adds at most the length of what it left out. So only pairs whose prefixes' product
plus the longer rest reaches the threshold are multiplied out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BLOCK = 4096  # rows compared at once
_PAIRS = 200_000  # candidate pairs multiplied out at once
_SHARE = 0.9  # of the threshold: how long the part left out of a prefix may be; the fastest in trials
_ROUNDING = 1e-5  # prefixes are multiplied in single precision
_PRIME = np.uint64(0x100000001B3)


class Pair(NamedTuple):
    """Two rows (``first < second``) and their cosine."""

    first: int
    second: int
    cosine: float


def plain(text: str) -> str:
    """A text as it is compared: NFKC, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def char_tfidf(texts: Sequence[str], ngrams: tuple[int, int] = (3, 5)) -> csr_array:
    """One row a text, of length 1 (0 for a text with no n-gram), in the order given.

    Parameters
    ----------
    texts : any texts; compared as `plain` makes them.
    ngrams : shortest and longest run of characters, both included.

    Returns
    -------
    csr_array, float64, shape (n_texts, n_features); columns are in order of document frequency, rare first.
    """
    from scipy.sparse import csr_array

    codes = [
        np.frombuffer(plain(text).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64) for text in texts
    ]
    rows, grams = _ngrams(codes, ngrams)
    if len(grams) == 0:
        return csr_array((len(texts), 0))
    _, columns = np.unique(grams, return_inverse=True)
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(texts), int(columns.max()) + 1))
    counts.sum_duplicates()
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    order = np.argsort(frequency, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    weights = counts.data * (np.log((1 + len(texts)) / (1 + frequency[counts.indices])) + 1)
    length = np.sqrt(np.add.reduceat(np.append(weights**2, 0.0), counts.indptr[:-1]))
    length[np.diff(counts.indptr) == 0] = 1.0
    weights /= np.repeat(length, np.diff(counts.indptr))
    matrix = csr_array((weights, place[counts.indices], counts.indptr), shape=counts.shape)
    matrix.sort_indices()
    return matrix


def similar_pairs(texts: Sequence[str], threshold: float, ngrams: tuple[int, int] = (3, 5)) -> list[Pair]:
    """All pairs of ``texts`` whose cosine is at least ``threshold``, the most alike first.

    Parameters
    ----------
    threshold : in (0, 1]; the lower, the slower. 10^5 sentences at 0.9 take under two minutes on one core.

    Raises
    ------
    ValueError : a threshold outside (0, 1].
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold: expected a number in (0, 1], got {threshold!r}")
    matrix = char_tfidf(texts, ngrams)
    found = [pair for block in _candidates(matrix, threshold) for pair in _verified(matrix, block, threshold)]
    return sorted(found, key=lambda pair: (-pair.cosine, pair.first, pair.second))


def _ngrams(codes: Sequence[npt.NDArray[np.uint64]], ngrams: tuple[int, int]) -> tuple[Any, Any]:
    """Row and 64-bit fingerprint of every n-gram of every text."""
    whole = np.concatenate([*codes, np.empty(0, np.uint64)])
    owner = np.repeat(np.arange(len(codes)), [len(c) for c in codes])
    rows, grams = [], []
    with np.errstate(over="ignore"):
        for n in range(ngrams[0], ngrams[1] + 1):
            if len(whole) < n:
                continue
            print_ = np.full(len(whole) - n + 1, np.uint64(0xCBF29CE484222325) + np.uint64(n))
            for k in range(n):
                print_ = (print_ ^ whole[k : len(whole) - n + 1 + k]) * _PRIME
                print_ ^= print_ >> np.uint64(29)
            inside = owner[: len(whole) - n + 1] == owner[n - 1 :]
            rows.append(owner[: len(whole) - n + 1][inside])
            grams.append(print_[inside])
    if not rows:
        return np.empty(0, np.int64), np.empty(0, np.uint64)
    return np.concatenate(rows), np.concatenate(grams)


def _candidates(matrix: csr_array, threshold: float) -> Iterator[tuple[Any, Any]]:
    """Pairs of rows that may reach the threshold, in blocks of rows."""
    from scipy.sparse import csr_array

    squared = matrix.data**2
    # what stands from each feature of a row to its end (the common ones), by reversed cumulative sums
    total = np.append(np.cumsum(squared[::-1])[::-1], 0.0)
    kept = total[:-1] - np.repeat(total[matrix.indptr[1:]], np.diff(matrix.indptr)) >= (_SHARE * threshold) ** 2
    indptr = np.concatenate(([0], np.cumsum(kept)))[matrix.indptr]
    inside = np.append(np.where(kept, squared, 0.0), 0.0)
    rest = np.sqrt(np.clip(1.0 - np.add.reduceat(inside, matrix.indptr[:-1]), 0.0, None))
    prefix = csr_array((matrix.data[kept].astype(np.float32), matrix.indices[kept], indptr), shape=matrix.shape)
    turned = prefix.T.tocsr()
    for start in range(0, matrix.shape[0], _BLOCK):
        shared = (prefix[start : start + _BLOCK] @ turned).tocoo()
        first, second = shared.row + start, shared.col
        likely = (second > first) & (shared.data >= threshold - _ROUNDING - np.maximum(rest[first], rest[second]))
        yield first[likely], second[likely]


def _verified(matrix: csr_array, pairs: tuple[Any, Any], threshold: float) -> Iterator[Pair]:
    for start in range(0, len(pairs[0]), _PAIRS):
        first, second = (side[start : start + _PAIRS] for side in pairs)
        cosine = np.asarray(matrix[first].multiply(matrix[second]).sum(axis=1)).ravel()
        for n in np.flatnonzero(cosine >= threshold - 1e-12):
            yield Pair(int(first[n]), int(second[n]), float(min(1.0, cosine[n])))
