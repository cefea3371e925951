"""Tables: how far raters agree, how far judges agree with them, and scores that people's answers correct."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trope.people.sheet import NAN, Question, Said, Sheet, consensus, sheet_of
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats.agreement import cohen_kappa, krippendorff_alpha
from trope.stats.correlations import pearson, spearman
from trope.stats.labels import accuracy, balanced_accuracy, mean_absolute_error
from trope.stats.reliability import bland_altman, icc

if TYPE_CHECKING:
    from trope.people.desk import Desk

Floats = npt.NDArray[np.float64]
AGREEMENT_NOTES = (
    "Alpha: Krippendorff's, over all things with two ratings or more; nominal for options without an order, ordinal"
    " for ratings, interval for numbers. ICC(2,1) and ICC(2,k): absolute agreement of one rater and of the mean of all,"
    " over the things that all raters answered. Same: share of pairs of raters of one thing who say the same.",
    "Options that a protocol scores count by their score: in vmetaphor right or wrong, in vista 3 to 0.",
)
ALIGNMENT_NOTES = (
    "People: the answer of most raters (a tie is no answer), or the mean of their numbers. Right: share of outputs"
    " where judge and people say the same; balanced: the mean of that share over what people say. Kappa: Cohen's.",
    "MAE, Pearson, Spearman, ICC(2,1): of the judge's numbers and the people's means. Bias: judge less people, with"
    " the limits that hold 95 % of the differences (Bland and Altman). Rows are taken as independent here.",
)


def agreement_tables(desk: Desk) -> list[Table]:
    """Agreement among the raters of a study so far."""
    from trope.people.answers import answers_of

    sheet = sheet_of(desk.frame, answers_of(desk), (), ())
    return [agreement(sheet)] if sheet.people else []


def agreement(sheet: Sheet) -> Table:
    """One row a question, and one a level that several questions share."""
    columns = ("call", "question", "raters", "things", "by two or more", "alpha", "ICC(2,1)", "ICC(2,k)", "same")
    rows: list[list[Value]] = []
    for title, questions in grouped(sheet):
        rows.append([questions[0].call, title, *_agreement_row(sheet, questions)])
    return Table("people_agreement", "Agreement among raters", columns, rows, AGREEMENT_NOTES)


def grouped(sheet: Sheet) -> list[tuple[str, list[Question]]]:
    """Questions one by one, and together where several share a level; in the order they came."""
    asked = [q for place, q in sheet.questions.items() if place in sheet.people]
    levels = Counter((q.call, q.level) for q in asked if q.level)
    found: list[tuple[str, list[Question]]] = []
    for question in asked:
        alone = not question.level or levels[(question.call, question.level)] == 1
        found.append((question.level if alone and question.level else question.name, [question]))
    for (call, level), count in levels.items():
        if count > 1:
            found.append((f"{level} (all)", [q for q in asked if (q.call, q.level) == (call, level)]))
    return found


def _agreement_row(sheet: Sheet, questions: Sequence[Question]) -> list[Value]:
    raters = sorted({r for q in questions for r in sheet.raters(q)})
    said = [by_rater for q in questions for by_rater in sheet.people[q.place].values()]
    numbers = np.array([[by.get(r, (None, NAN))[1] for r in raters] for by in said], float)
    several = [by for by in said if len(by) > 1]
    head: list[Value] = [len(raters), len(said), len(several)]
    if questions[0].metric == "nominal":
        labels: Any = [[by.get(r, (None, NAN))[0] for r in raters] for by in said]
        alpha = krippendorff_alpha(np.array(labels, dtype=object), "nominal")
    else:
        alpha = krippendorff_alpha(numbers, questions[0].metric)
    complete = numbers[~np.isnan(numbers).any(axis=1)] if len(raters) > 1 else np.zeros((0, len(raters)))
    return [*head, estimate_cell(alpha), *(estimate_cell(icc(complete, kind)) for kind in ("2", "2k")), _same(several)]


def _same(several: Sequence[Mapping[str, Said]]) -> Value:
    same = pairs = 0
    for by_rater in several:
        said = [label if label is not None else value for label, value in by_rater.values()]
        pairs += len(said) * (len(said) - 1) // 2
        same += sum(a == b for n, a in enumerate(said) for b in said[n + 1 :])
    return number(same / pairs) if pairs else None


def alignment(sheet: Sheet) -> Table:
    """One row a judge and question (and level), over all outputs and for each subject and strategy."""
    columns = (
        "judge", "outputs of", "call", "question", "n", "right", "balanced", "kappa",
        "MAE", "Pearson", "Spearman", "ICC(2,1)", "bias", "lower limit", "upper limit",
    )  # fmt: skip
    rows: list[list[Value]] = []
    for judge in sheet.instruments:
        for title, questions in grouped(sheet):
            found = pairs(sheet, judge, questions)
            groups = dict.fromkeys(group for group, _, _, _ in found)
            chosen = ["all", *groups] if len(groups) > 1 else ["all"]
            for group in chosen if found else ():
                part = [pair for pair in found if group in ("all", pair[0])]
                rows.append([judge, group, questions[0].call, title, *_alignment_row(part)])
    return Table("judge_alignment", "Judges and people on the same outputs", columns, rows, ALIGNMENT_NOTES)


Pair = tuple[str, str, Said, Said]  # subject and strategy, item, people, judge


def pairs(sheet: Sheet, judge: str, questions: Sequence[Question]) -> list[Pair]:
    """What people and a judge say of the same outputs; a task that stands for several cells counts once a cell."""
    found = []
    for question in questions:
        answered = sheet.people[question.place]
        for (item, place), said in sheet.judges.get(question.place, {}).items():
            task = sheet.task_of.get((question.call, item, place))
            if task in answered and judge in said:
                found.append((f"{place[0]} · {place[1]}", item, consensus(answered[task]), said[judge]))
    return found


def _alignment_row(found: Sequence[Pair]) -> list[Value]:
    labels = [(people[0], judge[0]) for _, _, people, judge in found if people[0] is not None and judge[0] is not None]
    values = np.array([(people[1], judge[1]) for _, _, people, judge in found], float).reshape(-1, 2)
    values = values[~np.isnan(values).any(axis=1)]
    truth, said = [a for a, _ in labels], [b for _, b in labels]
    row: list[Value] = [len(found)]
    if labels:
        row += [estimate_cell(accuracy(truth, said)), estimate_cell(balanced_accuracy(truth, said))]
        row.append(estimate_cell(cohen_kappa(truth, said)))
    else:
        row += [None, None, None]
    people, judge = values[:, 0], values[:, 1]
    limits = bland_altman(judge, people)
    row += [estimate_cell(mean_absolute_error(people, judge)), estimate_cell(pearson(people, judge))]
    row += [estimate_cell(spearman(people, judge)), estimate_cell(icc(values, "2"))]
    return [*row, *(estimate_cell(e) for e in (limits.bias, limits.lower, limits.upper))]


def plots(sheet: Sheet) -> list[dict[str, Any]]:
    """For each judge and question with numbers: a scatter with the spread of the raters, and a Bland-Altman plot."""
    made: list[dict[str, Any]] = []
    for judge in sheet.instruments:
        for title, questions in grouped(sheet):
            if len(questions) > 1:
                continue
            points = _points(sheet, judge, questions[0])
            if len(points) < 3 or len({p["x"] for p in points}) < 2:
                continue
            name = f"{judge} {questions[0].call} {title}"
            made.append({
                "kind": "scatter", "name": f"people {name}", "title": f"{title}: people and {judge}",
                "points": points, "xlabel": judge, "ylabel": "people: mean, and range of raters", "diagonal": True,
            })  # fmt: skip
            made.append(_differences(points, judge, title, name))
    return made


def _differences(points: Sequence[Mapping[str, Any]], judge: str, title: str, name: str) -> dict[str, Any]:
    """Bland and Altman's plot: difference by mean, with its mean and the limits that hold 95 %."""
    limits = bland_altman([p["x"] for p in points], [p["y"] for p in points])
    lines = {"upper limit": limits.upper, "mean difference": limits.bias, "lower limit": limits.lower}
    shown = [
        {"x": number((p["x"] + p["y"]) / 2), "y": number(p["x"] - p["y"]), "label": p["label"], "series": p["series"]}
        for p in points
    ]
    return {
        "kind": "scatter", "name": f"differences {name}", "title": f"{title}: {judge} less people",
        "points": shown, "xlabel": "mean of both", "ylabel": f"{judge} less people",
        "levels": {line: number(e.value) for line, e in lines.items() if e.defined},
    }  # fmt: skip


def _points(sheet: Sheet, judge: str, question: Question) -> list[dict[str, Any]]:
    points = []
    answered = sheet.people[question.place]
    for (item, place), said in sheet.judges.get(question.place, {}).items():
        task = sheet.task_of.get((question.call, item, place))
        if task not in answered or judge not in said:
            continue
        x, y = said[judge][1], consensus(answered[task])[1]
        if math.isnan(x) or math.isnan(y):
            continue
        each = [value for _, value in answered[task].values() if not math.isnan(value)]
        point = {"x": number(x), "y": number(y), "label": item, "series": f"{place[0]} · {place[1]}"}
        points.append(point | ({"low": min(each), "high": max(each)} if len(each) > 1 else {}))
    return points
