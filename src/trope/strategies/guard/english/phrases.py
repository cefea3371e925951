"""English phrases: the noun phrase after a marker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from trope.data.coco import words as class_words
from trope.strategies.guard.english.words import (
    Token,
    is_adjective,
    is_adverb,
    is_modifier,
    is_participle,
    is_plural,
    verb_forms,
)
from trope.strategies.guard.lexicon import rows, words

INDEFINITE = frozenset("a an one another".split())
SEVERAL = frozenset(
    "two three four five six seven eight nine ten dozens hundreds several some many few countless".split()
)
DEFINITE = frozenset("the this that these those my your his her its our their each every".split())
_PHRASE_LIMIT = 8
_AFTER_VERB = frozenset("like as me you him us them".split())
_AFTER_ING = DEFINITE | INDEFINITE | {"to"}
_NO_NOUN = frozenset("ones one so way kind sort other others thing things that".split())
# Adjectives that are things as well.
_ADJECTIVE_NOUNS = frozenset(
    "slick blind sweet orange gold silver ruby amber ivory light glass ice velvet square oval".split()
)


@cache
def _other_things() -> frozenset[str]:
    return frozenset(rows("en", "other_things"))


def other_thing(noun: str) -> bool:
    """Whether two words name a thing that is none of the second: a sea horse is no horse."""
    return noun in _other_things() or noun.removesuffix("s") in _other_things()


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A vehicle: token numbers ``first .. last`` of the phrase, ``head .. last_head`` of the noun and its compound.

    ``kind`` is the determiner's: `one`, `several`, `the` or `bare`; ``plural`` whether the noun is.
    """

    first: int
    head: int
    last_head: int
    last: int
    kind: str
    plural: bool


@cache
def _stops() -> frozenset[str]:
    return words("en", "stops") | words("en", "prepositions")


def noun_phrase(line: Sequence[Token], at: int) -> NounPhrase | None:
    """The noun phrase that starts at token ``at``, or None if there is none."""
    first, kind = at, "bare"
    if at < len(line):
        word = line[at].word
        if word in INDEFINITE:
            at, kind = at + 1, "one"
            if at < len(line) and line[at].word == word:
                at += 1
            if at < len(line) and line[at].word in ("thousand", "hundred", "million", "dozen"):
                at, kind = at + 1, "several"
            if at < len(line) and line[at].word == "few":
                at, kind = at + 1, "several"
        elif word in SEVERAL:
            at, kind = at + 1, "several"
        elif word in DEFINITE:
            at, kind = at + 1, "the" if word == "the" else "pointed"
    if (kind == "one" and at < len(line) and line[at].word == "pair") or (at < len(line) and line[at].word == "pairs"):
        return _counted(line, first, at, kind)
    if kind == "one" and [token.word for token in line[at : at + 2]] in (["of", "those"], ["of", "these"]):
        at, kind = at + 2, "several"
    if at + 1 < len(line) and line[at].word in ("inside", "outside") and line[at + 1].word == "of":
        inner = noun_phrase(line, at + 2)
        return None if inner is None else replace(inner, first=first)
    last = _last_noun(line, at, kind)
    if last is None:
        return None
    head, last_head = _compound(line, at, last)
    if word_at(line, last + 1) == "of" and _holds(line[last].word):
        inner = noun_phrase(line, last + 2)
        whole = words("en", "collectives") | words("en", "sacks")
        many = inner is not None and (inner.plural or line[last].word in whole)
        if inner is not None and many and inner.kind != "pointed":
            return NounPhrase(first, inner.head, inner.last_head, inner.last, kind, inner.plural)
    if _holds(line[last].word) and [token.word for token in line[last + 1 : last + 3]] == ["full", "of"]:
        inner = noun_phrase(line, last + 3)
        if inner is not None and inner.plural and inner.kind == "bare":
            return NounPhrase(first, inner.head, inner.last_head, inner.last, kind, True)
    plural = is_plural(line[last].word) or (is_plural(line[head].word) and word_at(line, head + 1) == "of")
    return NounPhrase(first, head, last_head, last, kind, plural)


def _holds(word: str) -> bool:
    """Whether a noun only groups or holds what comes after `of`: `a line of ants`, `a box of buttons`."""
    return (
        word in words("en", "collectives")
        or word in words("en", "containers")
        or word in words("en", "sacks")
        or word.endswith(("ful", "fuls"))
    )


def new_part(line: Sequence[Token], phrase: NounPhrase) -> bool:
    """``the teeth of a comb``: known only as a part of something new."""
    if phrase.kind != "the" or word_at(line, phrase.last + 1) != "of":
        return False
    whole = noun_phrase(line, phrase.last + 2)
    if whole is None:
        return False
    if whole.kind == "the":
        return line[whole.last].word in words("en", "unique")
    return whole.kind == "one" or (whole.kind == "bare" and whole.plural)


def named(line: Sequence[Token], phrase: NounPhrase) -> bool:
    """Whether a phrase holds a name: a word with a capital letter that is no article and no `TV`."""
    return any(
        token.text[0].isupper()
        and not (token.text.rstrip("s").isupper() and len(token.text) < 6)
        and token.word not in INDEFINITE | DEFINITE
        for token in line[phrase.first : phrase.last + 1]
    )


def _counted(line: Sequence[Token], first: int, at: int, kind: str) -> NounPhrase | None:
    """``a pair of skis``: one noun if it names one thing, else the noun after `of`."""
    if word_at(line, at + 1) != "of":
        return None
    inner = noun_phrase(line, at + 2)
    if inner is None or inner.kind == "pointed":
        return None
    named = f"{line[at].word} of {line[inner.head].word}" in class_words()
    return NounPhrase(first, at if named else inner.head, inner.last_head, inner.last, kind, inner.plural)


