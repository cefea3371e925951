"""English `as ... as`, `ADJ as a ...`, `as if`, `as though`, `the way a ... does`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.phrases import NounPhrase, named, new_part, noun_phrase
from trope.strategies.guard.english.words import Token, is_adjective, is_ground, is_participle, is_plural, verb_forms
from trope.strategies.guard.lexicon import words

_BEFORE = frozenset("just almost nearly quite about every bit exactly".split())
_AMOUNTS = frozenset("not twice half times never n't third quarter".split())
_NO_VEHICLE = frozenset(
    "possible usual ever before always expected needed required necessary normal hell can well".split()
)
_FINITE = frozenset("is are was were has have had can could will would may might must should".split())
_SCENE = frozenset("it him her them himself herself itself themselves his their its my your".split())
_SIZES = frozenset("tall short big large small old young strong heavy".split())
_STOCK = frozenset(
    "ice snow gold steel stone night day blood silk velvet glass rock iron ink coal honey death lightning milk fire"
    " water".split()
)


@dataclass(frozen=True, slots=True)
class As:
    """A comparison with `as`: ``begin`` is its first token, ``ground`` the tokens of what carries over.

    ``how``: `predicate` after a verb, `attribute` after a noun, `comma`, `front`, or `clause` (as if).
    """

    how: str
    begin: int
    marker_end: int
    ground: tuple[int, int] | None
    vehicle: NounPhrase
    tenor: NounPhrase | None
    confidence: float


def as_as(line: Sequence[Token], at: int) -> As | None:
    """``as white as a sheep`` at token ``at``: the first `as`."""
    n = at + 1
    while n < len(line) and line[n].word.endswith("ly") and not is_adjective(line[n].word):
        n += 1
    first = at + 1
    grounds = 0
    while n < len(line) and n < at + 8:
        if is_ground(line[n].word) or (not grounds and _framed(line, at, n)):
            grounds, n = grounds + 1, n + 1
        elif (
            grounds and line[n].text in (",", "and", "yet", "but") and n + 1 < len(line) and is_ground(line[n + 1].word)
        ):
            n += 1
        else:
            break
    if not grounds or n >= len(line) or line[n].word != "as":
        return None
    return _compared(line, at, n, (first, n - 1))


def _framed(line: Sequence[Token], at: int, n: int) -> bool:
    """``is as subtle as a tuba``: between a form of `be` and a new thing any word but an amount is an adjective."""
    if at == 0 or n + 2 >= len(line) or line[n + 1].word != "as" or line[n + 2].word not in ("a", "an"):
        return False
    word = line[n].word
    linked = line[at - 1].word in left.BE or line[at - 1].word in left.CONTRACTED
    plain = (
        word.isalpha()
        and not word.endswith("ly")
        and word not in words("en", "no_ground")
        and word not in words("en", "stops")
    )
    return linked and plain and word not in words("en", "prepositions")


def adjective_as(line: Sequence[Token], at: int) -> As | None:
    """``cold as ice``: an adjective of the lexicon and one `as` at token ``at``."""
    if at == 0 or line[at - 1].word not in words("en", "adjectives"):
        return None
    before = line[at - 2].word if at > 1 else ""
    if before in words("en", "prepositions") or before in ("a", "an", "the", "as", "so", "same", "and"):
        return None
    vehicle = noun_phrase(line, at + 1)
    if vehicle is None or not (vehicle.kind == "one" or line[vehicle.last].word in _STOCK):
        return None
    return _compared(line, at - 1, at, (at - 1, at - 1))


def _compared(line: Sequence[Token], begin: int, second: int, ground: tuple[int, int]) -> As | None:
    vehicle = noun_phrase(line, second + 1)
    if vehicle is None or not fits(line, vehicle):
        return None
    while begin > 0 and line[begin - 1].word in _BEFORE:
        begin -= 1
    before = line[begin - 1].word if begin > 0 else ""
    if before in _AMOUNTS or before in ("so", "such"):
        return None
    segment = left.segment_start(line, begin)
    how = _place(line, segment, begin)
    following = line[vehicle.last + 1].word if vehicle.last + 1 < len(line) else ""
    if following in _FINITE or following in ("he", "she", "it", "they", "you", "we"):
        return None
    if how != "attribute" and verb_forms().get(following) in ("third", "base"):
        if not _could_be_subject(line, begin, vehicle) or line[ground[0]].word in (
            "fast",
            "quick",
            "hard",
            "high",
            "loud",
        ):
            return None
        how = "attribute"
    end = next((n for n in range(vehicle.last, len(line)) if not line[n].is_word), len(line))
    if any(line[n].word in _SCENE for n in range(vehicle.last, end)):
        return None
    tenor = _tenor(line, segment, begin, how)
    if how == "front" and tenor is None:
        return None
    if left.same_noun(line, tenor, vehicle):
        return None
    size = line[ground[0]].word in _SIZES
    if (
        left.person(line, tenor)
        and left.person(line, vehicle)
        and (size or tenor is None or tenor.kind in ("one", "several"))
    ):
        return None
    return As(how, begin, second, ground, vehicle, tenor, 0.95)


def _could_be_subject(line: Sequence[Token], begin: int, vehicle: NounPhrase) -> bool:
    """`Clear ice blocks as tall as refrigerators wait`: both plural, and nothing links them."""
    word = line[begin - 1].word if begin else ""
    return (
        is_plural(word) and vehicle.plural and word not in words("en", "copulas") and word not in words("en", "links")
    )


def fits(line: Sequence[Token], vehicle: NounPhrase) -> bool:
    """Whether a phrase can be a vehicle after `as`: something new, no name, no mere adverb."""
    head = line[vehicle.last].word
    if vehicle.kind == "pointed" or (
        vehicle.kind == "the" and head not in words("en", "unique") and not new_part(line, vehicle)
    ):
        return False
    if named(line, vehicle):
        return False
    return head not in _NO_VEHICLE and not head[0].isdigit() and not is_ground_only(head)


def is_ground_only(head: str) -> bool:
    """Whether a would-be noun is nothing but an adverb or an adjective."""
    return head.endswith("ly") and head not in (
        "jelly",
        "lily",
        "butterfly",
        "fly",
        "belly",
        "dolly",
        "family",
        "holly",
        "bully",
    )


def _place(line: Sequence[Token], segment: int, begin: int) -> str:
    if begin == 0:
        return "front"
    before = line[begin - 1]
    if not before.is_word:
        return "comma" if before.text in (",", "—", "–") else "front"
    word = before.word
    linked = (
        word in words("en", "copulas")
        or word in words("en", "links")
        or word in left.CONTRACTED
        or verb_forms().get(word) in ("third", "past", "participle")
    )
    if linked or word.endswith("ly") or word in words("en", "adverbs") or is_participle(word):
        return "predicate"
    return (
        "predicate"
        if left.verb_before(line, segment, begin) is not None or has_copula(line, segment, begin)
        else "attribute"
    )


def has_copula(line: Sequence[Token], segment: int, begin: int) -> bool:
    """Whether a copula stands between the two tokens."""
    return any(token.word in words("en", "copulas") or token.word in left.CONTRACTED for token in line[segment:begin])


def _tenor(line: Sequence[Token], segment: int, begin: int, how: str) -> NounPhrase | None:
    if how == "attribute":
        return left.phrase_before(line, segment, begin)
    if how == "front":
        comma = next((n for n in range(begin, len(line)) if line[n].text == ","), None)
        return None if comma is None else left.subject_of(line, comma + 1, len(line))
    if how == "comma":
        start = left.segment_start(line, begin - 1)
        return left.subject_of(line, start, begin - 1) or left.subject_of(line, 0, begin - 1)
    copulas = [
        n
        for n in range(segment, begin)
        if line[n].word in words("en", "copulas") or line[n].word in words("en", "links")
    ]
    return left.subject_of(line, segment, copulas[-1] if copulas else begin)
