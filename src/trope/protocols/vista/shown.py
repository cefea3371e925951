"""What pages say: one cell in short, and what a reader must know before any number."""

from __future__ import annotations

from typing import Any

import numpy as np

from trope.protocols.base import Measured, Study
from trope.protocols.vista.calls import SENTENCE, VEHICLE, Call, parse_call
from trope.protocols.vista.judging import by_call, same_letter
from trope.protocols.vista.questions import PERMUTED, PUBLISHED
from trope.protocols.vista.reading import found, said
from trope.protocols.vista.scoring import MOST, v_score
from trope.protocols.vista.views import Sheet
from trope.records import DETECTION_THRESHOLD

_SUSPECT = 0.5  # share of replies with one letter four times from which a judge is suspected not to look
_REASON = 300  # characters of a judge's reason that a page shows
_FEW = 0.9  # share of pictures with a valid reply below which a score is of a selection


def highlight(cell: Measured) -> dict[str, Any]:
    """Of each judge the points of Q2 and its reasons, of each detector whether it found the vehicle.

    V-Scores with the points of Q1 to Q4, and right answers to the control questions, stand beside them.
    """
    shown: dict[str, Any] = {}
    for instrument, calls in cell.observations.items():
        if VEHICLE in calls:
            value = found(cell, instrument, VEHICLE)
            verdict = "cannot_tell" if np.isnan(value) else ("present" if value else "absent")
            shown[instrument] = {"verdict": verdict, **_box(cell, instrument)}
        elif SENTENCE in calls:
            shown[instrument] = {"verdict": _similarity(cell, instrument)}
        else:
            shown |= _judged(cell, instrument, [call for name in calls if not (call := parse_call(name)).blind])
    return shown


def _judged(cell: Measured, instrument: str, calls: list[Call]) -> dict[str, Any]:
    figure, control = [call for call in calls if not call.control], [call for call in calls if call.control]
    shown: dict[str, Any] = {}
    if figure:
        primary = next((call for call in figure if call.order == PERMUTED), figure[0])
        read = said(cell, instrument, primary.name, primary.ids)
        verdict = f"Q2 vehicle {read.points[1]:.0f} of {MOST}" if read.status == "ok" else read.status
        shown[instrument] = {"verdict": verdict} | _reasons(cell, instrument, primary)
        scores = [text for call in figure if (text := _score(cell, instrument, call, len(figure) > 1))]
        if scores:
            shown[f"{instrument} V-Score"] = {"verdict": "; ".join(scores)}
    for call in control:
        read = said(cell, instrument, call.name, call.ids)
        right = f"{sum(read.points):.0f} of {len(read.points)}" if read.status == "ok" else read.status
        shown[f"{instrument} presence"] = {"verdict": right}
    return shown


def _score(cell: Measured, instrument: str, call: Call, several: bool) -> str:
    read = said(cell, instrument, call.name, call.ids)
    if read.status != "ok":
        return f"{call.order} {read.status}" if several else ""
    text = f"{float(v_score(read.points)):.1f} ({' '.join(f'{p:.0f}' for p in read.points)})"
    return f"{call.order} {text}" if several else text


def _reasons(cell: Measured, instrument: str, call: Call) -> dict[str, Any]:
    observation = cell.said(instrument, call.name)
    if observation is None or not observation.ok or not isinstance(observation.value, dict):
        return {}
    reasons = observation.value.get("reasoning", {})
    told = {name: reasons[name][:_REASON] for name in call.ids if reasons.get(name)}
    return {"told": told} if told else {}


def _similarity(cell: Measured, instrument: str) -> str:
    observation = cell.said(instrument, SENTENCE)
    good = observation is not None and observation.ok and isinstance(observation.value, dict)
    return f"{observation.value['score']:.2f}" if good and observation is not None else "failed"


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
    told += [text for key, views in by_call(sheet.figure).items() if (text := _few_valid(key, views))]
    looked = {view.instrument for view in sheet.detected}
    told += [
        f"{instrument} looked at nothing: no item of this study names its vehicle's class (figures[0].vehicle_class)."
        for instrument, kind in study.instruments.items()
        if kind == "detector" and instrument not in looked and study.cells
    ]
    told += [
        f"{group.strategy} changed none of the {len(group.changed)} figurative prompts for {group.subject}: it found no"
        " figure, or its model gave no plan. Its pictures are those of base."
        for group in sheet.changed
        if group.figurative and not group.changed.any()
    ]
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


def _few_valid(key: tuple[str, str], views: list[Any]) -> str | None:
    planned, valid = sum(len(view.valid) for view in views), sum(int(view.valid.sum()) for view in views)
    if not planned or valid / planned >= _FEW:
        return None
    return (
        f"{key[0]}, call {key[1]}: {valid} of {planned} pictures have a valid reply. The scores are of these alone;"
        " worst and best say what the others could change, the table of statuses what became of them."
    )
