"""CSV and Label Studio, both ways; whatever is malformed is refused, and then nothing is stored."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.people.served import copy_of, items, new_study, study
from tests.people.test_serving import records
from trope.items import dump_items, read_items
from trope.people.interchange.table import _bare, _safe

EMAIL = "anna@example.org"


def blank(folder: Path, name: str = "s") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(study("export", name, "--format", "blank", cwd=folder))))


def write(folder: Path, rows: list[dict[str, str]], name: str = "in.csv") -> str:
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return name


def test_a_sheet_goes_out_and_comes_back(folder: Path) -> None:
    new_study(folder, "s", "--run", "run", "--raters", "anna,bob", "--per-output", "2")
    rows = blank(folder)
    assert len(rows) == 44 and all(row["Q1"] == "" for row in rows)
    for n, row in enumerate(rows):
        row["Q1"] = "ABC"[n % 3] if n % 4 else ""  # some stay open
    filled = sum(bool(row["Q1"]) for row in rows)
    assert f"{filled} answers stored, 0 were there" in study("import", "s", write(folder, rows), cwd=folder)
    assert f"0 answers stored, {filled} were there" in study("import", "s", "in.csv", cwd=folder)
    assert len(records(folder)) == filled
    out = list(csv.DictReader(io.StringIO(study("export", "s", cwd=folder))))
    assert len(out) == filled and {row["field"] for row in out} == {"Q1"}
    assert {(r["rater"], r["task"]): r["answer"] for r in out} == {
        (r["rater"], r["task"]): r["Q1"] for r in rows if r["Q1"]
    }
    study("export", "s", "--out", "answers.csv", cwd=folder)
    assert f"0 answers stored, {filled} were there" in study(
        "import", "s", "answers.csv", cwd=folder
    )  # an export reads back
    assert [row["Q1"] for row in blank(folder)] == [row["Q1"] for row in rows]  # blank sheets show what is answered
    rows[1]["Q1"] = "C" if rows[1]["Q1"] != "C" else "A"
    assert "1 answers stored" in study("import", "s", write(folder, rows), cwd=folder)  # a change supersedes
    assert len(records(folder)) == filled + 1


@pytest.fixture(scope="module")
def refusing(made_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One study for all that is refused: none of it may leave an answer in it."""
    folder = copy_of(made_run, tmp_path_factory.mktemp("refusing"))
    new_study(folder, "s", "--run", "run", "--raters", "anna,bob")
    return folder


Change = Callable[[list[dict[str, str]]], Any]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda rows: rows[0].update(Q1="D"), "none of A/B/C"),
        (lambda rows: rows[0].update(rater="zoe"), "no rater 'zoe'"),
        (lambda rows: rows[0].update(task="../../etc/passwd"), "no task"),
        (lambda rows: rows.append(rows[0]), "twice"),
        (lambda rows: [row.update(Q2="A") for row in rows], "was not asked"),
        (lambda rows: rows[0].update(rater="bob" if rows[0]["rater"] == "anna" else "anna"), "was not given to rater"),
    ],
)
def test_bad_rows_are_refused_together(refusing: Path, change: Change, why: str) -> None:
    folder = refusing
    rows = blank(folder)
    for row in rows:
        row["Q1"] = "A"
    change(rows)
    said = study("import", "s", write(folder, rows), cwd=folder, fails=True)
    assert why in said and "nothing was stored" in said
    assert not records(folder)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00", b"a,b\n1,2\n", b"rater,task,Q1,Q1\n", b'rater,task,Q1\nanna,"x', b"rater,task,Q1\nanna,x\n"],
)
def test_what_is_no_table_is_refused(refusing: Path, data: bytes) -> None:
    folder = refusing
    (folder / "in.csv").write_bytes(data)
    assert "in.csv" in study("import", "s", "in.csv", cwd=folder, fails=True) and not records(folder)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "'=1", "plain", "", "'", "\tx"])
