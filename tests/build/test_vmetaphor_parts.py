from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trope.build.vmetaphor.files import Edits, StageFile
from trope.build.vmetaphor.items import make_item, problems_of, unusable
from trope.build.vmetaphor.prompts import annotate, distract, read_annotation, read_options, read_writing, write_up
from trope.build.vmetaphor.records import Annotation, Checked, Writing
from trope.build.vmetaphor.sheet import Sheet
from trope.build.vmetaphor.sources import Source, read_sources
from trope.errors import ItemError
from trope.items import check_rules
from trope.protocols import protocol
from trope.requests import Unreadable

ANNOTATION: dict[str, Any] = {
    "target": "alarm clock", "source": "rooster", "structure": "fusion", "absent": None,
    "meaning": "Waking at dawn is what people always did.", "category": "Healthy Living",
    "mappings": [{"source": "red comb", "target": "bell"}, {"source": "open beaks", "target": "morning call"}],
}  # fmt: skip
WRITING = {
    "conceptual": "An alarm clock and a rooster grown into one body on a bedside table, so that whoever looks understands"
    " that rising early is an old habit which has merely changed its shape.",
    "descriptive": "On a bedside table stands a round clock with two feet of a bird and a fan of tail feathers. Where the"
    " striking part would sit, there is a red comb; from both sides of the dial two open beaks reach out toward a pillow,"
    " next to a glass of water, a folded pair of spectacles and a book that lies face down.",
    "style": "clean vector illustration, pastel palette, flat even light, cheerful mood",
}
OPTIONS: dict[str, Any] = {
    "Q1": ["kitchen timer", "bedside lamp"], "Q2": ["weather vane", "peacock"],
    "Q4": ["Nobody can sleep in a house near the road.", "Farms are being given up one after another."],
    "Q5": [["fire engine", "price tag"], ["hungry crowd", "bad news"]],
}  # fmt: skip


def checked(**more: Any) -> Checked:
    record = {"annotation": ANNOTATION, "writing": WRITING, "options": OPTIONS}
    return Checked.model_validate({**record, **more})


def changed(**more: Any) -> dict[str, Any]:
    return {**ANNOTATION, **more}


