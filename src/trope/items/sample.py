"""Cells of a set, and samples that keep their balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from trope.errors import UsageError
from trope.nouns import Item


def cells_of(items: Iterable[Item], by: Sequence[str]) -> Counter[tuple[str, ...]]:
    """How many items each combination of the fields ``by`` has."""
    return Counter(tuple(_field(item, name) for name in by) for item in items)


def stratified(items: Sequence[Item], n: int, by: Sequence[str], *, rng: np.random.Generator) -> list[Item]:
    """Draw ``n`` items without replacement, in proportion to the cells of ``by``.

    Largest remainders decide who gets what is left over, ties by the cell's name. The order of ``items`` is
    kept.
    """
    if not 0 <= n <= len(items):
        raise UsageError(f"cannot draw {n} of {len(items)} items")
    strata: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        strata[tuple(_field(item, name) for name in by)].append(index)
    shares = {cell: n * len(members) / max(1, len(items)) for cell, members in strata.items()}
    counts = {cell: int(share) for cell, share in shares.items()}
    spare = n - sum(counts.values())
    for cell in sorted(shares, key=lambda c: (counts[c] - shares[c], c))[:spare]:
        counts[cell] += 1
    drawn = [i for cell in sorted(strata) for i in rng.permutation(strata[cell])[: counts[cell]]]
    return [items[i] for i in sorted(drawn)]


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
