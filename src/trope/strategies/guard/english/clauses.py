"""English `as if`, `as though`, `the way a ... does`, `akin to`: comparisons with a clause or a phrase."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.likened import As, fits
from trope.strategies.guard.english.phrases import noun_phrase
from trope.strategies.guard.english.words import Token, verb_forms
from trope.strategies.guard.lexicon import words

_PAST = frozenset("had was were would could might has have is are".split())


_TAKEN_IN = frozenset("swallowed eaten bitten seen drunk caught sucked".split())


def as_if(line: Sequence[Token], at: int) -> As | None:
    """``as if a dog had jumped``, ``as though carved from ice``: the vehicle is a new thing."""
    n = at + 2
    made = n < len(line) and line[n].word in words("en", "made_of")
    if made:
        while n < len(line) and line[n].word not in ("of", "from", "in", "with", "out", "by"):
            n += 1
            if n - at > 5:
                return None
        n += 1
    being = [t.word for t in line[n : n + 2]]
    if len(being) == 2 and being[0] in ("it", "he", "she", "they") and being[1] in ("were", "was"):
        vehicle = noun_phrase(line, n + 2)
        made = vehicle is not None and vehicle.kind == "one" and not left.person(line, vehicle)
        vehicle = vehicle if made else None
    elif (
        being
        and being[0] in ("it", "he", "she", "they")
        and being[-1] == "had"
        and n + 2 < len(line)
        and line[n + 2].word in _TAKEN_IN
    ):
        vehicle = noun_phrase(line, n + 3)
        made = vehicle is not None
    else:
        vehicle = noun_phrase(line, n)
    if vehicle is None or not fits(line, vehicle) or (vehicle.kind == "bare" and not vehicle.plural and not made):
        return None
    if not made and not _acts(line, vehicle.last + 1):
        return None
    segment = left.segment_start(line, at)
    verb = left.verb_before(line, segment, at)
    if verb is None:
        verb = left.verb_before(line, 0, at)
        if at < 2:
            return None
    tenor = left.subject_of(line, segment, verb if verb is not None and verb > segment else at)
    before = line[at - 1].word if at > 0 else ""
    how = "predicate" if before in words("en", "copulas") else "clause"
    return As(how, at, at + 1, None, vehicle, tenor, 0.8)


def _acts(line: Sequence[Token], n: int) -> bool:
    """Whether a finite verb follows soon: `a cat were asleep`, `bowls of rice had been set out`."""
    for step in range(n, min(len(line), n + 6)):
        word = line[step].word
        if word in _PAST or verb_forms().get(word) in ("third", "past") or (len(word) > 4 and word.endswith("ed")):
            return True
        if not line[step].is_word:
            return False
    return False


def the_way(line: Sequence[Token], at: int) -> As | None:
    """``the way a heron goes through shallows`` at the token `the`."""
    vehicle = noun_phrase(line, at + 2)
    if vehicle is None or vehicle.kind != "one" or not fits(line, vehicle) or vehicle.last + 1 >= len(line):
        return None
    follows = line[vehicle.last + 1].word
    verb = left.verb_before(line, left.segment_start(line, at), at)
    if verb_forms().get(follows) not in ("third", "past") and follows not in ("does", "did", "would", "might"):
        return None
    if verb is None:
        return None
    return As("clause", at, at + 1, None, vehicle, left.subject_of(line, left.segment_start(line, at), verb), 0.8)


def akin(line: Sequence[Token], at: int, length: int) -> As | None:
    """``was akin to a storm``, ``no different from a nest``, ``hands the size of shovels``; ``length`` in tokens."""
    vehicle = noun_phrase(line, at + length)
    if vehicle is None or not fits(line, vehicle) or at == 0:
        return None
    segment = left.segment_start(line, at)
    before = line[at - 1].word
    if line[at].word == "the":  # the size of
        tenor = (
            left.phrase_before(line, segment, at)
            if before not in words("en", "copulas")
            else left.subject_of(line, segment, at - 1)
        )
        linked = before in words("en", "copulas") or (tenor is not None and tenor.last == at - 1)
        if not linked or tenor is None or left.same_noun(line, tenor, vehicle):
            return None
        return As("measure", at, at + length - 1, None, vehicle, tenor, 0.75)
    tenor = left.subject_of(line, segment, at - 1)
    if before not in words("en", "copulas") or tenor is None or tenor.kind in ("one", "several"):
        return None
    return (
        None
        if left.same_noun(line, tenor, vehicle)
        else As("predicate", at, at + length - 1, None, vehicle, tenor, 0.8)
    )
