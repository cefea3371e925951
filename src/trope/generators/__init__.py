"""Generators: text-to-image subjects. What they make is one picture a request, or a status."""

from trope.generators.base import Branch, Generator
from trope.records import Result
from trope.registry import Registry

GENERATORS: Registry[Generator] = Registry(
    "generator",
    {
        "collage": "trope.generators.collage:Collage",
        "diffusers": "trope.generators.diffusers.generator:Diffusers",
        "folder": "trope.generators.folder:Folder",
        "openai-images": "trope.generators.openai_images:OpenAIImages",
    },
    group="trope.generators",
)

__all__ = ["GENERATORS", "Branch", "Generator", "Result"]
