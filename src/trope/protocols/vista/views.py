"""The cells of a study as arrays: read once, used by every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trope.nouns import Item
from trope.protocols.base import Measured, Study
from trope.protocols.vista.calls import SENTENCE, VEHICLE, Call
from trope.protocols.vista.checks import is_figurative
from trope.protocols.vista.questions import asked
from trope.protocols.vista.reading import NAN, Floats, found, said
from trope.protocols.vista.scoring import v_score

Mask = NDArray[np.bool_]
Labels = NDArray[np.str_]
Pair = tuple[str, int]
BASE = "base"
ELSEWHERE = "folder:"  # subjects whose pictures were made elsewhere: what was asked for them is not known


@dataclass(frozen=True)
class View:
    """What one call of one instrument says of the cells of one subject under one strategy.

    Attributes
    ----------
    call : the judge's call, e.g. ``published``; a detector's and a similarity's have one call only.
    points : of each question, NaN unanswered; shape (n, 4), for control questions (n, 5) of 0 and 1, for detectors
        and similarities (n, 1).
    letters : as the judge saw them, e.g. ``ACAB``; empty where there is no valid reply.
    items : the item of each row; vehicles : what is resampled together; shape (n,).
    pair : item and seed, what two views are paired by.
    gated : whether the strategy looked through this very instrument.
    """

    subject: str
    strategy: str
    instrument: str
    call: str
    points: Floats
    letters: list[str]
    items: list[Item]
    vehicles: Labels
    pair: list[Pair]
    statuses: Counter[str]
    gated: bool

    @property
    def score(self) -> Floats:
        """V-Score of each row, NaN unless all four questions are answered."""
        return v_score(self.points)

    @property
    def valid(self) -> Mask:
        """Rows with a valid reply."""
        return np.asarray(~np.isnan(self.points).any(axis=1))

    @property
    def group(self) -> str:
        """Subject and strategy, as tables name them."""
        return f"{self.subject} · {self.strategy}"

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What names a row of a table, and seeds its resampling."""
        return self.subject, self.strategy, self.instrument, self.call

    @property
    def mark(self) -> str | None:
        """Why its numbers are no score, if they are none."""
        return "optimized on" if self.gated else None

    def rows(self, pairs: Sequence[Pair]) -> NDArray[np.intp]:
        """The rows of these pairs, in their order."""
        at = {pair: n for n, pair in enumerate(self.pair)}
        return np.array([at[pair] for pair in pairs], np.intp)

    def valid_pairs(self) -> list[Pair]:
        """The pairs with a valid reply, in order."""
        return [pair for pair, valid in zip(self.pair, self.valid, strict=True) if valid]


@dataclass(frozen=True)
class Changed:
    """Which prompts of a guard differ from what base asks, of one subject; figurative or literal items."""

    subject: str
    strategy: str
    figurative: bool
    changed: Floats
    clusters: Labels
    ids: list[str]


@dataclass(frozen=True)
class Sheet:
    """Everything that tables need.

    ``common`` maps judge and call to the pairs that are valid in every view of that call.
    ``altered`` holds subject, strategy, item and seed of the cells whose request differs from base's.
    """

    figure: list[View]
    control: list[View]
    blind: list[View]
    detected: list[View]
    similar: list[View]
    changed: list[Changed]
    common: dict[tuple[str, str], list[Pair]]
    altered: frozenset[tuple[str, str, str, int]]


def read_study(study: Study, calls: Sequence[Call]) -> Sheet:
    """All views of a study, in the order of its cells, instruments within, calls within those."""
    groups: dict[tuple[str, str], list[Measured]] = {}
    for cell in study.cells:
        groups.setdefault((cell.subject, cell.strategy), []).append(cell)
    judges = [name for name, kind in study.instruments.items() if kind == "judge"]
    figure: list[View] = []
    control: list[View] = []
    detected: list[View] = []
    similar: list[View] = []
    for group, cells in groups.items():
        for name, kind in study.instruments.items():
            if kind == "judge":
                made = [view for call in calls if not call.blind and (view := _judged(*group, name, call, cells))]
                figure += [view for view in made if view.points.shape[1] == 4]
                control += [view for view in made if view.points.shape[1] != 4]
            elif (view := _looked(*group, name, kind == "detector", cells)) is not None:
                (detected if kind == "detector" else similar).append(view)
    blind = [
        view for name in judges for call in calls if call.blind and (view := _unseen(name, call, study.cells))
    ]  # fmt: skip
    altered = _altered(study.cells)
    common = {(view.instrument, view.call): _common(figure, view) for view in figure}
    return Sheet(figure, control, blind, detected, similar, list(_changes(study.cells, altered)), common, altered)


def _judged(subject: str, strategy: str, instrument: str, call: Call, cells: Sequence[Measured]) -> View | None:
    mine = [cell for cell in cells if asked(cell.item, call.ids)]
    if not mine:
        return None
    read = [said(cell, instrument, call.name, call.ids) for cell in mine]
    return _view(
        (subject, strategy, instrument, call.name), mine, [r.points for r in read], [r.letters for r in read],
        [r.status for r in read],
    )  # fmt: skip


