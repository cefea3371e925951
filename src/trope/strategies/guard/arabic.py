"""Arabic figures: `كالجدار`, `مثل بوصلة`, `كأنه طوق نجاة`, `أشبه بقطيع`, `يشبه لوحًا`; no examples, no roles, no kin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trope.strategies.guard.arabic_words import Word, bare, could_be_thing, end_of, is_adjective, is_noun, is_verb, likened, vehicle_at, words_of
from trope.strategies.guard.lexicon import qualities, words
from trope.strategies.guard.plan import PlannedFigure, Span

_WHY = "an explicit simile: the vehicle only says what something is like"
_DESIGN = "a design request: both things are meant to be seen"
_LISTED = "asked for as a thing of this look; a list of things to draw, not a story"
_SENTENCE = re.compile(r"[^.!?؟;؛:\n«»\"]+")
_HINT = re.compile(r"حسب|خال|ظن|ك|مثل|شبيه|يشبه|تشبه|أشبه|اشبه|شكل|هيئة")
_AS_IF = re.compile(r"^[وف]?كأن(?:ما|ه|ها|هم|هن|هما|ي|ني|نا|ك)?$")
_TAKEN_FOR = re.compile(r"^(?:ت|ي|أ|ن)(?:حسب|خال|ظن)(?:ه|ها|هم)$")
_RESEMBLES = re.compile(r"^[وف]?(?:يشبه|تشبه|يشبهون|تشبهان|يشبهان|شابه|شابهت|أشبه|أشبهت)$")
_SHAPE = ("شكل", "هيئة", "صورة", "هيأة")


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an Arabic text, in order."""
    design: bool | None = None
    for sentence in _SENTENCE.finditer(text):
        if not _HINT.search(text, *sentence.span()):
            continue
        line = words_of(text, *sentence.span())
        if design is None:
            design = any(word.bare.removeprefix("ل") in words("ar", "designs") for word in words_of(text, 0, min(len(text), 400)))
        done = 0
        for at, word in enumerate(line):
            if word.start < done:
                continue
            figure = _at(text, line, at, design=design)
            if figure is not None:
                yield figure
                done = figure.whole[1]


