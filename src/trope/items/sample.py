"""Cells of a set, and samples that keep their balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from trope.errors import UsageError
from trope.nouns import Item

Cell = tuple[str, ...]
_ROUNDING = 1e-9  # a share of 2.9999999999 is 3


def cells_of(items: Iterable[Item], by: Sequence[str]) -> Counter[Cell]:
    """How many items each combination of the fields ``by`` has."""
    return Counter(tuple(_field(item, name) for name in by) for item in items)


def stratified(items: Sequence[Item], n: int, by: Sequence[str], *, rng: np.random.Generator) -> list[Item]:
    """Draw ``n`` items without replacement, as many of each cell of ``by`` as `allocate` gives it.

    The order of ``items`` is kept.
    """
    if not 0 <= n <= len(items):
        raise UsageError(f"cannot draw {n} of {len(items)} items")
    strata: dict[Cell, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        strata[tuple(_field(item, name) for name in by)].append(index)
    counts = allocate({cell: len(members) for cell, members in strata.items()}, n)
    drawn = [i for cell in sorted(strata) for i in rng.permutation(strata[cell])[: counts[cell]]]
    return [items[i] for i in sorted(drawn)]


def allocate(sizes: Mapping[Cell, int], n: int) -> dict[Cell, int]:
    """How many of ``n`` each cell gets: its share rounded down, and the rest one by one.

    Each one that is left goes to the cell that lacks most: of its own share, and of the shares of every value
    it has (its language, its form, ...), so that a sample too small for its cells still keeps the balance of each
    field. Ties go to the first cell by name; no cell gets more than it has. One field: largest remainders.

    By hand: 4 cells of 5 (a/x, a/y, b/x, b/y), n = 2: each share is 0.5, so a/x is first by name; then a and x lack
    nothing and b/y lacks most. Largest remainders by name alone would give a/x and a/y, and no b.
    """
    total = sum(sizes.values())
    shares = {cell: n * size / max(1, total) for cell, size in sizes.items()}
    counts = {cell: min(sizes[cell], int(share + _ROUNDING)) for cell, share in shares.items()}
    lacking: dict[tuple[int, str], float] = defaultdict(float)
    for cell, share in shares.items():
        for value in enumerate(cell):
            lacking[value] += share - counts[cell]
    for _ in range(n - sum(counts.values())):
        free = [cell for cell in sorted(sizes) if counts[cell] < sizes[cell]]

        def lack(cell: Cell) -> float:
            own = shares[cell] - counts[cell]
            return round(own + sum(lacking[value] for value in enumerate(cell)), 9)

        chosen = max(free, key=lack)  # the first of equals
        counts[chosen] += 1
        for value in enumerate(chosen):
            lacking[value] -= 1
    return counts


def _field(item: Item, name: str) -> str:
    figure = item.figure
    values: dict[str, object] = {
        "lang": item.lang, "split": item.split, "held_out": item.held_out, **item.cluster, **item.labels,
    }  # fmt: skip
    if figure is not None:
        values |= {"form": figure.form, "mechanism": figure.mechanism, "structure": figure.structure}
        values |= {"vehicle_class": figure.vehicle_class}
    if name not in values:
        raise UsageError(f"item {item.id!r} has no field {name!r}. It has: {', '.join(sorted(values))}")
    return str(values[name])
