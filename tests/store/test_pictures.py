"""One canonical picture, whatever file it came in; and no file that can crash or drown the process."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps

from tests.conftest import DATA
from trope.errors import PictureError
from trope.store import Store, canonical_picture

ODD = DATA / "images" / "odd"
REFUSED = {
    "broken.png": "not a picture",
    "decompression_bomb.gif": "pixels",
    "truncated_image.png": "truncated",
    "truncated_jpeg.jpg": "truncated",
}
_ROWS = csv.DictReader(io.StringIO((ODD / "FORMATS.tsv").read_text("utf-8")), delimiter="\t")
READ = sorted(row["file"] for row in _ROWS if row["file"] not in REFUSED)


def _png(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


@pytest.mark.parametrize("name", READ)
def test_every_odd_picture_is_read(name: str) -> None:
    picture = canonical_picture(ODD / name)
    assert picture.image.mode == "RGB"
    with Image.open(ODD / name) as original:
        turned = name == "hopper_orientation_6.jpg"
        assert picture.image.size == (original.size[::-1] if turned else original.size)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(picture.encoded)).convert("RGB")), np.asarray(picture.image))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name_with_the_reason(name: str) -> None:
    with pytest.raises(PictureError, match=REFUSED[name]) as caught:
        canonical_picture(ODD / name)
    assert str(caught.value).startswith(name)


def test_every_odd_file_is_in_one_of_the_two_lists() -> None:
    here = {p.name for p in ODD.iterdir() if p.name not in ("FORMATS.tsv", "LICENSE", "SOURCE.txt")}
    assert here == {*READ, *REFUSED}


def test_orientation_is_applied() -> None:
    with Image.open(ODD / "hopper_orientation_6.jpg") as original:
        upright = ImageOps.exif_transpose(original).convert("RGB")
        assert original.getexif()[274] == 6
    assert np.array_equal(np.asarray(canonical_picture(ODD / "hopper_orientation_6.jpg").image), np.asarray(upright))


def test_sixteen_bits_are_scaled_and_not_clipped() -> None:
    values = np.array([[0, 257, 32768, 65535]], np.uint16)
    picture = canonical_picture(Image.fromarray(values))
    assert np.asarray(picture.image)[0, :, 0].tolist() == [0, 1, 128, 255]  # (v + 128) // 257
    with Image.open(ODD / "16bit.cropped.tif") as real:
        expected = (np.asarray(real).astype(int) + 128) // 257
    assert np.array_equal(np.asarray(canonical_picture(ODD / "16bit.cropped.tif").image)[..., 1], expected)


def test_alpha_is_laid_over_white() -> None:
    image = Image.new("RGBA", (2, 1), (200, 0, 0, 255))
    image.putpixel((1, 0), (0, 0, 0, 0))
    assert np.asarray(canonical_picture(image).image)[0].tolist() == [[200, 0, 0], [255, 255, 255]]
    palette = Image.new("P", (2, 1), 1)
    palette.putpalette([10, 20, 30, 200, 0, 0])
    palette.putpixel((0, 0), 0)
    assert np.asarray(canonical_picture(_png(palette, transparency=0)).image)[0].tolist() == [[255] * 3, [200, 0, 0]]


def test_the_first_frame_of_an_animation_is_taken() -> None:
    with Image.open(ODD / "iss634.gif") as animation:
        first = animation.convert("RGB")
        animation.seek(20)
        later = animation.convert("RGB")
    picture = canonical_picture(ODD / "iss634.gif")
    assert np.array_equal(np.asarray(picture.image), np.asarray(first))
    assert not np.array_equal(np.asarray(picture.image), np.asarray(later))


def test_cmyk_becomes_the_rgb_a_viewer_shows() -> None:
    picture = np.asarray(canonical_picture(ODD / "pil_sample_cmyk.jpg").image).astype(int)
    with Image.open(ODD / "pil_sample_cmyk.jpg") as original:
        profile = original.info.get("icc_profile")
        if profile:
            expected = ImageCms.profileToProfile(
                original,
                ImageCms.ImageCmsProfile(io.BytesIO(profile)),
                ImageCms.createProfile("sRGB"),
                outputMode="RGB",
            )
        else:
            expected = original.convert("RGB")
    assert np.array_equal(picture, np.asarray(expected))


def test_a_wide_gamut_profile_is_converted_to_srgb() -> None:
    image = Image.new("RGB", (4, 4), (40, 200, 60))
    lab_like = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ"))
    plain = canonical_picture(_png(image))
    tagged = canonical_picture(
        _png(image, icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    )
    assert tagged.sha == plain.sha
    with Image.open(ODD / "icc_profile.png") as original:
        raw = original.convert("RGB")
    assert lab_like is not None
    assert canonical_picture(ODD / "icc_profile.png").image.size == raw.size


def test_the_same_picture_has_one_name_whatever_file_it_is_in(tmp_path: Path) -> None:
    original = DATA / "images" / "photos" / "scikit-image" / "coffee.png"
    image = Image.open(original).convert("RGB")
    renamed = tmp_path / "other name.png"
    renamed.write_bytes(original.read_bytes())
    webp = io.BytesIO()
    image.save(webp, "WEBP", lossless=True)
    tiff = io.BytesIO()
    image.save(tiff, "TIFF", compression="tiff_lzw")
    names = {canonical_picture(s).sha for s in (original, renamed, webp.getvalue(), tiff.getvalue(), image)}
    assert len(names) == 1
    nearly = image.copy()
    nearly.putpixel((0, 0), (1, 2, 3))
    assert canonical_picture(nearly).sha not in names


def test_a_plain_jpeg_keeps_its_bytes_but_not_its_metadata() -> None:
    image = Image.open(DATA / "images" / "photos" / "darknet" / "dog.jpg").convert("RGB")
    exif = Image.Exif()
    exif[0x010E] = "the secret prompt"
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=90, exif=exif, comment=b"another secret")
    picture = canonical_picture(buffer.getvalue() + b"a secret after the end \xff\xd9")
    assert picture.suffix == ".jpg"
    assert b"secret" in buffer.getvalue() and b"secret" not in picture.encoded
    assert len(picture.encoded) > 0.9 * len(buffer.getvalue())
    decoded = Image.open(io.BytesIO(picture.encoded))
    assert np.array_equal(np.asarray(decoded), np.asarray(picture.image))
    assert canonical_picture(picture.encoded).sha == picture.sha


def test_a_png_loses_its_text() -> None:
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("parameters", "the secret prompt")
    picture = canonical_picture(_png(Image.new("RGB", (4, 4), "red"), pnginfo=info))
    assert b"secret" not in picture.encoded


@pytest.mark.parametrize(
    ("low", "high", "blank"), [(0, 0, True), (0, 2, True), (0, 3, False), (255, 255, True), (128, 130, True)]
)
def test_blank_is_a_range_of_at_most_two_in_every_channel(low: int, high: int, blank: bool) -> None:
    image = Image.new("RGB", (8, 8), (low, low, low))
    image.putpixel((3, 3), (low, high, low))
    assert canonical_picture(image).blank is blank


@pytest.mark.parametrize("mode", ["F", "LAB", "HSV"])
def test_pixels_without_an_eight_bit_meaning_are_refused(mode: str) -> None:
    with pytest.raises(PictureError, match="no defined 8-bit meaning"):
        canonical_picture(Image.new(mode, (4, 4)))


def test_bombs_do_not_fill_the_memory(tmp_path: Path) -> None:
    """A PNG of 20,000 x 20,000 zeros is 400 kB on the disk and 1.2 GB as RGB."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    side = 20_000
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(side * 3 + 1)) for _ in range(side // 20)) + packer.flush()
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    code = (
        "import sys\nfrom pathlib import Path\nfrom trope.errors import PictureError\n"
        "from trope.store import canonical_picture\n"
        "for name in sys.argv[1:]:\n"
        "    try: canonical_picture(Path(name))\n"
        "    except PictureError as e: print(e)\n"
        "print(next(l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')))"
    )
    command = [sys.executable, "-c", code, str(bomb), str(ODD / "decompression_bomb.gif")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *refusals, peak = done.stdout.splitlines()
    assert len(refusals) == 2 and all("pixels" in line for line in refusals)
    assert int(peak) < 200_000  # kB


def test_a_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        canonical_picture(tmp_path / "none.png")
    with pytest.raises(PictureError, match="cannot be read"):
        canonical_picture(tmp_path)


def test_a_stored_picture_is_written_once_and_read_only(store: Store) -> None:
    picture = canonical_picture(Image.effect_noise((300, 200), 60).convert("RGB"))
    path = store.pictures.add(picture)
    before = path.stat()
    assert store.pictures.add(picture) == path
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert not path.stat().st_mode & 0o222
    thumbnail = store.pictures.thumbnail(picture.sha)
    assert thumbnail is not None
    with Image.open(thumbnail) as small:
        assert max(small.size) == 256
    thumbnail.unlink()
    assert store.pictures.thumbnail(picture.sha) == thumbnail and thumbnail.exists()
    assert not [p for p in store.folder.rglob(".new-*")]


def test_an_unchanged_file_is_not_decoded_again(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(_png(Image.new("RGB", (9, 9), "teal")))
    sha = store.adopt(path)
    monkeypatch.setattr("trope.store.store.canonical_picture", lambda *_: pytest.fail("decoded again"))
    assert store.adopt(path) == sha
    monkeypatch.undo()
    path.write_bytes(_png(Image.new("RGB", (9, 9), "pink")))
    os.utime(path)
    assert store.adopt(path) != sha
