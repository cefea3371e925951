"""Arabic words: their letters without vowel signs, the lists they are in, and whether they are known or owned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from trope.strategies.guard.lexicon import words

_WORD = re.compile(r"[\u0621-\u065f\u0670\u0640\u066e-\u06d3]+")
_SIGNS = re.compile(r"[\u064b-\u065f\u0670\u0640]")
_ENDS_IN_NUN = re.compile(r".ا.نا$|..ينا$")  # `ساكنا`, `حزينا`
_ALIFS = str.maketrans("أإآٱ", "اااا")
OWNERS = ("هما", "ها", "هم", "هن", "نا", "ه", "ي", "ك")  # the endings of `his`, `her`; the longest first
FEMININE = ("ة", "ات", "ى")  # endings
TANWIN = ("ًا", "اً")
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


@lru_cache(maxsize=16384)
def of(form: str, name: str) -> bool:
    """Whether a plain form is in a list, with or without article, conjunction and the endings of number and case."""
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
        return _ENDS_IN_NUN.match(form) is None
    return len(form) > 3 and (form.endswith("هما") or (form.endswith("ه") and form != "الله"))


def accusative(word: Word) -> bool:
    """With the tanwin of the accusative."""
    return word.text.endswith(("ًا", "اً", "ءً", "ةً"))
