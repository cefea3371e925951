"""English figures: every explicit comparison of a sentence, with its spans, what may replace it and why it is one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.case import Case
from trope.strategies.guard.english.clauses import lemma
from trope.strategies.guard.english.compounds import compounds
from trope.strategies.guard.english.kinds import is_person
from trope.strategies.guard.english.markers import Candidate, candidates, first_words
from trope.strategies.guard.english.phrases import NounPhrase, Tail, noun_phrase, tail
from trope.strategies.guard.english.reasons import literal
from trope.strategies.guard.english.rewriting import lent, rewritten
from trope.strategies.guard.english.telling import is_told
from trope.strategies.guard.english.words import Token, is_participle, is_verb_form, positive, tokens, verb_forms
from trope.strategies.guard.lexicon import words
from trope.strategies.guard.plan import SIMILE, PlannedFigure, stretches

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\S)[^.!?\n]*)*[.!?]*")
_MARKER = re.compile(
    rf"like\b|-esque\b|\b(?:{'|'.join(sorted(map(re.escape, first_words() - {'the'})))}|the \w+)\b", re.IGNORECASE
)
_NEGATIVE = re.compile(r"\bnegative prompt\s*:", re.IGNORECASE)
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
    found = [figure for candidate in candidates(line) if (figure := _figure(text, line, candidate, told)) is not None]
    found += compounds(text, line, told)
    done = 0
    for figure in sorted(found, key=lambda figure: figure.marker):
        if figure.marker[0] >= done:
            yield figure
            done = max(figure.whole[1], figure.phrase[1])


def _figure(text: str, line: Sequence[Token], found: Candidate, told: bool) -> PlannedFigure | None:
    head = line[found.vehicle.last_head]
    if not head.word[0].isalpha():
        return None
    case = _case(text, line, found, told)
    compared, why = literal(case)
    if not compared:
        return None
    vehicle = found.vehicle
    following = line[vehicle.last + 1].word if vehicle.last + 1 < len(line) else ""
    attribute = case.near is not None and case.verb is None and not left.linked(line, found.begin)
    attribute = attribute and (is_verb_form(following) or following in verb_forms())
    own = tail(line, vehicle, verb_may_follow=attribute, told=told)
    if found.begin == 0 and following in left.SUBJECTS:
        own = Tail(vehicle.last, True)  # `Quick as a lizard she snatched the key`
    end = max(own.end if found.last is None else found.last, vehicle.last)
    own_end = head.end - 2 if head.word.endswith("'s") else head.end
    span = (line[vehicle.head].start, own_end)
    phrase = (line[vehicle.first].start, line[max(own.end, vehicle.last)].end)
    marker = (line[_marker_start(line, found)].start, line[found.end].end)
    tenor = None if case.tenor is None else (line[case.tenor.first].start, line[case.tenor.last].end)
    ground = None if found.ground is None else text[line[found.ground[0]].start : line[found.ground[1]].end]
    if ground is not None and found.family == "than":
        ground = positive(ground)
    carried = (ground,) if ground else lent(line, vehicle)
    if ground is None and case.noun(case.near or case.tenor) in words("en", "perceived") | words("en", "scents"):
        carried = ()
    if ground is None and case.verb is not None and line[case.verb].word in words("en", "sounding"):
        carried = ()
    if ground is None and found.family == "like" and _acts(case):
        carried = tuple(word for word in carried if word in [t.word for t in line[vehicle.first : vehicle.head]])
    sure = own.sure or found.last is not None
    if case.near is not None and case.verb is None and not told and following.endswith("ing"):
        sure = sure and not is_participle(following)  # `birds like arrows crossing the sky`: who crosses it?
    if found.ground is not None and not sure and following in words("en", "prepositions"):
        place = noun_phrase(line, vehicle.last + 2)
        new = place is not None and place.kind not in ("the", "pointed") and following != "to"
        end, sure = place.last if place is not None and new else end, True
    whole, replacement = rewritten(text, line, found, end, ground, carried, sure=sure, told=told)
    if why is not None:
        whole, replacement = (marker[0], phrase[1]), None
    return PlannedFigure(
        marker=marker, vehicle=span, phrase=phrase, whole=whole, replacement=replacement, qualities=carried,
        seen=why is not None, why=why or SIMILE, tenor=tenor, confidence=_CONFIDENCE.get(found.family, 0.8),
    )  # fmt: skip


def _acts(case: Case) -> bool:
    """Whether the tenor does something as the vehicle does it, so that it takes nothing of its looks."""
    if case.verb is None and case.before.endswith("ed"):
        return lemma(case.before) in {lemma(word) for word in words("en", "goings")}
    if case.verb is None or case.line[case.verb].word in words("en", "copulas") | words("en", "poses"):
        return False
    if case.line[case.verb].word in words("en", "links") - words("en", "goings"):
        return False
    who = case.noun(case.tenor)
    moved = any(lemma(case.line[case.verb].word).startswith(lemma(word)) for word in words("en", "goings"))
    return moved or case.pronoun or is_person(who) or case.head.removesuffix("s") in words("en", "animals")


def _marker_start(line: Sequence[Token], found: Candidate) -> int:
    looks = found.begin and line[found.begin - 1].word in words("en", "looks")
    return found.begin - 1 if looks else found.begin


def _case(text: str, line: Sequence[Token], found: Candidate, told: bool) -> Case:
    begin = found.begin
    segment = left.segment_start(line, begin)
    near = left.phrase_before(line, segment, begin) if begin > segment else None
    verb = left.verb_before(line, segment, begin) if begin > segment else None
    return Case(text, line, found, _tenor(line, segment, begin, verb, near), near, verb, told)


def _tenor(
    line: Sequence[Token], segment: int, begin: int, verb: int | None, near: NounPhrase | None
) -> NounPhrase | None:
    """What is likened: the subject, else the noun before the marker; after a front comparison, what follows."""
    if begin == 0:
        comma = next((n for n in range(len(line)) if line[n].text == ","), None)
        return None if comma is None else left.subject_of(line, comma + 1, len(line))
    at = verb if verb is not None and verb > segment else begin
    linking = [n for n in range(segment, begin) if line[n].word in words("en", "copulas")]
    if linking:
        at = linking[-1]
    tenor = left.subject_of(line, segment, at)
    if tenor is None and begin == segment:  # after a comma
        start = left.segment_start(line, begin - 1)
        tenor = left.subject_of(line, start, begin - 1) or left.subject_of(line, 0, begin - 1)
    if tenor is None and segment > 0 and at > segment:
        tenor = left.subject_of(line, 0, segment)
    placed = near is not None and near.first > 0 and line[near.first - 1].word in left.PLACING
    return tenor or (None if placed else near)
