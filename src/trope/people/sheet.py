"""What people and judges say of the same outputs, lined up: one row a task, one column a rater or a judge.

A field's answer has a *label* (what agreement counts: the option's score where the protocol gives one, so that
shuffled letters do not matter, else the option) and a *number* (a rating, a share, a score; NaN for none).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from trope.people.answers import Answer
from trope.people.frame import Frame
from trope.people.units import Place, Task
from trope.protocols import Measured
from trope.protocols.forms import Field, Form, form_module

Metric = Literal["nominal", "ordinal", "interval"]
NAN = float("nan")
Said = tuple[str | None, float]  # label, number


@dataclass(frozen=True, slots=True)
class Question:
    """One question, by call and name; a *headline* is a number that a protocol makes of a call's fields."""

    call: str
    name: str
    level: str = ""
    metric: Metric = "nominal"
    headline: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Call and name."""
        return self.call, self.name


@dataclass
class Sheet:
    """All answers.

    Attributes
    ----------
    tasks : by id, of every answered or judged task.
    people : question -> task -> rater -> said.
    judges : question -> place of a cell -> instrument -> said; ``cells`` by place.
    """

    tasks: dict[str, Task] = field(default_factory=dict)
    questions: dict[tuple[str, str], Question] = field(default_factory=dict)
    people: dict[tuple[str, str], dict[str, dict[str, Said]]] = field(default_factory=dict)
    judges: dict[tuple[str, str], dict[tuple[str, Place], dict[str, Said]]] = field(default_factory=dict)
    cells: dict[tuple[str, Place], Measured] = field(default_factory=dict)
    instruments: list[str] = field(default_factory=list)
    task_of: dict[tuple[str, str, Place], str] = field(default_factory=dict)  # call, item, place -> task

    def raters(self, question: Question) -> list[str]:
        """Who answered a question at all."""
        return sorted({r for said in self.people.get(question.place, {}).values() for r in said})


def sheet_of(frame: Frame, answers: Iterable[Answer], cells: Sequence[Measured], judges: Sequence[str]) -> Sheet:
    """Line up people's answers and what ``judges`` (names of instruments) said of the cells."""
    made = Sheet(instruments=list(judges))
    module = form_module(frame.protocol) if frame.protocol is not None else None
    forms: dict[str, Form] = {}
    for page in frame.pages().values():
        for task in page.tasks:
            made.tasks[task.id] = task
            for place in task.places:
                made.task_of[(task.call, task.item.id, place)] = task.id
    for answer in answers:
        if answer.raw is None or answer.is_check or answer.task.id not in made.tasks:
            continue
        form = _form(forms, answer.task)
        for question, said in _said(module, answer.task.call, form, answer.raw):
            made.questions.setdefault(question.place, question)
            made.people.setdefault(question.place, {}).setdefault(answer.task.id, {})[answer.rater] = said
    for cell in cells:
        place = (cell.subject, cell.strategy, cell.seed)
        made.cells[(cell.item.id, place)] = cell
        for instrument in judges:
            for question, said in _judged(made, module, forms, cell, place, instrument):
                known = made.questions.setdefault(question.place, question)
                of_cell = made.judges.setdefault(known.place, {}).setdefault((cell.item.id, place), {})
                of_cell.setdefault(instrument, said)
    return made


def consensus(said: Mapping[str, Said]) -> Said:
    """What raters say together: the label of the majority (none if two are equally frequent), the mean number."""
    labels = Counter(label for label, _ in said.values() if label is not None).most_common(2)
    tied = len(labels) == 2 and labels[0][1] == labels[1][1]
    numbers = [number for _, number in said.values() if not math.isnan(number)]
    return (None if tied or not labels else labels[0][0]), (sum(numbers) / len(numbers) if numbers else NAN)


def _form(forms: dict[str, Form], task: Task) -> Form:
    if task.id not in forms:
        forms[task.id] = task.form("en")
    return forms[task.id]


def _said(module: Any, call: str, form: Form, raw: str) -> list[tuple[Question, Said]]:
    answers = form.answers(raw)
    found = [
        (Question(call, f.name, f.level or "", _metric(f)), (_label(f, answers[f.name]), f.number(answers[f.name])))
        for f in form.fields
        if f.name in answers and f.kind != "text"
    ]
    if module is not None and hasattr(module, "headlines"):
        numbers = {f.name: f.number(answers[f.name]) for f in form.fields if f.name in answers}
        made = module.headlines(call, form, numbers)
        found += [(Question(call, name, "", "interval", True), (None, value)) for name, value in made.items()]
    return found


def _judged(
    made: Sheet, module: Any, forms: dict[str, Form], cell: Measured, place: Place, instrument: str
) -> list[tuple[Question, Said]]:
    found: list[tuple[Question, Said]] = []
    for call, observation in cell.observations.get(instrument, {}).items():
        task = made.task_of.get((call, cell.item.id, place))
        if task is not None and observation.ok and observation.raw is not None:
            found += _said(module, call, _form(forms, made.tasks[task]), observation.raw)
    if module is not None and hasattr(module, "numbers"):
        known = {question.place for question, _ in found}
        for (call, name), number in module.numbers(cell, instrument).items():
            if (call, name) not in known:
                found.append((Question(call, name), (f"{number:g}", float(number))))
    return found


def _metric(f: Field) -> Metric:
    if f.kind == "score01":
        return "interval"
    scored = [o.score for o in f.options]
    return "nominal" if f.nominal or any(s is None for s in scored) or len(set(scored)) < 3 else "ordinal"


def _label(f: Field, answer: str) -> str | None:
    number = f.number(answer)
    if not answer:
        return None
    return answer if math.isnan(number) else f"{number:g}"
