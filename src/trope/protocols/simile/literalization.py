"""The literalization index: what the figure adds, as a share of what painting the vehicle outright adds (ours).

LI = (D_figurative - D_deleted) / (D_literal - D_deleted), D the share of pictures that show the vehicle. A vehicle
that is in the scene anyway, or that the subject cannot draw, cancels out of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trope.protocols.base import Study
from trope.protocols.simile.views import View
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats import ratio_interval
from trope.strategies.twins import DELETED, LITERAL


def literalization(study: Study, seen: Sequence[View]) -> Table:
    """One row a subject, figurative strategy and instrument for which both twins were painted."""
    at = {view.place: view for view in seen}
    rows: list[list[Value]] = []
    for view in seen:
        deleted, literal = (at.get((view.subject, twin, view.instrument)) for twin in (DELETED, LITERAL))
        if deleted is not None and literal is not None and view not in (deleted, literal):
            rows.append([*view.place, *_row(study, view, deleted, literal)])
    columns = (
        "subject", "strategy", "instrument", "index", "Det, figurative", "Det, deleted", "Det, literal", "pictures",
    )  # fmt: skip
    notes = (
        "Index: 0 where the figure adds nothing to the scene without it, 1 where the vehicle is drawn as often as when"
        " it is asked for outright. 95 % intervals over vehicle classes, over items and seeds that have all three.",
        "Undefined, with the reason, where asking for the vehicle outright does not draw it more often.",
    )
    return Table("literalization", "Literalization index, against twins", columns, rows, notes)


def _row(study: Study, view: View, deleted: View, literal: View) -> list[Value]:
    without, outright = (dict(zip(v.pair, v.present, strict=True)) for v in (deleted, literal))
    both = [n for n, pair in enumerate(view.pair) if pair in without and pair in outright]
    figurative, classes = view.present[both], view.classes[both]
    gone = np.array([without[view.pair[n]] for n in both], float)
    there = np.array([outright[view.pair[n]] for n in both], float)
    found = ratio_interval(
        figurative - gone, there - gone, classes, rng=study.rng("literalization", *view.place)
    )  # fmt: skip
    known = ~np.isnan(figurative + gone + there)
    shares = [number(float(v[known].mean())) if known.any() else None for v in (figurative, gone, there)]
    if known.any() and shares[2] <= shares[1]:  # type: ignore[operator]  # the ratio would have the wrong sign
        found = type(found)(
            float("nan"), float("nan"), float("nan"), found.n, found.n_clusters, "none",
            "asked for outright, the vehicle is drawn no more often than without it", found.n_missing,
        )  # fmt: skip
    return [estimate_cell(found, mark=view.mark), *shares, int(known.sum())]
