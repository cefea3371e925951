"""Noun phrases: where a vehicle begins and ends, and how far the comparison goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.doers import doer, goes_on
from trope.strategies.guard.arabic.idioms import set_phrase
from trope.strategies.guard.arabic.shapes import is_present, is_quality, is_verb, says_quality
from trope.strategies.guard.arabic.words import FEMININE, OWNERS, TANWIN, Word, accusative, definite, listed, owned
from trope.strategies.guard.plan import Span

_BROKEN_PLURAL = re.compile(r"ا..ا.$|م.ا.ي?.$|.وا.ي?.$|.[^ا]ا[ئ].$|..ا.ي.$|.[^ا]و.$|..ا[يئ]ا?$|ا...ة$|...ان$")
# Their alef is their own.
_NO_TANWIN = frozenset(
    "عصا قفا كاميرا دنيا موسيقا ماما بابا سيما ثريا شاورما بطاطا"
    " بيتزا باندا غوريلا كوبرا سينما لاما بيرا رؤيا هنا".split()
)
_NO_SECOND = frozenset(
    (
        "عجوز حية ستي اخر اخرى جدا واحد واحدة ثلاثة ثلاث اربعة اربع خمسة خمس عشرة كل بلا دون له لها لهم لنا لي لك لهما"
    ).split()
)
_PREPOSITIONAL = frozenset(
    stem + end
    for stem in "في علي الي ل ب من عن مع تحت فوق بين عند حول خلف امام قرب وراء داخل لدي نحو ضد".split()
    for end in (*OWNERS, "كم")
) - {"بك", "لك", "علي", "قربي", "ضدي"}
_OF_FIGURES = ("مهب", "رحم")  # `كريشة في مهب الريح`
_WHERE = frozenset("في على فوق تحت بين امام خلف وراء عند قرب حول داخل وسط عبر بجانب".split())
_EVENT = re.compile(r"ان[^ا]{2}ا[^وي]$|ا[^ان]ت[^ا]ا[^وي]$")
_AGENT = re.compile(r"[^اوي]ا[^اوي].?$")


def follows(line: Sequence[Word], n: int) -> bool:
    """Whether word ``n`` is there and no sign stands before it."""
    return n < len(line) and line[n].joined


def is_preposition(word: Word) -> bool:
    """A preposition or what joins words."""
    return word.plain in listed("prepositions")


def is_prepositional(form: str) -> bool:
    """``فيه``, ``عليها``, ``حوله``: a preposition with its pronoun."""
    return form in _PREPOSITIONAL


def nominal(word: Word) -> bool:
    """Whether a word may be a noun: no verb, no particle, no preposition."""
    form = word.plain
    return (
        len(form) > 1
        and form not in listed("prepositions")
        and form not in listed("particles")
        and form not in listed("not_words")
        and form not in _PREPOSITIONAL
        and not (is_verb(form) and not definite(word) and not accusative(word))
    )


@lru_cache(maxsize=8192)
def feminine(form: str) -> bool:
    """Feminine or a plural of things: what describes it ends in ta marbuta."""
    if form in listed("seen_m") or form in listed("beings_m"):
        return False
    if form in listed("seen_f") or form in listed("beings_f"):
        return True
    if (
        form.endswith(FEMININE)
        or form in ("سماء", "صحراء", "نار", "شمس", "عين", "يد", "ريح", "ارض")
        or (form.endswith("اء") and form in listed("colors"))
    ):
        return True
    return len(form) > 3 and _BROKEN_PLURAL.match(form) is not None


def vehicle(line: Sequence[Word], n: int, letter: int = 0) -> tuple[Span, int] | None:
    """The span of the noun that begins behind ``letter`` letters of word ``n``, and the number of its last word."""
    while (
        letter == 0
        and n < len(line)
        and line[n].plain in ("اي", "اية", "كل", "بعض", "مجرد", "الف", "مئة", "عشرات", "مئات", "الاف", "مليون")
        and follows(line, n + 1)
    ):
        n += 1
    if n >= len(line):
        return None
    word = line[n]
    form = word.plain[letter:]
    if form in listed("holders") and follows(line, n + 1) and nominal(line[n + 1]):
        return vehicle(line, n + 1)  # `كأهل القبور`
    agent = form.removeprefix("ال")
    if letter and _AGENT.match(agent) and agent not in listed("no_quality") and follows(line, n + 1):
        inner = n + 2 if is_preposition(line[n + 1]) else n + 1
        if follows(line, inner) and definite(line[inner]) and (inner > n + 1 or not definite(word, letter)):
            return vehicle(line, inner)  # `كقابض الجمر`, `كالقابض على الجمر`
    if (
        _EVENT.match(form)
        and not definite(word, letter)
        and follows(line, n + 1)
        and nominal(line[n + 1])
        and not is_quality(line[n + 1].plain)
    ):
        return vehicle(line, n + 1)  # `انكسار قشرة جوز`
    sheet = form.removesuffix("ا") == "لوح" and follows(line, n + 2) and line[n + 1].plain == "من"
    if sheet and not definite(line[n + 2]):
        return vehicle(line, n + 2)  # `لوحًا من زجاج`
    if form.removesuffix("ا") in listed("group") and follows(line, n + 1):
        inner = n + 2 if line[n + 1].plain == "من" else n + 1
        if follows(line, inner) and nominal(line[inner]) and (inner == n + 2 or not _describes(line, n, letter, inner)):
            return vehicle(line, inner)
    known = definite(word, letter)
    start = word.place(letter + 2 if known else letter)
    end = _without_tanwin(word, letter)
    if end - start < 2:
        return None
    if not known and end == word.end and not owned(word, letter) and _compound(line, n, letter):
        return (start, _without_tanwin(line[n + 1], 0)), n + 1
    return (start, end), n


def _without_tanwin(word: Word, letter: int) -> int:
    end = word.end
    if definite(word, letter):
        return end
    while end > word.start and word.text[end - word.start - 1] in "\u064b\u064c\u064d":
        end -= 1
    form = word.plain[letter:]
    if word.text[: end - word.start].endswith(TANWIN) and len(form) > 3:
        return end - 2
    if end < word.end and word.text[: end - word.start].endswith("ا") and len(form) > 3:
        return end - 1
    ours = form.endswith("نا") and len(form) > 4
    if (
        form.endswith("ا")
        and not form.endswith(("ها", "هما"))
        and not ours
        and len(form) > 2
        and not form.endswith("ايا")
        and form not in _NO_TANWIN
        and end == word.end
        and word.bare[-1] == "ا"
    ):
        return end - 1
    return end


def _compound(line: Sequence[Word], n: int, letter: int) -> bool:
    """``أكياس طحين``, ``جناح عثة``: a new noun right behind a new noun, and the kind of thing that it is."""
    if not follows(line, n + 1):
        return False
    second = line[n + 1]
    if definite(second) or owned(second) or not nominal(second) or accusative(second) or len(second.plain) < 2:
        return False
    if second.plain[0] in "وفبلك" and len(second.plain) > 4 and second.plain[1:3] == "ال":
        return False
    if _describes(line, n, letter, n + 1) or second.plain in _NO_SECOND:
        return False
    if second.plain[0] == "و" and second.plain not in listed("waw"):
        return False
    noun = line[n].plain[letter:]
    if noun.endswith(("تان", "تين")) or (noun.endswith("ون") and len(noun) > 4):
        return False
    if behind_preposition(line, n + 1):
        return False
    if not follows(line, n + 2):
        return True
    third = line[n + 2]  # `أضلاع وحش ضخم`: one monster's
    if line[n].plain[letter:] in listed("portion"):
        return True
    loose = second.plain in listed("past_or_noun")
    if loose and (is_preposition(third) or is_prepositional(third.plain)):
        return False  # `حساء برد في طبقه`
    if third.plain[0] == "و" and third.plain not in listed("waw"):
        return True
    if definite(third) or (owned(third) and nominal(third)):
        return False
    if accusative(third):
        return True
    described = is_quality(third.plain) and not is_verb(third.plain) and not is_preposition(third)
    return not (described and feminine(noun) != feminine(third.plain))


def _describes(line: Sequence[Word], n: int, letter: int, m: int) -> bool:
    """Whether word ``m`` is an adjective of the noun at ``n``: it agrees and has the shape of one."""
    noun, said = line[n].plain[letter:], line[m].plain
    if is_preposition(line[m]) or definite(line[m]):
        return True
    if noun.endswith(("تين", "تان", "ين", "ان")) and said.endswith(("ين", "ان")) and len(noun) > 4:
        return True
    if said.endswith("اء") and said not in listed("colors"):
        return False
    if feminine(noun) and not said.endswith((*FEMININE, "اء")):
        return (said.endswith("ين") and len(said) > 5 and is_quality(said[:-2])) or (
            len(said) > 3
            and _BROKEN_PLURAL.match(noun) is not None
            and not noun.endswith("ة")
            and is_quality(said)
            and _qualified_plural(noun, said)
        )
    return is_quality(said)


def _qualified_plural(noun: str, said: str) -> bool:
    """What looks like a plural may be none: `شلال متجمد`; then a masculine adjective describes it."""
    return re.match(r".[^ا]ا[ئ].$|ا..ا.$|م.ا.ي?.$", noun) is None and said not in listed("no_quality")


def extent(
    line: Sequence[Word],
    n: int,
    last: int,
    letter: int,
    stops: frozenset[int],
    *,
    clause: bool,
    verbal: bool,
    at: int,
    feminine_tenor: bool | None,
) -> tuple[int, bool]:
    """The number of the last word of the comparison, and whether that is sure.

    A known thing takes its adjectives; a new one what describes it, up to a sign or to what belongs to the sentence.
    ``n``: the word that holds the vehicle's noun, behind ``letter`` letters; ``last``: the last word of its span;
    ``stops``: where other markers stand; ``clause``: whether the noun stands in a compared clause; ``verbal``: whether
    a verb compares; ``at``: the marker, since what is done before it tells whose a verb behind the vehicle is;
    ``feminine_tenor`` tells whose a pronoun is.
    """
    whole = definite(line[n], letter) or (last == n and follows(line, n + 1) and _of_known(line, n, letter))
    known = whole and not clause
    still = whole and verbal
    m, inside, done = last, clause, False
    while follows(line, m + 1):
        word = line[m + 1]
        if m + 1 in stops:
            return last, False
        form = word.plain
        joined = _joins(form)
        if inside and form in ("ولم", "ولا", "لم", "لا") and (m > last or not clause):
            m += 1
            continue
        if form in listed("particles") and (not inside or form in _GOES_ON or form[0] == "و"):
            return m, True
        behind = line[m + 2] if is_preposition(word) and follows(line, m + 2) else None
        if known and not inside and behind is not None and set_phrase(line[n].plain[letter:], behind):
            m += 2  # `كالنار في الهشيم`
            continue
        if known and not inside and behind is not None and nominal(behind) and not _known(line, m + 2):
            return m, _wants_a_place(line, at)  # `صفراء كالمراوح على رصيف`
        if still and behind is not None and form in _WHERE:
            placed = not _known(line, m + 2)  # `هلال يشبه المنجل فوق حقل قمح`
            if placed or not (owned(behind) or at == 0 or definite(line[at - 1]) or owned(line[at - 1])):
                return m, placed
        still = still and _known_adjective(line, m + 1)
        verb = None if done or joined else _verb_behind(line, m)
        if verb is not None and (not inside or (clause and m == last and not goes_on(line, at, (n, letter)))):
            done = True
            whose = doer(line, at, (n, letter), verb, feminine)
            if whose != "vehicle":
                return m, whose == "tenor"
            inside = True  # `كسمكة تقفز من الماء`
        if known and not inside:
            if _known_adjective(line, m + 1):
                m += 1
                continue
            return m, is_preposition(word) or joined or is_verb(form) or form[0] in "بلك"
        if joined and not clause and (is_verb(form) or form[0] == "ف" or form[1:3] == "ال" or owned(word)):
            return m, True
        if joined and clause and n == at + 1 and _was_done(form, line[last + 1 : m + 1]):
            return m, True  # `ضحكت الشمس كأنها برتقالة وأيقظت العصافير`
        inside = inside or (not joined and is_verb(form) and form not in listed("colors"))
        if not inside and behind is not None and set_phrase(line[n].plain[letter:], behind):
            m += 2
            inside = True
            continue
        governs = is_preposition(word) and not (form == "من" and m == last)
        if not inside and (form[:3] == "بال" or (governs and _of_the_sentence(line, m + 2, feminine_tenor))):
            return m, True
        m += 1
    return m, True


def _wants_a_place(line: Sequence[Word], at: int) -> bool:
    """Whether the sentence before the marker says no place yet, or how something looks: a place behind is its own."""
    begin = max(-1, at - 7)
    verb = next((n for n in range(at - 1, begin, -1) if is_verb(line[n].plain)), begin)
    placed = any(_places(line, n) for n in range(verb + 1, at))
    return at > 0 and (says_quality(line[at - 1]) or not placed)


def _known_adjective(line: Sequence[Word], n: int) -> bool:
    """Whether a word describes a known thing: it has the article as well, and is no other thing that is joined."""
    word = line[n]
    another = word.bare.startswith("وال") and follows(line, n + 1) and not is_quality(word.plain[3:])
    return word.bare.startswith(("ال", "وال")) and not is_verb(word.plain) and not another


def _was_done(form: str, before: Sequence[Word]) -> bool:
    """Whether a joined form is a past one, and the first verb of a compared clause."""
    past = form[1:] in listed("past") or form[1:].removesuffix("ت") in listed("past")
    return past and not any(is_verb(word.plain) for word in before)


def _verb_behind(line: Sequence[Word], m: int) -> int | None:
    """The verb right behind word ``m``, or behind its `not`."""
    n = m + 2 if line[m + 1].plain in ("لم", "لا") and follows(line, m + 2) else m + 1
    form = line[n].plain
    found = is_verb(form) and form not in listed("colors") and not (is_preposition(line[m]) or definite(line[n]))
    return n if found else None


@lru_cache(maxsize=8192)
def _joins(form: str) -> bool:
    """Whether a form begins with `and` or `so`."""
    if len(form) < 4 or form in listed("no_verb") or is_prepositional(form):
        return False
    if form[0] == "و":
        return form not in listed("waw")
    return form[0] == "ف" and not is_quality(form) and (is_verb(form[1:]) or form[1:3] == "ال")


_GOES_ON = frozenset("ثم لكن ولكن بل كما مثلما كأن كأنه كأنها كأنهم كأنما مثل لأن لأنه لأنها كي لكي".split())


def _places(line: Sequence[Word], n: int) -> bool:
    return is_preposition(line[n]) or is_prepositional(line[n].plain) or behind_preposition(line, n) > 0


def _known(line: Sequence[Word], n: int) -> bool:
    """With the article, an owner, or a known thing behind it."""
    return definite(line[n]) or owned(line[n]) or (follows(line, n + 1) and definite(line[n + 1]))


def _of_the_sentence(line: Sequence[Word], n: int, feminine_tenor: bool | None) -> bool:
    """Whether what stands behind a preposition is known in the sentence: `على فريسته`, `بين التلميذين`, no `على رف`."""
    if not follows(line, n):
        return False
    if owned(line[n]):
        other = feminine_tenor if line[n].plain.endswith("ه") else feminine_tenor is False
        return not (other and line[n].plain.endswith(("ه", "ها")))  # `تمددت القطة مثل سلطان في ديوانه`: the sultan's
    place = n
    if line[n].plain in _OF_FIGURES:
        return False
    if not definite(line[n]) and nominal(line[n]) and follows(line, n + 1) and definite(line[n + 1]):
        place = n + 1  # `على رؤوس الجنود`
    return definite(line[place]) and not (follows(line, place + 1) and is_present(line[place + 1].plain))


def _of_known(line: Sequence[Word], n: int, letter: int) -> bool:
    """``نسيم البحر``: of a known thing, and so known itself."""
    after = line[n + 1]
    return definite(after) and not owned(line[n], letter) and nominal(after)


def behind_preposition(line: Sequence[Word], noun: int) -> int:
    """How many letters of a word stand before its noun: the ba of ``مفروشة بالمسامير``."""
    form = line[noun].plain
    if len(form) < 4 or form[0] not in "بل" or definite(line[noun]):
        return 0
    itself = listed("ba" if form[0] == "ب" else "la")
    return 0 if form in itself or form.removesuffix("ا") in itself or form.removesuffix("ة") in itself else 1
