"""A guesser that has studied: naive Bayes over the wording of other items' options.

It sees no picture either, but knows how right and wrong options of other items are worded, as a judge does that
was trained on such questions. A scale of severity tells itself to such a reader, so this number is printed and
held to nothing; it says how much a score can owe to wording, and why judges are run without the picture, too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from trope.items.words import words
from trope.nouns import Item, Question

FOLDS = 10
_SEED = 42
_RUN = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]+")


def features(text: str, lang: str) -> frozenset[str]:
    """Words as they stand, little ones too; in Chinese and Japanese characters and pairs of them."""
    if lang in ("zh", "ja"):
        runs = _RUN.findall(text)
        return frozenset(run[i : i + n] for run in runs for n in (1, 2) for i in range(len(run) - n + 1))
    return frozenset(words(text.casefold()))


def trained_points(asked: Sequence[tuple[Item, Question]], best: Sequence[int]) -> list[list[float]]:
    """Log odds of each option, learnt from the questions of the items in the other nine of ten folds.

    Parameters
    ----------
    asked : the questions of one level, with their items; an item's questions stay in one fold.
    best : the index of the right option of each.

    Notes
    -----
    Counts are smoothed by 0.5; features never seen in training say nothing. Folds are drawn with a fixed seed.
    """
    ids = sorted({item.id for item, _ in asked})
    order = np.random.default_rng(_SEED).permutation(len(ids))
    fold = {ids[n]: place % FOLDS for place, n in enumerate(order)}
    seen = [[features(option, item.lang) for option in question.options] for item, question in asked]
    points: list[list[float]] = [[] for _ in asked]
    for held in range(FOLDS):
        counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        total = [0, 0]
        for (item, _), options, right in zip(asked, seen, best, strict=True):
            if fold[item.id] != held:
                for n, found in enumerate(options):
                    counts[n == right].update(found)
                    total[n == right] += 1
        for n, (item, _) in enumerate(asked):
            if fold[item.id] == held:
                points[n] = [_odds(found, counts, total) for found in seen[n]]
    return points


def _odds(found: frozenset[str], counts: tuple[Counter[str], Counter[str]], total: Sequence[int]) -> float:
    known = sorted(f for f in found if counts[0][f] + counts[1][f])
    right = sum(math.log((counts[1][f] + 0.5) / (total[1] + 1)) for f in known)
    wrong = sum(math.log((counts[0][f] + 0.5) / (total[0] + 1)) for f in known)
    return round(right - wrong, 9)
