"""The embedded detector: SSDLite MobileNet v2 on COCO, 80 classes, no network and no GPU.

Weights: `data/models/` (Apache-2.0). Small and fast, and weaker than the YOLO the paper uses: see
`docs/limits.md` for what it is known to get wrong, and the report's instrument check for how it does on
pictures whose content is known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trope.data import ROOT
from trope.data.coco import CLASS_OF_ID, CLASSES
from trope.detectors.base import FLOOR, NMS_IOU, Detector, suppress
from trope.records import Detection

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from PIL.Image import Image

_SIDE = 300
_MOST = 100  # boxes kept a picture


class SSD(Detector):
    """`ssd`: input 300 x 300 in -1..1, 1,917 anchors, per-class suppression at IoU 0.5."""

    classes = frozenset(CLASSES)
    batch = 8

    def __init__(self) -> None:
        self._weights = ROOT / "models" / "ssdlite_mobilenet_v2_coco.onnx"

    def identity(self) -> Mapping[str, Any]:
        """The weights by their hash, and how boxes are chosen."""
        return {
            "detector": "ssd",
            "weights": _sha256(self._weights),
            "iou": NMS_IOU,
            "floor": FLOOR,
            "most": _MOST,
        }

    @cached_property
    def _session(self) -> InferenceSession:  # loaded at the first picture: stored answers load none
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others work here too
        return onnxruntime.InferenceSession(self._weights, sess_options=options, providers=["CPUExecutionProvider"])

    def detect(self, image: Image, labels: Sequence[str] = ()) -> list[Detection]:
        """All boxes of all 80 classes with a score of at least 0.05."""
        from PIL.Image import Resampling

        pixels = np.asarray(image.resize((_SIDE, _SIDE), Resampling.BILINEAR), np.float32)[None] / 127.5 - 1.0
        boxes, scores = self._session.run(None, {self._session.get_inputs()[0].name: pixels})
        boxes = np.clip(boxes[0, :, 0, :][:, [1, 0, 3, 2]], 0.0, 1.0)  # y0 x0 y1 x1 -> x0 y0 x1 y1
        scores = scores[0]
        found: list[Detection] = []
        for column in np.flatnonzero(scores.max(axis=0) >= FLOOR):
            name = CLASS_OF_ID.get(int(column) + 1)  # column 0 is id 1; eleven of the 91 ids are unused
            if name is None:
                continue
            rows = np.flatnonzero(scores[:, column] >= FLOOR)
            for row in rows[suppress(boxes[rows], scores[rows, column])]:
                x0, y0, x1, y1 = (float(v) for v in boxes[row])
                found.append(Detection(name, float(scores[row, column]), (x0, y0, x1, y1)))
        return sorted(found, key=lambda d: -d.score)[:_MOST]


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
