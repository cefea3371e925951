"""A generator with text encoders that can be cut, and known answers: which layers show the vehicle is planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trope.generators import Branch, Generator, Result
from trope.generators.base import draw_seed
from trope.generators.collage import Collage
from trope.requests import Generate, Job

# vehicle -> the layers of `t5` that show it; 6 is the normal one. `clip` shows it at the normal layer, 4, alone.
SHOWN: dict[str, frozenset[int]] = {
    "cat": frozenset({2, 3}),  # suppressed
    "dog": frozenset({4, 5, 6}),  # persistent
    "bus": frozenset(),  # never
    "car": frozenset({6}),  # persistent, from the last layer on
    "vase": frozenset({1, 2, 3, 4, 5, 6}),  # persistent, everywhere
}


class Peeled(Generator):
    """Collages, in which a vehicle is there or not as planted."""

    batch = 8

    def __init__(self) -> None:
        self._collage = Collage(size=128)
        self.batches: list[list[str]] = []

    def identity(self) -> Mapping[str, Any]:
        return {"generator": "peeled"}

    def branches(self) -> Mapping[str, Branch]:
        return {"t5": Branch(6, 6, pooled=True), "clip": Branch(5, 4), "pooled": Branch(5, 5, aside=True)}

    def group(self, request: Any) -> Any:
        return None if request.layer is None else request.text

    def _perform_each(self, jobs: Sequence[Job]) -> list[Result]:
        self.batches.append([job.request.text for job in jobs if isinstance(job.request, Generate)])
        return super()._perform_each(jobs)

    def perform_one(self, job: Job) -> Result:
        assert isinstance(job.request, Generate)
        text, layer = job.request.text, job.request.layer
        vehicle = next(word for word in SHOWN if word in text.rstrip(".").split())
        if layer is None:
            there = 6 in SHOWN[vehicle]
        elif layer.branch == "t5":
            there = layer.index in SHOWN[vehicle]
        else:
            there = layer.index == 4 and 6 in SHOWN[vehicle]
        return self._collage.draw(vehicle if there else "a stone", draw_seed(job.seed, job.request.attempt))