def test_formulas_are_defused_and_read_back(text: str) -> None:
    assert not _safe(text).startswith(("=", "+", "-", "@", "\t"))
    assert _bare(_safe(text)) == text


def _results(project: Path, letter: str = "A", by: Any = None) -> list[dict[str, Any]]:
    """What Label Studio exports once somebody has annotated every task."""
    made = []
    for n, task in enumerate(json.loads((project / "tasks.json").read_text("utf-8")), 1):
        chosen = next(o["alias"] if n % 2 else o["value"] for o in task["data"]["options_0"] if o["alias"] == letter)
        result = {"id": "x", "from_name": "Q1", "to_name": "text", "type": "choices", "value": {"choices": [chosen]}}
        annotation = {
            "completed_by": by or {"id": 1, "email": EMAIL},
            "result": [result],
            "was_cancelled": False,
            "lead_time": 3.5,
        }
        made.append({"id": n, "data": task["data"], "annotations": [annotation]})
    return made


def test_label_studio_there_and_back(folder: Path) -> None:
    new_study(folder, "s", "--run", "run", "--raters", "anna")
    out = study("export", "s", "--format", "label-studio", "--out", "project", "--lang", "ja", cwd=folder)
    project = folder / out.strip()
    config = ET.fromstring((project / "config.xml").read_text("utf-8"))
    names = {e.attrib["name"] for e in config if "name" in e.attrib}
    assert all(e.attrib["toName"] in names for e in config if "toName" in e.attrib)
    tasks = json.loads((project / "tasks.json").read_text("utf-8"))
    used = {e.attrib["value"][1:] for e in config if e.attrib.get("value", "").startswith("$")}
    for task in tasks:
        assert used <= task["data"].keys()
        assert (project / task["data"]["image"].partition("?d=")[2]).is_file()
        assert "collage" not in json.dumps(task) and "guard" not in json.dumps(task)
    (folder / "out.json").write_text(json.dumps(_results(project)), "utf-8")
    said = study("import", "s", "out.json", "--annotator", f"{EMAIL}=anna", cwd=folder)
    assert "22 answers stored" in said
    assert {raw for _, _, raw in records(folder)} == {"Q1: A"}
    (folder / "out.json").write_text(json.dumps(_results(project, "B", by=7)), "utf-8")
    assert "22 answers stored" in study("import", "s", "out.json", "--annotator", "7=anna", cwd=folder)
    assert "not empty" in study("export", "s", "--format", "label-studio", "--out", "project", cwd=folder, fails=True)


def test_a_verification_in_label_studio(folder: Path) -> None:
    """What the annotator does not touch is not in the results, and stands; proposals are told, under blind names."""
    _to_verify(folder)
    new_study(folder, "v", "--verify", "v.jsonl", "--proposals", "p.jsonl", "--raters", "anna")
    study("export", "v", "--format", "label-studio", "--out", "project", cwd=folder)
    tasks = json.loads((folder / "project" / "verify" / "tasks.json").read_text("utf-8"))
    assert all("Proposal A\nground: it curls" in task["data"]["about"] for task in tasks)
    fields = list(tasks[0]["data"]["trope_fields"])

    def chosen(task: dict[str, Any], field: str, alias: str) -> dict[str, Any]:
        options = task["data"][f"options_{fields.index(field)}"]
        value = next(o["value"] for o in options if o["alias"] == alias)
        return {"from_name": field, "type": "choices", "value": {"choices": [value]}}

    results = []
    for task, decision in zip(tasks, ("accept", "take-0", "edit", "reject"), strict=True):
        result = [chosen(task, "decision", decision)]
        if decision == "edit":
            result.append(chosen(task, "figures.0.form", ""))
            result.append({"from_name": "figures.0.tenor", "type": "textarea", "value": {"text": ["mist"]}})
        results.append({"data": task["data"], "annotations": [{"completed_by": 1, "result": result}]})
    (folder / "out.json").write_text(json.dumps(results), "utf-8")
    assert "4 answers stored" in study("import", "v", "out.json", "--annotator", "1=anna", cwd=folder)
    said = [json.loads(str(raw)) for _, _, raw in records(folder)]
    assert [s["decision"] for s in said] == ["accept", "take-0", "edit", "reject"]
    assert [s["edits"] for s in said] == [{}, {}, {"figures.0.tenor": "mist", "figures.0.form": ""}, {}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("{}", "expected a list"),
        ("[" * 100_000, "no JSON"),
        ("[1]", "task 1"),
        ('[{"data":{"trope_task":"x"},"annotations":[{"completed_by":1,"result":[]}]}]', "is nobody's"),
        ('[{"data":{"trope_task":"x"},"annotations":[{"completed_by":9,"result":[]}]}]', "no task"),
        ('[{"data":{"trope_task":"x"},"annotations":[{"completed_by":9,"result":[{"from_name":"Q1","type":"brush","value":{}}]}]}]', "control of type"),
        ('[{"data":{},"annotations":[]}]', "not as Label Studio"),
    ],
)  # fmt: skip
def test_malformed_results_are_refused(refusing: Path, text: str, why: str) -> None:
    folder = refusing
    (folder / "out.json").write_text(text, "utf-8")
    assert why in study("import", "s", "out.json", "--annotator", "9=anna", cwd=folder, fails=True)
    assert not records(folder)


