"""Labels of image-text pairs, the whole way: annotators disagree, people decide on pages, items come out."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest
from PIL import Image

from tests.people.served import Client, command, hidden, new_study, serving, study
from trope.items import load_items, read_items
from trope.people.design import StudyFolder
from trope.people.frame import frame_of
from trope.protocols.m3r.labels import Labels, gold
from trope.store import Store

YES, NO = ("Yes", "time", "river"), ("No", "None", "None")
SAID = {
    "agreed": [(*NO, "Neutral")] * 3,
    "apart": [(*YES, "Neutral"), (*YES, "Negative"), (*NO, "Neutral")],
    "half": [(*YES, "none"), (*YES, "Neutral"), (*YES, "Positive")],
}


def left_to_people(folder: Path) -> list[str]:
    """Write items and three annotators, ask what they agree on, and return what ``trope study new`` takes."""
    lines = []
    for n, id in enumerate([*SAID, "silent"]):
        Image.new("RGB", (64, 48), (60 * n, 90, 120)).save(folder / f"{id}.png")
        lines.append({"id": id, "lang": "en", "text": f"The {id} one runs.", "image": f"{id}.png"})
    (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for n, name in enumerate(("ann", "ben", "cat")):
        rows = [dict(zip(("metaphor", "target", "source", "sentiment"), of[n], strict=True)) for of in SAID.values()]
        said = [json.dumps({"id": id, **row}) + "\n" for id, row in zip(SAID, rows, strict=True)]
        (folder / f"{name}.jsonl").write_text("".join(said), "utf-8")
    files = ("ann.jsonl", "ben.jsonl", "cat.jsonl")
    told = command("items", "agree", *files, "--items", "pairs.jsonl", "--out", "annotated", cwd=folder)
    assert "1 agreed, 3 left to people" in told
    (line,) = [line for line in told.splitlines() if line.startswith("to let people label them:")]
    return line.partition(" NAME ")[2].split()


def test_bad_states_are_refused_and_nothing_typed_is_lost(tmp_path: Path) -> None:
    invited = new_study(tmp_path, "lab", *left_to_people(tmp_path), "--raters", "anna", "--lang", "zh")
    bad = [
        ({}, "没有说明是否为隐喻"),
        ({"0.labels.metaphor": "Yes", "0.figures.0.tenor": "<b>time", "0.labels.sentiment": "Neutral"}, "请填写两者"),
        ({"0.labels.metaphor": "No", "0.figures.0.vehicle": "river", "0.labels.sentiment": "Neutral"}, "请将两者留空"),
        ({"0.labels.metaphor": "No"}, "缺少情感"),
        ({"0.labels.metaphor": "Maybe", "0.labels.sentiment": "Neutral"}, "labels.metaphor"),
    ]
    with serving(tmp_path, "lab") as url:
        anna = Client(url).enter(invited["anna"])
        while (path := anna.next_page()) is not None:
            shown = anna.get(path)
            assert 'value="accept"' not in shown.text and "0.figures.0.tenor" in shown.text
            assert not any(name in shown.text for name in ("ann.jsonl", "proposals-", "ben"))
            (text,) = (said for id in (*SAID, "silent") if (said := f"The {id} one runs.") in shown.text)
            form = {**hidden(shown.text), "0.decision": "edit", "0.reason": "because", "0.text": text}
            for changes, why in bad:
                refused = anna.post(path, form | changes)
                assert refused.status == 422 and why in unescape(refused.text)
                assert "because</textarea>" in refused.text  # and so is whatever else was typed
                if "0.figures.0.tenor" in changes:
                    assert 'value="&lt;b&gt;time"' in refused.text
                    assert 'value="Yes" selected' in refused.text and 'value="Neutral" selected' in refused.text
            right = {"0.labels.metaphor": "No", "0.figures.0.tenor": "无", "0.labels.sentiment": "Negative"}
            assert anna.post(path, form | right).status == 303
    study("export", "lab", "--format", "items", "--out", "out/labeled.jsonl", cwd=tmp_path)
    found = load_items([str(tmp_path / "out/labeled.jsonl")], pictured=True)
    assert {item.id: item.verified_by for item in found} == {id: ("anna",) for id in ("apart", "half", "silent")}
    for item in found:
        assert gold(item) == Labels("No", "None", "None", "Negative")
        with Image.open(str(item.image)) as made, Image.open(tmp_path / f"{item.id}.png") as own:
            assert made.convert("RGB").tobytes() == own.tobytes()
    assert "labels.sentiment" in study("status", "lab", cwd=tmp_path)
    shown = study("export", "lab", "--format", "items", cwd=tmp_path)
    assert shown.count("sha256:") == 3  # on the screen there is no folder to lie in


def test_two_who_say_the_same_in_other_ways_agree(tmp_path: Path) -> None:
    new_study(tmp_path, "lab", *left_to_people(tmp_path), "--raters", "anna")
    with Store(tmp_path / "trope-store") as store:
        found = StudyFolder.find(store, "lab")
        tasks = {t.item.id: t for page in frame_of(found, found.design()).pages().values() for t in page.tasks}
    form = tasks["apart"].form("en")
    place = next(n for n, of in enumerate(form.proposals) if of["labels.sentiment"] == "Negative")
    stands = {f.name: f.value for f in form.fields if f.beside} | {"reason": ""}
    taken = {**stands, "decision": f"take-{place}"}
    typed = {**stands, **form.proposals[place], "decision": "edit"}
    read = tasks["apart"].request.prompt.read
    assert read(form.reply(taken))["item"] == read(form.reply(typed))["item"]


@pytest.mark.parametrize("source", ["items", "table"])
def test_any_file_with_labels_is_verified(tmp_path: Path, source: str) -> None:
    Image.new("RGB", (64, 48), "navy").save(tmp_path / "p.png")
    if source == "table":
        (tmp_path / "m.csv").write_text("id,lang,text,image,metaphor,sentiment,target,source\n"
                                        "a,en,Time flows.,p.png,yes,neutral,time,river\n", "utf-8")  # fmt: skip
    else:
        figures = [{"tenor": "time", "vehicle": "river"}]
        item = {"id": "a", "lang": "en", "text": "Time flows.", "image": "p.png", "figures": figures}
        line = json.dumps({**item, "labels": {"metaphor": "Yes", "sentiment": "Neutral"}})
        (tmp_path / "m.jsonl").write_text(line + "\n", "utf-8")
    name = "m.csv" if source == "table" else "m.jsonl"
    invited = new_study(tmp_path, "v", "--verify", name, "--raters", "anna")
    with serving(tmp_path, "v") as url:
        anna = Client(url).enter(invited["anna"])
        path = anna.next_page()
        assert path is not None
        shown = anna.get(path).text
        assert 'value="Yes" selected' in shown and 'value="Neutral" selected' in shown and 'value="river"' in shown
        typed = {"0.text": "Time flows.", "0.labels.metaphor": "Yes", "0.figures.0.tenor": "time",
                 "0.figures.0.vehicle": "river", "0.labels.sentiment": "Positive", "0.reason": ""}  # fmt: skip
        refused = anna.post(path, {**hidden(shown), **typed, "0.decision": "accept"})
        assert refused.status == 422 and "sentiment was changed" in refused.text
        assert anna.post(path, {**hidden(shown), **typed, "0.decision": "edit"}).status == 303
    study("export", "v", "--format", "items", "--out", "done.jsonl", cwd=tmp_path)
    (done,) = read_items(tmp_path / "done.jsonl")
    assert gold(done) == Labels("Yes", "time", "river", "Positive") and done.verified_by == ("anna",)