def _at(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    word = line[at].bare
    if word == "على" and at + 2 < len(line) and line[at + 1].bare in _SHAPE:
        found = vehicle_at(text, line, at + 2, 0)
        span = None if found is None else found[0]
        return None if span is None else PlannedFigure((line[at].start, line[at + 1].end), span, span, (line[at].start, span[1]), None, (), True, _DESIGN, None, 0.9)
    if word in ("مثل", "كمثل", "ومثل") and at + 1 < len(line):
        return _like(text, line, at, design=design)
    if _AS_IF.match(word) and at + 1 < len(line):
        return _as_if(text, line, at, design=design)
    if word in ("أشبه", "اشبه", "شبيه", "شبيها", "شبيهة", "أشبهها") and at + 1 < len(line):
        follows = at + 3 if line[at + 1].bare == "ما" else at + 1
        if follows < len(line) and line[follows].bare.startswith("ب") and len(line[follows].bare) > 3:
            marker = (line[at].start, line[follows].start + 1)
            return _made(text, line, at, marker, follows, 1, "predicate", design=design, confidence=0.9)
    if _RESEMBLES.match(word) and at + 1 < len(line) and at > 0:
        return _resembles(text, line, at, design=design)
    if _TAKEN_FOR.match(word) and at > 0 and at + 1 < len(line) and is_noun(line[at + 1].bare):
        return _made(text, line, at, (line[at].start, line[at].end), at + 1, 0, "predicate", design=design, confidence=0.8)
    before = line[at - 1] if at > 0 else None
    ending = "" if before is None or not is_adjective(before) else "ة" if before.bare.endswith("ة") else "ا"
    prefix = likened(line[at].text, ending)
    if prefix is not None:
        return _kaf(text, line, at, prefix, design=design)
    return None


def _told(line: Sequence[Word], at: int) -> bool:
    """Whether this tells something: it begins with a known thing, or a verb stands before the marker."""
    first = line[0].bare.removeprefix("و")
    if first in words("ar", "orders"):
        return False
    if at == 0 or first.startswith("ال") or line[0].bare in words("ar", "linking") or (is_verb(line[0].bare) and not is_noun(first)):
        return True
    owned = first.endswith(("ها", "هم", "هما", "ه")) and not is_noun(first)
    return owned or any(_surely_verb(word) for word in line[1:at])


def _surely_verb(word: Word) -> bool:
    """A verb form that is no noun as well: a linking verb, or one with an ending or a beginning of its own."""
    form = word.bare
    listed = form in words("ar", "past") and form not in words("ar", "homographs")
    return listed or form in words("ar", "linking") or (is_verb(form) and (form.endswith(("ت", "وا")) or form[0] in "يت") and not is_noun(form))


def _examples(line: Sequence[Word], at: int, following: int) -> bool:
    """``حيوانات مثل الماعز والدجاج``: the noun before is a kind, a list comes after."""
    if at == 0:
        return True
    kinds = {word.bare for word in line[max(0, at - 2) : at]}
    if kinds & words("ar", "generic"):
        return True
    before = line[at - 1]
    listed = following < len(line) and line[following].bare.startswith("وال")
    return listed and not before.bare.startswith("ال") and not is_verb(before.bare) and not before.text.endswith(("ًا", "اً"))


def _like(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    found = vehicle_at(text, line, at + 1, 0)
    if found is None or _examples(line, at, at + 2):
        return None
    follows = line[at + 1].bare
    if follows.endswith(("ه", "ها", "هم", "هما", "هن")) and not is_noun(follows):  # kin: `مثل أمها`
        return None
    seen = None if _told(line, at) else _DESIGN
    if seen is None and line[at + 1].bare.removeprefix("ال") in words("ar", "no_vehicle"):
        return None
    how = _how(line, at)
    return _made(text, line, at, (line[at].start, line[at].end), at + 1, 0, how, design=design, confidence=0.85, seen=seen)


def _as_if(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    follows = at + 1
    word = line[follows].bare
    if is_verb(word) and not is_noun(word) and not word.startswith("ال"):
        return None  # `كأنه ينتظر أحدًا`: what somebody seems to do
    if word.startswith("ال") or word.endswith(("ها", "هم", "هما")) or (word.endswith("ه") and not is_noun(word)):
        follows += 1  # `كأن الطريق نهر`: the second one is the likeness
        if follows >= len(line) or not line[follows].joined or not is_noun(line[follows].bare) or line[follows].bare.startswith("ال"):
            return None
    if vehicle_at(text, line, follows, 0) is None or not could_be_thing(line[follows].bare):
        return None
    start = line[at].start + (1 if line[at].text[0] in "وف" else 0)
    how = _how(line, at) if line[at].text[0] not in "وف" else "adjunct"
    return _made(text, line, at, (start, start + 3), follows, 0, how, design=design, confidence=0.85, clause=True)


def _resembles(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    word = line[at + 1].bare
    if word.removeprefix("ال") in words("ar", "no_vehicle") or word.endswith(("ه", "ها", "هم", "هما", "ي", "ك", "نا")):
        return None
    first = line[0].bare.removeprefix("و")
    told = first.startswith("ال") or first in words("ar", "linking") or is_verb(line[0].bare) and not is_noun(first)
    return _made(
        text, line, at, (line[at].start, line[at].end), at + 1, 0, "predicate", design=design, confidence=0.8, seen=None if told else _DESIGN
    )  # fmt: skip


def _kaf(text: str, line: Sequence[Word], at: int, prefix: int, *, design: bool) -> PlannedFigure | None:
    if at == 0 and not any(_surely_verb(word) for word in line[1:]):
        return None
    if any(word.bare in words("ar", "roles") for word in line[max(0, at - 4) : at]) or _examples(line, at, at + 1):
        return None
    start = line[at].start + prefix
    seen = None if _told(line, at) or (at > 0 and is_adjective(line[at - 1])) else _LISTED
    return _made(text, line, at, (start, start + 1), at, prefix + 1, _how(line, at), design=design, confidence=0.9, seen=seen)


def _how(line: Sequence[Word], at: int) -> str:
    """`adjunct` where the sentence stands without the comparison, else `predicate`."""
    if at > 0 and is_adjective(line[at - 1]):
        return "adjunct"
    linking = any(word.bare in words("ar", "linking") for word in line[:at])
    verb = any(is_verb(word.bare) and word.bare not in words("ar", "linking") for word in line[:at])
    return "adjunct" if verb and not linking else "predicate"


def _made(
    text: str, line: Sequence[Word], at: int, marker: Span, follows: int, prefix: int, how: str, *, design: bool, confidence: float,
    seen: str | None = None, clause: bool = False,
) -> PlannedFigure | None:  # fmt: skip
    found = vehicle_at(text, line, follows, prefix)
    if found is None:
        return None
    vehicle, last = found
    if bare(text[slice(*vehicle)]) in words("ar", "no_vehicle"):
        return None
    end, sure = end_of(line, follows, last, prefix, clause=clause)
    stop = line[end].end
    begin = line[at - 1].end if at > 0 and marker[0] == line[at].start else marker[0]
    if at > 0 and text[begin : begin + 1] == "،":
        begin += 1
    seen = _DESIGN if design else seen
    replacement = "" if sure and how == "adjunct" and seen is None else None
    phrase = (line[follows].start + (prefix if follows == at or prefix else 0), stop)
    noun = bare(text[slice(*vehicle)])
    return PlannedFigure(
        marker, vehicle, phrase, (begin, stop), replacement, qualities("ar").get(noun, ()), seen is not None, seen or _WHY,
        _tenor(line, at), confidence,
    )  # fmt: skip


def _tenor(line: Sequence[Word], at: int) -> Span | None:
    """The first known thing before the marker: the subject, in both orders of words."""
    for word in line[:at]:
        if word.bare.startswith("ال") and len(word.bare) > 3:
            return (word.start, word.end)
    return None
