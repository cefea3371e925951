"""Verbs and adjectives that compare: `يشبه`, `أشبه بـ`, `يذكر بـ`, `تخاله`, `لا يختلف عن`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trope.strategies.guard.arabic.clauses import of_clause, of_predicate
from trope.strategies.guard.arabic.kaf import of_attribute
from trope.strategies.guard.arabic.marker import Marker
from trope.strategies.guard.arabic.phrases import follows, is_preposition, nominal
from trope.strategies.guard.arabic.shapes import is_quality, says_quality
from trope.strategies.guard.arabic.words import Word, definite, listed, owned

RESEMBLES = re.compile(r"[وف]?(?:[يت](?:ضاهي|حاكي|ماثل|شابه|شبه)(?:ان|ون|ن|ه|ها)?|شابه(?:ت|ا)?|اشبهت)$")
NEARLY = re.compile(r"[وف]?(?:اشبه|شبيه(?:ة|ا|ان|ين|تين|تان|ات)?|شبيهه)$")
REMINDS = re.compile(r"[وف]?[يت]ذكر(?:ه|ها|هم|نا|ك|ني|كم)?$")
TAKEN = re.compile(r"[وف]?(?:[تين](?:حسب|خال|ظن)|حسبت|ظننت|خلت|حسبنا|خلنا|ظننا|اخال|احسب)(?:ه|ها|هم|هما|ني|ك)?$")

NOT = ("لا", "لم", "ولا", "فلا")
TO = ("الى", "الي")
DIFFERS = frozenset("تختلف يختلف تفترق يفترق".split())


def closer(line: Sequence[Word], at: int) -> Marker | None:
    """``أقرب إلى زفت الطريق منها إلى القهوة``."""
    thing = line[at + 2]
    rather = any(word.plain in ("منه", "منها", "منهم") for word in line[at + 3 : at + 8])
    if not nominal(thing) or owned(thing) or not (rather or not definite(thing)) or says_quality(thing):
        return None
    return Marker("resembles", (line[at].start, line[at + 1].end), at, at + 2)


def no_different(line: Sequence[Word], at: int) -> Marker | None:
    """``لا تختلف يده عن غصن يابس``."""
    if not any(word.plain in NOT for word in line[max(0, at - 3) : at]):
        return None
    for m in range(at + 1, min(len(line) - 1, at + 5)):
        if line[m].plain == "عن" and follows(line, m + 1):
            thing = line[m + 1]
            plainly = nominal(thing) and not definite(thing) and not owned(thing)
            return Marker("resembles", (line[at].start, line[m].end), at, m + 1) if plainly else None
    return None


def seems(line: Sequence[Word], at: int) -> Marker | None:
    """``يخيل إليك أن القبة بيضة``, ``يخيل للناظر أنها سفينة``."""
    for m in range(at + 1, min(len(line) - 1, at + 4)):
        form = line[m].plain
        if form in ("الي", "لي") or not line[m].joined:
            return None
        if form.startswith(("ان", "كان")) and len(form) < 6:
            who = form.removeprefix("ك").removeprefix("ان")
            noun = of_predicate(line, m + 1, who) if who else of_clause(line, m + 1)
            plainly = noun is not None and not definite(line[noun])
            return (
                Marker("taken for", (line[at].start, line[m].end), at, noun, 0, clause=True)
                if noun is not None and plainly
                else None
            )
    return None


def nearly(line: Sequence[Word], at: int) -> Marker | None:
    """``أشبه بقطيع``, ``أشبه ما يكون بقلامة ظفر``, ``ما أشبه هذا الوجه بدفتر``, ``يذكرنا بخيمة``."""
    for m in range(at + 1, min(len(line), at + 6)):
        if not line[m].joined:
            return None
        form = line[m].plain
        if form[0] == "ب" and len(form) > 2 and not owned(line[m], 1) and form[1:] not in ("عضهم", "عضها", "عض"):
            if REMINDS.match(line[at].plain) and (
                definite(line[m], 1) or (follows(line, m + 1) and line[m + 1].plain in listed("kin"))
            ):
                return None
            return Marker("resembles", (line[at].start, line[m].place(1)), at, m, 1)
        if form in TO:
            return None
    return None


def resembled(line: Sequence[Word], at: int) -> int | None:
    """What ``يشبه`` has behind it: right there, or behind its subject where the verb comes first."""
    n = at + 1
    first = at == 0 or not line[at].joined or line[at].plain[0] in "وف"
    if first and line[at].plain.removeprefix("و")[0] in "يت" and follows(line, n):
        if (
            definite(line[n])
            or owned(line[n])
            or line[n].plain in ("هذا", "هذه")
            or line[n].plain in listed("kin")
            or (follows(line, n + 1) and definite(line[n + 1]) and not definite(line[n]))
        ):
            for m in range(n + 1, min(len(line), n + 6)):
                if not line[m].joined:
                    return None
                if line[m].plain == "الى":
                    return None
                if is_preposition(line[m]) or is_preposition(line[m - 1]):
                    continue
                owner = (owned(line[n]) or line[n].plain in listed("kin")) and m == n + 1
                if (not definite(line[m]) or owner) and nominal(line[m]) and not owned(line[m]):
                    return m
            return None
    if follows(line, n + 2) and is_preposition(line[n]) and (owned(line[n + 1]) or definite(line[n + 1])):
        n += 2  # `تحاكي في لمعانها زئبقًا`
    if not follows(line, n) or is_preposition(line[n]):
        return None
    if line[at].plain in ("تماثل", "تشابه") and is_quality(line[n].plain):
        return None
    if line[n].plain in listed("body"):
        return n
    marker = of_attribute(line, at, Marker("resembles", (line[at].start, line[at].end), at, n))
    return marker.noun


def taken_for(line: Sequence[Word], at: int) -> Marker | None:
    """``تحسبه صخرة``, ``تخال النجوم فوق الواحة حبات رمان``."""
    span = (line[at].start, line[at].end)
    n = at + 1
    if line[n].plain in ("ان", "انه", "انها", "انهم"):
        if line[at].plain.removeprefix("ل")[0] not in "ت" or at + 2 >= len(line):
            return None
        noun = of_clause(line, n + 1) if line[n].plain == "ان" else of_predicate(line, n + 1, line[n].plain[2:])
        if noun is None or definite(line[noun]):
            return None
        return Marker("taken for", (line[at].start, line[n].end), at, noun, 0, clause=True)
    if owned(line[at]) or line[at].plain.endswith(("ه", "ها", "هم", "هما")):
        if not follows(line, n):
            return None
        if is_preposition(line[n]) and follows(line, n + 2):
            n += 2
        if definite(line[n]) or not nominal(line[n]) or owned(line[n]):
            return None
        return Marker("taken for", span, at, n)
    if not line[n].joined or not (definite(line[n]) or owned(line[n])):
        return None
    for m in range(n + 1, min(len(line), n + 6)):
        if not line[m].joined:
            return None
        if line[m].plain in ("نفسه", "نفسها", "نفسي", "نفسك"):
            return None
        if definite(line[m]) or owned(line[m]) or is_preposition(line[m]):
            continue
        previous = line[m - 1]
        if nominal(line[m]) and (not is_preposition(previous)):
            return Marker("taken for", span, at, m)
    return None
