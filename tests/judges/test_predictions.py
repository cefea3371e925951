"""Prediction files: the schema, keys that follow the content, and what is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from trope.errors import TropeError, UsageError
from trope.judges import JUDGES
from trope.judges.predictions import Predictions, read_predictions
from trope.requests import Ask, Job, Prompt, Reply

PROMPT = Prompt("", json.loads)


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_json_lines_csv_and_tsv_say_the_same(tmp_path: Path) -> None:
    rows = [{"id": "a", "metaphor": "Yes", "target": "太阳能农场"}, {"id": "b", "metaphor": "No", "target": "None"}]
    lines = written(tmp_path, "p.jsonl", "\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n\n")
    comma = written(tmp_path, "p.csv", "\ufeffid,metaphor,target\na,Yes,太阳能农场\nb,No,None\n")
    tabs = written(tmp_path, "p.tsv", "item_id\tMetaphorOccurrence\tTarget\na\tYes\t太阳能农场\nb\tNo\tNone\n")
    found = [read_predictions(path) for path in (lines, comma, tabs)]
    assert found[0] == found[1] == found[2]
    assert json.loads(found[0]["a"]) == {"metaphor": "Yes", "target": "太阳能农场"}


def test_an_empty_cell_is_a_field_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, "p.csv", "id,metaphor,target\na,Yes,\n")
    assert json.loads(read_predictions(path)["a"]) == {"metaphor": "Yes"}


def test_a_reply_word_for_word_goes_before_other_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "p.jsonl", json.dumps({"id": "a", "reply": "Sure: {", "metaphor": "Yes"}))
    assert read_predictions(path) == {"a": "Sure: {"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.jsonl", '{"metaphor": "Yes"}', "p.jsonl, line 1: no id"),
        ("p.jsonl", '{"id": "a"}\n{"id": "a"}', "line 2: id 'a' has a row already"),
        ("p.jsonl", '{"id": "a"\n', "line 1: not JSON"),
        ("p.jsonl", "[1]\n", "line 1: expected an object, got list"),
        ("p.csv", "id,target,Target\na,b,c\n", "two columns mean 'target'"),
        ("p.csv", "", "is empty"),
        ("p.txt", "a", "unknown kind of file '.txt'"),
        ("p.jsonl", '{"id": "a", "metaphor": "Yes", "metaphor": "No"}', "'metaphor' is there twice"),
        ("p.csv", "id,metaphr,sentiment\na,Yes,Positive\n", "column 'metaphr' is no field. Did you mean 'metaphor'"),
        (
            "p.csv",
            "id,answer\na,Yes\n",
            "no column is a field of a reply. Fields: metaphor, target.* There are: id, answer",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(TropeError, match=message):
        read_predictions(written(tmp_path, name, text))


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes("id,target\na,太阳\n".encode("gb18030"))
    with pytest.raises(TropeError, match="p.csv"):
        read_predictions(path)
    with pytest.raises(UsageError, match=r"predictions:.*p\.csv\?encoding=gb18030"):
        Predictions(str(path))
    read = JUDGES.create(f"predictions:{path}?encoding=gb18030")
    assert read.name == "predictions:p" and json.loads(read.replies["a"]) == {"target": "太阳"}  # type: ignore[attr-defined]


def test_columns_that_only_look_like_a_field_are_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, "p.csv", "id,text,confidence,metaphor,sentiment,metaphors\na,Love,0.5,Yes,Positive,2\n")
    assert json.loads(read_predictions(path)["a"])["metaphor"] == "Yes"


def test_a_subject_of_its_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "clip.jsonl", '{"id": "a", "metaphor": "Yes"}\n{"id": "z", "metaphor": "No"}\n')
    subject = JUDGES.create(f"predictions:{path}")
    assert (
        subject.name == "predictions:clip"
        and JUDGES.create(f"predictions:{path}?label=CLIP").name == "predictions:CLIP"
    )
    assert subject.prepare(["a", "b"], lambda p: "") == [
        "predictions:clip: 1 rows belong to no item, e.g. 'z'", "predictions:clip: 1 items have no row, e.g. 'b'",
    ]  # fmt: skip

    def ask(item: str, request: Any) -> Any:
        return asyncio.run(subject.perform([Job("k", request, 42, item)]))[0]

    assert ask("a", Reply(PROMPT)).raw == '{"metaphor": "Yes"}'
    missing = ask("b", Reply(PROMPT))
    assert missing.status == "not_applicable" and "no row for item 'b'" in missing.reason
    with pytest.raises(UsageError, match="it cannot judge"):
        ask("a", Ask(None, "x", PROMPT))
    with pytest.raises(UsageError, match="no such file"):
        JUDGES.create("predictions:nothing.jsonl")


def test_keys_follow_the_rows_not_the_file(tmp_path: Path) -> None:
    one = JUDGES.create(f"predictions:{written(tmp_path, 'p.jsonl', json.dumps({'id': 'a', 'metaphor': 'Yes'}))}")
    (tmp_path / "there").mkdir()
    two = JUDGES.create(
        f"predictions:{written(tmp_path / 'there', 'p.jsonl', json.dumps({'id': 'a', 'metaphor': 'Yes'}))}"
    )
    three = JUDGES.create(f"predictions:{written(tmp_path, 'p.jsonl', json.dumps({'id': 'a', 'metaphor': 'No'}))}")
    keys = [backend.key(Reply(PROMPT), 42, "a") for backend in (one, two, three)]
    assert keys[0] == keys[1] != keys[2]
    assert one.key(Reply(Prompt("another wording", json.loads)), 7, "a") == keys[0]
