"""De-duplication against planted duplicates, brute force, `imagehash`, and hostile files."""

from __future__ import annotations

import io
import json
import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps
from typer.testing import CliRunner

from tests.conftest import DATA, trope
from trope.build.dedupe import Cleaned, Rules, dedupe, read_pairs
from trope.build.dedupe.cleaning import clean_text, compared
from trope.build.dedupe.hashes import picture_hashes
from trope.build.dedupe.likeness import pictures_alike, sequences_alike
from trope.build.dedupe.neighbors import near_pairs
from trope.cli.app import app
from trope.errors import ItemError, PictureError

PHOTOS = sorted(path for path in (DATA / "images").rglob("*.jpg") if path.parent.name != "odd")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), max_size=40), st.integers(0, 31), st.randoms())
def test_near_pairs_are_those_of_brute_force(hashes: list[int], radius: int, chance: random.Random) -> None:
    hashes += [h ^ (1 << chance.randrange(64)) ^ (1 << chance.randrange(64)) for h in hashes]
    brute = {
        (a, b) for b in range(len(hashes)) for a in range(b) if (hashes[a] ^ hashes[b]).bit_count() <= radius
    }  # fmt: skip
    assert set(map(tuple, near_pairs(np.array(hashes, np.uint64), radius).tolist())) == brute


def test_many_equal_hashes_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trope.build.dedupe.neighbors._BLOCK", 64)
    assert len(near_pairs(np.zeros(200, np.uint64), 4)) == 200 * 199 // 2
    with pytest.raises(ValueError, match="0 to 31"):
        near_pairs(np.zeros(2, np.uint64), 32)


def test_hashes_are_those_of_imagehash_up_to_a_stated_bound() -> None:
    imagehash = pytest.importorskip("imagehash")
    theirs = {"phash": imagehash.phash, "dhash": imagehash.dhash, "ahash": imagehash.average_hash}
    apart = []
    for path in PHOTOS:
        mine = picture_hashes(path)
        with Image.open(path) as image:
            for name, function in theirs.items():
                apart.append((getattr(mine, name) ^ int(str(function(image)), 16)).bit_count())
    assert len(apart) >= 30 and max(apart) <= 3 and np.mean(apart) < 1


def test_hashes_of_an_undrafted_picture_are_exactly_those_of_imagehash(tmp_path: Path) -> None:
    imagehash = pytest.importorskip("imagehash")
    for n, path in enumerate(PHOTOS[:6]):
        with Image.open(path) as image:
            image.convert("L").resize((160, 120)).save(tmp_path / f"{n}.png")
        mine = picture_hashes(tmp_path / f"{n}.png")
        with Image.open(tmp_path / f"{n}.png") as image:
            assert mine.phash == int(str(imagehash.phash(image)), 16)
            assert mine.dhash == int(str(imagehash.dhash(image)), 16)
            assert mine.ahash == int(str(imagehash.average_hash(image)), 16)


