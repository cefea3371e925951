"""Pictures by their content: one canonical form, which is what instruments receive.

Canonical: first frame, orientation applied, ICC profile converted to sRGB, alpha laid over white, 8-bit
RGB. Its SHA-256 is the picture's name, so that a lossless re-encoding or a renamed file is the same
picture. Metadata (which may hold the prompt) never reaches an instrument.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import struct
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from trope.errors import PictureError
from trope.store.files import sweep, write_durably

MAX_PIXELS = 64_000_000  # 192 MB as RGB; far above any generator, far below trouble
MAX_BYTES = 256_000_000
THUMBNAIL_SIDE = 256
BLANK_RANGE = 2  # every channel's range, of 255

_LARGE = 8_000_000  # pixels; above it, pictures are decoded one at a time
_opening = threading.Lock()  # warnings filters are process-wide
_large = threading.Lock()
_BY_ORIENTATION = 274


@dataclass(frozen=True, slots=True)
class CanonicalPicture:
    """A picture as instruments receive it.

    ``sha`` names it; ``image`` is RGB; ``encoded`` decodes to exactly ``image`` and carries no metadata;
    ``suffix`` is ``.jpg`` or ``.png``.
    """

    sha: str
    image: Image.Image
    encoded: bytes
    suffix: str

    @property
    def blank(self) -> bool:
        """Whether every channel's range is at most 2 of 255: a black or empty picture."""
        extrema = cast("tuple[tuple[int, int], ...]", self.image.getextrema())
        return all(high - low <= BLANK_RANGE for low, high in extrema)


def canonical_picture(source: bytes | Path | Image.Image, *, name: str = "picture") -> CanonicalPicture:
    """Read a picture into its canonical form.

    Raises
    ------
    PictureError : not a picture, truncated, over `MAX_PIXELS` or `MAX_BYTES`, or of a kind with no defined
        8-bit meaning; names the picture and the reason.
    """
    if isinstance(source, Image.Image):
        return _finish(_to_rgb(source, name), None)
    if isinstance(source, Path):
        name = source.name
        try:
            if source.stat().st_size > MAX_BYTES:
                raise PictureError(f"{name}: larger than {MAX_BYTES // 1_000_000} MB; refused unread")
            source = source.read_bytes()
        except OSError as error:
            raise PictureError(f"{name}: cannot be read: {error.strerror or error}") from None
    if len(source) > MAX_BYTES:
        raise PictureError(f"{name}: larger than {MAX_BYTES // 1_000_000} MB; refused unread")
    with _reading(name):
        opened = _open(source, name)
        with _large if opened.width * opened.height > _LARGE else contextlib.nullcontext():
            keep = _is_plain_jpeg(opened)
            image = _to_rgb(opened, name)
            return _finish(image, _strip_jpeg(source) if keep else None)


def _open(data: bytes, name: str) -> Image.Image:
    with _opening, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = Image.open(io.BytesIO(data))
    width, height = opened.size
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"{name}: {width} x {height} is over {MAX_PIXELS // 1_000_000} million pixels; refused unread"
        )
    return opened


@contextlib.contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(f"{name}: not a picture in any known format, or damaged") from None
    except Image.DecompressionBombError:
        raise PictureError(f"{name}: declares far more pixels than it can hold; refused unread") from None
    except Exception as error:  # decoders raise anything: OSError, SyntaxError, struct.error, ValueError ...
        raise PictureError(f"{name}: damaged: {error or type(error).__name__}") from None


def _to_rgb(image: Image.Image, name: str) -> Image.Image:
    with _reading(name):
        image.load()  # the first frame: nothing seeks further
    if image.width == 0 or image.height == 0:
        raise PictureError(f"{name}: has no pixels")
    image = _upright(image)
    if image.mode.startswith("I;16") or image.mode == "I":
        image = _from_16_bit(image, name)
    if image.mode in ("F", "LAB", "HSV"):
        raise PictureError(f"{name}: pixels of mode {image.mode!r} have no defined 8-bit meaning")
    if image.mode in ("P", "PA", "1") or "transparency" in image.info:
        profile = image.info.get("icc_profile")
        image = image.convert("RGBA")
        image.info["icc_profile"] = profile
    alpha = image.getchannel("A") if image.mode in ("RGBA", "LA", "RGBa", "La") else None
    color = _to_srgb(
        image.convert({"RGBA": "RGB", "RGBa": "RGB", "LA": "L", "La": "L"}.get(image.mode, image.mode)),
        image.info.get("icc_profile"),
    )
    if alpha is None:
        return color
    white = Image.new("RGB", color.size, "white")
    white.paste(color, mask=alpha)
    return white


def _upright(image: Image.Image) -> Image.Image:
    try:
        with _opening, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # corrupt EXIF warns; it then says nothing about orientation
            turned = ImageOps.exif_transpose(image)
    except Exception:  # EXIF that cannot be parsed states no orientation
        return image
    turned.info.update({k: v for k, v in image.info.items() if k not in ("exif", "xmp")})
    return turned


