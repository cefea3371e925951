"""`collage`: the literal-minded generator. It pastes a cut-out of every noun it knows, and knows what it drew.

It stands for no image model. Its answers are known, so it checks the instruments: what a detector or judge
says of its pictures can be compared with the truth. Texts like ``fusion: book + refrigerator`` make composites.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from trope.data import ROOT
from trope.data.coco import mentions
from trope.errors import UsageError
from trope.generators.base import Generator
from trope.generators.composites import Composite, draw, parse_composite
from trope.records import Detection, Result, best_first, digest

_FOLDER = ROOT / "cutouts"
# (top color, bottom color, share of the height where the ground begins)
_SCENES = (
    ((132, 178, 222), (214, 230, 240), 1.0),  # sky
    ((176, 208, 232), (96, 142, 74), 0.55),  # grass
    ((228, 220, 204), (176, 150, 120), 0.70),  # indoor wall
    ((168, 172, 178), (112, 114, 118), 0.60),  # street
    ((188, 214, 236), (150, 170, 92), 0.50),  # meadow
    ((204, 212, 206), (156, 132, 112), 0.65),  # room
)
_MOST = 4  # objects a picture


@dataclass(frozen=True, slots=True)
class Cutout:
    """One picture of an object; ``also`` is a class it holds besides its own."""

    file: str
    name: str
    also: str | None


@cache
def cutouts() -> dict[str, tuple[Cutout, ...]]:
    """Cut-outs by class: 108 pictures of 68 of the 80 COCO classes."""
    found: dict[str, list[Cutout]] = {}
    with (_FOLDER / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cutout = Cutout(row["file"], row["coco_class"], row["also"] or None)
            found.setdefault(cutout.name, []).append(cutout)
    return {name: tuple(of) for name, of in found.items()}


@cache
def _pixels(file: str) -> Image.Image:
    with Image.open(_FOLDER / file) as image:
        rgba = image.convert("RGBA")
    return rgba.crop(rgba.getchannel("A").getbbox())


@cache
def _data_hash() -> str:
    whole = hashlib.sha256()
    for path in sorted(_FOLDER.glob("*.png")):
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()


class Collage(Generator):
    """Pastes every known noun of an English text on a plain scene.

    Parameters
    ----------
    size : side of the square picture, in pixels.
    """

    batch = 8
    composes = True  # it can be asked for composites, and knows what it made of them

    def __init__(self, size: int = 768) -> None:
        if not 128 <= size <= 2048:
            raise UsageError(f"collage: size={size}. Expected: 128 to 2048 pixels")
        self._size = size

    def identity(self) -> Mapping[str, Any]:
        """Its version, its cut-outs by their hash, the size."""
        return {"generator": "collage", "version": 3, "cutouts": _data_hash(), "size": self._size}

    def draw(self, text: str, seed: int) -> Result:
        """A picture of the first four known nouns of ``text``, and the truth about it."""
        rng = np.random.default_rng(int(digest([text, seed])[:16], 16))
        if asked := parse_composite(text):
            return self._composite(asked, rng)
        names = list(dict.fromkeys(name for _, _, name in mentions(text)))
        drawn = [name for name in names if name in cutouts()][:_MOST]
        canvas = _scene(self._size, rng)
        truth: list[Detection] = []
        for name, (x, y, side) in zip(drawn, _places(len(drawn), self._size, rng), strict=True):
            cutout = cutouts()[name][rng.integers(len(cutouts()[name]))]
            truth.extend(_paste(canvas, cutout, x, y, side))
        left_out = [name for name in names if name not in drawn]
        return Result(
            image=canvas,
            value={"truth": best_first(truth), "cannot_draw": left_out},
            provenance={"generator": "collage", "drawn": drawn, "left_out": left_out},
        )

    def _composite(self, asked: Composite, rng: np.random.Generator) -> Result:
        unknown = [name for name in (asked.first, asked.second) if name not in cutouts()]
        if unknown:
            return Result(status="not_applicable", reason=f"collage has no cut-out of {unknown[0]!r}")
        canvas = _scene(self._size, rng)
        also: dict[str, str | None] = {}

        def pixels(name: str) -> Image.Image:
            cutout = cutouts()[name][rng.integers(len(cutouts()[name]))]
            also[name] = cutout.also
            return _pixels(cutout.file)

        truth = draw(asked, canvas, pixels)
        truth += [Detection(more, 1.0, found.box) for found in truth if (more := also[found.label])]
        return Result(
            image=canvas,
            value={"truth": best_first(truth), "cannot_draw": [], "composite": asked.as_value()},
            provenance={"generator": "collage", "drawn": list(asked.visible), "composite": asked.as_value()},
        )


def _scene(size: int, rng: np.random.Generator) -> Image.Image:
    top, bottom, horizon = _SCENES[rng.integers(len(_SCENES))]
    rows = np.linspace(0, 1, size)[:, None]
    sky = np.asarray(top) * (1 - 0.12 * rows)
    ground = np.asarray(bottom) * (0.9 + 0.1 * rows)
    colors = np.where(rows < horizon, sky, ground) if horizon < 1 else sky * (1 - rows) + np.asarray(bottom) * rows
    return Image.fromarray(np.repeat(colors[:, None, :], size, axis=1).round().astype(np.uint8))


def _places(count: int, size: int, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """Top left corner and longest side for each object; they do not overlap."""
    if count == 0:
        return []
    columns = 1 if count == 1 else 2
    rows = (count + columns - 1) // columns
    cell = size // columns
    side = round(size * (0.547 if count == 1 else 0.44))  # alone: 420 of 768, as the cut-outs were chosen
    places = []
    for n in range(count):
        room_x = max(0, cell - side)
        room_y = max(0, size // rows - side)
        x = (n % columns) * cell + int(rng.integers(room_x + 1))
        y = (n // columns) * (size // rows) + int(rng.integers(room_y + 1))
        places.append((x, y, side))
    return places


def _paste(canvas: Image.Image, cutout: Cutout, x: int, y: int, side: int) -> list[Detection]:
    pixels = _pixels(cutout.file)
    scale = side / max(pixels.size)
    small = pixels.resize((max(1, round(pixels.width * scale)), max(1, round(pixels.height * scale))))
    canvas.paste(small, (x, y), small)
    size = canvas.width
    box = (x / size, y / size, min(1.0, (x + small.width) / size), min(1.0, (y + small.height) / size))
    return [Detection(name, 1.0, box) for name in (cutout.name, cutout.also) if name]
