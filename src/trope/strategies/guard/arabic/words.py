"""Arabic words: their letters without vowel signs, and what a form is by its shape: verb, adjective, definite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from trope.strategies.guard.lexicon import words

_WORD = re.compile(r"[\u0621-\u065f\u0670\u0640\u066e-\u06d3]+")
_SIGNS = re.compile(r"[\u064b-\u065f\u0670\u0640]")
_ALIFS = str.maketrans("أإآٱ", "اااا")
NEARBY = 24  # as many words before or after a marker, at most, are looked at


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    ``bare`` is the word without vowel signs and lengthening, ``plain`` also without the hamza on alif (the lists are
    read so); ``joined``: no sign stands between it and the word before; ``known``: it has the article.
    """

    text: str
    bare: str
    plain: str
    start: int
    end: int
    joined: bool
    known: bool

    def place(self, letter: int) -> int:
        """Where the n-th letter of the bare form stands in the text."""
        seen = -1
        for offset, sign in enumerate(self.text):
            seen += not _SIGNS.match(sign)
            if seen == letter:
                return self.start + offset
        return self.end


def bare(text: str) -> str:
    """Without vowel signs and lengthening."""
    return _SIGNS.sub("", text)


def plain(text: str) -> str:
    """Without vowel signs, lengthening and the hamza on alif."""
    return bare(text).translate(_ALIFS)


def words_of(text: str, start: int, end: int) -> list[Word]:
    """The words of ``text[start:end]``."""
    found: list[Word] = []
    for match in _WORD.finditer(text, start, end):
        letters = bare(match.group())
        if letters:
            between = text[found[-1].end : match.start()] if found else ""
            form = letters.translate(_ALIFS)
            joined = not between or between.isspace()
            found.append(Word(match.group(), letters, form, match.start(), match.end(), joined, _has_article(letters)))
    return found


@cache
def listed(name: str) -> frozenset[str]:
    """A list of the lexicon, in plain letters."""
    return frozenset(plain(word) for word in words("ar", name))


def of(form: str, name: str) -> bool:
    """Whether a plain form is in a list, with or without article, conjunction and the endings of number and case."""
    return _of(form, name)


@lru_cache(maxsize=16384)
def _of(form: str, name: str) -> bool:
    known = listed(name)
    return any(base in known for base in _bases(form))


def _bases(form: str) -> list[str]:
    bases = [form]
    if len(form) > 3 and form[0] in "وف":
        bases.append(form[1:])
    bases += [base[2:] for base in tuple(bases) if base.startswith("ال") and len(base) > 4]
    bases += [base.removesuffix("ا") for base in tuple(bases) if base.endswith("ا") and len(base) > 3]
    return bases


def stem_of(form: str, name: str) -> bool:
    """Whether a form comes from a listed stem, with the letters that verbs and participles take before it."""
    return _stems(name).match(form) is not None


@cache
def _stems(name: str) -> re.Pattern[str]:
    either = "|".join(sorted(listed(name), key=lambda stem: (-len(stem), stem)))
    return re.compile(
        rf"[وف]?(?:ال)?(?:ا|ي|ت|ن|م|مت|يت|تت|يس|تس|اس|ب)?(?:{either})(?:ت|ه|ها|ة|ا|وا|ون|ين|ات|ته|تها|نا|وه|وها|ناه|ناها)?$"
    )


def definite(word: Word, letter: int = 0) -> bool:
    """With the article, behind ``letter`` letters; `ألوان` has none."""
    return word.known if letter == 0 else _has_article(word.bare[letter:], behind=True)


def _has_article(letters: str, *, behind: bool = False) -> bool:
    return len(letters) > 3 and letters.startswith(("ال", "لل")) and (behind or letters not in listed("form_eight"))


def owned(word: Word, letter: int = 0) -> bool:
    """``عيناها``, ``سيفه``: somebody's, by its ending."""
    return not definite(word, letter) and not accusative(word) and _owned(word.plain[letter:])


@lru_cache(maxsize=8192)
def _owned(form: str) -> bool:
    if form in listed("ends_like_pronoun") or form.removeprefix("و") in listed("ends_like_pronoun"):
        return False
    if form.endswith(("ها", "هم", "هن")) and len(form) > 3:
        return True
    if len(form) > 3 and form.endswith("تك"):
        return True
    if len(form) > 4 and form.endswith(("كم", "نا")) and form[-3:] != "انا":
        return True
    return len(form) > 3 and (form.endswith("هما") or (form.endswith("ه") and form != "الله"))


def accusative(word: Word) -> bool:
    """With the tanwin of the accusative."""
    return word.text.endswith(("ًا", "اً", "ءً", "ةً"))


_MASDAR = re.compile(r"ت[^ا].ي.(?:ه|ها)?$|ت.ا[^يا]{2}ات$|ت.ا.ي.(?:ه|ها|ة)?$")  # `تصوير`, `تجاعيد`
_PRESENT = re.compile(r"(?:س?[يتن])(?:.{2,}|.[ايوى].?)$")
_PAST_SHAPE = re.compile(r"ان[^اوي]{3}(?:ت|وا|ا)?$|ا[^ا]ت[^اي]{2}(?:ت|وا)?$|است[^اوي]{3}(?:ت|وا)?$")  # `انقطع`, `احترق`
_FEMININE_PAST = re.compile(r".{2,5}(?<![اي])ت$|ا.{1,3}[^ايو]ت$")


