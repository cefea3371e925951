"""The kaf that compares, `كالجدار`, and the words that only begin with that letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from trope.strategies.guard.arabic.clauses import of_predicate
from trope.strategies.guard.arabic.marker import Marker
from trope.strategies.guard.arabic.phrases import follows, nominal
from trope.strategies.guard.arabic.shapes import is_verb, says_quality
from trope.strategies.guard.arabic.words import Word, accusative, definite, listed
from trope.strategies.guard.lexicon import words

_KAF_ENDINGS = (*"ة ه ها هم هما هن ي نا ات ين ون ا وا ت ته تها ني تهم اته اتها اتك اتهم اتنا اتي تي يه يها".split(), "")


@cache
def _kaf_forms() -> frozenset[str]:
    """All forms of the words that begin with kaf."""
    stems = listed("kaf")
    forms = set(stems)
    for stem in stems:
        if len(stem) > 2:
            forms.update(stem + ending for ending in _KAF_ENDINGS if len(stem) > 3 or ending not in ("ان", "ك"))
            if stem.endswith("ة"):
                forms.update(stem[:-1] + "ت" + ending for ending in ("ه", "ها", "هم", "ي", "نا"))
        else:
            forms.update(stem + ending for ending in ("ه", "ها", "هم", "هما", "هن", "نا", "كم", "ي", "ا"))
    return frozenset(forms) - {"كملك", "كملاك", "كرمان", "كورك"}


_WITH_ALIF = re.compile(
    r"ا..ا.$|ا.ا.{2}ي?$|ا..ا.ات$|ا[^اوي]{3,4}ة$|ا.ت|ان.{2}|است|ام[يو]|ا[^اوي]{2}[ةاى]?$"
    "|(?:ابن|ابنة|امراة|اسم|ارنب|افعى|اعصار|اخطبوط)$"
)


@cache
def _waw_and_fa() -> tuple[str, ...]:
    return tuple(listed("conjunction_or_root"))


@cache
def _kaf_spelled() -> frozenset[str]:
    return frozenset(stem + ending for stem in words("ar", "kaf") for ending in _KAF_ENDINGS)


# Behind a kaf these make a word that compares nothing: `كان`, `كما`, `كذلك`.
_NOT_LIKENED = frozenset("ي ان انت اد اين ما من ل لا لما ذا ذلك هذا هذه".split())


@lru_cache(maxsize=16384)
def compares(form: str, spelled: str, definite_rest: bool) -> bool:
    """Whether the kaf before the rest of a plain form compares, and is no part of the word."""
    rest = form[1:]
    if len(rest) < 2 or (form in _kaf_forms() and (spelled[1] not in "أإآ" or spelled in _kaf_spelled())):
        return False
    if spelled[1] == "ا" and not definite_rest and not _WITH_ALIF.match(rest):
        return False
    if definite_rest:
        return form not in ("كالح", "كالحة", "كالسيوم", "كالوري", "كالحا", "كالين")
    return form not in ("كفت", "كفوا", "كفا") and rest not in _NOT_LIKENED


def kaf(line: Sequence[Word], at: int) -> Marker | None:
    """The comparison of a word that begins with kaf, or with `and` and kaf."""
    word = line[at]
    letter = 0 if word.plain[0] == "ك" else 1
    if letter and word.plain[0] == "ل":
        return None
    form = word.plain[letter:]
    if len(form) < 3 or form[0] != "ك" or word.text[word.place(letter) - word.start + 1 :][:1] in ("\u064c", "\u064d"):
        return None
    known = definite(word, letter + 1)
    if form in ("كمن", "كالذي", "كالتي", "كالذين"):
        return _one_who(line, at, letter)
    if letter and word.plain.startswith(_waw_and_fa()):
        return None
    doubtful = form in listed("kaf_or_vehicle") and at > 0 and word.joined
    if doubtful and not says_quality(line[at - 1]):
        return None
    if not doubtful and not compares(form, word.bare[letter:], known):
        return None
    if not known and accusative(word) and form[1:].removesuffix("ا") not in listed("no_quality") and len(form) < 6:
        return None  # `كيدًا`
    begin = word.place(letter)
    return of_attribute(line, at, Marker("kaf", (begin, word.place(letter + 1)), at, at, letter + 1))


def of_attribute(line: Sequence[Word], at: int, marker: Marker) -> Marker:
    """``صمت كصمت القبور``: of a trait that is named again, what has it is the vehicle."""
    trait = line[marker.noun].plain[marker.letter :].removeprefix("ال")
    nxt = marker.noun + 1
    if not follows(line, nxt) or not nominal(line[nxt]) or not _listed_attribute(trait):
        return marker
    if not definite(line[marker.noun], marker.letter) and any(
        _alike(word.plain, trait) for word in line[max(0, at - 6) : at]
    ):
        return Marker(marker.kind, (marker.span[0], line[marker.noun].end), at, nxt, 0, marker.clause)
    return marker


def _listed_attribute(trait: str) -> bool:
    """Whether this is a trait or a part of somebody."""
    return trait in listed("attributes") or trait.removesuffix("ي") in listed("attributes")


def _alike(word: str, trait: str) -> bool:
    word = word.removeprefix("و") if len(word) > 3 else word
    word = word.removeprefix("ال")
    return word[:3] == trait[:3] and abs(len(word) - len(trait)) < 4


def _one_who(line: Sequence[Word], at: int, letter: int) -> Marker | None:
    """``كمن يجلس على جمر``."""
    if not follows(line, at + 1) or not is_verb(line[at + 1].plain):
        return None
    noun = of_predicate(line, at + 1, guessing=False)
    return None if noun is None else Marker("as if", (line[at].place(letter), line[at].end), at, noun, 0, clause=True)
