"""collage knows what it drew; folder finds whose picture is whose; openai-images speaks real HTTP."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from trope.data import ROOT
from trope.data.coco import CLASSES
from trope.detectors.ssd import SSD
from trope.errors import BackendError, UsageError
from trope.generators import GENERATORS
from trope.generators.base import draw_seed
from trope.generators.collage import Collage, cutouts
from trope.generators.folder import Folder
from trope.requests import Generate, Job
from trope.store import Store
from trope.testing import FakeServer, check_generator


def test_collage_draws_every_known_noun_and_says_so() -> None:
    made = Collage().draw("The giraffe eats a banana beside a toaster.", 42)
    assert made.value is not None
    truth = {d["label"]: d["box"] for d in made.value["truth"]}
    assert set(truth) == {"giraffe", "banana"} and made.value["cannot_draw"] == ["toaster"]
    assert isinstance(made.image, Image.Image) and made.image.size == (768, 768)
    empty = np.asarray(Collage().draw("Nothing known here.", 42).image)
    assert len(np.unique(empty.reshape(-1, 3), axis=0)) < 2000  # a plain scene


def test_truth_boxes_hold_the_cutouts_and_do_not_overlap() -> None:
    for seed in range(8):
        made = Collage(512).draw("A cat, a dog, a bus and a clock", seed)
        assert made.value is not None
        boxes = [d["box"] for d in made.value["truth"]]
        assert len(boxes) == 4
        for n, (x0, y0, x1, y1) in enumerate(boxes):
            assert 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1
            for a0, b0, a1, b1 in boxes[:n]:
                assert min(x1, a1) <= max(x0, a0) + 1e-6 or min(y1, b1) <= max(y0, b0) + 1e-6


def test_what_a_cutout_also_holds_is_part_of_the_truth() -> None:
    made = Collage().draw("a surfboard", 1)
    assert made.value is not None
    assert {d["label"] for d in made.value["truth"]} == {"surfboard", "person"}


def test_collage_is_reproducible_and_seeds_differ() -> None:
    check_generator(Collage())
    one, two = (np.asarray(Collage().draw("a cat", s).image) for s in (1, 2))
    assert not np.array_equal(one, two)
    with pytest.raises(UsageError, match="size=5"):
        Collage(5)


def test_cutouts_cover_68_classes_and_every_file_has_a_licence() -> None:
    assert len(cutouts()) == 68 and set(cutouts()) <= set(CLASSES)
    assert sum(map(len, cutouts().values())) == 108
    with (ROOT / "cutouts" / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["licence"] and row["attribution"] for row in rows)
    assert {row["file"] for row in rows} == {p.name for p in (ROOT / "cutouts").glob("*.png")}


def test_the_embedded_detector_mostly_finds_what_collage_draws() -> None:
    ssd, hits, n = SSD(), 0, 0
    for name in list(cutouts())[::5]:
        made = Collage().draw(f"a {name}", 7)
        assert isinstance(made.image, Image.Image)
        hits += any(d.label == name and d.score >= 0.25 for d in ssd.detect(made.image))
        n += 1
    assert hits / n > 0.7


def test_attempts_of_one_seed_never_meet_another_seed() -> None:
    seeds = {draw_seed(s, a) for s in range(40, 60) for a in range(6)}
    assert len(seeds) == 120 and draw_seed(42, 0) == 42


# --- folder ------------------------------------------------------------------------------------------


def _folder(path: Path, *names: str) -> Path:
    path.mkdir(exist_ok=True)
    for n, name in enumerate(names):
        Image.new("RGB", (8, 8), (n * 20 % 255, 100, 50)).save(path / name)
    return path


def _ready(folder: Path, store: Store, *items: str) -> tuple[Folder, list[str]]:
    made = GENERATORS.create(f"folder:{folder}")
    assert isinstance(made, Folder)
    return made, made.prepare(items, store.adopt)


def _made(folder: Folder, item: str, seed: int = 42, **request: Any) -> Any:
    return asyncio.run(folder.perform([Job("k", Generate("text", **request), seed, item)]))[0]


def test_file_names_say_item_seed_and_attempt(store: Store, tmp_path: Path) -> None:
    names = ["a.png", "b_42.png", "b_43.png", "b_42_1.png", "c_7.png", "s_001_42.png", "notes.txt.png"]
    folder, told = _ready(_folder(tmp_path / "p", *names), store, "a", "b", "d", "c_7", "s_001")
    shas = {
        (item, seed, attempt): _made(folder, item, seed, attempt=attempt).picture
        for item, seed, attempt in [
            ("a", 42, 0), ("a", 43, 0), ("b", 42, 0), ("b", 43, 0), ("b", 42, 1), ("c_7", 42, 0), ("s_001", 42, 0),
        ]
    }  # fmt: skip
    assert shas["a", 42, 0] == shas["a", 43, 0]
    assert len(set(shas.values())) == 6 and all(shas.values())
    missing = _made(folder, "a", attempt=1)
    assert missing.status == "not_applicable" and "attempt 1" in missing.reason
    assert told == [
        "folder:p: 1 files match no item: notes.txt.png", "folder:p: 1 items have no picture: d"
    ]  # fmt: skip


def test_a_folder_that_answers_nothing_says_how_files_are_named(store: Store, tmp_path: Path) -> None:
    _, told = _ready(_folder(tmp_path / "p", "stranger.png"), store, *(f"i{n:02}" for n in range(20)))
    assert told[1] == "folder:p: 20 items have no picture: i00, i01, i02, i03, i04, i05, i06, i07 …"
    assert "ITEM_SEED.png" in told[2] and "manifest.csv" in told[2]


def test_the_key_is_the_picture_and_not_the_file(store: Store, tmp_path: Path) -> None:
    one = _folder(tmp_path / "one", "a.png")
    (tmp_path / "two").mkdir()
    with Image.open(one / "a.png") as image:
        image.save(tmp_path / "two" / "a.webp", lossless=True)
    Image.new("RGB", (8, 8), "navy").save(_folder(tmp_path / "three") / "a.png")
    keys = [_ready(tmp_path / n, store, "a")[0].key(Generate("x"), 42, "a") for n in ("one", "two", "three")]
    assert keys[0] == keys[1] != keys[2]


def test_pictures_of_the_bare_sentence_stand_for_no_other_wording(store: Store, tmp_path: Path) -> None:
    folder, _ = _ready(_folder(tmp_path / "p", "a.png"), store, "a")
    assert _made(folder, "a").status == "ok"
    assert "strategy 'human'" in _made(folder, "a", variant="human").reason


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_manifest_says_whose_picture_is_whose(store: Store, tmp_path: Path, suffix: str) -> None:
    path = _folder(tmp_path / "p", "x.png", "y.png", "spare.png")
    rows = [
        {"item_id": "a", "path": "x.png", "seed": "42"},
        {"item_id": "a", "path": "y.png", "seed": "42", "strategy": "human"},
    ]
    if suffix == "jsonl":
        (path / "manifest.jsonl").write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    else:
        (path / "manifest.csv").write_text("item_id,path,seed,strategy\na,x.png,42,\na,y.png,42,human\n", "utf-8-sig")
    folder, told = _ready(path, store, "a")
    assert _made(folder, "a").picture != _made(folder, "a", variant="human").picture
    assert _made(folder, "a", seed=43).status == "not_applicable"
    assert len(told) == 1 and told[0].endswith("1 files match no item: spare.png")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("itm,file\na,x.png\n", "unknown column 'itm'. Did you mean 'item'"),
        ("item,file\na\n", "line 2: not as many fields"),
        ("item,file\n,x.png\n", "item or file is missing"),
        ("item,file,seed\na,x.png,many\n", "must be whole numbers"),
        ("item,file\na,x.png\na,x.png\n", "line 3: 'a' .* was given before"),
        ("item,file\na,../../etc/passwd\n", "leaves the folder"),
        ("item,file\na,gone.png\n", "line 2: no file 'gone.png'"),
    ],
)
def test_a_wrong_manifest_names_line_and_rule(store: Store, tmp_path: Path, text: str, message: str) -> None:
    path = _folder(tmp_path / "p", "x.png")
    (path / "manifest.csv").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        _ready(path, store, "a")


def test_a_damaged_picture_fails_alone(store: Store, tmp_path: Path) -> None:
    path = _folder(tmp_path / "p", "good.png")
    (path / "bad.png").write_bytes(b"not a picture")
    folder, _ = _ready(path, store, "good", "bad")
    assert _made(folder, "good").status == "ok"
    assert _made(folder, "bad").status == "failed" and "not a picture" in _made(folder, "bad").reason


def test_a_folder_that_is_not_there_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no such folder"):
        GENERATORS.create("folder:/nowhere/at/all")
    with pytest.raises(UsageError, match="names no model"):
        GENERATORS.create("folder")


# --- openai-images -----------------------------------------------------------------------------------


def test_fields_are_sent_as_asked(server: Callable[..., FakeServer]) -> None:
    fake = server()
    spec = f"openai-images:m?base_url={fake.url}&size=512x512&send_seed=true"
    generator = GENERATORS.create(spec)
    asyncio.run(_perform(generator, [Generate("a cat"), Generate("a cat", attempt=1)]))
    first, second = sorted((entry["body"] for entry in fake.log()), key=lambda b: b["seed"] != 42)
    assert first == {"model": "m", "size": "512x512", "prompt": "a cat", "n": 1, "seed": 42}
    assert second["seed"] == draw_seed(42, 1)


@pytest.mark.parametrize(
    ("behavior", "status", "reason"),
    [
        ({"refuse": 1.0}, "refused", "safety system"),
        ({"error": 1.0}, "failed", "HTTP 500"),
        ({"reset": 1.0}, "failed", "tries"),
    ],
)
def test_trouble_becomes_a_status(
    server: Callable[..., FakeServer], behavior: dict[str, float], status: str, reason: str
) -> None:
    fake = server(**behavior)
    generator = GENERATORS.create(f"openai-images:m?base_url={fake.url}&retries=1&timeout=2")
    (result,) = asyncio.run(_perform(generator, [Generate("x")]))
    assert result.status == status and reason in result.reason


def test_the_address_is_no_part_of_the_identity() -> None:
    one, two, other = (
        GENERATORS.create(f"openai-images:{m}?base_url=http://127.0.0.1:{port}/v1")
        for m, port in [("m", 1), ("m", 2), ("n", 1)]
    )
    key = one.key(Generate("x"), 42, "i")
    assert key == two.key(Generate("x"), 42, "i") != other.key(Generate("x"), 42, "i")
    assert key != one.key(Generate("x"), 43, "i") and key != one.key(Generate("y"), 42, "i")
    assert one.name == "openai-images:m" and one.spec.endswith(":1/v1")


@pytest.mark.parametrize("option", ["base_url=foo", "concurrency=0", "retries=-1", "timeout=0"])
def test_transport_options_are_checked(option: str) -> None:
    with pytest.raises(UsageError, match=option.partition("=")[0]):
        GENERATORS.create(f"openai-images:m?{option}")


def test_a_default_in_full_is_the_same_name() -> None:
    assert GENERATORS.create("collage?size=768").name == "collage"
    assert GENERATORS.create("collage?size=512").name == "collage?size=512"


def test_a_missing_key_is_said_before_anything_is_asked() -> None:
    with pytest.raises(BackendError, match="OPENAI_API_KEY"):
        asyncio.run(_perform(GENERATORS.create("openai-images:m"), []))


async def _perform(generator: Any, requests: list[Generate]) -> Any:
    await generator.open()
    try:
        return await generator.perform([Job(str(n), r, 42, "i") for n, r in enumerate(requests)])
    finally:
        await generator.close()
