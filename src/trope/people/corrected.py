"""Headline scores corrected by people: the judge's value of every output, people's of a sample, joined.

See `stats.corrections.prediction_powered_mean`. Without known inclusion probabilities it is refused, and says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from trope.people.agreement import grouped
from trope.people.design import Design
from trope.people.sampling import Stratum
from trope.people.sheet import NAN, Question, Sheet, consensus
from trope.protocols import Measured
from trope.protocols.tables import Table, Value, estimate_cell, number
from trope.stats.corrections import prediction_powered_mean

Floats = npt.NDArray[np.float64]
NOTES = (
    "Judge alone: the mean of the judge's numbers over all outputs. Corrected: what people would say of all outputs,"
    " from the judge's numbers for all and people's for the sample (prediction-powered, clusters are vehicles).",
    "The chance of an output is the share of its stratum that was drawn and answered: outputs that were drawn but not"
    " answered yet lower it, which is fair since pages come in random order. An answer without a number (it cannot be"
    " told) counts as none; where there are many of them, ask what they have in common.",
)


@dataclass(frozen=True)
class Drawn:
    """How the outputs of a study were drawn: stratum of each unit, each stratum's standing, who was drawn."""

    design: Design
    frame: Mapping[str, str]
    strata: Sequence[Stratum]
    unit_of: Mapping[tuple[str, Any], str]  # item and place -> unit

    @property
    def sample(self) -> bool:
        """Whether inclusion probabilities are known."""
        return self.design.method != "convenience"


@dataclass(frozen=True)
class Rows:
    """One subject and strategy through one judge on one question: an entry an output."""

    predictions: Floats
    labels: Floats
    inclusion: Floats | None
    clusters: list[str]
    strata: list[str]


def corrected(sheet: Sheet, drawn: Drawn) -> Table:
    """One row a question, subject, strategy and judge."""
    columns = ("question", "outputs of", "judge", "judge alone", "corrected by people", "answered", "outputs")
    rows: list[list[Value]] = []
    for title, questions in grouped(sheet):
        if len(questions) > 1:
            continue
        for judge in sheet.instruments:
            for group, found in by_group(sheet, drawn, judge, questions[0]).items():
                if np.isnan(found.predictions).all():
                    continue
                estimate = prediction_powered_mean(
                    found.predictions, found.labels, found.inclusion, clusters=found.clusters
                )
                alone = number(float(np.nanmean(found.predictions)))
                answered = int((~np.isnan(found.labels)).sum())
                rows.append([title, group, judge, alone, estimate_cell(estimate), answered, len(found.labels)])
    return Table("people_corrected", "Scores corrected by people", columns, rows, NOTES)


def by_group(sheet: Sheet, drawn: Drawn, judge: str, question: Question) -> dict[str, Rows]:
    """The outputs of each subject and strategy, as `prediction_powered_mean` wants them."""
    answered = sheet.people[question.place]
    said = sheet.judges.get(question.place, {})
    cells: dict[str, list[tuple[Measured, str, float, float]]] = {}
    for (item, place), cell in sheet.cells.items():
        unit = drawn.unit_of.get((item, place))
        if unit is None:
            continue
        task = sheet.task_of.get((question.call, item, place))
        label = consensus(answered[task])[1] if task in answered else NAN
        predicted = said.get((item, place), {}).get(judge, (None, NAN))[1]
        cells.setdefault(f"{place[0]} · {place[1]}", []).append((cell, unit, predicted, label))
    return {group: _rows(drawn, found) for group, found in cells.items()}


def _rows(drawn: Drawn, found: Sequence[tuple[Measured, str, float, float]]) -> Rows:
    strata = [drawn.frame[unit] for _, unit, _, _ in found]
    labels = np.array([label for *_, label in found], float)
    inclusion = None
    if drawn.sample:
        chance = answered_share(strata, labels, {s.name: s.inclusion for s in drawn.strata})
        inclusion = np.array([chance[name] for name in strata], float)
    return Rows(
        np.array([predicted for _, _, predicted, _ in found], float), labels, inclusion,
        [cluster_of(cell) for cell, *_ in found], strata,
    )  # fmt: skip


def answered_share(strata: Sequence[str], labels: Floats, inclusion: Mapping[str, float]) -> dict[str, float]:
    """The share of each stratum's outputs that was drawn and answered, which takes the place of the recorded chance.

    Within a stratum every output has had the same chance of both, since pages come in random order. With all that
    was drawn answered it is the recorded inclusion probability. A stratum without an answer keeps the recorded one.
    """
    chance = {}
    for name in set(strata):
        share = float((~np.isnan(labels[np.array([s == name for s in strata])])).mean())
        chance[name] = share or inclusion[name]
    return chance


def spread(sheet: Sheet, drawn: Drawn, judge: str | None, question: Question) -> dict[str, float]:
    """By stratum, the standard deviation of people's numbers less the judge's; what a next draw goes by.

    Strata with fewer than two answers get the pooled one; it is shrunk towards the pooled one by two answers'
    worth, so that a stratum that happened to agree is not left out for good.
    """
    gaps: dict[str, list[float]] = {s.name: [] for s in drawn.strata}
    for (item, place), unit in drawn.unit_of.items():
        task = sheet.task_of.get((question.call, item, place))
        if task not in sheet.people[question.place]:
            continue
        label = consensus(sheet.people[question.place][task])[1]
        said = sheet.judges.get(question.place, {}).get((item, place), {})
        predicted = said.get(judge, (None, NAN))[1] if judge is not None else 0.0
        gap = label - predicted
        if not math.isnan(gap):
            gaps[drawn.frame[unit]].append(gap)
    everything = [gap for found in gaps.values() for gap in found]
    pooled = float(np.var(everything, ddof=1)) if len(everything) > 1 else 1.0
    pooled = pooled or 1.0
    result = {}
    for name, found in gaps.items():
        own = float(np.var(found, ddof=1)) if len(found) > 1 else pooled
        degrees = max(0, len(found) - 1)
        result[name] = math.sqrt((degrees * own + 2 * pooled) / (degrees + 2))
    return result


def cluster_of(cell: Measured) -> str:
    """The independent unit of an output: the vehicle, else the item."""
    figure = cell.item.figure
    named = cell.item.cluster.get("vehicle") or (figure.vehicle_class if figure else None)
    return named or (figure.vehicle if figure else cell.item.id)
