"""Tables of vista: scores, options, gains, breakdowns, weights, statuses; in the order a reader wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from trope.nouns import Item
from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vista.controls import blind_table, changed_table, control_tables, detector_tables
from trope.protocols.vista.judging import judge_tables
from trope.protocols.vista.questions import AXES
from trope.protocols.vista.reading import Floats
from trope.protocols.vista.scoring import DEFAULT, MOST, SCHEMES, v_score, worth
from trope.protocols.vista.views import BASE, Pair, Sheet, View, is_guard
from trope.stats.bounds import difference_bounds, mean_bounds
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.correlations import spearman
from trope.stats.intervals import mean_interval, rate_interval

STATUSES = ("ok", "cannot_tell", "unparsed", "refused", "failed", "blank", "not_applicable")
PLACE = ("subject", "strategy", "instrument", "call")
QUESTIONS = tuple(f"{name} {axis}" for name, axis in AXES.items())
_LABELS: dict[str, Callable[[Item], str]] = {
    "language": lambda item: item.lang,
    "form": lambda item: str((item.figure and item.figure.form) or "(none)"),
    "mechanism": lambda item: str((item.figure and item.figure.mechanism) or "(none)"),
}
_REST = "Q1, Q3, Q4"


def all_tables(study: Study, sheet: Sheet) -> list[Table]:
    """Every table that the study has something for."""
    figure: list[Table] = []
    if sheet.figure:
        figure = [
            headline(study, sheet),
            gains(study, sheet),
            options(study, sheet.figure),
            *(breakdown(study, sheet.figure, what) for what in _LABELS),
            comparison(study, sheet),
            weights(sheet.figure),
        ]
    made = [
        *figure,
        *judge_tables(study, sheet),
        *control_tables(study, sheet),
        *detector_tables(study, sheet),
        *([blind_table(study, sheet)] if sheet.blind else []),
        *([changed_table(study, sheet)] if sheet.changed else []),
        statuses([*sheet.figure, *sheet.control, *sheet.detected, *sheet.similar]),
    ]
    return [table for table in made if table.rows]


def headline(study: Study, sheet: Sheet) -> Table:
    """V-Score over valid replies and over the common valid set, the four questions, and bounds; one row a view."""
    rows: list[list[Value]] = []
    for view in sheet.figure:
        valid, common = view.valid, view.rows(sheet.common[view.instrument, view.call])
        worst, best = mean_bounds(view.score, 0, 100)
        rows.append([
            *view.place,
            _score(study, view, np.flatnonzero(valid), "valid"),
            _score(study, view, common, "common"),
            *(_points(study, view, valid, n) for n in range(4)),
            number(worst), number(best), int(valid.sum()), len(valid), len(common),
        ])  # fmt: skip
    columns = (*PLACE, "V-Score", "V-Score, common set", *QUESTIONS, "worst", "best", "valid", "of", "common")
    notes = (
        f"V-Score: 100 × weighted mean of the four questions' points (0 to 3), weights {DEFAULT}; higher is better."
        " Only complete valid replies count. 95 % intervals over vehicles.",
        "Common set: items and seeds with a valid reply for every subject and strategy through the same call. Compare"
        " subjects there.",
        "Worst and best: the V-Score if every picture that is refused, blank, failed or without a valid reply had 0,"
        " or 100.",
        "Call: published shows the options best first, so that a judge that always says A gives 100; permuted shows"
        " them in an order drawn for each item.",
    )
    return Table("v_score", "V-Score: is the vehicle kept out, and all else in?", columns, rows, notes)


def _score(study: Study, view: View, rows: np.ndarray[tuple[int], np.dtype[np.intp]], name: str) -> Value:
    rng = study.rng("v-score", name, *view.place)
    return estimate_cell(
        mean_interval(view.score[rows], view.vehicles[rows], bounds=(0, 100), rng=rng), mark=view.mark
    )  # fmt: skip


def _points(study: Study, view: View, mask: np.ndarray[tuple[int], np.dtype[np.bool_]], question: int) -> Value:
    rng = study.rng("points", str(question), *view.place)
    values = view.points[mask, question]
    return estimate_cell(mean_interval(values, view.vehicles[mask], bounds=(0, MOST), rng=rng), mark=view.mark)


def options(study: Study, seen: Sequence[View]) -> Table:
    """Which options are chosen, a row a question and view."""
    rows: list[list[Value]] = []
    for view in seen:
        for n, name in enumerate(QUESTIONS):
            points = view.points[view.valid, n]
            shares: list[Value] = [number(float(np.mean(points == p))) if len(points) else None for p in (3, 2, 1, 0)]
            low = rate_interval(
                points <= 1, view.vehicles[view.valid], rng=study.rng("low", str(n), *view.place)
            )  # fmt: skip
            rows.append([*view.place, name, *shares, estimate_cell(low, mark=view.mark), len(points)])
    columns = (*PLACE, "question", "3 points", "2 points", "1 point", "0 points", "1 or 0", "valid")
    return Table("options", "Which options are chosen", columns, rows, ("Shares of the valid replies.",))


def gains(study: Study, sheet: Sheet) -> Table:
    """What each strategy gains over base: the score, every question, and what Q2 alone does not explain."""
    rows: list[list[Value]] = []
    tests: list[float] = []
    for name, pairs in _gained(sheet.figure):
        for measure, scale, of in _MEASURES:
            row, p = _gain(study, sheet, name, pairs, measure, scale, of)
            rows.append(row)
            tests.append(p)
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[-2] = number(float(adjusted))
    columns = (
        "subject", "strategy", "minus", "instrument", "call", "measure", "gain", "worth in V-Score", "worst", "best",
        "effect size", "pairs", "of", "vehicles", "prompts changed", "p", "p (Holm)", "note",
    )  # fmt: skip
    notes = (
        "Paired by item and seed; only pairs in which both pictures have a valid reply. Worst and best: the gain that"
        " the missing replies allow. p: two-sided sign-flip test, whole vehicles flipped; Holm's adjustment is over"
        " this table. Effect size: Cohen's d of the differences.",
        f"{_REST}: what the strategy does to the other three questions, in points of the V-Score. A guard that keeps"
        " the vehicle out can pay for it there.",
        "Prompts changed: pairs in which the strategy asked for something else than base did; where it did not, both"
        " have the same picture and gain nothing.",
    )
    return Table("gains", "Gains over base, question by question", columns, rows, notes)


def _of_rest(points: Floats) -> Floats:
    return np.asarray(points[:, [0, 2, 3]] @ np.array([worth(0), worth(2), worth(3)]))


# A measure: its name, the largest difference it can have, and its value from points of shape (n, 4).
_MEASURES: tuple[tuple[str, float, Callable[[Floats], Floats]], ...] = (
    ("V-Score", 100.0, v_score),
    *((name, float(MOST), lambda points, n=n: points[:, n]) for n, name in enumerate(QUESTIONS)),
    (_REST, 70.0, _of_rest),
)


def _gained(seen: Sequence[View]) -> Iterator[tuple[tuple[str, ...], list[tuple[View, View]]]]:
    """Every view with base's, and for several subjects all of a strategy together."""
    together: dict[tuple[str, ...], list[tuple[View, View]]] = {}
    for view in seen:
        same = [v for v in seen if (v.subject, v.instrument, v.call) == (view.subject, view.instrument, view.call)]
        base = next((v for v in same if v.strategy == BASE), None)
        if base is None or base is view:
            continue
        yield (view.subject, view.strategy, view.instrument, view.call), [(view, base)]
        together.setdefault(("(all subjects)", view.strategy, view.instrument, view.call), []).append((view, base))
    yield from ((name, pairs) for name, pairs in together.items() if len(pairs) > 1)


