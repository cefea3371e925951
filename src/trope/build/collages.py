"""Pictures of a demonstration set, composed from the cut-outs that ship.

``python -m trope.build.collages RECIPES FOLDER``. A recipe is a list of parts, each ``[file, x, y, side]``: a cut-out,
its top left corner and its longer side as shares of the picture. Such pictures are plainly made up; they stand for no
real advertisement.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from trope.data import ROOT
from trope.errors import UsageError

SIDE: Final = 256
_SKY: Final = ((222, 230, 238), (238, 230, 216), (226, 236, 224), (236, 226, 232))
Part = tuple[str, float, float, float]


def compose(parts: Sequence[Part], seed: str = "") -> Image.Image:
    """One picture of ``SIDE`` pixels: a plain ground (chosen by ``seed``), the parts on it in order."""
    known = {path.stem: path for path in (ROOT / "cutouts").glob("*.png")}
    tint = np.array(_SKY[hashlib.sha256(seed.encode()).digest()[0] % len(_SKY)])
    shade = np.linspace(1.0, 0.86, SIDE)[:, None, None]
    canvas = Image.fromarray(np.repeat(tint * shade, SIDE, axis=1).round().astype(np.uint8))
    for name, x, y, side in parts:
        if name not in known:
            raise UsageError(f"no cut-out {name!r}. Known: {', '.join(sorted(known))}")
        with Image.open(known[name]) as opened:
            pixels = opened.convert("RGBA")
        pixels = pixels.crop(pixels.getchannel("A").getbbox())
        scale = side * SIDE / max(pixels.size)
        small = pixels.resize((max(1, round(pixels.width * scale)), max(1, round(pixels.height * scale))))
        canvas.paste(small, (round(x * SIDE), round(y * SIDE)), small)
    return canvas


def main(argv: Sequence[str] | None = None) -> None:
    """Compose every recipe of a file into a folder."""
    parser = argparse.ArgumentParser(description="Compose pictures from cut-outs.")
    parser.add_argument("recipes", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(argv)
    for name, parts in json.loads(given.recipes.read_text("utf-8")).items():
        compose([tuple(part) for part in parts], name).save(given.folder / f"{name}.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    main()