def _last_noun(line: Sequence[Token], at: int, kind: str) -> int | None:
    """Walk over modifiers and nouns; the number of the last noun, or None."""
    last: int | None = None
    n, limit = at, min(len(line), at + _PHRASE_LIMIT)
    while n < limit:
        token = line[n]
        named = _class_at(line, n)
        if named and (last is None or n == at or is_modifier(line[n - 1].word)):
            last, n = n + named - 1, n + named
            if kind != "one" and (is_plural(line[last].word) or is_plural(token.word)):
                break
            continue
        if not token.is_word or _stops_here(line, n, last):
            if token.text in (",", "and", "or") and last is not None and _adjectives_go_on(line, at, n):
                n += 1
                continue
            break
        if last is not None and _tells(line, n):
            break  # `like a giant looms over the town`
        if last is not None and not is_modifier(line[n - 1].word) and _not_in_compound(line, n, kind):
            break
        if last is not None and token.word.endswith("ing") and word_at(line, n + 1) in _AFTER_ING and kind == "one":
            break  # `a drunk trying to remember`
        last = n
        if kind not in ("one", "the") and is_plural(token.word):
            break
        n += 1
    if last is None or line[last].word in _NO_NOUN:
        return None
    return None if kind not in ("the", "one") and _bare_adjective(line, last) else last


def _tells(line: Sequence[Token], n: int) -> bool:
    """Whether a word is surely the verb of the sentence: `shakes the walls`, `looms over`."""
    if verb_forms().get(line[n].word) != "third" or line[n].word in words("en", "nouns_too"):
        return False
    return word_at(line, n + 1) in DEFINITE | INDEFINITE | (words("en", "prepositions") - {"of"}) | _AFTER_VERB


@cache
def _class_beginnings() -> frozenset[str]:
    """The first words of the classes that have more than one."""
    return frozenset(name.split()[0] for name in class_words() if " " in name)


def _class_at(line: Sequence[Token], n: int) -> int:
    """How many words of a detector class of two or three words begin here."""
    if line[n].word not in _class_beginnings():
        return 0
    for length in (3, 2):
        if n + length <= len(line) and " ".join(token.word for token in line[n : n + length]) in class_words():
            return length
    return 0


def _stops_here(line: Sequence[Token], n: int, last: int | None) -> bool:
    word = line[n].word
    if word.partition("'")[0] in words("en", "agents") - {"one", "this", "that", "these", "those"} or word in (
        "who's",
        "that's",
        "what's",
    ):
        return True
    if word in DEFINITE or (word in INDEFINITE and word != "one") or (word in SEVERAL and last is not None):
        return True
    if word in ("can", "will", "might") and last is None and line[n - 1].word in INDEFINITE:
        return False
    if word in words("en", "after"):
        return last is not None and not is_modifier(line[n - 1].word)
    if word == "mine" and last is not None:
        return False  # a coal mine
    if word == "felt" and last is None:
        return False  # `thick as felt`
    if word in _stops():
        return True
    named = last is None and n > 0 and line[n - 1].word in DEFINITE | INDEFINITE  # `the smell of bread`
    return word in words("en", "copulas") and not named


def _not_in_compound(line: Sequence[Token], n: int, kind: str) -> bool:
    """Whether the word after a noun surely begins something else: a verb, a participle, an adverb."""
    word = line[n].word
    if is_participle(word) and word not in words("en", "compounds"):
        return True
    if (is_adverb(word) or is_adjective(word) or word in words("en", "descriptive")) and word not in _ADJECTIVE_NOUNS:
        return True
    if verb_forms().get(word) == "past":
        ends = n + 1 >= len(line) or not line[n + 1].is_word
        return not (kind == "one" and ends and word in words("en", "things_in_past"))
    third = verb_forms().get(word) == "third"
    if kind == "one":
        return is_plural(word) and line[n - 1].word not in words("en", "not_plural")
    if kind == "the":
        return third and word_at(line, n + 1) in _stops() | DEFINITE | INDEFINITE | {"like"}
    return is_plural(line[n - 1].word) and line[n - 1].word not in ("fish", "sheep", "deer")


def _bare_adjective(line: Sequence[Token], last: int) -> bool:
    return is_adjective(line[last].word) and line[last].word not in _ADJECTIVE_NOUNS


def _adjectives_go_on(line: Sequence[Token], at: int, n: int) -> bool:
    """Whether `, ` or `and` at ``n`` joins adjectives of one phrase: `a long, thin needle`."""
    before = all(is_modifier(t.word) or not t.is_word or t.word == "and" for t in line[at:n])
    return before and n + 2 <= len(line) - 1 and is_modifier(line[n + 1].word)


def _compound(line: Sequence[Token], at: int, last: int) -> tuple[int, int]:
    """Where the noun with its compound begins: a detector class if there is one, else nouns before the noun."""
    if last > at and other_thing(f"{line[last - 1].word} {line[last].word}"):
        return last - 1, last
    for length in (3, 2, 1):
        begin = last - length + 1
        if length == 1 and last > at and (line[last - 1].word.endswith("ing") or "-" in line[last - 1].word):
            break
        if begin >= at and " ".join(token.word for token in line[begin : last + 1]) in class_words():
            return begin, last
    begin = last
    while begin > at and line[begin - 1].is_word and not is_modifier(line[begin - 1].word):
        begin -= 1
    return begin, last


def word_at(line: Sequence[Token], n: int) -> str:
    """The word or sign at ``n``, none behind the end."""
    return line[n].word if n < len(line) else ""
