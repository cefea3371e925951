"""FLUX.2: a multimodal language model, read at three of its layers at once, raw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from trope.errors import UsageError
from trope.generators.base import Branch
from trope.generators.diffusers.encoding import Encoding, Tokens, language_model, lost_of
from trope.generators.diffusers.families.base import Family, Reader, Row
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings


class Flux2(Family):
    """Branch `mistral`. Normally layers 10, 20 and 30 are read side by side; a request for a layer reads it thrice.

    So no single layer gives the normal picture; searches start below the highest of the three.
    """

    readers: ClassVar = {"mistral": Reader("text_encoder", "tokenizer")}
    steps, guidance, max_tokens = 50, 4.0, 512
    text_layers = (10, 20, 30)
    negative = None

    def guided(self, settings: Settings) -> bool:
        """Guidance is told to the distilled model."""
        return False

    def check(self, files: PipelineFiles, settings: Settings) -> None:
        """The layers must be there."""
        super().check(files, settings)
        layers, there = settings.text_layers or (), files.layers("text_encoder")
        if not layers or not all(0 <= layer <= there for layer in layers):
            raise UsageError(
                f"this text encoder has {there} layers, and {', '.join(map(str, layers))} are to be read."
                " Expected: text_layers=A-B-C with layers it has"
            )

    def branches(self, files: PipelineFiles, settings: Settings) -> dict[str, Branch]:
        """No single layer is the normal one."""
        return {"mistral": Branch(files.layers("text_encoder"), max(settings.text_layers or (0,)), exact=False)}

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """The prompt below the pipeline's system message, filled up to ``max_tokens``."""
        from diffusers.pipelines.flux2.pipeline_flux2 import format_input

        limit = settings.max_tokens or 512
        chat = format_input(prompts=[text], system_message=pipeline.system_message)
        common = {"add_generation_prompt": False, "tokenize": True, "return_dict": True}
        made = pipeline.tokenizer.apply_chat_template(
            chat, **common, return_tensors="pt", padding="max_length", truncation=True, max_length=limit
        )
        whole = pipeline.tokenizer.apply_chat_template(chat, **common)["input_ids"][0]
        read = made["input_ids"][0][made["attention_mask"][0].bool()].tolist()
        lost = lost_of(getattr(pipeline.tokenizer, "tokenizer", pipeline.tokenizer), whole, read)
        tokens = Tokens(made["input_ids"], made["attention_mask"], len(whole), limit, lost)
        return language_model(pipeline, pipeline.text_encoder, tokens)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """Its layers side by side."""
        import torch

        states = read("mistral").layers
        chosen = settings.text_layers or ()
        indices = chosen if layer is None else (layer.index,) * len(chosen)
        return {"prompt_embeds": torch.cat([states[index] for index in indices], dim=-1)}
