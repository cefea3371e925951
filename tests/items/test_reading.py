"""Items from JSON lines and JSON, and back; whole error messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.items.helpers import file, item, kinds
from trope.errors import ItemError
from trope.items import How, dump_items, inspect_items, items_digest, parse_items, read_items

ONE = '{"id": "a", "lang": "en", "text": "A quiet pond."}\n'


def test_round_trip() -> None:
    items = [item("a"), item("b", "zh"), item("c", "ja"), item("d", "ar")]
    assert parse_items(dump_items(items), "x") == items
    assert dump_items(parse_items(dump_items(items), "x")) == dump_items(items)


def test_the_digest_is_of_the_items_not_of_their_order() -> None:
    items = [item("a"), item("b")]
    assert items_digest(items) == items_digest(items[::-1])
    assert items_digest(items) != items_digest(items[:1])
    assert items_digest([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_blank_lines_and_crlf_are_nothing() -> None:
    assert len(parse_items(ONE.replace("\n", "\r\n") + "\r\n\n" + ONE.replace('"a"', '"b"'), "x")) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "x, line 2: not JSON: Expecting property name enclosed in double quotes at character 2 [format]"),
        ('{"id": ' + "9" * 5000 + "}", "x, line 2: not JSON: a number of more digits than are read [format]"),
        ("[1]", "x, line 2: '[1]': is a list. Expected an object with the fields of an item [schema]"),
        ('{"id": "b", "lang": "en"}', "x, line 2: text: field required [schema]"),
        ('{"id": "b", "lang": "en", "textt": "A pond."}',
         "x, line 2: text: field required [schema] (and 1 more: `trope items validate x` lists all)"),
        ('{"id": "b", "lang": "fr", "text": "Un étang."}',
         "x, line 2: lang: 'fr': input should be 'en', 'zh', 'ja' or 'ar' [schema]"),
        ('{"id": "b", "lang": "en", "text": "A pond.", "figures": [{"vehicle": "x", "vehicel": "y"}]}',
         "x, line 2: figures.0.vehicel: unknown field. Did you mean 'vehicle'? [schema]"),
        ('{"id": "b", "id": "c", "lang": "en", "text": "A pond."}',
         "x, line 2: id: the field is there twice in one object [schema]"),
        ('{"id": "a", "lang": "en", "text": "A quiet pond."}',
         "x, line 2: id: 'a': was used in line 1, with the same values; ids are unique [duplicate-id]"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line(line: str, said: str) -> None:
    with pytest.raises(ItemError) as error:
        parse_items(ONE + line + "\n", "x")
    assert str(error.value) == said


def test_duplicate_ids_with_conflicting_labels_say_where_they_differ() -> None:
    first = dump_items([item("a")])
    second = dump_items([item("a", figure={"form": "metaphor"}, labels={"kind": "k"})])
    with pytest.raises(ItemError) as error:
        parse_items(first + second, "x")
    assert str(error.value) == (
        "x, line 2: id: 'a': was used in line 1, with other values (figures.0.form 'simile' there, 'metaphor' here;"
        " labels.kind None there, 'k' here); ids are unique [duplicate-id]"
    )


def test_every_bad_line_is_reported_and_the_good_ones_are_read(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", ONE + "{\n" + '{"id": "b"}\n' + ONE.replace('"a"', '"z"'))
    read = inspect_items(path)
    assert [i.id for i in read.items] == ["a", "z"]
    assert [f.where for f in read.findings] == ["a.jsonl, line 2", "a.jsonl, line 3", "a.jsonl, line 3"]
    assert read.places == {"a": "a.jsonl, line 1", "z": "a.jsonl, line 4"}


@pytest.mark.parametrize("wrapper", [None, "items", "data"])
def test_json_lists(wrapper: str | None, tmp_path: Path) -> None:
    rows = [json.loads(ONE), {"id": "b", "lang": "en", "text": "A pond."}]
    path = file(tmp_path, "a.json", json.dumps(rows if wrapper is None else {wrapper: rows}))
    read = inspect_items(path)
    assert [i.id for i in read.items] == ["a", "b"]
    assert read.places["b"] == "a.json, item 2"


def test_json_that_is_no_list(tmp_path: Path) -> None:
    read = inspect_items(file(tmp_path, "a.json", '{"id": "a"}'))
    assert str(read.findings[0]) == "a.json: is an object. Expected a list of items [format]"
    assert kinds(inspect_items(file(tmp_path, "b.json", "3")).findings) == ["format"]
    assert kinds(inspect_items(file(tmp_path, "c.json", "[" * 100_000)).findings) == ["format"]


def test_flat_json_objects_are_rows_of_a_table(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "sentence": "Fog like wool.", "source": "wool", "target": "fog", "lang": "en", "extra": {"a": 1}},
        {"id": 8, "sentence": "Rain like glass.", "source": ["glass", "string"], "target": "rain", "lang": "en"},
    ]
    read = inspect_items(file(tmp_path, "a.jsonl", "".join(json.dumps(r) + "\n" for r in rows)))
    assert [i.id for i in read.items] == ["7"]
    assert read.items[0].figures[0].vehicle == "wool"
    assert read.columns["source"] == "vehicle"
    assert "holds lists or objects; it is not read" in " ".join(str(f) for f in read.findings)
    assert [str(f) for f in read.findings if f.level == "fatal"] == [
        "a.jsonl, line 2: vehicle: 'glass; string': holds 2 vehicles ('glass', 'string'). Give each a row of its own,"
        " or read each as a figure: --several split [several-vehicles]"
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.jsonl", "no items at"),
        ("a.txt", "unknown kind of file '.txt'. Expected: .jsonl, .ndjson, .json, .csv, .tsv, .tab, .xlsx"),
        ("a.xls", "the old Excel format is not read. Save it as .xlsx, or as UTF-8 CSV"),
        ("folder.csv", "is a folder. Expected: a file of items"),
    ],
)
def test_files_that_cannot_be_read(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ItemError) as error:
        read_items(tmp_path / name)
    assert said in str(error.value)


def test_changed_values_are_said_aloud(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = file(tmp_path, "a.csv", "id,text,lang,form,vehicle\n1,Fog like wool.,en,Simile,wool \n2,Rain.,en,,None\n")
    assert len(read_items(path)) == 2
    assert caplog.records[0].name == "trope.items"
    assert caplog.messages[0].startswith(
        "a.csv: 3 values were changed while reading (label-spelling 1, outer-space 1, missing-mark 1). "
    )


def test_how_is_for_tables_only_in_what_it_can_do(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", '{"id": "a", "lang": "en", "phrase": "Fog."}\n')
    assert read_items(path, How(columns={"phrase": "text"}))[0].text == "Fog."
