"""Arabic figures: `كالجدار`, `مثل بوصلة`, `كأنه طوق نجاة`, `أشبه بقطيع`, `يشبه لوحًا`; no examples, no roles, no kin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.clauses import (
    as_if,
    as_it_does,
    done_to,
    is_owned,
    resembles,
    resembles_first,
    surely_verb,
    told_before,
)
from trope.strategies.guard.arabic.made import DESIGN, NEARBY, akin, how_it_stands, made
from trope.strategies.guard.arabic.words import (
    SHADOWS,
    Word,
    has_stem,
    is_adjective,
    is_noun,
    is_verb,
    likened,
    same_root,
    says_how,
    vehicle_at,
    words_of,
)
from trope.strategies.guard.lexicon import either, words
from trope.strategies.guard.plan import PlannedFigure, stretches

_LISTED = "asked for as a thing of this look; a list of things to draw, not a story"
_SENTENCE = re.compile(r"[^.!?؟;؛:\n«»\"]+")
_HINT = re.compile(
    rf"(?:{either('ar', 'doings')}) ال|"
    r"يضاه|تضاه|يحاك|تحاك|ماثل|حسب|خال|ظن|خلت|ك|مثل|شبيه|يشبه|تشبه|أشبه|اشبه|شكل|هيئة|من ال"
)
_AS_IF = re.compile(r"^[ول]?[ف]?(?:كأن(?:ما|ه|ها|هم|هن|هما|ي|ني|نا|ك)?|كان(?:ه|ها|هم))$")  # the hamza is often left out
_AS_IF_BE = re.compile(r"^(?:أن(?:ه|ها|هم|هن|هما)?|كان|كانت|كانوا)$")
_TAKEN_FOR = re.compile(r"^(?:(?:ت|ي|أ|ن)(?:حسب|خال|ظن)|حسبت|ظننت|خلت)(?:ه|ها|هم)$")
_RESEMBLES = re.compile(
    r"^[وف]?(?:يضاهي|تضاهي|يحاكي|تحاكي|يماثل|تماثل|يشبه|تشبه|يشبهون|تشبهان|يشبهان|شابه|شابهت|أشبه|أشبهت)$"
)
_HOLDER = re.compile(r"^ك[^كاوي]ا[^اوي]{2}$")
_MIMIC = re.compile(r"^[وف]?(?:[يت]قلد|تقليد|مقلد|متنكر|تنكري)")
_TIMES = ("الليل", "النهار", "الصباح", "المساء", "الفجر")
_ANY = ("أي", "اي", "أية")
_SHAPE = ("شكل", "هيئة", "صورة", "هيأة")


@lru_cache(maxsize=4096)
def _mimics(form: str) -> bool:
    return _MIMIC.match(form) is not None


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an Arabic text, in order."""
    design: bool | None = None
    for sentence in stretches(_SENTENCE, text):
        if not _HINT.search(text, *sentence):
            continue
        line = words_of(text, *sentence)
        if design is None:
            design = any(
                word.bare.removeprefix("ل") in words("ar", "designs")
                for word in words_of(text, 0, min(len(text), 200))[:5]
            )
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
        return (
            None
            if span is None
            else PlannedFigure(
                (line[at].start, line[at + 1].end),
                span,
                span,
                (line[at].start, span[1]),
                None,
                (),
                True,
                DESIGN,
                None,
                0.9,
            )
        )
    if (word in ("مثل", "كمثل", "ومثل") or line[at].text == "كـ") and at + 1 < len(line):
        return _like(text, line, at, design=design)
    if word in ("كأن", "وكأن") and [w.bare for w in line[at + 1 : at + 4]] in (
        ["على", "رؤوسهم", "الطير"],
        ["على", "رءوسهم", "الطير"],
    ):
        return made(text, line, at, (line[at].start, line[at].end), at + 3, 0, "adjunct", design=design, confidence=0.9)
    if _AS_IF.match(word) and at + 1 < len(line):
        return as_if(text, line, at, design=design)
    if at + 2 < len(line) and line[at + 1].bare == "من" and word in words("ar", "more"):
        return _more_than(text, line, at, design=design)
    if word in ("بمثابة", "وبمثابة") and 0 < at < len(line) - 1:
        return _serves_as(text, line, at, design=design)
    if word in ("أشبه", "اشبه", "شبيه", "شبيها", "شبيهة", "أشبهها") and at + 1 < len(line):
        follows = at + 3 if line[at + 1].bare == "ما" else at + 1
        if follows < len(line) and line[follows].bare.startswith("ب") and len(line[follows].bare) > 3:
            marker = (line[at].start, line[follows].start + 1)
            return made(text, line, at, marker, follows, 1, "predicate", design=design, confidence=0.9)
    if _RESEMBLES.match(word) and at + 1 < len(line):
        verb_first = at == 0 or not line[at].joined or line[at].bare[0] == "و"
        return (resembles_first if verb_first else resembles)(text, line, at, design=design)
    if (
        word in ("كما", "وكما")
        and at + 3 < len(line)
        and line[at + 1].bare == "لو"
        and _AS_IF_BE.match(line[at + 2].bare)
    ):
        return as_if(text, line, at, design=design, skipped=2)
    if word in ("كما", "مثلما", "وكما") and 0 < at < len(line) - 2:
        return as_it_does(text, line, at, design=design)
    if (
        word in ("كمن", "كالذي", "كالتي")
        and 0 < at < len(line) - 2
        and is_verb(line[at + 1].bare)
        and told_before(line, at)
    ):
        follows = done_to(line, at + 1, posed=False)
        start = line[at].start
        return (
            None
            if follows < 0
            else made(
                text,
                line,
                at,
                (start, line[at].end),
                follows,
                0,
                how_it_stands(line, at),
                design=design,
                confidence=0.7,
                clause=True,
            )
        )
    if word in words("ar", "doings") and 0 < at < len(line) - 1:
        return _the_doing_of(text, line, at, design=design)
    if _TAKEN_FOR.match(word) and (at > 0 or word[0] in "تي") and at + 1 < len(line) and is_noun(line[at + 1].bare):
        return made(
            text, line, at, (line[at].start, line[at].end), at + 1, 0, "predicate", design=design, confidence=0.8
        )
    before = line[at - 1] if at > 0 else None
    ending = "" if before is None or not is_adjective(before) else "ة" if before.bare.endswith("ة") else "ا"
    prefix = likened(line[at].text, ending)
    if (
        prefix is None
        and _HOLDER.match(word)
        and word[1:] not in words("ar", "no_vehicle")
        and at + 1 < len(line)
        and told_before(line, at)
    ):
        prefix = 0 if line[at + 1].bare.startswith("ال") else None  # `كبالع الموسى`
    if prefix is not None:
        return _kaf(text, line, at, prefix, design=design)
    return None


