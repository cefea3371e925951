"""What an English comparison says something of: the subject of its verb, or the noun that it stands right behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from trope.strategies.guard.english import context as left
from trope.strategies.guard.english.carried import unseen
from trope.strategies.guard.english.phrases import DEFINITE, INDEFINITE, SEVERAL, NounPhrase, noun_phrase
from trope.strategies.guard.english.words import (
    Token,
    is_adjective,
    is_adverb,
    is_participle,
    is_plural,
    is_verb_form,
    verb_forms,
)
from trope.strategies.guard.lexicon import words

_PRONOUNS = frozenset(
    "i you he she it we they there someone somebody something everyone everybody everything nobody nothing".split()
)
_OBJECTS = frozenset("me him them us himself herself itself themselves myself yourself all both each".split())
_SUBORDINATE = frozenset(
    "when while where if though although because until till as whenever wherever what how whose than".split()
)
_JOINING = frozenset("and or but nor then".split())
# After these a noun has what follows as its own: `had hands like shovels`, `with hair like fire`.
_HAVING = frozenset("has have had having with of without wore wears wearing is are was were be".split())
# No subject is looked for farther back than so many tokens.
_FARTHEST = 24


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a sentence.

    ``kind`` is `noun`, `place` (a preposition with its noun), `verb`, `pronoun`, `relative`, `sub`, `join`, `sign`
    or `rest`.
    """

    kind: str
    last: int
    phrase: NounPhrase | None = None


def tenor_of(
    line: Sequence[Token], begin: int, near: NounPhrase | None, *, quality: bool, verbal: bool
) -> tuple[NounPhrase | None, bool]:
    """``(what is likened, whether it stands right before the marker)``.

    ``near`` is the noun phrase right before the marker, ``quality`` whether the comparison names an adjective,
    ``verbal`` whether the marker is itself the verb: `resembles`.
    """
    if begin == 0:
        comma = next((n for n in range(len(line)) if line[n].text == ","), None)
        return (None if comma is None else _after_front(line, comma + 1)), False
    if near is not None and not verbal and _own(line, near, quality=quality):
        return near, True
    parts = chunks(line, max(0, begin - _FARTHEST), begin)
    if verbal:
        return _subject(line, parts, len(parts)), False
    beside = _beside(parts)
    if beside is not None:
        return beside, False
    verb = _main(line, parts)
    if verb is not None:
        return _subject(line, parts, verb), False
    if any(part.kind == "pronoun" for part in parts):
        return None, False
    noun = _pictured(line, parts, len(parts))
    return noun, noun is not None and noun == near


def _beside(parts: Sequence[Chunk]) -> NounPhrase | None:
    """The noun of a stretch that has no verb: `tie out behind him as if`, `while the cat, stiff as a statue`."""
    kinds = [part.kind for part in parts]
    if len(parts) > 2 and kinds[-1] == "sign" and kinds[-2] == "noun" and kinds[-3] in ("sub", "join"):
        return parts[-2].phrase
    start = next((n + 1 for n in range(len(parts) - 1, -1, -1) if kinds[n] == "sign"), 0)
    within = kinds[start:]
    alone = within[:1] == ["noun"] and set(within[1:]) <= {"place", "rest"}
    return parts[start].phrase if alone else None


def _own(line: Sequence[Token], near: NounPhrase, *, quality: bool) -> bool:
    """Whether a comparison right behind a noun is said of it and not of who does something with it."""
    before = line[near.first - 1].word if near.first else ""
    if not _names(line, near):
        return False
    new = near.kind not in ("the", "pointed")
    if new and unseen(line[near.last].word) and before in ("in", "with", "by"):
        return True  # `in a voice like a squeaking door`
    if before == "of":
        return new and line[near.first - 2].word not in ("out", "off")
    if before == "round" and not new:
        return False
    if near.first == 0 or not line[near.first - 1].is_word or before in _HAVING or before in _JOINING:
        return True
    return quality and new


def _names(line: Sequence[Token], phrase: NounPhrase) -> bool:
    """Whether a phrase is a noun and no verb taken for one: `came home`, `shut`, `wedged together`."""
    first, last = line[phrase.first].word, line[phrase.last].word
    if first in DEFINITE | INDEFINITE | SEVERAL or last in words("en", "views"):
        return True
    if last in words("en", "after") or is_adverb(last):
        return False
    form = verb_forms().get(first) in ("past", "participle", "ing") or is_participle(first)
    return not (form and phrase.first == phrase.last) and not is_adjective(last)


