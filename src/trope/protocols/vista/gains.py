"""What a strategy gains over base, question by question, and what its guard costs where it does anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.protocols.vista.questions import AXES
from trope.protocols.vista.reading import Floats
from trope.protocols.vista.scoring import MOST, v_score, worth
from trope.protocols.vista.views import BASE, Pair, Sheet, View, is_guard
from trope.stats.bounds import difference_bounds
from trope.stats.comparisons import holm, paired_permutation
from trope.stats.intervals import mean_interval

QUESTIONS = tuple(f"{name} {axis}" for name, axis in AXES.items())
SUBJECTS = "(all subjects)"
_REST = "Q1, Q3, Q4"


def gains(study: Study, sheet: Sheet) -> Table:
    """What each strategy gains over base: the score, every question, and what Q2 alone does not explain."""
    rows: list[list[Value]] = []
    tests: list[float] = []
    for name, pairs in _gained(sheet.figure):
        for measure, scale, of in _MEASURES:
            row, p = _gain(study, sheet, name, pairs, measure, scale, of)
            rows.append(row)
            tests.append(p)
        if 0 < _altered_pairs(sheet, pairs) < sum(len(view.pair) for view, _ in pairs) and is_guard(name[1]):
            for measure, scale, of in (_MEASURES[0], _MEASURES[2], _MEASURES[-1]):
                rows.append(_gain(study, sheet, name, pairs, measure, scale, of, changed=True)[0])
                tests.append(float("nan"))  # what they say is in the rows above
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
        " have the same picture and gain nothing. Rows of changed prompts leave those out; Holm leaves out these rows.",
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
    pooled: dict[tuple[str, ...], list[tuple[View, View]]] = {}
    for view in seen:
        same = [v for v in seen if (v.subject, v.instrument, v.call) == (view.subject, view.instrument, view.call)]
        base = next((v for v in same if v.strategy == BASE), None)
        if base is None or base is view:
            continue
        yield (view.subject, view.strategy, view.instrument, view.call), [(view, base)]
        pooled.setdefault((SUBJECTS, view.strategy, view.instrument, view.call), []).append((view, base))
    yield from ((name, pairs) for name, pairs in pooled.items() if len(pairs) > 1)


def _gain(
    study: Study,
    sheet: Sheet,
    name: tuple[str, ...],
    pairs: Sequence[tuple[View, View]],
    measure: str,
    scale: float,
    of: Callable[[Floats], Floats],
    *,
    changed: bool = False,
) -> tuple[list[Value], float]:
    """One row and its p; ``changed``: over the pairs alone in which the strategy asked for something else."""
    mine, other, vehicles, altered = [], [], [], 0
    for view, base in pairs:
        there = set(base.pair)
        both = [p for p in view.pair if p in there and (not changed or _is_altered(sheet, view, p))]
        a, b = view.rows(both), base.rows(both)
        mine.append(of(view.points[a]))
        other.append(of(base.points[b]))
        vehicles.append(view.vehicles[a])
        answered = view.valid[a] & base.valid[b]
        asked = [pair for pair, kept in zip(both, answered, strict=True) if kept]
        altered += sum(_is_altered(sheet, view, pair) for pair in asked)
    x, y, of_what = np.concatenate(mine), np.concatenate(other), np.concatenate(vehicles)
    known = ~np.isnan(x + y)
    gated = any(view.gated or base.gated for view, base in pairs)
    label = f"{measure}, changed prompts" if changed else measure
    difference = mean_interval(
        (x - y)[known], of_what[known], bounds=(-scale, scale), rng=study.rng("gain", label, *name)
    )  # fmt: skip
    test = paired_permutation(x, y, of_what, rng=study.rng("test", label, *name))
    worst, best = difference_bounds(x, y, 0, scale)
    question = QUESTIONS.index(measure) if measure in QUESTIONS else None
    in_score = difference.value * (1.0 if question is None else worth(question))
    guard = is_guard(name[1])
    p = float("nan") if gated else test.p
    return [
        name[0], name[1], BASE, *name[2:], label, estimate_cell(difference, mark="optimized on" if gated else None),
        number(in_score), number(worst), number(best), number(test.effect), test.n_used, len(x), test.n_clusters,
        altered if guard else None, "optimized on" if gated else number(test.p), None, test.reason or "",
    ], p  # fmt: skip


def _is_altered(sheet: Sheet, view: View, pair: Pair) -> bool:
    return (view.subject, view.strategy, *pair) in sheet.altered


def _altered_pairs(sheet: Sheet, pairs: Sequence[tuple[View, View]]) -> int:
    return sum(_is_altered(sheet, view, pair) for view, _ in pairs for pair in view.pair)
