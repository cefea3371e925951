"""What a detector is: it gets a canonical picture and returns boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trope.backend import Backend
from trope.errors import UsageError
from trope.records import Detection, Result, best_first
from trope.requests import Detect, Job

if TYPE_CHECKING:
    from PIL.Image import Image

NMS_IOU = 0.5
FLOOR = 0.05  # boxes below this are not kept; thresholds above it can be chosen afterwards


class Detector(Backend):
    """Base class of detectors. Implement `detect` and `identity`.

    Attributes
    ----------
    classes : what the detector can know; None when it is told what to look for (open vocabulary).
    """

    classes: frozenset[str] | None = None

    def detect(self, image: Image, labels: Sequence[str]) -> list[Detection]:
        """Find objects in one RGB picture; ``labels`` matter only where `classes` is None."""
        raise NotImplementedError(f"{type(self).__name__} must detect")  # an abstract method

    def require(self, labels: set[str]) -> None:
        """Raise `UsageError` for a label the detector cannot know: it would count as 0 % otherwise."""
        unknown = sorted(labels - self.classes) if self.classes is not None else []
        if unknown:
            raise UsageError(
                f"detector {self.name!r} does not know {len(unknown)} of the vehicles: {', '.join(unknown[:8])}"
                f"{' …' if len(unknown) > 8 else ''}. Use a detector that does, or leave those items out"
            )

    def material(self, request: Any) -> Any:
        """The picture; and the labels, for a detector that is told what to look for."""
        return request.material() if self.classes is None else ["detect", request.output.picture]

    def perform_one(self, job: Job) -> Result:
        """Read the picture and look."""
        from PIL import Image

        assert isinstance(job.request, Detect) and job.picture is not None
        with Image.open(job.picture) as image:
            found = self.detect(image.convert("RGB"), job.request.labels)
        return Result(value={"detections": best_first(found)})


def suppress(boxes: NDArray[np.float32], scores: NDArray[np.float32], iou: float = NMS_IOU) -> NDArray[np.intp]:
    """Greedy non-maximum suppression of one class.

    Parameters
    ----------
    boxes : float array, shape (n, 4), ``x0, y0, x1, y1`` in any one unit.
    scores : float array, shape (n,).
    iou : a box is dropped if it overlaps a better one by more than this.

    Returns
    -------
    Indices of the boxes that stay, best first; ties keep their order.
    """
    order = np.argsort(-scores, kind="stable")
    area = np.maximum(boxes[:, 2] - boxes[:, 0], 0) * np.maximum(boxes[:, 3] - boxes[:, 1], 0)
    kept: list[int] = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(int(best))
        low = np.maximum(boxes[best, :2], boxes[order, :2])
        high = np.minimum(boxes[best, 2:], boxes[order, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        union = area[best] + area[order] - shared
        order = order[shared <= iou * np.maximum(union, 1e-12)]
    return np.array(kept, dtype=np.intp)
