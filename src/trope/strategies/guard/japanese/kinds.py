"""What sort of thing a noun names: one of a list, a person, something that feels nothing."""

from __future__ import annotations

from functools import cache

from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.japanese.phrases import Noun
from trope.strategies.guard.lexicon import words


def is_one_of(noun: Noun | None, *names: str) -> bool:
    """Whether a noun is one of the words of a list, in kanji or kana."""
    return noun is not None and any(not {noun.words, noun.name}.isdisjoint(words("ja", name)) for name in names)


def ends_in(noun: Noun | None, *names: str) -> bool:
    """Whether a noun is a compound of one of the words of a list."""
    return noun is not None and any(noun.words.endswith(_all(n)) or noun.name.endswith(_all(n)) for n in names)


@cache
def _all(name: str) -> tuple[str, ...]:
    return tuple(words("ja", name))


def being(noun: Noun | None) -> bool:
    """Whether a noun surely is a person."""
    if noun is None:
        return False
    if noun.head.kind == "代名詞" or noun.head.sort.startswith("固有名詞-人名"):
        return True
    return is_one_of(noun, "beings", "roles") or (len(noun.words) > 1 and ends_in(noun, "persons"))


def feels_nothing(noun: Noun | None) -> bool:
    """Whether a noun surely is nobody: landscape, weather, light, a product."""
    return ends_in(noun, "natural", "products") and not being(noun) and not ends_in(noun, "animals")


def is_quality(m: Morpheme) -> bool:
    """Whether a word says what something looks or feels like: `白い`, `静かな`, `透きとおった`."""
    return m.kind == "形状詞" or (m.kind == "形容詞" and m.normal not in ("良い", "無い"))
