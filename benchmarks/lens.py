"""The lens against a naive loop: one pass of the text encoder and one batch, or a pass and a call for every layer.

A tiny Stable Diffusion with random weights and 12 layers, four prompts, the layers 1 to 12, four steps of 64 x 64.
Both make the same pictures; the loop is what one writes by hand, ``pipeline(prompt_embeds=...)`` in a loop.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import measured, usage, verdict

LAYERS, STEPS, SIZE, LIMIT = 12, 4, 64, 0.6
PROMPTS = (
    "The cloud over the hill curls like a cat", "a photo of a cat sitting on a red mat",
    "two dogs playing in the green park at night", "three apples on a wooden table",
)  # fmt: skip


def naive(generator: Any, prompt: str) -> list[Any]:
    """For every layer: read the prompt, cut, paint one picture."""
    import torch

    pipeline = generator.painter().pipeline
    made = []
    for layer in range(1, LAYERS + 1):
        tokens = pipeline.tokenizer(
            prompt, padding="max_length", max_length=77, truncation=True, return_tensors="pt"
        ).input_ids
        with torch.no_grad():
            states = pipeline.text_encoder(tokens, output_hidden_states=True).hidden_states
            embeds = pipeline.text_encoder.final_layer_norm(states[layer])
        made.append(pipeline(
            prompt_embeds=embeds, num_inference_steps=STEPS, height=SIZE, width=SIZE, guidance_scale=4.5,
            generator=torch.Generator().manual_seed(42), output_type="pt",
        ).images[0])  # fmt: skip
    return made


def ours(generator: Any, prompt: str) -> list[Any]:
    """As a strategy of the lens has it made."""
    from trope.generators.diffusers.painter import Wish
    from trope.requests import Layer

    wishes = [Wish(prompt, 42, layer=Layer("clip", layer)) for layer in range(1, LAYERS + 1)]
    return [one.pixels.permute(2, 0, 1) for one in generator.painter().make(wishes)]


def compare(folder: str) -> None:
    """Both ways in turn, prompt by prompt; the smaller time of three rounds each."""
    import torch

    from trope.generators import GENERATORS

    torch.set_num_threads(1)
    subject = f"diffusers:{folder}?steps={STEPS}&size={SIZE}&guidance=4.5&device=cpu"
    generator = GENERATORS.create(subject)
    for warm in (naive, ours):
        warm(generator, "a photo of a dog")
    seconds: dict[str, list[float]] = {"naive": [], "ours": []}
    apart = 0.0
    for _ in range(3):
        generator = GENERATORS.create(subject)  # nothing read yet
        generator.painter()
        made: dict[str, list[Any]] = {}
        for way in (naive, ours):
            start = time.perf_counter()
            made[way.__name__] = [picture for prompt in PROMPTS for picture in way(generator, prompt)]
            seconds[way.__name__].append(time.perf_counter() - start)
        pairs = zip(made["naive"], made["ours"], strict=True)
        apart = max(apart, *(float((a - b).abs().max()) for a, b in pairs))
    best = {way: min(took) for way, took in seconds.items()}
    print(json.dumps(best | {"apart": apart, "mb": usage()["mb"]}))


def main() -> None:
    from trope.testing.tiny_pipelines import tiny_pipeline

    with tempfile.TemporaryDirectory() as root:
        folder = tiny_pipeline("sd", Path(root) / "sd", layers=LAYERS)
        result = measured(__file__, "compare", str(folder))
    count = LAYERS * len(PROMPTS)
    print(f"{count} pictures: loop {result['naive']:.2f} s, lens {result['ours']:.2f} s, {result['mb']:.0f} MB")
    same = verdict("largest difference of a pixel (0..1)", result["apart"], 1e-4)
    fast = verdict("lens / naive loop, wall time", result["ours"] / result["naive"], LIMIT)
    sys.exit(not (same and fast))


if __name__ == "__main__":
    compare(sys.argv[2]) if len(sys.argv) > 1 else main()
