"""`trope items`: validate, stats, sample, show, on sets that ship and on users' files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.conftest import DATA, trope
from tests.items.helpers import file, item
from trope.cli.app import app
from trope.errors import ItemError, TropeError, UsageError
from trope.items import dump_items, parse_items


def run(*arguments: str, fails: bool = False) -> Result:
    done = CliRunner().invoke(app, ["items", *arguments])
    if not fails and done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_validate_prints_every_rule_with_its_count() -> None:
    done = run("validate", "literal")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "literal: 200 items"
    assert lines[1] == "  rules of literal, and how many problems each finds:"
    assert "    near-duplicate   0" in lines and "    held-out-half    0" in lines
    assert lines[-1] == "200 items, 0 problems"


def test_validate_across_sets_looks_for_texts_in_both(tmp_path: Path) -> None:
    copied = parse_items(dump_items([item("mine")]), "x")
    path = file(tmp_path, "mine.jsonl", dump_items(copied))
    other = file(tmp_path, "other.jsonl", dump_items([item("other")]))
    done = run("validate", str(path), str(other))
    assert done.exit_code == 1
    assert "across sources:\n  rules, and how many problems each finds:\n    exact-duplicate    1" in done.output
    assert "other.jsonl, line 1: other: text:" in done.output
    assert done.output.splitlines()[-1] == "2 items, 1 problems"


def test_validate_a_dirty_file_finds_counts_and_explains(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.csv", (
        "id,sentence,source,target,lang,form,,\n"
        "1,Fog &amp; rain like wool.,wool,Fog,en,simile ,,\n"
        "2,Snow like salt.,salt; sugar,Snow,en,simile,,\n"
        "3,Hail.,None,-1,en,_,,\n"
        "3,Hail.,None,-1,en,idiom,,\n"
        "4,Sleet, like glass.,glass,Sleet,en,simile,,\n"
    ))  # fmt: skip
    done = run("validate", str(path))
    assert done.exit_code == 1
    said = done.output
    assert "mine.csv: 2 items, encoding utf-8" in said
    assert (
        "  columns: id -> id, sentence -> text, source -> vehicle, target -> tenor, lang -> lang, form -> form" in said
    )
    for line in ("  phantom-column: 1: ", "  ragged-row: 1: ", "  missing-mark: 5: ", "  outer-space: 1: ",
                 "  several-vehicles: 1: ", "  column: 3: ", "  duplicate-id: 1: "):  # fmt: skip
        assert line in said
    assert "fatal: mine.csv, line 6: 'simile': has 9 cells, the header has 8 columns" in said
    assert "html-entity      1" in said
    assert (
        "mine.csv, line 2: 1: text: 'Fog &amp; rain like wool.': holds the HTML entity &amp;; write '&' [html-entity]"
        in said
    )
    assert said.splitlines()[-1] == "2 items, 1 problems, 3 things to put right before the file can be read"


def test_duplicate_ids_of_a_file(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        "mine.csv",
        "id,text,lang,form,vehicle\n3,Hail like peas.,en,simile,peas\n3,Hail like peas.,en,idiom,peas\n",
    )
    done = run("validate", str(path))
    assert done.exit_code == 1
    assert "figures.0.form 'simile' there, 'idiom' here" in done.output


def test_limits_of_what_is_shown(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.csv", "id,text,lang\n" + "".join(f"{n},Fog  number {n} x{n}y.,en\n" for n in range(30)))
    short, whole = run("validate", str(path)), run("validate", str(path), "--limit", "0")
    assert "and 20 more (--limit 0 shows all)" in short.output
    assert whole.output.count("[white-space]") == 30


def test_rules_of_a_set_for_a_users_file(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.jsonl", dump_items([item("vista-mine-1")]))
    assert run("validate", str(path)).exit_code == 0
    done = run("validate", str(path), "--rules", "vista")
    assert done.exit_code == 1
    assert "questions: expected Q1 tenor" in done.output.replace("''", "questions") or "four-questions" in done.output


def test_an_encoding_is_asked_for_and_given() -> None:
    path = str(DATA / "text" / "late-gb18030.csv")
    done = run("validate", path)
    assert done.exit_code == 1
    assert "is not UTF-8" in done.output and "GB18030" in done.output
    assert "1202 items, " in run("validate", path, "--encoding", "gb18030").output


def test_stats_print_the_tables_of_the_cells() -> None:
    text = run("stats", "literal").stdout
    assert text.startswith("literal: what there is\n\tvalue\nitems\t200\nheld out\t100\n")
    assert "both_meant\t24 (12)\t10 (5)\t10 (5)\t10 (5)\t54 (27)" in text
    done = run("stats", "literal", "--format", "md").stdout
    assert "| both_meant | 24 (12) | 10 (5) | 10 (5) | 10 (5) | 54 (27) |" in done


def test_stats_by_fields() -> None:
    text = run("stats", "literal", "--by", "lang,kind").stdout
    assert text.startswith("200 items in 16 cells\nlang\tkind\titems\nar\tboth_meant\t10\n")


def test_stats_of_the_blind_battery() -> None:
    text = run("stats", "vmetaphor", "--blind").stdout
    assert (
        "Blind battery of vmetaphor: right answers of a guesser who sees no picture\nlevel\tquestions\tchance\tlongest\tfirst shown"
        in text
    )
    assert "L1 source\t240\t33.3%\t" in text


def test_stats_of_a_users_file(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.csv", "id,text,lang,form,vehicle\n1,Fog like wool.,en,simile,wool\n2,雾。,zh,,\n")
    assert "simile\t1\t–\t1\n" in run("stats", str(path)).stdout


def test_sample_keeps_the_cells(tmp_path: Path) -> None:
    drawn = parse_items(run("sample", "literal", "-n", "20", "--by", "lang,kind").stdout, "x")
    assert len(drawn) == 20
    assert sum(i.lang == "en" for i in drawn) == 8
    out = tmp_path / "some.jsonl"
    assert run("sample", "literal", "-n", "20", "--by", "lang,kind", "--out", str(out)).stdout.strip() == str(out)
    assert parse_items(out.read_text("utf-8"), "x") == drawn
    assert parse_items(run("sample", "literal", "-n", "20", "--by", "lang,kind", "--seed", "7").stdout, "x") != drawn
    with pytest.raises(UsageError, match="cannot draw 500 of 200 items"):
        run("sample", "literal", "-n", "500")


def test_show_a_line_each_or_one_whole(tmp_path: Path) -> None:
    assert len(run("show", "passages").stdout.splitlines()) == 60
    one = json.loads(run("show", "simile", "--id", "simile-cat-like-s").stdout)
    assert one["figures"][0]["vehicle"] == "cat"
    with pytest.raises(TropeError, match=r"no item 'simile-cat-like-x'. Did you mean 'simile-cat-like-"):
        run("show", "simile", "--id", "simile-cat-like-x")
    path = file(tmp_path, "mine.csv", "phrase\nFog like wool.\n")
    assert run("show", str(path), "--lang", "en").stdout == "mine-0002\ten\tFog like wool.\t\n"


def test_columns_are_said_as_pairs(tmp_path: Path) -> None:
    path = file(tmp_path, "mine.csv", "what,lang\nFog.,en\n")
    assert "Fog." in run("show", str(path), "--column", "what=text").stdout
    with pytest.raises(UsageError, match=r"--column 'what': expected NAME=FIELD, e.g. --column sentence=text"):
        run("show", str(path), "--column", "what")
    with pytest.raises(ItemError, match="no column is the text"):
        run("show", str(path))


def test_wordnet_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"no index.noun in"):
        run("validate", "vmetaphor", "--wordnet", str(tmp_path))


def test_exit_codes_of_a_real_process(tmp_path: Path) -> None:
    file(tmp_path, "bad.jsonl", "{\n")
    done = trope("items", "validate", "bad.jsonl", cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "bad.jsonl, line 1: not JSON" in done.stderr and "Traceback" not in done.stderr
    done = trope("items", "show", "bad.jsonl", cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr.startswith("error: bad.jsonl, line 1: not JSON")) == (1, True)
