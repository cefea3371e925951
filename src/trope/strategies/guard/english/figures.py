"""English figures: every explicit simile of a sentence that is surely one, with its spans and what may replace it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from trope.data.coco import words as class_words
from trope.strategies.guard.english.clauses import akin, as_if, the_way
from trope.strategies.guard.english.context import is_verb_here, subject_of
from trope.strategies.guard.english.like import Like, like, resembles
from trope.strategies.guard.english.likened import As, adjective_as, as_as
from trope.strategies.guard.english.phrases import NounPhrase, noun_phrase, other_thing, tail
from trope.strategies.guard.english.words import Token, is_participle, tokens, verb_forms
from trope.strategies.guard.lexicon import qualities, words
from trope.strategies.guard.plan import PlannedFigure, Span, stretches

_MARKERS = re.compile(
    r"\b(?:like|as|resembl(?:es?|ed|ing)|the (?:way|size|colou?r|shape|texture)|akin|similar|comparable|reminiscent"
    r"|different|unlike|in the (?:shape|form) of)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\S)[^.!?\n]*)*[.!?]*")
_RESEMBLE = frozenset("resemble resembles resembled resembling".split())
_AKIN = tuple(
    tuple(phrase.split())
    for phrase in (
        "akin to", "similar to", "comparable to", "reminiscent of", "not unlike", "no different from",
        "no different than",
        "the size of", "the color of", "the colour of", "the shape of", "the texture of",
    )
)  # fmt: skip
_DESIGN = "a design request: both things are meant to be seen"


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an English text, in order."""
    for begin, end in stretches(_SENTENCE, text):
        if _MARKERS.search(text, begin, end):
            yield from _in_sentence(text, tokens(text, begin, end))


def _in_sentence(text: str, line: Sequence[Token]) -> Iterator[PlannedFigure]:
    design = any(token.word in words("en", "designs") for token in line)
    design = design or (any(token.word in words("en", "designs_listed") for token in line) and not _told(line))
    done = 0
    for at, token in enumerate(line):
        if token.start < done:
            continue
        found = _at(line, at)
        if found is None:
            continue
        figure = _planned(text, line, found) if not isinstance(found, NounPhrase) else _shape(line, at, found)
        if design and not figure.seen:
            figure = _seen(figure, _DESIGN)
        yield figure
        done = figure.whole[1]


def _at(line: Sequence[Token], at: int) -> Like | As | NounPhrase | None:
    word, following = line[at].word, line[at + 1].word if at + 1 < len(line) else ""
    if word == "like":
        return like(line, at)
    if word == "as" and following in ("if", "though"):
        return as_if(line, at)
    if word == "as":
        return as_as(line, at) or adjective_as(line, at)
    for phrase in _AKIN:
        if word == phrase[0] and tuple(t.word for t in line[at : at + len(phrase)]) == phrase:
            return akin(line, at, len(phrase))
    if word in _RESEMBLE:
        return resembles(line, at)
    if word == "the" and following == "way":
        return the_way(line, at)
    if (
        word == "in"
        and following == "the"
        and [t.word for t in line[at + 2 : at + 4]] in (["shape", "of"], ["form", "of"])
    ):
        return noun_phrase(line, at + 4)
    return None


def _shape(line: Sequence[Token], at: int, vehicle: NounPhrase) -> PlannedFigure:
    """``in the shape of a swan``: never a figure to act on."""
    span = (line[vehicle.head].start, line[vehicle.last_head].end)
    phrase = (line[vehicle.first].start, line[vehicle.last].end)
    return PlannedFigure(
        (line[at].start, line[at + 3].end),
        span,
        phrase,
        (line[at].start, phrase[1]),
        None,
        (),
        True,
        _DESIGN,
        None,
        0.9,
    )


def _seen(figure: PlannedFigure, why: str) -> PlannedFigure:
    return replace(figure, replacement=None, seen=True, why=why)


def _planned(text: str, line: Sequence[Token], found: Like | As) -> PlannedFigure:
    vehicle = found.vehicle
    own = tail(line, vehicle, verb_may_follow=found.how == "attribute", told=_told(line))
    end = own.end
    if found.how == "clause":
        while end + 1 < len(line) and line[end + 1].is_word:
            end += 1
    span = (line[vehicle.head].start, line[vehicle.last_head].end)
    phrase = (line[vehicle.first].start, line[max(own.end, vehicle.last)].end)
    tenor = None if found.tenor is None else (line[found.tenor.first].start, line[found.tenor.last].end)
    if isinstance(found, Like):
        marker = (line[found.marker].start, line[found.begin].end)
        if found.how != "resemble":
            marker = (marker[0], line[next(n for n in range(found.begin, vehicle.first) if line[n].word == "like")].end)
        carried = _qualities(line, vehicle)
        seen = found.seen
        ground = None
    else:
        marker = (line[found.begin].start, line[found.marker_end].end)
        ground = None if found.ground is None else text[line[found.ground[0]].start : line[found.ground[1]].end]
        carried = (ground,) if ground else _qualities(line, vehicle)
        seen = None
    whole, replacement = _rewritten(text, line, found, end, ground, carried)
    sure = own.sure or found.how == "clause"
    return PlannedFigure(
        marker, span, phrase, whole, replacement if sure and seen is None else None, carried, seen is not None,
        seen or "an explicit simile: the vehicle only says what something is like", tenor, found.confidence,
    )  # fmt: skip


