"""Who does what the verb behind a vehicle says: ``طفل كالقمر يلعب`` is the child, ``كشمعة تطفئها الريح`` the candle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from trope.strategies.guard.arabic.agreement import is_being
from trope.strategies.guard.arabic.shapes import is_present, is_quality, is_verb, nominal_form, part_start
from trope.strategies.guard.arabic.words import OWNERS, Word, accusative, definite, listed, of, owned

Doer = Literal["tenor", "vehicle", "either"]

# What somebody sees or draws is done by nobody in the picture.
_SEES = frozenset("رايت راى راينا ارى نرى شاهدت شاهد شاهدنا ابصرت لمحت لمح ارسم رسمت صور صورت التقطت هناك".split())


def doer(line: Sequence[Word], at: int, noun: tuple[int, int], verb: int, feminine: Callable[[str], bool]) -> Doer:
    """Whether the tenor or the vehicle does what word ``verb`` says.

    ``at``: the marker's first word; ``noun``: the vehicle's word and how many letters stand before the noun in it. It
    is surely the vehicle only where that is new, agrees with the verb, and the tenor has a verb of its own or does not
    agree.
    """
    n, letter = noun
    if any(is_verb(word.plain) and not definite(word) for word in line[at + 1 : n]):
        return "vehicle"  # `كما تنطفئ شمعة نسيها أهلها`: all of it in the compared clause
    tenor = _tenor(line, at)
    form = line[n].plain[letter:].removeprefix("ال").removesuffix("ا")
    fits_vehicle = _agrees(line[verb], form, feminine)
    fits_tenor = tenor is None or _agrees(line[verb], tenor, feminine)
    somebody = definite(line[n], letter) or any(is_being(word) for word in line[max(0, at - 4) : max(0, at - 1)])
    fits_tenor = fits_tenor or (somebody and _fits_owner(line, at, verb))
    if definite(line[n], letter):
        return "tenor" if fits_tenor or not fits_vehicle else "vehicle"
    if at == 0 or not line[at].joined or not (is_present(line[verb].plain)):
        return "vehicle"  # `، كنبيذ ترك في القدح`
    if fits_vehicle and (not fits_tenor or _acts_itself(line, at)):
        return "vehicle"
    return "either" if fits_tenor else "vehicle"


def _fits_owner(line: Sequence[Word], at: int, verb: int) -> bool:
    """Whether the owner of a part before the marker does it, by the pronoun: ``شيخ لحيته كالقطن يقرأ``."""
    part = line[max(0, at - 1)].plain
    if at == 0 or not owned(line[at - 1]) or not part.endswith(("ه", "ها")) or not nominal_form(part):
        return False
    form = line[verb].plain.removeprefix("س")
    return (form[0] == "ت" or form.endswith("ت")) == part.endswith("ها")


def goes_on(line: Sequence[Word], at: int, noun: tuple[int, int]) -> bool:
    """Whether a compared clause surely holds the verb behind its noun: ``يرتجف كأنه طائر يبرد``."""
    if definite(line[noun[0]], noun[1]):
        return False
    part = line[part_start(line, at) : at]
    if not part or any(_does(word) for word in part):
        return True
    as_if = "ك" in line[at].plain[:2]
    return as_if and any(is_quality(word.plain) and not definite(word) and not owned(word) for word in part)


def _acts_itself(line: Sequence[Word], at: int) -> bool:
    """Whether the tenor has a verb of its own: ``يطير الحارس كسمكة``, no ``رأيت رجلا كأسد``; or is known and so."""
    part = line[part_start(line, at) : at]
    before = line[at - 1]
    beside = nominal_form(before.plain) and before.plain[0] != "ب" and not owned(before) and not definite(before)
    if beside and not is_quality(before.plain.removesuffix("ا")):
        behind = at > 1 and line[at - 1].joined and line[at - 2].plain in listed("prepositions")
        return behind and any(_does(word) for word in part)
    if any(_does(word) for word in part):
        return True
    known = any(definite(word) or owned(word) for word in part)
    return known and any(is_quality(word.plain) and not definite(word) and not owned(word) for word in part)


def _does(word: Word) -> bool:
    acts = is_verb(word.plain) or of(word.plain, "linking")
    return acts and not definite(word) and word.plain not in _SEES


def _tenor(line: Sequence[Word], at: int) -> str | None:
    """The plain noun right before the marker, over its adjectives; None where something else stands there."""
    n = at - 1
    while n > 0 and line[n].joined and n > at - 4 and not owned(line[n]):
        word, noun = line[n], line[n - 1]
        if not is_quality(word.plain.removeprefix("ال")) or not nominal_form(noun.plain):
            break
        if definite(word) != definite(noun):
            break
        n -= 1
    if n < 0 or not nominal_form(line[n].plain) or (n > 0 and line[n].joined and not nominal_form(line[n - 1].plain)):
        return None
    if n > 0 and line[n].joined and definite(line[n]) and not definite(line[n - 1]):
        n -= 1  # `وجه الطفلة`
    form = line[n].plain.removeprefix("ال")
    if owned(line[n]):
        ending = next((end for end in OWNERS if form.endswith(end)), "")
        form = form.removesuffix(ending)
        if form.endswith("ت"):
            form = form[:-1] + "ة"
    return form.removesuffix("ا") if accusative(line[n]) else form


def _agrees(word: Word, noun: str, feminine: Callable[[str], bool]) -> bool:
    """Whether a verb can have this noun before it, in gender."""
    form = word.plain
    if form.endswith(("ون", "وا", "ان", "ين")) and len(form) > 4:
        return True
    if form.endswith(("ه", "ها")) and len(form) > 4:
        return form.endswith("ها") == feminine(noun)  # `تطفئها الريح`
    return (form.removeprefix("س")[0] == "ت" or form.endswith("ت")) == feminine(noun)
