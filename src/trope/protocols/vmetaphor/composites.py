"""Pictures with known answers: what was really put together against what a judge says, and who finds the two things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.tables import Table, Value, estimate_cell
from trope.protocols.vmetaphor.questions import UNDETERMINED
from trope.protocols.vmetaphor.reading import presence
from trope.protocols.vmetaphor.views import View, cluster
from trope.stats.intervals import rate_interval
from trope.strategies.kinds import STRUCTURES


def tables(study: Study, seen: Sequence[View]) -> list[Table]:
    """Each table where there is something to put into it."""
    made = [_structures(study, seen)] if any(_made(cell) for cell in study.cells) and seen else []
    detectors = [name for name, kind in study.instruments.items() if kind == "detector"]
    return [*made, *([_objects(study, detectors)] if detectors else [])]


def _made(cell: Measured) -> str | None:
    """The structure a synthetic generator says it made, if it is one that knows."""
    composite = (cell.output.value or {}).get("composite") if cell.output.ok else None
    return composite["structure"] if composite else None


def _structures(study: Study, seen: Sequence[View]) -> Table:
    rows: list[list[Value]] = []
    for view in seen:
        answers: dict[str, list[tuple[str, str]]] = {}
        for cell, given, of in zip(view.cells, view.answers, view.clusters, strict=True):
            said = next((a.said for a in given if a.axis == "structure"), None)
            if (made := _made(cell)) and said is not None:
                answers.setdefault(made, []).append((said, of))
        for made in STRUCTURES:
            if found := answers.get(made):
                counts = Counter(said for said, _ in found)
                right = np.array([said == made for said, _ in found], float)
                rng = study.rng("composites", made, *view.place)
                share = rate_interval(right, np.array([of for _, of in found]), rng=rng)
                shares = [counts[said] / len(found) for said in (*STRUCTURES, UNDETERMINED)]
                rows.append([*view.place, made, estimate_cell(share), *shares, len(found)])
    columns = ("subject", "strategy", "judge", "made", "recognized", *STRUCTURES, UNDETERMINED, "answers")
    notes = (
        "The generator says how it put the picture together, whatever the item asks for: this measures the judge.",
        "Of a replacement it draws the one, and of the other only the shadow on the ground.",
    )
    return Table("composites", "Does the judge see how a picture was put together", columns, rows, notes)


def _objects(study: Study, detectors: Sequence[str]) -> Table:
    rows: list[list[Value]] = []
    groups: dict[tuple[str, str], list[Measured]] = {}
    for cell in study.cells:
        groups.setdefault((cell.subject, cell.strategy), []).append(cell)
    for group, cells in groups.items():
        for detector in detectors:
            found: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
            for cell in cells:
                for role, name in (("tenor", "target_class"), ("vehicle", "source_class")):
                    figure, label = cell.item.figure, cell.item.labels.get(name)
                    if label and figure is not None and (hit := _seen(cell, detector, label)) is not None:
                        place = (str(figure.structure), role, presence(figure, role))
                        found.setdefault(place, []).append((float(hit), cluster(cell.item)))
            for place in sorted(found):
                hits, clusters = zip(*found[place], strict=True)
                rng = study.rng("objects", detector, *group, *place)
                share = rate_interval(np.array(hits), np.array(clusters), rng=rng)
                rows.append([*group, detector, *place, estimate_cell(share), len(hits)])
    columns = ("subject", "strategy", "detector", "structure", "object of the", "asked to be", "found", "pictures")
    notes = (
        "Share of pictures in which the detector finds the class, of items that name the classes of both: visible ones"
        " should be found, an absent one should not. 95 % intervals over vehicles.",
    )
    return Table("objects", "Are the two things in the picture", columns, rows, notes)


def _seen(cell: Measured, detector: str, label: str) -> bool | None:
    looked = cell.said(detector, "objects") if cell.output.ok else None
    if looked is None or not looked.ok or label in (looked.value or {}).get("cannot_tell", ()):
        return None
    return looked.best(label) is not None
