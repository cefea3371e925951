"""What a generator is: it gets a text and a seed, and draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trope.backend import Backend
from trope.records import Result, digest
from trope.requests import Generate, Job

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Branch:
    """One text encoder of a generator, whose layers a `requests.Layer` can choose from.

    Attributes
    ----------
    layers : how many it has; layer 0 is what goes into the first.
    normal : the layer that a request without one reads (the highest, where it reads several).
    exact : whether asking for the normal layer gives the very same picture as not asking for one.
    pooled : whether a pooled vector can follow the layer.
    aside : a variation on another branch: used when it is named, left out where all branches are meant.
    """

    layers: int
    normal: int
    exact: bool = True
    pooled: bool = False
    aside: bool = False


class Generator(Backend):
    """Base class of generators. Implement `draw` and `identity`; override `perform` for batches or async.

    ::

        class Red(Generator):
            def identity(self):
                return {"generator": "red", "version": 1}

            def draw(self, text, seed):
                return Image.new("RGB", (256, 256), "red")

    Attributes
    ----------
    takes_negative : whether a negative prompt changes what it draws.
    """

    seeded = True
    takes_negative: bool = False

    def branches(self) -> Mapping[str, Branch]:
        """Text encoders whose layers can be chosen, by name, told without loading them; mostly none."""
        return {}

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
