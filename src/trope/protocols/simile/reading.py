"""One observation, read as: is the vehicle there?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trope.protocols.base import Measured
from trope.records import DETECTION_THRESHOLD, Detection

NAN = float("nan")
LOOK = "look"  # the one call an instrument gets


@dataclass(frozen=True, slots=True)
class Look:
    """What one instrument saw of the vehicle: 1 there, 0 not, NaN unknown; and of the box, if it has one."""

    present: float
    conf: float
    area: float
    box: Detection | None = None


_UNKNOWN = Look(NAN, NAN, NAN)


def look(cell: Measured, instrument: str) -> Look:
    """Read an instrument's observation of a cell; whatever is not an answer is unknown, never 0."""
    observation = cell.said(instrument, LOOK)
    if observation is None or not observation.ok or cell.item.figure is None:
        return _UNKNOWN
    value = observation.value or {}
    if "present" in value:
        return _UNKNOWN if value["present"] is None else Look(float(value["present"]), NAN, NAN)
    if "detections" not in value or cell.item.figure.vehicle_class in value.get("cannot_tell", ()):
        return _UNKNOWN  # no look, or a generator that cannot draw it and so has not kept it out
    box = observation.best(cell.item.figure.vehicle_class or "", DETECTION_THRESHOLD)
    return Look(0.0, NAN, NAN) if box is None else Look(1.0, box.score, box.area, box)


def status_of(cell: Measured, instrument: str) -> str:
    """How a cell stands with an instrument: ``ok``, the output's status, or the observation's."""
    if not cell.output.ok:
        return cell.output.status
    observation = cell.said(instrument, LOOK)
    if observation is None:
        return "failed"
    if observation.ok and np.isnan(look(cell, instrument).present):
        return "cannot_tell"
    return observation.status
