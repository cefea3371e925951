"""Scores by structure, role, level and category; the confusion of structures; where in the list answers stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from trope.nouns import Item
from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, estimate_cell
from trope.protocols.vmetaphor.estimates import MCQ, SCALE, mcq, mean
from trope.protocols.vmetaphor.questions import AXES, UNDETERMINED
from trope.protocols.vmetaphor.reading import ROLE_OF, kind_of, presence
from trope.protocols.vmetaphor.views import View
from trope.stats.intervals import rate_interval
from trope.strategies.kinds import STRUCTURES

_LABELS: dict[str, Callable[[Item], str]] = {
    "structure": kind_of,
    "level": lambda item: item.labels.get("level", "(none)"),
    "category": lambda item: item.labels.get("category", "(none)"),
}
_PLACES = "ABCD"


def by(study: Study, seen: Sequence[View], what: str) -> Table:
    """Every score by one label of the items, a row a view and value."""
    rows: list[list[Value]] = []
    for view in seen:
        labels = view.labelled(_LABELS[what])
        for value in dict.fromkeys(labels.tolist()):
            mask = labels == value
            name = f"{what}={value}"
            overall = mean(study, view, view.rated, mask, f"{name}/rated", SCALE)
            rows.append([value, *view.place, int(mask.sum()), *mcq(study, view, mask, name), overall])
    rows.sort(key=lambda row: str(row[0]))
    columns = (what, "subject", "strategy", "judge", "of", *MCQ, "dimensions_overall")
    notes = ["of: pictures asked for. 95 % intervals over vehicles."]
    if what == "structure":
        notes.append("Of a replacement, one of the two is absent and has to be inferred from what surrounds its place.")
    return Table(f"by_{what}", f"Scores by {what}", columns, rows, notes)


def structures(seen: Sequence[View]) -> Table:
    """What each structure was taken for, as shares of the answers read; all subjects together, then each."""
    rows: list[list[Value]] = []
    for strategy, judge in dict.fromkeys((view.strategy, view.judge) for view in seen):
        part = [view for view in seen if (view.strategy, view.judge) == (strategy, judge)]
        together = [("all subjects", part)] if len(part) > 1 else []
        for subject, of in [*together, *((view.subject, [view]) for view in part)]:
            pairs = Counter(
                (a.truth, a.said) for v in of for given in v.answers for a in given if a.axis == "structure"
            )
            rows += [[subject, strategy, judge, truth, *_shares(pairs, truth)] for truth in STRUCTURES]
    columns = ("subject", "strategy", "judge", "asked for", *STRUCTURES, UNDETERMINED, "answers", "unread")
    notes = ("Shares of the answers that were read; rows add up to 1.",)
    return Table("structures", "Which strategy the judge sees, by the one that was asked for", columns, rows, notes)


def _shares(pairs: Counter[tuple[str, str | None]], truth: str) -> list[Value]:
    counts = [pairs[truth, said] for said in (*STRUCTURES, UNDETERMINED)]
    total = sum(counts)
    return [*(count / total if total else None for count in counts), total, pairs[truth, None]]


def roles(study: Study, seen: Sequence[View]) -> Table:
    """The two questions of L1 apart, by whether what they ask about is drawn or has to be inferred."""
    rows: list[list[Value]] = []
    for view in seen:
        found: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
        for cell, given, cluster in zip(view.cells, view.answers, view.clusters, strict=True):
            figure = cell.item.figure
            assert figure is not None
            for answer in given:
                if (role := ROLE_OF.get(answer.axis)) and not np.isnan(answer.right):
                    place = (str(figure.structure), role, presence(figure, role))
                    found.setdefault(place, []).append((answer.right, cluster))
        for place in sorted(found):
            right, clusters = zip(*found[place], strict=True)
            rng = study.rng("roles", *place, *view.place)
            cell_value: dict[str, Any] = estimate_cell(
                rate_interval(np.array(right), np.array(clusters), rng=rng), mark=view.mark
            )
            rows.append([*view.place, *place, cell_value, len(right)])
    columns = ("subject", "strategy", "judge", "structure", "asked about", "asked to be", "right", "answers")
    notes = (
        "absent: a replacement shows the other one in its place; the right answer has to be inferred from the"
        " surroundings. 95 % intervals over vehicles.",
    )
    return Table("roles", "Is each of the two recognized: drawn, or inferred", columns, rows, notes)


def positions(seen: Sequence[View], show: Callable[[Item, Sequence[str]], Any]) -> Table:
    """In which place of the list the chosen options stood, beside where the truth stood."""
    rows: list[list[Value]] = []
    for judge in dict.fromkeys(view.judge for view in seen):
        said: dict[str, Counter[str]] = {axis: Counter() for axis in AXES}
        true: dict[str, Counter[str]] = {axis: Counter() for axis in AXES}
        undetermined: Counter[str] = Counter()
        orders: dict[str, dict[str, Any]] = {}
        for view in (v for v in seen if v.judge == judge):
            for cell, given in zip(view.cells, view.answers, strict=True):
                if cell.item.id not in orders:
                    orders[cell.item.id] = {shown.id: shown for shown in show(cell.item, AXES)}
                for answer in given:
                    if answer.said is not None:
                        shown = orders[cell.item.id][answer.id]
                        said[answer.axis][shown.letters[shown.recorded.index(answer.said)]] += 1
                        true[answer.axis][shown.letters[shown.recorded.index(answer.truth)]] += 1
                        undetermined[answer.axis] += answer.said == UNDETERMINED
        for axis in AXES:
            if n := said[axis].total():
                shares = [counts[place] / n for counts in (said[axis], true[axis]) for place in _PLACES]
                rows.append([judge, axis, n, undetermined[axis] / n, *shares])
    columns = ("judge", "axis", "answers", UNDETERMINED, *_PLACES, *(f"{place} true" for place in _PLACES))
    notes = (
        "Share of answers that stood in each place, and share of questions whose truth stood there. A judge that looks"
        " has no favorite place; one that always names one letter is right about a quarter of the time.",
    )
    return Table("positions", "Where in the list the judge's answers stand", columns, rows, notes)
