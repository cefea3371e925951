"""Three perceptual 64-bit hashes of a picture from one reduced decoding, as `imagehash` defines them.

JPEGs are decoded at the smallest scale that still has `SIDE` pixels, which is what makes this quick. Against a
full decoding a few bits can differ: over the test photographs at most 3 of 64 in any hash, mostly none.
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from trope.errors import PictureError

SIDE = 128  # pixels a reduced decoding keeps at least: four for every cell of the largest grid
MAX_PIXELS = 64_000_000
MAX_BYTES = 200_000_000
_WEIGHTS = 1 << np.arange(63, -1, -1, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Hashes:
    """SHA-256 of the file, its bytes, its size in pixels, and three hashes as 64-bit integers, first cell highest."""

    sha256: str
    bytes: int
    width: int
    height: int
    phash: int
    dhash: int
    ahash: int


def picture_hashes(path: Path) -> Hashes:
    """Hash a picture file.

    Raises
    ------
    PictureError : no picture, damaged, over 64 million pixels or 200 MB; names the file.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device would be read without end
            raise PictureError(f"{path.name}: no file")
        if found.st_size > MAX_BYTES:
            raise PictureError(f"{path.name}: {found.st_size} bytes are over {MAX_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path.name}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a name that no file can have: a zero, half a surrogate
        raise PictureError(f"{path.name!r}: cannot be read: {error}") from None
    gray, size = open_gray(data, path.name, SIDE)
    return Hashes(hashlib.sha256(data).hexdigest(), len(data), *size, *hash_gray(gray))


def open_gray(data: bytes, name: str, side: int) -> tuple[Image.Image, tuple[int, int]]:
    """A picture in gray (mode L) of at least ``side`` pixels where it has them, and its full size.

    Turned as its EXIF says, as every viewer shows it. Alpha lies over white, so that transparent margins do not
    depend on what hides under them.
    """
    import io
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data))
            size = image.size
            if size[0] * size[1] > MAX_PIXELS:
                raise PictureError(f"{name}: {size[0]} x {size[1]} is over {MAX_PIXELS // 1_000_000} million pixels")
            image.draft("L", (side, side))
            if "exif" in image.info:
                turned = ImageOps.exif_transpose(image)
                size = size if turned.size == image.size else size[::-1]
                image = turned  # type: ignore[assignment]
            if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
                rgba = image.convert("RGBA")
                image = Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba)  # type: ignore[assignment]
            return image.convert("L"), size
    except PictureError:
        raise
    except Exception as error:  # decoders raise anything
        raise PictureError(f"{name}: no picture, or damaged: {error or type(error).__name__}") from None


def hash_gray(gray: Image.Image) -> tuple[int, int, int]:
    """pHash, dHash and aHash of a picture in mode L.

    pHash: the 8 x 8 lowest frequencies of a 32 x 32 discrete cosine transform, above their median. dHash: 9 x 8
    cells, each brighter than the one before. aHash: 8 x 8 cells, above their mean.
    """
    grid = np.asarray(gray.resize((32, 32), Image.Resampling.LANCZOS), np.float64)
    low = _cosines() @ grid @ _cosines().T
    rows = np.asarray(gray.resize((9, 8), Image.Resampling.LANCZOS), np.int16)
    cells = np.asarray(gray.resize((8, 8), Image.Resampling.LANCZOS), np.float64)
    return _packed(low > np.median(low)), _packed(rows[:, 1:] > rows[:, :-1]), _packed(cells > cells.mean())


@cache
def _cosines() -> npt.NDArray[np.float64]:
    """The first eight rows of the type-2 discrete cosine transform of 32 values, unscaled."""
    frequency, place = np.arange(8)[:, None], np.arange(32)[None, :]
    return np.asarray(2 * np.cos(np.pi * frequency * (2 * place + 1) / 64))


def _packed(bits: npt.NDArray[np.bool_]) -> int:
    return int(_WEIGHTS[bits.ravel()].sum())
