"""Rules an item must keep beyond its schema, whatever set it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trope.data.coco import CLASSES
from trope.errors import nearest
from trope.nouns import Figure, Item, Question


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule: which item, which field, what is wrong with it."""

    item: str
    field: str
    rule: str

    def __str__(self) -> str:
        return f"{self.item}: {self.field}: {self.rule}"


def check_items(items: Iterable[Item]) -> list[Problem]:
    """Every broken rule of every item, in order."""
    return [problem for item in items for problem in _check(item)]


def _check(item: Item) -> Iterator[Problem]:
    if item.text != item.text.strip():
        yield Problem(item.id, "text", "begins or ends with white space")
    for n, figure in enumerate(item.figures):
        yield from _check_figure(item, figure, f"figures.{n}")
    for n, question in enumerate(item.questions):
        yield from _check_question(item, question, f"questions.{n}")
    for name, twin in (("deleted", item.twins.deleted), ("literal", item.twins.literal)):
        if twin is not None and twin == item.text:
            yield Problem(item.id, f"twins.{name}", "is the text itself")


def _check_figure(item: Item, figure: Figure, where: str) -> Iterator[Problem]:
    for name in ("tenor", "vehicle", "marker"):
        span = getattr(figure.spans, name)
        if span is None:
            continue
        start, end = span
        if not start < end <= len(item.text):
            yield Problem(item.id, f"{where}.spans.{name}", f"[{start}, {end}) is not inside the text")
            continue
        said = getattr(figure, name, None)
        found = item.text[start:end]
        if said is not None and found.casefold() not in said.casefold() and said.casefold() not in found.casefold():
            yield Problem(item.id, f"{where}.spans.{name}", f"covers {found!r}, but {name} is {said!r}")
    if figure.vehicle_class is not None and figure.vehicle_class not in CLASSES:
        near = nearest(figure.vehicle_class, CLASSES)
        yield Problem(
            item.id, f"{where}.vehicle_class",
            f"{figure.vehicle_class!r} is no COCO class" + (f"; did you mean {near!r}?" if near else ""),
        )  # fmt: skip
    if figure.form == "simile" and figure.spans.vehicle and figure.spans.marker is None:
        yield Problem(item.id, f"{where}.spans.marker", "a simile has a marker")


def _check_question(item: Item, question: Question, where: str) -> Iterator[Problem]:
    options = [" ".join(option.casefold().split()) for option in question.options]
    if len(set(options)) < len(options):
        yield Problem(item.id, f"{where}.options", "two options are the same")
    if question.answer is not None and question.answer >= len(options):
        yield Problem(item.id, f"{where}.answer", f"{question.answer} is no option (there are {len(options)})")
    if question.scores is not None and len(question.scores) != len(options):
        yield Problem(item.id, f"{where}.scores", f"{len(question.scores)} scores for {len(options)} options")
