"""Tables of simile: detection overall, by class, by template; comparisons; the instrument check; statuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from trope.protocols.base import Study
from trope.protocols.simile.human import human_tables
from trope.protocols.simile.literalization import literalization
from trope.protocols.simile.similarities import similarities
from trope.protocols.simile.views import Floats, Labels, Mask, View
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats.bounds import mean_bounds
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.intervals import mean_interval, rate_interval, two_way_interval

TRUTH = "truth"
STATUSES = ("ok", "cannot_tell", "unparsed", "refused", "failed", "blank", "not_applicable")


def all_tables(study: Study, seen: Sequence[View]) -> list[Table]:
    """Every table, in the order a reader wants them."""
    check = [instrument_check(study, seen)] if TRUTH in study.instruments and len(study.instruments) > 1 else []
    twins = literalization(study, seen)
    return [
        detection(study, seen),
        comparison(study, seen),
        *([twins] if twins.rows else []),
        *check,
        *([similarities(study)] if "similarity" in study.instruments.values() else []),
        *human_tables(study),
        breakdown(study, seen, "vehicle class", lambda v: v.classes, lambda v: v.templates, "template"),
        breakdown(study, seen, "template", lambda v: v.templates, lambda v: v.classes, "vehicle class"),
        statuses(seen),
    ]


def detection(study: Study, seen: Sequence[View]) -> Table:
    """Det, Conf and Area with intervals and bounds, one row a view."""
    columns = (
        "subject", "strategy", "instrument", "Det", "Det, class not in scene", "Conf", "Area",
        "worst", "best", "pictures", "of", "Det, two-way",
    )  # fmt: skip
    notes = (
        "Det: share of pictures in which the instrument finds the vehicle's class; lower is better. 95 % intervals over"
        " vehicle classes; two-way: over classes and templates both.",
        "Class not in scene: without the items whose vehicle's class may be there for good reason.",
        "Conf and Area: of the box with the highest score, if there are several; over pictures with a detection; judges"
        " have none.",
        "Worst and best: Det if every missing answer were a detection, or none were.",
        "optimized on: the strategy stopped on this very instrument, which can therefore not score it.",
    )
    rows = [[*view.place, *_detection_row(study, view)] for view in seen]
    return Table("detection", "How often the vehicle is drawn", columns, rows, notes)


def _detection_row(study: Study, view: View) -> list[Value]:
    answered = view.answered
    low, high = mean_bounds(view.present)
    two_way = two_way_interval(
        view.present[answered], view.classes[answered], view.templates[answered],
        bounds=(0.0, 1.0), rng=study.rng("two-way", *view.place),
    )  # fmt: skip
    return [
        _rate(study, view, answered, "all"),
        _rate(study, view, answered & view.clear, "clear"),
        _of_hits(study, view, view.conf, "conf"),
        _of_hits(study, view, view.area, "area"),
        number(high),
        number(low),
        int(answered.sum()),
        len(answered),
        estimate_cell(two_way, mark=view.mark),
    ]


def _rate(study: Study, view: View, mask: Mask, name: str, clusters: Labels | None = None) -> dict[str, Any]:
    of = view.classes if clusters is None else clusters
    found = rate_interval(view.present[mask], of[mask], rng=study.rng("rate", name, *view.place))
    return estimate_cell(found, mark=view.mark)


def _of_hits(study: Study, view: View, values: Floats, name: str) -> Value:
    if study.instruments[view.instrument] == "judge":
        return None
    mask = ~np.isnan(values)
    rng = study.rng(name, *view.place)
    return estimate_cell(mean_interval(values[mask], view.classes[mask], bounds=(0.0, 1.0), rng=rng))


def comparison(study: Study, seen: Sequence[View]) -> Table:
    """Each strategy against its subject's first, each subject against the first: paired, tested, adjusted."""
    rows: list[list[Value]] = []
    tests: list[float] = []
    for a, b in _pairs(seen):
        at = {pair: n for n, pair in enumerate(b.pair)}
        both = [(n, at[pair]) for n, pair in enumerate(a.pair) if pair in at]
        mine, other = np.array(both, int).reshape(-1, 2).T
        rng = study.rng("comparison", *a.place, *b.place)
        result = paired_permutation(a.present[mine], b.present[other], a.classes[mine], rng=rng)
        gated = a.gated or b.gated
        tests.append(float("nan") if gated else result.p)
        rows.append([
            a.group, b.group, a.instrument, number(result.statistic), number(result.effect), result.n_used,
            result.n_clusters, "optimized on" if gated else number(result.p), None, result.reason or "",
        ])  # fmt: skip
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[8] = number(float(adjusted))
    columns = (
        "this", "minus that", "instrument", "difference of Det", "effect size", "pairs", "clusters", "p", "p (Holm)",
        "note",
    )  # fmt: skip
    notes = (
        "Only pairs in which both pictures were answered. p: two-sided sign-flip test, whole vehicle classes flipped;"
        " Holm's adjustment is over this table. Effect size: Cohen's d of the differences.",
        "A comparison through an instrument that one side stopped on is not tested.",
    )
    return Table("comparison", "Strategies and subjects compared, paired by item and seed", columns, rows, notes)


