"""Tables of m3r: labels, mapping, explanations; by language, origin, metaphor; confusions; what became of replies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from trope.protocols.base import Study
from trope.protocols.m3r.labels import CATEGORICAL, FIELDS
from trope.protocols.m3r.marks import Marks
from trope.protocols.m3r.numbers import macro_f1_cell, mean, nothing, overall, rate, same
from trope.protocols.m3r.reading import EXPLANATIONS, STAGES
from trope.protocols.m3r.views import Explained, Mask, Strings, View, by_metaphor
from trope.protocols.tables import Table, Value

STATUSES: Final = ("ok", "unparsed", "refused", "failed", "not_applicable")
NO_MATCHER: Final = "no similarity instrument was given: open fields are compared by meaning or not at all"
LABELS_ONLY: Final = "this system gives labels only"
NO_EXPLANATIONS: Final = "this system gives no explanations"
NO_METAPHOR: Final = "no true metaphor here"
NOT_BERTSCORE: Final = "not BERTScore"


@dataclass(frozen=True)
class Sight:
    """A view behind one matcher (None: there is none), its marks, and every judge's explanations."""

    view: View
    matcher: str | None
    marks: Sequence[Marks]
    judges: Sequence[Explained]

    @property
    def mark(self) -> str | None:
        """Why open fields are on another scale than the protocol's, if they are."""
        return None if self.matcher is None or self.matcher.startswith("bertscore:") else NOT_BERTSCORE

    @property
    def missing(self) -> str | None:
        """Why there is no number for open fields, if there is none."""
        if not self.view.supports:
            return LABELS_ONLY
        return NO_MATCHER if self.matcher is None else None


def sights(study: Study, seen: Sequence[View]) -> list[Sight]:
    """Every view behind every matcher of the run; one without where there is none."""
    known = [name for name, kind in study.instruments.items() if kind == "similarity"]
    matchers: Sequence[str | None] = known or [None]
    judges = [name for name, kind in study.instruments.items() if kind == "judge"]
    found = []
    for view in seen:
        for matcher in matchers:
            marks = view.marks(matcher)
            found.append(Sight(view, matcher, marks, [view.explained(judge, marks) for judge in judges]))
    return found


def all_tables(study: Study, seen: Sequence[View], looked: Sequence[Sight]) -> list[Table]:
    """Every table but comparisons, in the order a reader wants them."""
    by = {
        "language": [np.array([c.item.lang for c in s.view.cells], str) for s in looked],
        "origin": [_origins(s.view) for s in looked],
        "metaphor": [by_metaphor(s.view) for s in looked],
    }
    judged = any(sight.judges for sight in looked)
    return [
        labels(study, seen),
        mapping(study, looked),
        *([explanations(study, looked)] if judged else []),
        *(breakdown(study, looked, what, values) for what, values in by.items()),
        *(explained_by(study, looked, what, values) for what, values in by.items() if judged),
        confusion(seen, "metaphor", "Metaphor detection: true and given labels"),
        confusion(seen, "sentiment", "Sentiment: true and given labels"),
        fields(seen),
        statuses(seen),
    ]


def labels(study: Study, seen: Sequence[View]) -> Table:
    """MD and SC: accuracy and macro-F1 over all items."""
    rows: list[list[Value]] = [
        [
            view.subject,
            view.strategy,
            rate(study, view, view.right("metaphor"), None, "MD"),
            macro_f1_cell(study, view, "metaphor"),
            rate(study, view, view.right("sentiment"), None, "SC"),
            macro_f1_cell(study, view, "sentiment"),
            len(view.cells),
        ]
        for view in seen
    ]
    columns = ("subject", "strategy", "MD accuracy", "MD macro-F1", "SC accuracy", "SC macro-F1", "items")
    notes = (
        "MD: metaphor or not. SC: sentiment. 0 to 100, over ALL items: a reply that is missing, unreadable or holds no"
        " valid label is wrong.",
        "95 % intervals over items; items that share a text are drawn together.",
    )
    return Table("labels", "Metaphor and sentiment", columns, rows, notes)


