"""What pages say: one cell in short, and what a reader must know before any number."""

from __future__ import annotations

from typing import Any

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.vista.calls import SENTENCE, VEHICLE, parse_call
from trope.protocols.vista.judging import by_call, same_letter
from trope.protocols.vista.questions import PERMUTED, PUBLISHED
from trope.protocols.vista.reading import found, said
from trope.protocols.vista.scoring import v_score
from trope.protocols.vista.views import Sheet
from trope.records import DETECTION_THRESHOLD

_SUSPECT = 0.5  # share of replies with one letter four times from which a judge is suspected not to look


def highlight(cell: Measured) -> dict[str, Any]:
    """Each instrument's verdict: score and points of a judge's call, found or not of a detector."""
    shown: dict[str, Any] = {}
    for instrument, calls in cell.observations.items():
        several = sum(call.startswith((PUBLISHED, PERMUTED)) for call in calls) > 1
        verdicts = [text for call in calls if (text := _verdict(cell, instrument, call, several))]
        if verdicts:
            shown[instrument] = {"verdict": "; ".join(verdicts), **_box(cell, instrument)}
    return shown


def _verdict(cell: Measured, instrument: str, call: str, several: bool) -> str:
    if call == VEHICLE:
        value = found(cell, instrument, call)
        return "cannot_tell" if np.isnan(value) else ("present" if value else "absent")
    observation = cell.said(instrument, call)
    if call == SENTENCE:
        good = observation is not None and observation.ok and isinstance(observation.value, dict)
        return f"{observation.value['score']:.2f}" if good and observation is not None else "failed"
    asked = parse_call(call)
    if asked.blind:
        return ""
    read = said(cell, instrument, call, asked.ids)
    what = "presence" if asked.control else (f"V-Score {asked.order}" if several else "V-Score")
    if read.status != "ok":
        return f"{what} {read.status}" if several or asked.control else read.status
    if asked.control:
        return f"{what} {sum(read.points):.0f}/{len(read.points)}"
    return f"{what} {float(v_score(read.points)):.1f} ({' '.join(f'{p:.0f}' for p in read.points)})"


def _box(cell: Measured, instrument: str) -> dict[str, Any]:
    observation, figure = cell.said(instrument, VEHICLE), cell.item.figure
    if observation is None or not observation.ok or figure is None or figure.vehicle_class is None:
        return {}
    best = observation.best(figure.vehicle_class, DETECTION_THRESHOLD)
    return {} if best is None else {"score": best.score, "box": list(best.box), "label": best.label}


def warnings(study: Study, sheet: Sheet) -> list[str]:
    """What would make the numbers mean something else."""
    told = []
    if len(study.cells) < study.planned:
        told.append(f"The run was stopped: {len(study.cells)} of {study.planned} cells are finished.")
    told += [
        f"{subject} draws what it is told to and knows what it drew. Its numbers check the instruments; they say"
        " nothing about an image model."
        for subject in dict.fromkeys(c.subject for c in study.cells if c.output.truth is not None)
    ]
    if any(view.call == PUBLISHED for view in sheet.figure):
        told.append(
            "Call published shows options best first: a judge that always says A would give every picture 100. The"
            " tables of letters and of order show whether this one does."
        )
    told += [text for key, views in by_call(sheet.figure).items() if (text := _one_letter(key, views))]
    told += [
        f"{instrument}, call {call}: no item and seed has a valid reply for every subject and strategy; the common set"
        " is empty."
        for (instrument, call), pairs in sheet.common.items()
        if not pairs and study.cells
    ]
    return told


def _one_letter(key: tuple[str, str], views: list[Any]) -> str | None:
    alike = same_letter([letters for view in views for letters in view.letters])
    if not len(alike) or alike.mean() < _SUSPECT:
        return None
    return (
        f"{key[0]}, call {key[1]}: {alike.mean():.0%} of the replies give all four questions the same letter."
        " This judge may not look at the picture; its scores are not to be trusted."
    )
