"""Do two judges agree: on the order of subjects, and picture by picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vmetaphor.calls import DIMENSIONS
from trope.protocols.vmetaphor.estimates import MCQ, RATINGS, by_picture
from trope.protocols.vmetaphor.reading import LEVELS
from trope.protocols.vmetaphor.views import Floats, View
from trope.stats.agreement import cohen_kappa
from trope.stats.correlations import spearman
from trope.stats.intervals import rate_interval
from trope.stats.ranks import rank

_TOP = 5  # the paper compares the ranks of the best five


def agreement(study: Study, seen: Sequence[View]) -> list[Table]:
    """Both tables, where there are two judges."""
    names = list(dict.fromkeys(view.judge for view in seen))
    if len(names) < 2:
        return []
    pairs = list(combinations(names, 2))
    return [_of_subjects(seen, pairs), _of_pictures(study, seen, pairs)]


def top_agreement(one: Floats, two: Floats, k: int) -> tuple[float, bool]:
    """The best ``k`` of each of two columns of scores: share that both have, and whether their ranks are equal.

    Tied subjects at the edge all count as among the best, so a set may be larger than ``k``.
    """
    ranks = [rank(values) for values in (one, two)]
    best = [set(np.flatnonzero(of <= k).tolist()) for of in ranks]
    either = sorted(best[0] | best[1])
    shared = len(best[0] & best[1]) / max(1, len(either))
    return shared, bool(np.array_equal(ranks[0][either], ranks[1][either]))


def _of_subjects(seen: Sequence[View], pairs: Sequence[tuple[str, str]]) -> Table:
    rows: list[list[Value]] = []
    for a, b in pairs:
        for strategy in dict.fromkeys(view.strategy for view in seen):
            both = [[v for v in seen if (v.judge, v.strategy) == (judge, strategy)] for judge in (a, b)]
            for measure in (*MCQ, *RATINGS):
                one, two = (np.array([_overall(view, measure) for view in part], float) for part in both)
                known = ~np.isnan(one + two)
                one, two = one[known], two[known]
                found, k = estimate_cell(spearman(one, two)), min(_TOP, len(one))
                shared, same = top_agreement(one, two, k) if k > 1 else (float("nan"), False)
                rows.append([a, b, strategy, measure, found, len(one), k, number(shared), _yes(k > 1, same)])
    columns = (
        "judge", "and", "strategy", "measure", "Spearman", "subjects", "k", "top k in both", "same ranks in top k",
    )  # fmt: skip
    notes = (
        "Spearman's correlation over subjects, with the interval for independent subjects (Bonett and Wright). top k in"
        " both: those among the best k of either judge that are among the best k of both.",
    )
    return Table("judges_subjects", "Do judges order subjects alike", columns, rows, notes)


def _yes(known: bool, same: bool) -> Value:
    return ("yes" if same else "no") if known else None


def _overall(view: View, measure: str) -> float:
    if measure == "overall_pooled":
        right, _ = view.flat(view.whole)
        return float(right.mean()) if len(right) else float("nan")
    values = by_picture(view)[measure]
    return float(np.nanmean(values)) if not np.isnan(values).all() else float("nan")


def _of_pictures(study: Study, seen: Sequence[View], pairs: Sequence[tuple[str, str]]) -> Table:
    rows: list[list[Value]] = []
    for a, b in pairs:
        both = list(_facing(seen, a, b))
        for level, axes in {**LEVELS, "all questions": tuple(x for of in LEVELS.values() for x in of)}.items():
            rows.append([a, b, level, *_options(study, both, axes, (a, b, level))])
        rows += [[a, b, name, *_ratings(study, both, n, (a, b, name))] for n, name in enumerate(DIMENSIONS)]
    columns = ("judge", "and", "measure", "the same", "kappa", "mean absolute difference", "answers")
    notes = (
        "Questions: share for which both chose the same option, 95 % intervals over vehicles; kappa: Cohen's, of right"
        " and wrong. Ratings: share of equal ratings; kappa with quadratic weights.",
    )
    return Table("judges_pictures", "Do judges agree picture by picture", columns, rows, notes)


def _facing(seen: Sequence[View], a: str, b: str) -> Iterator[tuple[View, View]]:
    """Views of the same cells through two judges."""
    for view in seen:
        if view.judge == a:
            yield view, next(v for v in seen if v.judge == b and v.group == view.group)


def _options(
    study: Study, both: Sequence[tuple[View, View]], axes: Sequence[str], place: tuple[str, ...]
) -> list[Value]:
    same, clusters, right = [], [], []
    for one, two in both:
        for mine, other, cluster in zip(one.answers, two.answers, one.clusters, strict=True):
            for x, y in zip(mine, other, strict=True):
                if x.axis in axes and x.said is not None and y.said is not None:
                    same.append(float(x.said == y.said))
                    clusters.append(cluster)
                    right.append((x.right, y.right))
    found = rate_interval(np.array(same, float), np.array(clusters, str), rng=study.rng("same", *place))
    x_right, y_right = np.array(right, float).reshape(-1, 2).T
    return [estimate_cell(found), estimate_cell(cohen_kappa(x_right, y_right)), None, len(same)]


def _ratings(study: Study, both: Sequence[tuple[View, View]], n: int, place: tuple[str, ...]) -> list[Value]:
    one = np.concatenate([view.ratings[:, n] for view, _ in both])
    two = np.concatenate([view.ratings[:, n] for _, view in both])
    clusters = np.concatenate([view.clusters for view, _ in both])
    known = ~np.isnan(one + two)
    one, two, clusters = one[known], two[known], clusters[known]
    found = rate_interval((one == two).astype(float), clusters, rng=study.rng("equal", *place))
    kappa = cohen_kappa(one, two, weights="quadratic", labels=[1.0, 2.0, 3.0, 4.0, 5.0])
    apart = number(float(np.abs(one - two).mean())) if len(one) else None
    return [estimate_cell(found), estimate_cell(kappa), apart, len(one)]