def _gain(
    study: Study,
    sheet: Sheet,
    name: tuple[str, ...],
    pairs: Sequence[tuple[View, View]],
    measure: str,
    scale: float,
    of: Callable[[Floats], Floats],
) -> tuple[list[Value], float]:
    mine, other, vehicles, altered = [], [], [], 0
    for view, base in pairs:
        there = set(base.pair)
        both = [pair for pair in view.pair if pair in there]
        a, b = view.rows(both), base.rows(both)
        mine.append(of(view.points[a]))
        other.append(of(base.points[b]))
        vehicles.append(view.vehicles[a])
        answered = view.valid[a] & base.valid[b]
        asked = [pair for pair, kept in zip(both, answered, strict=True) if kept]
        altered += sum((view.subject, view.strategy, *pair) in sheet.altered for pair in asked)
    x, y, of_what = np.concatenate(mine), np.concatenate(other), np.concatenate(vehicles)
    known = ~np.isnan(x + y)
    gated = any(view.gated or base.gated for view, base in pairs)
    difference = mean_interval(
        (x - y)[known], of_what[known], bounds=(-scale, scale), rng=study.rng("gain", measure, *name)
    )  # fmt: skip
    test = paired_permutation(x, y, of_what, rng=study.rng("test", measure, *name))
    worst, best = difference_bounds(x, y, 0, scale)
    question = QUESTIONS.index(measure) if measure in QUESTIONS else None
    in_score = difference.value * (1.0 if question is None else worth(question))
    guard = is_guard(name[1])
    p = float("nan") if gated else test.p
    return [
        name[0], name[1], BASE, *name[2:], measure, estimate_cell(difference, mark="optimized on" if gated else None),
        number(in_score), number(worst), number(best), number(test.effect), test.n_used, len(x), test.n_clusters,
        altered if guard else None, "optimized on" if gated else number(test.p), None, test.reason or "",
    ], p  # fmt: skip