def mapping(study: Study, looked: Sequence[Sight]) -> Table:
    """TP and SP over the fixed set of true metaphors; JLA over all items."""
    rows: list[list[Value]] = []
    for sight in looked:
        view, row = sight.view, [sight.view.subject, sight.view.strategy, sight.matcher or "none"]
        if sight.missing:
            rows.append([*row, *[nothing(sight.missing)] * 3, int(view.metaphors.sum()), len(view.cells)])
            continue
        place = str(sight.matcher)
        cells = [
            mean(study, view, view.column(sight.marks, "target"), view.metaphors, "TP", place),
            mean(study, view, view.column(sight.marks, "source"), view.metaphors, "SP", place),
            rate(study, view, view.column(sight.marks, "joint"), None, "JLA", place),
        ]
        rows.append([*row, *(_marked(cell, sight.mark) for cell in cells), int(view.metaphors.sum()), len(view.cells)])
    columns = ("subject", "strategy", "matcher", "TP", "SP", "JLA", "true metaphors", "items")
    notes = (
        "TP, SP: F1 of target and source, over ALL true metaphors: a missed metaphor, an unreadable reply and an"
        " invalid field are 0 and stay in.",
        "JLA: metaphor and sentiment exact, and target and source at the threshold (true metaphors) or both None"
        " (others); over all items.",
        f"{NOT_BERTSCORE}: another matcher than the protocol's. Neither its F1 nor its JLA can be compared with"
        " published ones, nor with those of BERTScore.",
    )
    return Table("mapping", "Target, source, and all four fields together", columns, rows, notes)


def explanations(study: Study, looked: Sequence[Sight]) -> Table:
    """ITE, MC, SJ and their mean, and what their zeros are."""
    rows: list[list[Value]] = []
    for sight in looked:
        for said in sight.judges:
            zeros = [sum(said.counts[s][why] for s in STAGES) for why in ("gate closed", "no explanation")]
            failed = sum(said.counts[s]["judge failed"] for s in STAGES)
            rows.append([
                sight.view.subject, sight.view.strategy, said.judge, sight.matcher or "none",
                *_stages(study, sight, said, None), *zeros, failed, sum(said.counts[s]["judged"] for s in STAGES),
                int(sight.view.metaphors.sum()), len(sight.view.cells),
            ])  # fmt: skip
    columns = (
        "subject", "strategy", "judge", "matcher", *STAGES, "Mean", "gate closed", "no explanation", "judge failed",
        "judged", "true metaphors", "items",
    )  # fmt: skip
    notes = (
        "ITE (evidence) and SJ (sentiment) over all items, MC (mapping) over all true metaphors; 0 to 100. 0 where the"
        " labels behind it are wrong: metaphor for ITE, target and source for MC, sentiment for SJ.",
        "Gate closed, no explanation, judge failed: how many of the zeros are none of the judge's. A judge that fails"
        " costs the subject its score, as the protocol has it: look at the count before comparing.",
    )
    return Table("explanations", "Explanations against their references", columns, rows, notes)


def explained_by(study: Study, looked: Sequence[Sight], what: str, values: Sequence[Strings]) -> Table:
    """ITE, MC, SJ and their mean within each value of a label."""
    rows: list[list[Value]] = []
    for value, sight, mask in _within_each(looked, values):
        for said in sight.judges:
            group = [sight.view.subject, sight.view.strategy, said.judge, sight.matcher or "none"]
            cells = _stages(study, sight, said, mask, what, value)
            rows.append([value, *group, *cells, int((mask & sight.view.metaphors).sum()), int(mask.sum())])
    columns = (what, "subject", "strategy", "judge", "matcher", *STAGES, "Mean", "true metaphors", "items")
    return Table(f"explanations_by_{what}", f"Explanations by {what}", columns, rows, _ABOUT[what][:1])


def _stages(study: Study, sight: Sight, said: Explained, mask: Mask | None, *place: str) -> list[dict[str, Any]]:
    """ITE, MC, SJ and their mean, over the rows of ``mask`` (None: all)."""
    view = sight.view
    within = np.ones(len(view.cells), bool) if mask is None else mask
    cells = [_stage(study, sight, said, stage, within, *place) for stage in STAGES]
    if unknown := next((cell for cell in cells if cell["value"] is None), None):
        return [*cells, nothing(str(unknown["reason"]))]
    whole = overall(study, view, said.scores, within, said.judge, sight.matcher or "", *place)
    return [*cells, _marked(whole, sight.mark)]


def _stage(study: Study, sight: Sight, said: Explained, stage: str, within: Mask, *place: str) -> dict[str, Any]:
    view = sight.view
    if not view.explains:
        return nothing(NO_EXPLANATIONS if view.supports else LABELS_ONLY)
    if stage != "MC":
        return mean(study, view, said.scores[stage], within, stage, said.judge, sight.matcher or "", *place)
    if sight.missing:
        return nothing(sight.missing)
    if not (within & view.metaphors).any():
        return nothing(NO_METAPHOR)
    mask = within & view.metaphors
    cell = mean(study, view, said.scores[stage], mask, stage, said.judge, sight.matcher or "", *place)
    return _marked(cell, sight.mark)