def _planted(folder: Path) -> dict[str, str]:
    """Pictures with texts; returns what each file is."""
    made: dict[str, str] = {}

    def put(name: str, image: Image.Image, text: str, **how: int) -> None:
        image.convert("RGB").save(folder / name, **how)  # type: ignore[arg-type]
        (folder / name).with_suffix(".txt").write_text(text, "utf-8")
        made[name] = text

    with Image.open(PHOTOS[0]) as opened:
        photo = opened.convert("RGB")
    with Image.open(PHOTOS[-1]) as opened:
        other = opened.convert("RGB")
    text, near = "The river is a silver ribbon through the town.", "The river is a silver ribbon through the towns."
    put("a-original.png", photo, text)
    put("b-recompressed.jpg", photo, text, quality=70)
    put("c-resized.png", photo.resize((photo.width // 2, photo.height // 2)), near)
    dx, dy = photo.width // 100, photo.height // 100
    put("d-cropped.png", photo.crop((dx, dy, photo.width - dx, photo.height - dy)), text)
    put("e-mirrored.png", ImageOps.mirror(photo), text)
    put("f-other-text.png", photo, "Nobody has ever walked to the lighthouse at night.")
    put("g-other-picture.png", other, text)
    (folder / "h-copy.png").write_bytes((folder / "a-original.png").read_bytes())
    (folder / "h-copy.txt").write_text(text + "  #travel https://example.org/x?id=3", "utf-8")
    (folder / "i-broken.png").write_bytes(b"\x89PNG\r\n nothing")
    put("j-no-text.png", other, " #onlytags ")
    return made


def test_planted_duplicates_are_found_as_the_rules_say(tmp_path: Path) -> None:
    _planted(tmp_path)
    done = dedupe(read_pairs(tmp_path))
    fates = {fate.pair.id: fate for fate in done.fates}
    status = {name: f"{fate.status}: {fate.reason}" for name, fate in fates.items()}
    alike = pictures_alike(tmp_path / "a-original.png", tmp_path / "d-cropped.png")
    cropped = "merged: near duplicate" if alike.correlation >= 0.98 and alike.error <= 0.06 else "kept: canonical"
    assert status == {
        "a-original.png": "kept: canonical", "b-recompressed.jpg": "merged: near duplicate",
        "c-resized.png": "merged: near duplicate", "d-cropped.png": cropped, "e-mirrored.png": "kept: canonical",
        "f-other-text.png": "kept: canonical", "g-other-picture.png": "kept: canonical",
        "h-copy.png": "merged: exact duplicate", "i-broken.png": "dropped: unreadable picture",
        "j-no-text.png": "dropped: no text once marks are stripped",
    }  # fmt: skip
    near = fates["c-resized.png"]
    assert near.into == "a-original.png" and near.likeness["correlation"] >= 0.98 and near.likeness["tfidf"] >= 0.9
    kept = {line["id"]: line for line in done.kept()}
    assert {"a-original.png", "b-recompressed.jpg", "c-resized.png", "h-copy.png"} <= set(
        kept["a-original.png"]["provenance"]
    )


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    _planted(tmp_path)
    pairs = read_pairs(tmp_path)
    shuffled = random.Random(3).sample(pairs, len(pairs))
    one, two = ({f.pair.id: (f.status, f.into) for f in done.fates} for done in (dedupe(pairs), dedupe(shuffled)))
    assert one == two


def test_without_texts_pictures_must_be_nearer(tmp_path: Path) -> None:
    with Image.open(PHOTOS[1]) as opened:
        photo = opened.convert("RGB")
    photo.save(tmp_path / "a.png")
    photo.save(tmp_path / "b.jpg", quality=85)
    assert _count(dedupe(read_pairs(tmp_path)), "dropped") == 2
    assert _count(dedupe(read_pairs(tmp_path), Rules(need_text=False)), "kept") == 1
    assert _count(dedupe(read_pairs(tmp_path), Rules(need_text=False, empty_error=0.0)), "kept") == 2


def _count(done: Cleaned, status: str) -> int:
    return sum(fate.status == status for fate in done.fates)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Time is money #ads #Sale2024", "Time is money"),
        ("时间就是金钱 #广告# http://t.cn/abc", "时间就是金钱"),
        ("query: red rose; love is a rose", "love is a rose"),
        ("source_id=ab-12 The mind is a sea", "The mind is a sea"),
        ("We are #1 in C# and id est", "We are #1 in C# and id est"),
        ("a\u200bb\tc\n d", "ab c d"),
        ("", ""),
    ],
)
def test_marks_are_stripped_and_words_stay(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


def test_comparing_is_by_nfkc_and_symmetric() -> None:
    assert compared("ＡＢＣ　１") == "ABC 1" and compared("abc") != "ABC"
    assert sequences_alike("abcd", "abxd") == sequences_alike("abxd", "abcd") < 1 == sequences_alike("", "")


def test_a_table_with_differing_labels_is_reported(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), "red").save(tmp_path / "r.png")
    (tmp_path / "t.csv").write_text("id,image,text,sentiment\n1,r.png,Love,Positive\n2,r.png,Love,Negative\n", "utf-8")
    fates = dedupe(read_pairs(tmp_path / "t.csv")).fates
    assert [f.status for f in fates] == ["kept", "merged"] and fates[1].differing == ("sentiment",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "id,text\n1,x\n", "no column for the picture"),
        ("a.csv", "image,text\n../../etc/passwd,x\n", "lies outside"),
        ("a.csv", "id,image,text\n1,a,x\n1,b,y\n", "ids are unique"),
        ("a.csv", "image,text\na,x,y,z\n", "ragged-row"),
        ("a.jsonl", "{nothing\n", "line 1: not JSON"),
        ("a.jsonl", "[1]\n", "expected an object"),
        ("a.jsonl", '{"image": "a", "image": "b"}\n', "'image' is there twice"),
        ("a.jsonl", '{"image": ' + "[" * 100_000, "too deep"),
        ("a.jsonl", '{"image": ' + "9" * 5000 + "}", "more digits than are read"),
    ],
)
def test_tables_that_cannot_be_read_say_where(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(ItemError, match=message):
        read_pairs(tmp_path / name)


def test_wrong_encodings_and_missing_files_are_explained(tmp_path: Path) -> None:
    (tmp_path / "z.csv").write_bytes("image,text\na.png,时间就是金钱,\n".encode("gb18030"))
    with pytest.raises(ItemError, match="encoding"):
        read_pairs(tmp_path / "z.csv")
    with pytest.raises(ItemError, match="nothing at"):
        read_pairs(tmp_path / "none.csv")
    with pytest.raises(PictureError, match="cannot be read"):
        picture_hashes(tmp_path / "none.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ItemError, match="no pictures"):
        read_pairs(tmp_path / "empty")


def test_texts_beside_pictures_in_another_encoding_are_no_missing_texts(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), "red").save(tmp_path / "r.png")
    (tmp_path / "r.txt").write_bytes("时间就是金钱，一去不回。".encode("gb18030"))
    with pytest.raises(ItemError, match=r"1 of 1 texts cannot be read, e\.g\. r\.txt"):
        read_pairs(tmp_path)
    assert read_pairs(tmp_path, encoding="gb18030")[0].text == "时间就是金钱，一去不回。"


def test_what_is_no_regular_file_or_is_huge_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "endless.png").symlink_to("/dev/zero")
    (tmp_path / "gone.png").symlink_to("nowhere")
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(3_000_000_000)
    Image.new("RGB", (64, 64), "red").save(tmp_path / "r.png")
    (tmp_path / "link.png").symlink_to("r.png")
    names = ("pipe", "endless", "gone", "huge", "r", "link")
    rows = "".join(f"{n},{name}.png,Love\n" for n, name in enumerate(names))
    (tmp_path / "t.csv").write_text(f"id,image,text\n{rows}6,.,Love\n7,r.png,{'x' * 20_001}\n", "utf-8")
    fates = dedupe(read_pairs(tmp_path / "t.csv")).fates
    assert [f.reason for f in fates[:4]] == ["unreadable picture"] * 4 and fates[6].reason == "unreadable picture"
    assert [f.status for f in fates[4:6]] == ["kept", "merged"] and fates[7].reason.startswith("text of more than")


