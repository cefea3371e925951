"""A finished record as an item of the `vmetaphor` kind, and what the validators say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trope.build.vmetaphor.records import Checked
from trope.items.rules import Rule, rules_for
from trope.items.rules.vmetaphor import CATEGORIES, STRUCTURES
from trope.nouns import ElementMapping, Figure, FigurePresence, Item, Question
from trope.protocols.vmetaphor.questions import fault

STEMS = {
    "Q1": "Which subject is this picture about, seen as a visual metaphor?",
    "Q2": "Which thing does the picture liken that subject to?",
    "Q3": "By which strategy does the picture bring the two together?",
    "Q4": "What does the picture most likely say?",
}
# rules about the set as a whole, or about the sets that ship
_OF_SETS = frozenset({
    "core", "answer-position", "blind", "vehicle-limit", "style-suffix", "balance", "shares", "held-out-half",
    "collage", "figure",
})  # fmt: skip
_UNUSABLE = frozenset({"question", "five-questions"})  # without which nobody can be asked


def make_item(name: str, record: Checked, image: str | None) -> Item:
    """An item: the conceptual prompt is its text, the right option of every question stands first."""
    noted, written, wrong = record.annotation, record.writing, record.options
    absent = {"target": "tenor", "source": "vehicle", None: None}[noted.absent]
    seen = {domain: "implied" if domain == absent else "depicted" for domain in ("tenor", "vehicle")}
    figure = Figure(
        tenor=noted.target, vehicle=noted.source, ground=noted.meaning, form="metaphor", structure=noted.structure,
        mappings=tuple(ElementMapping(vehicle=_bare(pair.source), tenor=pair.target) for pair in noted.mappings),
        presence=FigurePresence.model_validate(seen),
    )  # fmt: skip
    labels = {"category": noted.category, "level": CATEGORIES[noted.category]}
    questions = [
        Question(id="Q1", axis="target", stem=STEMS["Q1"], options=(noted.target, *wrong.Q1), answer=0),
        Question(id="Q2", axis="source", stem=STEMS["Q2"], options=(noted.source, *wrong.Q2), answer=0),
        Question(id="Q3", axis="structure", stem=STEMS["Q3"], options=STRUCTURES,
                 answer=STRUCTURES.index(noted.structure)),
        Question(id="Q4", axis="meaning", stem=STEMS["Q4"], options=(noted.meaning, *wrong.Q4), answer=0),
    ]  # fmt: skip
    for n, (pair, options) in enumerate(zip(noted.mappings, wrong.Q5, strict=True), start=1):
        stem = f"What {{}} the {_bare(pair.source)} stand for?"
        questions.append(Question(id=f"Q5_{n}", axis="mapping", stem=stem, options=(pair.target, *options), answer=0))
    item = Item(
        id=name, lang="en", text=written.conceptual, figures=(figure,), image=image,
        cluster={"vehicle": noted.source.lower(), "category": noted.category},
        labels=labels | ({"absent": absent} if absent else {}), questions=tuple(questions),
        prompts=written.model_dump(), verified_by=record.verified_by,
    )  # fmt: skip
    return _with_verbs(item)


def problems_of(items: Sequence[Item]) -> Mapping[str, list[str]]:
    """What people should look at, by item: every rule about single items that one breaks."""
    found: dict[str, list[str]] = {item.id: [] for item in items}
    for rule in _rules():
        for problem in rule.problems(items):
            if problem.item in found:
                found[problem.item].append(f"{problem.field}: {problem.why} [{rule.name}]")
    return found


def unusable(item: Item) -> str | None:
    """Why an item cannot be asked about at all, e.g. two options are the same; None if a run would take it."""
    for rule in _rules():
        if rule.name in _UNUSABLE:
            for problem in rule.problems([item]):
                return f"{problem.field}: {problem.value!r}: {problem.why}"
    return fault(item)


def _rules() -> list[Rule]:
    return [rule for rule in rules_for("vmetaphor") if rule.name not in _OF_SETS]


def _bare(element: str) -> str:
    """An element without the article it may begin with, braces apart."""
    first, _, rest = element.partition(" ")
    bare = rest if first.lower() in ("a", "an", "the") and rest else element
    return bare.replace("{", "(").replace("}", ")")


def _with_verbs(item: Item) -> Item:
    """Stems with `does`, or with `do` where the rule about their number asks for it."""
    does = item.model_copy(update={"questions": tuple(_said(question, "does") for question in item.questions)})
    rule = next(rule for rule in rules_for("vmetaphor") if rule.name == "stem-number")
    many = {problem.field.split(".")[1] for problem in rule.problems([does])}
    verbs = tuple(_said(question, "do" if question.id in many else "does") for question in item.questions)
    return item.model_copy(update={"questions": verbs})


def _said(question: Question, verb: str) -> Question:
    return question.model_copy(update={"stem": question.stem.replace("{}", verb)})
