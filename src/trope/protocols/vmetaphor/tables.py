"""Every table, in the order a reader wants them, and what must be said before any number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from trope.nouns import Item
from trope.protocols.base import Study
from trope.protocols.tables import Table, Value, number
from trope.protocols.vmetaphor import breakdowns, comparisons, composites, judges, samples
from trope.protocols.vmetaphor.estimates import MCQ, POOLED_NOTE, RATINGS, mcq, rated
from trope.protocols.vmetaphor.questions import Shown
from trope.protocols.vmetaphor.reading import CALLS
from trope.protocols.vmetaphor.views import View, views

Show = Callable[[Item, Sequence[str]], Sequence[Shown]]
STATUSES = ("ok", "unparsed", "refused", "failed", "blank", "not_applicable")


def all_tables(study: Study, show: Show) -> list[Table]:
    """All tables; those about judges only where there are judges, and so on."""
    seen = views(study)
    tables: list[Table] = []
    if seen:
        tables += [
            levels(study, seen), dimensions(study, seen),
            comparisons.prompt_kinds(study, seen), comparisons.subjects(study, seen),
            breakdowns.structures(seen), breakdowns.by(study, seen, "structure"), breakdowns.roles(study, seen),
            breakdowns.by(study, seen, "level"), breakdowns.by(study, seen, "category"),
            breakdowns.positions(seen, show),
            *judges.agreement(study, seen),
        ]  # fmt: skip
    tables += composites.tables(study, seen)
    tables += [samples.lengths(study), samples.categories(study)]
    return [*tables, samples.sheet(seen), statuses(seen)] if seen else tables


def levels(study: Study, seen: Sequence[View]) -> Table:
    """The multiple-choice levels and both overalls, a row a view."""
    rows: list[list[Value]] = []
    for view in seen:
        everything = np.ones(len(view.cells), bool)
        rows.append([*view.place, *mcq(study, view, everything, "all"), *_bounds(view)])
    columns = ("subject", "strategy", "judge", *MCQ, "worst", "best", "pictures", "of")
    notes = (
        "Shares of right answers. L1: subject and likeness. L2: strategy. L3: meaning. L4: mappings, of items that have"
        " them. \"Cannot be determined\" is a wrong answer; an answer that could not be read is none.",
        POOLED_NOTE,
        "95 % intervals over vehicles. Worst and best: overall_pooled if every question without an answer, those of"
        " missing pictures too, had been answered wrongly, or rightly. Pictures: those with every question read.",
    )  # fmt: skip
    return Table("levels", "Is the metaphor there: multiple choice", columns, rows, notes)


def _bounds(view: View) -> list[Value]:
    right = np.array([answer.right for given in view.answers for answer in given], float)
    if not len(right):
        return [None, None, 0, len(view.cells)]
    unknown = np.isnan(right)
    known = float(right[~unknown].sum())
    low, high = known / len(right), (known + float(unknown.sum())) / len(right)
    return [number(low), number(high), int(view.whole.sum()), len(view.cells)]


def dimensions(study: Study, seen: Sequence[View]) -> Table:
    """The three ratings and their mean, a row a view."""
    rows: list[list[Value]] = []
    for view in seen:
        everything = np.ones(len(view.cells), bool)
        read = int((~np.isnan(view.rated)).sum())
        rows.append([*view.place, *rated(study, view, everything, "all"), read, len(view.cells)])
    columns = ("subject", "strategy", "judge", *RATINGS, "pictures", "of")
    notes = ("Scales from 1 to 5. dimensions_overall: mean of the three. 95 % intervals over vehicles.",)
    return Table("dimensions", "How well the picture carries it: ratings", columns, rows, notes)


def statuses(seen: Sequence[View]) -> Table:
    """Counts of what became of every picture and every call."""
    rows: list[list[Value]] = []
    for view in seen:
        for call in CALLS:
            counts = view.statuses[call]
            rows.append([*view.place, call, *(counts[name] for name in STATUSES), counts.total()])
    columns = ("subject", "strategy", "judge", "call", *STATUSES, "all")
    notes = (
        "Only ok counts in scores. blank: the picture; refused, failed, unparsed: the picture or the plan it was to be"
        " drawn from, or the judge's reply; not_applicable: no such picture, or an item without mappings.",
    )
    return Table("statuses", "What became of every picture and answer", columns, rows, notes)


def warnings(study: Study) -> list[str]:
    """What a reader must know before any number."""
    said = []
    if len(study.cells) < study.planned:
        said.append(f"The run was stopped: {len(study.cells)} of {study.planned} cells are finished.")
    said.extend(
        f"{subject} draws what it is told to and knows what it drew. Its numbers check the judges; they say nothing"
        " about an image model."
        for subject in dict.fromkeys(c.subject for c in study.cells if c.output.truth is not None)
    )
    for strategy in dict.fromkeys(cell.strategy for cell in study.cells):
        planner = strategy.partition("realise?model=")[2]
        if planner in study.instruments:
            said.append(
                f"{planner} planned the pictures of {strategy!r} and judges them: look at another judge's numbers."
            )
    return said
