"""One picture through one judge, as numbers: a question is right, wrong or unread, a dimension rated or unread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from trope.nouns import Figure, Item
from trope.protocols.base import Measured
from trope.protocols.vmetaphor.calls import DIMENSIONS
from trope.records import Observation

NAN = float("nan")
LEVELS: Mapping[str, tuple[str, ...]] = {
    "L1": ("target", "source"), "L2": ("structure",), "L3": ("meaning",), "L4": ("mapping",),
}  # fmt: skip
CALLS = ("questions", "mappings", "dimensions")
ROLE_OF: Mapping[str, str] = {"target": "tenor", "source": "vehicle"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One question of one picture: what was said, or None; whether that is the truth, NaN where nothing was read."""

    id: str
    axis: str
    said: str | None
    truth: str
    right: float


def answers(cell: Measured, judge: str) -> list[Answer]:
    """Every question of the cell's item, read or not; "cannot be determined" is an answer, and a wrong one."""
    values = _value(cell, judge, "questions") | _value(cell, judge, "mappings")
    found = []
    for question in cell.item.questions:
        assert question.answer is not None
        said, truth = values.get(question.id), question.options[question.answer]
        found.append(Answer(question.id, question.axis, said, truth, NAN if said is None else float(said == truth)))
    return found


def ratings(cell: Measured, judge: str) -> tuple[float, ...]:
    """The three dimensions, 1 to 5, NaN where nothing was read."""
    value = _value(cell, judge, "dimensions")
    return tuple(float(value.get(name, NAN)) for name in DIMENSIONS)


def levels(given: list[Answer]) -> list[float]:
    """L1 to L4 of one picture, each a mean over its questions; NaN where one is unread or there is none to ask."""
    by_axis: dict[str, list[float]] = {}
    for answer in given:
        by_axis.setdefault(answer.axis, []).append(answer.right)
    found = []
    for axes in LEVELS.values():
        right = [value for axis in axes for value in by_axis.get(axis, [])]
        found.append(float(np.mean(right)) if right else NAN)
    return found


def status_of(cell: Measured, judge: str, call: str) -> str:
    """How a cell stands with one call: ``ok``, the output's status, the call's, or ``not_applicable``."""
    if not cell.output.ok:
        return cell.output.status
    if call == "mappings" and not any(question.axis == "mapping" for question in cell.item.questions):
        return "not_applicable"
    said = _said(cell, judge, call)
    return "failed" if said is None else said.status


def presence(figure: Figure, role: str) -> str:
    """Whether a role is ``visible`` or ``absent`` in the picture that was asked for."""
    return "visible" if getattr(figure.presence, role) == "depicted" else "absent"


def kind_of(item: Item) -> str:
    """The structure of an item; of a replacement also which of the two is absent."""
    figure = item.figure
    assert figure is not None
    if figure.structure != "replacement":
        return str(figure.structure)
    return f"replacement, {'tenor' if figure.presence.tenor == 'implied' else 'vehicle'} absent"


def verdict(cell: Measured, instrument: str) -> str | None:
    """What an instrument says of a picture, in one line: ticks and crosses by level, and the three ratings."""
    calls = cell.observations.get(instrument, {})
    if not calls:
        return None
    if "objects" in calls:
        seen = calls["objects"]
        return ", ".join(dict.fromkeys(d.label for d in seen.detections)) or "nothing" if seen.ok else seen.status
    marks: dict[str, str] = {}
    for answer in answers(cell, instrument):
        level = next(name for name, axes in LEVELS.items() if answer.axis in axes)
        marks[level] = marks.get(level, "") + {1.0: "✓", 0.0: "✗"}.get(answer.right, "–")
    parts = [f"{level} {marks[level]}" for level in LEVELS if level in marks]
    rated = "/".join("–" if np.isnan(value) else f"{value:.0f}" for value in ratings(cell, instrument))
    return " ".join([*parts, f"· {rated}"])


def _value(cell: Measured, judge: str, call: str) -> dict[str, Any]:
    said = _said(cell, judge, call) if cell.output.ok else None
    return dict(said.value or {}) if said is not None and said.ok else {}


def _said(cell: Measured, judge: str, call: str) -> Observation | None:
    """What was said in a call, whatever order its options were shown in."""
    calls = cell.observations.get(judge, {})
    return next((said for name, said in calls.items() if name.partition("?")[0] == call), None)
