"""What was seen along the layers of one text encoder: a strip an item, read once, used by every table of the lens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.simile.reading import NAN, look
from trope.protocols.simile.views import Floats, Labels, vehicle_of
from trope.strategies.lens import place

FATES = ("never", "suppressed", "persistent", "final only")


@dataclass(frozen=True)
class Strips:
    """One subject, branch and instrument.

    Attributes
    ----------
    layers : which ones were looked at, ascending; the last one is the encoder's last.
    seen : whether the vehicle is there: 1, 0, NaN unanswered; shape (strips, layers).
    final : the same of the normal picture; shape (strips,).
    classes : cluster labels; shape (strips,).
    """

    subject: str
    branch: str
    instrument: str
    layers: tuple[int, ...]
    seen: Floats
    final: Floats
    classes: Labels

    @property
    def place(self) -> tuple[str, str, str]:
        """What seeds the resampling."""
        return self.subject, self.branch, self.instrument

    @property
    def appears(self) -> Floats:
        """Whether the vehicle is in the picture of any layer: known once it is seen, or once all have answered."""
        hit = np.nansum(self.seen, axis=1) > 0
        unknown = ~hit & np.isnan(self.seen).any(axis=1)
        return np.where(unknown, NAN, hit.astype(float))

    @property
    def first(self) -> Floats:
        """Where it is first seen, (layer - 1) / (layers - 1): 0 the first, 1 the last; 0 if there is but one.

        NaN where it is never seen, or where a layer before has not answered.
        """
        hit = self.seen == 1.0
        at = hit.argmax(axis=1)
        before = np.arange(len(self.layers)) < at[:, None]
        known = hit.any(axis=1) & ~(np.isnan(self.seen) & before).any(axis=1)
        last = max(self.layers)
        share = (np.array(self.layers)[at] - 1) / (last - 1) if last > 1 else np.zeros(len(at))
        return np.where(known, share, NAN)

    @property
    def coverage(self) -> Floats:
        """Share of the layers in which it is seen; NaN unless all have answered."""
        return np.where(np.isnan(self.seen).any(axis=1), NAN, self.seen.mean(axis=1))

    @property
    def fate(self) -> list[str | None]:
        """One of `FATES` a strip; None where what has answered leaves it open."""
        names = {(0.0, 0.0): "never", (1.0, 0.0): "suppressed", (1.0, 1.0): "persistent", (0.0, 1.0): "final only"}
        return [names.get(pair) for pair in zip(self.appears.tolist(), self.final.tolist(), strict=True)]


def strips(study: Study) -> list[Strips]:
    """All strips of a study, in the order of its cells, instruments within; of instruments that look for objects."""
    branches: dict[tuple[str, str], dict[tuple[str, int], dict[int | None, Measured]]] = {}
    for cell in study.cells:
        if (where := place(cell.strategy)) is not None:
            branch = branches.setdefault((cell.subject, where.branch), {})
            branch.setdefault((cell.item.id, cell.seed), {})[where.layer] = cell
    looking = [name for name, kind in study.instruments.items() if kind in ("detector", "judge")]
    return [
        _strips(subject, branch, instrument, list(found.values()))
        for (subject, branch), found in branches.items()
        for instrument in looking
        if any(layer is not None for cells in found.values() for layer in cells)
    ]


def _strips(subject: str, branch: str, instrument: str, found: list[dict[int | None, Measured]]) -> Strips:
    layers = sorted({layer for cells in found for layer in cells if layer is not None})

    def said(cells: dict[int | None, Measured], layer: int | None) -> float:
        return look(cells[layer], instrument).present if layer in cells else NAN

    return Strips(
        subject,
        branch,
        instrument,
        layers=tuple(layers),
        seen=np.array([[said(cells, layer) for layer in layers] for cells in found], float),
        final=np.array([said(cells, None) for cells in found], float),
        classes=np.array([vehicle_of(next(iter(cells.values()))) for cells in found], str),
    )
