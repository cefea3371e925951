"""Consensus against brute force and its own promises; agreement by hand; calibration; files and models as annotators."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from typer.testing import CliRunner

from tests.conftest import trope
from trope.build.agree import (
    Consensus,
    Judged,
    Matched,
    agreed_item,
    agreement_table,
    calibrate,
    complete,
    consensus,
    read_annotators,
    read_judged,
)
from trope.cli.agree import _bounds
from trope.cli.app import app
from trope.errors import ItemError, UsageError
from trope.items import read_items
from trope.nouns import Item
from trope.protocols.m3r.labels import NONE, Labels
from trope.protocols.m3r.reading import read_answer
from trope.stats import fleiss_kappa

TEXTS = ("sea", "ocean", "lake", "time")
LIKE = {("ocean", "sea"): 0.9, ("lake", "ocean"): 0.8, ("lake", "sea"): 0.6}  # not transitive


def alike(a: str, b: str) -> float:
    return LIKE.get((min(a, b), max(a, b)), 0.1)


labels = st.one_of(
    st.builds(
        Labels, st.just("Yes"), st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(("Positive", "Neutral"))
    ),
    st.builds(Labels, st.just("No"), st.just(NONE), st.just(NONE), st.sampled_from(("Positive", "Neutral"))),
)
proposals = st.lists(st.one_of(st.none(), labels), max_size=7)


def same(a: Labels, b: Labels) -> bool:
    def text(x: str, y: str) -> bool:
        return x == y or (NONE not in (x, y) and alike(x, y) >= 0.75)

    return (
        a.metaphor == b.metaphor
        and a.sentiment == b.sentiment
        and text(a.target, b.target)
        and text(a.source, b.source)
    )


@settings(max_examples=300, deadline=None)
@given(proposals)
def test_consensus_is_the_largest_clique_of_brute_force(given_: list[Labels | None]) -> None:
    cliques = [
        subset
        for size in range(3, len(given_) + 1)
        for subset in combinations(range(len(given_)), size)
        if all(given_[n] is not None for n in subset)
        and all(same(given_[a], given_[b]) for a, b in combinations(subset, 2))  # type: ignore[arg-type]
    ]
    found = consensus(given_, alike)
    if not cliques:
        assert found is None
    else:
        assert found is not None and found.members in cliques and len(found.members) == max(map(len, cliques))
        assert found.labels in [given_[n] for n in found.members]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), labels), min_size=3, max_size=5))
def test_the_order_of_annotators_does_not_matter(given_: list[Labels | None]) -> None:
    found = {
        (c.labels, len(c.members)) if (c := consensus(list(order), alike)) else None for order in permutations(given_)
    }
    assert len(found) == 1


@settings(max_examples=200, deadline=None)
@given(proposals)
def test_an_agreeing_annotator_never_breaks_an_agreement(given_: list[Labels | None]) -> None:
    found = consensus(given_, alike)
    if found is not None:
        more = consensus([*given_, found.labels], alike)
        assert more is not None and len(more.members) >= len(found.members)


def test_majorities_of_different_subsets_never_pass() -> None:
    """Every field has a majority of three, and no three annotators agree on all."""
    split = [
        Labels("Yes", "sea", "time", "Positive"), Labels("Yes", "sea", "time", "Neutral"), Labels("Yes", "sea", "lake", "Positive"),
        Labels("Yes", "time", "time", "Positive"), Labels("No", NONE, NONE, "Positive"),
    ]  # fmt: skip
    assert consensus(split, alike) is None
    assert consensus([*split, split[0], split[0]], alike) is not None


def test_a_chain_of_likeness_is_no_agreement_and_the_center_stands_for_all() -> None:
    chain = [Labels("Yes", text, "time", "Neutral") for text in ("sea", "ocean", "lake")]
    assert consensus(chain, alike) is None  # sea and lake are 0.6
    assert consensus(chain, alike, least=2).labels.target in ("sea", "ocean")  # type: ignore[union-attr]
    near = [Labels("Yes", text, "time", "Neutral") for text in ("sea", "ocean", "ocean")]
    assert consensus(near, alike).labels.target == "ocean"  # type: ignore[union-attr]
    assert consensus(near, lambda *_: float("nan")) is None  # not measured, not agreed
    with pytest.raises(UsageError, match="at most 12"):
        consensus([None] * 13, alike)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"metaphor": "Yes", "target": "Love", "source": "War", "sentiment": "negative"}, Labels("Yes", "love", "war", "Negative")),
        ({"metaphor": "No", "target": None, "source": "None", "sentiment": "Neutral"}, Labels("No", NONE, NONE, "Neutral")),
        ({"metaphor": "No", "target": "love", "source": None, "sentiment": "Neutral"}, None),
        ({"metaphor": "Yes", "target": "love", "source": None, "sentiment": "Neutral"}, None),
        ({"metaphor": "Yes", "target": "love", "source": "war"}, None),
        ({"metaphor": "maybe", "target": "love", "source": "war", "sentiment": "Neutral"}, None),
    ],
)  # fmt: skip
def test_only_complete_tuples_can_agree(fields: dict[str, Any], expected: Labels | None) -> None:
    assert complete(read_answer(json.dumps(fields))) == expected


def _line(item: str, metaphor: str, target: str | None, source: str | None, sentiment: str) -> str:
    return (
        json.dumps({"id": item, "metaphor": metaphor, "target": target, "source": source, "sentiment": sentiment})
        + "\n"
    )


def _three(folder: Path) -> list[Path]:
    """Item a: all agree. b: the third differs in sentiment. c: one text differs. d: the third said nothing."""
    rows = {
        "ann": [("a", "Yes", "time", "river", "Neutral"), ("b", "No", None, None, "Positive"), ("c", "Yes", "sea", "mirror", "Neutral"), ("d", "No", None, None, "Neutral")],
        "ben": [("a", "Yes", "time", "river", "Neutral"), ("b", "No", None, None, "Positive"), ("c", "Yes", "ocean", "mirror", "Neutral"), ("d", "No", None, None, "Neutral")],
        "cat": [("a", "Yes", "Time ", "RIVER", "neutral"), ("b", "No", None, None, "Negative"), ("c", "Yes", "sea", "mirror", "Neutral")],
    }  # fmt: skip
    for name, of in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(_line(*row) for row in of), "utf-8")
    return [folder / f"{name}.jsonl" for name in rows]


def test_agreement_by_hand(tmp_path: Path) -> None:
    """Pairs: 3 + 3 + 3 + 1 = 10. Sentiment differs in two of b's; target differs in two of c's (sea, ocean)."""
    found = read_annotators(_three(tmp_path))
    table = agreement_table(found, Matched({}))
    rows = {str(row[0]): row for row in table.rows}
    assert list(rows) == ["metaphor", "sentiment", "target", "source", "tuple"]
    assert all(row[1:3] == [4, 10] for row in table.rows)
    assert rows["metaphor"][3]["value"] == 1.0 and rows["sentiment"][3]["value"] == pytest.approx(0.8)  # type: ignore[index]
    assert rows["target"][3]["value"] == 1.0 and rows["target"][3]["n"] == 8  # type: ignore[index]  # the two are not measured
    assert rows["sentiment"][4]["n"] == 3 and rows["sentiment"][5]["n"] == 4  # type: ignore[index]  # kappa: all three
    assert "2 pairs of texts could not be measured" in table.notes[-1]
    exact = agreement_table(found, Matched({}, unknown=0.0))
    assert any(note.startswith("No matcher") for note in exact.notes)
    assert next(r for r in exact.rows if r[0] == "target")[3]["value"] == pytest.approx(0.8)  # type: ignore[index]
    measured = agreement_table(found, Matched({("ocean", "sea"): 0.9}))
    target = next(row for row in measured.rows if row[0] == "target")
    # texts on both sides: three pairs in a, three in c
    assert target[3]["value"] == 1.0 and target[6]["value"] == pytest.approx((3 + 0.9 + 0.9 + 1) / 6)  # type: ignore[index]
    apart = agreement_table(found, Matched({("ocean", "sea"): 0.7}))
    assert next(r for r in apart.rows if r[0] == "target")[3]["value"] == pytest.approx(0.8)  # type: ignore[index]
    assert next(r for r in apart.rows if r[0] == "tuple")[3]["value"] == pytest.approx(0.6)  # type: ignore[index]


def test_the_command_splits_corpus_and_challenge(tmp_path: Path) -> None:
    _three(tmp_path)
    done = trope("items", "agree", "ann.jsonl", "ben.jsonl", "cat.jsonl", "--out", "out", cwd=tmp_path)
    assert "4 items, 3 annotators: 1 agreed, 3 left to people" in done.stdout and "no --matcher" in done.stdout
    corpus = [json.loads(line) for line in (tmp_path / "out/corpus.jsonl").read_text("utf-8").splitlines()]
    assert [(c["id"], c["target"], c["agreeing"]) for c in corpus] == [("a", "time", 3)]
    challenge = [json.loads(line) for line in (tmp_path / "out/challenge.jsonl").read_text("utf-8").splitlines()]
    assert [c["id"] for c in challenge] == ["b", "c", "d"] and len(challenge[2]["proposals"]) == 2
    assert "ann" not in json.dumps(challenge)  # nobody can see who proposed what
    (target,) = [line for line in (tmp_path / "out/agreement.csv").read_text("utf-8").splitlines() if "target" in line]
    assert target.startswith("target,4,10,0.8,")  # without a matcher sea and ocean differ; they are not left out
    few = CliRunner().invoke(app, ["items", "agree", *(str(tmp_path / f"{n}.jsonl") for n in ("ann", "ben")),
                                   "--out", str(tmp_path / "few"), "--store", str(tmp_path / "s")])  # fmt: skip
    assert "2 annotators, fewer than --least 3: nothing can be agreed" in few.output
    two = trope("items", "agree", "ann.jsonl", "ben.jsonl", "--least", "2", "--out", "two", cwd=tmp_path)
    assert "3 agreed" in two.stdout


def test_kappa_and_alpha_have_intervals_over_items(tmp_path: Path) -> None:
    chance = random.Random(3)
    for name in ("ann", "ben", "cat"):
        rows = [(f"i{n}", "No" if n % 3 else "Yes", "sea", "mirror", "Neutral") for n in range(40)]
        lines = [
            _line(i, chance.choice(("Yes", "No")) if chance.random() < 0.2 else m, t, s, e) for i, m, t, s, e in rows
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    found = read_annotators([tmp_path / f"{name}.jsonl" for name in ("ann", "ben", "cat")])
    row = agreement_table(found, Matched({})).rows[0]
    for cell in row[4:6]:
        assert isinstance(cell, dict) and cell["low"] < cell["value"] < cell["high"] and cell["n"] == 40
    codes = [[float(of[f"i{n}"].metaphor == "No") for of in found.values()] for n in range(40)]
    assert row[4]["value"] == pytest.approx(fleiss_kappa(codes).value)  # type: ignore[index]


def test_files_do_not_depend_on_the_order_of_annotators(tmp_path: Path) -> None:
    _three(tmp_path)
    (tmp_path / "dan.jsonl").write_text(
        _line("i10", "No", None, None, "Neutral") + _line("i9", "No", None, None, "Neutral")
    )
    names = ["ann", "ben", "cat", "dan"]
    made = []
    for n, order in enumerate((names, names[::-1])):
        asked = ("items", "agree", *(f"{name}.jsonl" for name in order), "--least", "2", "--out", f"out{n}")
        trope(*asked, cwd=tmp_path)
        made.append({path.name: path.read_text("utf-8") for path in (tmp_path / f"out{n}").iterdir()})
    assert made[0] == made[1]
    assert [json.loads(line)["id"] for line in made[0]["challenge.jsonl"].splitlines()] == ["i9", "i10"]


def test_what_counts_for_nothing_is_told_by_annotator(tmp_path: Path) -> None:
    head = "id,metaphor,target,source,sentiment\n"
    (tmp_path / "ann.csv").write_text(f"{head}a,No,,,Neutral\nb,Yes,time,river,Neutral\n", "utf-8")
    (tmp_path / "ben.csv").write_bytes(f"{head}b,Yes,时间,河流,Neutral\n".encode("gb18030"))
    lines = [{"id": i, "lang": "en", "text": f"the {i}", "image": "p.png"} for i in ("c", "b")]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    Image.new("RGB", (32, 32), "red").save(tmp_path / "p.png")
    ask = ("items", "agree", "ann.csv", "ben.csv", "--items", "items.jsonl", "--out", "out")
    refused = trope(*ask, cwd=tmp_path, check=False)
    assert refused.returncode != 0 and "--encoding gb18030" in refused.stderr
    done = trope(*ask, "--encoding", "gb18030", cwd=tmp_path)
    assert "3 items, 2 annotators: 0 agreed, 3 left to people" in done.stdout
    assert "4 proposals are missing or incomplete and agree with nothing: ann 2, ben 2" in done.stdout
    assert "1 of these say No and leave target or source empty" in done.stdout
    assert "1 ids are none of the items', e.g. 'a'" in done.stdout
    challenge = [json.loads(line) for line in (tmp_path / "out/challenge.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in challenge] == ["c", "b", "a"] and challenge[0]["proposals"] == []
    assert {line["target"] for line in challenge[1]["proposals"]} == {"time", "时间"}


def test_what_is_left_goes_to_people_without_labels_and_as_each_annotator_has_it(tmp_path: Path) -> None:
    """Item a is agreed on; b, c and d are not, d has two annotators, and e none."""
    _three(tmp_path)
    said = {"id": "d", "metaphor": "Yes", "target": "time", "source": "river", "evidence": "It flows.", "mapping": "x"}
    (tmp_path / "cat.jsonl").write_text((tmp_path / "cat.jsonl").read_text("utf-8") + json.dumps(said) + "\n", "utf-8")
    old = {"labels": {"metaphor": "Yes", "sentiment": "Positive", "origin": "commercial"},
           "figures": [{"tenor": "x", "vehicle": "y"}], "references": {"MC": "z"}, "verified_by": ["eva"]}  # fmt: skip
    lines = [{"id": i, "lang": "en", "text": f"the {i}", "image": "p.png", **old} for i in "abcde"]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/challenge-proposals-9.jsonl").write_text("of an earlier call")
    (tmp_path / "out/challenge-proposals-mine.jsonl").write_text("somebody's own")
    made = []
    for order in (("ann", "ben", "cat"), ("cat", "ann", "ben")):
        files = [f"{name}.jsonl" for name in order]
        done = trope("items", "agree", *files, "--items", "items.jsonl", "--out", "out", cwd=tmp_path)
        made.append({path.name: path.read_text("utf-8") for path in sorted((tmp_path / "out").glob("challenge-*"))})
    assert made[0] == made[1]  # whose file comes first tells nothing
    assert made[0].pop("challenge-proposals-mine.jsonl") == "somebody's own"
    assert list(made[0]) == ["challenge-items.jsonl", *(f"challenge-proposals-{n}.jsonl" for n in (1, 2, 3))]
    named = " ".join(f"--proposals out/challenge-proposals-{n}.jsonl" for n in (1, 2, 3))
    assert f"trope study new NAME --verify out/challenge-items.jsonl {named}" in done.stdout
    blank = read_items(tmp_path / "out/challenge-items.jsonl")
    assert [item.id for item in blank] == ["b", "c", "d", "e"]
    for item in blank:
        assert item.labels == {"metaphor": "", "sentiment": "", "origin": "commercial"}
        assert (item.figures, item.references, item.verified_by, item.image) == ((), {}, (), "../p.png")
    versions = [read_items(tmp_path / f"out/challenge-proposals-{n}.jsonl") for n in (1, 2, 3)]
    assert [[item.id for item in of] for of in versions] == [["b", "c", "d"]] * 3
    (cat,) = [of[2] for of in versions if of[2].figures]
    assert cat.labels["sentiment"] == "" and cat.references == {"ITE": "It flows.", "MC": "x"}  # what was not said
    assert sorted(of[1].figures[0].tenor or "" for of in versions) == ["ocean", "sea", "sea"]
    assert {of[0].labels["sentiment"] for of in versions} == {"Positive", "Negative"}
    assert all(of[0].labels["origin"] == "commercial" and not of[0].verified_by for of in versions)


def test_another_matcher_says_that_it_is_not_bertscore(tmp_path: Path) -> None:
    found = read_annotators(_three(tmp_path))
    notes = agreement_table(found, Matched({}), matcher="sentence-encoder:mini").notes
    assert any("sentence-encoder:mini is not BERTScore" in note and "not calibrated" in note for note in notes)
    assert not any(
        "not BERTScore" in n for n in agreement_table(found, Matched({}), matcher="bertscore:m?layer=9").notes
    )


def test_an_agreed_non_metaphor_has_no_mapping_to_explain() -> None:
    item = Item(id="a", lang="en", text="Plain.", image="a.png")
    said = read_answer(json.dumps({"metaphor": "No", "target": None, "source": None, "sentiment": "Neutral",
                                   "evidence": "e", "mapping": "None", "justification": "j"}))  # fmt: skip
    made = agreed_item(item, Consensus(Labels("No", NONE, NONE, "Neutral"), (0, 1, 2)), [said] * 3)
    assert made.references == {"ITE": "e", "SJ": "j"} and made.figures == ()


def test_models_annotate_pictures_and_are_asked_once(tmp_path: Path, server: Callable[..., Any]) -> None:
    good = json.dumps(
        {
            "evidence": "e",
            "mapping": "m",
            "justification": "j",
            "metaphor": "Yes",
            "target": "time",
            "source": "river",
            "sentiment": "Neutral",
        }
    )
    running = server(
        replies=({"contains": "second", "reply": "It is a metaphor."}, {"contains": "first", "reply": good})
    )
    Image.new("RGB", (32, 32), "red").save(tmp_path / "p.png")
    lines = [{"id": name, "lang": "en", "text": f"the {name} one", "image": "p.png"} for name in ("first", "second")]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    models = ",".join(f"vllm:m{n}?base_url={running.url}" for n in range(3))
    ask = ("items", "agree", "--items", "items.jsonl", "--annotator", models, "--out", "out")
    done = trope(*ask, cwd=tmp_path)
    assert (
        "2 items, 3 annotators: 1 agreed, 1 left to people" in done.stdout and "3 proposals are missing" in done.stdout
    )
    assert len([r for r in running.log() if r["path"].endswith("chat/completions")]) == 6
    (line,) = (tmp_path / "out/agreed.jsonl").read_text("utf-8").splitlines()
    made = json.loads(line)
    assert made["image"] == "../p.png" and made["labels"] == {"metaphor": "Yes", "sentiment": "Neutral"}
    assert made["figures"] == [{"tenor": "time", "vehicle": "river"}] and made["references"] == {
        "ITE": "e",
        "MC": "m",
        "SJ": "j",
    }
    trope(*ask, cwd=tmp_path)
    assert len([r for r in running.log() if r["path"].endswith("chat/completions")]) == 6


def test_the_whole_curve_of_thresholds() -> None:
    judged = [Judged("a", "b", same, str(n)) for n, same in enumerate([True, True, True, False, False, False])]
    table = calibrate(judged, [0.9, 0.78, 0.74, 0.76, 0.72, 0.1])
    assert len(table.rows) == 11 and [row[0] for row in table.rows][:2] == [0.7, 0.71]
    share = {round(float(row[0]), 2): row[1]["value"] for row in table.rows}  # type: ignore[index,arg-type]
    assert (
        share[0.70] == pytest.approx(4 / 6)
        and share[0.73] == pytest.approx(5 / 6)
        and share[0.77] == pytest.approx(5 / 6)
    )
    assert share[0.75] == pytest.approx(4 / 6) and share[0.79] == pytest.approx(4 / 6)
    best = [round(float(row[0]), 2) for row in table.rows if row[4] == "best"]  # type: ignore[arg-type]
    assert best == [0.73, 0.74, 0.77, 0.78]
    at = {round(float(row[0]), 2): row[2:4] for row in table.rows}  # type: ignore[arg-type]
    assert [cell["value"] for cell in at[0.77]] == [pytest.approx(2 / 3), 1.0]  # type: ignore[index,union-attr]
    assert all(cell["n"] == 3 and cell["low"] < cell["value"] for cell in at[0.77])  # type: ignore[index,union-attr]
    assert any("chosen on these very pairs" in note for note in table.notes)
    missing = calibrate(judged, [0.9, 0.78, float("nan"), 0.76, 0.72, 0.1])
    assert any("1 pairs could not be measured" in note for note in missing.notes)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("candidate,reference\na,b\n", "line 2: no same"),
        ("candidate,reference,same\na,b,perhaps\n", "same is 'perhaps'"),
        ("candidate,reference,same\n", "no rows"),
    ],
)
def test_human_judgments_that_cannot_be_read_say_where(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "j.csv").write_text(content, "utf-8")
    with pytest.raises(ItemError, match=message):
        read_judged(tmp_path / "j.csv")


@pytest.mark.parametrize("sweep", ["0.7", "0.8,0.7", "a,b", "0,2", "nan,0.8"])
def test_bounds_of_a_sweep_that_are_none_are_refused(sweep: str) -> None:
    assert _bounds("0.5,0.9") == (0.5, 0.9)
    with pytest.raises(UsageError, match="--sweep"):
        _bounds(sweep)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing to compare"),
        (("none.jsonl",), "no proposals at"),
        (("--annotator", "vllm:m"), "--annotator needs --items"),
        (("--calibrate", "j.csv"), "--calibrate needs --matcher"),
        (("a.jsonl", "--language", "fr"), "--language 'fr'"),
        (("bad.csv",), "id 'a' has a row already"),
    ],
)
def test_wrong_usage_is_explained(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "bad.csv").write_text("id,metaphor\na,Yes\na,No\n", "utf-8")
    done = trope("items", "agree", *arguments, "--out", "out", cwd=tmp_path, check=False)
    assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr
