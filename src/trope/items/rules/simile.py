"""Rules of `simile`: 80 classes x 14 templates of concrete English sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from trope.data.coco import CLASSES, mentions
from trope.items.rules import balance, spans, templates, twins
from trope.items.rules.base import Fault, Rule, each
from trope.items.rules.scripts import SENTENCES, STRICT
from trope.items.words import stem, word_list, words
from trope.nouns import Item

_FRAME = 0.80
_SUBJECTS = 6


def _pronouns(item: Item) -> Iterator[Fault]:
    texts = {"text": item.text, "twins.deleted": item.twins.deleted or "", "twins.literal": item.twins.literal or ""}
    for field, text in texts.items():
        for word in words(text.lower()):
            if word in word_list("pronouns_en"):
                yield Fault(field, text, f"holds the pronoun {word!r}")


def _concrete(item: Item) -> Iterator[Fault]:
    for word in words(item.text.lower()):
        if word in word_list("abstract_en") or word.removesuffix("s") in word_list("abstract_en"):
            yield Fault("text", item.text, f"holds {word!r}, a feeling or an abstraction; the scene is concrete")


def _subject(item: Item) -> Iterator[Fault]:
    figure = item.figure
    if figure is None or figure.tenor is None or figure.ground is None:
        yield Fault("figures.0", str(figure and figure.vehicle), "a simile has a tenor and a ground")
        return
    named = {name for _, _, name in mentions(f"the {figure.tenor}")}
    kin = next((group for group in KINDS if figure.vehicle_class in group), frozenset())
    if named & (kin | {figure.vehicle_class}):
        yield Fault("figures.0.tenor", figure.tenor, f"is of the vehicle's kind ({figure.vehicle_class})")


# classes so alike that a subject of one is no subject for a vehicle of another
KINDS: tuple[frozenset[str], ...] = (
    frozenset({"bicycle", "motorcycle"}),
    frozenset({"car", "bus", "truck", "train"}),
    frozenset({"bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe"}),
    frozenset({"backpack", "handbag", "suitcase"}),
    frozenset({"skis", "snowboard", "skateboard", "surfboard"}),
    frozenset({"wine glass", "cup", "bowl", "bottle", "vase"}),
    frozenset({"fork", "knife", "spoon"}),
    frozenset({"banana", "apple", "orange"}),
    frozenset({"sandwich", "hot dog", "pizza", "donut", "cake"}),
    frozenset({"chair", "couch", "bench", "bed"}),
    frozenset({"tv", "laptop", "cell phone"}),
    frozenset({"microwave", "oven", "toaster", "refrigerator"}),
    frozenset({"toilet", "sink"}),
)


def _scene(item: Item) -> Iterator[Fault]:
    if item.class_may_be_in_scene is None:
        yield Fault("class_may_be_in_scene", "", "say whether the vehicle's class may be in the scene for good reason")


def _frames(items: Sequence[Item]) -> Iterator[Fault]:
    from trope.items.tfidf import similar_pairs

    frames = [_masked(item) for item in items]
    for pair in similar_pairs(frames, _FRAME):
        yield Fault(
            "text", items[pair.second].text,
            f"has nearly the frame of {items[pair.first].id} (cosine {pair.cosine:.2f}, limit {_FRAME})",
            items[pair.second].id,
        )  # fmt: skip


def _masked(item: Item) -> str:
    """The sentence with T for the tenor and V for the vehicle."""
    text = item.text
    figure = item.figure
    if figure is None:
        return text
    spans_ = [(s, name) for s, name in ((figure.spans.tenor, "T"), (figure.spans.vehicle, "V")) if s is not None]
    for (start, end), name in sorted(spans_, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _subject_key(item: Item) -> Sequence[str]:
    said = words(item.figure.tenor or "") if item.figure else []
    return [stem(said[-1])] if said else []


def _opening(item: Item) -> Sequence[str]:
    return [" ".join(words(item.text.lower())[:4])]


def _ids(item: Item) -> Iterator[Fault]:
    name = item.cluster.get("vehicle", "")
    expected = f"simile-{re.sub(' ', '_', name)}-{item.cluster.get('template', '')}"
    if item.id != expected:
        yield Fault("id", item.id, f"expected {expected!r}, after class and template")
    if item.figure is not None and item.figure.vehicle_class != name:
        yield Fault("cluster.vehicle", name, f"the figure's class is {item.figure.vehicle_class!r}")


def _grounds(items: Sequence[Item]) -> Iterator[Fault]:
    """Grounds vary: within a class no ground is said twice."""
    seen: Counter[tuple[str, str]] = Counter()
    for item in items:
        if item.figure is None or item.figure.ground is None:
            continue
        key = (item.cluster.get("vehicle", ""), " ".join(sorted(map(stem, words(item.figure.ground)))))
        seen[key] += 1
        if seen[key] > 1:
            yield Fault("figures.0.ground", item.figure.ground, f"is said twice of {key[0]!r}", item.id)


_CELLS = {f"{name}/{template}": 1 for name in CLASSES for template in templates.TEMPLATES}

RULES: tuple[Rule, ...] = (
    *balance.core("simile-"),
    each("id", "ids are made of class and template", _ids),
    *STRICT[:1],
    SENTENCES,
    *spans.STRICT,
    *templates.RULES,
    each("pronoun", "no pronouns in text and twins", _pronouns),
    each("concrete", "no feelings or abstractions", _concrete),
    each("subject-kind", "the subject is never the vehicle or its like", _subject),
    each("scene-flag", "every item says whether the class may be in the scene", _scene),
    *twins.SIMILE,
    balance.no_more_than("subject-limit", f"no subject more than {_SUBJECTS} times", _subject_key, _SUBJECTS),
    balance.no_more_than("opening", "no opening of four words in more than 2 sentences", _opening, 2),
    Rule("frame", f"no two sentences share a frame (cosine of masked texts below {_FRAME})", _frames),
    Rule("ground-varies", "no ground is said twice of a class", _grounds),
    balance.counted(
        "balance", "every class has every template once",
        lambda i: f"{i.cluster.get('vehicle')}/{i.cluster.get('template')}", _CELLS,
    ),
    balance.halves(lambda i: i.cluster.get("vehicle", ""), "class"),
)  # fmt: skip