def _from_16_bit(image: Image.Image, name: str) -> Image.Image:
    import numpy as np

    values = np.asarray(image).astype(np.int64)
    if values.min() < 0 or values.max() > 65535:
        raise PictureError(f"{name}: 32-bit pixels outside 0..65535 have no defined 8-bit meaning")
    return Image.fromarray(((values + 128) // 257).astype(np.uint8))


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    if profile:
        with contextlib.suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if not _is_srgb(source):
                converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
                if converted is not None:
                    return converted
    return image.convert("RGB")


def _is_srgb(profile: ImageCms.ImageCmsProfile) -> bool:
    return "srgb" in ImageCms.getProfileDescription(profile).lower()


def _is_plain_jpeg(image: Image.Image) -> bool:
    if image.format != "JPEG" or image.mode not in ("RGB", "L"):
        return False
    profile = image.info.get("icc_profile")
    if profile:
        try:
            if not _is_srgb(ImageCms.ImageCmsProfile(io.BytesIO(profile))):
                return False
        except (ImageCms.PyCMSError, OSError):
            return False
    try:
        with _opening, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return bool(image.getexif().get(_BY_ORIENTATION, 1) == 1)
    except Exception:  # unreadable EXIF: encode anew rather than reason about it
        return False


def _strip_jpeg(data: bytes) -> bytes | None:
    """The same JPEG without comments, application segments (EXIF, XMP, profiles) or anything after its end.

    None if it is odd in any way: it is then encoded anew.
    """
    kept, at = [data[:2]], 2
    while at + 2 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xD9:  # end of image
            kept.append(data[at : at + 2])
            return b"".join(kept)
        if at + 4 > len(data):
            return None
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        end = at + 2 + length
        if marker == 0xDA:  # start of scan: coded data up to the next real marker
            end = _end_of_scan(data, end)
        if marker == 0xEE and not (length == 14 and data[at + 4 : at + 9] == b"Adobe"):
            return None
        if marker == 0xE0 and not (length == 16 and data[at + 4 : at + 9] == b"JFIF\0"):
            marker = 0xE1  # an extension, which may hold anything
        if not (0xE1 <= marker <= 0xED or marker in (0xEF, 0xFE)):
            kept.append(data[at:end])
        at = end
    return None


def _end_of_scan(data: bytes, at: int) -> int:
    """Where coded data ends: at an 0xFF that is neither stuffed (00) nor a restart marker (D0..D7)."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return len(data)
        if data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7:
            return at
        at += 2


def _finish(image: Image.Image, encoded: bytes | None) -> CanonicalPicture:
    image.info = {}  # nothing of it may reach an encoded file
    head = f"RGB8 {image.width}x{image.height}\n".encode()
    sha = hashlib.sha256(head + image.tobytes()).hexdigest()
    if encoded is not None:
        return CanonicalPicture(sha, image, encoded, ".jpg")
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=3)
    return CanonicalPicture(sha, image, buffer.getvalue(), ".png")


class PictureFolder:
    """Content-addressed files: ``images/ab/SHA.png`` and ``thumbs/ab/SHA.jpg``, never rewritten."""

    def __init__(self, root: Path) -> None:
        self.images, self.thumbs, self._waiting = root / "images", root / "thumbs", root / "waiting"
        self._waiting.mkdir(exist_ok=True)
        sweep(self._waiting)

    def find(self, sha: str) -> Path | None:
        """The file of a picture, or None if it is not here."""
        for suffix in (".png", ".jpg"):
            path = self.images / sha[:2] / (sha + suffix)
            if path.exists():
                return path
        return None

    def thumbnail(self, sha: str) -> Path | None:
        """The thumbnail, made again from the picture if it is missing; None if there is no picture."""
        path = self.thumbs / sha[:2] / (sha + ".jpg")
        if path.exists():
            return path
        source = self.find(sha)
        if source is None:
            return None
        self._write_thumbnail(path, canonical_picture(source).image)
        return path

    def add(self, picture: CanonicalPicture) -> Path:
        """Store a picture for good: temporary name, fsync of file and folder, rename."""
        known = self.find(picture.sha)
        if known is not None:
            return known
        path = self.images / picture.sha[:2] / (picture.sha + picture.suffix)
        write_durably(path, picture.encoded, waiting=self._waiting, mode=0o444)  # reports link it: nobody edits it
        self._write_thumbnail(self.thumbs / picture.sha[:2] / (picture.sha + ".jpg"), picture.image)
        return path

    def _write_thumbnail(self, path: Path, image: Image.Image) -> None:
        small = image.copy()
        small.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        small.save(buffer, "JPEG", quality=82)
        write_durably(path, buffer.getvalue(), waiting=self._waiting, mode=0o444, sync=False)
