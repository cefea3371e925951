"""The protocol m3r: what is asked, and tables worked by hand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from trope.errors import ItemError, UsageError
from trope.items import load_set
from trope.judges import JUDGES
from trope.nouns import Figure, Item
from trope.protocols import Measured, Study, protocol
from trope.protocols.m3r import M3R
from trope.protocols.m3r.errors import KINDS, compare, make_sheet, mcnemar, read_kinds
from trope.protocols.m3r.prompting import LANGUAGES, PROMPTS, read, wordings
from trope.protocols.m3r.reference import printed, reference_tables, value
from trope.protocols.tables import Table
from trope.records import Observation, Output, reread
from trope.requests import Ask, Compare, Reply
from trope.strategies import Context, strategies

BERT, JUDGE = "bertscore:m?layer=9", "openai:judge"


def item(n: int, metaphor: bool = True, sentiment: str = "Positive", **fields: Any) -> Item:
    figures = (Figure(tenor=f"farm {n}", vehicle="river"),) if metaphor else ()
    return Item(
        id=f"i{n}", lang=fields.pop("lang", "en"), text=fields.pop("text", f"Text number {n}."), figures=figures,
        image=f"i{n}.jpg", references={"ITE": "r1", "SJ": "r3", **({"MC": "r2"} if metaphor else {})},
        labels={"metaphor": "Yes" if metaphor else "No", "sentiment": sentiment, **fields.pop("labels", {})}, **fields,
    )  # fmt: skip


def reply(**fields: Any) -> str:
    full = {"metaphor": "Yes", "target": "farm", "source": "river", "sentiment": "Positive", "evidence": "e",
            "mapping": "m", "justification": "j"}  # fmt: skip
    return json.dumps({k: v for k, v in (full | fields).items() if v != "(left out)"})


def cell(
    of: Item, raw: str | None = None, *, status: Any = "ok", f1: Sequence[float | None] = (), judged: Any = None,
    subject: str = "model", strategy: str = "direct",
) -> Measured:  # fmt: skip
    """One cell as a store would give it back; every observation that the protocol asks for is answered."""
    asked = protocol("m3r")
    output = Output("k", subject, status, None, raw)
    output = reread(output, asked.read) if raw is not None else output  # type: ignore[assignment]
    seen: dict[str, dict[str, Observation]] = {}
    if output.ok:
        numbers = dict(zip(("target", "source"), f1, strict=False))
        for name in asked.observe(of, output, BERT, "similarity"):
            number = numbers.get(name)
            told = Observation("c", BERT, "failed") if number is None else Observation(
                "c", BERT, "ok", json.dumps({"scores": [number]}))  # fmt: skip
            seen.setdefault(BERT, {})[name] = told
        for name, request in asked.observe(of, output, JUDGE, "judge").items():
            assert isinstance(request, Ask)
            said = Observation("j", JUDGE, "ok", None, json.dumps(judged or {}))
            seen.setdefault(JUDGE, {})[name] = reread(said, request.prompt.read)  # type: ignore[assignment]
    return Measured(of, subject, strategy, 42, output, 1, (), seen)


def tables(cells: Sequence[Measured], instruments: Mapping[str, Any] | None = None) -> dict[str, Table]:
    kinds: Any = {BERT: "similarity", JUDGE: "judge"} if instruments is None else instruments
    study = Study(cells, len(cells), kinds, "m3r@test")
    return {table.name: table for table in protocol("m3r").score(study).tables}


def column(table: Table, name: str, row: int = 0) -> Any:
    found = table.rows[row][list(table.columns).index(name)]
    return found["value"] if isinstance(found, dict) else found


def eight() -> list[Measured]:
    """Five true metaphors and three others, one fault each.

    ==  ======================================  ====  ====  ====  ===  ==  ==
    n   answer                                  TP    SP    JLA   MD   SC
    ==  ======================================  ====  ====  ====  ===  ==  ==
    0   right, F1 .9 and .8                     .9    .8    1     1    1
    1   metaphor missed                         0     0     0     0    1
    2   unparsed                                0     0     0     0    0
    3   source missing, F1 of target .7         .7    0     0     1    1
    4   right words, wrong sentiment, 1 and 1   1     1     0     1    0
    5   other, all right                        -     -     1     1    1
    6   other, taken for a metaphor             -     -     0     0    1
    7   other, refused                          -     -     0     0    0
    ==  ======================================  ====  ====  ====  ===  ==  ==
    """
    no = {"metaphor": "No", "target": None, "source": None}
    return [
        cell(item(0), reply(), f1=(0.9, 0.8), judged={"ITE": 0.5, "MC": 0.4, "SJ": 1}),
        cell(item(1), reply(**no), judged={"SJ": 0.5}),
        cell(item(2), "It is a metaphor."),
        cell(item(3), reply(source="(left out)"), f1=(0.7,), judged={"ITE": 1, "SJ": 0.5}),
        cell(item(4), reply(sentiment="Negative"), f1=(1.0, 1.0), judged={"ITE": 1, "MC": "high"}),
        cell(item(5, False, "Neutral"), reply(**no, sentiment="Neutral"), judged={"ITE": 0.5}),
        cell(item(6, False, "Neutral"), reply(sentiment="Neutral"), judged={"SJ": 1}),
        cell(item(7, False, "Neutral"), status="refused"),
    ]


def test_labels_by_hand() -> None:
    table = tables(eight())["labels"]
    assert column(table, "MD accuracy") == 50.0 and column(table, "items") == 8
    assert column(table, "SC accuracy") == pytest.approx(100 * 5 / 8)
    # Yes: TP 3, FP 1, FN 2 -> 6/9. No: TP 1, FP 1, FN 2 -> 2/5
    assert column(table, "MD macro-F1") == pytest.approx(100 * (6 / 9 + 2 / 5) / 2)
    # Positive: TP 3, FP 0, FN 2 -> 6/8; Neutral: TP 2, FN 1 -> 4/5. Negative is no class of this truth
    assert column(table, "SC macro-F1") == pytest.approx(100 * (6 / 8 + 4 / 5) / 2)


def test_mapping_by_hand_with_denominators_that_do_not_shrink() -> None:
    table = tables(eight())["mapping"]
    assert column(table, "TP") == pytest.approx(100 * (0.9 + 0 + 0 + 0.7 + 1) / 5)
    assert column(table, "SP") == pytest.approx(100 * (0.8 + 0 + 0 + 0 + 1) / 5)
    assert column(table, "JLA") == pytest.approx(100 * 2 / 8)
    assert column(table, "true metaphors") == 5 and column(table, "items") == 8


def test_explanations_by_hand() -> None:
    table = tables(eight())["explanations"]
    ite = 100 * (0.5 + 0 + 0 + 1 + 1 + 0.5 + 0 + 0) / 8
    mc = 100 * (0.4 + 0 + 0 + 0 + 0) / 5  # item 4: the judge's MC is no number, hence 0, and counted
    sj = 100 * (1 + 0.5 + 0 + 0.5 + 0 + 0 + 1 + 0) / 8  # item 5: the judge left SJ out
    assert [column(table, s) for s in ("ITE", "MC", "SJ")] == pytest.approx([ite, mc, sj])
    assert column(table, "Mean") == pytest.approx((ite + mc + sj) / 3)
    mean = table.rows[0][list(table.columns).index("Mean")]
    assert mean["low"] is None and "8 clusters, fewer than 10" in mean["reason"]  # type: ignore[index]
    assert column(table, "true metaphors") == 5 and column(table, "items") == 8
    counts = [column(table, c) for c in ("gate closed", "no explanation", "judge failed", "judged")]
    assert counts == [10, 0, 2, 9] and sum(counts) == 8 + 5 + 8
    # closed: ITE 1, 2, 6, 7; MC 1, 2, 3; SJ 2, 4, 7


def test_by_metaphor_language_and_origin() -> None:
    cells = eight()
    found = tables(cells)
    by = found["by_metaphor"]
    assert [row[0] for row in by.rows] == ["No", "Yes"]
    assert column(by, "MD accuracy", 1) == 60.0 and column(by, "MD accuracy", 0) == pytest.approx(100 / 3)
    assert column(by, "TP", 0) is None and "no true metaphor" in by.rows[0][6]["reason"]  # type: ignore[index]
    assert column(by, "JLA", 1) == 20.0 and column(by, "items", 1) == column(by, "true metaphors", 1) == 5
    explained = found["explanations_by_metaphor"]
    assert column(explained, "ITE", 1) == pytest.approx(100 * 2.5 / 5) and column(explained, "MC", 1) == 8.0
    assert column(explained, "SJ", 0) == pytest.approx(100 / 3) and column(explained, "MC", 0) is None
    assert column(explained, "Mean", 0) is None and column(explained, "Mean", 1) == pytest.approx(
        (column(explained, "ITE", 1) + 8 + column(explained, "SJ", 1)) / 3
    )
    assert [row[0] for row in found["by_language"].rows] == ["en"]
    assert [row[0] for row in found["by_origin"].rows] == ["(not said)"]
    zh = [cell(item(n, labels={"origin": o}, lang=lang), reply(), f1=(1, 1)) for n, o, lang in
          ((20, "commercial", "zh"), (21, "commercial", "en"), (22, "social_media", "en"))]  # fmt: skip
    found = tables(zh)
    assert [(row[0], row[-1]) for row in found["by_origin"].rows] == [("commercial", 2), ("social_media", 1)]
    assert [(row[0], row[-1]) for row in found["by_language"].rows] == [("en", 2), ("zh", 1)]


def test_languages_have_every_score_of_the_whole_set() -> None:
    cells = [cell(item(n, lang="zh" if n % 2 else "en"), reply(sentiment="Positive" if n % 3 else "Neutral"),
                  f1=(0.9, 0.7), judged={"ITE": 0.5, "MC": 1, "SJ": 1}) for n in range(12)]  # fmt: skip
    whole, zh = tables(cells), tables([c for c in cells if c.item.lang == "zh"])
    for table, name in (("labels", "SC macro-F1"), ("explanations", "Mean")):
        found = whole[table].rows[0][list(whole[table].columns).index(name)]
        assert found["low"] < found["value"] < found["high"] and found["clusters"] == 12  # type: ignore[index]
    by, explained = whole["by_language"], whole["explanations_by_language"]
    assert [row[0] for row in by.rows] == [row[0] for row in explained.rows] == ["en", "zh"]
    for name in ("MD accuracy", "MD macro-F1", "SC accuracy", "SC macro-F1"):
        assert column(by, name, 1) == column(zh["labels"], name)
    for name in ("TP", "SP", "JLA", "true metaphors", "items"):
        assert column(by, name, 1) == column(zh["mapping"], name)
    for name in ("ITE", "MC", "SJ", "Mean", "true metaphors", "items"):
        assert column(explained, name, 1) == column(zh["explanations"], name)


def test_confusions_fields_and_statuses() -> None:
    found = tables(eight())
    assert [list(row[2:]) for row in found["confusion_metaphor"].rows] == [["Yes", 3, 1, 1], ["No", 1, 1, 1]]
    assert [list(row[2:]) for row in found["confusion_sentiment"].rows] == [
        ["Positive", 3, 0, 1, 1], ["Neutral", 0, 2, 0, 1],
    ]  # fmt: skip
    assert list(found["fields"].rows[0][2:]) == [0, 0, 1, 0, 0, 0, 0, 6]
    assert list(found["statuses"].rows[0][2:]) == [6, 1, 1, 0, 0, 8]


def test_without_a_similarity_nothing_open_is_scored_and_no_string_is_matched() -> None:
    cells = [cell(item(0), reply(target="farm 0"), judged={"ITE": 1, "MC": 1, "SJ": 1})]
    found = tables(cells, {JUDGE: "judge"})
    for name in ("TP", "SP", "JLA"):
        cell_ = found["mapping"].rows[0][list(found["mapping"].columns).index(name)]
        assert isinstance(cell_, dict) and cell_["value"] is None and "no similarity" in str(cell_["reason"])
    assert column(found["explanations"], "MC") is None and column(found["explanations"], "Mean") is None
    assert column(found["explanations"], "ITE") == 100.0
    said = protocol("m3r").score(Study(cells, 1, {JUDGE: "judge"}, "x")).warnings
    assert any("No similarity instrument" in line for line in said)


def test_a_comparison_that_failed_makes_the_score_undefined_not_smaller() -> None:
    cells = [cell(item(0), reply(), f1=(0.9, 0.9)), cell(item(1), reply(), f1=(0.9, None))]
    row = tables(cells)["mapping"]
    assert column(row, "TP") == pytest.approx(90) and column(row, "SP") is None and column(row, "JLA") is None
    assert "1 of 2 were not measured" in row.rows[0][4]["reason"]  # type: ignore[index]


def test_another_matcher_is_never_called_bertscore() -> None:
    other = "sentence-encoder:mini"
    cells = [cell(item(n), reply(), f1=(0.9, 0.9)) for n in range(3)]
    cells = [
        Measured(c.item, c.subject, c.strategy, c.seed, c.output, 1, (), {other: c.observations[BERT]}) for c in cells
    ]
    scores = protocol("m3r").score(Study(cells, 3, {other: "similarity"}, "x"))
    row = next(t for t in scores.tables if t.name == "mapping").rows[0]
    assert [c["mark"] for c in row[3:6]] == ["not BERTScore"] * 3  # type: ignore[index]
    assert any("comparable with none but its own" in line for line in scores.warnings)
    assert "mark" not in tables([cell(item(0), reply(), f1=(1, 1))])["mapping"].rows[0][3]  # type: ignore[operator]


def test_what_a_matcher_cannot_read_is_undefined_counted_and_said() -> None:
    other = "sentence-encoder:mini"

    def seen(score: float | None, why: str) -> Mapping[str, Mapping[str, Observation]]:
        said = {"scores": [score], "reasons": {"0": why}}
        return {other: {name: Observation("c", other, "ok", json.dumps(said)) for name in ("target", "source")}}

    cells = [cell(item(n), reply(), f1=(1, 1)) for n in range(2)]
    one = Measured(*[getattr(cells[0], f) for f in ("item", "subject", "strategy", "seed", "output")], 1, (),
                   seen(None, "unknown tokens: not measured"))  # fmt: skip
    two = Measured(*[getattr(cells[1], f) for f in ("item", "subject", "strategy", "seed", "output")], 1, (),
                   seen(0.5, "the reference is cut at 9 tokens"))  # fmt: skip
    scores = protocol("m3r").score(Study([one, two], 2, {other: "similarity"}, "x"))
    row = next(t for t in scores.tables if t.name == "mapping").rows[0]
    assert row[3]["value"] is None and row[3]["reason"].startswith("1 of 2 were not measured.")  # type: ignore[index]
    assert f"{other}: 2 of 4 comparisons: unknown tokens: not measured." in scores.warnings
    assert f"{other}: 2 of 4 comparisons: a text is cut at 9 tokens." in scores.warnings
    assert protocol("m3r").highlight(one)[f"{other} target"]["verdict"] == "not measured"


def test_a_system_of_labels_only_has_dashes_and_a_model_that_says_nothing_zeros() -> None:
    bare = json.dumps({"metaphor": "Yes", "sentiment": "Positive"})
    only = tables([cell(item(n), bare, subject="predictions:clip", strategy="given") for n in range(3)])
    assert column(only["mapping"], "TP") is None and column(only["labels"], "MD accuracy") == 100.0
    assert "labels only" in only["mapping"].rows[0][3]["reason"]  # type: ignore[index]
    assert column(only["explanations"], "ITE") is None
    model = tables([cell(item(n), bare) for n in range(3)])
    assert column(model["mapping"], "TP") == 0.0 and column(model["mapping"], "JLA") == 0.0
    assert column(model["explanations"], "ITE") == 0.0
    mute = [cell(item(n), json.dumps({"metaphor": "Yes", "target": "farm", "source": "river", "sentiment": "Positive"}),
                 f1=(1, 1), subject="predictions:task", strategy="given") for n in range(3)]  # fmt: skip
    found = tables(mute)
    assert column(found["mapping"], "TP") == 100.0 and column(found["explanations"], "SJ") is None
    assert "gives no explanations" in found["explanations"].rows[0][4]["reason"]  # type: ignore[index]
    once = [
        cell(item(0), bare, subject="p", strategy="given"),
        cell(item(1), reply(), f1=(1, 1), subject="p", strategy="given"),
    ]
    assert column(tables(once)["mapping"], "TP") == 50.0  # a system that can, and once did not


def test_the_comparison_is_paired_and_is_mcnemars_test() -> None:
    no = reply(metaphor="No", target=None, source=None)
    cells = []
    for n in range(10):
        cells.append(cell(item(n), reply(), f1=(1, 1), subject="a"))
        cells.append(cell(item(n), no if n < 8 else reply(), f1=(1, 1), subject="b"))
    rows = {row[2]: row for row in tables(cells)["comparison"].rows}
    md, apart = rows["MD"], rows["MD"][4]
    assert md[0] == "b · direct" and md[1] == "a · direct" and apart["value"] == pytest.approx(-80.0)
    assert -100 <= apart["low"] < -80 < apart["high"] <= 0 and apart["n"] == apart["clusters"] == 10
    assert md[5] == pytest.approx(-0.8 / (0.16 * 10 / 9) ** 0.5)  # mean over SD, ddof 1
    assert (md[6], md[7], md[8]) == (0, 8, 10)
    assert md[9] == pytest.approx(mcnemar(0, 8)) == pytest.approx(2 / 2**8)
    assert rows["TP"][4]["value"] == pytest.approx(-80.0) and rows["JLA"][4]["value"] == pytest.approx(-80.0)
    assert md[10] >= md[9]


def test_a_second_matcher_adds_no_second_test_of_what_it_does_not_touch() -> None:
    other = "sentence-encoder:mini"
    cells = []
    for name in ("a", "b"):
        for n in range(6):
            one = cell(item(n), reply(metaphor="No" if name == "b" and n else "Yes"), f1=(1, 1), subject=name,
                       judged={"ITE": 1, "MC": 1, "SJ": 1})  # fmt: skip
            seen = {**one.observations, other: one.observations.get(BERT, {})}
            cells.append(Measured(one.item, one.subject, one.strategy, 42, one.output, 1, (), seen))
    rows = tables(cells, {BERT: "similarity", other: "similarity", JUDGE: "judge"})["comparison"].rows
    assert sorted((row[2], row[3]) for row in rows if row[2] in ("MD", "SC", "ITE", "SJ")) == [
        ("ITE", JUDGE), ("MD", None), ("SC", None), ("SJ", JUDGE),
    ]  # fmt: skip
    assert sorted(row[3] for row in rows if row[2] == "MC") == [f"{JUDGE} · {BERT}", f"{JUDGE} · {other}"]
    assert sorted(row[3] for row in rows if row[2] == "JLA") == [BERT, other]


def test_a_prediction_file_is_compared_with_the_first_model() -> None:
    cells = [cell(item(n), reply(), f1=(1, 1)) for n in range(6)]
    cells += [cell(item(n), reply(metaphor="No"), subject="p", strategy="given") for n in range(6)]
    rows = tables(cells)["comparison"].rows
    assert {row[0] for row in rows} == {"p · given"} and {row[1] for row in rows} == {"model · direct"}


def test_items_that_share_a_text_are_one_cluster() -> None:
    cells = [cell(item(n, text="The  same TEXT"), reply(), f1=(1, 1)) for n in range(3)]
    found = tables(cells)["labels"].rows[0][2]
    assert isinstance(found, dict) and found["n"] == 3 and found["clusters"] == 1


def test_prompts_ask_for_every_field_in_both_languages() -> None:
    for language in LANGUAGES:
        for name in PROMPTS:
            text = wordings("item")[name][language]
            assert text.count("{text}") == 1
            assert all(f'"{field}"' in text for field in json.loads(reply()))
            assert "None" in text
    assert len({wordings("item")[name][lang] for name in PROMPTS for lang in LANGUAGES}) == 6
    assert wordings("en")["direct"]["zh"] == wordings("item")["direct"]["en"]


def _request(name: str, of: Item, **options: str) -> Reply:
    (how,) = strategies(name, Context(M3R(**options).wordings))
    request = how.start(of).send(None)
    assert isinstance(request, Reply)
    return request


def test_the_language_of_the_prompt_is_the_items_or_chosen() -> None:
    zh = item(1, lang="zh", text="文字在此")
    assert "文字在此" in _request("direct", zh).prompt.user and "隐喻" in _request("direct", zh).prompt.user
    assert "metaphor?" in _request("direct", zh, language="en").prompt.user
    assert _request("evidence", item(1)).prompt.temperature == 0.0
    assert _request("direct", item(1)).prompt.schema is None
    schema = _request("direct?schema=yes", item(1)).prompt.schema
    assert schema is not None and schema["properties"]["metaphor"] == {"enum": ["Yes", "No"]}
    with pytest.raises(ItemError, match="--option language=en"):
        _request("direct", item(1, lang="ar"))
    assert "Text number 1" in _request("direct", item(1, lang="ar"), language="en").prompt.user
    with pytest.raises(UsageError, match="Expected: item, en, zh"):
        M3R(language="fr")
    with pytest.raises(UsageError, match="threshold='2'"):
        M3R(threshold="2")
    with pytest.raises(UsageError, match="has no option 'schemas'. Did you mean 'schema'"):
        _request("direct?schemas=yes", item(1))


def test_prompts_are_for_models_and_given_is_for_files(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a"}', "utf-8")
    file, model = JUDGES.create(f"predictions:{path}"), JUDGES.create("openai:m")

    def of(name: str, *subjects: Any) -> list[tuple[str, Any]]:
        context = Context(M3R().wordings, subjects={subject.name: subject for subject in subjects})
        return [(how.name, how.subjects) for how in strategies(name, context)]

    assert of("direct", model) == [("direct", None)] and of("given", model) == []
    assert of("direct", model, file) == [("direct", ("openai:m",))]
    assert of("given", model, file) == of("given", file) == [("given", ("predictions:p",))]
    assert of("direct", file) == []
    with pytest.raises(UsageError, match="all subjects are prediction files. Expected: --strategy given"):
        of("evidence", file)
    with pytest.raises(UsageError, match="is a prompt of m3r"):
        strategies("direct", Context({"base": {"en": "{text}"}}))


def test_the_judge_sees_both_labels_and_texts_and_no_picture() -> None:
    asked = protocol("m3r")
    output = Output("k", "m", "ok", json.dumps(read(reply(target="barn", evidence="the panels bend"))))
    request = asked.observe(item(0), output, JUDGE, "judge")["explanations"]
    assert isinstance(request, Ask) and request.output is None and request.shown is None
    text = request.prompt.user
    for part in ("farm 0", "barn", "r1", "the panels bend", "ITE, MC, SJ", "metaphor: Yes"):
        assert part in text
    assert request.prompt.temperature == 0.0
    compared = asked.observe(item(0), output, BERT, "similarity")
    assert {name: r.pairs for name, r in compared.items() if isinstance(r, Compare)} == {
        "target": (("barn", "farm 0"),), "source": (("river", "river"),),
    }  # fmt: skip


def test_a_forecast_counts_all_that_could_be_asked() -> None:
    asked, nobody = protocol("m3r"), Output("k", "m", "ok")
    assert list(asked.observe(item(0), nobody, BERT, "similarity")) == ["target", "source"]
    assert asked.observe(item(0, False), nobody, BERT, "similarity") == {}
    (ask,) = asked.observe(item(0), nobody, JUDGE, "judge").values()
    assert isinstance(ask, Ask)
    real = asked.observe(item(0), Output("k", "m", "ok", json.dumps(read(reply()))), JUDGE, "judge")["explanations"]
    assert isinstance(real, Ask) and len(real.prompt.user) < len(ask.prompt.user)


def test_items_that_cannot_be_asked_about_are_named() -> None:
    asked = protocol("m3r")
    asked.check([item(0)], {BERT: "similarity", JUDGE: "judge"})
    bare = item(0).model_copy(update={"image": None})
    with pytest.raises(ItemError, match="1 items have no image, e.g. 'i0'"):
        asked.check([bare], {BERT: "similarity"})
    with pytest.raises(ItemError, match=r"1 items are in a language .* 'i3' \(ar\).*--option language=en"):
        asked.check([item(0), item(3, lang="ar")], {BERT: "similarity"})
    M3R(language="zh").check([item(3, lang="ar")], {BERT: "similarity"})
    silent = item(0).model_copy(update={"references": {"ITE": "r", "SJ": "r"}})
    asked.check([silent], {BERT: "similarity"})
    with pytest.raises(ItemError, match=r"1 items have no references.MC, e.g. 'i0'"):
        asked.check([silent], {JUDGE: "judge"})
    with pytest.raises(UsageError, match="'ssd' detects objects"):
        asked.check([item(0)], {"ssd": "detector"})
    with pytest.raises(UsageError, match="'clipscore:c' measures a picture against a text; m3r compares texts"):
        asked.check([item(0)], {BERT: "similarity", "clipscore:c": "similarity"})


def test_the_gallery_shows_answer_and_truth() -> None:
    shown = protocol("m3r").highlight(eight()[0])
    assert shown["answer"]["verdict"] == "Yes · farm · river · Positive"
    assert shown["truth"]["verdict"] == "Yes · farm 0 · river · Positive"
    assert shown[f"{BERT} target"]["verdict"] == "0.90"
    assert shown[f"{JUDGE} explanations"]["verdict"] == "ITE 0.50, MC 0.40, SJ 1.00"
    assert protocol("m3r").highlight(eight()[2])["answer"]["verdict"] == "unparsed"


def test_the_demonstration_set_is_whole_and_says_that_it_is_synthetic() -> None:
    items = load_set("m3r-demo")
    protocol("m3r").check(items, {BERT: "similarity", JUDGE: "judge"})
    assert {(i.lang, bool(i.figures)) for i in items} == {(lang, m) for lang in ("en", "zh") for m in (True, False)}
    assert len({i.labels["origin"] for i in items}) == 3 and len({i.labels["sentiment"] for i in items}) == 3
    scores = protocol("m3r").score(Study([cell(items[0], reply(), f1=(1, 1))], 1, {BERT: "similarity"}, "x"))
    assert "synthetic demonstration" in scores.warnings[0]


def test_scores_do_not_depend_on_the_order_of_cells() -> None:
    one, two = (tables(cells)["mapping"].rows[0][3] for cells in (eight(), eight()[::-1]))
    assert one["value"] == pytest.approx(two["value"])  # type: ignore[index]
    assert one == tables(eight())["mapping"].rows[0][3]


# --- error kinds ---


def study_of_two() -> Study:
    cells = []
    for n in range(12):
        cells.append(cell(item(n), reply(target="=theme"), f1=(0.2, 0.9), subject="a"))
        cells.append(cell(item(n), reply(), f1=(0.9, 0.9) if n < 5 else (0.2, 0.9), subject="b"))
    return Study(cells, 24, {BERT: "similarity", JUDGE: "judge"}, "x")


def test_the_sheet_hides_systems_and_the_key_knows_them() -> None:
    made = make_sheet(study_of_two(), ["a", "b"], count=8, seed=1, threshold=0.75)
    assert (made.items, made.wrong) == (8, 12)
    lines = made.sheet.splitlines()
    assert len(lines) == 17 and not any("a · direct" in line or "b · direct" in line for line in lines)
    assert "'=theme" in made.sheet  # no spreadsheet takes it for a formula
    assert made.sheet == make_sheet(study_of_two(), ["a", "b"], count=8, seed=1, threshold=0.75).sheet
    with pytest.raises(UsageError, match="'right', 'r0001'|kind ''"):
        read_kinds(made.sheet, made.key)  # nobody has filled it
    with pytest.raises(UsageError, match="system 'c' is not in the run"):
        make_sheet(study_of_two(), ["c"], count=8, seed=1, threshold=0.75)


def test_an_answer_that_was_not_measured_is_neither_right_nor_wrong() -> None:
    study = study_of_two()
    lost = cell(item(0), reply(), f1=(None, 0.9), subject="b")
    cells = [lost if (c.subject, c.item.id) == ("b", item(0).id) else c for c in study.cells]
    with pytest.raises(UsageError, match=r"'b · direct': 1 answers were not measured"):
        make_sheet(Study(cells, 24, study.instruments, "x"), ["a", "b"], count=8, seed=1, threshold=0.75)


def test_kinds_are_counted_and_compared_pairwise() -> None:
    made = make_sheet(study_of_two(), ["a", "b"], count=12, seed=1, threshold=0.75)
    filled = "".join(
        line.replace(",,\r\n", ",Visual Grounding,\r\n") if line.endswith(",,\r\n") else line
        for line in made.sheet.splitlines(keepends=True)
    )
    kinds = read_kinds(filled, made.key)
    assert {system: len(of) for system, of in kinds.items()} == {"a · direct": 12, "b · direct": 12}
    rows = {row[0]: row for row in compare({"a": kinds["a · direct"], "b": kinds["b · direct"]}).rows}
    assert list(rows["visual_grounding"][1:6]) == [12, 7, 5, 0, 12]
    assert rows["visual_grounding"][6] == pytest.approx(2 / 2**5)
    assert list(rows["right"][1:3]) == [0, 5] and set(rows) == {*KINDS, "right"}


def test_a_sheet_is_read_as_spreadsheets_save_it() -> None:
    made = make_sheet(study_of_two(), ["a", "b"], count=12, seed=1, threshold=0.75)
    rows = list(csv.DictReader(made.sheet.splitlines()))
    for row in rows:
        row["kind"] = row["kind"] or "other"

    def saved(rows: Sequence[Mapping[str, str]], sign: str = ",") -> str:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, rows[0], delimiter=sign)
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    plain = read_kinds(saved(rows), made.key)
    assert read_kinds("\ufeff" + saved(rows, ";"), made.key) == read_kinds(saved(rows, "\t"), made.key) == plain
    with pytest.raises(UsageError, match="sheet, line 26: row 'r0001' is there already"):
        read_kinds(saved([*rows, rows[0]]), made.key)
    with pytest.raises(UsageError, match="the sheet has no column 'kind'"):
        read_kinds("row,item\r\nr0001,a\r\n", made.key)
    with pytest.raises(ItemError, match="is empty"):
        read_kinds("", made.key)


def test_mcnemars_exact_p_by_hand() -> None:
    assert mcnemar(0, 0) == 1.0 and mcnemar(3, 3) == 1.0
    assert mcnemar(1, 5) == pytest.approx(2 * (1 + 6) / 64)


# --- the paper ---


def test_the_papers_numbers_fit_together() -> None:
    assert value("metaphors") + value("non-metaphors") == value("items") == 1000
    assert value("positive") + value("neutral") + value("negative") == 1000
    assert value("social media") + value("commercial advertisements") + value("public-service advertisements") == 1000
    jla = value("reasoner, with reinforcement, JLA")
    assert jla - value("Qwen3-VL-8B, JLA, direct") == pytest.approx(value("gain of the reasoner in JLA over its base"))
    assert jla - value("GPT-5.5, JLA, direct") == pytest.approx(19.50)
    assert jla - value("GPT-5.5, JLA, evidence chain") == pytest.approx(14.90)
    stages = [value(f"reasoner, {s}") for s in ("ITE", "MC", "SJ")]
    assert sum(stages) / 3 == pytest.approx(value("reasoner, Mean"), abs=0.005)
    gains = [value(f"gain of the reasoner over Claude-Sonnet-4.6, {s}") for s in ("ITE", "MC", "SJ")]
    assert sum(gains) / 3 == pytest.approx(value("gain of the reasoner over Claude-Sonnet-4.6, Mean"), abs=0.01)
    kinds = [(r[0], r[1]) for r in printed()["rows"] if r[0].startswith("of these ") and "corrected" not in r[0]]
    assert sum(n for what, n in kinds if "GPT-4o" in what) == 100
    assert sum(n for what, n in kinds if "reasoner" in what) == 100 - value("of these corrected by the reasoner") == 53


def test_the_papers_numbers_stand_beside_its_items_only() -> None:
    counts = (
        [(True, "Positive")] * 495 + [(True, "Neutral")] * 15 + [(False, "Neutral")] * 191 + [(False, "Negative")] * 299
    )
    cells = [
        Measured(item(n, *how), "m", "direct", 42, Output("k", "m", "failed"), 1, (), {})
        for n, how in enumerate(counts)
    ]
    (table,) = reference_tables(Study(cells, 1000, {}, "x"))
    assert table.name == "paper" and len(table.rows) == len(printed()["rows"])
    assert (
        reference_tables(Study(cells[1:], 999, {}, "x"))
        == []
        == protocol("m3r").reference(Study(cells[:5], 5, {}, "x"))
    )
