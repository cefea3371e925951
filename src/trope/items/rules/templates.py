"""The fourteen English templates: what marks each, and how many vehicles it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from trope.data.coco import CLASSES, inflections
from trope.items.rules.base import Fault, Rule, each, span_text
from trope.items.words import words
from trope.nouns import Item


class Template(NamedTuple):
    """What the marker must be, and whether one or several vehicles follow."""

    marker: re.Pattern[str]
    plural: bool


_MARKERS = {
    "like": ("like", "like"),
    "just_like": ("just like", "just like"),
    "looks_like": ("looks like", None),
    "look_like": (None, "look like"),
    "exactly_like": ("exactly like", "exactly like"),
    "as_as": (r"as [a-z-]+(?: [a-z-]+)? as", r"as [a-z-]+(?: [a-z-]+)? as"),
    "as_if": ("as if", "as if"),
    "as_though": ("as though", "as though"),
}
TEMPLATES: dict[str, Template] = {
    f"{name}-{number}": Template(re.compile(pattern, re.IGNORECASE), number == "p")
    for name, patterns in _MARKERS.items()
    for number, pattern in zip("sp", patterns, strict=True)
    if pattern is not None
}
ANY_MARKER = re.compile(
    r"\b(?:just like|exactly like|looks? like|like|as if|as though|as [a-z-]+(?: [a-z-]+)? as)\b", re.IGNORECASE
)
_BETWEEN = 4  # words between marker and vehicle: a determiner and up to three that describe
# letters that deceive: "a unicorn", "a one-eyed", "an hour"
_CONSONANT = re.compile(r"(?:uni(?!n)|us[ei]|eu|ewe|u[kt]i|one\b|once)", re.IGNORECASE)
_VOWEL = re.compile(r"(?:hour|honest|heir|honor)", re.IGNORECASE)


@cache
def class_words(name: str) -> re.Pattern[str]:
    """Every word for one or more of a class, and the noun alone where the class is a compound."""
    one, many = inflections(name)
    found = set(one | many)
    if name in ("skis", "scissors", "broccoli"):
        found.add(name)
    if name == "sports ball":
        found |= {"ball", "balls"}
    longest = sorted(map(re.escape, found), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest)})(?![\w-])", re.IGNORECASE)


def _conforms(item: Item) -> Iterator[Fault]:
    name = item.cluster.get("template", "")
    template, figure = TEMPLATES.get(name), item.figure
    if template is None:
        yield Fault("cluster.template", name, f"is none of the templates: {', '.join(TEMPLATES)}")
        return
    if figure is None or figure.spans.marker is None or figure.spans.vehicle is None:
        yield Fault("figures", "", "a simile has a figure with spans of marker and vehicle")
        return
    marker = span_text(item, figure.spans.marker)
    if not template.marker.fullmatch(marker):
        yield Fault("figures.0.spans.marker", marker, f"does not conform to template {name}")
    yield from _number(item, template.plural)
    between = item.text[figure.spans.marker[1] : figure.spans.vehicle[0]].split()
    vehicle = span_text(item, figure.spans.vehicle)
    if len(between) > _BETWEEN:
        yield Fault(
            "text", " ".join(between), f"{len(between)} words stand between marker and vehicle, limit {_BETWEEN}"
        )
    first = between[0].lower() if between else ""
    if template.plural and first in ("a", "an"):
        yield Fault("text", " ".join([*between, vehicle]), "a plural has no singular article")
    if not template.plural:
        if first not in ("a", "an"):
            yield Fault("text", " ".join([*between, vehicle]), "one vehicle is introduced by a or an")
        elif article(" ".join([*between[1:], vehicle])) != first:
            yield Fault("text", " ".join([*between, vehicle]), f"{first!r} should be the other article")


def _number(item: Item, plural: bool) -> Iterator[Fault]:
    assert item.figure is not None
    name = item.figure.vehicle_class
    if name not in CLASSES:
        yield Fault("figures.0.vehicle_class", str(name), "is no COCO class, so the vehicle's forms are unknown")
        return
    one, many = inflections(name)
    vehicle = item.figure.vehicle
    if not any(_is(vehicle, form) for form in (many if plural else one)):
        wrong = any(_is(vehicle, form) for form in (one if plural else many))
        expected = " or ".join(sorted(many if plural else one))
        why = f"is {'singular' if plural else 'plural'}" if wrong else f"is no word for {name}"
        yield Fault("figures.0.vehicle", vehicle, f"{why}; template {item.cluster['template']} has {expected}")


def _is(vehicle: str, form: str) -> bool:
    said = vehicle.lower()
    return said == form or said.endswith(" " + form)


def article(phrase: str) -> str:
    """``a`` or ``an``, as the sound of the first letters asks."""
    word = phrase.strip().lower()
    if _CONSONANT.match(word):
        return "a"
    if _VOWEL.match(word) or word[:1] in "aeiou":
        return "an"
    return "a"


def _once(item: Item) -> Iterator[Fault]:
    found = [match.group() for match in ANY_MARKER.finditer(item.text)]
    if len(found) != 1:
        yield Fault("text", item.text, f"holds {len(found)} markers ({', '.join(found)}), expected 1")


def _after(item: Item) -> Iterator[Fault]:
    figure = item.figure
    if figure is None or figure.spans.marker is None or figure.vehicle_class not in CLASSES:
        return
    found = list(class_words(figure.vehicle_class).finditer(item.text))
    for match in found:
        if match.start() < figure.spans.marker[1]:
            yield Fault("text", match.group(), "names the vehicle before the marker")
    if len(found) > 1:
        yield Fault("text", item.text, f"names the vehicle {len(found)} times, expected once")


def _limit(item: Item) -> Iterator[Fault]:
    count = len(words(item.text))
    if not 5 <= count <= 20:
        yield Fault("text", item.text, f"has {count} words, expected 5 to 20")


RULES: tuple[Rule, ...] = (
    each("template", "marker, number, form and article of the vehicle conform to the template", _conforms),
    each("one-marker", "a simile has one marker", _once),
    each("vehicle-after-marker", "the vehicle is named once, after the marker", _after),
    each("word-limit", "a simile has 5 to 20 words", _limit),
)
