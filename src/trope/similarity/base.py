"""What a similarity metric is: it measures a picture against a text, or compares texts."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from trope.backend import Backend


class Similarity(Backend):
    """Base class of similarity metrics. Implement `identity`, and `perform` or `perform_one`.

    A metric of pictures answers `requests.Measure` with ``{"score": float, "truncated": bool}``; a metric of
    texts answers `requests.Compare` with ``{"scores": [float, ...]}``, one number a pair.
    """

    batch = 64

    def group(self, request: Any) -> Hashable:
        """Requests of one kind go together."""
        return type(request).__name__
