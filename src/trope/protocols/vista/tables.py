"""Tables of vista: scores, options, gains, breakdowns, weights, statuses; in the order a reader wants them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from trope.nouns import Item
from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vista.controls import blind_table, changed_table, control_tables, detector_tables
from trope.protocols.vista.gains import QUESTIONS, SUBJECTS, gains
from trope.protocols.vista.judging import judge_tables
from trope.protocols.vista.scoring import DEFAULT, MOST, SCHEMES, v_score
from trope.protocols.vista.views import Pair, Sheet, View, together
from trope.stats.bounds import mean_bounds
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.correlations import correlation_interval
from trope.stats.intervals import mean_interval, rate_interval
from trope.stats.ranks import rank_sets

STATUSES = ("ok", "cannot_tell", "unparsed", "refused", "failed", "blank", "not_applicable")
PLACE = ("subject", "strategy", "instrument", "call")
_LABELS: dict[str, Callable[[Item], str]] = {
    "language": lambda item: item.lang,
    "form": lambda item: str((item.figure and item.figure.form) or "(none)"),
    "mechanism": lambda item: str((item.figure and item.figure.mechanism) or "(none)"),
}
ALL = "(all)"


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
            ranks(study, sheet),
            weights(study, sheet.figure),
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
        " them in an order drawn for each question.",
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
    for view in [*seen, *_pooled(seen, lambda view: (SUBJECTS, view.strategy))]:
        for n, name in enumerate(QUESTIONS):
            points = view.points[view.valid, n]
            shares: list[Value] = [number(float(np.mean(points == p))) if len(points) else None for p in (3, 2, 1, 0)]
            low = rate_interval(
                points <= 1, view.vehicles[view.valid], rng=study.rng("low", str(n), *view.place)
            )  # fmt: skip
            rows.append([*view.place, name, *shares, estimate_cell(low, mark=view.mark), len(points)])
    columns = (*PLACE, "question", "3 points", "2 points", "1 point", "0 points", "1 or 0", "valid")
    return Table("options", "Which options are chosen", columns, rows, ("Shares of the valid replies.",))


def breakdown(study: Study, seen: Sequence[View], what: str) -> Table:
    """V-Score, Q2 and how many replies they rest on by one label, a column a value."""
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
        counts = [(int((view.valid & (labels == value)).sum()), int((labels == value).sum())) for value in values]
        rows.append([*view.place, "valid replies", *(f"{valid} of {planned}" for valid, planned in counts)])
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


def ranks(study: Study, sheet: Sheet) -> Table:
    """Subjects in order under one strategy, each with the ranks that it could have; on the common valid set."""
    groups: dict[tuple[str, str, str], list[View]] = {}
    for view in sheet.figure:
        groups.setdefault(view.place[1:], []).append(view)
    rows: list[list[Value]] = []
    for place, views in groups.items():
        if len(views) < 2:
            continue
        common = [view.rows(sheet.common[place[1:]]) for view in views]
        scores = np.column_stack([view.score[mine] for view, mine in zip(views, common, strict=True)])
        found = rank_sets(scores, views[0].vehicles[common[0]], rng=study.rng("ranks", *place))
        made: list[list[Value]] = [
            [
                *place, view.subject, number(of.mean), int(of.rank) if of.rank.is_integer() else number(of.rank),
                str(of.best) if of.best == of.worst else f"{of.best} to {of.worst}", of.n, of.n_clusters,
                "optimized on" if view.gated else of.reason or "",
            ]
            for view, of in zip(views, found, strict=True)
        ]  # fmt: skip
        rows += sorted(made, key=lambda row: (row[5] is None, row[5]))
    columns = (
        "strategy", "instrument", "call", "subject", "V-Score, common set", "rank", "possible ranks", "pairs",
        "vehicles", "note",
    )  # fmt: skip
    notes = (
        "On the common valid set; rank 1 has the highest V-Score. Possible ranks: all that the data do not exclude,"
        " right for all subjects of a strategy at once with 95 %.",
    )
    return Table("ranks", "Subjects in order, and how sure the order is", columns, rows, notes)


def weights(study: Study, seen: Sequence[View]) -> Table:
    """The score under other weights, and how far it ranks pictures as the default does."""
    rows: list[list[Value]] = []
    for view in [*seen, *_pooled(seen, lambda view: (ALL, ALL))]:
        points, vehicles = view.points[view.valid], view.vehicles[view.valid]
        default = v_score(points)
        for name, scheme in SCHEMES.items():
            scored, place = v_score(points, scheme), ("weights", name, *view.place)
            mean = mean_interval(scored, vehicles, bounds=(0, 100), rng=study.rng(*place))
            alike = correlation_interval(scored, default, vehicles, rng=study.rng("rank", *place))
            rows.append([
                *view.place, name, estimate_cell(mean, mark=view.mark),
                None if name == DEFAULT else estimate_cell(alike), len(scored),
            ])  # fmt: skip
    columns = (*PLACE, "weights of Q1 to Q4", "score", "Spearman with default", "pictures")
    notes = (
        "Over valid replies. Q1 + Q2: are roles kept apart? Q3 + Q4: what evaluations of plausibility and recoverable"
        " meaning see. The correlation is over pictures, its interval over vehicles.",
    )
    return Table("weights", "What other weights would say", columns, rows, notes)


def _pooled(seen: Sequence[View], named: Callable[[View], tuple[str, str]]) -> list[View]:
    """The views of one call that get the same name, subject and strategy, put together; a lone one is left out."""
    groups: dict[tuple[str, ...], list[View]] = {}
    for view in seen:
        groups.setdefault((*named(view), view.instrument, view.call), []).append(view)
    return [together(views, *name[:2]) for name, views in groups.items() if len(views) > 1]


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
