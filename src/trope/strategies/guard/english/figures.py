"""English figures: every explicit comparison of a sentence, with its spans, what may replace it and why it is one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.candidates import Candidate
from trope.strategies.guard.english.carried import carried
from trope.strategies.guard.english.clauses import ends_surely
from trope.strategies.guard.english.compounds import compounds
from trope.strategies.guard.english.markers import Marker, first_words, markers
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, NounPhrase, noun_phrase
from trope.strategies.guard.english.reasons import reason
from trope.strategies.guard.english.rewrites import rewritten
from trope.strategies.guard.english.tails import Tail, tail
from trope.strategies.guard.english.telling import is_told
from trope.strategies.guard.english.tenors import tenor_of
from trope.strategies.guard.english.uses import other_use
from trope.strategies.guard.english.words import (
    Token,
    is_adjective,
    is_participle,
    is_plural,
    is_verb_form,
    positive,
    tokens,
    verb_forms,
)
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import SIMILE, PlannedFigure, stretches

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\S)[^.!?\n]*)*[.!?]*")
_MARKER = re.compile(
    rf"like\b|-esque\b|\b(?:{'|'.join(sorted(map(re.escape, first_words() - {'the'})))}|the \w+)\b", re.IGNORECASE
)
_NEGATIVE = re.compile(r"\bnegative prompt\s*:", re.IGNORECASE)
_BESIDE = frozenset("on under beside behind near above below against before".split())
_CONFIDENCE = {"as": 0.95, "like": 0.9, "clause": 0.8, "measure": 0.75, "pass": 0.7, "amount": 0.7}


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of an English text, in order."""
    unwanted = {match.end() for match in _NEGATIVE.finditer(text)}
    for begin, end in stretches(_SENTENCE, text):
        if unwanted and any(begin <= place <= end for place in unwanted):
            continue
        if _MARKER.search(text, begin, end):
            yield from _in_sentence(text, tokens(text, begin, end))


def _in_sentence(text: str, line: Sequence[Token]) -> Iterator[PlannedFigure]:
    told = is_told(line)
    found = [figure for marker in markers(line) if (figure := _figure(text, line, marker, told)) is not None]
    found += compounds(text, line, told)
    done = 0
    for figure in sorted(found, key=lambda figure: figure.marker):
        if figure.marker[0] >= done:
            yield figure
            done = max(figure.whole[1], figure.phrase[1])


def _figure(text: str, line: Sequence[Token], found: Marker, told: bool) -> PlannedFigure | None:
    head = line[found.vehicle.last_head]
    if not head.word[0].isalpha():
        return None
    c = _candidate(text, line, found, told)
    if other_use(c):
        return None
    why = reason(c)
    vehicle = found.vehicle
    following = line[vehicle.last + 1].word if vehicle.last + 1 < len(line) else ""
    attribute = c.near is not None and c.verb is None and not left.linked(line, found.begin)
    attribute = attribute and (is_verb_form(following) or following in verb_forms())
    own = tail(line, vehicle, verb_may_follow=attribute, told=told)
    if found.begin == 0 and (following in left.SUBJECTS or following in (DEFINITE | INDEFINITE) - {"that"}):
        own = Tail(vehicle.last, True)  # `Quick as a lizard she snatched the key`
    last, clear = (own.end, own.sure) if found.last is None else ends_surely(line, found.end + 1, found.last)
    end = max(last, vehicle.last)
    own_end = head.end - 2 if head.word.endswith("'s") else head.end
    span = (line[vehicle.head].start, own_end)
    phrase = (line[vehicle.first].start, line[max(own.end, vehicle.last)].end)
    marker = (line[_marker_start(line, found)].start, line[found.end].end)
    tenor = None if c.tenor is None else (line[c.tenor.first].start, line[c.tenor.last].end)
    ground = None if found.ground is None else text[line[found.ground[0]].start : line[found.ground[1]].end]
    if ground is not None and found.family == "than":
        ground = positive(ground)
    looks = (ground,) if ground else carried(c, end)
    sure = clear
    if c.near is not None and c.verb is None and not told and following.endswith("ing"):
        sure = sure and not is_participle(following)  # `birds like arrows crossing the sky`: who crosses it?
    if found.ground is not None and not sure and following in words("en", "prepositions"):
        place = noun_phrase(line, vehicle.last + 2)
        new = place is not None and place.kind not in ("the", "pointed") and following != "to"
        end = place.last if place is not None and new and told else end
        # in a list of things to draw a new place is the scene's
        sure = told or not new or following in _BESIDE or _in_scene(line, vehicle, following, place)
    whole, replacement = rewritten(c, end, ground, looks, sure=sure)
    if why is not None:
        whole, replacement = (marker[0], phrase[1]), None
    return PlannedFigure(
        marker=marker, vehicle=span, phrase=phrase, whole=whole, replacement=replacement, qualities=looks,
        seen=why is not None, why=why or SIMILE, tenor=tenor, confidence=_CONFIDENCE.get(found.family, 0.8),
    )  # fmt: skip


def _in_scene(line: Sequence[Token], vehicle: NounPhrase, following: str, place: NounPhrase | None) -> bool:
    """Whether a place where somebody is cannot be the vehicle's: `a girl pale as milk in a garden`."""
    stuff = vehicle.kind == "bare" and not vehicle.plural
    return stuff and following == "in" and place is not None and line[place.last].word in words("en", "scenes")


def _marker_start(line: Sequence[Token], found: Marker) -> int:
    looks = found.begin and line[found.begin - 1].word in words("en", "looks")
    return found.begin - 1 if looks else found.begin


def _candidate(text: str, line: Sequence[Token], found: Marker, told: bool) -> Candidate:
    begin = found.begin
    segment = left.segment_start(line, begin)
    near = left.phrase_before(line, segment, begin) if begin > segment else None
    verb = left.verb_before(line, segment, begin) if begin > segment else None
    acting = verb is not None and verb_forms().get(line[verb].word) == "base" and is_plural(line[verb - 1].word)
    if near is not None and verb == near.last and acting:
        near = None  # `The camels sway`
    quality = found.ground is not None and not line[found.ground[1]].word.endswith("ly")
    verbal = found.family in ("resemble", "remind") and line[begin].word != "resembling"
    first = _first_of_pair(line, begin)
    beside = left.phrase_before(line, left.segment_start(line, first), first) if 0 < first < begin else near
    tenor, own = tenor_of(line, first, beside, quality=quality, verbal=verbal)
    return Candidate(text, line, found, tenor, near, verb, told, own and first == begin)


def _first_of_pair(line: Sequence[Token], begin: int) -> int:
    """Where the first of two comparisons begins: `as black as pitch` before `and as quiet as a grave`."""
    if begin < 4 or line[begin - 1].word not in ("and", ","):
        return begin
    first = next(
        (n for n in range(begin - 2, max(0, begin - 9), -1) if line[n].word == "as" or not line[n].is_word), begin
    )
    if not line[first].is_word:
        return begin
    return first - 1 if first and is_adjective(line[first - 1].word) else first