def _unseen(instrument: str, call: Call, cells: Sequence[Measured]) -> View | None:
    """The questions without the picture: the same answer for every cell of an item, so one row an item."""
    first: dict[str, Measured] = {}
    for cell in cells:
        if asked(cell.item, call.ids) and cell.said(instrument, call.name) is not None:
            first.setdefault(cell.item.id, cell)
    return _judged("(no picture)", "", instrument, call, list(first.values()))


def _looked(subject: str, strategy: str, instrument: str, detector: bool, cells: Sequence[Measured]) -> View | None:
    mine = [cell for cell in cells if is_figurative(cell.item)]
    if detector:
        mine = [cell for cell in mine if cell.item.figure and cell.item.figure.vehicle_class]
    if not mine:
        return None
    call = VEHICLE if detector else SENTENCE
    values = [found(c, instrument, call) if detector else _similarity(c, instrument) for c in mine]
    statuses = [_status(c, instrument, call, value) for c, value in zip(mine, values, strict=True)]
    return _view((subject, strategy, instrument, call), mine, [(v,) for v in values], [""] * len(mine), statuses)


def _similarity(cell: Measured, instrument: str) -> float:
    observation = cell.said(instrument, SENTENCE)
    good = cell.output.ok and observation is not None and observation.ok and isinstance(observation.value, dict)
    return float(observation.value["score"]) if good and observation is not None else NAN


def _status(cell: Measured, instrument: str, call: str, value: float) -> str:
    if not cell.output.ok:
        return cell.output.status
    observation = cell.said(instrument, call)
    if observation is None:
        return "failed"
    return "cannot_tell" if observation.ok and np.isnan(value) else observation.status


def _view(
    place: tuple[str, str, str, str],
    cells: Sequence[Measured],
    points: Sequence[tuple[float, ...]],
    letters: list[str],
    statuses: Sequence[str],
) -> View:
    return View(
        *place,
        points=np.array(points, float).reshape(len(cells), -1),
        letters=letters,
        items=[cell.item for cell in cells],
        vehicles=np.array([vehicle(cell.item) for cell in cells], str),
        pair=[(cell.item.id, cell.seed) for cell in cells],
        statuses=Counter(statuses),
        gated=any(place[2] in cell.gates for cell in cells),
    )


def together(views: Sequence[View], subject: str, strategy: str) -> View:
    """Views of one call as one, for numbers over all of their pictures; its pairs occur more than once."""
    return View(
        subject, strategy, views[0].instrument, views[0].call,
        points=np.concatenate([view.points for view in views]),
        letters=[letters for view in views for letters in view.letters],
        items=[item for view in views for item in view.items],
        vehicles=np.concatenate([view.vehicles for view in views]),
        pair=[pair for view in views for pair in view.pair],
        statuses=sum((view.statuses for view in views), Counter()),
        gated=any(view.gated for view in views),
    )  # fmt: skip


def vehicle(item: Item) -> str:
    """What an item is resampled with: its language and vehicle; a literal control stands for itself."""
    name = item.cluster.get("vehicle") or (item.figure.vehicle if item.figure else item.id)
    return f"{item.lang}:{name}"


def is_guard(strategy: str) -> bool:
    """Whether a strategy decides prompt by prompt if it changes anything."""
    return strategy.partition(":")[0] == "guard"


def _common(views: Sequence[View], of: View) -> list[Pair]:
    same = [set(view.valid_pairs()) for view in views if (view.instrument, view.call) == (of.instrument, of.call)]
    kept = set.intersection(*same)
    return [pair for pair in of.pair if pair in kept]


def _altered(cells: Sequence[Measured]) -> frozenset[tuple[str, str, str, int]]:
    """Cells that asked something else than base did: a key hashes the prompt, so equal prompts have equal keys."""
    cells = [cell for cell in cells if not cell.subject.startswith(ELSEWHERE)]
    base = {(c.subject, c.item.id, c.seed): c.output.key for c in cells if c.strategy == BASE}
    return frozenset(
        (c.subject, c.strategy, c.item.id, c.seed)
        for c in cells
        if base.get((c.subject, c.item.id, c.seed), c.output.key) != c.output.key
    )


def _changes(cells: Sequence[Measured], altered: frozenset[tuple[str, str, str, int]]) -> list[Changed]:
    told = [cell for cell in cells if not cell.subject.startswith(ELSEWHERE)]
    based = {(cell.subject, cell.item.id, cell.seed) for cell in told if cell.strategy == BASE}
    groups: dict[tuple[str, str, bool], list[Measured]] = {}
    for cell in cells:
        if is_guard(cell.strategy) and (cell.subject, cell.item.id, cell.seed) in based:
            groups.setdefault((cell.subject, cell.strategy, is_figurative(cell.item)), []).append(cell)
    made = []
    for group, mine in groups.items():
        changed = [(cell.subject, cell.strategy, cell.item.id, cell.seed) in altered for cell in mine]
        ids = dict.fromkeys(cell.item.id for cell, differs in zip(mine, changed, strict=True) if differs)
        vehicles = np.array([vehicle(cell.item) for cell in mine], str)
        made.append(Changed(*group, np.array(changed, float), vehicles, list(ids)))
    return made