def test_stage_1_reads_an_annotation_or_that_there_is_none() -> None:
    said = read_annotation(json.dumps({"has_metaphor": True, **ANNOTATION}))
    assert said["has_metaphor"] is True and Annotation.model_validate(
        {k: v for k, v in said.items() if k != "has_metaphor"}
    ) == Annotation.model_validate(ANNOTATION)
    assert read_annotation('{"has_metaphor": false}') == {"has_metaphor": False, "why": ""}
    assert read_annotation('```json\n{"has_metaphor": false, "why": "a product"}\n```')["why"] == "a product"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"mappings": []}, "at least 1 item"),
        ({"mappings": [{"source": f"a{n}", "target": f"b{n}"} for n in range(11)]}, "at most 10 items"),
        ({"structure": "replacement"}, "lacks one of target and source"),
        ({"absent": "source"}, "absent = 'source'"),
        ({"structure": "hybrid"}, "structure"),
        ({"category": "Healthy living"}, "is none of Cognitive Processes"),
        ({"target": "  "}, "target"),
        ({"target": None}, "target"),
        ({"mood": "glad"}, "mood"),
        ({"has_metaphor": False}, "not true, but there is an annotation"),
    ],
)
def test_an_annotation_that_does_not_fit_is_unreadable(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_annotation(json.dumps({"has_metaphor": True, **ANNOTATION, **fields}))


@pytest.mark.parametrize(
    "reply", ["", "no metaphor", '{"has_metaphor": true}', '{"has_metaphor": "false"}', "Here it is: {}", "[]"]
)
def test_anything_else_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_annotation(reply)


def test_stages_2_and_3_read_their_format_and_no_other() -> None:
    assert read_writing(json.dumps(WRITING)) == WRITING
    with pytest.raises(Unreadable, match="style"):
        read_writing(json.dumps({k: v for k, v in WRITING.items() if k != "style"}))
    assert read_options(json.dumps(OPTIONS), 2) == OPTIONS
    with pytest.raises(Unreadable, match="2 pairs for 3 mappings"):
        read_options(json.dumps(OPTIONS), 3)
    with pytest.raises(Unreadable, match="Q1"):
        read_options(json.dumps({**OPTIONS, "Q1": ["one", "two", "three"]}), 2)


def test_prompts_show_what_they_should_and_nothing_else() -> None:
    noted = Annotation.model_validate(changed(target="a {source} clock"))
    first, second = annotate("f" * 64, "m"), write_up("f" * 64, noted, "m")
    third = distract(noted, Writing.model_validate(WRITING), "m")
    assert (first.picture, second.picture, third.picture) == ("f" * 64, "f" * 64, None)
    assert "a {source} clock; rooster" in second.prompt.user  # what is put in is not filled in again
    assert "Q5_2: What does 'open beaks' stand for? Right: morning call" in third.prompt.user
    assert WRITING["descriptive"] in third.prompt.user and WRITING["style"] not in third.prompt.user
    for asked in (first, second, third):
        assert asked.prompt.temperature == 0.0


def test_a_record_is_an_item_that_breaks_no_rule() -> None:
    item = make_item("vm-a", checked(), "https://example.org/a.png")
    assert problems_of([item]) == {"vm-a": []}
    assert not any(check_rules([item], "common").values())
    stems = {question.id: question.stem for question in item.questions}
    assert stems["Q5_1"] == "What does the red comb stand for?"
    assert stems["Q5_2"] == "What do the open beaks stand for?"
    assert [q.options[q.answer or 0] for q in item.questions] == [
        "alarm clock", "rooster", "fusion", ANNOTATION["meaning"], "bell", "morning call",
    ]  # fmt: skip
    assert (item.labels["level"], item.image) == ("Individual", "https://example.org/a.png")


@pytest.mark.parametrize(
    ("absent", "expected"), [("target", ("implied", "depicted")), ("source", ("depicted", "implied"))]
)
def test_a_replacement_implies_the_absent_one(absent: str, expected: tuple[str, str]) -> None:
    item = make_item("vm-a", checked(annotation=changed(structure="replacement", absent=absent)), None)
    assert item.figure is not None
    assert (item.figure.presence.tenor, item.figure.presence.vehicle) == expected
    assert item.questions[2].answer == 1


def test_what_validators_see_is_named_and_what_cannot_be_asked_is_unusable() -> None:
    styled = checked(writing={**WRITING, "descriptive": WRITING["descriptive"] + " A watercolor in warm light."})
    found = problems_of([make_item("vm-a", styled, None)])["vm-a"]
    assert any("watercolor" in problem and "[style-words]" in problem for problem in found)
    same = checked(options={**OPTIONS, "Q2": ["ＲＯＯＳＴＥＲ ", "peacock"]})  # the truth, in full-width capitals
    why = unusable(make_item("vm-a", same, None))
    assert why is not None and "two options are the same" in why
    escape = checked(options={**OPTIONS, "Q4": ["Cannot be determined", OPTIONS["Q4"][1]]})
    assert "is added by the protocol" in str(unusable(make_item("vm-a", escape, None)))
    assert unusable(make_item("vm-a", styled, None)) is None


@pytest.mark.parametrize("wrong", ["rooster.", '"Rooster"', "判断できない"])
def test_what_a_run_would_refuse_is_unusable(wrong: str) -> None:
    item = make_item("vm-a", checked(options={**OPTIONS, "Q2": [wrong, "peacock"]}), None)
    with pytest.raises(ItemError) as refused:
        protocol("vmetaphor").check([item], {"j": "judge"})
    assert "are the same" in str(unusable(item)) and str(unusable(item)) in str(refused.value)


def test_edits_to_a_stage_file_are_kept_and_nothing_else_is(tmp_path: Path) -> None:
    file = StageFile(tmp_path, "stage2", Writing)
    made = {name: Writing.model_validate({**WRITING, "style": f"style {name}"}) for name in "abcd"}
    file.write(made, Edits())
    assert file.edits() == Edits()
    lines = file.path.read_text().splitlines()
    edited = json.loads(lines[0]) | {"style": "by hand"}
    respaced = json.dumps(json.loads(lines[1]), indent=None, separators=(",", ":"))  # the same, written otherwise
    added = json.dumps({"id": "e", **WRITING})
    file.path.write_text("\n".join([json.dumps(edited), respaced, lines[3], added]) + "\n")
    edits = file.edits()
    assert {name: record.style for name, record in edits.kept.items()} == {"a": "by hand", "e": WRITING["style"]}
    assert edits.gone == ["c"]
    file.write({**{n: made[n] for n in "bd"}, **edits.kept}, edits)
    assert file.edits() == edits  # they stay a person's, and what is gone stays gone
    file.path.unlink()
    assert file.edits() == Edits()  # a file that is gone is made anew


def test_what_is_no_end_of_a_line_in_json_ends_none(tmp_path: Path) -> None:
    """U+2028, U+2029 and U+0085 end a line of text, and may stand in a JSON string."""
    file = StageFile(tmp_path, "stage2", Writing)
    file.write({"a": Writing.model_validate({**WRITING, "style": "ink\u2028pale\u2029soft\u0085old"})}, Edits())
    assert file.edits() == Edits() and list(file.read()) == ["a"]
    (tmp_path / "list.jsonl").write_text('{"url": "https://example.org/a.png", "page": "a\u2028b"}\n', "utf-8")
    assert [source.page for source in read_sources(tmp_path / "list.jsonl")] == ["a\u2028b"]


def test_a_crash_between_a_file_and_its_state_makes_no_line_a_person_s(tmp_path: Path) -> None:
    file = StageFile(tmp_path, "stage2", Writing)
    old = {"a": Writing.model_validate({**WRITING, "style": "old"})}
    new = {"a": Writing.model_validate({**WRITING, "style": "new"})}
    file.write(old, Edits())
    before = file.path.read_bytes()

    class Crash(Exception):
        pass

    def crash(records: Any) -> bytes:
        raise Crash

    file.encode = crash  # type: ignore[method-assign]
    with pytest.raises(Crash):
        file.write(new, Edits())
    fresh = StageFile(tmp_path, "stage2", Writing)
    assert file.path.read_bytes() == before and fresh.edits() == Edits()
    fresh.write(new, Edits())
    assert fresh.edits() == Edits()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "stage1.jsonl, line 2: not JSON"), ("[]", "line 2: expected an object with an 'id'"),
        (json.dumps({"id": "b"}), "line 2: b: target: Field required"),
        (json.dumps({"id": "b", **changed(structure="blend")}), "line 2: b: structure"),
        (json.dumps({"id": "a", **ANNOTATION}), "line 2: id 'a' is there twice"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str, why: str) -> None:
    file = StageFile(tmp_path, "stage1", Annotation)
    file.path.write_text(json.dumps({"id": "a", **ANNOTATION}) + "\n" + line + "\n")
    with pytest.raises(ItemError, match=why.replace("[", r"\[")):
        file.edits()


