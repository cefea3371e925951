"""The cells of one subject under one strategy through one judge, as arrays: read once, used by every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trope.nouns import Item
from trope.protocols.base import Measured, Study
from trope.protocols.vmetaphor.reading import CALLS, Answer, answers, kind_of, levels, ratings, status_of

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Labels = NDArray[np.str_]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class View:
    """One subject, strategy and judge; rows of arrays are pictures unless said otherwise.

    Attributes
    ----------
    answers : every question of every picture, a list a picture.
    levels : L1 to L4, NaN where unread or not applicable; shape (n, 4).
    ratings : the three dimensions; shape (n, 3).
    clusters : the vehicle, which pictures are resampled by; shape (n,).
    pair : item and seed, what two views are paired by.
    statuses : counts by call.
    mark : why its numbers are no plain score, or None.
    """

    subject: str
    strategy: str
    judge: str
    cells: Sequence[Measured]
    answers: list[list[Answer]]
    levels: Floats
    ratings: Floats
    clusters: Labels
    pair: list[tuple[str, int]]
    statuses: dict[str, Counter[str]]
    mark: str | None

    @property
    def group(self) -> str:
        """Subject and strategy, as tables name them."""
        return f"{self.subject} · {self.strategy}"

    @property
    def place(self) -> tuple[str, str, str]:
        """What names a view in tables, and seeds its resampling."""
        return self.subject, self.strategy, self.judge

    @cached_property
    def right(self) -> Floats:
        """How many questions were answered rightly; NaN unless all were read; shape (n,)."""
        return np.array([sum(a.right for a in given) for given in self.answers], float)

    @cached_property
    def asked(self) -> Floats:
        """How many questions there are; shape (n,)."""
        return np.array([len(given) for given in self.answers], float)

    @cached_property
    def whole(self) -> Mask:
        """Where every question was read; shape (n,)."""
        return ~np.isnan(self.right)

    @cached_property
    def by_levels(self) -> Floats:
        """Mean of the levels that apply to a picture; NaN unless all questions were read; shape (n,)."""
        applies = ~np.isnan(self.levels)
        sums = np.where(applies, self.levels, 0.0).sum(axis=1)
        return np.where(self.whole, sums / np.maximum(1, applies.sum(axis=1)), np.nan)

    @cached_property
    def rated(self) -> Floats:
        """Mean of the three dimensions; NaN where unread; shape (n,)."""
        overall: Floats = self.ratings.mean(axis=1)
        return overall

    @cached_property
    def kinds(self) -> Labels:
        """Structure, and for replacement what is absent; shape (n,)."""
        return self.labelled(kind_of)

    def labelled(self, label: Callable[[Item], str]) -> Labels:
        """A label of each picture's item; shape (n,)."""
        return np.array([label(cell.item) for cell in self.cells], str)

    def flat(self, mask: Mask) -> tuple[Floats, Labels]:
        """Every question of the chosen pictures, one a row: right or not, and the picture's cluster."""
        right = [answer.right for n in np.flatnonzero(mask) for answer in self.answers[n]]
        clusters = np.repeat(self.clusters[mask], self.asked[mask].astype(int))
        return np.array(right, float), clusters


def views(study: Study) -> list[View]:
    """All views of a study, in the order of its cells, judges within."""
    judges = [name for name, kind in study.instruments.items() if kind == "judge"]
    groups: dict[tuple[str, str], list[Measured]] = {}
    for cell in study.cells:
        groups.setdefault((cell.subject, cell.strategy), []).append(cell)
    return [_view(*group, judge, cells) for group, cells in groups.items() for judge in judges]


def _view(subject: str, strategy: str, judge: str, cells: Sequence[Measured]) -> View:
    given = [answers(cell, judge) for cell in cells]
    return View(
        subject, strategy, judge, cells, given,
        levels=np.array([levels(of) for of in given], float).reshape(-1, 4),
        ratings=np.array([ratings(cell, judge) for cell in cells], float).reshape(-1, 3),
        clusters=np.array([cluster(cell.item) for cell in cells], str),
        pair=[(cell.item.id, cell.seed) for cell in cells],
        statuses={call: Counter(status_of(cell, judge, call) for cell in cells) for call in CALLS},
        mark="asked by the strategy" if any(judge in cell.gates for cell in cells) else None,
    )  # fmt: skip


def cluster(item: Item) -> str:
    """What pictures are resampled by: items that share a vehicle are not independent."""
    return item.cluster.get("vehicle") or (item.figure.vehicle if item.figure else item.id)
