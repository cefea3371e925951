"""Arabic comparisons with a clause: `كأنه طوق نجاة`, `كما يذوب السكر`, `يحاكي ضوء الفنار نبضًا`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.made import DESIGN, NEARBY, akin, how_it_stands, made
from trope.strategies.guard.arabic.words import (
    Word,
    could_be_thing,
    is_noun,
    is_verb,
    vehicle_at,
)
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import PlannedFigure


def told_before(line: Sequence[Word], at: int) -> bool:
    """Whether this tells something: it begins with a known thing, or a verb stands before the marker."""
    first = line[0].bare.removeprefix("و")
    if first in ("يا", "أيها", "أيتها"):
        return True
    if first in words("ar", "orders"):  # `ارسم طفلة ترقص كريشة` orders the dance, `ارسم قطة كالنمر` the look
        return any(surely_verb(word) for word in line[max(1, at - NEARBY) : at]) or is_owned(line, at - 1)
    if is_owned(line, at - 1) or (at > 1 and is_owned(line, 1) and is_noun(first)):
        return True
    opens = len(line) > 1 and line[1].bare.startswith("ال") and not is_noun(first) and not first.endswith(("ة", "ات"))
    if (
        at == 0
        or opens
        or first.startswith("ال")
        or line[0].bare in words("ar", "linking")
        or (is_verb(line[0].bare) and not is_noun(first))
    ):
        return True
    stem = next((first.removesuffix(end) for end in _POSSESSIVES if first.endswith(end)), first)
    of = line[1].bare.removeprefix("ال") if at > 1 and line[1].bare.startswith("ال") and is_noun(first) else ""
    if {first, stem, of, stem.removesuffix("ت") + "ة", stem + "ن"} & words(
        "ar", "scenes"
    ) or first in _PRONOUNS:  # `حبات المطر`
        return True
    owned = first.endswith(("ها", "هم", "هما", "ه", "نا")) and not is_noun(first)
    return owned or any(surely_verb(word) for word in line[max(1, at - NEARBY) : at])


def ordered(line: Sequence[Word], at: int) -> bool:
    """``مصباح كأنه زهرة``: a new product or an order first and nothing done before the marker."""
    if any(surely_verb(word) for word in line[max(1, at - NEARBY) : at]):
        return False
    first = line[0].bare
    if first in words("ar", "orders"):  # `أريد صورة لحارس كأنه جدار` orders the guard
        return not any(word.bare[0] == "ل" and len(word.bare) > 3 for word in line[1:at])
    return at > 0 and first in words("ar", "artifacts")


def is_owned(line: Sequence[Word], n: int) -> bool:
    """``عيناها``, ``سيفه``: somebody's, so that what follows is said of it."""
    if n < 0:
        return False
    word = line[n].bare
    return (
        len(word) > 3
        and word.endswith(("ها", "هم", "هما", "ه"))
        and not is_noun(word)
        and not word.startswith(_BEFORE_PRONOUNS)
        and not is_verb(word)
    )


_POSSESSIVES = ("ها", "هم", "نا", "كم", "ه", "ك", "ي")
_PRONOUNS = frozenset("أنا أنت أنتم هو هي هم نحن إنه إنها إنهم إني إنك إننا هذا هذه".split())
_BEFORE_PRONOUNS = (
    "علي",
    "إلي",
    "الي",
    "في",
    "من",
    "عن",
    "مع",
    "تحت",
    "فوق",
    "بين",
    "عند",
    "حول",
    "خلف",
    "أمام",
    "لدي",
    "كأن",
    "مثل",
)


def surely_verb(word: Word) -> bool:
    """A verb form that is no noun as well: a linking verb, or one with an ending or a beginning of its own."""
    return _surely(word.bare)


@lru_cache(maxsize=4096)
def _surely(form: str) -> bool:
    listed = form in words("ar", "past") and form not in words("ar", "homographs")
    return (
        listed
        or form in words("ar", "linking")
        or (is_verb(form) and (form.endswith(("ت", "وا")) or form[0] in "يت") and not is_noun(form))
    )