def test_the_sheet_comes_back_as_it_went(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path)
    odd = checked(
        writing={**WRITING, "style": '=HYPERLINK("x"), "quoted"; и кириллица'},
        annotation=changed(meaning="- a dash first,\nand a second line", mappings=[{"source": "@a", "target": "+b"}] * 3),
        options={**OPTIONS, "Q5": [["c", "d"]] * 3}, decision="keep", verified_by=("Ann", "Bo"), note="'=tis fine",
    )  # fmt: skip
    rows = {"vm-a": checked(), "vm-b": odd}
    sheet.seen = {"vm-a": (Source("vm-a", "https://example.org/a.png", page="https://example.org"), ["one", "two"])}
    sheet.write(rows, Edits())
    assert sheet.read() == rows and sheet.edits() == Edits()
    assert "'=HYPERLINK" in sheet.path.read_text("utf-8-sig")
    text = sheet.path.read_text("utf-8-sig").replace("peacock", "parrot")
    sheet.path.write_text(text, "utf-8")  # an editor that drops the mark, and changes a cell in both rows
    assert {name: row.options.Q2 for name, row in sheet.edits().kept.items()} == {
        "vm-a": ("weather vane", "parrot"), "vm-b": ("weather vane", "parrot"),
    }  # fmt: skip
    sheet.path.write_text(text.replace("Q1_wrong1", "Q1_wrong"), "utf-8")
    with pytest.raises(ItemError, match="the column 'Q1_wrong1' is missing"):
        sheet.read()


def test_a_row_with_more_mappings_than_columns_of_them_is_said_to_be_wrong(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path)
    sheet.write({"vm-a": checked()}, Edits())
    header, row = sheet.path.read_text("utf-8-sig").splitlines()
    sheet.path.write_text(f"{header},Q5_3_source,Q5_3_target\n{row},spur,alarm\n", "utf-8")
    with pytest.raises(ItemError, match=r"vm-a: options\.Q5\.2\.0: String should have at least 1 character"):
        sheet.read()
    more = ",".join(f"Q5_{n}_{part}" for n in range(3, 13) for part in ("source", "target", "wrong1", "wrong2"))
    sheet.path.write_text(f"{header},{more}\n{row},{','.join('abcd' * 10)}\n", "utf-8")
    with pytest.raises(ItemError, match=r"annotation\.mappings: Tuple should have at most 10 items"):
        sheet.read()


def test_sources_are_read_from_folders_and_lists(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    for place in ("Clock & rooster.PNG", "a/sun.jpg", "b/sun.jpg", "notes.txt", "図.png"):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(b"")
    found = read_sources(folder)
    assert [source.place for source in found] == ["Clock & rooster.PNG", "a/sun.jpg", "b/sun.jpg", "図.png"]
    ids = [source.id for source in found]
    assert ids[0] == "vm-Clock-rooster" and len(set(ids)) == 4 and ids[1].startswith("vm-sun-")
    (tmp_path / "list.txt").write_text("# mine\nhttps://example.org/a.png\n\nhttps://example.org/a.png\n")
    assert [source.place for source in read_sources(tmp_path / "list.txt")] == ["https://example.org/a.png"]
    (tmp_path / "list.csv").write_text("page,URL\nhttps://example.org/1,https://example.org/a.png\n")
    (tmp_path / "list.jsonl").write_text('{"url": "https://example.org/a.png", "page": "https://example.org/1"}\n')
    (first,), (second,) = read_sources(tmp_path / "list.csv"), read_sources(tmp_path / "list.jsonl")
    assert first == second and first.page == "https://example.org/1"
    for name, text, why in (("bad.jsonl", '{"link": 1}', "line 1: expected an address"), ("no.txt", "#\n", "no pictures"),
                            ("x.pdf", "", "expected a folder")):  # fmt: skip
        (tmp_path / name).write_text(text)
        with pytest.raises(ItemError, match=why):
            read_sources(tmp_path / name)