def _told(line: Sequence[Token]) -> bool:
    """Whether a finite verb makes this a sentence and not a list of things to draw."""
    for n, token in enumerate(line):
        kind = verb_forms().get(token.word)
        if token.word in words("en", "finite") or (kind in ("third", "base") and is_verb_here(line, 0, n)):
            return True
        if kind == "past" and n and line[n - 1].is_word and not is_participle_here(line, n):
            return True
    return False


def is_participle_here(line: Sequence[Token], n: int) -> bool:
    """Whether a past form after a noun may be a participle: no subject of its own that is told of."""
    if any(token.word in ("he", "she", "it", "they", "i", "we", "you") for token in line[max(0, n - 2) : n]):
        return False
    subject = subject_of(line, 0, n)
    return (
        subject is None
        or subject.kind in ("one", "several")
        or (subject.kind == "bare" and line[n].word.endswith("ed"))
    )


def _rewritten(
    text: str, line: Sequence[Token], found: Like | As, end: int, ground: str | None, carried: tuple[str, ...]
) -> tuple[Span, str | None]:
    """What is taken out and what stands there instead."""
    begin, stop = found.begin, line[end].end
    start = line[begin].start
    said = ground or _listed(carried)
    glued = (line[begin - 1].end if begin else start, stop)
    if found.how == "front":
        return ((start, stop), said[0].upper() + said[1:]) if said else ((start, _after_comma(text, stop)), "")
    if found.how == "resemble":
        looks = {"resembles": "looks", "resembled": "looked"}.get(line[begin].word, "look")
        return (start, stop), f"{looks} {said}" if said else None
    if found.how == "predicate" and not _after_place(line, found):
        return (start, stop), said or None
    if found.how == "measure":
        return (start, stop), None
    if found.how == "clause" or (found.how == "adjective" and isinstance(found, Like)):
        return glued, ""
    if found.how == "comma":
        return ((start, stop), said) if said else ((line[begin - 1].start, stop), "")
    if not said:
        return glued, ""
    following = text[stop : stop + 2]
    comma = "," if following[:1] == " " and following[1:].strip() else ""
    return glued, f", {said}{comma}"


def _after_place(line: Sequence[Token], found: Like | As) -> bool:
    """`sat at the mirror as cool as ...`: the adjective cannot stand right after the noun."""
    if isinstance(found, Like) or found.begin == 0:
        return False
    word = line[found.begin - 1].word
    linked = word in words("en", "copulas") or word in words("en", "links") or is_verb_here(line, 0, found.begin - 1)
    return not linked and not word.endswith("ly") and word not in words("en", "adverbs") and not is_participle(word)


def _after_comma(text: str, stop: int) -> int:
    while stop < len(text) and text[stop] in ", ":
        stop += 1
    return stop


def _listed(words_: tuple[str, ...]) -> str:
    return words_[0] if len(words_) == 1 else f"{', '.join(words_[:-1])} and {words_[-1]}" if words_ else ""


def _qualities(line: Sequence[Token], vehicle: NounPhrase) -> tuple[str, ...]:
    """What carries over: colors and textures that the vehicle is given, then the lexicon's word for it."""
    said = [t.word for t in line[vehicle.first : vehicle.head] if t.word in words("en", "carried")]
    noun = " ".join(token.word for token in line[vehicle.head : vehicle.last_head + 1])
    known = qualities("en")
    if other_thing(noun):
        return tuple(dict.fromkeys(said))[:3]
    name = class_words().get(noun, noun)
    listed = next((known[n] for n in (name, _singular(name), _singular(name.split()[-1])) if n in known), ())
    return tuple(dict.fromkeys([*said, *listed]))[:3]


def _singular(noun: str) -> str:
    for ending, single in (
        ("ies", "y"),
        ("ves", "f"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("sses", "ss"),
        ("xes", "x"),
        ("s", ""),
    ):
        if noun.endswith(ending) and not noun.endswith(("ss", "us")):
            return noun[: -len(ending)] + single
    return noun