def as_if(text: str, line: Sequence[Word], at: int, *, design: bool, skipped: int = 0) -> PlannedFigure | None:
    """``كأنه طوق نجاة``, ``كما لو كان تمثالًا``; ``skipped`` counts the words that belong to the marker."""
    follows = at + 1 + skipped
    word = line[follows].bare
    if word in ("هو", "هي", "هم") and follows + 1 < len(line):
        follows, word = follows + 1, line[follows + 1].bare
    if word in _NUMBERS and follows + 1 < len(line):
        follows, word = follows + 1, line[follows + 1].bare
    if word in ("على", "فوق") and follows + 1 < len(line) and line[follows + 1].bare in words("ar", "burdens"):
        follows, word = follows + 1, line[follows + 1].bare  # `كأنه على بيض`
    held = _held(line, follows)
    if held > 0:
        follows, word = held, line[held].bare
    if is_verb(word) and not is_noun(word) and not word.startswith("ال"):
        follows = done_to(line, follows)  # not `كأنه ينتظر أحدًا`: what somebody seems to do
        if follows < 0:
            return None
    if (
        word.startswith("ال")
        or (word.endswith(("ها", "هم", "هما")) and len(word) > 4)
        or (word.endswith("ه") and not is_noun(word))
    ):
        follows += 1  # `كأن الطريق نهر`: the second one is the likeness
        if (
            follows >= len(line)
            or not line[follows].joined
            or not is_noun(line[follows].bare)
            or line[follows].bare.startswith("ال")
        ):
            return None
    if vehicle_at(text, line, follows, 0) is None or not _named(line, follows):
        return None
    start = line[at].start + (1 if line[at].text[0] in "وفل" else 0)
    how = how_it_stands(line, at) if line[at].text[0] not in "وفل" else "adjunct"
    stop = line[at + skipped].end if skipped else start + 3
    seen = DESIGN if ordered(line, at) else None
    return made(text, line, at, (start, stop), follows, 0, how, design=design, confidence=0.85, seen=seen, clause=True)


