"""Style words: art style, palette, light, mood, texture. The two prompts of `vmetaphor` hold none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from trope.items.rules.base import Fault, Rule, each
from trope.items.words import word_list
from trope.nouns import Item


@cache
def _pattern() -> re.Pattern[str]:
    longest = sorted(map(re.escape, word_list("style_en")), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest)})(?![\w-])", re.IGNORECASE)


def style_words(text: str) -> list[str]:
    """Style words and phrases of an English text, in order, as they stand there."""
    return [match.group() for match in _pattern().finditer(text)]


def _free_of_style(item: Item) -> Iterator[Fault]:
    for name in ("conceptual", "descriptive"):
        for word in style_words(item.prompts.get(name, "")):
            yield Fault(
                f"prompts.{name}", item.prompts[name], f"holds the style word {word!r}; style goes into the suffix"
            )


RULES: tuple[Rule, ...] = (
    each("style-words", "conceptual and descriptive prompt hold no style words", _free_of_style),
)
