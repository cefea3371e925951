"""Z-Image: a language model reads the prompt as a chat message, at the layer before its last, raw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.base import Branch
from trope.generators.diffusers.encoding import Encoding, language_model, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings


class ZImage(Family):
    """Branch `qwen`, read at the last layer but one. Any guidance above 0 is guidance against a negative prompt."""

    readers: ClassVar = {"qwen": Reader("text_encoder", "tokenizer")}
    steps, guidance, max_tokens = 50, 5.0, 512

    def guided(self, settings: Settings) -> bool:
        """As the pipeline has it: from 0 on, not from 1."""
        return (settings.guidance or 0.0) > 0.0

    def branches(self, files: PipelineFiles, settings: Settings) -> dict[str, Branch]:
        """Normal is the last layer but one."""
        return {name: Branch(b.layers, b.layers - 1) for name, b in super().branches(files, settings).items()}

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """The chat message, filled up as the pipeline does; what fills it is left out afterwards."""
        message = [{"role": "user", "content": text}]
        templated = pipeline.tokenizer.apply_chat_template(
            message, tokenize=False, add_generation_prompt=True, enable_thinking=True
        )
        tokens = tokenize(pipeline.tokenizer, templated, settings.max_tokens or 512)
        tokens = replace(tokens, mask=tokens.mask.bool())
        made = language_model(pipeline, pipeline.text_encoder, tokens)
        return replace(made, layers=tuple(state[:, tokens.mask[0]] for state in made.layers), mask=None)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """A list, since prompts keep their own lengths."""
        states = read("qwen").layers
        return {"prompt_embeds": [states[at("qwen", layer, len(states) - 2)][0]]}

    def joined(self, rows: Sequence[Row]) -> Row:
        """One list."""
        return {"prompt_embeds": [state for row in rows for state in row["prompt_embeds"]]}
