"""Detectors: instruments that look for objects. What they say is boxes with labels and scores."""

from trope.detectors.base import Detector, suppress
from trope.records import Detection
from trope.registry import Registry

DETECTORS: Registry[Detector] = Registry(
    "detector",
    {
        "ssd": "trope.detectors.ssd:SSD",
        "truth": "trope.detectors.truth:Truth",
    },
    group="trope.detectors",
)

__all__ = ["DETECTORS", "Detection", "Detector", "suppress"]
