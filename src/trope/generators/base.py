"""What a generator is: it gets a text and a seed, and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trope.backend import Backend
from trope.records import Result, digest
from trope.requests import Generate, Job

if TYPE_CHECKING:
    from PIL.Image import Image


class Generator(Backend):
    """Base class of generators. Implement `draw` and `identity`; override `perform` for batches or async.

    ::

        class Red(Generator):
            def identity(self):
                return {"generator": "red", "version": 1}

            def draw(self, text, seed):
                return Image.new("RGB", (256, 256), "red")
    """

    seeded = True

    def draw(self, text: str, seed: int) -> Image | bytes | Result:
        """One picture of ``text``, the same for the same seed; a `Result` where there is more to say."""
        raise NotImplementedError(f"{type(self).__name__} must draw")  # an abstract method

    def perform_one(self, job: Job) -> Result:
        """Draw one job's text at its effective seed."""
        assert isinstance(job.request, Generate)
        made = self.draw(job.request.text, draw_seed(job.seed, job.request.attempt))
        return made if isinstance(made, Result) else Result(image=made)


def draw_seed(seed: int, attempt: int) -> int:
    """The seed of one draw, in 0 .. 2**32 - 1: the cell's own for attempt 0, else one derived from both.

    Derived, not ``seed + attempt``, so that attempts of seed 42 never repeat the pictures of seed 43.
    """
    return seed % 2**32 if attempt == 0 else int(digest([seed, attempt])[:8], 16)
