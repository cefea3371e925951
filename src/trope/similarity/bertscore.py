"""``bertscore:MODEL``: BERTScore F1 of two texts, on the definition of the package bert-score, at our own speed.

The embeddings of each token at one layer; every token of one text meets the most similar token of the other; the
means of these cosines are precision and recall. No idf weights, no rescaling: a threshold such as 0.75 means
something only on that scale. Every text is encoded once, in batches of like length, and kept; every pair is
matched once. Source: Zhang et al. (2020), BERTScore; bert-score 0.3.13, which this agrees with to 1e-6 pair by pair.
(In a batch of its own, bert-score lets padding stand in with a similarity of 0 for tokens whose best cosine is
negative. That depends on the neighbors and is no part of the definition; here no padding is ever matched.)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

from trope.errors import BackendError, UsageError
from trope.records import Result
from trope.requests import Compare, Job
from trope.similarity.base import Similarity
from trope.similarity.encoders import Encoder
from trope.similarity.matching import Matcher
from trope.weights import Source, require

# layers chosen by correlation with people, as bert-score has them; m3r uses the first
LAYERS: Final[Mapping[str, int]] = {
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "bert-base-uncased": 9, "bert-large-uncased": 18,
    "roberta-base": 10, "roberta-large": 17, "xlm-roberta-base": 9, "xlm-roberta-large": 17,
    "distilbert-base-uncased": 5, "distilbert-base-multilingual-cased": 5,
}  # fmt: skip


class BertScore(Similarity):
    """BERTScore F1 with one model at one layer.

    Parameters
    ----------
    model : a folder with the model, or its name on a hub.
    layer : the hidden state to compare, 0 = embeddings; may be left out for models whose layer is known.
    revision : of a model on a hub; part of the identity.
    device : ``cpu``, ``cuda``; default what there is.
    cache_mb : memory for embeddings that are kept.
    """

    batch = 1024
    transport = frozenset({"device", "cache_mb"})

    def __init__(
        self,
        model: str,
        layer: int | None = None,
        revision: str | None = None,
        device: str | None = None,
        cache_mb: int = 512,
    ) -> None:
        self._source = Source(model, revision)
        self.short = self._source.short
        if layer is None:
            layer = LAYERS.get(self.short.rpartition("/")[2])
        if layer is None:
            raise UsageError(
                f"bertscore:{model}: which layer? Expected: bertscore:{model}?layer=N (known without it:"
                f" {', '.join(LAYERS)})"
            )
        if cache_mb < 1:
            raise UsageError(f"bertscore:{model}: cache_mb={cache_mb}. Expected: at least 1")
        require("bertscore", "metrics")
        self._layer, self._device = layer, device
        self._cache_bytes = cache_mb * 1_000_000
        self._matcher: Matcher | None = None
        self._lock = threading.Lock()

    def identity(self) -> Mapping[str, Any]:
        """The definition, the model by its weights or commit, the layer."""
        return {
            "similarity": "bertscore", "version": 1, "model": self.short, "layer": self._layer,
            "weights": self._source.weights, "idf": False, "rescale": False,
        }  # fmt: skip

    def named(self, name: str) -> str:
        """The model's own name and the layer, which is always said: not the folder's path."""
        return f"bertscore:{self.short}?layer={self._layer}" + (
            f"&revision={self._source.revision}" if self._source.revision else ""
        )

    async def open(self) -> None:
        """Load the model."""
        await asyncio.to_thread(self.load)

    def load(self) -> Matcher:
        """The matcher, loaded once; raises `BackendError` for a layer that does not exist."""
        with self._lock:
            if self._matcher is None:
                source = self._source
                encoder = Encoder(source.model, layer=self._layer, revision=source.commit, device=self._device)
                self._matcher = Matcher(encoder, self._cache_bytes)
            return self._matcher

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """F1 of each pair of (candidate, reference), in [-1, 1]; an empty text gives 0."""
        return self.load().scores(pairs)

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """All pairs of all jobs at once."""
        return await asyncio.to_thread(self._perform, jobs)

    def _perform(self, jobs: Sequence[Job]) -> list[Result]:
        requests = []
        for job in jobs:
            if not isinstance(job.request, Compare):
                raise BackendError(f"{self.name!r} compares texts; it cannot look at a picture")
            requests.append(job.request)
        matcher = self.load()
        found = iter(matcher.scores([pair for request in requests for pair in request.pairs]))
        results = []
        for request in requests:
            value: dict[str, Any] = {"scores": [next(found) for _ in request.pairs]}
            reasons = {str(n): why for n, pair in enumerate(request.pairs) if (why := matcher.reason(pair))}
            if reasons:
                value["reasons"] = reasons
            results.append(Result(value=value))
        return results
