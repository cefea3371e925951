"""``rtdetr:MODEL`` and ``dfine:MODEL``: detectors with classes of their own, from `transformers`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trope.data.coco import CLASSES
from trope.detectors.base import FLOOR
from trope.detectors.pretrained import Pretrained, boxes
from trope.errors import BackendError
from trope.records import Detection
from trope.weights import pretrained

if TYPE_CHECKING:
    from PIL.Image import Image

# what the same classes are called in older label files
_ALIASES = {
    "sofa": "couch", "tvmonitor": "tv", "tv monitor": "tv", "pottedplant": "potted plant",
    "diningtable": "dining table", "motorbike": "motorcycle", "aeroplane": "airplane",
    "hairdrier": "hair drier", "hair dryer": "hair drier",
}  # fmt: skip


class RTDetr(Pretrained):
    """RT-DETR, version 1 or 2."""

    kind = "rtdetr"

    @cached_property
    def config(self) -> Any:
        """The model's configuration, read without its weights; raises `BackendError`."""
        from transformers import AutoConfig

        try:
            return AutoConfig.from_pretrained(self.model, revision=self.revision)
        except (OSError, ValueError) as error:
            raise BackendError(
                f"{self.kind}:{self.model} cannot be read: {str(error).strip().splitlines()[0]}"
            ) from None

    @cached_property
    def names(self) -> dict[int, str]:
        """Class number -> name, COCO's own where it means one of them."""
        found = {}
        for number, name in self.config.id2label.items():
            plain = " ".join(str(name).replace("_", " ").split()).casefold()
            plain = _ALIASES.get(plain, plain)
            found[int(number)] = plain if plain in CLASSES else str(name)
        return found

    @property
    def classes(self) -> frozenset[str]:  # type: ignore[override]  # told by the model, not by the class
        """What the model's own label list says."""
        return frozenset(self.names.values())

    def load(self) -> tuple[Any, Any]:
        """Processor and model."""
        import torch
        from transformers import AutoModelForObjectDetection, RTDetrImageProcessorPil

        processor = RTDetrImageProcessorPil.from_pretrained(self.model, revision=self.revision)
        model = pretrained(AutoModelForObjectDetection, self.model, revision=self.revision, dtype=torch.float32)
        return processor, model

    def detect(self, image: Image, labels: Sequence[str] = ()) -> list[Detection]:
        """All boxes with a score of at least 0.05; the model's own choice of boxes, no suppression."""
        import torch

        processor, model = self.parts
        inputs = processor(images=image, return_tensors="pt").to(model.device)
        with torch.inference_mode():
            out = model(**inputs)
        (found,) = processor.post_process_object_detection(
            out, threshold=FLOOR, target_sizes=[(image.height, image.width)]
        )
        return boxes(found, [self.names[int(n)] for n in found["labels"]], image.size)


class DFine(RTDetr):
    """D-FINE, which reads pictures as RT-DETR does."""

    kind = "dfine"
