"""What an English rewrite takes out, and what stands there instead."""

from __future__ import annotations

from collections.abc import Sequence

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.attributes import before_noun, is_bare, is_new, is_paired
from trope.strategies.guard.english.candidates import SIZES, Candidate
from trope.strategies.guard.english.clauses import lemma
from trope.strategies.guard.english.markers import Marker
from trope.strategies.guard.english.words import Token, is_adjective, is_participle, is_verb_form
from trope.strategies.guard.lexicon import rows, words
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
    c: Candidate, end: int, ground: str | None, carried: tuple[str, ...], *, sure: bool
) -> tuple[Span, str | None]:
    """The span that goes and its replacement; None where the sentence would not stand or its end is not clear.

    ``end`` is the last token of the comparison, ``ground`` the quality that the text names, ``carried`` what the
    vehicle lends.
    """
    text, line, found = c.text, c.line, c.marker
    begin, stop = found.begin, line[end].end
    start = line[begin].start
    said = ground or ("" if found.family == "clause" else _listed(carried))
    whole, glued = (start, stop), (line[begin - 1].end if begin else start, stop)
    if found.family in ("measure", "shape", "amount", "pass", "shaped", "remind") or line[begin].word in _VAGUE:
        return whole, None
    if found.ground is not None and found.ground[0] == begin and found.family == "as" and sure:
        if ground and "," not in ground and is_new(c) and not is_paired(c):
            placed = None if ground.lower() in SIZES else before_noun(c, stop, _qualities(ground))
            return placed or (whole, None)  # `a ballerina light as a feather`
        return (line[found.ground[1]].end, stop), _after_quality(line, begin, end)
    if found.family == "resemble":
        return _resembling(c, end, said, carried, sure=sure)
    if _before_is(line, begin, "built") or (found.ground is None and _before_is(line, begin, *_OTHER_SENSES)):
        return whole, None
    if _before_is(line, begin, *_LOOKING):
        return _looking(line, begin, end) if sure and begin > 1 else (whole, None)
    if found.ground is not None and line[found.ground[0]].word == "much":
        return whole, None
    if found.family == "manner":
        return whole, _manner(line, found) if sure else None
    before = line[begin - 1] if begin else None
    if before is not None and before.word in words("en", "marks_of_looking") and found.family == "akin":
        return whole, None
    if not sure:
        return whole, None
    if before is None:
        return _fronted(text, line, end, said, so=found.family == "clause")
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
    placed = before_noun(c, stop, _qualities(ground) if ground else carried) if said.lower() not in SIZES else None
    if placed is not None:
        return placed
    if not said:
        way = _way_of_doing(c, end)
        if way:
            return whole, way
        asks = before.word in words("en", "asking_how") or is_bare(c, end)
        return (whole, None) if asks else (glued, "")
    if found.ground is not None:
        return _quality(c, whole, glued, said)
    if is_adjective(before.word) and begin > 1 and line[begin - 2].word not in ("a", "an", "the"):
        return glued, ""
    if before.word.endswith("ing") and is_participle(before.word) and _following(line, stop):
        return whole, said  # `stretching narrow and winding to the horizon`
    return glued, f", {said}{_comma(text, stop)}"


def _qualities(ground: str) -> tuple[str, ...]:
    """`round` and `red` of `round and red`."""
    return tuple(ground.split(" and "))


def _way_of_doing(c: Candidate, end: int) -> str:
    """`beautifully` of `sings like an angel`: what a common saying means; none if it is not one."""
    if c.marker.family != "like" or c.vehicle.kind != "one" or c.vehicle.first + 1 != end:
        return ""
    for row in rows("en", "sayings"):
        verb, *vehicles, way = row.split()
        if lemma(c.before) == lemma(verb) and c.head in vehicles:
            return way
    return ""


def _after_quality(line: Sequence[Token], begin: int, end: int) -> str:
    """What stands behind `Quick` of `Quick as a lizard she snatched`: a comma where the subject follows."""
    following = line[end + 1] if end + 1 < len(line) else None
    subject = following is not None and following.is_word and following.word not in words("en", "prepositions")
    return "," if begin == 0 and subject else ""


