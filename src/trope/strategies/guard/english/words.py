"""English words: tokens, and what part of speech a word can be, by a small lexicon and regular endings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.lexicon import rows, words

_LETTERS = "A-Za-zÀ-ɏḀ-ỿ0-9\u0300-\u036f"  # with the marks that belong to the letter before them
_TOKEN = re.compile(rf"[{_LETTERS}]+(?:[-'’.][{_LETTERS}]+)*['’]?|[^\s{_LETTERS}]")
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign of the prompt and where it stands."""

    text: str
    word: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether this is a word and not a sign."""
        return self.word[0].isalnum()


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The words and signs of ``text[start:end]``; spans count from the start of ``text``."""
    return [
        Token(m.group(), m.group().lower().replace("’", "'"), m.start(), m.end())
        for m in _TOKEN.finditer(text, start, end)
    ]


def _endings(verb: str) -> tuple[str, str, str]:
    """``(third person, -ed, -ing)`` by rule."""
    if verb.endswith(("s", "x", "z", "ch", "sh")) or verb == "go":
        third = verb + "es"
    elif verb.endswith("y") and verb[-2] not in _VOWELS:
        third = verb[:-1] + "ies"
    else:
        third = verb + "s"
    if verb.endswith("ie"):
        return third, verb + "d", verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return third, verb + "d", verb[:-1] + "ing"
    if verb.endswith("ee"):
        return third, verb + "d", verb + "ing"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return third, verb[:-1] + "ied", verb + "ing"
    doubled = re.search(r"^[^aeiou]*[aeiou][^aeiouwxy]$|(?:it|ip|ap)$", verb) and verb[-2] in _VOWELS
    stem = verb + verb[-1] if doubled and not verb.endswith(("erit",)) and verb[-3:-2] not in _VOWELS else verb
    return third, stem + "ed", stem + "ing"


@cache
def verb_forms() -> dict[str, str]:
    """Every form of a listed verb to its kind: ``base``, ``third``, ``past``, ``participle`` or ``ing``."""
    forms: dict[str, str] = {}
    irregular = {row.split()[0]: row.split()[1:] for row in rows("en", "irregular")}
    for verb in words("en", "verbs"):
        third, past, ing = _endings(verb)
        forms |= {third: "third", ing: "ing"}
        for form in (past, verb + verb[-1] + "ed") if verb not in irregular else ():
            forms.setdefault(form, "past")
        forms.setdefault(verb + verb[-1] + "ing", "ing")
    for past, participle in irregular.values():
        forms[participle] = "participle"
        forms[past] = "past"
    for verb in irregular:
        third, _, ing = _endings(verb)
        forms.setdefault(third, "third")
        forms.setdefault(ing, "ing")
    for verb in words("en", "verbs") | set(irregular):
        forms.setdefault(verb, "base")
    return forms


@cache
def is_adjective(word: str) -> bool:
    """Whether a word is listed as a visible or perceptible quality."""
    known = words("en", "adjectives")
    if word in known:
        return True
    head, _, tail = word.rpartition("-")
    return bool(head) and (tail in known or tail.endswith("ed"))


@cache
def is_participle(word: str) -> bool:
    """Whether a word is a participle: it may stand before a noun, and ends the phrase after one."""
    if word in words("en", "adjectives") or word in words("en", "things_in_ing"):
        return False
    kind = verb_forms().get(word)
    if kind in ("participle", "ing") or (kind == "past" and word.endswith("ed")):
        return True
    return (
        len(word) > 4
        and word.endswith(("ing", "ed"))
        and not word.endswith(("eed", "string", "spring", "viking", "thing"))
    )


@cache
def is_plural(word: str) -> bool:
    """Whether a word looks like a plural noun."""
    if word in words("en", "irregular_plurals"):
        return True
    if len(word) < 3 or word in words("en", "not_plural") or is_adjective(word):
        return False
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))


_PARTICLES = ("-up", "-out", "-about", "-down", "-off", "-away", "-over", "-on", "-in")


@cache
def is_adverb(word: str) -> bool:
    """Whether a word is an adverb in `-ly`: no jelly, no lily."""
    return word.endswith("ly") and word not in words("en", "nouns_in_ly")


@cache
def is_modifier(word: str) -> bool:
    """Whether a word before a noun is surely no part of a compound."""
    if word.endswith(("'s", "s'")):
        return True
    if word in words("en", "compounds"):
        return False
    if word.endswith(("ous", "less", "able", "ible", "ient")) and word not in ("table", "cable", "fable", "vegetable"):
        return True
    if word in words("en", "descriptive") or word.endswith(_PARTICLES):
        return True
    if word.endswith("ic") and word not in words("en", "nouns_in_ic"):
        return True
    if verb_forms().get(word) in ("past", "participle") and word not in words("en", "things_in_past"):
        return True
    return is_adjective(word) or is_participle(word) or is_adverb(word) or word[0].isdigit()


@cache
def positive(word: str) -> str:
    """`white` of `whiter`, `big` of `bigger`, `heavy` of `heavier`; the word itself if it is no comparative."""
    stem = word[:-2]
    forms = (stem + "e", stem, stem[:-1] + "y" if stem.endswith("i") else stem, stem[:-1])
    return next((form for form in forms if word.endswith("er") and is_adjective(form)), word)


@cache
def is_comparative(word: str) -> bool:
    """Whether a word is an adjective or adverb of degree: `whiter`, `bigger`, `heavier`."""
    return word in words("en", "comparatives") or positive(word) != word


@cache
def is_verb_form(word: str) -> bool:
    """Whether a word can be a finite verb: listed in the third person or the past, an auxiliary, or one in `-ed`."""
    if word in words("en", "finite") or word in words("en", "copulas"):
        return True
    if word in words("en", "modals") or word.endswith(("'d", "n't")):
        return True
    kind = verb_forms().get(word)
    return kind in ("third", "past") or (len(word) > 4 and word.endswith("ed") and not is_adjective(word))