def _main(line: Sequence[Token], parts: Sequence[Chunk]) -> int | None:
    """The last verb; after a comma the one that a clause with `when` or `where` hangs on."""
    verb = next((n for n in range(len(parts) - 1, -1, -1) if parts[n].kind == "verb"), None)
    if verb is None or parts[-1].kind != "sign":
        return verb
    sub = next((n for n in range(verb, -1, -1) if parts[n].kind in ("sub", "sign")), None)
    if sub is None or line[parts[sub].last].word not in ("when", "while", "if", "as"):
        return verb
    return next((n for n in range(sub, -1, -1) if parts[n].kind == "verb"), verb)


def _pictured(line: Sequence[Token], parts: Sequence[Chunk], end: int) -> NounPhrase | None:
    """The last noun before chunk ``end`` that is no medium: of `product shot of a razor` the razor."""
    for n in range(end - 1, -1, -1):
        phrase = parts[n].phrase
        if parts[n].kind != "noun" or phrase is None:
            continue
        if line[phrase.last].word not in words("en", "views"):
            return phrase
        shown = parts[n + 1] if n + 1 < end else None
        if shown is not None and shown.kind == "place" and line[phrase.last + 1].word == "of":
            return shown.phrase
    return None


def _after_front(line: Sequence[Token], start: int) -> NounPhrase | None:
    """The subject that follows a comparison in front: `As a candle ..., so evening`."""
    if start < len(line) and line[start].word == "so":
        start += 1
    if start < len(line) and line[start].word.partition("'")[0] in _PRONOUNS:
        return None
    return left.subject_of(line, start, len(line))


def _subject(line: Sequence[Token], parts: Sequence[Chunk], verb: int) -> NounPhrase | None:
    """The subject of the verb: back over places and other verbs, through relatives, joined verbs and asides."""
    n, new, within = verb - 1, None, False
    while n >= 0 and parts[n].kind in ("verb", "rest", "place"):
        new = parts[n].phrase if parts[n].kind == "place" else new
        within = within or (parts[n].kind == "verb" and line[parts[n].last].word not in words("en", "finite"))
        n -= 1
    if n < 0 or parts[n].kind == "sub":
        return None
    part, earlier = parts[n], parts[n - 1] if n else None
    finite = verb == len(parts) or not line[parts[verb].last].word.endswith("ing")
    if within and finite and earlier is not None and earlier.kind == "noun" and part.kind in ("noun", "pronoun"):
        return earlier.phrase  # `The noise the ice makes is`, `The candles we sell look`
    if part.kind == "pronoun":
        return None
    if part.kind == "noun":
        whose = _relative(parts, n) if earlier is not None and earlier.kind == "verb" and finite else None
        if whose is not None:
            return whose
        when = earlier is not None and earlier.kind == "sub"  # `When the curtain went up the dancers spun`
        return new if when and new is not None and parts[n + 1].kind != "place" else part.phrase
    if part.kind == "relative":
        owned = earlier is not None and earlier.phrase is not None and earlier.phrase.kind == "pointed"
        if n > 1 and owned and parts[n - 1].kind == "place" and parts[n - 2].kind == "noun":
            return parts[n - 2].phrase  # `scars on his bare chest that recall`
        return None if earlier is None else earlier.phrase
    begins = n > 1 and parts[n - 1].kind == "noun" and parts[n - 2].kind in ("join", "sub", "sign")
    if part.kind == "sign" and earlier is not None and (begins or n == 1):
        return earlier.phrase
    last = next((k for k in range(n - 1, -1, -1) if parts[k].kind == "verb"), None)
    if last is not None:
        return _subject(line, parts, last)
    return next((parts[k].phrase for k in range(n - 1, -1, -1) if parts[k].kind == "noun"), None)


def _relative(parts: Sequence[Chunk], n: int) -> NounPhrase | None:
    """What a relative clause that ends with the noun ``n`` is said of: `the children who lived next door ran`."""
    opens = next((k for k in range(n, 0, -1) if parts[k].kind in ("relative", "sign", "sub", "join")), None)
    return parts[opens - 1].phrase if opens is not None and parts[opens].kind == "relative" else None


