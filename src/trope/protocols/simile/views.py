"""The cells of one subject under one strategy through one instrument, as arrays: read once, used by every table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trope.protocols.base import Measured, Study
from trope.protocols.simile.reading import LOOK, look, status_of
from trope.strategies.lens import place

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.str_]


@dataclass(frozen=True)
class View:
    """One subject, strategy and instrument.

    Attributes
    ----------
    present : 1 there, 0 not, NaN unanswered; shape (n,).
    conf, area : of the best box, NaN where there is none; shape (n,).
    classes, templates : cluster labels; shape (n,).
    clear : whether the vehicle's class has no business in the scene; shape (n,).
    pair : item and seed, what two views are paired by.
    gated : whether the strategy looked through this very instrument.
    """

    subject: str
    strategy: str
    instrument: str
    present: Floats
    conf: Floats
    area: Floats
    classes: Labels
    templates: Labels
    clear: Mask
    pair: list[tuple[str, int]]
    statuses: Counter[str]
    gated: bool

    @property
    def answered(self) -> Mask:
        """Where there is an answer."""
        return ~np.isnan(self.present)

    @property
    def group(self) -> str:
        """Subject and strategy, as tables name them."""
        return f"{self.subject} · {self.strategy}"

    @property
    def place(self) -> tuple[str, str, str]:
        """What seeds the resampling of this view."""
        return self.subject, self.strategy, self.instrument

    @property
    def mark(self) -> str | None:
        """Why its numbers are no score, if they are none."""
        return "optimized on" if self.gated else None


def views(study: Study) -> list[View]:
    """All views of a study, in the order of its cells, instruments within."""
    groups = by_strategy(study)
    looking = [name for name, kind in study.instruments.items() if kind == "detector" or _looked(study, name, kind)]
    return [_view(*group, instrument, cells) for group, cells in groups.items() for instrument in looking]


def by_strategy(study: Study) -> dict[tuple[str, str], list[Measured]]:
    """Cells by subject and strategy. Layers of the lens are left out, and its normal picture where `base` has it."""
    groups: dict[tuple[str, str], list[Measured]] = {}
    plain = {cell.subject for cell in study.cells if cell.strategy == "base"}
    for cell in study.cells:
        if (where := place(cell.strategy)) is not None and (where.layer is not None or cell.subject in plain):
            continue  # a cut text encoder is no strategy: the lens has tables of its own
        groups.setdefault((cell.subject, cell.strategy), []).append(cell)
    return groups


def _view(subject: str, strategy: str, instrument: str, cells: list[Measured]) -> View:
    seen = [look(c, instrument) for c in cells]
    return View(
        subject,
        strategy,
        instrument,
        present=np.array([s.present for s in seen], float),
        conf=np.array([s.conf for s in seen], float),
        area=np.array([s.area for s in seen], float),
        classes=np.array([vehicle_of(c) for c in cells], str),
        templates=np.array([c.item.cluster.get("template") or "(none)" for c in cells], str),
        clear=np.array([c.item.class_may_be_in_scene is False for c in cells], bool),
        pair=[(c.item.id, c.seed) for c in cells],
        statuses=Counter(status_of(c, instrument) for c in cells),
        gated=any(instrument in c.gates for c in cells),
    )


def vehicle_of(cell: Measured) -> str:
    """The vehicle class a cell is clustered by."""
    figure = cell.item.figure
    assert figure is not None
    return cell.item.cluster.get("vehicle") or figure.vehicle_class or figure.vehicle


def _looked(study: Study, name: str, kind: str) -> bool:
    """Whether a judge was asked about the vehicle at all: people may only have rated."""
    return kind == "judge" and (not study.cells or any(LOOK in c.observations.get(name, {}) for c in study.cells))
