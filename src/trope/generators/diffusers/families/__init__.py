"""Families of pipelines, by the name of the pipeline's class. One file each; a new one is one line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from trope.generators.diffusers.families.base import Family

FAMILIES = {
    "StableDiffusionPipeline": "stable_diffusion:StableDiffusion",
    "PixArtAlphaPipeline": "pixart:PixArt",
    "PixArtSigmaPipeline": "pixart:PixArt",
    "FluxPipeline": "flux:Flux",
    "StableDiffusion3Pipeline": "stable_diffusion_3:StableDiffusion3",
    "QwenImagePipeline": "qwen_image:QwenImage",
    "ZImagePipeline": "z_image:ZImage",
    "Flux2Pipeline": "flux2:Flux2",
}


@cache
def family_of(pipeline: str) -> Family:
    """The family of a pipeline class; one that only hands on the prompt for a class nobody described."""
    module, _, name = FAMILIES.get(pipeline, "plain:Plain").partition(":")
    made: Family = getattr(import_module(f"{__name__}.{module}"), name)()
    return made
