"""What detectors from `transformers` share: a folder or a hub's name, loaded at the first picture."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, ClassVar

from trope.detectors.base import FLOOR, Detector
from trope.records import Detection
from trope.weights import Source, loading, require


class Pretrained(Detector):
    """A detection model with its image processor.

    Pictures are prepared by the processors that need no torchvision, so that the same weights see the same pixels on
    every machine.

    Parameters
    ----------
    model : a folder, or a name on a hub.
    revision : of a model on a hub; part of the identity.
    device : ``cpu``, ``cuda``; default what there is.
    """

    transport = frozenset({"device"})
    kind: ClassVar[str] = ""

    def __init__(self, model: str, revision: str | None = None, device: str | None = None) -> None:
        require(self.kind)
        self.source, self.device = Source(model, revision), device
        self.model = model
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def identity(self) -> Mapping[str, Any]:
        """The model by its weights or commit, and the lowest score that is kept."""
        model, weights = self.source.short, self.source.weights
        return {"detector": self.kind, "version": 1, "model": model, "weights": weights, "floor": FLOOR}

    def named(self, name: str) -> str:
        """The model's own name, not the folder's path."""
        return self.source.named(self.kind)

    @property
    def revision(self) -> str | None:
        """The commit of a model on a hub."""
        return self.source.commit

    def load(self) -> tuple[Any, Any]:
        """Processor and model."""
        raise NotImplementedError(f"{type(self).__name__} must load itself")  # an abstract method

    @property
    def parts(self) -> tuple[Any, Any]:
        """Processor and model, loaded once and on its device; raises `BackendError`."""
        import torch

        with self._loading:
            if self._loaded is None:
                with loading(f"{self.kind}:{self.model}", "a folder or a hub's name of such a model"):
                    processor, model = self.load()
                at = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
                self._loaded = processor, model.eval().requires_grad_(False).to(at)
            return self._loaded


def boxes(found: Mapping[str, Any], labels: list[str], size: tuple[int, int]) -> list[Detection]:
    """Boxes as transformers gives them, in pixels, as fractions of the picture; scores that are no number are left out.

    Parameters
    ----------
    found : ``scores`` (n,) and ``boxes`` (n, 4), x0 y0 x1 y1.
    labels : one a box.
    size : width and height in pixels.
    """
    width, height = size
    made = []
    for label, score, box in zip(labels, found["scores"].tolist(), found["boxes"].tolist(), strict=True):
        x0, y0, x1, y1 = (min(1.0, max(0.0, v / side)) for v, side in zip(box, (width, height) * 2, strict=True))
        if score == score and x1 >= x0 and y1 >= y0:
            made.append(Detection(label, min(1.0, float(score)), (x0, y0, x1, y1)))
    return made
