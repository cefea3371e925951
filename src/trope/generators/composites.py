"""Composites that `collage` makes on purpose: two things fused, one in the place of the other, or side by side.

``fusion: book + refrigerator``         one object: the outline and one half of the first, the other half of the second
``juxtaposition: bicycle + horse``      both whole, apart, on one line, equally large
``replacement: banana instead of skateboard``   the first where the second would be: of that one there is only its
                                        shadow on the ground, which tells what is missing

Which is which is known, so a judge's answer about the strategy can be compared with the truth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from trope.records import Detection

Pixels = Callable[[str], Image.Image]  # a class to an RGBA cut-out of it
_BETWEEN = {"fusion": r"\s*\+\s*", "juxtaposition": r"\s*\+\s*", "replacement": r"\s+instead of\s+"}
_SEAM = 0.06  # width of the soft seam of a fusion, as a share of the object's
_SHADOW = (24, 26, 30)


@dataclass(frozen=True, slots=True)
class Composite:
    """What is asked for: a structure and two classes; of a replacement, ``second`` is the absent one."""

    structure: str
    first: str
    second: str

    @property
    def visible(self) -> tuple[str, ...]:
        """What is drawn as itself."""
        return (self.first,) if self.structure == "replacement" else (self.first, self.second)

    def as_value(self) -> dict[str, str | None]:
        """As it is stored with the output."""
        absent = self.second if self.structure == "replacement" else None
        return {"structure": self.structure, "first": self.first, "second": self.second, "absent": absent}


def parse_composite(text: str) -> Composite | None:
    """A request for a composite, or None for any other text."""
    for structure, between in _BETWEEN.items():
        found = re.fullmatch(rf"\s*{structure}:\s*(\S.*?){between}(\S.*?)\s*", text, re.DOTALL)
        if found:
            return Composite(structure, found[1], found[2])
    return None


def draw(asked: Composite, canvas: Image.Image, pixels: Pixels) -> list[Detection]:
    """Draw a composite on a scene; returns the boxes of what is visible."""
    first, second = pixels(asked.first), pixels(asked.second)
    if asked.structure == "fusion":
        box = _placed(canvas, _fused(first, second, round(canvas.width * 0.55)), 0.5)
        return [Detection(asked.first, 1.0, box), Detection(asked.second, 1.0, box)]
    if asked.structure == "juxtaposition":
        side = round(canvas.width * 0.42)
        boxes = [_placed(canvas, _fitted(one, side), x) for one, x in ((first, 0.26), (second, 0.74))]
        return [Detection(name, 1.0, box) for name, box in zip((asked.first, asked.second), boxes, strict=True)]
    _shadow(canvas, _fitted(second, round(canvas.width * 0.6)))
    return [Detection(asked.first, 1.0, _placed(canvas, _fitted(first, round(canvas.width * 0.45)), 0.5))]


def _fitted(cutout: Image.Image, side: int) -> Image.Image:
    scale = side / max(cutout.size)
    return cutout.resize((max(1, round(cutout.width * scale)), max(1, round(cutout.height * scale))))


def _placed(canvas: Image.Image, cutout: Image.Image, center: float) -> tuple[float, float, float, float]:
    """Paste with the middle at ``center`` of the width and the lower edge on one line; the box as fractions."""
    size = canvas.width
    x = round(min(max(0.0, center * size - cutout.width / 2), size - cutout.width))
    y = max(0, round(size * 0.82) - cutout.height)
    canvas.paste(cutout, (x, y), cutout)
    return x / size, y / size, (x + cutout.width) / size, (y + cutout.height) / size


def _fused(first: Image.Image, second: Image.Image, side: int) -> Image.Image:
    """Left the first, right the second, within both outlines brought to one size, with a soft seam between."""
    base = _fitted(first, side)
    other = second.resize(base.size)
    ramp = np.linspace(0, 1, base.width)[None, :].repeat(base.height, axis=0)
    right = np.clip((ramp - 0.5) / _SEAM + 0.5, 0, 1)
    mask = Image.fromarray((255 * right).round().astype(np.uint8))
    return Image.composite(other, base, mask)


def _shadow(canvas: Image.Image, absent: Image.Image) -> None:
    """The shadow of what is not there, lying on the ground and leaning to the right."""
    width, height = absent.width, max(8, min(round(absent.height * 0.35), round(canvas.width * 0.17)))
    flat = absent.getchannel("A").resize((width, height))
    outline = flat.transpose(
        Image.Transpose.FLIP_TOP_BOTTOM
    )  # light from behind: its feet are the nearest to the object
    lean = round(height * 0.7)
    wide = Image.new("L", (width + lean, height))
    wide.paste(outline, (0, 0))
    leaned = wide.transform(wide.size, Image.Transform.AFFINE, (1, -lean / height, 0, 0, 1, 0))
    soft = leaned.filter(ImageFilter.GaussianBlur(max(1, canvas.width // 200)))
    faint = ImageChops.multiply(soft, Image.new("L", soft.size, 150))
    x = (canvas.width - width) // 2
    canvas.paste(Image.new("RGB", soft.size, _SHADOW), (x, round(canvas.width * 0.8)), faint)
