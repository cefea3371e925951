"""Rules of `vista`: sentences with one figure in four languages, and their four questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from trope.items.rules import balance, options, spans, twins
from trope.items.rules.base import WHOLE_SET, Fault, Rule, each
from trope.items.rules.blind import near_chance
from trope.items.rules.scripts import SENTENCES, STRICT
from trope.items.words import words
from trope.nouns import Item, Question

AXES = {"Q1": "tenor", "Q2": "vehicle", "Q3": "scene", "Q4": "meaning"}
CONTROLS = {"C1": "entity", "C2": "attribute", "C3": "relation", "C4": "action", "C5": "scene"}
FORMS = ("simile", "metaphor", "substitutive_metaphor", "idiom")
MECHANISMS = ("semantic_shift", "perceptual_resemblance", "cross_modal_mapping", "idiomaticity")
# cells that a language does not have, by its guideline
EMPTY = {"en": {f"idiom/{name}" for name in MECHANISMS[:3]}}
_LEAST = 5  # items a cell that exists
_WORDS = {"en": (8, 40), "ar": (4, 20)}
_CHARACTERS = {"zh": (12, 60), "ja": (12, 70)}


def _figure(item: Item) -> Iterator[Fault]:
    if len(item.figures) != 1:
        yield Fault("figures", str(len(item.figures)), "a vista item has one figure")
        return
    figure = item.figures[0]
    for name in ("tenor", "ground", "form", "mechanism"):
        if not getattr(figure, name):
            yield Fault(f"figures.0.{name}", "", "is missing")
    cell = f"{figure.form}/{figure.mechanism}"
    if item.cluster.get("cell") != cell:
        yield Fault("cluster.cell", item.cluster.get("cell", ""), f"the figure's labels say {cell}")
    if cell in EMPTY.get(item.lang, ()):
        yield Fault("cluster.cell", cell, f"the guideline has no such cell in {item.lang}")
    if (figure.presence.tenor, figure.presence.vehicle) != ("depicted", "characterizes"):
        yield Fault("figures.0.presence", str(figure.presence), "the tenor is depicted, the vehicle characterizes")
    if not item.gloss:
        yield Fault("gloss", "", "every item has an English gloss")


def questions(item: Item) -> Iterator[Fault]:
    """What is wrong with which questions there are, their axes, options, scores and answers."""
    found = {question.id: question.axis for question in item.questions}
    scored = {name: axis for name, axis in found.items() if name.startswith("Q")}
    if scored != AXES:
        yield Fault("questions", ", ".join(found), f"expected {', '.join(f'{q} {axis}' for q, axis in AXES.items())}")
    controls = {name: axis for name, axis in found.items() if not name.startswith("Q")}
    if controls and controls != CONTROLS:
        said = ", ".join(f"{q} {axis}" for q, axis in CONTROLS.items())
        yield Fault("questions", ", ".join(controls), f"expected none, or {said}")
    for question in item.questions:
        if len(question.options) != 4:
            yield Fault(f"questions.{question.id}.options", str(len(question.options)), "expected four options")
        if question.id in AXES and question.scores != (3, 2, 1, 0):
            yield Fault(f"questions.{question.id}.scores", str(question.scores), "expected 3, 2, 1, 0, best first")
        if question.id in CONTROLS and question.answer is None:
            yield Fault(f"questions.{question.id}.answer", "", "a control question has one right answer")


def _length(item: Item) -> Iterator[Fault]:
    low, high = _WORDS.get(item.lang) or _CHARACTERS[item.lang]
    count = len(words(item.text)) if item.lang in _WORDS else len(item.text)
    if not low <= count <= high:
        unit = "words" if item.lang in _WORDS else "characters"
        yield Fault("text", item.text, f"has {count} {unit}, expected {low} to {high}")


def _cells(items: Sequence[Item]) -> Iterator[Fault]:
    for lang in sorted({item.lang for item in items}):
        counts = Counter(item.cluster.get("cell", "") for item in items if item.lang == lang)
        for form in FORMS:
            for mechanism in MECHANISMS:
                cell = f"{form}/{mechanism}"
                if cell not in EMPTY.get(lang, ()) and counts[cell] < _LEAST:
                    yield Fault(WHOLE_SET, str(counts[cell]), f"{lang} {cell}: expected at least {_LEAST} items")


def _control_balance(items: Sequence[Item]) -> Iterator[Fault]:
    for lang in sorted({item.lang for item in items}):
        chosen = [i for i in items if i.lang == lang and any(q.id in CONTROLS for q in i.questions)]
        if len(chosen) != 10:
            yield Fault(WHOLE_SET, str(len(chosen)), f"{lang}: expected 10 items with control questions")
        for name, labels in (("form", FORMS), ("mechanism", MECHANISMS)):
            counts = Counter(getattr(item.figure, name) for item in chosen)
            for label in labels:
                if counts[label] < 2:
                    yield Fault(
                        WHOLE_SET, str(counts[label]), f"{lang}: expected at least 2 controls with {name} {label}"
                    )


def _vehicles(item: Item) -> Sequence[str]:
    return [f"{item.lang}:{item.cluster.get('vehicle', '')}"]


def level(item: Item, question: Question) -> str | None:
    """The level of the blind battery: language and question; control questions are not judged by it."""
    return f"{item.lang} {question.id}" if question.id in AXES else None


RULES: tuple[Rule, ...] = (
    *balance.core("vista-"),
    *STRICT,
    SENTENCES,
    *spans.STRICT,
    each("figure", "one figure with all its labels, in a cell that its language has, and a gloss", _figure),
    each("length", "one sentence, not too short to be a scene nor a paragraph", _length),
    *twins.ANY,
    each(
        "four-questions", "Q1 to Q4 on their axes with four ranked options; five control questions or none", questions
    ),
    *options.RULES,
    options.repeated(3, lambda question: question.id in AXES),
    near_chance(level),
    balance.no_more_than("vehicle-limit", "no vehicle more than three times in a language", _vehicles, 3),
    Rule("cells", f"every cell that makes sense has at least {_LEAST} items", _cells),
    Rule("controls", "ten items a language have control questions, every label among them", _control_balance),
    balance.counted("balance", "120 items a language", lambda i: i.lang, dict.fromkeys(("en", "zh", "ja", "ar"), 120)),
    balance.halves(lambda i: f"{i.lang}/{i.cluster.get('cell')}", "language and cell"),
)