def breakdown(study: Study, seen: Sequence[View], what: str) -> Table:
    """V-Score and Q2 by one label, a column a value."""
    label = _LABELS[what]
    values = sorted({label(item) for view in seen for item in view.items})
    rows: list[list[Value]] = []
    for view in seen:
        labels = np.array([label(item) for item in view.items], str)
        for measure, scale, numbers in (("V-Score", 100.0, view.score), (QUESTIONS[1], MOST, view.points[:, 1])):
            cells: list[Value] = []
            for value in values:
                mask = view.valid & (labels == value)
                rng = study.rng(measure, what, value, *view.place)
                found = mean_interval(numbers[mask], view.vehicles[mask], bounds=(0, scale), rng=rng)
                cells.append(estimate_cell(found, mark=view.mark))
            rows.append([*view.place, measure, *cells])
    columns = (*PLACE, "measure", *values)
    return Table(f"by_{what}", f"By {what}", columns, rows, ("Over valid replies; 95 % intervals over vehicles.",))


def comparison(study: Study, sheet: Sheet) -> Table:
    """Subjects against the first one under the same strategy, on the common valid set: paired, tested, adjusted."""
    rows: list[list[Value]] = []
    tests: list[float] = []
    for view in sheet.figure:
        same = [v for v in sheet.figure if (v.strategy, v.instrument, v.call) == view.place[1:]]
        rival = same[0]
        if rival is view:
            continue
        pairs: list[Pair] = sheet.common[view.instrument, view.call]
        mine, other = view.rows(pairs), rival.rows(pairs)
        x, y, vehicles = view.score[mine], rival.score[other], view.vehicles[mine]
        found = mean_interval(x - y, vehicles, bounds=(-100, 100), rng=study.rng("rival", *view.place))
        test = paired_permutation(x, y, vehicles, rng=study.rng("rival-test", *view.place))
        gated = view.gated or rival.gated
        tests.append(float("nan") if gated else test.p)
        rows.append([
            view.subject, rival.subject, *view.place[1:],
            estimate_cell(found, mark="optimized on" if gated else None), number(test.effect), test.n_used,
            test.n_clusters, "optimized on" if gated else number(test.p), None, test.reason or "",
        ])  # fmt: skip
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[-2] = number(float(adjusted))
    columns = (
        "this", "minus that", "strategy", "instrument", "call", "difference of V-Score", "effect size", "pairs",
        "vehicles", "p", "p (Holm)", "note",
    )  # fmt: skip
    notes = ("On the common valid set. p: two-sided sign-flip test, whole vehicles flipped; Holm over this table.",)
    return Table("comparison", "Subjects compared, paired by item and seed", columns, rows, notes)


def weights(seen: Sequence[View]) -> Table:
    """The score under other weights, and how far it ranks pictures as the default does."""
    rows: list[list[Value]] = []
    for view in seen:
        points = view.points[view.valid]
        default = v_score(points)
        for name, scheme in SCHEMES.items():
            scored = v_score(points, scheme)
            alike = None if name == DEFAULT else number(spearman(scored, default).value)
            rows.append([*view.place, name, number(float(scored.mean())) if len(scored) else None, alike, len(scored)])
    columns = (*PLACE, "weights of Q1 to Q4", "score", "Spearman with default", "pictures")
    notes = (
        "Over valid replies. Q1 + Q2: are roles kept apart? Q3 + Q4: what evaluations of plausibility and recoverable"
        " meaning see. The correlation is over pictures.",
    )
    return Table("weights", "What other weights would say", columns, rows, notes)


def statuses(seen: Sequence[View]) -> Table:
    """Counts of what became of every picture and every answer."""
    known = [name for name in STATUSES if any(view.statuses[name] for view in seen)] or ["ok"]
    odd = sorted(set(chain.from_iterable(view.statuses for view in seen)) - set(STATUSES))
    names = [*known, *odd]
    rows: list[list[Value]] = [
        [*view.place, *(view.statuses[name] for name in names), view.statuses.total()] for view in seen
    ]
    note = (
        "Only ok counts in a score. refused, failed, blank: the picture; unparsed, failed, refused: the instrument's"
        " answer if there is a picture; not_applicable: nothing to ask; cannot_tell: a generator that cannot draw it."
    )
    columns = (*PLACE, *names, "all")
    return Table("statuses", "What became of every picture and answer", columns, rows, (note,))
