"""How far what belongs to an English vehicle goes on behind its noun phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from trope.strategies.guard.english.phrases import (
    DEFINITE,
    INDEFINITE,
    NounPhrase,
    named,
    new_part,
    noun_phrase,
    word_at,
)
from trope.strategies.guard.english.words import Token, is_adjective, is_adverb, is_participle, is_verb_form, verb_forms
from trope.strategies.guard.lexicon import words

_OWN = frozenset("of with without for full that which who whose than made".split())
# Ways that somebody goes: with a name they surely belong to the verb, with a new thing it is not clear.
_WAYS = frozenset("through into toward towards across past along onto to from".split())
_HOURS = frozenset("dawn dusk night noon midnight midday sunrise sunset daybreak twilight nightfall".split())
# `like a deer in the headlights`: the place may be part of the saying.
_STOCK_PLACES = frozenset("headlights wind dark night storm rain sun pod flame water haystack".split())
# Words that begin another clause of the scene, and ones before `as`.
_CLAUSES = frozenset("as while when whenever until till because so then where though although if".split())
_OTHERS = frozenset("me you him us".split())
_ADDING = frozenset("no not very quite rather too almost still never".split())
_DEGREES = frozenset("twice half just quite nearly almost".split())
# What stands over or under something is a place of the scene, also in a list of things to draw.
_ABOUT = frozenset("over above under below beneath behind beside around across against".split())


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows a vehicle: ``end`` is the last token that belongs to it; ``sure`` whether that is clear."""

    end: int
    sure: bool


def tail(line: Sequence[Token], phrase: NounPhrase, *, verb_may_follow: bool, told: bool) -> Tail:
    """How far the vehicle goes on.

    ``of``, ``with``, a participle or a relative clause belong to it. A place belongs to it when it is new
    (`like benches in a stadium`), and to the scene when it is known (`like a tie above the hangar`). In a
    prompt without a finite verb everything is new, so places stay with the scene unless the text is ``told``.
    """
    end, n = phrase.last, phrase.last + 1
    while n < len(line):
        token = line[n]
        if not token.is_word:
            return Tail(end, True)
        word = token.word
        if verb_may_follow and is_verb_form(word) and not word.endswith("ing"):
            sure = told or not is_participle(word)
            return Tail(end, sure)  # `Teeth like tombstones grinned`
        if word in ("and", "or"):
            return _joined(line, n, phrase, end)
        if word in ("he", "she", "they", "we", "i") and phrase.kind == "bare":
            return Tail(end, True)
        if word in words("en", "agents") and phrase.kind in ("one", "several"):
            return Tail(_clause_end(line, n), True)
        if word in words("en", "ends_comparison"):
            return Tail(end, True)
        if word in _CLAUSES and word_at(line, n + 1) in DEFINITE | INDEFINITE | words("en", "agents"):
            return Tail(end, True)  # `like smoke as she went down`
        if word in _OWN or is_participle(word) or word in ("full", "asleep", "half"):
            if word in ("that", "which", "who", "whose") or is_participle(word):
                return Tail(_clause_end(line, n), True)
            inner = noun_phrase(line, n + 1)
            if word == "for" and inner is not None and line[inner.last].word in words("en", "units"):
                return Tail(end, True)  # `sat like a king for two minutes`
            end = inner.last if inner is not None else n
            n = end + 1
            continue
        if word in words("en", "prepositions"):
            place = noun_phrase(line, n + 1)
            if place is None:
                return _unplaced(line, n, end)
            over = _placed(line, n, place, end, phrase.last, told=told)
            if over is not None:
                return over
            end, n = place.last, place.last + 1
            continue
        return Tail(end, verb_may_follow or word == "but")
    return Tail(end, True)


def _joined(line: Sequence[Token], n: int, phrase: NounPhrase, end: int) -> Tail:
    """How far the vehicle goes on where the token ``n`` is `and` or `or`."""
    if _hangs(line, n + 1):
        return Tail(end, False)
    if _goes_on(line, n + 1):
        return Tail(end, True)
    inner = noun_phrase(line, n + 1)
    if inner is None:
        return Tail(end, n + 1 < len(line) and line[n + 1].is_word)  # `pale as milk and silent`
    if inner.kind == "one" and phrase.kind == "bare" and end == phrase.last:
        return Tail(end, True)  # `hands like shovels and a laugh that ...`
    over = word_at(line, inner.last + 1) not in ("", ",", ".", ";", "!", "?", ":")
    return Tail(end if over else inner.last, False)


def _unplaced(line: Sequence[Token], n: int, end: int) -> Tail:
    """How far the vehicle goes on where no noun phrase follows the preposition ``n``."""
    if word_at(line, n + 1) in _OTHERS:
        return Tail(end, True)  # `like jewels below us`
    if line[n].word == "to" and n + 1 < len(line) and line[n + 1].is_word:
        return Tail(_clause_end(line, n), True)
    return Tail(end, False)


def _placed(line: Sequence[Token], n: int, place: NounPhrase, end: int, last: int, *, told: bool) -> Tail | None:
    """Where the comparison ends by the preposition ``n`` and the ``place`` it names; None: the place belongs to it.

    ``end`` is the last token so far, ``last`` that of the vehicle's own noun phrase.
    """
    word, noun = line[n].word, line[place.last].word
    if word == "to" and verb_forms().get(line[place.first].word) == "base":
        return Tail(_clause_end(line, n), True)
    if noun in words("en", "months"):
        return Tail(end, False)  # `foul as a tannery in August`
    if named(line, place) or (told and word == "at" and noun in _HOURS):
        return Tail(end, True)
    if word == "to" and place.kind == "bare":
        return Tail(last, False)  # `to annoy her`
    if told and word in _WAYS - {"from"} and place.kind not in ("the", "pointed"):
        return Tail(place.last, False)
    if place.kind in ("the", "pointed") and not new_part(line, place):
        return Tail(end, noun not in _STOCK_PLACES)
    if not told and place.kind != "the":
        weather = word == "in" and place.kind == "bare" and noun in words("en", "natural")
        return Tail(end, weather or word in _ABOUT)  # `trees like skeletons in fog`
    return None


def _hangs(line: Sequence[Token], n: int) -> bool:
    """Whether what is joined is compared to the same thing: `as grey as a battleship and just about as tender`."""
    degrees = [k for k in range(n, min(n + 4, len(line))) if line[k].word == "as"]
    return len(degrees) == 1 and word_at(line, degrees[0] + 2) != "as" and not is_adjective(line[degrees[0] - 1].word)


def _goes_on(line: Sequence[Token], n: int) -> bool:
    """Whether what comes after `and` is said of the scene and not a second noun of the vehicle."""
    if n >= len(line):
        return False
    word = line[n].word
    if word in _ADDING or is_adverb(word):
        return True  # `clear as glass and very cold`
    if word_at(line, n + 1) == "as" and (is_adjective(word) or word in _DEGREES):
        return True  # `and thin as a rail`, `and twice as straight`
    following = noun_phrase(line, n)
    if following is not None and word_at(line, following.last + 1) == "as":
        return True  # `and shoes as black as tar`
    if following is not None and any(
        a.word != "as" and b.word == "as" for a, b in pairwise(line[following.last + 1 : following.last + 3])
    ):
        return True  # `and lips red as blood`
    return (
        word in DEFINITE | {"with", "as"} or word in words("en", "agents") or is_verb_form(word) or is_participle(word)
    )


def _clause_end(line: Sequence[Token], n: int) -> int:
    while n + 1 < len(line) and line[n + 1].is_word:
        n += 1
    return n
