"""Rules of `literal`: prompts that look figurative and are not, or where both things are meant to be seen."""

from __future__ import annotations

from collections.abc import Iterator

from trope.items.rules import balance, spans
from trope.items.rules.base import Fault, Rule, each
from trope.items.rules.scripts import STRICT
from trope.items.words import words
from trope.nouns import Item

WHY = {
    "literal_marker": "a word that can mark a comparison does other work",
    "figure_like_phrase": "a phrase that can be a figure is meant as it stands",
    "both_meant": "a design request: both things are to be seen",
    "pun": "a deliberate pun: both things are to be seen",
}
_SEEN = ("both_meant", "pun")
_MOST_WORDS = {"en": 30, "ar": 24}
_MOST_CHARACTERS = {"zh": 60, "ja": 60}


def _kind(item: Item) -> Iterator[Fault]:
    kind = item.labels.get("kind", "")
    if kind not in WHY:
        yield Fault("labels.kind", kind, f"expected one of {', '.join(WHY)}")
    if kind == "literal_marker" and not spans.MARKERS[item.lang].search(item.text):
        yield Fault("text", item.text, f"holds no word that can mark a comparison in {item.lang}")
    for n, figure in enumerate(item.figures):
        if figure.form is not None or figure.mechanism is not None:
            yield Fault(f"figures.{n}.form", f"{figure.form}/{figure.mechanism}", "a literal control has no form")
        seen = figure.presence
        if seen.vehicle != "depicted" or seen.tenor not in ("depicted", *(["implied"] if kind == "pun" else [])):
            why = "both are meant to be seen (the tenor of a pun may be implied)"
            yield Fault(f"figures.{n}.presence", f"{seen.tenor}/{seen.vehicle}", why)
    if kind in _SEEN and not item.figures:
        yield Fault("figures", "", f"a {kind} item names the two things that are to be seen")
    if kind in WHY and kind not in _SEEN and item.figures:
        yield Fault("figures", item.figures[0].vehicle, f"a {kind} item has no figure")


def _reason(item: Item) -> Iterator[Fault]:
    if len(words(item.reason or "")) < 4:
        yield Fault("reason", str(item.reason), "says in a sentence why nothing is figurative, or both are meant")
    if item.lang != "en" and not item.gloss:
        yield Fault("gloss", "", "items in other languages have an English gloss")


def _length(item: Item) -> Iterator[Fault]:
    if item.lang in _MOST_WORDS and not 5 <= len(words(item.text)) <= _MOST_WORDS[item.lang]:
        yield Fault("text", item.text, f"has {len(words(item.text))} words, expected 5 to {_MOST_WORDS[item.lang]}")
    if item.lang in _MOST_CHARACTERS and not 10 <= len(item.text) <= _MOST_CHARACTERS[item.lang]:
        yield Fault("text", item.text, f"has {len(item.text)} characters, expected 10 to {_MOST_CHARACTERS[item.lang]}")


RULES: tuple[Rule, ...] = (
    *balance.core("literal-"),
    *STRICT,
    *spans.STRICT,
    each("kind", "one of four kinds; figures, presence and marker fit it", _kind),
    each("reason", "says why, and has a gloss if it is not English", _reason),
    each("length", "a prompt as users write them, not a paragraph", _length),
    balance.counted(
        "balance", "80 English prompts and 40 in each other language",
        lambda i: i.lang, {"en": 80, "zh": 40, "ja": 40, "ar": 40},
    ),
    balance.halves(lambda i: f"{i.lang}/{i.labels.get('kind')}", "language and kind"),
)  # fmt: skip
