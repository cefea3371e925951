"""Detectors: instruments that look for objects. What they say is boxes with labels and scores."""

from trope.detectors.base import Detector, suppress
from trope.records import Detection
from trope.registry import Registry

DETECTORS: Registry[Detector] = Registry(
    "detector",
    {
        "ssd": "trope.detectors.ssd:SSD",
        "dfine": "trope.detectors.closed:DFine",
        "grounding-dino": "trope.detectors.open_vocabulary:GroundingDino",
        "owlv2": "trope.detectors.open_vocabulary:Owlv2",
        "rtdetr": "trope.detectors.closed:RTDetr",
        "yolo": "trope.detectors.yolo:Yolo",
        "truth": "trope.detectors.truth:Truth",
    },
    group="trope.detectors",
)

__all__ = ["DETECTORS", "Detection", "Detector", "suppress"]
