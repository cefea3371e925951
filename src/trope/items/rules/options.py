"""Questions that wording must not answer: lengths, give-away words, repeats, positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from trope.items.rules.base import WHOLE_SET, Fault, Rule, each
from trope.items.words import word_list
from trope.nouns import Item, Question


def _longer_when_better(item: Item) -> Iterator[Fault]:
    for question in item.questions:
        if question.scores is None or len(question.scores) != len(question.options):
            continue
        ranked = sorted(zip(question.scores, question.options, strict=True), key=lambda pair: -pair[0])
        lengths = [len(option) for _, option in ranked]
        if all(a > b for a, b in pairwise(lengths)):
            found = ", ".join(map(str, lengths))
            yield Fault(f"questions.{question.id}.options", found, "options are longer the better they are")


def _trend(items: Sequence[Item]) -> Iterator[Fault]:
    """Over a set: the rank correlation of length with score is not above 0."""
    import numpy as np

    from trope.stats import mean_interval, spearman

    values, owners = [], []
    for item in items:
        for question in item.questions:
            lengths = [len(option) for option in question.options]
            if question.scores is not None and len(question.scores) == len(lengths) and len(set(lengths)) > 1:
                values.append(spearman(question.scores, lengths).value)
                owners.append(item.id)
    if len(set(owners)) < 10:
        return
    found = mean_interval(values, owners, bounds=(-1, 1), rng=np.random.default_rng(0))
    if found.low > 0:
        yield Fault(
            WHOLE_SET, f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]", "options get longer as they get better"
        )


def _give_away(item: Item) -> Iterator[Fault]:
    listed = word_list(f"give_away_{item.lang}")
    for question in item.questions:
        for n, option in enumerate(question.options):
            for word in listed:
                if _holds(option, word, item.lang):
                    yield Fault(
                        f"questions.{question.id}.options.{n}", option, f"{word!r} judges instead of describing"
                    )


def _holds(text: str, word: str, lang: str) -> bool:
    if lang in ("en", "ar"):
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
    return word in text


def repeated(limit: int, chosen: Callable[[Question], bool] = lambda question: True) -> Rule:
    """An option's or a stem's wording is the item's own: nothing is used more than ``limit`` times."""

    def find(items: Sequence[Item]) -> Iterator[Fault]:
        used: Counter[tuple[str, str]] = Counter()
        for item in items:
            for question in filter(chosen, item.questions):
                for n, said in enumerate((question.stem, *question.options)):
                    key = (item.lang, " ".join(said.casefold().split()))
                    used[key] += 1
                    if used[key] > limit:
                        where = f"questions.{question.id}.{'stem' if n == 0 else f'options.{n - 1}'}"
                        yield Fault(where, said, f"is used more than {limit} times in the set", item.id)

    return Rule("own-wording", f"no stem or option is used more than {limit} times", find)


def _positions(items: Sequence[Item]) -> Iterator[Fault]:
    """Where answers are stored: all in one place (a run shuffles them), or spread over all places."""
    from trope.stats import wilson

    by_axis: dict[str, Counter[int]] = {}
    for item in items:
        for question in item.questions:
            if question.answer is not None and question.axis != "structure":  # its options have an order of their own
                kind = f"{len(question.options)} options, {re.sub('[_0-9]+$', '', question.id)}"
                by_axis.setdefault(kind, Counter())[question.answer] += 1
    for kind, counts in by_axis.items():
        n, options = sum(counts.values()), int(kind.split()[0])
        if len(counts) == 1 or n < 10:
            continue
        for place in range(options):
            found = wilson(counts[place], n)
            if not found.low <= 1 / options <= found.high:
                yield Fault(
                    WHOLE_SET, f"{counts[place]} of {n}", f"position {place} of {kind} is not near 1 in {options}"
                )


ANSWER_POSITION = Rule(
    "answer-position", "answers are stored first throughout, or spread over all positions", _positions
)
RULES: tuple[Rule, ...] = (
    each("option-length", "options are never longer the better they are", _longer_when_better),
    Rule("option-length-trend", "over the set, length does not grow with the score", _trend),
    each("option-wording", "no option praises or blames the picture", _give_away),
    ANSWER_POSITION,
)
