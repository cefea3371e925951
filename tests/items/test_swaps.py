"""Columns that hold each other's values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.items.helpers import file, kinds
from trope.items import How, ItemFile, inspect_items

PAIRS = [("sun", "coin"), ("moon", "sickle"), ("lamp", "star"), ("fog", "wall")]


def read(folder: Path, head: str, rows: list[list[str]], how: How | None = None) -> ItemFile:
    text = "\n".join([head, *("\t".join(row) for row in rows)])
    return inspect_items(file(folder, "a.tsv", text.replace(",", "\t", head.count(","))), how)


def test_tenor_and_vehicle(tmp_path: Path) -> None:
    rows = [[str(n), f"The {a} hangs like a {b}.", "en", a, b] for n, (a, b) in enumerate(PAIRS)]
    right = read(tmp_path, "id,text,lang,target,source", rows)
    assert kinds(right.findings, "fatal") == []
    swapped = read(tmp_path, "id,text,lang,source,target", rows)
    assert [f.why for f in swapped.findings if f.level == "fatal"] == [
        "in 4 of 4 rows the marker is followed by the 'tenor' and preceded by the 'vehicle': the columns look swapped."
        " If they are: --column target=vehicle --column source=tenor; if not, say so: --column target=tenor"
        " --column source=vehicle"
    ]
    said = read(tmp_path, "id,text,lang,source,target", rows, How(columns={"source": "tenor", "target": "vehicle"}))
    assert kinds(said.findings, "fatal") == []
    meant = read(tmp_path, "id,text,lang,source,target", rows, How(columns={"source": "vehicle", "target": "tenor"}))
    assert [(f.kind, f.level) for f in meant.findings if f.kind == "swapped-columns"] == [("swapped-columns", "note")]


@pytest.mark.parametrize(("lang", "text"), [("zh", "{}像{}。"), ("ja", "{}は{}のように光る。"), ("ar", "{} مثل {}.")])
def test_the_order_of_other_languages(lang: str, text: str, tmp_path: Path) -> None:
    words = {"zh": ("月亮", "镰刀"), "ja": ("月", "鎌"), "ar": ("القمر", "منجل")}[lang]
    rows = [[str(n), text.format(*words), lang, *words] for n in range(4)]
    assert kinds(read(tmp_path, "id,text,lang,tenor,vehicle", rows).findings, "fatal") == []
    assert "swapped-columns" in kinds(read(tmp_path, "id,text,lang,vehicle,tenor", rows).findings, "fatal")


def test_text_and_vehicle(tmp_path: Path) -> None:
    rows = [[str(n), a, "en", f"A {a} in the yard."] for n, (a, _) in enumerate(PAIRS)]
    assert "swapped-columns" in kinds(read(tmp_path, "id,text,lang,vehicle", rows).findings, "fatal")
    assert kinds(read(tmp_path, "id,vehicle,lang,text", rows).findings, "fatal") == []


def test_form_and_mechanism(tmp_path: Path) -> None:
    rows = [[str(n), f"The {a} like a {b}.", "en", b, "semantic_shift", "simile"] for n, (a, b) in enumerate(PAIRS)]
    found = read(tmp_path, "id,text,lang,vehicle,form,mechanism", rows).findings
    assert "in 4 of 4 rows each holds a label of the other" in " ".join(f.why for f in found)


def test_id_and_text(tmp_path: Path) -> None:
    rows = [[f"The {a} hangs like a {b} over us.", str(n), "en"] for n, (a, b) in enumerate(PAIRS)]
    assert "swapped-columns" in kinds(read(tmp_path, "id,text,lang", rows).findings, "fatal")


def test_a_few_rows_are_no_pattern(tmp_path: Path) -> None:
    rows = [[str(n), f"The {a} hangs like a {b}.", "en", a, b] for n, (a, b) in enumerate(PAIRS[:2])]
    assert kinds(read(tmp_path, "id,text,lang,source,target", rows).findings, "fatal") == []
