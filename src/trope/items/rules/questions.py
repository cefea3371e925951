"""Rules for anybody's sentences with the questions of `vista`: what a drafting model, and a person, must keep.

What can only be said of many items (whether wording gives answers away) is said of at least thirty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from trope.items.rules import options
from trope.items.rules.base import Fault, Rule, each
from trope.items.rules.blind import near_chance
from trope.items.rules.vista import AXES, level, questions
from trope.nouns import Item, Question

_LEAST = 30  # questions of one language and axis from which a guesser's luck is told from knowledge


def _questions(item: Item) -> Iterator[Fault]:
    if item.figures or item.questions:  # a literal control has neither
        yield from questions(item)


def _blind(items: Sequence[Item]) -> Iterator[Fault]:
    counts = Counter(level(item, question) for item in items for question in item.questions)

    def often(item: Item, question: Question) -> str | None:
        name = level(item, question)
        return name if counts[name] >= _LEAST else None

    yield from near_chance(often).find(items)


RULES: tuple[Rule, ...] = (
    each(
        "four-questions", "Q1 to Q4 on their axes with four ranked options; five control questions or none", _questions
    ),
    *options.RULES,
    options.repeated(3, lambda question: question.id in AXES),
    Rule("blind", f"over {_LEAST} items or more, no guesser without a picture is above chance", _blind),
)
