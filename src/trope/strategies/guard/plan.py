"""A plan: what the guard found in a prompt, and what it means to do about it. Data only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

Span = tuple[int, int]

# What rules say of a figure against which no reason speaks.
SIMILE = "an explicit simile: the vehicle only says what something is like"

# Rules look at one sentence at a time, and at no more of it than this: time grows with a text, not faster.
LONGEST_SENTENCE = 1_200


def stretches(pattern: re.Pattern[str], text: str, longest: int = LONGEST_SENTENCE) -> Iterator[Span]:
    """The matches of a pattern in order, each cut where it is longer than ``longest`` (at a space if there is one)."""
    for match in pattern.finditer(text):
        start, end = match.span()
        while end - start > longest:
            space = text.rfind(" ", start + 1, start + longest)
            cut = space if space > start else start + longest
            yield start, cut
            start = cut
        yield start, end


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFigure:
    """One figure of a prompt. Spans are ``[start, end)`` in code points of the prompt.

    Attributes
    ----------
    marker : the words that compare, e.g. `as white as`, `のように`.
    vehicle : the noun (with its compound) that is not to be drawn; no article, no adjectives.
    phrase : the vehicle as the prompt says it, with adjectives and what belongs to it.
    whole : what a rewrite takes out; everything outside it stays byte-identical.
    replacement : what stands for ``whole`` after a rewrite (empty: nothing); None: the sentence would not stand
        without the comparison and no quality is known to put in its place, so a rewrite leaves it alone.
    qualities : visible qualities to carry over, in the prompt's language; may be empty.
    seen : whether the vehicle is meant to be seen; then no renderer changes anything for this figure.
    why : the reason for ``seen``, or what makes this a figure.
    tenor : what is likened to the vehicle, or None if the maker cannot tell.
    confidence : how sure the maker is, from 0 to 1; an order, not a probability.
    also_there : whether the same noun is named elsewhere in the prompt or its context, so that one of it
        belongs in the picture and a negative prompt must not ban it.
    """

    marker: Span
    vehicle: Span
    phrase: Span
    whole: Span
    replacement: str | None
    qualities: tuple[str, ...]
    seen: bool = False
    why: str = SIMILE
    tenor: Span | None = None
    confidence: float = 1.0
    also_there: bool = False

    @property
    def rewritable(self) -> bool:
        """Whether a rewrite changes anything for this figure."""
        return not self.seen and self.replacement is not None


@dataclass(frozen=True, slots=True)
class Plan:
    """All figures of one prompt in the order of the text, and who found them."""

    text: str
    lang: str
    maker: str
    figures: tuple[PlannedFigure, ...]

    @property
    def unseen(self) -> tuple[PlannedFigure, ...]:
        """The figures whose vehicle is not to be drawn: the ones that renderers act on."""
        return tuple(figure for figure in self.figures if not figure.seen)

    @property
    def abstains(self) -> bool:
        """Whether the prompt stays as it is, byte for byte, under every renderer."""
        return not self.unseen

    def quote(self, span: Span | None) -> str | None:
        """The words of a span."""
        return None if span is None else self.text[slice(*span)]

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data, each figure with the words of its spans."""
        figures = [
            asdict(f)
            | {
                "words": {
                    "vehicle": self.quote(f.vehicle),
                    "phrase": self.quote(f.phrase),
                    "tenor": self.quote(f.tenor),
                }
            }
            for f in self.figures
        ]
        return {"text": self.text, "lang": self.lang, "maker": self.maker, "figures": figures}
