"""How a reply is read, and what a cell says: letters, the options they stand for, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trope.protocols.base import Measured
from trope.records import DETECTION_THRESHOLD
from trope.requests import Unreadable
from trope.wire import read_json

LETTERS = "ABCD"
NAN = float("nan")
Floats = NDArray[np.float64]


def read(reply: str, orders: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Read ``{"answers": {"Q1": "A", ...}, "reasoning": {"Q1": "...", ...}}``.

    One JSON object, alone or in one code fence, with exactly these keys and exactly the questions that were
    asked. A letter may be small (``a`` is ``A``); ``A.``, a word or a list is no letter. A reason is a text.

    Parameters
    ----------
    orders : question to the stored positions of its options in the order shown.

    Returns
    -------
    ``answers`` question to the stored position of the chosen option, ``letters`` as shown, ``reasoning``.

    Raises
    ------
    Unreadable : anything else, e.g. text around the object, two objects, NaN, an unknown key, a missing answer.
    """
    value = read_json(reply, ("answers", "reasoning"))
    for name, part in value.items():
        if not isinstance(part, dict):
            raise Unreadable(f"{name}: expected an object, got {type(part).__name__}")
        if set(part) != set(orders):
            odd = ", ".join(sorted(set(part) ^ set(orders)))[:200]
            raise Unreadable(f"{name}: questions missing or unknown: {odd}")
    letters = {name: _letter(name, value["answers"][name], len(order)) for name, order in orders.items()}
    for name, reason in value["reasoning"].items():
        if not isinstance(reason, str):
            raise Unreadable(f"reasoning of {name}: expected a text, got {type(reason).__name__}")
    return {
        "answers": {name: orders[name][LETTERS.index(letter)] for name, letter in letters.items()},
        "letters": letters,
        "reasoning": {name: value["reasoning"][name] for name in orders},
    }


def _letter(name: str, said: Any, options: int) -> str:
    known = LETTERS[:options]
    letter = said.upper() if isinstance(said, str) and len(said) == 1 and said.isascii() else ""
    if not letter or letter not in known:
        raise Unreadable(f"{name}: {str(said)[:40]!r} is none of {'/'.join(known)}")
    return letter


@dataclass(frozen=True, slots=True)
class Said:
    """What one call says of one cell: points a question (NaN without an answer), the letters, a status."""

    points: tuple[float, ...]
    letters: str
    status: str


def said(cell: Measured, instrument: str, call: str, ids: Sequence[str]) -> Said:
    """Read one call; a reply counts whole or not at all, and what is no answer is NaN, never 0."""
    nothing = (NAN,) * len(ids)
    if not cell.output.ok:
        return Said(nothing, "", cell.output.status)
    observation = cell.said(instrument, call)
    if observation is None or not observation.ok or not isinstance(observation.value, dict):
        return Said(nothing, "", "failed" if observation is None else observation.status)
    value = observation.value
    stored = {question.id: question for question in cell.item.questions}
    points = []
    for name in ids:
        question, chosen = stored[name], value["answers"][name]
        if question.scores is not None:
            points.append(float(question.scores[chosen]))
        else:
            points.append(float(chosen == question.answer))
    return Said(tuple(points), "".join(value["letters"][name] for name in ids), "ok")


def found(cell: Measured, instrument: str, call: str) -> float:
    """Whether a detector found the vehicle's class: 1, 0, NaN where it did not look or cannot tell."""
    observation, figure = cell.said(instrument, call), cell.item.figure
    if not cell.output.ok or observation is None or not observation.ok or figure is None:
        return NAN
    label, value = figure.vehicle_class, observation.value or {}
    if label is None or "detections" not in value or label in value.get("cannot_tell", ()):
        return NAN  # a generator that cannot draw it has not kept it out
    return float(observation.best(label, DETECTION_THRESHOLD) is not None)
