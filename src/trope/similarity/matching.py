"""Greedy matching of two texts' tokens, on embeddings that are made once a text and kept within a limit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import torch

    from trope.similarity.encoders import Encoder

Pair = tuple[str, str]
CELLS: Final = 1_000_000  # floats gathered for a batch of pairs
_PAIRS_KEPT: Final = 1_000_000


class Matcher:
    """Scores pairs of texts.

    Parameters
    ----------
    limit : bytes of embeddings that are kept; above it all are forgotten but those just asked for.
    """

    def __init__(self, encoder: Encoder, limit: int) -> None:
        self._encoder, self._limit = encoder, limit
        self._lock = threading.Lock()
        self._known: dict[Pair, float] = {}
        self.cut: set[str] = set()
        self.unknown: set[str] = set()
        self._forget()

    def _forget(self) -> None:
        self._place: dict[str, tuple[int, int]] = {}  # text -> first row in the pool, rows
        self._used = 0
        self._pool: Any = None  # (rows, size): unit vectors, one a token
        self._weight: Any = None  # (rows,): 0 for the special tokens, 1 for all others

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        """F1 of each pair; 0 where a text has no token of its own."""
        with self._lock:
            clean = [(candidate.strip(), reference.strip()) for candidate, reference in pairs]
            new = [pair for pair in dict.fromkeys(clean) if pair not in self._known]
            if len(self._known) + len(new) > _PAIRS_KEPT:
                self._known.clear()
                new = list(dict.fromkeys(clean))
            if new:
                self._embed(list(dict.fromkeys(text for pair in new for text in pair if text)))
                self._match(new)
            return [self._known[pair] for pair in clean]

    def reason(self, pair: Pair) -> str | None:
        """Why a pair's score is no measurement, or less than one: a text that is empty, was cut, or is not known."""
        for name, text in zip(("candidate", "reference"), pair, strict=True):
            if not text.strip():
                return f"the {name} is empty: 0"
            if text.strip() in self.cut:
                return f"the {name} is cut at {self._encoder.longest} tokens"
            if text.strip() in self.unknown:
                return f"the {name} has tokens that the model does not know"
        return None

    def _embed(self, texts: Sequence[str]) -> None:
        import torch

        if self._pool is not None and self._pool.numel() * 4 > self._limit:
            self._forget()
        new = [text for text in texts if text not in self._place]
        ids, cut = self._encoder.tokens(new)
        self.cut.update(text for text, was in zip(new, cut, strict=True) if was)
        self.unknown.update(text for text, row in zip(new, ids, strict=True) if self._encoder.unknown in row)
        left = sum(map(len, ids))
        for rows, hidden, mask, own in self._encoder.states(ids):
            unit = torch.nn.functional.normalize(hidden.float(), dim=-1, eps=0.0).cpu()
            self._reserve(left, unit.shape[-1])
            lengths = [len(ids[n]) for n in rows]
            stop = self._used + sum(lengths)
            self._pool[self._used : stop], self._weight[self._used : stop] = unit[mask], own[mask]
            for n, start, length in zip(rows, accumulate(lengths, initial=self._used), lengths, strict=False):
                self._place[new[n]] = (start, length)
            left -= stop - self._used
            self._used = stop

    def _reserve(self, rows: int, size: int) -> None:
        """Room for ``rows`` more tokens than are used; the pool at least doubles when it grows."""
        import torch

        if self._pool is None:
            self._pool, self._weight = torch.empty(max(rows, 1024), size), torch.empty(max(rows, 1024))
        elif len(self._pool) < self._used + rows:
            more = max(self._used + rows, 2 * len(self._pool))
            for name in ("_pool", "_weight"):
                old: torch.Tensor = getattr(self, name)
                wider = old.new_empty((more, *old.shape[1:]))
                wider[: self._used] = old[: self._used]
                setattr(self, name, wider)

    def _match(self, pairs: Sequence[Pair]) -> None:
        import torch

        todo = []
        for pair in pairs:
            if pair[0] and pair[1]:
                todo.append(pair)
            else:
                self._known[pair] = 0.0
        place = self._place
        todo.sort(key=lambda pair: (-place[pair[0]][1], -place[pair[1]][1]))
        with torch.inference_mode():
            while todo:
                wide = place[todo[0][0]][1] + max(place[pair[1]][1] for pair in todo[:1024])
                count = max(1, min(1024, CELLS // (wide * self._pool.shape[1])))
                batch, todo = todo[:count], todo[count:]
                a, weight_a = self._gather([place[pair[0]] for pair in batch])
                b, weight_b = self._gather([place[pair[1]] for pair in batch])
                cosine = torch.bmm(a, b.transpose(1, 2))
                precision, recall = _mean(cosine.amax(dim=2), weight_a), _mean(cosine.amax(dim=1), weight_b)
                f1 = torch.nan_to_num(2 * precision * recall / (precision + recall), nan=0.0, posinf=0.0, neginf=0.0)
                f1 = f1.clamp(-1.0, 1.0)  # rounding alone passes the bounds
                self._known.update(zip(batch, f1.tolist(), strict=True))

    def _gather(self, places: Sequence[tuple[int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors (pairs, tokens, size) and weights (pairs, tokens) of the texts at some places.

        A text is filled up with its own first token, at weight 0: no maximum is changed by a vector that is
        there already.
        """
        import torch

        start, length = torch.tensor(places).T
        offset = torch.arange(int(length.max()))
        mask = offset < length[:, None]
        rows = start[:, None] + torch.where(mask, offset, 0)
        vectors: torch.Tensor = self._pool[rows]
        return vectors, self._weight[rows] * mask


def _mean(best: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Weighted mean over tokens; NaN for a text that has none of its own."""
    return (best * weight).sum(dim=1) / weight.sum(dim=1)
