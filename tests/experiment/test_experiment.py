"""From a TOML file to scores and back: frozen runs, bundles that verify, and tampering that does not."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import simile
from trope.errors import BundleError, ItemError, StoreError, TropeError, UnknownName, UsageError
from trope.experiment import Experiment, execute, plan, read_experiment, score, score_bundle, verify
from trope.items import dump_items
from trope.store import RunFolder, Store, write_bundle

WORDS = ["cat", "dog", "bus", "car", "bowl", "kite", "vase", "book", "bear", "boat", "cake", "clock"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiment")


@pytest.fixture(scope="module")
def items(folder: Path) -> str:
    path = folder / "mine.jsonl"
    path.write_text(dump_items(simile(f"i-{v}", v) for v in WORDS), "utf-8")
    return str(path)


def _experiment(items: str, **fields: Any) -> Experiment:
    table = {
        "protocol": "simile", "subjects": ["collage?size=192"], "strategies": ["base", "guard:rewrite"],
        "instruments": ["ssd", "truth"], "items": [items],
    }  # fmt: skip
    return Experiment.model_validate(table | fields)


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with Store(folder / "store") as opened:
        yield opened


@pytest.fixture(scope="module")
def run(store: Store, items: str) -> RunFolder:
    return execute(plan(_experiment(items, name="mine")), store).run


@pytest.fixture(scope="module")
def bundle(run: RunFolder, folder: Path) -> Path:
    return write_bundle(run, score(run)[1].as_json(), folder / "b.zip")


def test_a_run_is_frozen_and_is_an_experiment_file(run: RunFolder, items: str) -> None:
    again, resolved = read_experiment(run.asked)
    assert again == _experiment(items, name="mine")
    assert resolved["cells"] == 24 and resolved["items_count"] == 12 and len(resolved["question"]["identities"]) == 3
    assert resolved["measured_on"].startswith("simile@mine#")
    assert run.items.read_text("utf-8") == dump_items(simile(f"i-{v}", v) for v in WORDS)
    assert len(run.cells()) == 24


def test_the_same_question_has_the_same_name_and_another_has_another(items: str) -> None:
    one, two = (
        plan(_experiment(items)),
        plan(_experiment(items, subjects=["collage?size=192"], strategies=["base?", "guard:rewrite"])),
    )
    assert one.run_name == two.run_name != plan(_experiment(items, seeds=[43])).run_name
    assert plan(_experiment(items, name="x")).question() == one.question()
    near, far = (
        plan(_experiment(items, instruments=[f"vllm:j?base_url=http://127.0.0.1:{port}/v1&concurrency={port}"]))
        for port in (1, 2)
    )
    assert near.question() == far.question()  # how a judge is reached is no part of what is asked


def test_a_name_is_never_taken_over_by_another_question(run: RunFolder, store: Store, items: str) -> None:
    assert execute(plan(_experiment(items, name="mine")), store).tally.asked.total() == 0
    with pytest.raises(UsageError, match="'mine' exists and asked something else"):
        execute(plan(_experiment(items, name="mine", seeds=[43])), store)
    edited = [simile("i-cat", "cat", text="The smoke turns like a cat.")]
    with pytest.raises(UsageError, match="asked something else"):
        execute(plan(_experiment(items, name="mine"), edited), store)


def test_the_truth_is_what_collage_was_told(run: RunFolder) -> None:
    _, scores = score(run)
    rows = {tuple(row[1:3]): row[3] for row in scores.tables[0].rows}
    assert rows["base", "truth"]["value"] == 1.0
    assert rows["guard:rewrite", "truth"]["value"] == 0.0
    assert any("nothing about an image model" in w for w in scores.warnings)


def test_a_bundle_verifies_elsewhere_and_without_a_store(run: RunFolder, bundle: Path, tmp_path: Path) -> None:
    _, scores = score(run)
    assert verify(bundle) > 500
    study, recomputed, carried = score_bundle(bundle)
    assert json.loads(json.dumps(recomputed.as_json())) == carried and len(study.cells) == 24
    small = write_bundle(run, scores.as_json(), tmp_path / "small.zip", pictures=False)
    assert verify(small) > 500 and small.stat().st_size < bundle.stat().st_size / 3
    assert write_bundle(run, scores.as_json(), tmp_path / "c.zip").read_bytes() == bundle.read_bytes()


def _tampered(source: Path, target: Path, name: str, change: Any) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            match = info.filename == name or (name.endswith("/") and info.filename.startswith(name))
            if (changed := change(data) if match else data) is not None:
                new.writestr(info, changed)
    return target


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("scores.json", lambda d: d.replace(b'"value": 1.0', b'"value": 0.9', 1), "does not verify: 1 values differ"),
        ("records.jsonl", lambda d: d.replace(b'"score": 0.', b'"score": 0.1', 30), "does not verify"),
        ("cells.jsonl", lambda d: d[: len(d) // 2], "not a Trope bundle, or damaged|does not verify"),
        ("items.jsonl", lambda d: d.replace(b'"i-cat"', b'"i-tac"'), "items.jsonl was edited"),
        ("items.jsonl", lambda d: d.replace(b"cloud", b"crowd"), "items.jsonl was edited"),
        ("run.toml", lambda d: d.replace(b"42", b"43"), "run.toml was edited|cells are not"),
        ("run.toml", lambda d: d.replace(b"ssd", b"sdd"), "run.toml was edited|no observation"),
        ("run.toml", lambda d: d[: d.index(b"[resolved.kinds]")], "lacks what a run wrote"),
        ("records.jsonl", lambda d: d.replace(b'"status": "ok"', b'"status": "wow"', 1), "has status 'wow'"),
        ("records.jsonl", lambda d: d.replace(b'"status": "ok"', b'"status": "blank"'), "which it does not show"),
        ("cells.jsonl", lambda d: d.replace(b'"base", 42', b'"base", 41', 1), "cells are not those"),
        ("bundle.json", lambda d: d.replace(b"bundle-1", b"bundle-9"), "format 'trope-bundle-9'"),
        ("run.toml", lambda _: None, "damaged"),
        ("images/", lambda _: None, "is missing"),
    ],
)
def test_tampering_is_found(bundle: Path, tmp_path: Path, name: str, change: Any, message: str) -> None:
    with pytest.raises(TropeError, match=message):
        verify(_tampered(bundle, tmp_path / "t.zip", name, change))


def test_a_swapped_picture_is_found(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as opened:
        one, two = [n for n in opened.namelist() if n.startswith("images/")][:2]
        other = opened.read(two)
    with pytest.raises(BundleError, match="is not the one its name says"):
        verify(_tampered(bundle, tmp_path / "t.zip", one, lambda _: other))


def test_what_is_no_bundle_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"hello")
    with pytest.raises(BundleError, match="not a Trope bundle"):
        verify(tmp_path / "x.zip")
    with pytest.raises(BundleError, match="no bundle at"):
        verify(tmp_path / "none.zip")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"subjects": ["colage"]}, UnknownName, "Did you mean 'collage'"),
        ({"subjects": ["collage?sise=3"]}, UsageError, "has no option 'sise'.*Did you mean 'size'"),
        ({"subjects": ["collage?size=big"]}, UsageError, "Expected: a number"),
        ({"subjects": ["collage", "collage?size=768"]}, UsageError, "'collage' is given twice"),
        ({"strategies": ["random", "random?gate=ssd"]}, UsageError, "'random.gate=ssd' is given twice"),
        ({"instruments": ["sdd"]}, UnknownName, "Did you mean 'ssd'"),
        ({"strategies": ["random?gate=openai:x"]}, UsageError, "is no detector"),
        ({"items": ["dmo"]}, UnknownName, "Did you mean 'demo'"),
        ({"items": ["nowhere.jsonl"]}, ItemError, "no items at"),
        ({"protocol": "vist"}, UnknownName, "no protocol 'vist'"),
    ],
)
def test_wrong_names_are_found_before_anything_is_asked(
    items: str, change: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        plan(Experiment.model_validate({**_experiment(items).model_dump(exclude_none=True), **change}))


def test_an_empty_file_of_items_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n\n", "utf-8")
    with pytest.raises(UsageError, match="no items"):
        plan(_experiment(str(path)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("protocol = 'simile'\nsubject = ['collage']", r"subject: .*Did you mean 'subjects'"),
        ("protocol = 'simile'", "subjects: field required"),
        ("protocol = ", "experiment file"),
        ("seeds = ['a']", "seeds|protocol"),
        (
            "protocol = 'simile'\nsubjects = ['a', 'a']\nstrategies = ['b']\ninstruments = ['c']\nitems = ['d']",
            "'a' is given twice",
        ),
        ("protocol = 'simile'\nresolved = 3", "resolved = 3"),
    ],
)
def test_a_wrong_experiment_file_names_the_field(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        read_experiment(path)


def test_editing_a_run_is_noticed(run: RunFolder) -> None:
    for path, old, new in ((run.items, "cloud", "crowd"), (run.asked, "seeds = [\n    42,\n]", "seeds = [43]")):
        before = path.read_text("utf-8")
        assert old in before
        path.write_text(before.replace(old, new), "utf-8")
        with pytest.raises(StoreError, match=f"{path.name} was edited after the run"):
            score(run)
        path.write_text(before, "utf-8")
    score(run)


def test_a_bundle_shows_how_everything_came_about(run: RunFolder, bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as opened:
        lines = [json.loads(line) for line in opened.read("provenance.jsonl").decode().splitlines()]
    assert {"ssd", "truth"} <= {str(line["identity"].get("detector")) for line in lines}
    assert all(line["request"] and line["made_at"] for line in lines)
    assert {line["key"] for line in lines} == set().union(*(cell.keys() for cell in run.cells()))


def test_run_toml_is_plain_toml(run: RunFolder) -> None:
    table = tomllib.loads(run.asked.read_text("utf-8"))
    assert table["protocol"] == "simile" and table["resolved"]["kinds"] == {"ssd": "detector", "truth": "detector"}
