"""``clipscore:MODEL`` and ``pickscore:MODEL``: how well a picture and a text go together, by a CLIP model.

CLIPScore is 100 x the cosine of the two vectors, neither clipped at 0 nor weighted; PickScore is the raw logit, the
cosine times the model's own learned scale. Both are of the whole text up to the model's limit (77 tokens); what is
beyond is cut by the tokenizer, which keeps the end token that CLIP reads, and every cut is counted. Source: Hessel et
al. (2021), CLIPScore; Kirstain et al. (2023), Pick-a-Pic; the scales are inferred from simile, table 1.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from trope.errors import BackendError
from trope.records import Result
from trope.requests import Job, Measure
from trope.similarity.base import Similarity
from trope.weights import Source, loading, pretrained, require

if TYPE_CHECKING:
    import torch

KEPT = 100_000  # text vectors that are remembered
Vector = tuple[Any, bool]  # of a text, with whether it was cut


class ClipScore(Similarity):
    """100 x cosine.

    Parameters
    ----------
    model : a folder with the model and its processor, or its name on a hub.
    revision : of a model on a hub; part of the identity.
    device : ``cpu``, ``cuda``; default what there is.
    """

    batch = 32
    transport = frozenset({"device"})
    metric: ClassVar[str] = "clipscore"

    def __init__(self, model: str, revision: str | None = None, device: str | None = None) -> None:
        require(self.metric)
        self._source, self._device = Source(model, revision), device
        self._lock = threading.Lock()
        self._clip: Any = None
        self._texts: dict[str, Vector] = {}

    def identity(self) -> Mapping[str, Any]:
        """The metric, and the model by its weights or commit."""
        source = self._source
        return {"similarity": self.metric, "version": 1, "model": source.short, "weights": source.weights}

    def named(self, name: str) -> str:
        """The model's own name, not the folder's path."""
        return self._source.named(self.metric)

    async def open(self) -> None:
        """Load the model."""
        await asyncio.to_thread(self._load)

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """All pictures in one forward pass, texts that are not known yet in another."""
        return await asyncio.to_thread(self._perform, jobs)

    def _scale(self) -> float:
        return 100.0

    def _load(self) -> None:
        model, revision = self._source.model, self._source.commit
        expected = "a folder or a hub's name of a CLIP model with its tokenizer and image processor"
        with self._lock, loading(f"{self.metric}:{model}", expected):
            if self._clip is not None:
                return
            import torch
            from transformers import CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

            clip = pretrained(CLIPModel, model, revision=revision, dtype=torch.float32)
            self._tokenizer: Any = CLIPTokenizer.from_pretrained(model, revision=revision)
            self._processor: Any = CLIPImageProcessorPil.from_pretrained(model, revision=revision)
            self._at = torch.device(self._device or ("cuda" if torch.cuda.is_available() else "cpu"))
            self._longest = int(clip.config.text_config.max_position_embeddings)
            self._clip = clip.eval().requires_grad_(False).to(self._at)

    def _perform(self, jobs: Sequence[Job]) -> list[Result]:
        requests: list[Measure] = []
        for job in jobs:
            if not isinstance(job.request, Measure):
                raise BackendError(f"{self.name!r} measures a picture against a text; it cannot compare texts")
            requests.append(job.request)
        self._load()
        vectors = self._of_texts([request.text for request in requests])
        pictures = self._of_pictures([job.picture for job in jobs])
        results = []
        for picture, (text, cut) in zip(pictures, vectors, strict=True):
            score = self._scale() * float(picture @ text)
            results.append(
                Result(value={"score": score, "truncated": cut}) if math.isfinite(score)
                else Result(status="failed", reason="the model's vector is not a number")
            )  # fmt: skip
        return results

    def _of_texts(self, texts: Sequence[str]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        if new:
            if len(self._texts) + len(new) > KEPT:
                self._texts.clear()
                new = list(dict.fromkeys(texts))
            whole = self._tokenizer(new, truncation=False, verbose=False)["input_ids"]
            read = self._tokenizer(
                new, truncation=True, max_length=self._longest, padding=True, return_tensors="pt"
            ).to(self._at)  # fmt: skip
            found = self._unit(self._clip.get_text_features(**read))
            for text, ids, vector in zip(new, whole, found, strict=True):
                self._texts[text] = (vector, len(ids) > self._longest)
        return [self._texts[text] for text in texts]

    def _of_pictures(self, paths: Sequence[Path | None]) -> torch.Tensor:
        from PIL import Image

        opened = []
        for path in paths:
            assert path is not None
            with Image.open(path) as image:
                opened.append(image.convert("RGB"))
        pixels = self._processor(images=opened, return_tensors="pt")["pixel_values"].to(self._at)
        return self._unit(self._clip.get_image_features(pixel_values=pixels))

    @staticmethod
    def _unit(found: Any) -> torch.Tensor:
        """Vectors of length 1; transformers wraps them in an output object from version 5 on."""
        vectors: Any = getattr(found, "pooler_output", found)
        unit: torch.Tensor = (vectors / vectors.norm(dim=-1, keepdim=True)).detach()
        return unit


class PickScore(ClipScore):
    """The raw logit of a CLIP model that was trained on people's choices."""

    metric = "pickscore"

    def _scale(self) -> float:
        return float(self._clip.logit_scale.exp())
