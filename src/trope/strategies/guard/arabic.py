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
_HINT = re.compile(r"يضاه|تضاه|يحاك|تحاك|ماثل|حسب|خال|ظن|خلت|ك|مثل|شبيه|يشبه|تشبه|أشبه|اشبه|شكل|هيئة")
_AS_IF = re.compile(r"^[ول]?[ف]?كأن(?:ما|ه|ها|هم|هن|هما|ي|ني|نا|ك)?$")
_AS_IF_BE = re.compile(r"^(?:أن(?:ه|ها|هم|هن|هما)?|كان|كانت|كانوا)$")
_TAKEN_FOR = re.compile(r"^(?:(?:ت|ي|أ|ن)(?:حسب|خال|ظن)|حسبت|ظننت|خلت)(?:ه|ها|هم)$")
_RESEMBLES = re.compile(r"^[وف]?(?:يضاهي|تضاهي|يحاكي|تحاكي|يماثل|تماثل|يشبه|تشبه|يشبهون|تشبهان|يشبهان|شابه|شابهت|أشبه|أشبهت)$")
_SHAPE = ("شكل", "هيئة", "صورة", "هيأة")


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an Arabic text, in order."""
    design: bool | None = None
    for sentence in _SENTENCE.finditer(text):
        if not _HINT.search(text, *sentence.span()):
            continue
        line = words_of(text, *sentence.span())
        if design is None:
            design = any(word.bare.removeprefix("ل") in words("ar", "designs") for word in words_of(text, 0, min(len(text), 200))[:5])
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
    if word in ("كأن", "وكأن") and [w.bare for w in line[at + 1 : at + 4]] in (["على", "رؤوسهم", "الطير"], ["على", "رءوسهم", "الطير"]):
        return _made(text, line, at, (line[at].start, line[at].end), at + 3, 0, "adjunct", design=design, confidence=0.9)
    if _AS_IF.match(word) and at + 1 < len(line):
        return _as_if(text, line, at, design=design)
    if word in ("أشبه", "اشبه", "شبيه", "شبيها", "شبيهة", "أشبهها") and at + 1 < len(line):
        follows = at + 3 if line[at + 1].bare == "ما" else at + 1
        if follows < len(line) and line[follows].bare.startswith("ب") and len(line[follows].bare) > 3:
            marker = (line[at].start, line[follows].start + 1)
            return _made(text, line, at, marker, follows, 1, "predicate", design=design, confidence=0.9)
    if _RESEMBLES.match(word) and at + 1 < len(line):
        verb_first = at == 0 or not line[at].joined or line[at].bare[0] == "و"
        return (_resembles_first if verb_first else _resembles)(text, line, at, design=design)
    if word in ("كما", "وكما") and at + 3 < len(line) and line[at + 1].bare == "لو" and _AS_IF_BE.match(line[at + 2].bare):
        return _as_if(text, line, at, design=design, skipped=2)
    if word in ("كما", "مثلما", "وكما") and 0 < at < len(line) - 2:
        return _as_it_does(text, line, at, design=design)
    if word in ("كمن", "كالذي", "كالتي") and 0 < at < len(line) - 2 and is_verb(line[at + 1].bare) and _told(line, at):
        follows = _done_to(line, at + 1, posed=False)
        start = line[at].start
        return None if follows < 0 else _made(text, line, at, (start, line[at].end), follows, 0, _how(line, at), design=design, confidence=0.7, clause=True)
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
    opens = len(line) > 1 and line[1].bare.startswith("ال") and not is_noun(first) and not first.endswith(("ة", "ات"))
    if at == 0 or opens or first.startswith("ال") or line[0].bare in words("ar", "linking") or (is_verb(line[0].bare) and not is_noun(first)):
        return True
    if first in words("ar", "scenes"):
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
    kinds = {word.bare.removeprefix("ال") for word in line[max(0, at - 2) : at]}
    if kinds & words("ar", "generic"):
        return True
    before = line[at - 1]
    listed = following < len(line) and line[following].bare.startswith("وال")
    first = line[following - 1].bare.removeprefix("و").removeprefix("ك").removeprefix("ال")
    if listed and line[at].bare[0] in "كو" and first not in words("ar", "pairs"):
        return True
    return listed and first not in words("ar", "pairs") and not before.bare.startswith("ال") and not is_verb(before.bare) and not before.text.endswith(("ًا", "اً"))


def _like(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    found = vehicle_at(text, line, at + 1, 0)
    if found is None or _examples(line, at, at + 2) or not (line[at].joined or (is_noun(line[at + 1].bare) and not line[at + 1].bare.startswith("ال"))):
        return None
    follows = line[at + 1].bare
    if follows.endswith(("ه", "ها", "هم", "هما", "هن")) and not is_noun(follows):  # kin: `مثل أمها`
        return None
    seen = None if _told(line, at) else _DESIGN
    if seen is None and line[at + 1].bare.removeprefix("ال") in words("ar", "no_vehicle"):
        return None
    how = _how(line, at)
    return _made(text, line, at, (line[at].start, line[at].end), at + 1, 0, how, design=design, confidence=0.85, seen=seen)


def _as_if(text: str, line: Sequence[Word], at: int, *, design: bool, skipped: int = 0) -> PlannedFigure | None:
    follows = at + 1 + skipped
    word = line[follows].bare
    if is_verb(word) and not is_noun(word) and not word.startswith("ال"):
        follows = _done_to(line, follows)  # not `كأنه ينتظر أحدًا`: what somebody seems to do
        if follows < 0:
            return None
    if word.startswith("ال") or word.endswith(("ها", "هم", "هما")) or (word.endswith("ه") and not is_noun(word)):
        follows += 1  # `كأن الطريق نهر`: the second one is the likeness
        if follows >= len(line) or not line[follows].joined or not is_noun(line[follows].bare) or line[follows].bare.startswith("ال"):
            return None
    if vehicle_at(text, line, follows, 0) is None or not _named(line, follows):
        return None
    start = line[at].start + (1 if line[at].text[0] in "وفل" else 0)
    how = _how(line, at) if line[at].text[0] not in "وفل" else "adjunct"
    stop = line[at + skipped].end if skipped else start + 3
    return _made(text, line, at, (start, stop), follows, 0, how, design=design, confidence=0.85, clause=True)


def _as_it_does(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``كما يذوب السكر``: a listed thing and what it does; not `كما كان`, `كما في`."""
    verb, noun = line[at + 1].bare, line[at + 2].bare
    if not _surely_verb(line[at + 1]) or verb in words("ar", "linking") or verb in _SAYS or not is_noun(noun) or not _told(line, at):
        return None
    return _made(text, line, at, (line[at].start, line[at].end), at + 2, 0, _how(line, at), design=design, confidence=0.75, clause=True)


