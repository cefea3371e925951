"""The lists of the Chinese lexicon as they are asked for: at the end of a text, at its beginning, anywhere in it."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.lexicon import either, words


@cache
def ends(name: str) -> re.Pattern[str]:
    """One list of the lexicon, at the end of what is searched."""
    return re.compile(rf"(?:{either('zh', name)})$")


@cache
def begins(name: str) -> re.Pattern[str]:
    """One list of the lexicon, to be matched at a place."""
    return re.compile(rf"(?:{either('zh', name)})")


@cache
def _anywhere(name: str) -> re.Pattern[str]:
    return re.compile(either("zh", name), re.IGNORECASE)


def has(name: str, text: str) -> bool:
    """Whether a word of one list of the lexicon stands in a text."""
    return _anywhere(name).search(text) is not None


def says(name: str, text: str) -> bool:
    """Whether a text begins with a word of two characters or of one that is in a list of the lexicon."""
    return text[:2] in words("zh", name) or text[:1] in words("zh", name)
