"""Qwen-Image: a multimodal language model reads the prompt inside a template, whose beginning is dropped afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.diffusers.encoding import Encoding, language_model, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.settings import Settings


class QwenImage(Family):
    """Branch `qwen`, read at its last layer; each layer goes through the final norm.

    ``guidance`` is the pipeline's ``true_cfg_scale``, against a blank negative prompt: its ``guidance_scale`` is for
    distilled models and ignored by the published ones.
    """

    readers: ClassVar = {"qwen": Reader("text_encoder", "tokenizer")}
    steps, guidance, max_tokens = 50, 4.0, 512
    negative = " "

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """The prompt in its template; what is kept begins where the prompt does."""
        drop, most = pipeline.prompt_template_encode_start_idx, settings.max_tokens or 512
        templated = pipeline.prompt_template_encode.format(text)
        tokens = tokenize(pipeline.tokenizer, templated, pipeline.tokenizer_max_length + drop, pad=False)
        norm = pipeline.text_encoder.model.language_model.norm
        made = language_model(pipeline, pipeline.text_encoder, tokens, norm)
        lost = pipeline.tokenizer.decode(tokens.ids[0][drop + most :], skip_special_tokens=True) + tokens.lost
        return replace(
            made, layers=tuple(state[:, drop : drop + most].clone() for state in made.layers),
            mask=tokens.mask[:, drop : drop + most], tokens=tokens.count - drop, limit=most, lost=lost,
        )  # fmt: skip

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """The sequence and its mask."""
        encoding = read("qwen")
        index = at("qwen", layer, len(encoding.layers) - 1)
        return {"prompt_embeds": encoding.layers[index], "prompt_embeds_mask": encoding.mask}

    def joined(self, rows: Sequence[Row]) -> Row:
        """Filled up with zeros to the longest prompt."""
        import torch

        longest = max(row["prompt_embeds"].shape[1] for row in rows)
        filled = []
        for row in rows:
            missing = longest - row["prompt_embeds"].shape[1]
            filled.append({
                "prompt_embeds": torch.nn.functional.pad(row["prompt_embeds"], (0, 0, 0, missing)),
                "prompt_embeds_mask": torch.nn.functional.pad(row["prompt_embeds_mask"], (0, missing)),
            })  # fmt: skip
        return super().joined(filled)

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """A distilled model is told its guidance; any other is guided against the negative prompt."""
        distilled = pipeline.transformer.config.guidance_embeds
        told = {"guidance_scale": settings.guidance} if distilled else {}
        return told | {"true_cfg_scale": settings.guidance, "max_sequence_length": settings.max_tokens}
