"""The sets that ship: no rule is broken, the hashes stand, the datasheet says what is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from trope.errors import ItemError, UnknownName
from trope.items import SETS, check_rules, dump_items, items_digest, load_items, load_set
from trope.items.rules.duplicates import RULES
from trope.items.sets import FOLDER

COUNTS = {"demo": 40, "simile": 1120, "literal": 200, "vista": 480, "passages": 60, "vmetaphor": 240, "m3r-demo": 24}
CANARY = json.loads((FOLDER / "canary.json").read_text("utf-8"))


@pytest.mark.parametrize("name", list(SETS))
def test_no_rule_is_broken(name: str) -> None:
    items = load_set(name)
    assert len(items) == COUNTS[name]
    found = check_rules(items, SETS[name].rules)
    assert {rule: list(map(str, of)) for rule, of in found.items() if of} == {}


def test_no_text_is_in_two_sets() -> None:
    items = load_items([name for name in SETS if name != "demo"])
    assert [str(problem) for rule in RULES for problem in rule.problems(items)] == []


@pytest.mark.parametrize("name", [name for name in SETS if SETS[name].ids is None])
def test_files_are_what_the_writer_writes_and_hash_as_recorded(name: str) -> None:
    raw = (FOLDER / SETS[name].file).read_bytes()
    items = load_set(name)
    assert dump_items(items).encode() == raw
    assert [item.id for item in items] == sorted(item.id for item in items)
    assert items_digest(items) == CANARY["sets"][name]
    assert items_digest(items) in (FOLDER / "DATASHEET.md").read_text("utf-8")
    assert b"\r" not in raw and not raw.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("name", list(SETS))
def test_nobody_is_said_to_have_verified_what_nobody_has(name: str) -> None:
    assert not any(item.verified_by for item in load_set(name))
    assert {item.split for item in load_set(name)} == {"synthetic-demo" if name == "m3r-demo" else "core-1"}


def test_the_canary_is_beside_the_items_and_in_the_datasheet() -> None:
    assert re.fullmatch(r"trope-core-1 canary [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", CANARY["canary"])
    assert CANARY["canary"] in (FOLDER / "DATASHEET.md").read_text("utf-8")
    assert "https://creativecommons.org/licenses/by/4.0/" in (FOLDER / "LICENSE").read_text("utf-8")
    for name in SETS:
        assert CANARY["canary"].split()[-1] not in dump_items(load_set(name))


def test_demo_is_a_selection_of_simile() -> None:
    demo, whole = load_set("demo"), load_set("simile")
    assert all(item in whole for item in demo)
    assert len({item.cluster["vehicle"] for item in demo}) == len(demo)
    templates = Counter(item.cluster["template"] for item in demo)
    assert len(templates) == 14 and max(templates.values()) <= 4


def test_the_demo_can_be_drawn() -> None:
    from trope.data.coco import mentions
    from trope.generators.collage import cutouts

    for item in load_set("demo"):
        assert item.figure is not None
        assert item.figure.vehicle_class in cutouts()
        assert item.figure.vehicle_class in {name for _, _, name in mentions(item.text)}


def test_sources_are_sets_or_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "a", "lang": "en", "text": "A pond."}\n', "utf-8")
    assert len(load_items(["demo", str(path)])) == 41
    with pytest.raises(ItemError, match="is in both 'demo' and 'simile'; ids are unique"):
        load_items(["demo", "simile"])
    with pytest.raises(UnknownName, match=r"no item set 'similes'. Did you mean 'simile'"):
        load_items(["similes"])


def test_a_selection_that_names_a_missing_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "simile.jsonl").write_text('{"id": "a", "lang": "en", "text": "A pond."}\n', "utf-8")
    (tmp_path / "demo.txt").write_text("a\nb\n", "utf-8")
    monkeypatch.setattr("trope.items.sets.FOLDER", tmp_path)
    with pytest.raises(ItemError, match=r"demo.txt: id 'b' is not in simile.jsonl"):
        load_set("demo")
