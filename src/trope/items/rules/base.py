"""What a rule is: a name, what it asks for in one line, and a function that finds what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trope.nouns import Item

WHOLE_SET = "(set)"


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule: which item, which field, what stands there, which rule, and why it is broken."""

    item: str
    field: str
    value: str
    rule: str
    why: str

    def __str__(self) -> str:
        found = self.value if len(self.value) <= 90 else self.value[:87] + "..."
        return f"{self.item}: {self.field}: {found!r}: {self.why} [{self.rule}]"


class Fault(NamedTuple):
    """A problem as the function of a rule says it; rule and item are added by `Rule`."""

    field: str
    value: str
    why: str
    item: str = WHOLE_SET


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule over a set of items."""

    name: str
    what: str
    find: Callable[[Sequence[Item]], Iterator[Fault]]

    def problems(self, items: Sequence[Item]) -> list[Problem]:
        """Everything in ``items`` that breaks the rule."""
        return [Problem(f.item, f.field, f.value, self.name, f.why) for f in self.find(items)]


def each(name: str, what: str, find: Callable[[Item], Iterator[Fault]]) -> Rule:
    """A rule that looks at one item at a time."""

    def over_all(items: Sequence[Item]) -> Iterator[Fault]:
        for item in items:
            for fault in find(item):
                yield fault._replace(item=item.id)

    return Rule(name, what, over_all)


def texts_of(item: Item) -> Iterator[tuple[str, str, str]]:
    """Every text of an item as ``(field, text, language)``; gloss and reason are in English."""
    lang = item.lang
    yield "text", item.text, lang
    if item.context is not None:
        yield "context", item.context, lang
    for name in ("deleted", "literal"):
        twin = getattr(item.twins, name)
        if twin is not None:
            yield f"twins.{name}", twin, lang
    for n, figure in enumerate(item.figures):
        for name in ("tenor", "vehicle", "ground"):
            said = getattr(figure, name)
            if said is not None:
                yield f"figures.{n}.{name}", said, lang
        for m, mapping in enumerate(figure.mappings):
            yield f"figures.{n}.mappings.{m}.vehicle", mapping.vehicle, lang
            yield f"figures.{n}.mappings.{m}.tenor", mapping.tenor, lang
    for question in item.questions:
        yield f"questions.{question.id}.stem", question.stem, lang
        for m, option in enumerate(question.options):
            yield f"questions.{question.id}.options.{m}", option, lang
    for name, prompt in item.prompts.items():
        yield f"prompts.{name}", prompt, lang
    for name in ("gloss", "reason"):
        said = getattr(item, name)
        if said is not None:
            yield name, said, "en"


def span_text(item: Item, span: tuple[int, int] | None) -> str:
    """What a span covers; empty if there is none."""
    return "" if span is None else item.text[span[0] : span[1]]
