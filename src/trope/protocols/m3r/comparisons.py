"""Systems and prompts compared on the same items: differences, discordant pairs, paired tests, Holm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from trope.protocols.base import Study
from trope.protocols.m3r.numbers import difference
from trope.protocols.m3r.tables import Sight
from trope.protocols.m3r.views import Floats
from trope.protocols.tables import Table, Value, number
from trope.stats.comparisons import holm, paired_permutation

_BEHIND_MATCHER: Final = ("TP", "SP", "JLA", "MC")


def comparison(study: Study, looked: Sequence[Sight]) -> Table:
    """Each prompt against its subject's first, each subject against the first, score by score."""
    rows: list[list[Value]] = []
    tests: list[float] = []
    done: set[tuple[str, str, str]] = set()
    for a, b in _pairs(looked):
        at = {pair: n for n, pair in enumerate(b.view.pair)}
        both = [(n, at[pair]) for n, pair in enumerate(a.view.pair) if pair in at]
        mine, other = np.array(both, int).reshape(-1, 2).T
        of_b = _scores(b)
        for name, values in _scores(a).items():
            place = (a.view.group, b.view.group, name)
            if name.partition(" by ")[0] not in _BEHIND_MATCHER:
                if place in done:  # the same behind every matcher: one test, not several
                    continue
                done.add(place)
            if name in of_b:
                row, p = _compared(study, name, values[mine], of_b[name][other], a.view.clusters[mine], a, b)
                rows.append(row)
                tests.append(p)
    for row, adjusted in zip(rows, holm(np.array(tests, float)), strict=True):
        row[10] = number(float(adjusted))
    columns = (
        "this", "minus that", "score", "matcher or judge", "difference", "effect size", "only this right",
        "only that right", "pairs", "p", "p (Holm)", "note",
    )  # fmt: skip
    notes = (
        "Differences in points of 100, paired by item and seed, with 95 % intervals over items; effect size: Cohen's d"
        " of the differences. p: two-sided sign-flip test, items that share a text"
        " flipped together; where every item is its own and the score is right or wrong, that is McNemar's test on the"
        " two columns of discordant pairs. Holm's adjustment is over this table.",
        "TP and SP: over the true metaphors.",
    )
    return Table("comparison", "Prompts and systems compared on the same items", columns, rows, notes)


def _compared(
    study: Study, name: str, a: Floats, b: Floats, clusters: Any, mine: Sight, other: Sight
) -> tuple[list[Value], float]:
    places = (mine.view.subject, mine.view.strategy, other.view.subject, other.view.strategy)
    result = paired_permutation(a, b, clusters, rng=study.rng("comparison", name, *places))
    known = ~np.isnan(a + b)
    binary = bool(np.isin(a[known], (0.0, 1.0)).all() and np.isin(b[known], (0.0, 1.0)).all())
    only = (int((a[known] > b[known]).sum()), int((b[known] > a[known]).sum())) if binary else (None, None)
    score, _, judge = name.partition(" by ")
    through = " · ".join(part for part in (judge, mine.matcher if score in _BEHIND_MATCHER else "") if part) or None
    row: list[Value] = [
        mine.view.group, other.view.group, score, through,
        difference(study, a, b, clusters, name, *places), number(result.effect), *only,
        result.n_used, number(result.p), None, result.reason or "",
    ]  # fmt: skip
    return row, result.p


def _scores(sight: Sight) -> dict[str, Floats]:
    """Score -> one number an item, on which systems are compared."""
    view = sight.view
    found = {"MD": view.right("metaphor"), "SC": view.right("sentiment")}
    if not sight.missing:
        names = {"TP": "target", "SP": "source", "JLA": "joint"}
        found |= {name: view.column(sight.marks, column) for name, column in names.items()}
    if view.explains:
        found |= {
            f"{stage} by {said.judge}": values
            for said in sight.judges
            for stage, values in said.scores.items()
            if stage != "MC" or not sight.missing
        }
    return found


def _pairs(looked: Sequence[Sight]) -> list[tuple[Sight, Sight]]:
    pairs: list[tuple[Sight, Sight]] = []
    for sight in looked:
        same = [s for s in looked if s.matcher == sight.matcher]
        first = next(s for s in same if s.view.subject == sight.view.subject)
        rival = next((s for s in same if s.view.strategy == sight.view.strategy), sight)
        if rival is sight:  # nobody else was asked this way (e.g. a prediction file): against the run's first
            rival = same[0]
        others = [first] if first is rival else [first, rival]
        pairs.extend((sight, other) for other in others if other is not sight)
    return pairs