def test_one_picture_under_many_texts_takes_no_square_of_time(tmp_path: Path) -> None:
    """A template of memes: 1,000 captions, a few of them near each other; brute force over the texts is the oracle."""
    Image.effect_noise((64, 64), 80).convert("RGB").save(tmp_path / "r.png")
    rng = random.Random(5)
    words = "time river gold love war road ship light tree stone bird wind fire glass clock chair rain snow".split()
    texts = [" ".join(rng.choices(words, k=9)) for _ in range(990)]
    texts += [f"{text} x" for text in texts[:9]] + [texts[9]]
    lines = "".join(f"{n},r.png,{text}\n" for n, text in enumerate(texts))
    (tmp_path / "t.csv").write_text(f"id,image,text\n{lines}", "utf-8")
    start = time.process_time()
    done = dedupe(read_pairs(tmp_path / "t.csv"))
    assert time.process_time() - start < 20
    assert done.counts["merged: exact duplicate"] == 1 and done.counts["merged: near duplicate"] >= 9
    assert {done.fates[n].into for n in range(9)} == {str(990 + n) for n in range(9)}


def test_half_a_surrogate_is_written_as_json_has_it(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), "red").save(tmp_path / "r.png")
    (tmp_path / "t.jsonl").write_text('{"id": "1", "image": "r.png", "text": "time \\ud83d flies"}\n', "utf-8")
    runner = CliRunner().invoke(app, ["items", "dedupe", str(tmp_path / "t.jsonl"), "--out", str(tmp_path / "out")])
    assert runner.exit_code == 0, runner.output
    line = json.loads((tmp_path / "out/kept.jsonl").read_text("utf-8"))
    assert line["text"] == "time \ud83d flies" and (tmp_path / "out" / line["image"]).is_file()


