"""The grammar of comparison: every word that compares, in order, and where what is compared begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trope.strategies.guard.arabic.clauses import of_clause, of_predicate
from trope.strategies.guard.arabic.kaf import kaf, of_attribute
from trope.strategies.guard.arabic.manners import as_it_does, done_as, just_as, measure, more
from trope.strategies.guard.arabic.marker import Marker
from trope.strategies.guard.arabic.phrases import behind_preposition, follows, is_preposition, nominal
from trope.strategies.guard.arabic.shapes import is_quality, says_quality
from trope.strategies.guard.arabic.verbs import (
    DIFFERS,
    NEARLY,
    REMINDS,
    RESEMBLES,
    TAKEN,
    TO,
    closer,
    nearly,
    no_different,
    resembled,
    seems,
    taken_for,
)
from trope.strategies.guard.arabic.words import OWNERS, Word, definite, listed, owned, stem_of

_JOINS = "وفل"
_PRONOUNS = "(?:ه|ها|هم|هن|هما|ي|ني|نا|ك|كما|كم|ما)"
_AS_IF = re.compile(
    rf"[وفل]?كأن{_PRONOUNS}?$|[وفل]?كان(?:ه|ها|هم|هما|هن|ما|ك|كما|كم|ي|ني|نا)$"
)  # the hamza is often left out
_AS_IF_IT = frozenset("أنه أنها أنهم أنهما أنك أني أنني أننا انه انها كان كانت كانوا كنت كنا كانا كانتا".split())
_LIKE = re.compile(r"[وف]?ك?مثل$")
_COLLOQUIAL = ("زي", "وزي", "متل", "ومتل", "بحال")
_DIALECT_AS_IF = frozenset("كأنو كنو كنه كنها كنهم كنك چنه چنها چنهم".split())
_DOES = ("كما", "وكما", "مثلما", "ومثلما", "فكما", "زيما")
_SHAPE = ("شكل", "هيئة", "صورة", "هياة", "هيئه")


def markers(line: Sequence[Word]) -> list[Marker]:
    """The comparisons of a sentence in order, at most one a word."""
    found: list[Marker] = []
    done = 0
    for at in range(len(line)):
        if at < done:
            continue
        marker = _at(line, at)
        if marker is not None:
            found.append(marker)
            done = marker.noun if marker.noun > at else at + 1
    return found


def _at(line: Sequence[Word], at: int) -> Marker | None:
    form = line[at].plain
    first = form[0] if form[0] not in "وفل" or len(form) < 3 else form[1]
    doubled = "انّ" in line[at].text and line[at].bare in ("كان", "وكان", "لكان", "فكان")
    if doubled or line[at].bare in _DIALECT_AS_IF or line[at].bare.startswith("كإن"):
        return _as_if(line, at)
    if form in ("كي", "كيف") and follows(line, at + 1) and definite(line[at + 1]) and at > 0:
        if form == "كي" or (line[at].joined and says_quality(line[at - 1])):  # in the dialects
            return Marker("like", (line[at].start, line[at].end), at, at + 1)
        return None
    if line[at].bare[0] in "كوفل" and _AS_IF.match(line[at].bare):
        return _as_if(line, at)
    if _LIKE.match(form) or form in _COLLOQUIAL:
        return _like(line, at)
    if form in _DOES:
        return _as_if_it(line, at) or as_it_does(line, at) or just_as(line, at)
    if form in ("ك", "وك") and follows(line, at + 1):
        return Marker("kaf", (line[at].start, line[at].end), at, at + 1)
    if first == "ك" or form[0] == "ك":
        return kaf(line, at)
    return _by_word(line, at)


def _by_word(line: Sequence[Word], at: int) -> Marker | None:
    form = line[at].plain
    span = (line[at].start, line[at].end)
    if NEARLY.match(form) or REMINDS.match(form):
        found = nearly(line, at)
        if found is not None or not RESEMBLES.match(form):
            return found
    if RESEMBLES.match(form) and at + 1 < len(line):
        noun = resembled(line, at)
        return None if noun is None else Marker("resembles", span, at, noun)
    if re.match(r"[وف]?[يت]خيل$", form):
        return seems(line, at)
    if form == "شبه" and at > 0 and line[at].joined and _is_half(line, at):
        return Marker("resembles", span, at, at + 1)
    behind_on = at > 0 and line[at - 1].plain == "على"
    if form == "شاكلة" and behind_on and follows(line, at + 1):
        return Marker("like", (line[at - 1].start, line[at].end), at, at + 1)
    if form in ("نحو", "غرار") and behind_on and follows(line, at + 3) and line[at + 1].plain == "ما":
        return as_it_does(line, at + 1)
    if form in DIFFERS and follows(line, at + 2):
        return no_different(line, at)
    if form == "اقرب" and follows(line, at + 2) and line[at + 1].plain in TO:
        return closer(line, at)
    if TAKEN.match(form.removeprefix("ل")) and at + 1 < len(line):
        return taken_for(line, at)
    if form == "على" and follows(line, at + 2) and line[at + 1].plain in _SHAPE:
        return Marker("shape", (line[at].start, line[at + 1].end), at, at + 2)
    if form == "بهيئة" and follows(line, at + 1) and nominal(line[at + 1]):
        return Marker("shape", span, at, at + 1)
    if form in ("بمثابة", "وبمثابة") and follows(line, at + 1):
        return Marker("serves", span, at, at + 1)
    if follows(line, at + 2) and line[at + 1].plain == "من" and _is_more(form):
        return more(line, at)
    if form[0] == "ب" and form[1:] in listed("like_of") and follows(line, at + 1):
        return measure(line, at, at)
    if form == "في" and follows(line, at + 2) and line[at + 1].plain in listed("like_of"):
        return measure(line, at, at + 1)
    return done_as(line, at)


def _is_half(line: Sequence[Word], at: int) -> bool:
    """``وجهها شبه القمر``, and no ``شبه الجزيرة``, ``شبه المكسورة``."""
    if not follows(line, at + 1) or not definite(line[at + 1]):
        return False
    return line[at + 1].plain != "الجزيرة" and not is_quality(line[at + 1].plain[2:])


def _is_more(form: str) -> bool:
    return form in listed("more") or (form[0] in "وف" and form[1:] in listed("more"))


def _like(line: Sequence[Word], at: int) -> Marker | None:
    word = line[at]
    if any(sign in word.text for sign in ("ثّ", "ثَّ", "ثُ")) or at + 1 >= len(line) or not line[at + 1].joined:  # `مثّل`
        return None
    after = line[at + 1]
    if at == 0 and any(other.plain == "كمثل" for other in line[1:8]):
        return None  # `مثل العالم بلا تواضع كمثل نخلة`
    if after.plain == "شي" and follows(line, at + 2):
        return Marker("like", (word.start, word.end), at, at + 2)
    if word.plain in ("زي", "وزي", "بحال") and (
        at == 0
        or is_quality(after.plain)
        or is_preposition(line[at - 1])
        or any(stem_of(w.plain, "worn") for w in line[max(0, at - 3) : at])
    ):
        return None  # `زي` is a costume, `بحال` a state as well
    if after.plain == "ما":
        return as_it_does(line, at + 1)
    if is_preposition(after) or after.plain in ("ان", "الذي", "التي", "من"):
        return None
    if after.plain in _NUMBERS and follows(line, at + 2):
        return Marker("like", (word.start, word.end), at, at + 2)
    return of_attribute(line, at, Marker("like", (word.start, word.end), at, at + 1))


_NUMBERS = frozenset("الف مئة عشرات مئات الاف ثلاثة ثلاث اربع اربعة خمس خمسة سبعة سبع عشرة عشر".split())


def _as_if(line: Sequence[Word], at: int) -> Marker | None:
    word = line[at]
    begin = word.place(1) if word.bare[0] in _JOINS else word.start
    of_its_own = word.bare.removeprefix("و").removeprefix("ف").removeprefix("ل").replace("إ", "أ").replace("كان", "كأن")
    if of_its_own == "كأن":
        noun = of_clause(line, at + 1)
    elif of_its_own == "كأنما":
        pronoun = at + 1 < len(line) and line[at + 1].plain in ("هو", "هي", "هم")
        noun = of_predicate(line, at + 1) if pronoun else of_clause(line, at + 1)
    else:
        noun = of_predicate(line, at + 1, _who(of_its_own))
    if noun is None:
        return None
    letter = behind_preposition(line, noun) if noun > at + 1 else 0
    return Marker("as if", (begin, word.end), at, noun, letter, clause=True)


def _who(marker: str) -> str:
    return next((ending for ending in OWNERS if marker.endswith(ending)), "")


def _as_if_it(line: Sequence[Word], at: int) -> Marker | None:
    """``كما لو كان تمثالًا``, ``كما لو أن غطاءً ألقي``."""
    if not follows(line, at + 2) or line[at + 1].plain != "لو":
        return None
    word = line[at + 2]
    if word.bare in _AS_IF_IT and at + 3 < len(line):
        own = definite(line[at + 3]) or (owned(line[at + 3]) and follows(line, at + 4))
        noun = None if own and word.plain.startswith("كا") else of_predicate(line, at + 3)
        if noun is None and word.plain in ("كان", "كانت", "كانوا"):
            noun = of_clause(line, at + 3)
        end = 2
    elif word.plain == "ان" and at + 3 < len(line):
        noun, end = of_clause(line, at + 3), 2
    else:
        noun, end = of_predicate(line, at + 2), 1
    if noun is None:
        return None
    return Marker("as if", (line[at].start, line[at + end].end), at, noun, behind_preposition(line, noun), clause=True)
