"""From items to corpora: counts, reasons, and nothing of the benchmark among them."""

from __future__ import annotations

import io
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.conftest import trope
from tests.train import world
from trope.errors import ItemError, UsageError
from trope.nouns import Item
from trope.protocols.m3r import gold, read_answer
from trope.train.corpus import RATIOS, build, shares
from trope.train.disjoint import compare_pictures
from trope.train.examples import read_examples
from trope.train.quality import RULES, faults
from trope.train.targets import labels_only, prompt_of, reply_of


@pytest.fixture(scope="module")
def forty(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return world.items(40, tmp_path_factory.mktemp("forty"))


def test_ratios_are_exact_and_counted(forty: list[Item], tmp_path: Path) -> None:
    made = build(forty, [], tmp_path)
    counts = {p.name: Counter(row.metaphor for row in p.rows) for p in made.parts}
    # 20 metaphors, 20 others: 5:5 -> 20 + 20; 8:2 = 4:1 -> 5 times, 20 + 5; 6:4 = 3:2 -> 6 times, 18 + 12
    assert counts == {"C1": {"Yes": 20, "No": 20}, "C2": {"Yes": 20, "No": 5}, "C3": {"Yes": 18, "No": 12}}
    assert made.dropped == () and made.manifest["corpora"]["C2"]["ratio"] == "8:2"
    for stage in RATIOS:
        again = read_examples(tmp_path, stage)
        assert again.sha256 == made.manifest["corpora"][stage]["sha256"]
        assert {row.id for row in again.rows} <= {item.id for item in forty}


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([(5, 5), (8, 2), (6, 4), (7, 3), (1, 0)]))
def test_shares_against_a_search(metaphors: int, others: int, ratio: tuple[int, int]) -> None:
    a, b = ratio
    exact = [
        (m, o)
        for m in range(metaphors + 1)
        for o in ([m * b // a] if b else [0])
        if m and m * b == o * a and o <= others
    ]
    if not exact:
        with pytest.raises(UsageError, match="there are"):
            shares(metaphors, others, ratio, None)
    else:
        assert shares(metaphors, others, ratio, None) == max(exact)


@given(st.integers(1, 200), st.sampled_from(list(RATIOS.values())))
def test_a_size_is_rounded_as_stated(size: int, ratio: tuple[int, int]) -> None:
    metaphors, others = shares(1000, 1000, ratio, size)
    assert metaphors + others == size
    off = Fraction(size * ratio[0], sum(ratio)) - metaphors
    assert -Fraction(1, 2) <= off < Fraction(1, 2)


def test_too_few_say_what_is_needed(forty: list[Item], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="100 examples at 8:2 are 80 metaphors and 20 others; fit are 20 and 20"):
        build(forty, [], tmp_path, sizes={"C2": 100})


def test_replies_read_back_and_grow_with_the_stage(forty: list[Item]) -> None:
    for item in forty:
        keys = [set(json.loads(reply_of(item, stage))) for stage in ("C1", "C2", "C3")]
        assert keys[0] < keys[1] < keys[2]
        answer, true = read_answer(reply_of(item, "C3")), gold(item)
        assert (answer.metaphor, answer.target, answer.source, answer.sentiment) == (
            true.metaphor, true.target, true.source, true.sentiment)  # fmt: skip
        assert set(answer.problems) == (set() if true.is_metaphor else {"mapping"})
        bare = read_answer(labels_only(reply_of(item, "C3")))
        assert bare.sentiment == true.sentiment and bare.evidence is None
        order = list(json.loads(reply_of(item, "C3")))
        assert order.index("evidence") < order.index("metaphor"), "reasons come before labels"


def test_the_last_prompt_is_the_one_that_is_asked_at_the_end(forty: list[Item]) -> None:
    from trope.protocols.m3r.prompting import wordings

    direct = wordings("item")["direct"]["en"].replace("{text}", forty[0].text)
    assert prompt_of(forty[0], "C3") == direct
    assert len({prompt_of(forty[0], stage) for stage in ("C1", "C2", "C3")}) == 3
    chinese = forty[0].model_copy(update={"lang": "zh"})
    assert "隐喻" in prompt_of(chinese, "C1") and "{text}" not in prompt_of(chinese, "C2")
    with pytest.raises(ItemError, match="no prompt"):
        prompt_of(forty[0].model_copy(update={"lang": "ar"}), "C1")


def changed(item: Item, **references: str) -> Item:
    kept = {**item.references, **references}
    return item.model_copy(update={"references": {k: v for k, v in kept.items() if v}})


def test_every_rule_of_quality_finds_its_planted_fault(forty: list[Item]) -> None:
    metaphor, other = forty[0], forty[1]
    chinese = metaphor.model_copy(update={
        "lang": "zh", "text": "这辆车", "references": {"ITE": "图片里的汽车像黑豹一样", "MC": "car 像 panther 一样敏捷", "SJ": "态度积极，赞美速度"},
    })  # fmt: skip
    assert faults(metaphor) == [] and faults(other) == []
    planted = {
        "picture": metaphor.model_copy(update={"image": None}),
        "explanations": changed(metaphor, MC=""),
        "length": changed(metaphor, ITE="yes"),
        "wrapping": changed(metaphor, ITE='```json\n{"a": "the picture shows"}\n```'),
        "language": chinese.model_copy(
            update={"references": {**chinese.references, "ITE": "this is not Chinese at all"}}
        ),
        "quotation": changed(metaphor, ITE='the text says "buy one get one free" under the car'),
        "mapping": changed(metaphor, MC="speed is carried over from one to the other"),
        "denial": changed(metaphor, ITE="there is no metaphor in this picture of a car"),
        "sentiment": changed(metaphor, SJ="the whole is clearly negative in its tone"),
    }
    for name, item in planted.items():
        assert [fault.name for fault in faults(item)] == [name], name
    assert [f.name for f in faults(changed(other, MC="a mapping nobody asked for"))] == ["explanations"]
    assert [f.name for f in faults(metaphor.model_copy(update={"figures": ()}))] == ["labels"]
    assert [f.name for f in faults(metaphor, {metaphor.id: ("evidence",)})] == ["verifier"]
    # read back: a target that spells None would be read as no target at all
    assert {name for _, name, _ in RULES} - set(planted) == {"reading"}


def test_what_is_true_is_not_a_fault(forty: list[Item]) -> None:
    metaphor = forty[0]
    for good in (
        changed(metaphor, ITE=f'the text says "{metaphor.text}" and a car is seen'),
        changed(metaphor, ITE='the sign in the picture reads "OPEN ALL NIGHT" over the car'),
        changed(metaphor, SJ="not negative: the text calls it good, which is positive"),
        changed(metaphor, MC="Cars are given the litheness that panthers have"),
    ):
        assert faults(good) == []


def test_drops_are_counted_with_their_reasons(forty: list[Item], tmp_path: Path) -> None:
    bad = [changed(forty[0], MC=""), changed(forty[2], SJ="this is a negative thing to say"), *forty[4:]]
    bad.append(forty[6].model_copy(update={"id": "again"}))
    bad.append(forty[8].model_copy(update={"id": "gone", "image": str(tmp_path / "none.png")}))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    bad.append(forty[10].model_copy(update={"id": "broken", "image": str(tmp_path / "broken.png")}))
    made = build(bad, [], tmp_path / "out")
    assert made.manifest["dropped"] == {
        "malformed: explanations": 1, "malformed: picture": 2, "malformed: twice": 1, "mismatch: sentiment": 1,
    }  # fmt: skip
    lines = [json.loads(line) for line in (tmp_path / "out/dropped.jsonl").read_text("utf-8").splitlines()]
    assert {line["id"] for line in lines} == {forty[0].id, forty[2].id, "again", "gone", "broken"}
    assert all(line["why"] for line in lines)
    assert made.manifest["fit"] + len(lines) == len(bad)


def test_nothing_of_the_benchmark_is_left(forty: list[Item], tmp_path: Path) -> None:
    """Planted: the same pair, the same picture in another file, a recompressed pair, a recompressed picture."""

    def saved(item: Item, id: str, text: str, **how: object) -> Item:
        path = tmp_path / f"{id}.{'jpg' if how else 'png'}"
        with Image.open(str(item.image)) as picture:
            picture.resize((320, 320), Image.Resampling.NEAREST).save(path, **how)
        return item.model_copy(update={"id": id, "image": str(path), "text": text})

    large = [
        saved(item, f"{item.id}x", f"{item.text} with a long line of text below the picture") for item in forty[:12]
    ]
    exact = large[0].model_copy(update={"id": "b0", "text": "  " + large[0].text.upper().lower()})
    picture = large[2].model_copy(update={"id": "b1", "text": "another text altogether"})
    near = saved(large[4], "b2", large[4].text + "!", quality=70)
    shown = saved(large[6], "b3", "nothing like it", quality=70)
    same_text = large[8].model_copy(update={"id": "b4", "image": large[9].image, "text": large[8].text})
    few = {"C1": 2, "C2": 2, "C3": 2}
    made = build(large, [exact, picture, near, shown], tmp_path / "out", sizes=few)
    found = {drop.id: drop.name for drop in made.dropped}
    assert found == {"w000x": "duplicate", "w002x": "picture", "w004x": "near-duplicate", "w006x": "near-picture"}
    kept = build(large, [exact, picture, near, shown], tmp_path / "kept", same_picture="keep", sizes=few)
    assert {drop.name for drop in kept.dropped} == {"duplicate", "near-duplicate"}
    # the same text with another picture is another sample, and stays
    other = build(large[:9], [same_text], tmp_path / "text", sizes=few)
    assert other.dropped == ()


def test_a_benchmark_picture_that_cannot_be_read_proves_nothing(forty: list[Item], tmp_path: Path) -> None:
    lost = forty[0].model_copy(update={"image": str(tmp_path / "none.png")})
    with pytest.raises(ItemError, match="w000"):
        build(forty, [lost], tmp_path)


def test_comparing_pictures_by_hand() -> None:
    left = np.array([[0, 255], [0, 255]], np.uint8)
    assert compare_pictures(left, left) == (pytest.approx(1.0), 0.0)
    assert compare_pictures(left, 255 - left) == (pytest.approx(-1.0), pytest.approx(1.0))
    flat = np.full((2, 2), 100, np.uint8)
    assert compare_pictures(flat, flat) == (1.0, 0.0) and compare_pictures(flat, flat + 10)[0] == 0.0


def test_pictures_come_canonical_and_once(forty: list[Item], tmp_path: Path) -> None:
    made = build(forty, [], tmp_path)
    pictures = sorted((tmp_path / "pictures").rglob("*.*"))
    assert len(pictures) == 40
    for row in made.parts[0].rows[:5]:
        with Image.open(tmp_path / row.picture) as picture:
            assert picture.mode == "RGB"


def test_order_does_not_depend_on_the_order_of_items(forty: list[Item], tmp_path: Path) -> None:
    one = build(forty, [], tmp_path / "one")
    two = build(forty[::-1], [], tmp_path / "two")
    other = build(forty, [], tmp_path / "other", seed=7)
    assert [p.sha256 for p in one.parts] == [p.sha256 for p in two.parts] != [p.sha256 for p in other.parts]


def test_the_export_is_a_datasets_folder(forty: list[Item], tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    from trope.train.examples import export

    datasets.disable_progress_bars()
    made = build(forty, [], tmp_path / "corpus")
    export(made.parts, tmp_path / "exported")
    (tmp_path / "corpus").rename(tmp_path / "moved")  # the folder stands alone
    read = datasets.load_from_disk(str(tmp_path / "exported"))
    assert {name: len(split) for name, split in read.items()} == {"C1": 40, "C2": 25, "C3": 30}
    row, first = read["C3"][0], made.parts[2].rows[0]
    assert row["prompt"] == [{"role": "user", "content": first.prompt}] and row["sentiment"] == first.sentiment
    buffer = io.BytesIO()
    row["images"][0].save(buffer, "PNG")
    assert row["images"][0].size == (64, 64)


@pytest.mark.parametrize(("line", "said"), [
    ("{", "C1.jsonl:2: no example"), ('{"id": "a"}', "C1.jsonl:2: no example"),
])  # fmt: skip
def test_a_damaged_corpus_is_named(forty: list[Item], tmp_path: Path, line: str, said: str) -> None:
    build(forty, [], tmp_path)
    path = tmp_path / "C1.jsonl"
    path.write_text(path.read_text("utf-8").splitlines()[0] + f"\n{line}\n", "utf-8")
    with pytest.raises(ItemError, match=said):
        read_examples(tmp_path, "C1")


def test_a_missing_picture_is_said_before_anything_is_trained(forty: list[Item], tmp_path: Path) -> None:
    made = build(forty, [], tmp_path)
    row = made.parts[2].rows[3]
    (tmp_path / row.picture).unlink()
    with pytest.raises(ItemError, match=f"C3: 1 of 30 pictures are missing.*{row.id}"):
        read_examples(tmp_path, "C3")


def test_the_command(forty: list[Item], tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from trope.cli.app import app

    ours = world.item_file(forty, tmp_path / "ours.jsonl")
    theirs = world.item_file(forty[:2], tmp_path / "theirs.jsonl")
    asked = ["train", "corpus", str(ours), "--out", str(tmp_path / "c")]
    with pytest.raises(UsageError, match="--benchmark none"):
        CliRunner().invoke(app, asked, catch_exceptions=False)
    with pytest.raises(UsageError, match="METAPHORS:OTHERS"):
        CliRunner().invoke(app, [*asked, "--benchmark", "none", "--ratio", "C2=8"], catch_exceptions=False)
    done = trope(
        "train", "corpus", "ours.jsonl", "--benchmark", str(theirs), "--out", "corpus", "--size", "C1=7", cwd=tmp_path
    )
    assert "40 items, 38 fit; 2 left out" in done.stdout and "benchmark: duplicate: 2" in done.stdout
    assert "C1: 7 examples, 4 metaphors and 3 others (5:5)" in done.stdout
    assert json.loads((tmp_path / "corpus/manifest.json").read_text("utf-8"))["benchmark"] == 2
