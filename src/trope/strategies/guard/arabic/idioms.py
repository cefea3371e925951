"""Set phrases: a thing and what stands behind a preposition with it, `كالنار في الهشيم`."""

from __future__ import annotations

from functools import cache

from trope.strategies.guard.arabic.words import Word, listed


def set_phrase(thing: str, behind: Word) -> bool:
    """Whether a thing and the word behind a preposition belong to each other."""
    return (thing.removeprefix("ال"), behind.plain.removeprefix("ال")) in _pairs()


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    pairs = (pair.partition("=") for pair in listed("set_phrases"))
    return frozenset((thing, place) for thing, _, place in pairs)
