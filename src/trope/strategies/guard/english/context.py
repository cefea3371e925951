"""What stands left of an English marker: the verb, the subject, and whether a comparison can stand there at all."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, SEVERAL, NounPhrase, noun_phrase
from trope.strategies.guard.english.words import Token, is_adjective, is_modifier, is_plural, verb_forms
from trope.strategies.guard.lexicon import words

MODALS = frozenset("can could will would may might must shall should to do does did".split())
RELATIVES = frozenset("that which who".split())
SUBJECTS = frozenset("he she they we i it".split())
# After these a noun is a place and not what is likened.
PLACING = words("en", "prepositions") - {"of", "with", "without", "from", "like"}
_BREAKS = frozenset({",", ";", ":", "—", "–", "(", ")", '"', "“", "”", "[", "]", "|", "/"})
CONTRACTED = frozenset("he's she's it's that's this's you're we're they're i'm".split())
BE = frozenset("is are was were be been being am 's 're".split())


def segment_start(line: Sequence[Token], at: int) -> int:
    """The first token of the stretch without a comma or a bracket that ends before ``at``."""
    n = at
    while n > 0 and line[n - 1].text not in _BREAKS:
        n -= 1
    return n


def verb_before(line: Sequence[Token], begin: int, at: int) -> int | None:
    """The last listed verb in ``begin .. at - 1`` that stands where a verb can stand, or None."""
    for n in range(at - 1, begin - 1, -1):
        if is_verb_here(line, begin, n):
            return n
    return None


def is_verb_here(line: Sequence[Token], begin: int, n: int) -> bool:
    """Whether token ``n`` is a listed verb form and stands where a verb can stand."""
    word = line[n].word
    kind = verb_forms().get(word)
    if kind is None:
        return False
    before = line[n - 1].word if n > begin else ""
    if before in DEFINITE or before in INDEFINITE or before in SEVERAL or before == "to":
        return False
    if kind in ("ing", "past", "participle"):
        if not before and n + 1 < len(line) and not _ends_phrase(line[n + 1].word):
            return False  # `Branching corals`
        return not (
            is_adjective(before) and n + 1 < len(line) and not _ends_phrase(line[n + 1].word)
        ) and before not in words("en", "prepositions")
    if (
        not before
        or before in words("en", "prepositions")
        or (is_adjective(before) and before not in words("en", "adverbs"))
    ):
        return False
    if kind == "third":
        if not is_plural(before):
            return True
        subject = subject_of(line, begin, n)
        return subject is not None and not subject.plural and subject.last < n - 1
    adverb = (
        before.endswith("ly") or before in words("en", "adverbs") or before in ("and", "or", "that", "which", "who")
    )
    return is_plural(before) or before in MODALS or adverb or _plural_subject(line, begin, n)


def _plural_subject(line: Sequence[Token], begin: int, n: int) -> bool:
    """Whether a base form can be the verb of a plural subject some words back: `elms in the mist widen`."""
    subject = subject_of(line, begin, n)
    joined = any(token.word == "and" for token in line[begin:n])
    return subject is not None and (subject.plural or joined) and subject.last < n - 1


def _ends_phrase(word: str) -> bool:
    return word in words("en", "stops") or word in words("en", "prepositions") or not word[0].isalnum()


def subject_of(line: Sequence[Token], begin: int, verb: int) -> NounPhrase | None:
    """The noun phrase that the verb says something of: the first one of the segment."""
    ahead = line[:verb]
    for n in range(begin, verb):
        word = line[n].word
        if word in words("en", "prepositions") and n == begin:
            skipped = noun_phrase(ahead, n + 1)
            return subject_of(line, skipped.last + 1, verb) if skipped is not None and skipped.last < verb else None
        phrase = noun_phrase(ahead, n) if not _ends_phrase(word) else None
        if phrase is not None and phrase.last < verb:
            return phrase
    return None


def phrase_before(line: Sequence[Token], begin: int, at: int) -> NounPhrase | None:
    """The noun phrase that ends right before ``at``, with the preposition or verb before it left out."""
    first = at
    while (
        first > begin
        and not _ends_phrase(line[first - 1].word)
        and (verb_forms().get(line[first - 1].word) != "third" or _is_noun(line, begin, first - 1))
    ):
        first -= 1
        if line[first].word in DEFINITE or line[first].word in INDEFINITE:
            break
    ahead = line[:at]
    for n in range(first, at):
        phrase = noun_phrase(ahead, n)
        if phrase is not None and phrase.last == at - 1:
            return phrase
    return None


def _is_noun(line: Sequence[Token], begin: int, n: int) -> bool:
    """Whether a word that may be a verb is surely a noun: `eyes like sapphires`, `stacked boxes`, `her green eyes`."""
    if line[n].word not in words("en", "nouns_too"):
        return False
    before = line[n - 1].word
    opens = before in DEFINITE | SEVERAL or before in words("en", "prepositions") or before in words("en", "finite")
    return n == begin or is_modifier(before) or opens


def linked(line: Sequence[Token], at: int) -> bool:
    """Whether the word before ``at`` says what something is, stays or looks; or a sign stands there."""
    if at == 0:
        return True
    word = line[at - 1].word
    return (
        not line[at - 1].is_word or word in CONTRACTED or word in words("en", "copulas") or word in words("en", "links")
    )
