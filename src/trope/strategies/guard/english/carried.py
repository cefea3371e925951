"""What is carried over of an English vehicle: the qualities of its noun in the lexicon that fit the tenor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from trope.data.coco import words as class_words
from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.candidates import Candidate
from trope.strategies.guard.english.clauses import lemma
from trope.strategies.guard.english.kinds import is_animate, is_person, is_unmade
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, NounPhrase, other_thing
from trope.strategies.guard.english.words import Token, is_adjective, is_participle, is_verb_form, verb_forms
from trope.strategies.guard.lexicon import qualities, words

_UNSEEN_ENDINGS = ("ness", "ity", "hood", "ism", "ance", "ence")
# Of two words, the second: `deep red`, `long-maned`.
_OF_CREATURES = ("legged", "maned", "eyed", "necked", "eared", "armed", "limbed", "backed", "featured", "winged")
# What people make may be fluffy as well.
_SOFT_MADE = frozenset("rug rugs carpet carpets blanket blankets pillow pillows cushion cushions quilt towel".split())
# Nothing is looked for farther before the marker than so many tokens.
_FARTHEST = 40
_SINGULARS = (
    ("ies", "y"),
    ("knives", "knife"),
    ("ves", "f"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("sses", "ss"),
    ("xes", "x"),
    ("s", ""),
)


def carried(c: Candidate, end: int) -> tuple[str, ...]:
    """The qualities that carry over; none where the text names one itself or the tenor cannot look so.

    ``end`` is the last token of the comparison.
    """
    noun = c.noun(c.tenor or (c.near if c.own else None))
    if unseen(noun) or _sounds(c) or _said_next(c.line, end):
        return ()
    stated = _said(c.line, c.vehicle)
    if stated or not _shows(c, noun):
        return stated
    verb = "" if c.verb is None else c.line[c.verb].word
    before = " ".join(token.word for token in c.line[max(0, c.marker.begin - _FARTHEST) : c.marker.begin])
    told = {lemma(word) for word in before.replace("grey", "gray").replace("-", " ").split()}
    given = _known_as(c.line, c.vehicle)
    if told & {lemma(word) for quality in given for word in quality.split()}:
        return ()  # the text says what the vehicle stands for
    hides = words("en", "hides") if c.head in words("en", "animals") and _is_hard(noun) else frozenset()
    given = tuple(quality for quality in given if hides.isdisjoint(quality.split()))
    only_color = all(_is_color(word) for word in given)
    return tuple(word for word in given if (only_color or _colors(word, noun)) and _fits(word, noun, verb))


def _shows(c: Candidate, noun: str) -> bool:
    """Whether the tenor is said to look as the vehicle looks, and not to do something as it does."""
    animal = c.head in words("en", "animals")
    if noun in words("en", "body") and animal:
        return False  # `teeth like a crocodile`: as its teeth are
    if c.head in words("en", "persons") and not c.own:
        return False
    begin = c.marker.begin
    if c.own or c.marker.family == "resemble":
        return True
    copula = begin > 0 and c.before in words("en", "copulas")
    itself = any(token.word.endswith(("self", "selves")) for token in c.line[max(c.segment, begin - _FARTHEST) : begin])
    if itself or c.pronoun or is_person(noun) or (c.told and c.tenor is None and not copula):
        return False
    if begin == 0:
        return True
    verb = _last_verb(c.line, begin, c.verb)
    aside = c.segment == begin and not c.told
    return aside or (verb is not None and (verb in words("en", "copulas") or lemma(verb) in _lemmas("showing")))


def _last_verb(line: Sequence[Token], end: int, known: int | None) -> str | None:
    """The last word before ``end`` that is surely a verb: no `the rock`, `on end`; not before the one ``known``."""
    for n in range(end - 1, max(end - _FARTHEST, 0) - 1 if known is None else known, -1):
        word, before = line[n].word, line[n - 1].word if n else ""
        form = verb_forms().get(word)
        named = before in (DEFINITE | INDEFINITE) - {"that"} or (
            before in words("en", "prepositions") and form != "ing"
        )
        if not named and form != "base" and (form is not None or is_verb_form(word) or is_participle(word)):
            return word
    return None if known is None else line[known].word


@cache
def _lemmas(name: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in words("en", name))


def _said(line: Sequence[Token], vehicle: NounPhrase) -> tuple[str, ...]:
    """Colors and textures that the text gives the vehicle."""
    said = [t.word for t in line[vehicle.first : vehicle.head] if t.word in words("en", "carried")]
    return tuple(dict.fromkeys(said))[:3]


def _known_as(line: Sequence[Token], vehicle: NounPhrase) -> tuple[str, ...]:
    """The lexicon's words for a vehicle, also by two words that name one thing: `stained glass`."""
    noun = " ".join(token.word for token in line[vehicle.head : vehicle.last_head + 1])
    held = [token.word for token in line[vehicle.last_head + 1 : vehicle.last_head + 3]]
    if held[:1] == ["of"] and len(held) == 2 and noun in words("en", "vessels") | words("en", "containers"):
        return known(held[1])  # `a bowl of milk`
    adorned = f"{line[vehicle.head - 1].word} {noun}" if vehicle.head > vehicle.first else noun
    return known(noun) if adorned not in qualities("en") else known(adorned)