def chunks(line: Sequence[Token], begin: int, end: int) -> list[Chunk]:
    """The tokens ``begin .. end - 1`` in stretches, from the left."""
    parts: list[Chunk] = []
    ahead, n = line[:end], begin
    while n < end:
        part = _chunk(ahead, n, parts[-1] if parts else None)
        parts.append(part)
        n = part.last + 1
    return parts


def _chunk(line: Sequence[Token], n: int, before: Chunk | None) -> Chunk:
    word = line[n].word
    if not line[n].is_word:
        return Chunk("sign", n)
    if word in left.RELATIVES and before is not None and before.phrase is not None:
        return Chunk("relative", n)
    if word in _JOINING:
        return Chunk("join", n)
    if word in _SUBORDINATE:
        return Chunk("sub", n)
    if word.partition("'")[0] in _PRONOUNS:
        object_ = word in ("you", "it") and (line[n - 1].word in words("en", "prepositions") or _after_verb(before))
        return Chunk("rest" if object_ and n else "pronoun", n)
    if _verb(line, n, before):
        return Chunk("verb", n)
    if word in _OBJECTS or is_adverb(word) or word in words("en", "after"):
        return Chunk("rest", n)
    round_it = word == "round" and n + 1 < len(line) and line[n + 1].word in DEFINITE | INDEFINITE
    if round_it or word in words("en", "prepositions"):
        inner = _noun(line, n + 1)
        return Chunk("rest", n) if inner is None else Chunk("place", inner.last, inner)
    phrase = _noun(line, n)
    return Chunk("rest", n) if phrase is None else Chunk("noun", phrase.last, phrase)


def _after_verb(before: Chunk | None) -> bool:
    return before is not None and before.kind == "verb"


def _noun(line: Sequence[Token], n: int) -> NounPhrase | None:
    """The noun phrase at ``n``, if it has a noun."""
    phrase = noun_phrase(line, n)
    if phrase is None or not _names(line, phrase):
        return None
    last = phrase.last
    while last > phrase.first + (line[phrase.first].word in DEFINITE) and _ends_in_verb(line, last):
        last -= 1
    return phrase if last == phrase.last else replace(phrase, head=min(phrase.head, last), last_head=last, last=last)


def _ends_in_verb(line: Sequence[Token], n: int) -> bool:
    """Whether the last word of a phrase is a verb that was taken for its noun: `the ice makes`, `a waiter folding`."""
    word, form = line[n].word, verb_forms().get(line[n].word)
    if form == "past":
        return word not in words("en", "things_in_past") or is_plural(line[n - 1].word)
    if form == "base" and is_plural(line[n - 1].word):
        return True
    third = form == "third" and word not in words("en", "nouns_too")
    return third or is_participle(word)


def _verb(line: Sequence[Token], n: int, before: Chunk | None) -> bool:
    """Whether a verb stands at ``n``, where a noun phrase could begin as well."""
    word, kind = line[n].word, verb_forms().get(line[n].word)
    if word in words("en", "copulas") or word in words("en", "finite") or word in words("en", "modals"):
        return True
    following = line[n + 1].word if n + 1 < len(line) else ""
    if following == "of" and word in words("en", "things_in_past") | words("en", "views"):
        return False  # `product shot of`
    if word in DEFINITE | INDEFINITE | SEVERAL:
        return False
    if kind in ("past", "participle", "ing") or is_participle(word) or (kind is None and is_verb_form(word)):
        if before is not None and before.kind not in ("sign", "join", "sub"):
            return True
        ends = not following or not line[n + 1].is_word or is_adverb(following) or is_participle(following)
        return ends or following in _opening()
    if kind == "base" and (n == 0 or (before is not None and before.kind == "pronoun")):
        return n > 0 or following in _opening()
    if before is None or before.kind in ("sign", "sub"):
        return False
    if kind == "third":
        return before.kind not in ("join", "rest") or word not in words("en", "nouns_too")
    return kind == "base" and left.is_verb_here(line, left.segment_start(line, n), n)


@cache
def _opening() -> frozenset[str]:
    names = ("prepositions", "adverbs", "stops", "after")
    return frozenset[str]().union(*(words("en", name) for name in names)) | DEFINITE | INDEFINITE