def _named(line: Sequence[Word], n: int) -> bool:
    """Whether a word is a thing: listed, or by its shape, or described by a word after it."""
    word = line[n].bare.removesuffix("ا") if line[n].text.endswith(("ًا", "اً")) else line[n].bare
    if is_noun(word) or could_be_thing(word):
        return True
    if n + 1 >= len(line) or not line[n + 1].joined or len(word) < 4 or is_verb(word):
        return False
    after = line[n + 1].bare
    return not after.startswith("ال") and after not in _NO_DESCRIPTION and not is_verb(after) and after[0] not in "لبوف"


_SAYS = frozenset("قال يقول قالت تقول ذكر يذكر رأى يرى ترى يظهر تظهر ظهر ظهرت يبدو تبدو يفعل تفعل نرى".split())
_PERCEIVES = frozenset("سمع سمعت شم شمت تذكر تذكرت نسي نسيت فقد فقدت أضاع أضاعت وجد وجدت لمح لمحت رأى رأت انتظر".split())
_NO_DESCRIPTION = frozenset("جدا جدًا تماما حقا للتو في على من إلى عن مع تحت فوق بين عند حول خلف أمام قرب وراء داخل بعد قبل حتى ثم أو بلا بدون وسط".split())


def _done_to(line: Sequence[Word], n: int, *, posed: bool = True) -> int:
    """The thing in ``كأنه ابتلع جمرة``, ``كأنها تمشي على شوك``; -1 where the clause may be a pose."""
    present = posed and line[n].bare[0] in "يت" and line[n].bare not in words("ar", "past")
    for step in range(n + 1, min(len(line), n + 5)):
        if not line[step].joined:
            return -1
        word = line[step].bare.removesuffix("ا") if line[step].text.endswith(("ًا", "اً")) else line[step].bare
        if word.removeprefix("ال") in words("ar", "burdens"):
            return step
        if not present and line[n].bare not in _PERCEIVES and is_noun(word) and not word.startswith("ال"):
            return step
    return -1


def _resembles_first(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``يحاكي ضوء الفنار نبضًا بطيئًا``: the verb, its subject, and then a new thing."""
    for step in range(at + 2, min(len(line), at + 7)):
        word = line[step]
        if word.bare.startswith("ال") or word.bare in _NO_DESCRIPTION or not word.joined:
            if not word.joined:
                return None
            continue
        if word.text.endswith(("ًا", "اً")) or (is_noun(word.bare) and (line[step - 1].bare.startswith("ال") or line[step - 1].bare.endswith(("ه", "ها", "هم")))):
            return _made(text, line, at, (line[at].start, line[at].end), step, 0, "predicate", design=design, confidence=0.8)
    return None


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
    if any(part in word.bare for word in line[max(0, at - 5) : at] for part in words("ar", "roles")) or _examples(line, at, at + 1):
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
    noun = bare(text[slice(*vehicle)])
    if any(_same(word.bare, noun) for word in line[:at]):
        return None
    end, sure = end_of(line, follows, last, prefix, clause=clause)
    stop = line[end].end
    begin = line[at - 1].end if at > 0 and marker[0] == line[at].start else marker[0]
    if at > 0 and text[begin : begin + 1] == "،":
        begin += 1
    seen = _DESIGN if design else seen
    replacement = "" if sure and how == "adjunct" and seen is None else None
    phrase = (line[follows].start + (prefix if follows == at or prefix else 0), stop)
    return PlannedFigure(
        marker, vehicle, phrase, (begin, stop), replacement, qualities("ar").get(noun, ()), seen is not None, seen or _WHY,
        _tenor(line, at), confidence,
    )  # fmt: skip


def _same(word: str, noun: str) -> bool:
    """Whether a word before names the same thing: then two of a kind are compared."""
    word = word.removeprefix("و").removeprefix("ال") if len(word) > 4 else word
    return len(noun) > 2 and (word == noun or word in (noun + "ه", noun + "ها", noun.removesuffix("ة") + "ته", noun.removesuffix("ة") + "تها"))


def _tenor(line: Sequence[Word], at: int) -> Span | None:
    """The first known thing before the marker: the subject, in both orders of words."""
    for word in line[:at]:
        if word.bare.startswith("ال") and len(word.bare) > 3:
            return (word.start, word.end)
    return None