def known(noun: str) -> tuple[str, ...]:
    """The qualities that the lexicon gives a noun."""
    if other_thing(noun):
        return ()
    table = qualities("en")
    name = class_words().get(noun, noun)
    return next((table[n] for n in (name, _singular(name), _singular(name.split()[-1])) if n in table), ())


def unseen(noun: str) -> bool:
    """Whether a noun names what has no look of its own: a sound, a smell, a feeling, a time, what is said."""
    if noun in words("en", "seen_after_all"):
        return False
    single = noun.removesuffix("s")
    names = ("unseen", "perceived", "scents")
    return any(noun in words("en", name) or single in words("en", name) for name in names) or single.endswith(
        _UNSEEN_ENDINGS
    )


def _sounds(c: Candidate) -> bool:
    """Whether the vehicle says how something sounds: `her heart beats like a drum`."""
    stretch = c.line[max(c.segment, c.marker.begin - 4) : c.marker.begin]
    return any(token.word in words("en", "sounding") for token in stretch)


def _said_next(line: Sequence[Token], end: int) -> bool:
    """Whether the text goes on with qualities: `like a blanket, smooth and white`."""
    if end + 2 >= len(line) or line[end + 1].text != "," or not is_adjective(line[end + 2].word):
        return False
    following = line[end + 3] if end + 3 < len(line) else None
    return following is None or not following.is_word or following.word in ("and", "but", "as")


def _is_color(quality: str) -> bool:
    return quality.split()[-1] in words("en", "colors")


def _colors(quality: str, noun: str) -> bool:
    """Whether a quality is no color, or one that the tenor takes from what it is compared to."""
    return not _is_color(quality) or not noun or noun in words("en", "takes_color")


def _fits(quality: str, noun: str, verb: str) -> bool:
    """Whether a quality can be said of the tenor while it does what the verb says."""
    last = quality.split()[-1]
    if last.rpartition("-")[2] in _OF_CREATURES and noun and not is_animate(noun):
        return False
    if verb and last in words("en", "moving") | {"light"}:
        return False
    placed = verb in words("en", "links") | left.BE
    if verb and not placed and last in words("en", "resting"):
        return False
    if noun.removesuffix("s") in words("en", "airy") | words("en", "liquid") and last in words("en", "solid"):
        return False
    return not (noun in words("en", "clothes") and last in words("en", "lit"))


def _is_hard(noun: str) -> bool:
    """Whether a noun names a thing that has no coat as an animal has: a helicopter, no rug."""
    grown = any(noun in words("en", name) for name in ("foods", "plants", "plant_parts", "clothes"))
    return bool(noun) and not (is_animate(noun) or is_unmade(noun) or grown or noun in _SOFT_MADE)


def _singular(noun: str) -> str:
    for ending, single in _SINGULARS:
        if noun.endswith(ending) and not noun.endswith(("ss", "us")):
            return noun[: -len(ending)] + single
    return noun
