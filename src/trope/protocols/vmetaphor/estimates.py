"""Numbers of a view as table cells: intervals over vehicles, the same wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import estimate_cell
from trope.protocols.vmetaphor.calls import DIMENSIONS
from trope.protocols.vmetaphor.views import Floats, Mask, View
from trope.stats.intervals import mean_interval, rate_interval

SHARE, SCALE = (0.0, 1.0), (1.0, 5.0)
MCQ = ("L1", "L2", "L3", "L4", "overall_pooled", "overall_levels")
RATINGS = (*DIMENSIONS, "dimensions_overall")
POOLED_NOTE = (
    "overall_pooled: all questions of all pictures count alike, so a metaphor with more mappings counts more (the"
    " paper's printed column). overall_levels: mean of the levels of each picture, then over pictures (its text)."
    " Both over pictures of which every question was read."
)


def mcq(study: Study, view: View, mask: Mask, name: str) -> list[dict[str, Any]]:
    """L1 to L4 and both overalls of the chosen pictures."""
    cells = [mean(study, view, view.levels[:, n], mask, f"{name}/L{n + 1}", SHARE) for n in range(4)]
    return [*cells, pooled(study, view, mask, name), mean(study, view, view.by_levels, mask, f"{name}/levels", SHARE)]


def rated(study: Study, view: View, mask: Mask, name: str) -> list[dict[str, Any]]:
    """The three dimensions and their mean."""
    columns = [*view.ratings.T, view.rated]
    return [mean(study, view, v, mask, f"{name}/{d}", SCALE) for d, v in zip(RATINGS, columns, strict=True)]


def pooled(study: Study, view: View, mask: Mask, name: str) -> dict[str, Any]:
    """Share of right answers among all questions of the pictures that were read whole."""
    right, clusters = view.flat(mask & view.whole)
    rng = study.rng("pooled", name, *view.place)
    return estimate_cell(rate_interval(right, clusters, rng=rng), mark=view.mark)


def mean(
    study: Study, view: View, values: Floats, mask: Mask, name: str, bounds: tuple[float, float]
) -> dict[str, Any]:
    """Mean over pictures that have a value."""
    used = mask & ~np.isnan(values)
    rng = study.rng("mean", name, *view.place)
    found = mean_interval(values[used], view.clusters[used], bounds=bounds, rng=rng)
    return estimate_cell(found, mark=view.mark)


def by_picture(view: View) -> Mapping[str, Floats]:
    """Every measure that has one value a picture, by name."""
    named = {f"L{n + 1}": view.levels[:, n] for n in range(4)}
    named |= {"overall_levels": view.by_levels}
    return named | dict(zip(RATINGS, [*view.ratings.T, view.rated], strict=True))
