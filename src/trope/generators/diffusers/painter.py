"""A loaded pipeline at work: texts are read once, pictures are made in batches as large as memory allows."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trope.errors import BackendError, TropeError
from trope.generators.diffusers.encoding import Encoding, Encodings
from trope.generators.diffusers.families.base import Family, Row
from trope.generators.diffusers.hardware import free_unused, out_of_memory
from trope.generators.diffusers.settings import Settings
from trope.records import Result
from trope.requests import Layer


@dataclass(frozen=True, slots=True)
class Wish:
    """One picture that is wanted. ``seed`` is that of the draw, ``negative`` None where none was given."""

    text: str
    seed: int
    negative: str | None = None
    layer: Layer | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """One picture: pixels of shape (height, width, 3) in 0..1; or latents, if those were asked for."""

    pixels: Any
    finite: bool
    flagged: bool


def say(line: str) -> None:
    """Tell the user, above whatever line is being rewritten."""
    print(f"\r\x1b[K{line}" if sys.stderr.isatty() else line, file=sys.stderr, flush=True)


class Painter:
    """Paints with one pipeline.

    Parameters
    ----------
    pipeline : loaded and placed.
    batch : pictures a call, at most; halved for good when memory runs out.
    name : for messages.
    """

    def __init__(
        self,
        pipeline: Any,
        family: Family,
        settings: Settings,
        batch: int,
        name: str,
        tell: Callable[[str], None] = say,
    ) -> None:
        self.pipeline, self.family, self.settings = pipeline, family, settings
        self.batch, self._name, self._tell = batch, name, tell
        self._encodings = Encodings()

    def paint(self, wishes: Sequence[Wish]) -> list[Result]:
        """One result a wish, in order.

        A wish that cannot be fulfilled fails alone. Where one picture alone is too much for the memory and none
        was made, that is raised: the next would fail as well.
        """
        results: list[Result | None] = [self._impossible(wish) for wish in wishes]
        open_ = [n for n, result in enumerate(results) if result is None]
        while open_:
            part = open_[: self.batch]
            try:
                for n, result in zip(part, self._paint_batch([wishes[n] for n in part]), strict=True):
                    results[n] = result
                open_ = open_[len(part) :]
                continue
            except TropeError:
                raise
            except Exception as error:
                full = out_of_memory(error)
                reason = f"{type(error).__name__}: {error}".strip()
            if len(part) > 1 and full:
                self._halve(len(part))
            elif len(part) > 1:
                for n in part:  # which one it was shows when each is alone
                    results[n] = self._alone(wishes[n])
                open_ = open_[len(part) :]
            else:
                if full and not any(r is not None and r.status == "ok" for r in results):
                    raise BackendError(f"{self._name}: out of memory with one picture at a time. {self._advice()}")
                results[part[0]] = Result(status="failed", reason=reason)
                open_ = open_[1:]
        return [result for result in results if result is not None]

    def _alone(self, wish: Wish) -> Result:
        try:
            return self._paint_batch([wish])[0]
        except TropeError:
            raise
        except Exception as error:
            return Result(status="failed", reason=f"{type(error).__name__}: {error}")

    def _impossible(self, wish: Wish) -> Result | None:
        """Why a wish cannot be fulfilled, if it cannot."""
        if wish.negative is None or (self.family.negative is not None and self.family.guided(self.settings)):
            return None
        what = "takes no negative prompt" if self.family.negative is None else "is not guided (guidance is too low)"
        return Result(status="not_applicable", reason=f"{self._name} {what}, and one was given")

    def _halve(self, tried: int) -> None:
        free_unused()
        self.batch = (tried + 1) // 2
        self._tell(f"{self._name}: out of memory with {tried} pictures at once; going on with {self.batch}")

    def _advice(self) -> str:
        return "Choose a smaller size=, offload=model or offload=sequential, or a smaller dtype="

    def _paint_batch(self, wishes: Sequence[Wish]) -> list[Result]:
        made = self.make(wishes)
        return [self._result(wish, one, len(wishes)) for wish, one in zip(wishes, made, strict=True)]

    # --- one call of the pipeline ---

    def make(self, wishes: Sequence[Wish], output: str = "pt") -> list[Made]:
        """One call of the pipeline for all of them; ``output`` `latent` leaves the pictures undecoded."""
        import torch

        with torch.no_grad():
            arguments = self._arguments(wishes)
        last: dict[str, Any] = {}
        made = self.pipeline(
            **arguments, **self._watch(last), generator=[_noise(wish.seed) for wish in wishes], output_type=output
        )
        images = made.images
        finite = torch.isfinite(images).flatten(1).all(1)
        if "latents" in last:
            finite &= torch.isfinite(last["latents"]).flatten(1).all(1).to(finite.device)
        flags = getattr(made, "nsfw_content_detected", None) or [False] * len(wishes)
        if output != "latent":
            images = images.float().permute(0, 2, 3, 1)
        return [
            Made(image, bool(good), bool(flag)) for image, good, flag in zip(images.cpu(), finite, flags, strict=True)
        ]

    def _arguments(self, wishes: Sequence[Wish]) -> dict[str, Any]:
        settings, known = self.settings, self._parameters
        sizes = {"width": settings.width, "height": settings.height, "num_inference_steps": settings.steps}
        arguments = {name: value for name, value in sizes.items() if value is not None and name in known}
        arguments |= self.family.call(self.pipeline, settings)
        if not self.family.readers:
            return arguments | self._texts(wishes)
        rows = [self._row(wish.text, wish.layer) for wish in wishes]
        joined = self.family.joined(rows)
        if self.family.guided(settings):
            told = [self.family.negative if wish.negative is None else wish.negative for wish in wishes]
            negative = self.family.joined([self._row(text or "", None) for text in told])
            joined |= {f"negative_{name}": value for name, value in negative.items()}
        return arguments | {name: self._there(value) for name, value in joined.items()}

    def _texts(self, wishes: Sequence[Wish]) -> dict[str, Any]:
        """For a pipeline that reads for itself."""
        if any(wish.layer is not None for wish in wishes):
            raise BackendError(f"{self._name} has no branches: nothing is known of this kind of pipeline")
        return {"prompt": [wish.text for wish in wishes]}

    def _row(self, text: str, layer: Layer | None) -> Row:
        return self.family.row(lambda branch: self.read(branch, text), layer, self.settings)

    def read(self, branch: str, text: str) -> Encoding:
        """A text as one encoder hands it on; one forward pass, however many layers are asked for."""
        return self._encodings.get(
            (branch, text), lambda: self.family.encode(self.pipeline, branch, text, self.settings)
        )

    def _there(self, value: Any) -> Any:
        device = self.pipeline._execution_device
        return [one.to(device) for one in value] if isinstance(value, list) else value.to(device)

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.pipeline.__call__).parameters)

    def _watch(self, last: dict[str, Any]) -> dict[str, Any]:
        """Keep the latents of the latest step: what is decoded hides whether they were numbers."""

        def at_end(_pipeline: Any, _step: int, _time: Any, kept: dict[str, Any]) -> dict[str, Any]:
            last["latents"] = kept["latents"]
            return {}

        def of_old(_step: int, _time: Any, latents: Any) -> None:
            last["latents"] = latents

        if "callback_on_step_end" in self._parameters:
            return {"callback_on_step_end": at_end, "callback_on_step_end_tensor_inputs": ["latents"]}
        return {"callback": of_old} if "callback" in self._parameters else {}

    # --- what is said of a picture ---

    def _result(self, wish: Wish, made: Made, batch: int) -> Result:
        from PIL import Image

        provenance = {"seed": wish.seed, "batch": batch}
        if not made.finite:
            reason = f"the latents are not numbers (NaN or infinite) in {self.settings.dtype}; another dtype may help"
            return Result(status="failed", reason=reason, value=self._told(wish), provenance=provenance)
        image = Image.fromarray((made.pixels.numpy() * 255).round().astype("uint8"))
        if made.flagged:
            reason = "the pipeline's safety checker replaced the picture"
            return Result("blank", image=image, reason=reason, value=self._told(wish), provenance=provenance)
        return Result(image=image, value=self._told(wish), provenance=provenance)

    def _told(self, wish: Wish) -> dict[str, Any]:
        """How many tokens each encoder read of the text, and what was cut off."""
        read = {branch: self.read(branch, wish.text) for branch in self.family.readers if self._has(branch)}
        tokens = {branch: min(encoding.tokens, encoding.limit) for branch, encoding in read.items()}
        cut = {
            branch: {"tokens": encoding.tokens, "read": encoding.limit, "lost": encoding.lost}
            for branch, encoding in read.items()
            if encoding.tokens > encoding.limit
        }
        return {"tokens": tokens} | ({"cut": cut} if cut else {})

    def _has(self, branch: str) -> bool:
        return getattr(self.pipeline, self.family.readers[branch].encoder) is not None


def _noise(seed: int) -> Any:
    """On the CPU, one a picture: the same noise on every device and in every batch."""
    import torch

    return torch.Generator("cpu").manual_seed(seed)