def _to_verify(folder: Path) -> None:
    (folder / "v.jsonl").write_text(dump_items(items()[:4]), "utf-8")
    figures = [item.figures[0].model_copy(update={"ground": "it curls"}) for item in items()[:4]]
    changed = [item.model_copy(update={"figures": (f,)}) for item, f in zip(items()[:4], figures, strict=True)]
    (folder / "p.jsonl").write_text(dump_items(changed), "utf-8")


def test_a_verification_goes_out_and_in_and_is_adjudicated(folder: Path) -> None:
    _to_verify(folder)
    raters = "anna,bob"
    new_study(folder, "v", "--verify", "v.jsonl", "--proposals", "p.jsonl", "--raters", raters, "--per-output", "2")
    rows = blank(folder, "v")
    assert len(rows) == 8 and all(row["text"] and not row["decision"] for row in rows)  # fields stand as they are
    assert "0 answers stored" in study("import", "v", write(folder, rows), cwd=folder)  # nothing was decided
    first = rows[0]["task"]
    for row in rows:
        row["decision"] = "accept" if row["task"] != first or row["rater"] == "bob" else "edit"
        if row["decision"] == "edit":
            row["figures.0.tenor"] = "mist"
    name = write(folder, rows, "<img src=x onerror=alert(1)>.csv")
    assert "8 answers stored" in study("import", "v", name, cwd=folder)
    study("export", "v", "--format", "items", "--out", "agreed.jsonl", cwd=folder)
    agreed = read_items(folder / "agreed.jsonl")
    assert len(agreed) == 3 and all(item.verified_by == ("anna", "bob") for item in agreed)
    new_study(folder, "j", "--adjudicate", "v", "--raters", "judy")
    (row,) = blank(folder, "j")
    row["decision"] = "take-0"
    for field in [name for name in row if name.startswith("figures")]:
        row[field] = "mist" if field == "figures.0.tenor" else row[field]
    assert "1 answers stored" in study("import", "j", write(folder, [row]), cwd=folder)
    (decided,) = [raw for who, _, raw in records(folder) if who == "person:judy?role=adjudicator"]
    assert json.loads(str(decided))["decision"] == "take-0"
    study("export", "v", "--format", "items", "--out", "decided.jsonl", cwd=folder)
    found = {item.verified_by: item.figures[0].tenor for item in read_items(folder / "decided.jsonl")}
    assert found == {("anna", "bob"): "cloud", ("judy",): "mist"}
    assert "export that one" in study("export", "j", "--format", "items", cwd=folder, fails=True)
    assert "agree on everything" in study("new", "k", "--adjudicate", "j", "--raters", "x", cwd=folder, fails=True)