def as_it_does(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``كما يذوب السكر``: a listed thing and what it does; not `كما كان`, `كما في`."""
    verb, noun = line[at + 1].bare, line[at + 2].bare
    if (
        not surely_verb(line[at + 1])
        or verb in words("ar", "linking")
        or verb in _SAYS
        or not is_noun(noun)
        or not told_before(line, at)
    ):
        return None
    return made(
        text,
        line,
        at,
        (line[at].start, line[at].end),
        at + 2,
        0,
        how_it_stands(line, at),
        design=design,
        confidence=0.75,
        clause=True,
    )


def _held(line: Sequence[Word], n: int) -> int:
    """The thing in ``كأن في صدره جمرة``, ``كأن أحدهم سكب دلو ماء``: in somebody's body, or done by nobody; or 0."""
    if line[n].bare in _NO_DESCRIPTION and n + 2 < len(line):
        owned = line[n + 1].bare.endswith(("ه", "ها", "هم", "ي"))
        return (
            n + 2
            if owned and line[n + 2].joined and _named(line, n + 2) and not line[n + 2].bare.startswith("ال")
            else 0
        )
    if line[n].bare in ("أحدهم", "أحدا", "شخصا", "يدا") and n + 2 < len(line) and is_verb(line[n + 1].bare):
        return max(0, done_to(line, n + 1, posed=False))
    if len(line[n].bare) > 3 and (line[n].bare[1] == "ا" or line[n].bare[0] == "م") and not is_noun(line[n].bare):
        return next((m for m in range(n + 1, min(len(line), n + 4)) if line[m].bare in words("ar", "burdens")), 0)
    return 0


# `أنفاق`, `قوارب`, `مصابيح`, `كثبان`: plurals by their pattern; `غضبان` says how somebody feels
_BROKEN_PLURAL = re.compile(r"أ..ا.$|.وا.ي?.$|م.ا.ي?.$|..ا.ي.$|...ان$")
_STATES = frozenset("غضبان تعبان جوعان سكران عطشان نعسان فرحان حيران ندمان كسلان زعلان خجلان عريان".split())
_LONG = re.compile("[اوي]")
_NUMBERS = frozenset("ألف مئة مائة آلاف عشرات مئات مليون ملايين عشرون ثلاثون بعض كل".split())


def _named(line: Sequence[Word], n: int) -> bool:
    """Whether a word is a thing: listed, or by its shape, or described by a word after it."""
    word = line[n].bare.removesuffix("ا") if line[n].text.endswith(("ًا", "اً")) else line[n].bare
    if is_noun(word) or could_be_thing(word):
        return True
    if line[n].text.endswith(("ًا", "اً")) and len(word) == 3 and not _LONG.search(word):  # `كنزًا`, and not `نائمًا`
        return True
    if _BROKEN_PLURAL.match(word) and not is_verb(word) and word not in _STATES:
        return True
    if n + 1 < len(line) and line[n + 1].joined and surely_verb(line[n + 1]) and line[n + 1].bare[0] in "يت":
        return len(word) > 3 and word[0] == "م"  # `متهم ينتظر`
    if n + 1 >= len(line) or not line[n + 1].joined or len(word) < 3 or is_verb(word):
        return False
    after = line[n + 1].bare
    if len(word) == 3 and is_verb(after) and word not in words("ar", "past"):  # `خرز انقطع خيطه`
        return True
    if len(word) == 3:  # `خرز زجاجي`
        return after.endswith(("ي", "ية")) and len(after) > 3 and not after.startswith("ال")
    return not after.startswith("ال") and after not in _NO_DESCRIPTION and not is_verb(after) and after[0] not in "لبوف"


_SAYS = frozenset("قال يقول قالت تقول ذكر يذكر رأى يرى ترى يظهر تظهر ظهر ظهرت يبدو تبدو يفعل تفعل نرى".split())


_PERCEIVES = frozenset(
    "سمع سمعت شم شمت تذكر تذكرت نسي نسيت فقد فقدت أضاع أضاعت وجد وجدت لمح لمحت رأى رأت انتظر".split()
)


_NO_DESCRIPTION = frozenset(
    "جدا جدًا تماما حقا للتو في على من إلى عن مع تحت فوق بين عند حول خلف"
    " أمام قرب وراء داخل بعد قبل حتى ثم أو بلا بدون وسط".split()
)


def done_to(line: Sequence[Word], n: int, *, posed: bool = True) -> int:
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


def resembles_first(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``يحاكي ضوء الفنار نبضًا بطيئًا``: the verb, its subject, and then a new thing."""
    for step in range(at + 2, min(len(line), at + 7)):
        word = line[step]
        if step == at + 2 and word.bare.startswith("ال") and is_noun(word.bare) and is_owned(line, at + 1):
            how = "predicate"  # `يشبه وجهها القمر`
            return made(text, line, at, (line[at].start, line[at].end), step, 0, how, design=design, confidence=0.7)
        if word.bare.startswith("ال") or word.bare in _NO_DESCRIPTION or not word.joined:
            if not word.joined:
                return None
            continue
        if word.text.endswith(("ًا", "اً")) or (
            is_noun(word.bare)
            and (line[step - 1].bare.startswith("ال") or line[step - 1].bare.endswith(("ه", "ها", "هم")))
        ):
            return made(
                text, line, at, (line[at].start, line[at].end), step, 0, "predicate", design=design, confidence=0.8
            )
    return None


def resembles(text: str, line: Sequence[Word], at: int, *, design: bool) -> PlannedFigure | None:
    """``الصمت يشبه لوحًا من زجاج``; kin that look alike are no figure, and a product is ordered so."""
    word = line[at + 1].bare
    owned = word.endswith(("ه", "ها", "هم", "هما", "ي", "ك", "نا")) and not word.startswith("ال") and not is_noun(word)
    if owned or word.removeprefix("ال") in words("ar", "no_vehicle"):
        return None
    first = line[0].bare.removeprefix("و")
    told = (
        first.startswith("ال")
        or first in words("ar", "linking")
        or first in words("ar", "scenes")
        or (is_verb(line[0].bare) and not is_noun(first))
        or is_owned(line, 0)
        or (at > 1 and (is_owned(line, 1) or (is_noun(first) and line[1].bare.startswith("ال"))))
    )
    cloud = at == 1 and first in ("سحابة", "غيمة", "سحب", "غيوم", "سحاب")  # what children see in it
    seen = None if told and not cloud and not akin(line, at, at + 1) else DESIGN
    marker = (line[at].start, line[at].end)
    return made(text, line, at, marker, at + 1, 0, "predicate", design=design, confidence=0.8, seen=seen)