def _resembling(c: Candidate, end: int, said: str, carried: tuple[str, ...], *, sure: bool) -> tuple[Span, str | None]:
    """``resembles a colander`` -> ``looks full of holes``; ``cables resembling guts`` -> ``cables``."""
    line, begin = c.line, c.marker.begin
    whole, glued = (line[begin].start, line[end].end), (line[begin - 1].end if begin else 0, line[end].end)
    looks = {"resembles": "looks", "resembled": "looked", "resemble": "look"}.get(line[begin].word)
    if looks is not None:
        return whole, f"{looks} {said}" if said and sure else None
    if not line[begin].word.endswith("ing"):
        return whole, None
    if begin and line[begin - 1].text == ",":
        return _aside(line, begin, end)
    placed = before_noun(c, line[end].end, carried) if sure else None
    if placed is not None:
        return placed
    if not sure or (not said and is_bare(c, end)):
        return whole, None
    return glued, f", {said}" if said and _ends(line, end) else ""


def _manner(line: Sequence[Token], found: Marker) -> str | None:
    """``with all the patience of a heron`` -> ``with patience``."""
    of = next(n for n in range(found.begin, found.end + 1) if line[n].word == "of")
    if line[found.begin].word != "with" or line[of - 1].word in words("en", "not_alone"):
        return None
    return " ".join(("with", *(t.text for t in line[found.begin + 1 : of] if t.word not in ("all", "the"))))


def _before_is(line: Sequence[Token], begin: int, *these: str) -> bool:
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


def _needs(line: Sequence[Token], begin: int, found: Marker) -> bool:
    """Whether the word before the marker asks for a predicate: `is like`, `looks as if`; not `lies like`."""
    word = line[begin - 1].word
    return word in words("en", "copulas") or word in left.CONTRACTED or found.ground is not None


def _quality(c: Candidate, whole: Span, glued: Span, said: str) -> tuple[Span, str | None]:
    """``as white as snow``, ``whiter than snow``: the quality stays, of a verb as an adverb."""
    line, found = c.line, c.marker
    word = line[found.begin - 1].word
    after_verb = word.endswith("ly") or word in words("en", "adverbs") or is_participle(word)
    adverb = found.ground is not None and line[found.ground[1]].word.endswith("ly")
    verb = left.is_verb_here(line, c.segment, found.begin - 1)
    if not (after_verb or adverb or verb) and word not in words("en", "copulas"):
        following = _following(line, whole[1])
        if said.lower() in SIZES and (c.own or not c.told):
            return whole, None  # `a spider as big as a car`
        if c.own and is_paired(c):
            return whole, said
        if not c.told and following:
            return (glued, f", {said},") if is_verb_form(following) else (whole, None)
    placed = c.near is None or line[c.near.first - 1].word in left.PLACING
    if not c.own and placed and c.verb is not None and said in words("en", "ways_of_doing"):
        done = line[c.verb].word
        if done not in words("en", "copulas") | words("en", "links"):
            return whole, _as_adverb(said)
    if after_verb or adverb or not c.told or verb:
        return whole, said
    return glued, f", {said}{_comma(c.text, whole[1])}"


def _as_adverb(quality: str) -> str:
    """`quickly` of `quick`, `gently` of `gentle`."""
    if quality.endswith("le"):
        return quality[:-1] + "y"
    return (quality[:-1] + "i" if quality.endswith("y") else quality) + "ly"


def _following(line: Sequence[Token], stop: int) -> str:
    """The word that follows right after ``stop``, none if a sign does."""
    token = next((token for token in line if token.start >= stop), None)
    return token.word if token is not None and token.is_word else ""


def _fronted(text: str, line: Sequence[Token], end: int, said: str, *, so: bool) -> tuple[Span, str | None]:
    start, stop = line[0].start, line[end].end
    if line[0].text[0].isupper():
        said = said[:1].upper() + said[1:]
    if end + 1 >= len(line) or line[end + 1].text != ",":
        return (start, stop), said or None
    if said:
        return (start, stop), said
    while stop < len(text) and text[stop] in ", ":
        stop += 1
    if so and text[stop : stop + 3] == "so ":
        stop += 3  # `As a candle borrows from the dark, so I have borrowed`
    first = text[stop : stop + 1]
    return (start, stop + 1), first.upper() if line[0].text[0].isupper() else first


def _ends(line: Sequence[Token], end: int) -> bool:
    return end + 1 >= len(line) or not line[end + 1].is_word


def _comma(text: str, stop: int) -> str:
    following = text[stop : stop + 2]
    return "," if following[:1] == " " and following[1:].strip() else ""


def _listed(words_: tuple[str, ...]) -> str:
    return words_[0] if len(words_) == 1 else f"{', '.join(words_[:-1])} and {words_[-1]}" if words_ else ""
