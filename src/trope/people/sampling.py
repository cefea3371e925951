"""Which outputs people are asked about, and with what probability each could have been chosen.

A draw is stratified and without replacement; in each stratum every unit has the same chance, which is
recorded. Later draws ("rate these N next") add to the strata where they narrow the interval most and raise the
recorded chance of the whole stratum, so that what is drawn stays a probability sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trope.errors import UsageError

LEAST = 2  # units a stratum, as far as it has them: with fewer nothing is known of its spread


@dataclass(frozen=True, slots=True)
class Stratum:
    """One stratum: how many units it has, how many were drawn so far."""

    name: str
    size: int
    drawn: int = 0

    @property
    def inclusion(self) -> float:
        """The chance of each of its units to be drawn so far."""
        return self.drawn / self.size


def proportional(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """How many units each stratum gives to a first draw of ``n``.

    Every stratum gives `LEAST` (or all it has) if ``n`` allows, the rest goes by size, largest remainders first,
    ties by name.

    Raises
    ------
    UsageError : more than there are, or fewer than one a stratum (some units could never be drawn).
    """
    total = sum(sizes.values())
    if not len(sizes) <= n <= total:
        raise UsageError(
            f"cannot draw {n} of {total} in {len(sizes)} strata. Expected: from {len(sizes)} (one a stratum) to {total}"
        )
    least = {name: min(LEAST, size) for name, size in sizes.items()}
    if sum(least.values()) > n:
        least = dict.fromkeys(sizes, 1)
    return _share(sizes, {name: float(size) for name, size in sizes.items()}, n, least)


def neyman(strata: Sequence[Stratum], spread: Mapping[str, float], n: int) -> dict[str, int]:
    """How many more units each stratum gives, so that the interval shrinks most (Neyman's allocation).

    Parameters
    ----------
    strata : as drawn so far.
    spread : standard deviation, in each stratum, of what people say less what the judge's numbers predict.
    n : how many more, at most what is left.

    Returns
    -------
    Stratum to how many more; totals approach size times spread.

    Notes
    -----
    Neyman (1934): for a fixed total the variance of a stratified mean is least at n_h proportional to N_h S_h.
    """
    left = {s.name: s.size - s.drawn for s in strata}
    if not 1 <= n <= sum(left.values()):
        raise UsageError(f"cannot draw {n} more: {sum(left.values())} are left. Expected: from 1 to that")
    want = {s.name: s.size * spread[s.name] for s in strata}
    if sum(want.values()) <= 0:
        want = {s.name: float(s.size) for s in strata}
    total = _share(
        {s.name: s.size for s in strata}, want, n + sum(s.drawn for s in strata), {s.name: s.drawn for s in strata}
    )
    return {s.name: total[s.name] - s.drawn for s in strata}


def draw(units: Mapping[str, Sequence[str]], counts: Mapping[str, int], rng: np.random.Generator) -> list[str]:
    """Draw so many units of each stratum, without replacement; strata in order of their names."""
    return [
        str(unit)
        for name in sorted(counts)
        for unit in rng.permutation(np.array(sorted(units[name]), dtype=str))[: counts[name]]
    ]


def _share(sizes: Mapping[str, int], weights: Mapping[str, float], n: int, least: Mapping[str, int]) -> dict[str, int]:
    """Split ``n`` in proportion to ``weights``, each part from ``least`` to its size, largest remainders first.

    A stratum without weight gets more than its least only when all others are full.
    """
    top = max(weights.values())
    weight = {name: max(weights[name] / top, 1e-9) for name in sizes}

    def parts(factor: float) -> dict[str, float]:
        return {m: min(max(factor * weight[m], float(least[m])), float(sizes[m])) for m in sizes}

    low, high = 0.0, max(sizes[m] / weight[m] for m in sizes)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(parts(middle).values()) >= n else (middle, high)
    wanted = parts(high)
    given = {name: int(part + 1e-9) for name, part in wanted.items()}
    spare = n - sum(given.values())
    for name in sorted((m for m in sizes if given[m] < sizes[m]), key=lambda m: (given[m] - wanted[m], m))[:spare]:
        given[name] += 1
    return given
