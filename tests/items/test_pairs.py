"""Image-text pairs with m3r's labels: read from tables, and every fault found with a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import trope
from trope.items import inspect_items, load_set, read_items
from trope.items.rules import rules_for

HEAD = "id,image,text,lang,metaphor,target,source,sentiment,evidence,mapping,justification\n"


def _problems(path: Path) -> dict[str, list[str]]:
    items = read_items(path)
    found = {rule.name: [p.item for p in rule.problems(items)] for rule in rules_for("m3r")}
    return {name: ids for name, ids in found.items() if ids}


def test_a_table_of_pairs_becomes_items(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        HEAD
        + "a,1.png,Time is money,en,yes,time,money,NEUTRAL,a clock of coins,time as money,plain\nb,2.png,A chair,en,0,None,None,Positive,a chair,,nice\n",
        "utf-8",
    )
    one, other = read_items(path)
    assert one.labels == {"metaphor": "Yes", "sentiment": "Neutral"} and one.image == "1.png"
    assert one.figure is not None and (one.figure.tenor, one.figure.vehicle) == ("time", "money")
    assert one.references == {"ITE": "a clock of coins", "MC": "time as money", "SJ": "plain"}
    assert other.labels["metaphor"] == "No" and other.figures == () and "MC" not in other.references
    changed = [f.value for f in inspect_items(path).findings if f.kind == "label-spelling"]
    assert changed == ["yes", "NEUTRAL", "0"] and _problems(path) == {}


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("a,1.png,Love,en,Yes,love,love,Neutral,,,", "concepts"),
        ("a,1.png,Life,en,Yes,life; days,race,Neutral,,,", "concepts"),
        ("a,1.png,Life,en,Yes,,,Neutral,,,", "mapping"),
        ("a,1.png,Life,en,No,life,race,Neutral,,,", "mapping"),
        ("a,,Life,en,No,,,Neutral,,,", "m3r-labels"),
        ("a,1.png,Life,en,No,,,,,,", "m3r-labels"),
        ("a,1.png,Life,en,No,,,Neutral,e,m,j", "references"),
    ],
)
def test_every_fault_is_found(tmp_path: Path, row: str, rule: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + row + "\n", "utf-8")
    assert _problems(path) == {rule: ["a"]}


def test_labels_that_are_none_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id,text,lang,metaphor,sentiment\na,Life,en,Yes,3\nb,Life here,en,a ship,Positive\n", "utf-8")
    read = inspect_items(path)
    assert [f.value for f in read.findings if f.level == "fatal"] == ["3", "a ship"] and not read.items
    assert all("--column NAME=-" in f.why for f in read.findings if f.level == "fatal")


def test_exchanged_columns_of_one_language_and_conflicting_ids_are_reported(tmp_path: Path) -> None:
    en = "".join(
        f"e{n},{n}.png,{t} is {s} {n},en,Yes,{t},{s},Neutral,,,\n"
        for n, (t, s) in enumerate([("time", "gold"), ("love", "war"), ("life", "road")])
    )
    zh = "".join(
        f"z{n},{n}.png,图文{n},zh,Yes,{s},{t},Neutral,,,\n"
        for n, (t, s) in enumerate([("time", "gold"), ("love", "war"), ("life", "road")])
    )
    (tmp_path / "en.csv").write_text(HEAD + en, "utf-8")
    (tmp_path / "zh.csv").write_text(HEAD + zh + "z0,9.png,别的,zh,No,,,Positive,,,\n", "utf-8")
    done = trope("items", "validate", "en.csv", "zh.csv", "--rules", "m3r", cwd=tmp_path, check=False)
    assert done.returncode == 1 and "swapped-languages  1" in done.stdout and "look exchanged" in done.stderr
    assert "duplicate-id: 1" in done.stdout and "labels.metaphor 'Yes' there, 'No' here" in done.stderr


def test_the_demonstration_set_keeps_the_rules() -> None:
    items = load_set("m3r-demo")
    assert [p for rule in rules_for("m3r") for p in rule.problems(items)] == []