def test_transparency_lies_over_white_whatever_hides_under_it(tmp_path: Path) -> None:
    for name, hidden in (("a", (255, 0, 0, 0)), ("b", (0, 0, 255, 0))):
        image = Image.new("RGBA", (96, 96), hidden)
        image.paste((0, 0, 0, 255), (10, 10, 50, 60))
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        (tmp_path / f"{name}.png").write_bytes(buffer.getvalue())
    a, b = (picture_hashes(tmp_path / f"{n}.png") for n in "ab")
    assert (a.phash, a.dhash, a.ahash) == (b.phash, b.dhash, b.ahash)


def test_a_picture_is_seen_as_its_exif_turns_it(tmp_path: Path) -> None:
    upright = Image.effect_noise((12, 16), 90).resize((240, 320)).convert("RGB")
    upright.save(tmp_path / "upright.png")
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned by a quarter
    upright.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "turned.jpg", quality=95, exif=exif)
    for name in ("upright", "turned"):
        (tmp_path / f"{name}.txt").write_text("a street in the rain", "utf-8")
    done = dedupe(read_pairs(tmp_path))
    assert sorted(done.counts) == ["kept: canonical", "merged: near duplicate"]
    assert {(fate.hashes.width, fate.hashes.height) for fate in done.fates if fate.hashes} == {(240, 320)}


def test_a_folder_hides_nothing_that_is_called_a_picture(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "gone.jpg").symlink_to("nowhere")
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "zero.png").write_bytes(b"")
    Image.new("RGB", (64, 64), "red").save(tmp_path / "r.png")
    (tmp_path / "r.txt").write_text("a red square", "utf-8")
    fates = {fate.pair.id: fate for fate in dedupe(read_pairs(tmp_path)).fates}
    assert {name: fate.status for name, fate in fates.items()} == {
        "gone.jpg": "dropped", "pipe.png": "dropped", "r.png": "kept", "zero.png": "dropped",
    }  # fmt: skip
    told = {name: fate.as_json()["told"] for name, fate in fates.items() if fate.status == "dropped"}
    assert told["gone.jpg"] == "gone.jpg: cannot be read: No such file or directory"
    assert told["pipe.png"] == "pipe.png: no file" and told["zero.png"].startswith("zero.png: no picture, or damaged")


