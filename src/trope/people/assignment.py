"""Who answers what, in which order: overlap for agreement, equal loads, an order of each rater's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from trope.people.units import Unit

CHECK = "check-"  # the pages of attention checks: this, and a number


def share(
    units: Sequence[str], shared: Sequence[str], raters: Sequence[str], each: int, rng: np.random.Generator
) -> dict[str, list[str]]:
    """Give units to raters: the ``shared`` to all, every other one to ``each`` of them; loads differ by one at most."""
    others = [str(u) for u in rng.permutation(np.array(sorted(set(units) - set(shared)), dtype=str))]
    order = [str(r) for r in rng.permutation(np.array(raters, dtype=str))]
    given: dict[str, list[str]] = {rater: sorted(shared) for rater in raters}
    turn = 0
    for unit in others:
        for _ in range(each):
            given[order[turn % len(order)]].append(unit)
            turn += 1
    return given


def ordered(
    units: Sequence[str], frame: Mapping[str, Unit], rng: np.random.Generator, checks: float, first_check: int = 1
) -> list[str]:
    """The pages of a rater, in an order of their own.

    All pages of one call come before those of the next: what a later page tells (which tenor and vehicle are
    meant) must not help with an earlier one. Within a call the order is random. Attention checks are spread
    evenly, each at a random place of its stretch, never first.
    """
    pages: list[str] = []
    calls = list(dict.fromkeys(page.call for unit in units for page in frame[unit].pages))
    for call in calls:
        of_call = [page.id for unit in sorted(units) for page in frame[unit].pages if page.call == call]
        pages += [str(p) for p in rng.permutation(np.array(of_call, dtype=str))]
    count = round(checks * len(pages))
    edges = np.linspace(1, len(pages), count + 1)
    places = [int(rng.integers(int(edges[n]), max(int(edges[n]) + 1, int(edges[n + 1])))) for n in range(count)]
    for n in reversed(range(count)):
        pages.insert(places[n], f"{CHECK}{first_check + n}")
    return pages
