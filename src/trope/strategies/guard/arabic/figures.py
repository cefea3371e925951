"""Arabic figures: every comparison is one unless a named reason says that it is literal or wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trope.strategies.guard.arabic.agreement import known_noun
from trope.strategies.guard.arabic.candidates import Candidate
from trope.strategies.guard.arabic.carried import Said, carried
from trope.strategies.guard.arabic.marker import VERBS, Marker
from trope.strategies.guard.arabic.markers import markers
from trope.strategies.guard.arabic.nouns import is_feminine
from trope.strategies.guard.arabic.phrases import extent, vehicle
from trope.strategies.guard.arabic.reasons import reason
from trope.strategies.guard.arabic.rewrites import rewritten
from trope.strategies.guard.arabic.tenors import tenor
from trope.strategies.guard.arabic.words import Word, bare, listed, plain, words_of
from trope.strategies.guard.plan import PlannedFigure, stretches

# `مطبوع عليه: حر كالطير`: words to be rendered
_WRITTEN = re.compile(
    r"(?:مكتوب|مطبوع|كُتب|كتب على|(?<![ء-ي])(?:ال)?نص|عنوان|عبارة|جملة|كلمة|كلمات|كتابة|شعار|منقوش)[^.،؛:\n]{0,16}:\s*$"
)
# `لافتة تقول كن كالجبل`: so too
_SIGN_SAYS = re.compile(r"(?:لافتة|ملصق|لوحة|قميص|بطاقة|راية)[^.،؛:\n]{0,30} (?:تقول|يقول|نصها|نصه) ")
_SENTENCE = re.compile(r"[^.!?؟;؛:\n«»\"]+")
_CONFIDENCE = {"kaf": 0.9, "like": 0.85, "as if": 0.85, "resembles": 0.8, "as it does": 0.75}


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an Arabic text, in order."""
    design: bool | None = None
    for sentence in stretches(_SENTENCE, text):
        if _WRITTEN.search(text, max(0, sentence[0] - 40), sentence[0]):
            continue
        line = words_of(text, *sentence)
        found = markers(line)
        if not found:
            continue
        if design is None:
            opening = words_of(text, 0, min(len(text), 200))[:5]
            design = any(word.plain.removeprefix("ل") in listed("designs") for word in opening)
        stops = frozenset(marker.at for marker in found)
        says = _SIGN_SAYS.search(text, *sentence)
        if says is not None:
            found = [marker for marker in found if marker.span[0] < says.end()]
        done = 0
        for marker in found:
            if line[marker.at].start < done:
                continue
            free = next((n for n, word in enumerate(line) if word.start >= done), 0) if done else 0
            figure = _figure(text, line, marker, stops, free=free, design=design)
            if figure is not None:
                yield figure
                done = max(figure.vehicle[1], figure.whole[1])


def _figure(
    text: str, line: Sequence[Word], marker: Marker, stops: frozenset[int], *, free: int, design: bool
) -> PlannedFigure | None:
    found = vehicle(line, marker.noun, marker.letter)
    if found is None or found[0][0] >= found[0][1]:
        return None
    span, last = found
    noun = plain(text[slice(*span)])
    head = marker.noun if line[marker.noun].start <= span[0] < line[marker.noun].end else last
    why = reason(Candidate(line, marker, last, noun, design))
    likened = tenor(line, marker, free, stops)
    visible = carried(line, marker, last, bare(text[slice(*span)]), likened)
    confidence = _CONFIDENCE.get(marker.kind, 0.7)
    of_whom = None if likened is None else likened.span(line)
    start = line[marker.noun].place(marker.letter)
    if why is not None:
        phrase = (min(start, span[0]), max(span[1], line[last].end))
        whole = (min(marker.span[0], phrase[0]), phrase[1])
        return PlannedFigure(
            marker=marker.span, vehicle=span, phrase=phrase, whole=whole, replacement=None, qualities=visible,
            seen=True, why=why, tenor=of_whom, confidence=confidence,
        )  # fmt: skip
    end, sure = extent(
        line,
        head,
        last,
        marker.letter if head == marker.noun else 0,
        stops,
        clause=marker.clause or marker.kind in ("resembles", "taken for", "done as"),
        verbal=marker.kind in VERBS,
        at=marker.at,
        feminine_tenor=None
        if likened is None or known_noun(line[likened.head], likened.letter) is None
        else is_feminine(line, likened.head, likened.letter),
    )
    phrase = (min(start, span[0]), line[end].end)
    whole, replacement = rewritten(text, line, marker, end, Said(likened, visible, free), sure=sure)
    return PlannedFigure(
        marker=marker.span, vehicle=span, phrase=phrase, whole=whole, replacement=replacement, qualities=visible,
        tenor=of_whom, confidence=confidence,
    )  # fmt: skip