def _more_than(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``أسرع من البرق``: more of a quality than the known thing that stands for it; not of size or number."""
    thing = line[at + 2].bare
    if not (thing.startswith("ال") and thing.removeprefix("ال") in words("ar", "standards")) or not told_before(
        line, at
    ):
        return None
    marker = (line[at].start, line[at + 1].end)
    return made(text, line, at, marker, at + 2, 0, "predicate", design=design, confidence=0.7)


def _the_doing_of(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``وثب وثبة النمر``: somebody does it the way a thing does; the verb and its noun have the same bones."""
    thing = line[at + 1].bare
    if not (line[at].joined and line[at + 1].joined and thing.startswith("ال") and is_noun(thing)) or thing in _TIMES:
        return None
    if not any(is_verb(word.bare) and same_root(word.bare, line[at].bare) for word in line[max(0, at - 4) : at]):
        return None
    marker = (line[at].start, line[at].end)
    return made(text, line, at, marker, at + 1, 0, "predicate", design=design, confidence=0.7)


def _has(line: Sequence[Word], at: int, attribute: str) -> bool:
    """Whether the words before name the same part or trait: `عيناه` before `كعيني صقر`."""
    return any(attribute[:3] in word.bare for word in line[max(0, at - NEARBY) : at])


def _serves_as(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``كان أبي بمثابة سقف``: somebody is said to be a thing; a thing that serves as another is left alone."""
    told = any(word.bare in words("ar", "linking") for word in line[:at])
    person = any(word.bare.removeprefix("ال") in words("ar", "people") for word in line[:at]) or (
        at > 1 and is_owned(line, at - 1)
    )
    if not (told and person and is_noun(line[at + 1].bare)):
        return None
    marker = (line[at].start, line[at].end)
    return made(text, line, at, marker, at + 1, 0, "predicate", design=design, confidence=0.7)


def _clause_at(line: Sequence[Word], n: int) -> bool:
    """Whether a word with `and` begins a clause: `كالتمثال والناس يمرون`."""
    return n + 1 < len(line) and (
        is_verb(line[n + 1].bare) or line[n + 1].bare in ("في", "على", "حوله", "حولها", "من", "تحت", "فوق")
    )


def _fronted(line: Sequence[Word], following: int) -> bool:
    """``مثل طائر كسير الجناح، جلس العجوز``: the likeness, a sign, and then what somebody does."""
    for n in range(following, min(len(line) - 1, following + 6)):
        if not line[n].joined:
            return any(surely_verb(word) or is_verb(word.bare) for word in line[n : n + 3])
    return False


def _examples(line: Sequence[Word], at: int, following: int) -> bool:
    """``حيوانات مثل الماعز والدجاج``: the noun before is a kind, a list comes after."""
    if at == 0:
        marked = line[0].bare.removeprefix("و")
        thing = line[1].bare if marked == "مثل" and len(line) > 1 else marked.removeprefix("ك")
        new = is_noun(thing) and not thing.startswith("ال")
        goes_on = (marked.startswith("كال") or new) and any(map(surely_verb, line[1:5]))
        return not (goes_on or _fronted(line, following))
    kinds = {word.bare.removeprefix("ال") for word in line[max(0, at - 2) : at]}
    before = line[at - 1]
    among = following < len(line) and line[following].bare.startswith(("وال", "أو"))
    if kinds & words("ar", "generic") and (among or not any(surely_verb(word) for word in line[:at])):
        return True
    listed = following < len(line) and line[following].bare.startswith("وال") and not _clause_at(line, following)
    first = line[following - 1].bare.removeprefix("و").removeprefix("ك").removeprefix("ال")
    if listed and line[at].bare[0] in "كو" and first not in words("ar", "pairs"):
        return True
    return (
        listed
        and first not in words("ar", "pairs")
        and not before.bare.startswith("ال")
        and not is_verb(before.bare)
        and not before.text.endswith(("ًا", "اً"))
    )


def _described(line: Sequence[Word], at: int) -> bool:
    """``عين خضراء مثل زمردة``: a quality stands right before, and that is what is alike."""
    if at < 2 or not says_how(line[at - 1]) or line[at - 1].bare.endswith("ية"):
        return False
    return not line[at - 1].bare.endswith("ة") or line[at - 2].bare.endswith(("ة", "ات"))


def _like(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    found = vehicle_at(text, line, at + 1, 0)
    if (
        found is None
        or _examples(line, at, at + 2)
        or not (line[at].joined or (is_noun(line[at + 1].bare) and not line[at + 1].bare.startswith("ال")))
    ):
        return None
    follows = line[at + 1].bare
    if at + 2 < len(line) and follows in words("ar", "attributes") and _has(line, at, follows):
        if not is_noun(line[at + 2].bare):
            return None
        marker = (line[at].start, line[at + 1].end)  # `قلب مثل قلب الأسد`
        return made(text, line, at, marker, at + 2, 0, "predicate", design=design, confidence=0.7)
    if (
        follows.endswith(("ه", "ها", "هم", "هما", "هن")) and not is_noun(follows) and follows not in SHADOWS
    ):  # kin: `مثل أمها`
        return None
    acted = any(surely_verb(word) for word in line[:at])
    if any(_mimics(word.bare) for word in line[max(0, at - NEARBY) : at + NEARBY]):
        return None
    told = told_before(line, at) or _described(line, at)
    seen = None if told and (acted or not akin(line, at, at + 1)) else DESIGN
    if line[at + 1].bare.removeprefix("ال") in words("ar", "pictures") or (line[at].text == "كـ" and _played(line, at)):
        return None
    if seen is None and follows not in _ANY and follows.removeprefix("ال") in words("ar", "no_vehicle"):
        return None
    how = how_it_stands(line, at)
    return made(
        text, line, at, (line[at].start, line[at].end), at + 1, 0, how, design=design, confidence=0.85, seen=seen
    )


def _played(line: Sequence[Word], at: int) -> bool:
    """``تعمل كمعلمة``: a part played; `تعمل كالآلة` compares."""
    definite = line[at].bare.removeprefix("و").startswith("كال")
    return not definite and any(has_stem(word.bare, "roles") for word in line[max(0, at - 5) : at])


def _kaf(text: str, line: Sequence[Word], at: int, prefix: int, *, design: bool) -> PlannedFigure | None:
    if at == 0 and not any(surely_verb(word) for word in line[1:]):
        return None
    again = line[at].bare[prefix + 1 :]
    if 0 < at < len(line) - 1 and again in words("ar", "attributes") and _has(line, at, again):
        marker = (line[at].start + prefix, line[at].end)  # `عينان كعيني غزالة`
        return made(text, line, at, marker, at + 1, 0, "predicate", design=design, confidence=0.7)
    if (
        0 < at < len(line) - 1
        and again in {w.bare.removeprefix("ال") for w in line[max(0, at - 2) : at]}
        and line[at + 1].bare.startswith("ال")
        and (again in words("ar", "attributes") or told_before(line, at))
    ):
        marker = (line[at].start + prefix, line[at].end)  # `صمت كصمت القبور`
        return made(text, line, at, marker, at + 1, 0, "predicate", design=design, confidence=0.7)
    if _played(line, at) or _examples(line, at, at + 1):
        return None
    if any(_mimics(word.bare) for word in line[max(0, at - NEARBY) : at + NEARBY]):
        return None
    start = line[at].start + prefix
    known = line[at].bare.startswith("كال", prefix)  # `صندوق قديم كطاولة` may be used as one
    quality = at > 0 and (says_how if known else is_adjective)(line[at - 1])
    seen = None if told_before(line, at) or quality else _LISTED
    return made(
        text,
        line,
        at,
        (start, start + 1),
        at,
        prefix + 1,
        how_it_stands(line, at),
        design=design,
        confidence=0.9,
        seen=seen,
    )
