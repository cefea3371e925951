"""The cells of one subject under one strategy, read once: answers, marks behind each matcher, judged explanations."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trope.protocols.base import Measured, Study
from trope.protocols.m3r.judging import judged, references, stages_to_judge
from trope.protocols.m3r.labels import NO, OPEN, YES, Labels, fold, gold
from trope.protocols.m3r.marks import Marks, field_scores, gates, stage_score
from trope.protocols.m3r.prompting import GIVEN
from trope.protocols.m3r.reading import EXPLANATIONS, NOTHING, STAGES, Answer, answer_of

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Strings = NDArray[np.str_]
NAN = float("nan")


@dataclass(frozen=True)
class Explained:
    """What one judge says of a view's explanations, behind the gates of one matcher.

    Attributes
    ----------
    scores : stage -> one number in [0, 1] for every item it is defined on (shape (n,), NaN elsewhere or unknown).
    counts : stage -> how many of its zeros are none of the judge's: closed gate, no explanation, no valid judgment.
    """

    judge: str
    scores: Mapping[str, Floats]
    counts: Mapping[str, Counter[str]]


@dataclass(frozen=True)
class View:
    """One subject under one strategy. Rows are its cells, in the order of the run.

    Attributes
    ----------
    answers : what was read of each reply; `NOTHING` where there was nothing to read.
    truth : the true labels.
    clusters : items that share a text are drawn together; shape (n,).
    supports : whether the system gives mapping fields at all (a prediction file may hold labels only).
    explains : whether it gives explanations at all (a prediction file may hold none).
    """

    subject: str
    strategy: str
    cells: Sequence[Measured]
    answers: Sequence[Answer]
    truth: Sequence[Labels]
    clusters: Strings
    supports: bool
    explains: bool
    threshold: float

    @property
    def group(self) -> str:
        """Subject and strategy, as tables name them."""
        return f"{self.subject} · {self.strategy}"

    @cached_property
    def pair(self) -> list[tuple[str, int]]:
        """Item and seed: what two views are paired by."""
        return [(cell.item.id, cell.seed) for cell in self.cells]

    @cached_property
    def metaphors(self) -> Mask:
        """True metaphors: the fixed set of TP and SP."""
        return np.array([true.is_metaphor for true in self.truth], bool)

    def right(self, field: str) -> Floats:
        """1 where ``metaphor`` or ``sentiment`` is right, else 0."""
        pairs = zip(self.answers, self.truth, strict=True)
        return np.array([getattr(said, field) == getattr(true, field) for said, true in pairs], float)

    def labels(self, what: str) -> tuple[list[str], list[str | None]]:
        """True and given labels of a field."""
        return [getattr(t, what) for t in self.truth], [getattr(a, what) for a in self.answers]

    def marks(self, matcher: str | None) -> list[Marks]:
        """The marks of every answer; without a matcher nothing open is measured (NaN)."""
        found = [self._matches(cell, matcher) for cell in self.cells]
        rows = zip(self.answers, self.truth, found, strict=True)
        return [field_scores(said, true, matches, self.threshold) for said, true, matches in rows]

    def _matches(self, cell: Measured, matcher: str | None) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for name in OPEN if matcher is not None else ():
            seen = cell.said(str(matcher), name)
            scores = (seen.value or {}).get("scores") if seen is not None and seen.ok else None
            found[name] = scores[0] if scores else None
        return found

    def column(self, marks: Sequence[Marks], name: str) -> Floats:
        """``target``, ``source`` (NaN outside the fixed set) or ``joint``."""
        values = (getattr(mark, name) for mark in marks)
        return np.array([NAN if value is None else value for value in values], float)

    def explained(self, judge: str, marks: Sequence[Marks]) -> Explained:
        """Every stage's score behind its gate."""
        scores = {stage: np.full(len(self.cells), NAN) for stage in STAGES}
        counts: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
        for n, (cell, answer, true, mark) in enumerate(zip(self.cells, self.answers, self.truth, marks, strict=True)):
            said = cell.said(judge, "explanations")
            value = said.value if said is not None and said.ok else None
            asked = stages_to_judge(cell.item, answer)
            open_ = gates(mark, true, self.threshold)
            for stage in references(cell.item):
                number = judged(value, stage) if stage in asked else None
                scores[stage][n] = stage_score(open_[stage], answer.explained(stage), number)
                counts[stage][_why(open_[stage], answer.explained(stage), number)] += 1
        return Explained(judge, scores, counts)

    @cached_property
    def statuses(self) -> Counter[str]:
        """What became of every reply."""
        return Counter(cell.output.status for cell in self.cells)

    @cached_property
    def problems(self) -> Counter[str]:
        """Fields that a readable reply lacks, or holds no valid value of."""
        pairs = zip(self.cells, self.answers, strict=True)
        return Counter(name for cell, answer in pairs if cell.output.ok for name in answer.problems)


def _why(gate: float, explained: str | None, number: float | None) -> str:
    if gate == 0.0:
        return "gate closed"
    if explained is None:
        return "no explanation"
    return "judge failed" if number is None else "judged"


def views(study: Study, threshold: float) -> list[View]:
    """All views of a study, in the order of its cells."""
    groups: dict[tuple[str, str], list[Measured]] = {}
    for cell in study.cells:
        groups.setdefault((cell.subject, cell.strategy), []).append(cell)
    return [_view(*group, cells, threshold) for group, cells in groups.items()]


def _view(subject: str, strategy: str, cells: list[Measured], threshold: float) -> View:
    answers = [answer_of(cell.output.value) if cell.output.ok else NOTHING for cell in cells]
    readable = [answer for cell, answer in zip(cells, answers, strict=True) if cell.output.ok]

    def gives(names: Sequence[str]) -> bool:
        """Whether a system has these fields; of a model that was asked, what it leaves out is its fault."""
        silent = all(answer.problems.get(name) == "missing" for answer in readable for name in names)
        return not (strategy == GIVEN and readable and silent)

    return View(
        subject, strategy, cells, answers,
        truth=[gold(cell.item) for cell in cells],
        clusters=np.array([_same_text(cell.item.text) for cell in cells], str),
        supports=gives(OPEN),
        explains=gives(EXPLANATIONS),
        threshold=threshold,
    )  # fmt: skip


def _same_text(text: str) -> str:
    return " ".join(fold(unicodedata.normalize("NFKC", text)).split())


def by_metaphor(view: View) -> Strings:
    """`Yes` or `No`, as the truth has it."""
    return np.array([YES if m else NO for m in view.metaphors], str)
