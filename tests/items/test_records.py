"""Values of a table: marks for nothing, spaces, spellings, several vehicles, entities, ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.items.helpers import file, kinds
from trope.items import How, ItemFile, inspect_items
from trope.items.missing import is_missing_mark, several


def read(folder: Path, rows: str, how: How | None = None, head: str = "id,text,lang,tenor,vehicle,form") -> ItemFile:
    return inspect_items(file(folder, "a.csv", f"{head}\n{rows}\n"), how)


@pytest.mark.parametrize("mark", ["None", "none", "Non", "_", "-1", "N/A", "null", "NaN", "-", " None ", "なし", "无"])
def test_marks_that_stand_for_nothing(mark: str, tmp_path: Path) -> None:
    assert is_missing_mark(mark)
    found = read(tmp_path, f"1,Fog over the pier.,en,{mark},{mark},{mark}")
    assert found.items[0].figures == ()
    assert kinds(found.findings).count("missing-mark") == 3
    assert [f.why for f in found.findings if f.kind == "missing-mark"] == ["read as nothing"] * 3


@pytest.mark.parametrize("word", ["no", "nonsense", "0", "1", "nothing", "a-1"])
def test_words_that_are_no_marks(word: str) -> None:
    assert not is_missing_mark(word)


def test_a_mark_where_a_value_is_needed(tmp_path: Path) -> None:
    found = read(tmp_path, "1,None,en,,,")
    assert [str(f) for f in found.findings] == [
        "a.csv, line 2: text: 'None': stands for nothing, but a value is needed [missing-mark]",
        "a.csv, line 2: text: no text [schema]",
    ]


def test_marks_in_columns_that_are_not_read_are_counted(tmp_path: Path) -> None:
    found = read(tmp_path, "1,Fog.,en,None\n2,Rain.,en,Non\n3,Snow.,en,None", head="id,text,lang,city")
    note = next(f for f in found.findings if f.kind == "missing-mark")
    assert str(note) == (
        "a.csv, column city: 'None 2, Non 1': 3 cells are a mark that stands for nothing; the column is not read"
        " [missing-mark]"
    )


def test_spaces_around_labels_and_their_spelling(tmp_path: Path) -> None:
    found = read(tmp_path, "1,Fog like wool.,English,fog,wool , Substitutive Metaphor\u3000")
    assert found.items[0].figures[0].form == "substitutive_metaphor"
    assert found.items[0].figures[0].vehicle == "wool"
    assert [f"{f.kind}: {f.value!r} {f.why}" for f in found.findings] == [
        "label-spelling: 'English' read as 'en'",
        "outer-space: 'wool ' read as 'wool'",
        "outer-space: ' Substitutive Metaphor\\u3000' read as 'Substitutive Metaphor'",
        "label-spelling: 'Substitutive Metaphor' read as 'substitutive_metaphor'",
    ]
    assert {f.level for f in found.findings} == {"changed"}


def test_a_label_nobody_knows_is_an_error(tmp_path: Path) -> None:
    found = read(tmp_path, "1,Fog like wool.,en,fog,wool,comparison")
    assert str(found.findings[0]) == (
        "a.csv, line 2: figures.0.form: 'comparison': input should be 'simile', 'metaphor', 'substitutive_metaphor' or"
        " 'idiom' [schema]"
    )


@pytest.mark.parametrize("sign", [";", "；", "、", "/", " / "])
def test_several_vehicles_in_a_cell(sign: str, tmp_path: Path) -> None:
    row = f"1,Fog like wool or like smoke.,en,fog,wool{sign}smoke,simile"
    found = read(tmp_path, row)
    assert found.items == []
    assert kinds(found.findings, "fatal") == ["several-vehicles"]
    assert "holds 2 vehicles ('wool', 'smoke')" in found.findings[0].why
    split = read(tmp_path, row, How(several="split"))
    assert [f.vehicle for f in split.items[0].figures] == ["wool", "smoke"]
    assert [(f.kind, f.level) for f in split.findings] == [("several-vehicles", "changed")]


def test_one_vehicle_with_a_sign_in_it(tmp_path: Path) -> None:
    assert several("AC/DC adapter", "He hums like an AC/DC adapter.") == ()
    assert several("wool;") == ()
    assert len(read(tmp_path, "1,He hums like an AC/DC adapter.,en,he,AC/DC adapter,simile").items) == 1


def test_entities_are_kept_unless_told(tmp_path: Path) -> None:
    row = "1,Fish &amp; chips like&nbsp;boats.,en,chips,boats,simile"
    assert read(tmp_path, row).items[0].text == "Fish &amp; chips like&nbsp;boats."
    decoded = read(tmp_path, row, How(entities="decode"))
    assert decoded.items[0].text == "Fish & chips like\xa0boats."
    assert kinds(decoded.findings) == ["html-entity"]


def test_a_tenor_without_a_vehicle(tmp_path: Path) -> None:
    found = read(tmp_path, "1,Fog.,en,fog,,")
    assert [str(f) for f in found.findings] == [
        "a.csv, line 2: tenor: 'fog': a tenor, but no vehicle: a figure has both, an item without a figure has neither"
        " [tenor-alone]"
    ]


def test_no_ids_and_no_language(tmp_path: Path) -> None:
    found = read(tmp_path, "Fog.\nRain.", How(lang="en"), head="sentence")
    assert [i.id for i in found.items] == ["a-0002", "a-0003"]
    note = next(f for f in found.findings if f.kind == "id")
    assert note.why.endswith("2 ids are made of the file's name and the line, e.g. a-0002")
    nobody = read(tmp_path, "Fog.", head="sentence")
    assert [f.why for f in nobody.findings if f.level == "fatal"] == ["no language. Say which: --lang en, zh, ja or ar"]


def test_duplicate_ids_of_a_table(tmp_path: Path) -> None:
    found = read(tmp_path, "1,Fog like wool.,en,fog,wool,simile\n1,Fog like wool.,en,fog,wool,metaphor")
    assert len(found.items) == 1
    assert [str(f) for f in found.findings] == [
        "a.csv, line 3: id: '1': was used in line 2, with other values (figures.0.form 'simile' there, 'metaphor'"
        " here); ids are unique [duplicate-id]"
    ]


def test_twins_clusters_labels_and_booleans(tmp_path: Path) -> None:
    head = "id,text,lang,vehicle,vehicle_class,deleted,literal,template,kind,held_out"
    found = read(tmp_path, "1,Fog like a cat.,en,cat,cat,Fog.,A cat in fog.,like-s,x,Yes", head=head)
    item = found.items[0]
    assert (item.twins.deleted, item.twins.literal, item.held_out) == ("Fog.", "A cat in fog.", True)
    assert (item.cluster, item.labels) == ({"template": "like-s", "vehicle": "cat"}, {"kind": "x"})
    wrong = read(tmp_path, "1,Fog.,en,maybe", head="id,text,lang,held_out")
    assert wrong.findings[0].why == "expected true or false"
