"""PixArt: one T5 with its mask, each layer through the final norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.diffusers.encoding import Encoding, t5, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings

_BINNED = (32, 64, 128)  # sample sizes for which the pipeline has a table of resolutions it was trained at


class PixArt(Family):
    """Branch `t5`, read at its last layer.

    A picture is made at the trained resolution nearest in shape and then resized, as the pipeline does by default.
    Prompts are lower-cased and stripped; its caption cleaning, which depends on what else is installed, is left out.
    """

    readers: ClassVar = {"t5": Reader("text_encoder", "tokenizer")}
    steps, guidance, max_tokens = 20, 4.5, 120
    multiple = 8
    dtype = "float16"

    def default_size(self, files: PipelineFiles) -> int:
        """What the transformer was trained for."""
        return files.number("transformer", "sample_size", 128) * 8

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """T5 over at most ``max_tokens``."""
        (text,) = pipeline._text_preprocessing(text, clean_caption=False)
        tokens = tokenize(pipeline.tokenizer, text, settings.max_tokens or 120)
        return t5(pipeline, pipeline.text_encoder, tokens, masked=True)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """The sequence and its mask, which this pipeline must have."""
        encoding = read("t5")
        index = at("t5", layer, len(encoding.layers) - 1)
        return {"prompt_embeds": encoding.layers[index], "prompt_attention_mask": encoding.mask}

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """With the pipeline's own table of resolutions, where it has one for this model."""
        return {
            "guidance_scale": settings.guidance,
            "negative_prompt": None,  # its default is a text, which may not stand beside embeddings
            "max_sequence_length": settings.max_tokens,
            "clean_caption": False,
            "use_resolution_binning": pipeline.transformer.config.sample_size in _BINNED,
        }
