"""How a picture is made: the settings of a call, from options, a preset and the family's own defaults."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from trope.errors import UnknownName, UsageError

DTYPES = ("float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything besides weights, text and seed that can change a picture. None: as the pipeline has it.

    Attributes
    ----------
    width, height : in pixels.
    steps : of denoising.
    guidance : as the family names it first: classifier-free, or what a distilled model is told.
    true_guidance : classifier-free guidance of a family that is distilled as well; 1 is none.
    max_tokens : how far the longest text encoder reads.
    text_layers : the layers that are read together, of a family that reads several.
    dtype : of the weights and of all that is computed.
    """

    width: int | None
    height: int | None
    steps: int | None
    guidance: float | None
    true_guidance: float | None
    max_tokens: int | None
    text_layers: tuple[int, ...] | None
    dtype: str

    def as_json(self) -> dict[str, Any]:
        """Without what the family does not have."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Published settings, by name."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))
    return tables


def published(name: str | None) -> dict[str, Any]:
    """One preset; nothing for no name. Raises `UnknownName`."""
    if name is None:
        return {}
    if name not in presets():
        raise UnknownName("preset", name, presets())
    return presets()[name]


def size_of(text: str, multiple: int) -> tuple[int, int]:
    """Width and height of ``768`` or ``1024x768``; both must be multiples of what the family can make."""
    parts = text.lower().split("x")
    numbers = [int(part) for part in parts if part.isdecimal() and part.isascii()]
    if len(numbers) != len(parts) or len(parts) > 2:
        raise UsageError(f"size={text!r}. Expected: pixels, e.g. 768 or 1024x768")
    width, height = numbers[0], numbers[-1]
    for side in (width, height):
        if not multiple <= side <= 4096 or side % multiple:
            raise UsageError(f"size={text!r}. Expected: multiples of {multiple} pixels, up to 4096")
    return width, height


def layers_of(text: str) -> tuple[int, ...]:
    """``10-20-30`` as numbers."""
    parts = text.split("-")
    if not all(part.isdecimal() and part.isascii() for part in parts):
        raise UsageError(f"text_layers={text!r}. Expected: numbers of layers, e.g. 10-20-30")
    return tuple(int(part) for part in parts)