def _pairs(seen: Sequence[View]) -> list[tuple[View, View]]:
    pairs: list[tuple[View, View]] = []
    for view in seen:
        same = [v for v in seen if v.instrument == view.instrument]
        first = next(v for v in same if v.subject == view.subject)
        rival = next(v for v in same if v.strategy == view.strategy)
        pairs.extend((view, other) for other in ([first] if first is rival else [first, rival]) if other is not view)
    return pairs


def instrument_check(study: Study, seen: Sequence[View]) -> Table:
    """Every instrument against the truth: what it misses, and what it sees that is not there."""
    true = {(v.subject, v.strategy): v.present for v in seen if v.instrument == TRUTH}
    rows: list[list[Value]] = []
    for instrument in study.instruments:
        mine = [v for v in seen if v.instrument == instrument]
        if instrument == TRUTH:
            continue
        free = [v for v in mine if not v.gated]
        for name, part in [("all not optimized on", free), *((v.group, [v]) for v in mine)]:
            if part:
                rows.append([instrument, name, *_checked(study, part, [true[v.subject, v.strategy] for v in part])])
    columns = ("instrument", "pictures", "sensitivity", "with the vehicle", "false alarms", "without it")
    notes = (
        "Sensitivity: share of pictures that truly hold the vehicle in which the instrument finds it. False alarms:"
        " share of pictures that truly do not hold it in which it finds one all the same.",
        "Pictures that a strategy chose with this instrument are a biased sample for it.",
    )
    return Table("instrument_check", "The instruments against the truth", columns, rows, notes)


def _checked(study: Study, part: Sequence[View], truth: Sequence[Floats]) -> list[Value]:
    said, true = np.concatenate([v.present for v in part]), np.concatenate(truth)
    classes = np.concatenate([v.classes for v in part])
    mark = part[0].mark if len(part) == 1 else None
    cells: list[Value] = []
    for name, value in (("sensitivity", 1.0), ("false alarms", 0.0)):
        mask = ~np.isnan(said) & (true == value)
        rng = study.rng(name, *(place for v in part for place in v.place))
        cells += [estimate_cell(rate_interval(said[mask], classes[mask], rng=rng), mark=mark), int(mask.sum())]
    return cells


def breakdown(
    study: Study,
    seen: Sequence[View],
    what: str,
    rows_of: Callable[[View], Labels],
    clusters_of: Callable[[View], Labels],
    unit: str,
) -> Table:
    """Det by one label, a column a view; intervals over the clusters that a row holds."""
    values = sorted({str(value) for view in seen for value in rows_of(view)})
    rows: list[list[Value]] = []
    for value in values:
        row: list[Value] = [value]
        for view in seen:
            mask = view.answered & (rows_of(view) == value)
            row.append(_rate(study, view, mask, f"{what}={value}", clusters_of(view)))
        rows.append(row)
    columns = (what, *(f"{view.group} · {view.instrument}" for view in seen))
    note = f"95 % intervals over clusters of one {unit}."
    return Table(f"by_{what.replace(' ', '_')}", f"Det by {what}", columns, rows, (note,))


def statuses(seen: Sequence[View]) -> Table:
    """Counts of what became of every picture and every answer."""
    rows: list[list[Value]] = [
        [*view.place, *(view.statuses[name] for name in STATUSES), view.statuses.total()] for view in seen
    ]
    columns = ("subject", "strategy", "instrument", *STATUSES, "all")
    note = (
        "Only ok counts in Det. refused, failed, blank: the picture; unparsed, failed, refused: the instrument's answer"
        " if there is a picture; cannot_tell: a judge said so; not_applicable: nothing to ask."
    )
    return Table("statuses", "What became of every picture and answer", columns, rows, (note,))
