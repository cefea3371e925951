"""`truth`: what a synthetic generator knows it drew. It has no opinion of anybody else's pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trope.detectors.base import Detector
from trope.records import Result, best_first
from trope.requests import Detect, Job


class Truth(Detector):
    """Answers from the output itself; `not_applicable` where the generator cannot know."""

    batch = 256

    def identity(self) -> Mapping[str, Any]:
        """Nothing but its name: the output carries the rest."""
        return {"detector": "truth"}

    def material(self, request: Any) -> Any:
        """The output decides, not the picture: only the subject that drew it knows."""
        return ["truth", request.output.key]

    def perform_one(self, job: Job) -> Result:
        """Repeat what the generator said."""
        assert isinstance(job.request, Detect)
        drawn = job.request.output.truth
        if drawn is None:
            return Result(status="not_applicable", reason=f"{job.request.output.backend!r} cannot know what it drew")
        return Result(value={"detections": best_first(drawn), "cannot_tell": list(job.request.output.cannot_draw)})
