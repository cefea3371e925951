"""Rules of `passages`: short prose with none to four figures, some vehicles real in the story."""

from __future__ import annotations

from collections.abc import Iterator

from trope.items.rules import balance, spans
from trope.items.rules.base import Fault, Rule, each
from trope.items.rules.scripts import STRICT
from trope.items.words import words
from trope.nouns import Item

# 60 to 150 English words; the same matter takes fewer Arabic words, and in Chinese and Japanese characters
_WORDS = {"en": (60, 150), "ar": (60, 150)}
_CHARACTERS = {"zh": (100, 260), "ja": (120, 320)}


def _length(item: Item) -> Iterator[Fault]:
    low, high = _WORDS.get(item.lang) or _CHARACTERS[item.lang]
    count = len(words(item.text)) if item.lang in _WORDS else len(item.text)
    if not low <= count <= high:
        unit = "words" if item.lang in _WORDS else "characters"
        yield Fault("text", item.text, f"has {count} {unit}, expected {low} to {high}")


def _figures(item: Item) -> Iterator[Fault]:
    if len(item.figures) > 4:
        yield Fault("figures", str(len(item.figures)), "a passage has at most four figures")
    if item.labels.get("figures") != str(len(item.figures)):
        yield Fault("labels.figures", item.labels.get("figures", ""), f"there are {len(item.figures)} figures")
    for n, figure in enumerate(item.figures):
        for name in ("tenor", "ground", "form", "mechanism"):
            if not getattr(figure, name):
                yield Fault(f"figures.{n}.{name}", "", "is missing")
    starts = [figure.spans.vehicle[0] for figure in item.figures if figure.spans.vehicle is not None]
    if starts != sorted(starts):
        yield Fault("figures", ", ".join(map(str, starts)), "figures stand in the order of their vehicles")


def _labels(item: Item) -> Iterator[Fault]:
    if not item.labels.get("genre"):
        yield Fault("labels.genre", "", "is missing")
    if item.labels.get("real_vehicle") not in ("yes", "no"):
        yield Fault("labels.real_vehicle", item.labels.get("real_vehicle", ""), "expected yes or no")
    if item.labels.get("real_vehicle") == "yes" and not item.context:
        yield Fault("context", "", "a passage in which such a thing is real says so in its context")
    if item.lang != "en" and not item.gloss:
        yield Fault("gloss", "", "passages in other languages have an English gloss")


RULES: tuple[Rule, ...] = (
    *balance.core("passage-"),
    *STRICT,
    *spans.STRICT,
    each("length", "60 to 150 words, or as many characters as say the same", _length),
    each("figures", "none to four figures with all labels, in order, and counted", _figures),
    each("labels", "genre, whether a vehicle-like thing is real, context where it is, gloss", _labels),
    balance.counted(
        "balance", "24 English passages and 12 in each other language",
        lambda i: i.lang, {"en": 24, "zh": 12, "ja": 12, "ar": 12},
    ),
    balance.halves(lambda i: i.lang, "language"),
)  # fmt: skip
