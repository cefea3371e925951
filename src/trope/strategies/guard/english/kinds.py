"""What kind of thing an English noun names, as far as it matters here: who acts, what nobody makes, siblings."""

from __future__ import annotations

from functools import cache

from trope.strategies.guard.lexicon import words

# Endings of words for people, and words that only look like it.
_WHO = ("man", "men", "woman", "women", "ist", "ists", "ian", "ians", "boy", "girl", "boys", "girls")
_DOER = ("er", "ers", "or", "ors")


@cache
def is_person(word: str) -> bool:
    """Whether a noun names people: listed, or by its ending (not `-er`, which things have as well)."""
    return word in words("en", "persons") or (word.endswith(_WHO) and word not in words("en", "nobody"))


@cache
def may_like(word: str) -> bool:
    """Whether a plural noun names those who may like something: `children`, `cats`, `farmers`."""
    if is_person(word) or word in words("en", "animals"):
        return True
    return word.endswith(_DOER) and len(word) > 5 and word.endswith("s") and word not in words("en", "nobody")


@cache
def is_animate(word: str) -> bool:
    """Whether a noun names a person, an animal or what is drawn like one."""
    return is_person(word) or word in words("en", "animals") or word in words("en", "machines")


@cache
def is_unmade(word: str) -> bool:
    """Whether nobody makes the thing: landscape, weather, light, sound, feelings, the body and its parts."""
    return word in words("en", "natural") or word in words("en", "body")


_KINDS = ("foods", "clothes", "furniture", "vessels", "vehicles", "buildings", "plants", "instruments", "dogs")


@cache
def sibling(one: str, other: str) -> bool:
    """Whether two nouns name the same kind of thing: the same word, or two fruits, two dogs, two chairs."""
    if one.removesuffix("s") == other.removesuffix("s"):
        return True
    return any(one.removesuffix("s") in _group(name) and other.removesuffix("s") in _group(name) for name in _KINDS)


@cache
def _group(name: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words("en", name))
