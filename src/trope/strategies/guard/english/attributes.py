"""An English comparison right behind its noun: the quality goes before it, `eyes like sapphires` -> `blue eyes`."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english.candidates import Candidate
from trope.strategies.guard.english.phrases import DEFINITE, NounPhrase, word_at
from trope.strategies.guard.english.words import Token, is_adjective
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import Span

# After these a noun alone says nothing: `He had teeth`, `with a noise`, `in a voice`.
_HAVING = frozenset("has have had having with wore wears wearing by in".split())


def before_noun(c: Candidate, stop: int, said: tuple[str, ...]) -> tuple[Span, str] | None:
    """The noun with its qualities before it, or None where they cannot stand there.

    ``stop`` is where the comparison ends, ``said`` what is carried over; an article is made to fit.
    """
    noun, line = c.near, c.line
    if noun is None or not c.own or not said or noun.last != c.marker.begin - 1 or noun.first == noun.last + 1:
        return None
    if is_paired(c):
        return None
    first = line[noun.first]
    opens = noun.first == 0 or line[noun.first - 1].text in (".", ":", "“", '"')
    if any(line[n].text[0].isupper() and not (opens and n == noun.first) for n in range(noun.first, noun.last + 1)):
        return None  # a name
    determined = first.word in DEFINITE or noun.kind in ("one", "several")
    own = [line[n] for n in range(noun.first + determined, noun.head)]
    if own and not is_adjective(own[-1].word):
        return None
    stated = (c.text[own[0].start : own[-1].end],) if own else ()
    quality = _joined((*stated, *said))
    rest = c.text[line[noun.head].start : line[noun.last].end]
    if not determined and first.text[0].isupper():
        rest = rest if own else rest[0].lower() + rest[1:]
        quality = quality[0].upper() + quality[1:]
    article = first.text
    if article.lower() in ("a", "an"):
        article = article[0] + ("n" if quality[0] in "aeiou" else "")
    return (first.start, stop), " ".join((*((article,) if determined else ()), quality, rest))


def is_paired(c: Candidate) -> bool:
    """Whether a second comparison of the kind follows: `a coffee as dark as a confession and as round as a note`."""
    following = [token.word for token in c.line[c.vehicle.last + 1 : c.vehicle.last + 5]]
    if following[:1] != ["and"]:
        return False
    return following[1:2] == ["as"] or (following[2:3] == ["as"] and is_adjective(following[1]))


def is_new(c: Candidate) -> bool:
    """Whether the comparison is said of a new thing that is drawn or had: `a knight strong as an ox`."""
    noun = c.near
    if noun is None or not c.own or noun.kind not in ("one", "several") or noun.last != c.marker.begin - 1:
        return False
    added, following = (word_at(c.line, c.vehicle.last + n) for n in (2, 3))
    if c.after == "and" and is_adjective(added) and not following[:1].isalnum():
        return False  # `a kitchen clean as a whistle and bright`
    return not c.told or (noun.first > 0 and c.line[noun.first - 1].word in _HAVING)


def _joined(qualities: tuple[str, ...]) -> str:
    """`broad, flat`; a color needs no comma: `blazing red`."""
    *others, last = qualities
    return f"{', '.join(others)}{' ' if last in words('en', 'colors') else ', '}{last}" if others else last


def is_bare(c: Candidate, end: int) -> bool:
    """Whether the noun would say nothing without the comparison: `He had teeth`.

    In a list of things to draw a noun may stand alone.
    """
    noun, line = c.near, c.line
    if noun is None or not c.own or noun.last != c.marker.begin - 1:
        return False
    listed = noun.first == 0 or not line[noun.first - 1].is_word
    alone = c.told if listed else line[noun.first - 1].word in _HAVING
    return alone and _unadorned(line, noun) and not _goes_on(c, end)


def _unadorned(line: Sequence[Token], noun: NounPhrase) -> bool:
    return noun.head - noun.first <= (line[noun.first].word in DEFINITE or noun.kind != "bare")


def _goes_on(c: Candidate, end: int) -> bool:
    """Whether a verb or a place follows that says what the noun does: `A mountain like a giant looms`."""
    had = c.near is not None and c.near.first > 0 and c.line[c.near.first - 1].word in _HAVING
    following = c.line[end + 1] if end + 1 < len(c.line) else None
    return not had and following is not None and following.is_word and following.word not in words("en", "stops")
