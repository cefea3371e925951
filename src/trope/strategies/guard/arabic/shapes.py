"""What an Arabic form is by its shape: a verb, an adjective, a noun; and where in a sentence something is done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trope.strategies.guard.arabic.words import NEARBY, Word, accusative, definite, listed, of, owned

_NOUN_IN_TA = re.compile(r"ت[^ا].ي.(?:ه|ها)?$|ت.ا[^يا]{2}ات$|ت.ا.ي.(?:ه|ها|ة)?$")  # `تصوير`, `تجاعيد`
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
    if form[0] == "ت" and (_NOUN_IN_TA.match(form)):
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
    verb = is_verb(word.plain) and word.plain not in listed("colors")
    return not definite(word) and not owned(word) and any(map(is_quality, forms)) and not verb


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
