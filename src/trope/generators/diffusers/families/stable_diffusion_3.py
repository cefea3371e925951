"""Stable Diffusion 3 and 3.5: two CLIPs side by side, then T5, in one sequence; and two pooled vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from trope.generators.base import Branch
from trope.generators.diffusers.encoding import Encoding, Tokens, clip, t5, tokenize
from trope.generators.diffusers.families.base import Family, Reader, Row, at
from trope.requests import Layer

if TYPE_CHECKING:
    from trope.generators.diffusers.files import PipelineFiles
    from trope.generators.diffusers.settings import Settings


class StableDiffusion3(Family):
    """Branches `t5` (read at its last layer), `clip-l` and `clip-g` (at the last but one, raw).

    Beside them `pooled-l` and `pooled-g`: only the pooled vector of that CLIP is cut. The pooled vector is
    normally taken from the last layer, so that with ``pooled`` `layer` it is taken one layer above the sequence.
    """

    readers: ClassVar = {
        "t5": Reader("text_encoder_3", "tokenizer_3"),
        "clip-l": Reader("text_encoder", "tokenizer"),
        "clip-g": Reader("text_encoder_2", "tokenizer_2"),
    }
    optional = frozenset({"text_encoder_3", "tokenizer_3"})
    steps, guidance, max_tokens = 28, 7.0, 256

    def branches(self, files: PipelineFiles, settings: Settings) -> dict[str, Branch]:
        """What there is of the three encoders: T5 may be left out; and the pooled vectors."""
        found = super().branches(files, settings)
        for name in ("clip-l", "clip-g"):
            layers = found[name].layers
            found[name] = Branch(layers, layers - 1, pooled=True)
            found["pooled" + name[-2:]] = Branch(layers, layers, aside=True)
        return found

    def encode(self, pipeline: Any, branch: str, text: str, settings: Settings) -> Encoding:
        """T5 over at most ``max_tokens``; a CLIP over 77."""
        reader = self.readers[branch]
        tokenizer, encoder = getattr(pipeline, reader.tokenizer), getattr(pipeline, reader.encoder)
        if branch != "t5":
            tokens = tokenize(tokenizer, text, pipeline.tokenizer_max_length)
            return clip(pipeline, encoder, tokens, sequence="raw", pooled=True, masked=False)
        limit = settings.max_tokens or 256
        if encoder is None:
            return _without_t5(pipeline, limit)
        return t5(pipeline, encoder, tokenize(tokenizer, text, limit), masked=False)

    def row(self, read: Callable[[str], Encoding], layer: Layer | None, settings: Settings) -> Row:
        """Both CLIPs beside each other, filled up to the width of T5, then T5; both pooled vectors."""
        import torch

        states = read("t5").layers
        words = states[at("t5", layer, len(states) - 1)]
        beside, vectors = [], []
        for side in "lg":
            encoding = read(f"clip-{side}")
            last = len(encoding.pooled) - 1
            index, pooled = at(f"clip-{side}", layer, last - 1), at(f"pooled-{side}", layer, last)
            if layer is not None and layer.branch == f"clip-{side}" and layer.pooled == "layer":
                pooled = min(layer.index + 1, last)
            beside.append(encoding.layers[index])
            vectors.append(encoding.pooled[pooled])
        clips = torch.cat(beside, dim=-1)
        clips = torch.nn.functional.pad(clips, (0, words.shape[-1] - clips.shape[-1]))
        return {
            "prompt_embeds": torch.cat([clips, words], dim=-2),
            "pooled_prompt_embeds": torch.cat(vectors, dim=-1),
        }

    def call(self, pipeline: Any, settings: Settings) -> dict[str, Any]:
        """With the length of T5's part."""
        return {"guidance_scale": settings.guidance, "max_sequence_length": settings.max_tokens}


def _without_t5(pipeline: Any, limit: int) -> Encoding:
    """What the pipeline puts in the place of a T5 that was left out."""
    import torch

    width = pipeline.transformer.config.joint_attention_dim
    nothing = Tokens(None, None, 0, limit, "")
    zeros = torch.zeros(1, limit, width, dtype=pipeline.text_encoder.dtype)
    return Encoding((zeros,), (), None, nothing.count, nothing.limit, nothing.lost)
