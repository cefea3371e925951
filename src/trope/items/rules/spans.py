"""Common: spans lie in the text and cover what they say. Strict: which figures have which, and in what order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from trope.items.rules.base import Fault, Rule, each, span_text
from trope.items.words import content
from trope.nouns import Figure, Item

# What can mark a comparison; a word of the list may also do other work (see the literal controls)
MARKERS = {
    "en": re.compile(
        r"\b(?:just like|exactly like|much like|looks? like|like|as if|as though|as [\w'-]+(?: [\w'-]+)? as|the way"
        r"|resembl\w+|no different from|similar to|unlike|as)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("像|想象|如|似|仿佛|好比|宛|犹|一样|一般|般|酷肖|活脱"),
    "ja": re.compile(
        "よう|みたい|ごと[くき]|さなが|まるで|あたかも|めい|そっくり|思わせ|似|然と|顔負け|見まが|らし|ふう|風"
    ),
    "ar": re.compile("ك|مثل|كأن|كما|يشبه|تشبه|أشبه|شبه|شبي|على هيئة|على شكل|يحاك|تحاك|حاك"),
}

_PRONOUNS = frozenset("i you he she it we they this that 我 你 他 她 它 我们 他们 她们 彼 彼女 皆 هو هي هم".split())


def _bounds(item: Item) -> Iterator[Fault]:
    for n, figure in enumerate(item.figures):
        for name in ("tenor", "vehicle", "marker"):
            span = getattr(figure.spans, name)
            if span is not None and not span[0] < span[1] <= len(item.text):
                yield Fault(
                    f"figures.{n}.spans.{name}", f"[{span[0]}, {span[1]})",
                    f"is not inside the text (0 to {len(item.text)} code points)",
                )  # fmt: skip


def _covered(item: Item) -> Iterator[Fault]:
    for n, figure in enumerate(item.figures):
        for name in ("tenor", "vehicle"):
            found, said = span_text(item, getattr(figure.spans, name)), getattr(figure, name)
            inside = name == "vehicle" and "vehicle_inside" in item.labels  # a verb that holds it: the label says so
            if found and said and not inside and not _same(found, said, item.lang, loose=name == "tenor"):
                yield Fault(f"figures.{n}.spans.{name}", found, f"is covered, but {name} is {said!r}")
            if found != found.strip():
                yield Fault(f"figures.{n}.spans.{name}", found, "a span begins and ends at its words")


def _same(found: str, said: str, lang: str, *, loose: bool) -> bool:
    """One holds the other; Arabic may inflect inside the word (`ثلج` in `أثلج`, `خف` in `خفي`).

    A tenor (``loose``) may be a pronoun whose meaning the field says, or a phrase that shares a word.
    """
    a, b = (unicodedata.normalize("NFKC", text).casefold() for text in (found, said))
    if a in b or b in a:
        return True
    if loose and (a in _PRONOUNS or (lang in ("zh", "ja") and set(a) & set(b)) or content(a, lang) & content(b, lang)):
        return True
    if lang != "ar":
        return False
    roots = [re.sub(r"[\u064b-\u0652اويىأإآةته]", "", text) for text in (a, b)]
    return any(word and word in roots[1] for word in roots[0].split()) or roots[1] in roots[0]


def _marker(item: Item) -> Iterator[Fault]:
    for n, figure in enumerate(item.figures):
        marker = span_text(item, figure.spans.marker)
        if figure.form == "simile" and figure.spans.vehicle and not marker:
            yield Fault(f"figures.{n}.spans.marker", "", "a simile has a marker")
        if marker and figure.form not in (None, "simile", "idiom"):  # 如坐针毡 is an idiom and has one
            yield Fault(f"figures.{n}.spans.marker", marker, f"a {figure.form} has no marker")
        if marker and not MARKERS[item.lang].search(marker):
            yield Fault(f"figures.{n}.spans.marker", marker, f"is no marker of comparison of {item.lang}")


def _present(item: Item) -> Iterator[Fault]:
    for n, figure in enumerate(item.figures):
        spans = figure.spans
        if spans.vehicle is None:
            yield Fault(f"figures.{n}.spans.vehicle", figure.vehicle, "the vehicle has no span")
        if figure.form == "substitutive_metaphor" and spans.tenor is not None:
            found = span_text(item, spans.tenor)
            yield Fault(f"figures.{n}.spans.tenor", found, "the tenor of a substitutive metaphor is not named")
        if figure.form in ("simile", "metaphor") and spans.tenor is None and _said(item, figure):
            yield Fault(f"figures.{n}.spans.tenor", str(figure.tenor), f"a {figure.form} names its tenor")


def _said(item: Item, figure: Figure) -> bool:
    """Whether the tenor stands in the text; Arabic, Chinese and Japanese may leave it to the verb."""
    return item.lang == "en" or bool(content(figure.tenor or "", item.lang) & content(item.text, item.lang))


def _apart(item: Item) -> Iterator[Fault]:
    taken: list[tuple[int, int, str]] = []
    for n, figure in enumerate(item.figures):
        for name, (start, end) in _spans(figure):
            for other_start, other_end, other in taken:
                if start < other_end and other_start < end:
                    yield Fault(
                        f"figures.{n}.spans.{name}", item.text[start:end],
                        f"overlaps {other} ({item.text[other_start:other_end]!r})",
                    )  # fmt: skip
            taken.append((start, end, f"figures.{n}.spans.{name}"))


def _spans(figure: Figure) -> Iterator[tuple[str, tuple[int, int]]]:
    for name in ("tenor", "vehicle", "marker"):
        span = getattr(figure.spans, name)
        if span is not None:
            yield name, span


RULES: tuple[Rule, ...] = (
    each("span-bounds", "a span lies inside the text", _bounds),
    each("span-words", "a span covers the words it stands for", _covered),
    each("span-marker", "similes have a marker, metaphors none; it can mark a comparison", _marker),
)
STRICT: tuple[Rule, ...] = (
    each("span-present", "vehicles have spans; tenors have them where they are named", _present),
    each("span-overlap", "spans do not overlap", _apart),
)
