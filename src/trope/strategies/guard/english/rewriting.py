"""What an English rewrite takes out, and what stands there instead."""

from __future__ import annotations

from collections.abc import Sequence

from trope.data.coco import words as class_words
from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.case import SIZES
from trope.strategies.guard.english.markers import Candidate
from trope.strategies.guard.english.phrases import NounPhrase, other_thing
from trope.strategies.guard.english.words import Token, is_adjective, is_participle, is_verb_form
from trope.strategies.guard.lexicon import qualities, words
from trope.strategies.guard.plan import Span

# After these the sentence asks for what follows.
_ASKING = frozenset("of with than for to from at into onto among between as and or but without".split())
_LOOKING = ("looking", "feeling", "sounding", "smelling", "tasting")
# What something sounds, smells or tastes like says nothing of how it looks.
_OTHER_SENSES = (
    "sound", "sounds", "sounded", "smell", "smells", "smelled", "smelt", "taste", "tastes", "tasted",
)  # fmt: skip
_VAGUE = frozenset("something nothing about anything".split())


def rewritten(
    text: str,
    line: Sequence[Token],
    found: Candidate,
    end: int,
    ground: str | None,
    carried: tuple[str, ...],
    *,
    sure: bool,
    told: bool,
) -> tuple[Span, str | None]:
    """The span that goes and its replacement; None where the sentence would not stand or its end is not clear.

    ``end`` is the last token of the comparison, ``ground`` the quality that the text names, ``carried`` what the
    vehicle lends.
    """
    begin, stop = found.begin, line[end].end
    start = line[begin].start
    said = ground or ("" if found.family == "clause" else _listed(carried))
    whole, glued = (start, stop), (line[begin - 1].end if begin else start, stop)
    if found.family in ("measure", "shape", "amount", "pass", "shaped", "remind") or line[begin].word in _VAGUE:
        return whole, None
    if found.ground is not None and found.ground[0] == begin and found.family == "as" and sure:
        return (line[found.ground[1]].end, stop), ""  # `cold as ice`
    if found.family == "resemble":
        looks = {"resembles": "looks", "resembled": "looked", "resemble": "look"}.get(line[begin].word)
        if looks is None and not line[begin].word.endswith("ing"):
            return whole, None
        if looks is None and begin and line[begin - 1].text == ",":
            return _aside(line, begin, end)
        if looks is None:
            return (glued, f", {said}" if said and _ends(line, end) else "") if sure else (whole, None)
        return whole, f"{looks} {said}" if said and sure else None
    if before_is(line, begin, "built") or (found.ground is None and before_is(line, begin, *_OTHER_SENSES)):
        return whole, None
    if before_is(line, begin, *_LOOKING):
        return _looking(line, begin, end) if sure and begin > 1 else (whole, None)
    if found.ground is not None and line[found.ground[0]].word == "much":
        return whole, None
    if found.family == "manner":
        of = next(n for n in range(begin, found.end + 1) if line[n].word == "of")
        with_it = line[begin].word == "with" and sure
        return whole, " ".join(("with", *(t.text for t in line[begin + 1 : of] if t.word not in ("all", "the")))) if (
            with_it
        ) else None
    before = line[begin - 1] if begin else None
    if before is not None and before.word in words("en", "marks_of_looking") and found.family == "akin":
        return whole, None
    if not sure and found.family != "clause":
        return whole, None
    if before is None:
        return _fronted(text, line, end, said)
    if before.text in (",", "—", "–", "/"):
        if said:
            return whole, said
        return _aside(line, begin, end)
    if not before.is_word or before.word in _ASKING:
        return whole, said if found.ground is not None else None
    if left.linked(line, begin) and _needs(line, begin, found):
        return whole, said or None
    if found.family == "clause":
        return glued, ""
    if found.ground is not None:
        return _quality(text, line, found, whole, glued, said, told=told)
    if (is_adjective(before.word) and begin > 1 and line[begin - 2].word not in ("a", "an", "the")) or not said:
        return glued, ""
    return glued, f", {said}{_comma(text, stop)}"


def before_is(line: Sequence[Token], begin: int, *these: str) -> bool:
    """Whether one of the words stands right before the marker."""
    return begin > 0 and line[begin - 1].word in these


