"""Stable Diffusion 1 and 2, Dreamlike among them: one CLIP, each layer through its final norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.diffusers.encoding import Encoding, clip, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings


class StableDiffusion(Family):
    """Branch `clip`, read at its last layer."""

    readers: ClassVar = {"clip": Reader("text_encoder", "tokenizer")}
    steps, guidance = 50, 7.5
    multiple = 8
    dtype = "float16"

    def default_size(self, files: PipelineFiles) -> int:
        """What the U-Net was trained for."""
        return files.number("unet", "sample_size", 64) * 8

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """CLIP over 77 tokens."""
        text = pipeline.maybe_convert_prompt(text, pipeline.tokenizer)
        tokens = tokenize(pipeline.tokenizer, text, pipeline.tokenizer.model_max_length)
        masked = bool(getattr(pipeline.text_encoder.config, "use_attention_mask", False))
        return clip(pipeline, pipeline.text_encoder, tokens, sequence="normed", pooled=False, masked=masked)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """The sequence."""
        states = read("clip").layers
        return {"prompt_embeds": states[at("clip", layer, len(states) - 1)]}
