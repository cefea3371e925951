"""Rules of `vmetaphor`: metaphors to be painted, their prompts and their questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from trope.items.rules import balance, leaks, options, style
from trope.items.rules.base import WHOLE_SET, Fault, Rule, each
from trope.items.rules.blind import near_chance
from trope.items.rules.scripts import STRICT
from trope.items.words import words
from trope.nouns import Item, Question

LEVELS = {
    "Individual": ("Cognitive Processes", "Mental States", "Healthy Living", "Personal Development"),
    "External": ("Social Issues", "Natural Environment", "Technological Life", "Social Interaction"),
    "Creative": ("Creative Design", "Advertising"),
}
CATEGORIES = {category: level for level, of in LEVELS.items() for category in of}
STRUCTURES = ("fusion", "replacement", "juxtaposition")
AXES = {"Q1": "target", "Q2": "source", "Q3": "structure", "Q4": "meaning"}
_PREPOSITION = re.compile(
    r"\s(?:of|for|to|in|on|with|between|by|before|after|at|from|without|over|under|above|around|along|through|into"
    r"|across|behind|that|against|off)\s"
)
_PLURALS = {"men", "women", "children", "people", "teeth", "feet", "mice", "geese", "oxen", "sheep", "dice", "fry"}
_WORDS = {"conceptual": (20, 50), "descriptive": (40, 95), "style": (6, 24)}


def _labels(item: Item) -> Iterator[Fault]:
    category = item.labels.get("category", "")
    if category not in CATEGORIES:
        yield Fault("labels.category", category, f"expected one of {', '.join(CATEGORIES)}")
    elif item.labels.get("level") != CATEGORIES[category]:
        yield Fault("labels.level", item.labels.get("level", ""), f"{category} belongs to {CATEGORIES[category]}")
    if item.cluster.get("category") != category:
        yield Fault("cluster.category", item.cluster.get("category", ""), f"labels.category is {category!r}")


def _figure(item: Item) -> Iterator[Fault]:
    if len(item.figures) != 1:
        yield Fault("figures", str(len(item.figures)), "a vmetaphor item has one figure")
        return
    figure = item.figures[0]
    for name in ("tenor", "ground", "structure"):
        if not getattr(figure, name):
            yield Fault(f"figures.0.{name}", "", "is missing")
    if not 2 <= len(figure.mappings) <= 4:
        yield Fault("figures.0.mappings", str(len(figure.mappings)), "expected 2 to 4 mappings")
    presence = {"tenor": figure.presence.tenor, "vehicle": figure.presence.vehicle}
    absent = item.labels.get("absent")
    if figure.structure == "replacement":
        if absent not in presence or {absent: "implied"} != {k: v for k, v in presence.items() if v != "depicted"}:
            yield Fault("labels.absent", str(absent), f"a replacement implies the absent one; presence is {presence}")
    elif absent is not None or set(presence.values()) != {"depicted"}:
        yield Fault("figures.0.presence", str(presence), f"a {figure.structure} depicts both, and none is absent")


def _prompts(item: Item) -> Iterator[Fault]:
    for name, (low, high) in _WORDS.items():
        count = len(words(item.prompts.get(name, "")))
        if not low <= count <= high:
            yield Fault(f"prompts.{name}", item.prompts.get(name, ""), f"has {count} words, expected {low} to {high}")
    if set(item.prompts) != set(_WORDS):
        yield Fault("prompts", ", ".join(item.prompts), f"expected {', '.join(_WORDS)}")
    if item.text != item.prompts.get("conceptual"):
        yield Fault("text", item.text, "is the conceptual prompt")
    if item.prompts.get("style") and not style.style_words(item.prompts["style"]):
        yield Fault("prompts.style", item.prompts["style"], "holds no style word")


def _questions(item: Item) -> Iterator[Fault]:
    found = {question.id: question.axis for question in item.questions}
    mappings = item.figures[0].mappings if item.figures else ()
    expected = AXES | {f"Q5_{n}": "mapping" for n in range(1, len(mappings) + 1)}
    if found != expected:
        yield Fault("questions", ", ".join(found), f"expected {', '.join(expected)}")
        return
    figure = item.figures[0]
    truths = {"Q1": figure.tenor, "Q2": figure.vehicle, "Q3": figure.structure, "Q4": figure.ground}
    truths |= {f"Q5_{n}": mapping.tenor for n, mapping in enumerate(mappings, start=1)}
    for question in item.questions:
        where = f"questions.{question.id}"
        if len(question.options) != 3 or question.answer is None:
            yield Fault(f"{where}.options", str(len(question.options)), "expected three options and an answer")
        elif question.options[question.answer] != truths[question.id]:
            right = question.options[question.answer]
            yield Fault(f"{where}.answer", right, f"the figure says {truths[question.id]!r}")
        if question.id == "Q3" and question.options != STRUCTURES:
            yield Fault(f"{where}.options", ", ".join(question.options), f"expected {', '.join(STRUCTURES)}")
        if any(re.search(r"cannot be determined", option, re.IGNORECASE) for option in question.options):
            yield Fault(f"{where}.options", "cannot be determined", "is added by the protocol and is no stored option")
    for n, mapping in enumerate(mappings, start=1):
        stem = item.questions[3 + n].stem
        if mapping.vehicle.lower() not in stem.lower():
            yield Fault(f"questions.Q5_{n}.stem", stem, f"asks about {mapping.vehicle!r}")


def _number(item: Item) -> Iterator[Fault]:
    for question in item.questions:
        found = re.match(r"What (does|do) the (.+) stand for\?$", question.stem)
        if question.axis != "mapping" or found is None:
            continue
        head = _PREPOSITION.split(found[2])[0].split()[-1]
        many = head in _PLURALS or (head.endswith("s") and not head.endswith(("ss", "us", "is", "lens")))
        if many != (found[1] == "do"):
            yield Fault(f"questions.{question.id}.stem", question.stem, f"{head!r} takes {'do' if many else 'does'}")


def _shares(items: Sequence[Item]) -> Iterator[Fault]:
    counts = Counter(item.figure.structure for item in items if item.figure)
    if 4 * counts["replacement"] < len(items):
        yield Fault(WHOLE_SET, f"{counts['replacement']} of {len(items)}", "replacement is at least a quarter")
    for structure in STRUCTURES:
        for category in CATEGORIES:
            of = sum(
                i.labels.get("category") == category and i.figure is not None and i.figure.structure == structure
                for i in items
            )
            if of < 4:
                yield Fault(WHOLE_SET, str(of), f"{category} / {structure}: expected at least 4")
    both = sum(item.labels.get("collage") == "yes" for item in items)
    if both < 30:
        yield Fault(WHOLE_SET, str(both), "at least 30 pairs lie within the classes that collage draws")


def _collage(item: Item) -> Iterator[Fault]:
    if item.labels.get("collage") != "yes":
        return
    for name in ("target_class", "source_class"):
        said = item.labels.get(name, "")
        if not said or not re.search(rf"\b{re.escape(said)}", item.text, re.IGNORECASE):
            yield Fault(f"labels.{name}", said, "a collage pair names both classes in its conceptual prompt")


def _vehicle(item: Item) -> Sequence[str]:
    return [item.cluster.get("vehicle", "")]


def _pair(item: Item) -> Sequence[str]:
    return [f"{item.figure.tenor} ~ {item.figure.vehicle}".lower()] if item.figure else []


def _style_suffix(item: Item) -> Sequence[str]:
    return [item.prompts.get("style", "").lower()]


def level(item: Item, question: Question) -> str | None:
    """The level of the blind battery."""
    return {"target": "L1 target", "source": "L1 source", "meaning": "L3 meaning", "mapping": "L4 mapping"}.get(
        question.axis, "L2 structure"
    )


RULES: tuple[Rule, ...] = (
    *balance.core("vmetaphor-"),
    *STRICT[:1],
    each("labels", "category and level belong together", _labels),
    each("figure", "structure, mappings, and which of the two is absent", _figure),
    each("prompts", "conceptual, descriptive and style, of the usual lengths", _prompts),
    *style.RULES,
    each("five-questions", "Q1 to Q4 and a Q5 a mapping; the answer is what the figure says", _questions),
    each("stem-number", "Q5 stems say do of several elements, does of one", _number),
    each("collage", "collage pairs name both classes", _collage),
    *leaks.RULES,
    options.ANSWER_POSITION,
    near_chance(level),
    balance.no_more_than("vehicle-limit", "no vehicle more than 4 times", _vehicle, 4),
    balance.no_more_than("pair", "no pair of target and source twice", _pair, 1),
    balance.no_more_than("style-suffix", "no style suffix twice", _style_suffix, 1),
    balance.counted(
        "balance", "24 items a category", lambda i: i.labels.get("category", ""), dict.fromkeys(CATEGORIES, 24)
    ),
    Rule("shares", "replacement is a quarter, every category has every structure, 30 collage pairs", _shares),
    balance.halves(lambda i: f"{i.labels.get('category')}/{i.figure and i.figure.structure}", "category and structure"),
)
