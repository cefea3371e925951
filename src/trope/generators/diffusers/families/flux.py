"""FLUX.1: T5 for the sequence, without a mask; CLIP only for its pooled vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.base import Branch
from trope.generators.diffusers.encoding import Encoding, clip, t5, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings


class Flux(Family):
    """Branches `t5` and `clip`, both read at their last layer.

    The pooled vector of CLIP holds the whole prompt. While `t5` is cut it stays so (``pooled`` `normal`), or is
    taken from CLIP at the same share of its depth (`layer`), so that both start from nothing and end normal.
    """

    readers: ClassVar = {"t5": Reader("text_encoder_2", "tokenizer_2"), "clip": Reader("text_encoder", "tokenizer")}
    steps, guidance, true_guidance, max_tokens = 28, 3.5, 1.0, 512

    def guided(self, settings: Settings) -> bool:
        """Only by true guidance: the other kind is told to the distilled model."""
        return (settings.true_guidance or 0.0) > 1.0

    def branches(self, files: PipelineFiles, settings: Settings) -> dict[str, Branch]:
        """With `clip` the pooled vector is all there is; with `t5` it can follow."""
        found = super().branches(files, settings)
        return found | {"t5": replace(found["t5"], pooled=True)}

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """T5 over at most ``max_tokens``; CLIP over 77."""
        reader = self.readers[branch]
        tokenizer, encoder = getattr(pipeline, reader.tokenizer), getattr(pipeline, reader.encoder)
        text = pipeline.maybe_convert_prompt(text, tokenizer)
        if branch == "t5":
            return t5(pipeline, encoder, tokenize(tokenizer, text, settings.max_tokens or 512), masked=False)
        tokens = tokenize(tokenizer, text, pipeline.tokenizer_max_length)
        return clip(pipeline, encoder, tokens, sequence=None, pooled=True, masked=False)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """The sequence, and the pooled vector."""
        states, vectors = read("t5").layers, read("clip").pooled
        index = at("t5", layer, len(states) - 1)
        pooled = at("clip", layer, len(vectors) - 1)
        if layer is not None and layer.branch == "t5" and layer.pooled == "layer":
            pooled = same_depth(index, len(states) - 1, len(vectors) - 1)
        return {"prompt_embeds": states[index], "pooled_prompt_embeds": vectors[pooled]}

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """Both kinds of guidance."""
        return {
            "guidance_scale": settings.guidance,
            "true_cfg_scale": settings.true_guidance,
            "max_sequence_length": settings.max_tokens,
        }


def same_depth(index: int, of: int, other: int) -> int:
    """The layer of an encoder with ``other`` layers at the share of depth that ``index`` is ``of``."""
    return round(index / of * other) if of else other
