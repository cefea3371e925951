"""The nouns of a clause that stand by themselves: none behind a preposition, each construct by its first word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trope.strategies.guard.arabic.agreement import governed_letter, has_owner, joined_letter, known_noun
from trope.strategies.guard.arabic.phrases import feminine, follows, is_preposition, is_prepositional, nominal
from trope.strategies.guard.arabic.shapes import is_quality, is_verb
from trope.strategies.guard.arabic.words import Word, accusative, definite, listed, of, owned

_WITH = frozenset("ذات ذو ذا ذي ذوات ذوي".split())  # `ذات عينين`


def is_feminine(line: Sequence[Word], n: int, letter: int = 0) -> bool:
    """Whether a noun is feminine or a plural of things, by the lists or else by its form."""
    noun = known_noun(line[n], letter)
    if noun is not None:
        return noun.feminine or (noun.kind == "unseen" and feminine(line[n].plain.removeprefix("ال")))
    said = line[n].plain[letter:].removeprefix("ال")
    return feminine(said) or (has_owner(line[n]) and said.endswith(("ته", "تها", "تهم", "تي", "تك")))


def may_be_named(word: Word) -> bool:
    """Whether a word can name something, and does not only say how something is."""
    return known_noun(word) is not None or not is_quality(word.plain)


def known(word: Word, letter: int = 0) -> bool:
    """With the article or an owner, also behind a joined letter."""
    return definite(word, letter) or has_owner(word, letter) or word.plain.startswith(("وال", "فال", "بال", "لل"))


def nouns(line: Sequence[Word], start: int, stop: int, verbs: frozenset[int] = frozenset()) -> Iterator[int]:
    """The nouns that no preposition governs, each construct by its first word."""
    n = start
    while n < stop:
        word = line[n]
        if is_prepositional(word.plain) or n in verbs or _helps(line, n):
            n += 1
        elif _governs(word) or governed_letter(word) or word.plain.startswith("كال"):
            n = _past_governed(line, n + 1 if _governs(word) else n, stop)
        elif may_be_noun(word) or (definite(word) and nominal(word)):
            if known_noun(word) is not None or not _only_a_quality(word):
                yield n
            n = phrase_end(line, n, stop) + 1
            while n < stop and line[n].joined and adjective_behind(line, n):
                n += 1
        else:
            n += 1


def _helps(line: Sequence[Word], n: int) -> bool:
    """``راح يدور``, ``نظر إليه``: a past form that may be a noun as well and is none here."""
    if line[n].plain not in listed("past_or_noun") or not follows(line, n + 1):
        return False
    after = line[n + 1]
    return is_verb(after.plain) or (not line[n].joined and (is_preposition(after) or is_prepositional(after.plain)))


def adjective_behind(line: Sequence[Word], n: int) -> bool:
    """``الأرنب الصغير``, ``شعرها الأسود``, ``راية ممزقة``."""
    word, noun = line[n], line[n - 1]
    if definite(word):
        return known(noun)
    return not known(word) and not known(noun) and is_quality(word.plain) and known_noun(word) is None


def _governs(word: Word) -> bool:
    form = word.plain
    return is_preposition(word) or form in _WITH or (form[0] == "و" and form[1:] in listed("prepositions"))


def _only_a_quality(word: Word) -> bool:
    """``ودافئة``, ``نحيلا``: no noun, where one could begin."""
    joined = word.plain[0] == "و" and not definite(word) and is_quality(word.plain[1:])
    return joined or word.plain in listed("more") or (accusative(word) and is_quality(word.plain.removesuffix("ا")))


def _past_governed(line: Sequence[Word], noun: int, stop: int) -> int:
    """Behind the noun that a preposition governs, what it belongs to, and its adjectives."""
    n = noun + 1
    while n < stop and follows(line, n):
        word, before = line[n], line[n - 1]
        if definite(word) and not is_verb(word.plain):
            n += 1
        elif nominal(word) and not definite(before) and not owned(before) and not owned(word):
            n += 1
        else:
            break
    return n


def may_be_noun(word: Word) -> bool:
    """Whether a word may be a noun to which something is likened: no adverb, no verb that joins."""
    form = word.plain
    noun = nominal(word) or (known_noun(word) is not None and form not in listed("past"))
    return (
        noun
        and form not in listed("adverbs")
        and form not in _WITH
        and not of(form, "linking")
        and not is_preposition(word)
    )


def phrase_end(line: Sequence[Word], n: int, stop: int) -> int:
    """The last word of the noun phrase that begins at ``n``: what the noun belongs to, no adjectives."""
    m = n
    while (
        m + 1 < stop
        and follows(line, m + 1)
        and not definite(line[m])
        and not has_owner(line[m])
        and not accusative(line[m])
        and nominal(line[m + 1])
        and not governed_letter(line[m + 1])
    ):
        after = line[m + 1]
        form = after.plain
        if definite(after):
            if form.startswith(("بال", "وال", "فال")):
                break
            return m + 1
        if (
            is_quality(form)
            or form in listed("adverbs")
            or joined_letter(after)
            or of(form, "linking")
            or has_owner(after)
        ):
            break
        m += 1
    return m
