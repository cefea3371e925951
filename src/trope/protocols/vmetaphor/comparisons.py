"""Prompt kinds and subjects compared, paired by item and seed: differences, tests, Holm's adjustment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vmetaphor.estimates import MCQ, RATINGS, by_picture
from trope.protocols.vmetaphor.views import Floats, Ints, Labels, View
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.intervals import mean_interval

REFERENCE = "conceptual"
_COLUMNS = (
    "judge", "measure", "difference", "effect size", "pairs", "clusters", "p", "p (Holm)", "note",
)  # fmt: skip
_NOTE = (
    "Only pairs in which both pictures were read. Shares for L1 to overall, points of the scale for ratings. 95 %"
    " intervals over vehicles; p: two-sided sign-flip test, whole vehicles flipped; Holm's adjustment is over it all."
    " Effect size: Cohen's d of the differences (overall_pooled: of questions)."
)


def prompt_kinds(study: Study, seen: Sequence[View]) -> Table:
    """Every prompt kind against the conceptual one (or the first), within a subject."""
    pairs = []
    for view in seen:
        mine = [v for v in seen if (v.subject, v.judge) == (view.subject, view.judge)]
        first = next((v for v in mine if v.strategy == REFERENCE), mine[0])
        if view is not first:
            pairs.append((view, first))
    rows = _rows(study, pairs, (*MCQ, *RATINGS), lambda a, b: [a.subject, a.strategy, b.strategy])
    columns = ("subject", "this", "minus that", *_COLUMNS)
    title = "What another kind of prompt changes, paired by item"
    return Table("prompt_kinds", title, columns, rows, (_NOTE,))


def subjects(study: Study, seen: Sequence[View]) -> Table:
    """Every subject against the first, under the same kind of prompt."""
    pairs = []
    for view in seen:
        first = next(v for v in seen if (v.strategy, v.judge) == (view.strategy, view.judge))
        if view is not first:
            pairs.append((view, first))
    measures = ("overall_pooled", "overall_levels", "dimensions_overall")
    rows = _rows(study, pairs, measures, lambda a, b: [a.strategy, a.subject, b.subject])
    columns = ("strategy", "this", "minus that", *_COLUMNS)
    return Table("subjects", "Subjects compared, paired by item", columns, rows, (_NOTE,))


def _rows(
    study: Study, pairs: Sequence[tuple[View, View]], measures: Sequence[str], head: Callable[[View, View], list[Value]]
) -> list[list[Value]]:
    rows: list[list[Value]] = []
    tests: list[float] = []
    for a, b in pairs:
        mine, other = _common(a, b)
        for measure in measures:
            one, two, clusters, n = _values(a, b, mine, other, measure)
            bound = 4.0 if measure in RATINGS else 1.0
            place = (measure, *a.place, *b.place)
            found = mean_interval(one - two, clusters, bounds=(-bound, bound), rng=study.rng("difference", *place))
            test = paired_permutation(one, two, clusters, rng=study.rng("test", *place))
            tests.append(test.p)
            rows.append([
                *head(a, b), a.judge, measure, estimate_cell(found), number(test.effect), n, test.n_clusters,
                number(test.p), None, test.reason or "",
            ])  # fmt: skip
    for row, adjusted in zip(rows, holm(np.array(tests)), strict=True):
        row[-2] = number(float(adjusted))
    return rows


def _common(a: View, b: View) -> tuple[Ints, Ints]:
    at = {pair: n for n, pair in enumerate(b.pair)}
    both = [(n, at[pair]) for n, pair in enumerate(a.pair) if pair in at]
    mine, other = np.array(both, int).reshape(-1, 2).T
    return mine, other


def _values(a: View, b: View, mine: Ints, other: Ints, measure: str) -> tuple[Floats, Floats, Labels, int]:
    """Values of both sides, row by row the same picture or question, their clusters, and how many pictures."""
    if measure == "overall_pooled":
        both = a.whole[mine] & b.whole[other]
        one = [answer.right for n in mine[both] for answer in a.answers[n]]
        two = [answer.right for n in other[both] for answer in b.answers[n]]
        clusters = np.repeat(a.clusters[mine[both]], a.asked[mine[both]].astype(int))
        return np.array(one, float), np.array(two, float), clusters, int(both.sum())
    one_of, two_of = by_picture(a)[measure][mine], by_picture(b)[measure][other]
    both = ~np.isnan(one_of + two_of)
    return one_of[both], two_of[both], a.clusters[mine][both], int(both.sum())
