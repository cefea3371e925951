"""Reasons that lie in the vehicle: it is a certain one that is there, a name, a style."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english.candidates import SIZES, Candidate
from trope.strategies.guard.english.kinds import is_person
from trope.strategies.guard.english.phrases import NounPhrase, named, new_part, noun_phrase, other_thing
from trope.strategies.guard.english.words import Token
from trope.strategies.guard.lexicon import words

_REAL = frozenset("real normal ordinary actual genuine".split())


def someones_own(c: Candidate) -> bool:
    """`like her mother`, `as long as my forearm`, `a kite like their cousin's`: a certain one that is there."""
    if c.vehicle.kind != "pointed" or c.marker.family == "clause":
        return False
    inert = c.ground not in SIZES and not is_person(c.head) and c.head not in words("en", "body")
    if c.marker.family == "as" and inert:
        return False
    return True


def known(c: Candidate) -> bool:
    """`as tall as the door`: a thing of the scene, unless there is one of it only or it is a part of something new."""
    if c.vehicle.kind != "the" or c.marker.family == "clause":
        return False
    return not generic(c.line, c.vehicle)


def generic(line: Sequence[Token], vehicle: NounPhrase) -> bool:
    """Whether `the` is not the scene's: `the sun`, `the teeth of a comb`, `the last leaf on a tree`."""
    nouns = {line[n].word for n in range(vehicle.head, vehicle.last + 1)}
    if nouns & words("en", "unique") or new_part(line, vehicle):
        return True
    n = vehicle.last + 1
    if (
        n + 2 < len(line)
        and line[n].word in ("in", "from", "of")
        and {t.word for t in line[n + 1 : n + 4]} & words("en", "tales")
    ):
        return True
    if n < len(line) and line[n].word in ("of", "in", "on", "at", "from", "inside"):
        whole = noun_phrase(line, n + 1)
        return whole is not None and (
            whole.kind in ("one", "several") or (whole.kind == "bare" and line[n].word == "of")
        )
    return False


def name(c: Candidate) -> bool:
    """`like Paris`, `a Rembrandt painting`: a certain one, wanted for what it is."""
    last = c.line[c.vehicle.last]
    if c.marker.family == "clause" and c.vehicle.kind == "one":
        return False
    if c.told and c.marker.family in ("as", "than") and c.ground not in SIZES:
        return False
    if not named(c.line, c.vehicle):
        return False
    return last.text[0].isupper() or c.vehicle.kind in ("bare", "the")


def style(c: Candidate) -> bool:
    """`like an oil painting`: the medium."""
    shown = c.head in words("en", "shows") and c.told and c.before not in words("en", "copulas")
    if shown or c.marker.family in ("as", "than"):
        return False
    compound = " ".join(token.word for token in c.line[c.vehicle.last_head - 1 : c.vehicle.last_head + 1])
    return c.head in words("en", "styles") and not other_thing(compound)


def real(c: Candidate) -> bool:
    """`like a real dragon`, `like a normal person`: as such things are."""
    sexed = c.head in words("en", "animals") and c.line[c.vehicle.head - 1].word in ("male", "female")
    return sexed or any(token.word in _REAL for token in c.line[c.vehicle.first : c.vehicle.head])
