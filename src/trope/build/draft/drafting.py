"""The errand: a model drafts, the rules of the item set check, and what they find is put to the model again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from trope.build.asking import Asker
from trope.build.draft.prompts import What, drafting_prompt, made_of
from trope.errors import ItemError
from trope.flow import Errand
from trope.items import check_items
from trope.items.rules.vista import AXES, CONTROLS
from trope.nouns import Item, Question
from trope.records import digest
from trope.requests import Ask

DRAFTED_BY, DRAFT = "drafted_by", "draft"  # labels of an item whose questions a model drafted


@dataclass(frozen=True, slots=True)
class Draft:
    """An item with drafted questions, as good as the model got them.

    Attributes
    ----------
    item : with the questions; as it came if no reply could be read.
    faults : what the rules still find in them, or why there are none; empty if a person may start from here.
    tries : how often the model was asked.
    """

    item: Item
    faults: tuple[str, ...]
    tries: int


def draft(
    items: Sequence[Item], asker: Asker, model: str, *, control: bool = False, tries: int = 3
) -> list[Draft | None]:
    """Draft the questions that items lack, in order.

    Parameters
    ----------
    asker : how errands are carried out; asked again, it answers from the store.
    model : the name of the chat model among the asker's backends.
    control : also the five presence questions, written from the bare sentence.
    tries : replies a set of questions gets, at most; each further one is told what is wrong with the last.

    Returns
    -------
    A draft an item; None where the budget ended first. Items that lack nothing come back as they are.

    Raises
    ------
    ItemError : an item without tenor or vehicle, which Q1 and Q2 are about.
    """
    wanted: list[tuple[Item, list[What]]] = [(item, _lacking(item, control)) for item in items]
    for item, lacking in wanted:
        if "questions" in lacking and (item.figure is None or not item.figure.tenor):
            raise ItemError(
                f"item {item.id!r} needs figures[0].tenor and .vehicle: the questions ask whether the one is seen and"
                " the other is not"
            )
    errands = [Errand(item.id, partial(_script, item, lacking, model, tries)) for item, lacking in wanted]
    return asker(errands)


def _lacking(item: Item, control: bool) -> list[What]:
    ids = {question.id for question in item.questions}
    sets: list[tuple[What, set[str]]] = [("questions", set(AXES))]
    if control:
        sets.append(("control", set(CONTROLS)))
    return [what for what, names in sets if not names <= ids]


def _script(item: Item, lacking: Sequence[What], model: str, tries: int) -> Any:
    """Draft each missing set of questions; returns a `Draft`."""
    faults: list[str] = []
    asked = 0
    made = item
    for what in lacking:
        questions, wrong, count = yield from _drafted(item, what, model, tries)
        made = made.model_copy(update={"questions": (*_others(made, what), *questions)})
        faults += wrong
        asked += count
    if made is not item and made.questions != item.questions:
        labels = {**item.labels, DRAFTED_BY: model, DRAFT: fingerprint(made)}
        made = made.model_copy(update={"labels": labels})
    return Draft(made, tuple(faults), asked)


def _drafted(item: Item, what: What, model: str, tries: int) -> Any:
    """The questions with the fewest faults, the faults, and how often the model was asked."""
    best: tuple[Question, ...] = ()
    left: list[str] | None = None
    last: str | None = None
    told: list[str] = []
    for attempt in range(tries):
        answer = yield Ask(None, model, drafting_prompt(item, what, last, told), attempt=attempt)
        if answer.status == "unparsed":
            last, told = (answer.raw or "")[:4000], [str(answer.reason)]
            left = left if best else [f"{what}: {answer.reason}"]
            continue
        if not answer.ok:
            return (
                best,
                left if best and left is not None else [f"{what}: {answer.status}: {answer.reason}"],
                attempt + 1,
            )
        questions = made_of(item, what, answer.value)
        found = faults_in(item.model_copy(update={"questions": questions}), what)
        if not best or len(found) < len(left or ()):
            best, left = questions, found
        if not found:
            return best, [], attempt + 1
        last, told = answer.raw, found
    return best, left or [], tries


def faults_in(item: Item, what: What | None = None) -> list[str]:
    """What the rules find in an item's questions, a line each: the field, what stands there, why it is wrong."""
    return [
        f"{problem.field.removeprefix('questions.')}: {problem.value!r}: {problem.why}"
        for problem in check_items([item], "questions")
        if problem.field.startswith("questions") and _about(problem.field, what)
    ]


def _about(field: str, what: What | None) -> bool:
    """Whether a fault is about these questions; one about which questions there are is about the four."""
    name = field.removeprefix("questions").removeprefix(".").partition(".")[0]
    return what is None or (name in CONTROLS) == (what == "control")


def _others(item: Item, what: What) -> list[Question]:
    mine = CONTROLS if what == "control" else AXES
    return [question for question in item.questions if question.id not in mine]


def fingerprint(item: Item) -> str:
    """Twelve digits that tell whether a person has changed the questions since they were drafted."""
    return digest([question.model_dump(mode="json") for question in item.questions])[:12]