def breakdown(study: Study, looked: Sequence[Sight], what: str, values: Sequence[Strings]) -> Table:
    """The main scores within each value of a label."""
    rows: list[list[Value]] = []
    for value, sight, mask in _within_each(looked, values):
        cells = _within(study, sight, mask, what, value)
        group = [sight.view.subject, sight.view.strategy, sight.matcher or "none"]
        rows.append([value, *group, *cells, int((mask & sight.view.metaphors).sum()), int(mask.sum())])
    labels_of = ("MD accuracy", "SC accuracy") if what == "metaphor" else (
        "MD accuracy", "MD macro-F1", "SC accuracy", "SC macro-F1")  # fmt: skip
    columns = (what, "subject", "strategy", "matcher", *labels_of, "TP", "SP", "JLA", "true metaphors", "items")
    return Table(f"by_{what}", f"Scores by {what}", columns, rows, _ABOUT[what])


def _within_each(looked: Sequence[Sight], values: Sequence[Strings]) -> Iterator[tuple[str, Sight, Mask]]:
    """Each value of a label with each sight that has it, and the rows that do."""
    for value in sorted({str(v) for row in values for v in row}):
        for sight, row in zip(looked, values, strict=True):
            mask = same(row, value)
            if mask.any():
                yield value, sight, mask


_ABOUT: Final = {
    "language": ("Language of the item, not of the prompt.",),
    "origin": ("Where the pair comes from: the item's label `origin`.",),
    "metaphor": (
        "MD accuracy among true metaphors (Yes) is the share of them that was found, among the others (No) the share"
        " that was left alone.",
    ),
}


def _within(study: Study, sight: Sight, mask: Mask, what: str, value: str) -> list[dict[str, Any]]:
    view, place = sight.view, (what, value, str(sight.matcher))
    found = []
    for field in CATEGORICAL:
        found.append(rate(study, view, view.right(field), mask, field, *place))
        if what != "metaphor":  # there the truth has one class, of which accuracy says all
            found.append(macro_f1_cell(study, view, field, mask, what, value))
    if sight.missing:
        return [*found, *[nothing(sight.missing)] * 3]
    of_metaphors = mask & view.metaphors
    for name in ("target", "source"):
        values = view.column(sight.marks, name)
        cell = mean(study, view, values, of_metaphors, name, *place) if of_metaphors.any() else nothing(NO_METAPHOR)
        found.append(_marked(cell, sight.mark))
    return [*found, _marked(rate(study, view, view.column(sight.marks, "joint"), mask, "JLA", *place), sight.mark)]


def confusion(seen: Sequence[View], field: str, title: str) -> Table:
    """How often each true label was given each label, or none."""
    names = CATEGORICAL[field]
    rows: list[list[Value]] = []
    for view in seen:
        true, said = view.labels(field)
        for name in names:
            given = [s for t, s in zip(true, said, strict=True) if t == name]
            if given:
                rows.append([view.subject, view.strategy, name, *(given.count(n) for n in names), given.count(None)])
    columns = ("subject", "strategy", "true", *names, "no valid label")
    return Table(f"confusion_{field}", title, columns, rows)


def fields(seen: Sequence[View]) -> Table:
    """Fields that readable replies lack."""
    rows: list[list[Value]] = [
        [view.subject, view.strategy, *(view.problems[name] for name in (*FIELDS, *EXPLANATIONS)), view.statuses["ok"]]
        for view in seen
    ]
    columns = ("subject", "strategy", *FIELDS, *EXPLANATIONS, "readable replies")
    note = (
        "Counts of missing or invalid fields in replies that could be read; each is wrong by itself, the rest of the"
        " reply counts."
    )
    return Table("fields", "Fields without a valid value", columns, rows, (note,))


def statuses(seen: Sequence[View]) -> Table:
    """What became of every reply."""
    rows: list[list[Value]] = [
        [view.subject, view.strategy, *(view.statuses[name] for name in STATUSES), len(view.cells)] for view in seen
    ]
    columns = ("subject", "strategy", *STATUSES, "all")
    note = (
        "All count: what is not ok is wrong in every score. unparsed: not one JSON object. not_applicable: a prediction"
        " file without that item. failed: no reply after all retries; it is asked again by the next run."
    )
    return Table("statuses", "What became of every reply", columns, rows, (note,))


def _origins(view: View) -> Strings:
    return np.array([cell.item.labels.get("origin") or "(not said)" for cell in view.cells], str)


def _marked(cell: dict[str, Any], mark: str | None) -> dict[str, Any]:
    return cell | {"mark": mark} if mark and cell["value"] is not None else cell