def test_names_that_no_file_can_have_are_unreadable_pictures(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(
        '{"image": "a\\u0000.png", "text": "Love"}\n{"image": "\\ud83d.png", "text": "War"}\n'
        f'{{"image": "{"x" * 5000}.png", "text": "Peace"}}\n', "utf-8")  # fmt: skip
    assert dedupe(read_pairs(tmp_path / "t.jsonl")).counts == {"dropped: unreadable picture": 3}


def test_columns_of_any_name_and_cells_that_are_no_text(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("nr,photo,words\n1,r.png,Love\n", "utf-8")
    with pytest.raises(ItemError, match="--column NAME=image"):
        read_pairs(table)
    (pair,) = read_pairs(table, columns={"image": "photo", "text": "words", "id": "nr"})
    assert (pair.id, pair.image.name, pair.text) == ("1", "r.png", "Love")
    with pytest.raises(ItemError, match="no column 'pic'. There are: nr, photo, words"):
        read_pairs(table, columns={"image": "pic", "text": "words"})
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"image": "r.png", "text": 5}\n{"image": "r.png", "text": null, "id": 7}\n', "utf-8")
    assert [(p.id, p.text) for p in read_pairs(lines)] == [("t-000001", "5"), ("7", "")]
    lines.write_text('{"image": "r.png", "text": ["a", "b"]}\n', "utf-8")
    with pytest.raises(ItemError, match=r'line 1: text is \["a", "b"\]. Expected: a text'):
        read_pairs(lines)


def test_ids_that_are_used_twice_are_counted(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "id,image,text,label\n1,a.png,x,p\n1,a.png,x,n\n2,b.png,y,p\n2,b.png,y,p\n", "utf-8"
    )
    with pytest.raises(ItemError, match=r"line 3: id '1' was used in t\.csv, line 2.*2 rows repeat an id, 1 of them"):
        read_pairs(tmp_path / "t.csv")
    with pytest.raises(ItemError, match="no folder of pictures at"):
        read_pairs(tmp_path / "t.csv", tmp_path / "nowhere")


def test_cleaning_what_was_cleaned_keeps_the_provenance_of_all(tmp_path: Path) -> None:
    _planted(tmp_path)
    trope("items", "dedupe", ".", "--out", "one", cwd=tmp_path)
    first = [json.loads(line) for line in (tmp_path / "one/kept.jsonl").read_text("utf-8").splitlines()]
    trope("items", "dedupe", "one/kept.jsonl", "--images", ".", "--out", "two", cwd=tmp_path)
    again = [json.loads(line) for line in (tmp_path / "two/kept.jsonl").read_text("utf-8").splitlines()]
    assert again == first and max(len(line["provenance"]) for line in first) > 1
    one, two = first[0], {**first[0], "id": "other", "provenance": ["other", "far"]}
    (tmp_path / "one/both.jsonl").write_text(json.dumps(one) + "\n" + json.dumps(two) + "\n", "utf-8")
    done = dedupe(read_pairs(tmp_path / "one/both.jsonl", tmp_path))
    (kept,) = done.kept()
    assert set(kept["provenance"]) == {*one["provenance"], "other", "far"} and not done.fates[1].differing


def test_the_command_writes_what_is_left_and_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    _planted(tmp_path / "in")
    done = trope("items", "dedupe", "in", "--out", "out", cwd=tmp_path)
    assert "10 pairs" in done.stdout and "exact duplicate" in done.stdout
    lines = [json.loads(line) for line in (tmp_path / "out/manifest.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 10 and {line["status"] for line in lines} == {"kept", "merged", "dropped"}
    kept = [json.loads(line) for line in (tmp_path / "out/kept.jsonl").read_text("utf-8").splitlines()]
    assert len(kept) == sum(line["status"] == "kept" for line in lines)
    assert all((tmp_path / "out" / line["image"]).is_file() for line in kept)  # found from where the file lies
    bad = trope("items", "dedupe", "nowhere", "--out", "out2", cwd=tmp_path, check=False)
    assert bad.returncode != 0 and "Traceback" not in bad.stderr and "nothing at" in bad.stderr


def test_what_was_kept_can_be_read_again_where_its_pictures_lie(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    for n, color in enumerate(("red", "navy")):
        Image.new("RGB", (64, 64), color).save(tmp_path / "pictures" / f"{n}.png")
        (tmp_path / "pictures" / f"{n}.txt").write_text(f"a {color} square, number {n}", "utf-8")
    trope("items", "dedupe", "pictures", "--out", "out", cwd=tmp_path)
    kept = tmp_path / "out" / "kept.jsonl"
    with pytest.raises(ItemError, match="--images FOLDER"):
        read_pairs(kept)
    assert [pair.image.resolve() for pair in read_pairs(kept, tmp_path / "pictures")] == [
        (tmp_path / "pictures" / f"{n}.png").resolve() for n in range(2)
    ]