@lru_cache(maxsize=16384)
def is_verb(form: str) -> bool:
    """Whether a plain form is a verb: a listed past form, or one with the shape of a past or a present one."""
    if form in listed("no_verb"):
        return False
    if _past(form):
        return form not in listed("past_or_noun")
    if len(form) > 3 and form[0] in "وف" and form[1:] in listed("past") and form[1:] not in listed("past_or_noun"):
        return True
    if len(form) > 4 and form[0] in "وف" and (_past(form[1:]) or (form[1] in "يت" and is_verb(form[1:]))):
        return form[1:] not in listed("past_or_noun")
    if form.endswith("وا") and len(form) > 4:
        return True
    if _PAST_SHAPE.match(form):
        return True
    if _FEMININE_PAST.match(form) and len(form) > 3 and not form.startswith("ال"):
        return form not in listed("ends_in_ta") and form.removeprefix("و") not in listed("ends_in_ta")
    return is_present(form)


def _past(form: str) -> bool:
    past = listed("past")
    if form in past:
        return True
    for ending in ("ت", "وا", "ن", "ا", "تا", "ه", "ها", "ته", "تها", "هم", "نا", "ني"):
        stem = form.removesuffix(ending)
        if (
            stem != form
            and len(stem) > (2 if ending == "ن" else 1)
            and (stem in past or (ending in ("ت", "ه", "ها") and stem + "ى" in past))
        ):
            return True
    return form.endswith("ت") and form[:-1] + "ا" in past


@lru_cache(maxsize=16384)
def is_present(form: str) -> bool:
    """Whether a plain form has the shape of a present verb and is no listed noun."""
    if len(form) > 4 and form[0] in "وف" and form[1] in "يت":
        form = form[1:]
    if len(form) < 3 or form[0] not in "يتس" or (form[0] == "س" and (len(form) < 5 or form[1] not in "يت")):
        return False
    for ending in ("", "ه", "ها", "هم", "ين", "ان", "ات", "ا", "ي", "ية"):
        if form.removesuffix(ending) in listed("no_verb"):
            return False
    if form.endswith(("ة", "ية", "اء")) or form in listed("ends_in_ta"):
        return False
    if form[0] == "ت" and (_MASDAR.match(form)):
        return False
    return _PRESENT.match(form) is not None


_QUALITY = re.compile(
    r"..[يئ].$|..يء$|.[ا]..$|.[ا]ئ.$|م..و.$|م[^ا]{3}$|م[^ا][^ا]{2,3}$|مت.{2,4}$|من[^ا]{3}$|مست.{2,3}$|مت.ا.{1,2}$"
)
_ENDINGS = ("تين", "تان", "ات", "ين", "ان", "ون", "ة", "ا", "ت")


@lru_cache(maxsize=16384)
def is_quality(form: str) -> bool:
    """Whether a plain form without article looks like an adjective: by its pattern, its ending, or listed."""
    if form in listed("no_quality"):
        return False
    if form in listed("colors") or form in listed("short_qualities") or form in listed("states"):
        return True
    bases = [
        form,
        *(form.removesuffix(ending) for ending in _ENDINGS if form.endswith(ending) and len(form) > len(ending) + 2),
    ]
    if any(base in listed("no_quality") for base in bases):
        return False
    if any(base in listed("colors") or base in listed("short_qualities") for base in bases):
        return True
    if form.endswith(("ية", "ي", "يين", "يون", "يا", "يتان", "يتين")) and len(form) > (6 if form[-1] == "ن" else 4):
        return True
    return any(len(base) > 3 and base[-1] != "ة" and _QUALITY.match(base) for base in bases)


def says_quality(word: Word) -> bool:
    """Whether a word right before a marker says the quality that is compared."""
    if word.plain in listed("particles") or word.plain in listed("prepositions"):
        return False
    if accusative(word) and is_quality(word.plain.removesuffix("ا")):
        return True
    if word.plain[0] == "ب" and any(
        word.plain[1:].removesuffix(end) in listed("attributes") for end in ("", "ين", "ي")
    ):
        return False
    forms = (word.plain, word.plain[1:]) if word.plain[0] == "و" and len(word.plain) > 4 else (word.plain,)
    return not definite(word) and not owned(word) and any(map(is_quality, forms)) and not is_verb(word.plain)


def surely_verb(word: Word) -> bool:
    """A verb that is no linking one and can be no noun, adjective or adverb."""
    return is_verb(word.plain) and not of(word.plain, "linking") and not definite(word)


def acts(line: Sequence[Word], start: int, stop: int) -> bool:
    """Whether something is done in ``line[start:stop]``."""
    return any(surely_verb(word) for word in line[max(0, start) : stop])


def part_start(line: Sequence[Word], at: int) -> int:
    """The first word of the part between signs that holds word ``at``."""
    n = at
    while n > 0 and line[n].joined and at - n < NEARBY:
        n -= 1
    return n


def may_be_verb(form: str) -> bool:
    """Whether a plain form is a verb, or a past form that is a noun as well."""
    return is_verb(form) or _past(form) or form in listed("guesses")


def nominal_form(form: str) -> bool:
    """Whether a plain form is no preposition, particle or verb."""
    return form not in listed("prepositions") and form not in listed("particles") and not is_verb(form)
