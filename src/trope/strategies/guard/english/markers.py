"""The grammar of comparison in English: every place of a sentence where one thing is said to be like another.

Nothing is judged here. A comparison is found by its words and the noun it leads to, whatever the noun is; whether it
is a figure is for `reasons`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from trope.strategies.guard.english import clauses
from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.phrases import INDEFINITE, NounPhrase, noun_phrase
from trope.strategies.guard.english.words import Token, is_adjective, is_adverb, is_comparative, is_plural, is_verb_form
from trope.strategies.guard.lexicon import lists, rows, words

_LONGEST_GROUND = 7
_POINTS = frozenset("this that these those".split())
_THAT_OF = (["that", "of"], ["those", "of"])
_SOFTENED = frozenset("lot bit little".split())


@dataclass(frozen=True, slots=True)
class Marker:
    """A comparison, not yet judged.

    ``family`` is the kind of marker: `like`, `shaped`, `resemble`, `akin`, `pass`, `measure`, `shape`, `as`, `than`,
    `amount` or `clause`. ``begin .. end`` are the tokens of the marker without a verb before it, ``last`` the last one
    that is known to belong to the comparison (None: to be found), ``ground`` the tokens of the quality that is named.
    """

    family: str
    begin: int
    end: int
    vehicle: NounPhrase
    ground: tuple[int, int] | None = None
    last: int | None = None


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The markers of more than one form by their first word, the longest first."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name in lists("en"):
        family, _, kind = name.partition("_")
        if kind != "marks":
            continue
        for row in rows("en", name):
            phrase = tuple(row.split())
            table.setdefault(phrase[0], []).append((phrase, family))
    for phrases in table.values():
        phrases.sort(key=lambda found: -len(found[0]))
    return table


@cache
def first_words() -> frozenset[str]:
    """The words one of which every comparison of a sentence holds."""
    return frozenset({*_BY_WORD, *_phrases()})


def markers(line: Sequence[Token]) -> Iterator[Marker]:
    """Every comparison of a sentence, in the order of its marker."""
    for at, token in enumerate(line):
        found = None
        if token.word in _phrases():
            found = _by_table(line, at)
        if found is None and token.word in _BY_WORD:
            found = _BY_WORD[token.word](line, at)
        if found is not None:
            yield found


def _by_table(line: Sequence[Token], at: int) -> Marker | None:
    for phrase, family in _phrases()[line[at].word]:
        n = at + len(phrase)
        if tuple(token.word for token in line[at:n]) != phrase:
            continue
        begin = _softened(line, at)
        if family == "clause":
            said = clauses.supposed(line, n)
            return None if said is None else Marker("clause", begin, n - 1, said.vehicle, last=said.last)
        if [token.word for token in line[n : n + 2]] in _THAT_OF:
            n += 2
        if family == "pass" and n < len(line) and line[n].word in words("en", "made_of"):
            said = clauses.made_of(line, n)
            return None if said is None else Marker("pass", begin, n, said.vehicle, last=said.last)
        vehicle = noun_phrase(line, n)
        return None if vehicle is None else Marker(family, begin, n - 1, vehicle)
    return None


def _softened(line: Sequence[Token], at: int) -> int:
    """Where the words begin that only say how alike: `just`, `rather`, `a bit`, `for all the world`."""
    begin = at
    while begin > 0 and line[begin - 1].word in words("en", "softeners") and not _is_particle(line, begin - 1):
        begin -= 1
    if begin > 1 and line[begin - 1].word in _SOFTENED and line[begin - 2].word == "a":
        begin -= 2
    if begin > 1 and [token.word for token in line[begin - 2 : begin]] == ["every", "bit"]:
        begin -= 2
    if [token.word for token in line[max(0, begin - 4) : begin]] == ["for", "all", "the", "world"]:
        begin -= 4
    return begin


def _is_particle(line: Sequence[Token], n: int) -> bool:
    """Whether `about` belongs to the verb before it: `ran about like puppies`."""
    moves = n > 0 and line[n - 1].word not in words("en", "copulas") and is_verb_form(line[n - 1].word)
    return line[n].word == "about" and moves


def _like(line: Sequence[Token], at: int) -> Marker | None:
    begin, n = _softened(line, at), at + 1
    following = [token.word for token in line[n : n + 2]]
    if following == ["so", "many"] or following in _THAT_OF:
        n += 2
    done = clauses.doing(line, n) if n < len(line) else None
    if done is not None:
        return Marker("clause", begin, at, done.vehicle, last=done.last)
    vehicle = noun_phrase(line, n)
    if following and following[0].partition("'")[1] and following[0].partition("'")[0] in _POINTS:
        return None
    agent = (
        bool(following)
        and following != ["one", "of"]
        and following[0].partition("'")[0] in words("en", "agents") - _POINTS
    )
    if vehicle is None or agent:
        who = len(following) > 1 and following[1] in ("who", "that") and line[begin - 1].word in words("en", "looks")
        said = clauses.supposed(line, n) if agent and not who else None
        return None if said is None else Marker("clause", begin, at, said.vehicle, last=said.last)
    if vehicle.last + 1 < len(line) and line[vehicle.last + 1].word in clauses.AUXILIARIES:
        said = clauses.supposed(line, n)
        return None if said is None else Marker("clause", begin, at, said.vehicle, last=said.last)
    last = None
    if line[begin].word == "more" and vehicle.last + 1 < len(line) and line[vehicle.last + 1].word == "than":
        other = noun_phrase(line, vehicle.last + 2)
        last = None if other is None else other.last
    verb = vehicle.last + 1
    if (
        last is None
        and verb < len(line)
        and is_verb_form(line[verb].word)
        and clauses.said_before(line, begin, line[verb].word)
    ):
        return Marker("clause", begin, at, vehicle, last=clauses.sign(line, verb) - 1)
    family = "shaped" if begin and line[begin - 1].word == "shaped" else "like"
    return Marker(family, begin, at, vehicle, last=last)


def _as(line: Sequence[Token], at: int) -> Marker | None:
    following = line[at + 1].word if at + 1 < len(line) else ""
    if following in ("if", "though"):
        said = clauses.supposed(line, at + 2)
        return None if said is None else Marker("clause", _softened(line, at), at + 1, said.vehicle, last=said.last)
    quality = is_adjective(following) or is_adverb(following)
    alone = None if quality or at == 0 or line[at - 1].word in ("as", "so") else _adjective_as(line, at)
    return alone or _as_as(line, at) or _adjective_as(line, at) or _as_does(line, at)


def _as_as(line: Sequence[Token], at: int) -> Marker | None:
    """``as white as a sheep``, ``as neatly as a camping cup``: whatever stands between is the ground."""
    n, limit = at + 1, min(len(line), at + 1 + _LONGEST_GROUND)
    while n < limit and line[n].word != "as" and _may_be_ground(line, n):
        n += 1
    much = line[at + 1].word == "much" and n > at + 2 if at + 1 < len(line) else False
    if (
        n == at + 1
        or n >= len(line)
        or line[n].word != "as"
        or (line[at + 1].word in words("en", "no_ground") and not much)
    ):
        return None
    skipped = n + 3 if [token.word for token in line[n + 1 : n + 3]] in _THAT_OF else n + 1
    vehicle = noun_phrase(line, skipped)
    return None if vehicle is None else Marker("as", _softened(line, at), n, vehicle, (at + 1, n - 1))


def _may_be_ground(line: Sequence[Token], n: int) -> bool:
    word = line[n].word
    joins = word == "still" or (
        word in ("and", "yet", "but", ",") and n + 1 < len(line) and line[n + 1].word not in words("en", "stops")
    )
    return joins or (line[n].is_word and word not in words("en", "stops") and word not in INDEFINITE)


def _adjective_as(line: Sequence[Token], at: int) -> Marker | None:
    """``cold as ice``, ``big and yellow as a pancake``: a visible quality and one `as`."""
    if at == 0 or not is_adjective(line[at - 1].word) or line[at - 1].word in words("en", "roles"):
        return None
    if at > 1 and line[at - 2].word in ("in", "of", "with", "from", "by", "at", "to", "for", "on"):
        return None
    first = at - 1
    while first > 1 and line[first - 1].word in ("and", "yet", "but", ",") and is_adjective(line[first - 2].word):
        first -= 2
    before = line[first - 1].word if first else ""
    if before in ("as", "so", "same", "too") or before in INDEFINITE:
        return None
    vehicle = noun_phrase(line, at + 1)
    if vehicle is None or vehicle.kind in ("several", "pointed"):
        return None
    following = line[vehicle.last + 1] if vehicle.last + 1 < len(line) else None
    if following is not None and is_verb_form(following.word):
        return None  # `went quiet as a car pulled up`
    return Marker("as", first, at, vehicle, (first, at - 1))


def _as_does(line: Sequence[Token], at: int) -> Marker | None:
    """``as a python would``, ``as ink goes through paper``, ``As a candle borrows ..., so``: a clause that compares."""
    said = clauses.done_alike(line, at)
    return None if said is None else Marker("clause", _softened(line, at), at, said.vehicle, last=said.last)


def _than(line: Sequence[Token], at: int) -> Marker | None:
    """``whiter than snow``, ``more graceful than a swan``, ``more scarecrow than man``."""
    if at == 0:
        return None
    after = noun_phrase(line, at + 1)
    more = next((n for n in range(at - 1, max(-1, at - 5), -1) if line[n].word in ("more", "less")), None)
    if after is not None and more is None and is_comparative(line[at - 1].word):
        begin = at - 2 if at > 1 and line[at - 2].word == "no" else at - 1
        return Marker("than", begin, at, after, (at - 1, at - 1))
    if after is None or more is None or more == at - 1 or line[more + 1].word == "like":
        return None
    if (
        line[more - 1].word in ("no", "little", "much")
        and more
        and at > more + 1
        and not is_adjective(line[more + 1].word)
    ):
        return Marker("amount", more - 1, at, after)  # `no more rhythm than a wardrobe`
    if at == more + 2 and (is_adjective(line[more + 1].word) or line[more + 1].word.endswith("ly")):
        return Marker("than", more, at, after, (more + 1, more + 1))
    n = more + 2 if line[more + 1].word == "of" else more + 1
    if after.kind == "one" and is_plural(line[at - 1].word) and not left.linked(line, more):
        return Marker("amount", more, at, after)  # `more holes than a net`
    said = noun_phrase(line[:at], n)
    if said is None or said.last != at - 1 or more == 0 or not left.linked(line, more):
        return None
    if line[more].word == "less":
        return Marker("than", more, at, after, None, after.last)
    return Marker("than", more, n - 1, said, None, after.last)


def _way(line: Sequence[Token], at: int) -> Marker | None:
    """``the way a heron goes through shallows``."""
    if at + 1 >= len(line) or line[at + 1].word != "way":
        return None
    said = clauses.acting(line, at + 2)
    return None if said is None else Marker("clause", _softened(line, at), at + 1, said.vehicle, last=said.last)


def _remind(line: Sequence[Token], at: int) -> Marker | None:
    """``reminded Hen of a piano``."""
    of = next((n for n in range(at + 1, min(len(line), at + 5)) if line[n].word == "of"), None)
    vehicle = None if of is None else noun_phrase(line, of + 1)
    if of is None or vehicle is None or not (vehicle.kind == "one" or vehicle.plural):
        return None
    return Marker("remind", at, of, vehicle)


def _mistake(line: Sequence[Token], at: int) -> Marker | None:
    """``could mistake the bay for a mirror``."""
    likely = any(token.word in ("could", "might", "would", "'d") for token in line[max(0, at - 3) : at])
    to = next((n for n in range(at + 1, min(len(line), at + 7)) if line[n].word == "for"), None)
    vehicle = None if to is None or not likely else noun_phrase(line, to + 1)
    return None if to is None or vehicle is None else Marker("remind", at, to, vehicle)


def _manner(line: Sequence[Token], at: int) -> Marker | None:
    """``with the patience of a heron``: a quality by whose it is."""
    n = at + 2 if at + 1 < len(line) and line[at + 1].word == "all" else at + 1
    if n + 3 >= len(line) or line[n].word != "the":
        return None
    of = next((k for k in (n + 2, n + 3) if k < len(line) and line[k].word == "of"), None)
    if of is None or (
        line[of - 1].word not in words("en", "manners")
        and not line[of - 1].word.endswith(("ness", "ity", "ence", "ance", "cy"))
    ):
        return None
    vehicle = noun_phrase(line, of + 1)
    if vehicle is None or not (vehicle.kind in ("one", "several") or (vehicle.kind == "bare" and vehicle.plural)):
        return None
    return Marker("manner", at, of, vehicle)


_BY_WORD: dict[str, Callable[[Sequence[Token], int], Marker | None]] = {
    "like": _like, "as": _as, "than": _than, "the": _way, "with": _manner,
    "has": _manner,
    "have": _manner,
    "had": _manner, "reminds": _remind, "reminded": _remind,
    "mistake": _mistake,
}  # fmt: skip
