"""``yolo:WEIGHTS``: the detector the paper uses, by the package `ultralytics`.

That package is AGPL-3.0 and is never installed along: whoever installs it (``pip install 'trope[yolo]'``) is bound
by its license. A ``.pt`` file is a pickle, which that package runs as code: use only weights whose origin you trust.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trope.detectors.base import FLOOR, NMS_IOU, Detector
from trope.errors import BackendError
from trope.records import Detection
from trope.weights import require

if TYPE_CHECKING:
    from PIL.Image import Image


class Yolo(Detector):
    """An ultralytics model: a file of weights (``.pt``), or a configuration (``.yaml``, random weights, for tests).

    Parameters
    ----------
    model : the file, or a name that ultralytics knows and fetches, e.g. ``yolov8x.pt``.
    size : the longer side, in pixels, at which pictures are looked at.
    device : ``cpu``, ``cuda``; default ultralytics' own choice.
    """

    transport = frozenset({"device"})

    def __init__(self, model: str, size: int = 640, device: str | None = None) -> None:
        require("yolo", "yolo", ("ultralytics",))
        self._file, self._size, self._device = model, size, device

    def identity(self) -> Mapping[str, Any]:
        """The weights by their hash where the file is here, else by name; and how boxes are chosen."""
        path = Path(self._file)
        weights = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else self._file
        return {"detector": "yolo", "weights": weights, "size": self._size, "iou": NMS_IOU, "floor": FLOOR}

    def named(self, name: str) -> str:
        """The file's own name, not the path to it."""
        return f"yolo:{Path(self._file).name}" + (f"?size={self._size}" if self._size != 640 else "")

    @cached_property
    def _yolo(self) -> Any:
        from ultralytics import YOLO

        try:
            return YOLO(self._file, task="detect")
        except Exception as error:  # whatever a file that is damaged, or not there, makes of it
            raise BackendError(f"yolo:{self._file} cannot be loaded: {error}") from error

    @property
    def classes(self) -> frozenset[str]:  # type: ignore[override]  # told by the model, not by the class
        """What the model's own label list says."""
        return frozenset(self._yolo.names.values())

    def detect(self, image: Image, labels: Sequence[str] = ()) -> list[Detection]:
        """All boxes with a score of at least 0.05, suppressed at IoU 0.5."""
        (found,) = self._yolo.predict(
            image, conf=FLOOR, iou=NMS_IOU, imgsz=self._size, device=self._device, verbose=False
        )
        rows = zip(found.boxes.cls.tolist(), found.boxes.conf.tolist(), found.boxes.xyxyn.tolist(), strict=True)
        return [
            Detection(found.names[int(label)], float(score), (box[0], box[1], box[2], box[3]))
            for label, score, box in rows
        ]
