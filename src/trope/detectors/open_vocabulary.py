"""``owlv2:MODEL`` and ``grounding-dino:MODEL``: detectors that are told what to look for, in English.

For dragons and all else that no fixed list of classes has. What they are told is part of the question: another word
for the same thing is another observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trope.detectors.base import FLOOR
from trope.detectors.pretrained import Pretrained, boxes
from trope.records import Detection
from trope.weights import pretrained

if TYPE_CHECKING:
    from PIL.Image import Image


class Owlv2(Pretrained):
    """OWLv2: each box goes to the label that fits it best, of those asked for together."""

    kind = "owlv2"

    def load(self) -> tuple[Any, Any]:
        """Processor and model."""
        import torch
        from transformers import AutoTokenizer, Owlv2ForObjectDetection, Owlv2ImageProcessorPil, Owlv2Processor

        images = Owlv2ImageProcessorPil.from_pretrained(self.model, revision=self.revision)
        words = AutoTokenizer.from_pretrained(self.model, revision=self.revision)
        model = pretrained(Owlv2ForObjectDetection, self.model, revision=self.revision, dtype=torch.float32)
        return Owlv2Processor(images, words), model

    def detect(self, image: Image, labels: Sequence[str]) -> list[Detection]:
        """Boxes of the labels with a score of at least 0.05, told as ``a photo of a LABEL``."""
        import torch

        processor, model = self.parts
        told = [[f"a photo of a {label}" for label in labels]]
        inputs = processor(text=told, images=image, return_tensors="pt").to(model.device)
        with torch.inference_mode():
            out = model(**inputs)
        (found,) = processor.post_process_grounded_object_detection(
            out, target_sizes=[(image.height, image.width)], threshold=FLOOR
        )
        return boxes(found, [labels[int(n)] for n in found["labels"]], image.size)


class GroundingDino(Pretrained):
    """Grounding DINO: one label at a time, so that every box belongs to the label that was asked for."""

    kind = "grounding-dino"

    def load(self) -> tuple[Any, Any]:
        """Processor and model."""
        import torch
        from transformers import (
            AutoTokenizer,
            GroundingDinoForObjectDetection,
            GroundingDinoImageProcessorPil,
            GroundingDinoProcessor,
        )

        images = GroundingDinoImageProcessorPil.from_pretrained(self.model, revision=self.revision)
        words = AutoTokenizer.from_pretrained(self.model, revision=self.revision)
        model = pretrained(GroundingDinoForObjectDetection, self.model, revision=self.revision, dtype=torch.float32)
        return GroundingDinoProcessor(images, words), model

    def detect(self, image: Image, labels: Sequence[str]) -> list[Detection]:
        """Boxes of the labels with a score of at least 0.05."""
        import torch

        processor, model = self.parts
        made: list[Detection] = []
        for label in labels:
            inputs = processor(images=image, text=f"{label.lower()}.", return_tensors="pt").to(model.device)
            with torch.inference_mode():
                out = model(**inputs)
            (found,) = processor.post_process_grounded_object_detection(
                out, inputs["input_ids"], threshold=FLOOR, text_threshold=0.0,
                target_sizes=[(image.height, image.width)],
            )  # fmt: skip
            made += boxes(found, [label] * len(found["scores"]), image.size)
        return made