def _looking(line: Sequence[Token], begin: int, end: int) -> tuple[Span, str]:
    """``came round looking like a sausage``: the participle goes as well."""
    if line[begin - 2].text == ",":
        return _aside(line, begin - 1, end)
    return (line[begin - 2].end, line[end].end), ""


def _aside(line: Sequence[Token], begin: int, end: int) -> tuple[Span, str]:
    """A comparison between commas goes with the first of them, and with both where the verb follows."""
    last = end
    if end + 2 < len(line) and line[end + 1].text == ",":
        after_verb = begin > 1 and is_verb_form(line[begin - 2].word)
        placed = after_verb and line[end + 2].word in words("en", "prepositions")
        last = end + 1 if placed or is_verb_form(line[end + 2].word) else end
    return (line[begin - 1].start, line[last].end), ""


def _needs(line: Sequence[Token], begin: int, found: Candidate) -> bool:
    """Whether the word before the marker asks for a predicate: `is like`, `looks as if`; not `lies like`."""
    word = line[begin - 1].word
    return word in words("en", "copulas") or word in left.CONTRACTED or found.ground is not None


def _quality(
    text: str, line: Sequence[Token], found: Candidate, whole: Span, glued: Span, said: str, *, told: bool
) -> tuple[Span, str | None]:
    """``as white as snow``, ``whiter than snow``: the quality stays."""
    word = line[found.begin - 1].word
    after_verb = word.endswith("ly") or word in words("en", "adverbs") or is_participle(word)
    adverb = found.ground is not None and line[found.ground[1]].word.endswith("ly")
    verb = left.is_verb_here(line, left.segment_start(line, found.begin), found.begin - 1)
    if not (after_verb or adverb or verb) and word not in words("en", "copulas"):
        following = _following(line, whole[1])
        if said.lower() in SIZES:
            return whole, None  # `a spider as big as a car`
        if not told and following:
            return (glued, f", {said},") if is_verb_form(following) else (whole, None)
    if after_verb or adverb or not told or verb:
        return whole, said
    return glued, f", {said}{_comma(text, whole[1])}"


def _following(line: Sequence[Token], stop: int) -> str:
    """The word that follows right after ``stop``, none if a sign does."""
    token = next((token for token in line if token.start >= stop), None)
    return token.word if token is not None and token.is_word else ""


def _fronted(text: str, line: Sequence[Token], end: int, said: str) -> tuple[Span, str | None]:
    start, stop = line[0].start, line[end].end
    if line[0].text[0].isupper():
        said = said[:1].upper() + said[1:]
    if end + 1 >= len(line) or line[end + 1].text != ",":
        return (start, stop), said or None
    if said:
        return (start, stop), said
    while stop < len(text) and text[stop] in ", ":
        stop += 1
    first = text[stop : stop + 1]
    return (start, stop + 1), first.upper() if line[0].text[0].isupper() else first


def _ends(line: Sequence[Token], end: int) -> bool:
    return end + 1 >= len(line) or not line[end + 1].is_word


def _comma(text: str, stop: int) -> str:
    following = text[stop : stop + 2]
    return "," if following[:1] == " " and following[1:].strip() else ""


def _listed(words_: tuple[str, ...]) -> str:
    return words_[0] if len(words_) == 1 else f"{', '.join(words_[:-1])} and {words_[-1]}" if words_ else ""


def lent(line: Sequence[Token], vehicle: NounPhrase) -> tuple[str, ...]:
    """What carries over: colors and textures that the vehicle is given, then the lexicon's word for it."""
    said = [t.word for t in line[vehicle.first : vehicle.head] if t.word in words("en", "carried")]
    noun = " ".join(token.word for token in line[vehicle.head : vehicle.last_head + 1])
    return tuple(dict.fromkeys(said))[:3] or known(noun)


def known(noun: str) -> tuple[str, ...]:
    """The qualities that the lexicon gives a noun."""
    if other_thing(noun):
        return ()
    table = qualities("en")
    name = class_words().get(noun, noun)
    return next((table[n] for n in (name, _singular(name), _singular(name.split()[-1])) if n in table), ())


_SINGULARS = (("ies", "y"), ("ves", "f"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""))


def _singular(noun: str) -> str:
    for ending, single in _SINGULARS:
        if noun.endswith(ending) and not noun.endswith(("ss", "us")):
            return noun[: -len(ending)] + single
    return noun
