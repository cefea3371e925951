"""Tables and plots of simile: detection overall, by class, by template; comparisons; the instrument check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trope.protocols.base import Measured, Study
from trope.protocols.simile.reading import sight, standing
from trope.protocols.tables import Cell, Table, estimate_cell, number
from trope.stats.bounds import mean_bounds
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.intervals import mean_interval, rate_interval, two_way_interval

TRUTH = "truth"
Group = tuple[str, str]  # subject, strategy


def all_tables(study: Study) -> list[Table]:
    """Every table, in the order a reader wants them."""
    tables = [_detection(study), _comparison(study)]
    if TRUTH in study.instruments and len(study.instruments) > 1:
        tables.append(_instrument_check(study))
    return [
        *tables,
        _breakdown(study, "by_class", "Det by vehicle class", _class, _template, "template"),
        _breakdown(study, "by_template", "Det by template", _template, _class, "vehicle class"),
        _statuses(study),
    ]


def warnings(study: Study) -> list[str]:
    """What a reader must know before any number."""
    said = []
    if len(study.cells) < study.planned:
        said.append(f"The run was stopped: {len(study.cells)} of {study.planned} cells are finished.")
    known = {s for s, strategy in _groups(study) if any(c.output.truth is not None for c in _of(study, (s, strategy)))}
    said.extend(
        f"{subject} draws what it is told to and knows what it drew. Its numbers check the instruments; they say"
        " nothing about an image model."
        for subject in sorted(known)
    )
    return said


# --- the tables --------------------------------------------------------------------------------------


def _detection(study: Study) -> Table:
    rows: list[list[Cell]] = []
    for group in _groups(study):
        cells = _of(study, group)
        for instrument in study.instruments:
            rows.append([*group, instrument, *_detection_row(study, group, cells, instrument)])
    columns = (
        "subject", "strategy", "instrument", "Det", "Det, class not in scene", "Conf", "Area",
        "worst", "best", "pictures", "of", "Det, two-way",
    )  # fmt: skip
    return Table("detection", "How often the vehicle is drawn", columns, rows, (
        "Det: share of pictures in which the instrument finds the vehicle's class; lower is better. 95 % intervals over"
        " vehicle classes; two-way: over classes and templates both.",
        "Class not in scene: without the items whose vehicle's class may be there for good reason.",
        "Conf and Area: over pictures with a detection; judges have none.",
        "Worst and best: Det if every missing answer were a detection, or none were.",
        "optimized on: the strategy stopped on this very instrument, which can therefore not score it.",
    ))  # fmt: skip


def _detection_row(study: Study, group: Group, cells: Sequence[Measured], instrument: str) -> list[Cell]:
    seen = [sight(c, instrument) for c in cells]
    present = np.array([s.present for s in seen])
    classes = np.array([_class(c) for c in cells])
    answered = ~np.isnan(present)
    place = (*group, instrument)
    mark = "optimized on" if any(instrument in c.gates for c in cells) else None

    def rate(mask: NDArray[np.bool_], name: str) -> dict[str, Any]:
        return estimate_cell(rate_interval(present[mask], classes[mask], rng=study.rng("det", name, *place)), mark=mark)

    hit = answered & (present == 1)

    def of_hits(name: str, values: Iterable[float]) -> Cell:
        array = np.array(list(values))
        mask = hit & ~np.isnan(array)
        if study.instruments[instrument] == "judge":
            return None
        return estimate_cell(
            mean_interval(array[mask], classes[mask], bounds=(0.0, 1.0), rng=study.rng(name, *place))
        )

    clear = np.array([c.item.class_may_be_in_scene is False for c in cells], dtype=bool)
    low, high = mean_bounds(present)
    both = two_way_interval(
        present[answered], classes[answered], np.array([_template(c) for c in cells])[answered],
        bounds=(0.0, 1.0), rng=study.rng("two-way", *place),
    )  # fmt: skip
    return [
        rate(answered, "all"), rate(answered & clear, "clear"),
        of_hits("conf", (s.conf for s in seen)), of_hits("area", (s.area for s in seen)),
        number(high), number(low), int(answered.sum()), len(cells), estimate_cell(both, mark=mark),
    ]  # fmt: skip


def _comparison(study: Study) -> Table:
    rows: list[list[Cell]] = []
    tests: list[float] = []
    for instrument in study.instruments:
        for a, b in _pairs(_groups(study)):
            pairs = _paired(study, a, b, instrument)
            mark = any(instrument in c.gates for g in (a, b) for c in _of(study, g))
            values = np.array([(x, y) for x, y, _ in pairs]).reshape(-1, 2)
            result = paired_permutation(
                values[:, 0], values[:, 1], np.array([c for *_, c in pairs]),
                rng=study.rng("comparison", *a, *b, instrument),
            )  # fmt: skip
            tests.append(float("nan") if mark else result.p)
            rows.append([
                " · ".join(a), " · ".join(b), instrument, number(result.statistic), number(result.effect),
                result.n_used, result.n_clusters, "optimized on" if mark else number(result.p), None,
                result.reason or "",
            ])  # fmt: skip
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[8] = number(float(adjusted))
    columns = ("this", "minus that", "instrument", "difference of Det", "effect size", "pairs", "clusters", "p", "p (Holm)", "note")
    return Table("comparison", "Strategies and subjects compared, paired by item and seed", columns, rows, (
        "Only pairs in which both pictures were answered. p: two-sided sign-flip test, whole vehicle classes flipped;"
        " Holm's adjustment is over this table. Effect size: Cohen's d of the differences.",
        "A comparison through an instrument that one side stopped on is not tested.",
    ))  # fmt: skip


def _instrument_check(study: Study) -> Table:
    rows: list[list[Cell]] = []
    for instrument in study.instruments:
        if instrument == TRUTH:
            continue
        for name, cells in (("all", list(study.cells)), *((" · ".join(g), _of(study, g)) for g in _groups(study))):
            said = np.array([sight(c, instrument).present for c in cells])
            true = np.array([sight(c, TRUTH).present for c in cells])
            classes = np.array([_class(c) for c in cells])
            both = ~np.isnan(said) & ~np.isnan(true)
            there, gone = both & (true == 1), both & (true == 0)
            mark = "optimized on" if any(instrument in c.gates for c in cells) else None

            def rate(mask: NDArray[np.bool_], kind: str) -> dict[str, Any]:
                rng = study.rng("check", kind, instrument, name)  # noqa: B023  # called before the next turn
                return estimate_cell(rate_interval(said[mask], classes[mask], rng=rng), mark=mark)  # noqa: B023

            rows.append([
                instrument, name, rate(there, "sensitivity"), int(there.sum()), rate(gone, "false alarms"), int(gone.sum()),
            ])  # fmt: skip
    columns = ("instrument", "pictures", "sensitivity", "with the vehicle", "false alarms", "without it")
    return Table("instrument_check", "The instruments against the truth", columns, rows, (
        "Sensitivity: share of pictures that truly hold the vehicle in which the instrument finds it. False alarms: share"
        " of pictures that truly do not hold it in which it finds one all the same.",
        "Pictures a strategy chose with this instrument are a biased sample for it: read the rows of other strategies.",
    ))  # fmt: skip


def _breakdown(
    study: Study, name: str, title: str, row_of: Callable[[Measured], str], cluster_of: Callable[[Measured], str], unit: str
) -> Table:
    groups = [(g, i) for g in _groups(study) for i in study.instruments]
    values = sorted({row_of(c) for c in study.cells})
    rows: list[list[Cell]] = []
    for value in values:
        row: list[Cell] = [value]
        for group, instrument in groups:
            cells = [c for c in _of(study, group) if row_of(c) == value]
            present = np.array([sight(c, instrument).present for c in cells])
            answered = ~np.isnan(present)
            clusters = np.array([cluster_of(c) for c in cells])
            rng = study.rng(name, value, *group, instrument)
            mark = "optimized on" if any(instrument in c.gates for c in cells) else None
            row.append(estimate_cell(rate_interval(present[answered], clusters[answered], rng=rng), mark=mark))
        rows.append(row)
    columns = [title.rpartition(" by ")[2], *(" · ".join((*g, i)) for g, i in groups)]
    return Table(name, title, columns, rows, (f"95 % intervals over clusters of one {unit}.",))


def _statuses(study: Study) -> Table:
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for group in _groups(study):
        for instrument in study.instruments:
            counts[(*group, instrument)] = Counter(standing(c, instrument) for c in _of(study, group))
    names = ["ok", "cannot_tell", "unparsed", "refused", "failed", "blank", "not_applicable"]
    rows: list[list[Cell]] = [[*place, *(of[name] for name in names), sum(of.values())] for place, of in counts.items()]
    return Table("statuses", "What became of every picture and answer", ("subject", "strategy", "instrument", *names, "all"), rows, (
        "Only ok counts in Det. refused, failed, blank: the picture; unparsed, failed, refused: the instrument's answer if"
        " there is a picture; cannot_tell: a judge said so; not_applicable: nothing to ask.",
    ))  # fmt: skip


def plots(study: Study) -> list[dict[str, Any]]:
    """Det with intervals, and Det by class, as data."""
    detection = _detection(study)
    bars = [
        {"label": f"{row[0]} · {row[1]}", "series": row[2], **row[3]}
        for row in detection.rows
        if isinstance(row[3], dict)
    ]
    made: list[dict[str, Any]] = [
        {"kind": "intervals", "name": "detection", "title": "Share of pictures that show the vehicle (Det)", "points": bars}
    ]
    classes = _breakdown(study, "by_class", "Det by vehicle class", _class, _template, "template")
    if 1 < len(classes.rows) <= 80:
        values = [[cell["value"] if isinstance(cell, dict) else None for cell in row[1:]] for row in classes.rows]
        made.append({
            "kind": "heatmap", "name": "by_class", "title": "Det by vehicle class",
            "rows": [str(row[0]) for row in classes.rows], "columns": list(classes.columns[1:]), "values": values,
        })  # fmt: skip
    return made


# --- groups and pairs --------------------------------------------------------------------------------


def _groups(study: Study) -> list[Group]:
    return list(dict.fromkeys((c.subject, c.strategy) for c in study.cells))


def _of(study: Study, group: Group) -> list[Measured]:
    return [c for c in study.cells if (c.subject, c.strategy) == group]


def _pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Each strategy against the first one of its subject, and each subject against the first one there."""
    pairs: list[tuple[Group, Group]] = []
    for group in groups:
        first = next(g for g in groups if g[0] == group[0])
        rival = next(g for g in groups if g[1] == group[1])
        pairs.extend((group, other) for other in dict.fromkeys((first, rival)) if other != group)
    return pairs


def _paired(study: Study, a: Group, b: Group, instrument: str) -> list[tuple[float, float, str]]:
    other = {(c.item.id, c.seed): c for c in _of(study, b)}
    pairs = []
    for cell in _of(study, a):
        twin = other.get((cell.item.id, cell.seed))
        if twin is not None:
            values = sight(cell, instrument).present, sight(twin, instrument).present
            if not np.isnan(values).any():
                pairs.append((*values, _class(cell)))
    return pairs


def _class(cell: Measured) -> str:
    figure = cell.item.figure
    assert figure is not None
    return cell.item.cluster.get("vehicle") or figure.vehicle_class or figure.vehicle


def _template(cell: Measured) -> str:
    return cell.item.cluster.get("template") or "(none)"
