"""The blind battery: how often a guesser is right who never sees a picture.

A guesser picks the longest option, the shortest, the first of those shown (options permuted), the one that
shares most or least with the sentence, one with or without a negation; one guesser has studied the other items.
Ties count in part: a pick among k equals is right with 1/k. Chance is one in the number of options; intervals
are over items, from `trope.stats`.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from trope.items.rules.base import WHOLE_SET, Fault, Rule
from trope.items.rules.trained import trained_points
from trope.items.words import content
from trope.nouns import Item, Question
from trope.stats import Estimate, mean_interval

SEED = 42
Key = Callable[[Item, Question], str | None]


@dataclass(frozen=True, slots=True)
class Guess:
    """One cell of the battery: which questions, which guesser, how often right, what chance gives."""

    level: str
    guesser: str
    right: Estimate
    chance: float

    @property
    def above_chance(self) -> bool:
        """Whether the whole interval lies above chance, and by more than a trifle."""
        return self.right.low > self.chance + MARGIN


def best_of(question: Question) -> int:
    """The index of the right option, or of the one with the highest score."""
    if question.answer is not None:
        return question.answer
    assert question.scores is not None
    return int(np.argmax(question.scores))


def shown_order(item: Item, question: Question, seed: int = SEED) -> list[int]:
    """A permutation of the options that depends on item, question and seed only."""
    rng = np.random.default_rng([seed, zlib.crc32(f"{item.id}/{question.id}".encode())])
    return [int(n) for n in rng.permutation(len(question.options))]


def _length(item: Item, question: Question) -> list[float]:
    return [float(len(option)) for option in question.options]


def _first(item: Item, question: Question) -> list[float]:
    first = shown_order(item, question)[0]
    return [float(n == first) for n in range(len(question.options))]


def _overlap(item: Item, question: Question) -> list[float]:
    sentence = content(item.text, item.lang)
    return [float(len(content(option, item.lang) & sentence)) for option in question.options]


_NEGATION = {
    "en": re.compile(r"\b(?:no|not|nobody|nothing|none|never|neither|nor|nowhere|without)\b|n't\b", re.IGNORECASE),
    "zh": re.compile("[没不无未非别]"),
    "ja": re.compile("ない|なく|なし|ず|ぬ|無"),
    "ar": re.compile(r"(?<!\w)(?:و?لا|و?ليس\w*|و?لم|و?لن|و?ما|بلا|بدون|دون|غير)(?!\w)"),
}


def _negated(item: Item, question: Question) -> list[float]:
    return [float(_NEGATION[item.lang].search(option) is not None) for option in question.options]


def _minus(points: Callable[[Item, Question], list[float]]) -> Callable[[Item, Question], list[float]]:
    return lambda item, question: [-p for p in points(item, question)]


GUESSERS: dict[str, Callable[[Item, Question], list[float]]] = {
    "longest": _length,
    "first shown": _first,
    "most overlap": _overlap,
    "shortest": _minus(_length),
    "least overlap": _minus(_overlap),
    "negation": _negated,
    "no negation": _minus(_negated),
}
TRAINED = "trained"
# how far the interval's lower end may lie above chance: less than a point of any score hangs on it
MARGIN = 0.03
# the three that must stay near chance; the others are printed
HELD_TO_CHANCE = ("longest", "first shown", "most overlap")


def battery(items: Sequence[Item], level: Key, guessers: Sequence[str] = (*GUESSERS, TRAINED)) -> list[Guess]:
    """Every guesser on every level; ``level`` names a question's level, or None to leave it out."""
    chosen: dict[str, list[tuple[Item, Question]]] = defaultdict(list)
    for item in items:
        for question in item.questions:
            name = level(item, question)
            if name is not None:
                chosen[name].append((item, question))
    found = []
    for name, of in chosen.items():
        chance = float(np.mean([1 / len(question.options) for _, question in of]))
        clusters = [item.id for item, _ in of]
        best = [best_of(question) for _, question in of]
        for guesser in guessers:
            if guesser == TRAINED:
                points = trained_points(of, best)
            else:
                points = [GUESSERS[guesser](item, question) for item, question in of]
            hits = [_hit(p, b) for p, b in zip(points, best, strict=True)]
            right = mean_interval(hits, clusters, bounds=(0, 1), rng=np.random.default_rng(SEED))
            found.append(Guess(name, guesser, right, chance))
    return found


def _hit(points: Sequence[float], best: int) -> float:
    top = [n for n, p in enumerate(points) if p == max(points)]
    return (best in top) / len(top)


def near_chance(level: Key) -> Rule:
    """No guesser of the three is above chance on any level."""

    def find(items: Sequence[Item]) -> Iterator[Fault]:
        for guess in battery(items, level, HELD_TO_CHANCE):
            if guess.above_chance:
                value = f"{guess.right.value:.1%} [{guess.right.low:.1%}, {guess.right.high:.1%}]"
                why = f"{guess.level}: the guesser {guess.guesser!r} is above chance ({guess.chance:.1%})"
                yield Fault(WHOLE_SET, value, why)

    return Rule(
        "blind",
        f"longest, first and most overlapping option are right as often as chance says (or {MARGIN:.0%} more)",
        find,
    )
