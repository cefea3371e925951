"""All pairs of 64-bit hashes within a Hamming distance; exact.

Two hashes that differ in at most r bits agree in at least one of r + 1 bands. So only hashes that share a band
are compared, band by band, in blocks: quick where hashes spread, never more than all pairs where they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

_BLOCK = 2048  # hashes of one band value that are compared at once: 32 MB


def near_pairs(hashes: npt.NDArray[np.uint64], radius: int) -> npt.NDArray[np.int64]:
    """Indices of all pairs within ``radius`` bits.

    Parameters
    ----------
    hashes : shape (n,), uint64.
    radius : 0 to 31.

    Returns
    -------
    int64, shape (pairs, 2): each pair once, the smaller index first, sorted.

    Raises
    ------
    ValueError : a radius outside 0..31.
    """
    if not 0 <= radius <= 31:
        raise ValueError(f"radius: expected 0 to 31 bits, got {radius}")
    found = [pair for band in _bands(radius + 1) for pair in _sharing(hashes, band, radius)]
    if not found:
        return np.empty((0, 2), np.int64)
    codes = np.unique(np.concatenate(found))
    return np.stack(np.divmod(codes, len(hashes)), axis=1)


def _bands(count: int) -> list[tuple[int, int]]:
    """First bit and width of ``count`` bands that cover 64 bits."""
    edges = [round(64 * n / count) for n in range(count + 1)]
    return [(low, high - low) for low, high in pairwise(edges)]


def _sharing(hashes: npt.NDArray[np.uint64], band: tuple[int, int], radius: int) -> Iterator[npt.NDArray[np.int64]]:
    """Codes ``first * n + second`` of pairs that agree in a band and are near over all."""
    start, width = band
    values = (hashes >> np.uint64(start)) & np.uint64((1 << width) - 1)
    order = np.argsort(values, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(values[order])) + 1, len(order))
    begin = 0
    for end in ends:
        members, begin = order[begin:end], int(end)
        for a in range(0, len(members), _BLOCK):
            for b in range(a, len(members), _BLOCK):
                first, second = members[a : a + _BLOCK], members[b : b + _BLOCK]
                near = np.bitwise_count(hashes[first][:, None] ^ hashes[second][None, :]) <= radius
                if a == b:
                    near = np.triu(near, 1)
                x, y = np.nonzero(near)
                if len(x):
                    one, two = first[x], second[y]
                    yield np.minimum(one, two) * len(hashes) + np.maximum(one, two)
