"""vista: every table against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.protocols.vista_study import (
    cell,
    item,
    judged,
    literal,
    names,
    output,
    reply,
    study,
    table,
    value,
)  # fmt: skip
from trope.protocols import protocol
from trope.protocols.vista.scoring import v_score

PUBLISHED = {"order": "published"}


def score(cells, options=None, planned=None, **kinds):
    return protocol("vista", options or PUBLISHED).score(study(cells, planned, **kinds))


def test_score_options_and_statuses_of_one_view() -> None:
    cells = [
        judged(item("a"), "AAAA"),  # 3 3 3 3 -> 100
        judged(item("b"), "ABAB"),  # 3 2 3 2 -> 100 * (.9 + .6 + .6 + .4) / 3 = 83.333
        judged(item("c"), "ADAC"),  # 3 0 3 1 -> 100 * (.9 + 0 + .6 + .2) / 3 = 56.667
        judged(item("d"), "unparsed"),
        judged(item("e"), "AAAA", status="blank"),
        judged(item("f"), "AAAA", status="refused"),
        judged(item("g"), "AAAA", status="failed"),
        judged(item("h"), "refused"),
    ]
    found = score(cells)
    (row,) = table(found, "v_score")
    mean = (100 + 83.0 + 1 / 3 + 56.0 + 2 / 3) / 3
    assert row["V-Score"] == pytest.approx(mean) == pytest.approx(80)
    assert (row["valid"], row["of"], row["common"]) == (3, 8, 3)
    assert row["worst"] == pytest.approx(240 / 8)  # the five others 0
    assert row["best"] == pytest.approx((240 + 500) / 8)
    assert [row[q] for q in ("Q1 tenor", "Q2 vehicle", "Q3 scene", "Q4 meaning")] == pytest.approx([3, 5 / 3, 3, 2])
    q1, q2, _, q4 = table(found, "options")
    shares = ("3 points", "2 points", "1 point", "0 points")
    assert [q1[s] for s in shares] == [1, 0, 0, 0]
    assert [q2[s] for s in shares] == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert [q4[s] for s in shares] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert (q2["1 or 0"], q2["valid"]) == (pytest.approx(1 / 3), 3)
    (counts,) = table(found, "statuses")
    assert {k: counts[k] for k in ("ok", "unparsed", "refused", "failed", "blank", "all")} == {
        "ok": 3, "unparsed": 1, "refused": 2, "failed": 1, "blank": 1, "all": 8,
    }  # fmt: skip
    assert names(found) == [
        "v_score", "options", "by_language", "by_form", "by_mechanism", "weights", "letters", "statuses",
    ]  # fmt: skip


def test_the_common_set_is_valid_for_all() -> None:
    a, b, c = item("a"), item("b"), item("c")
    cells = [
        judged(a, "AAAA", subject="x"), judged(b, "DDDD", subject="x"), judged(c, "AAAA", subject="x"),
        judged(a, "AAAA", subject="y"), judged(b, "unparsed", subject="y"), judged(c, "DDDD", subject="y"),
    ]  # fmt: skip
    found = score(cells)
    x, y = table(found, "v_score")
    assert x["V-Score"] == pytest.approx(200 / 3)  # its own three
    assert (x["V-Score, common set"], y["V-Score, common set"], x["common"]) == (100, 50, 2)  # a and c
    (row,) = table(found, "comparison")
    assert (row["this"], row["minus that"], row["difference of V-Score"], row["pairs"]) == ("y", "x", -50, 2)


def test_gains_are_paired_by_item_and_seed_and_by_question() -> None:
    items = [item(n) for n in "abcdef"]
    cells = []
    for of in items:
        for seed in (1, 2):
            cells.append(judged(of, "ACAB", seed=seed))  # 3 1 3 2 -> 100 * (.9 + .3 + .6 + .4) / 3
            # 2 3 3 1: Q1 -1, Q2 +2, Q4 -1 -> V-Score 20 - 10 - 6.667 = +3.333
            cells.append(judged(of, "BAAC", seed=seed, strategy="guard:instruct"))
    cells.append(judged(item("g"), "ACAB", seed=1))
    cells.append(judged(item("g"), "unparsed", seed=1, strategy="guard:instruct"))  # leaves the pairs
    rows = {row["measure"]: row for row in table(score(cells), "gains")}
    assert {m: row["gain"] for m, row in rows.items()} == {
        "V-Score": pytest.approx(10 / 3), "Q1 tenor": -1, "Q2 vehicle": 2, "Q3 scene": 0, "Q4 meaning": -1,
        "Q1, Q3, Q4": pytest.approx(-10 - 20 / 3),
    }  # fmt: skip
    assert rows["Q2 vehicle"]["worth in V-Score"] == pytest.approx(20)
    whole = rows["V-Score"]
    assert whole["gain"] == pytest.approx(rows["Q2 vehicle"]["worth in V-Score"] + rows["Q1, Q3, Q4"]["gain"])
    assert (whole["pairs"], whole["of"], whole["vehicles"], whole["prompts changed"]) == (12, 13, 6, 12)
    base = 100 * (0.9 + 0.3 + 0.6 + 0.4) / 3
    assert whole["worst"] == pytest.approx((12 * 10 / 3 - base) / 13)
    assert whole["best"] == pytest.approx((12 * 10 / 3 + 100 - base) / 13)
    assert whole["p"] == pytest.approx(2 / 2**6)  # all six vehicles gain: both signs of 64
    assert rows["Q3 scene"]["p"] == 1
    assert whole["p (Holm)"] == pytest.approx(6 / 32)  # six measures, five of them at 1/32: 6 x
    assert rows["Q3 scene"]["p (Holm)"] == 1


def test_gains_of_several_subjects_are_also_given_together() -> None:
    cells = []
    for n, subject in enumerate(("x", "y")):
        for name in "abc":
            cells.append(judged(item(name), "ADAA", subject=subject))
            cells.append(judged(item(name), "ABAA" if n else "ACAA", subject=subject, strategy="human"))
    rows = [r for r in table(score(cells), "gains") if r["measure"] == "Q2 vehicle"]
    assert [(r["subject"], r["gain"], r["pairs"]) for r in rows] == [
        ("x", 1, 3), ("y", 2, 3), ("(all subjects)", 1.5, 6),
    ]  # fmt: skip
    assert [r["prompts changed"] for r in rows] == [None] * 3  # a wording changes every prompt


def test_breakdowns_and_weights() -> None:
    kinds = {"form": "idiom", "mechanism": "idiomaticity"}
    cells = [
        judged(item("a", "en"), "ADAA"),
        judged(item("b", "ar"), "AAAA"),
        judged(item("c", "ar", figure=kinds), "ADDD"),
        judged(item("d", "en"), "unparsed"),
    ]
    found = score(cells)
    total, vehicle, counts = table(found, "by_language")
    assert (total["ar"], total["en"]) == (pytest.approx((100 + 30) / 2), pytest.approx(70))
    assert (vehicle["ar"], vehicle["en"]) == (1.5, 0)
    assert (counts["measure"], counts["ar"], counts["en"]) == ("valid replies", "2 of 2", "1 of 2")
    form, mechanism = table(found, "by_form")[0], table(found, "by_mechanism")[0]
    assert (form["simile"], form["idiom"]) == (85, 30)
    assert (mechanism["semantic_shift"], mechanism["idiomaticity"]) == (85, 30)
    rows = {r["weights of Q1 to Q4"]: r for r in table(found, "weights")}
    assert rows["Q1 + Q2"]["score"] == pytest.approx((50 + 100 + 50) / 3)
    assert rows["Q3 + Q4"]["score"] == pytest.approx((100 + 100 + 0) / 3)
    assert rows["equal"]["score"] == pytest.approx((75 + 100 + 25) / 3)
    # default 70 100 30; Q1+Q2 50 100 50 -> ranks 2 3 1 and 1.5 3 1.5: 1.5 / sqrt(2 x 1.5) = 0.866
    assert rows["Q1 + Q2"]["Spearman with default"] == pytest.approx(1.5 / np.sqrt(3))
    assert rows["equal"]["Spearman with default"] == pytest.approx(1)
    default = next(r for name, r in rows.items() if name.startswith("0.30"))
    assert (default["score"], default["Spearman with default"]) == (pytest.approx(200 / 3), None)


def test_options_and_weights_over_all_subjects_and_strategies() -> None:
    said = {("x", "base"): "AAAA", ("y", "base"): "ABAA", ("x", "human"): "ACAA", ("y", "human"): "ADAA"}
    found = score([judged(item("a"), s, subject=who, strategy=how) for (who, how), s in said.items()])
    pooled = [r for r in table(found, "options") if r["subject"] == "(all subjects)" and r["question"] == "Q2 vehicle"]
    assert [(r["strategy"], r["3 points"], r["2 points"], r["1 or 0"], r["valid"]) for r in pooled] == [
        ("base", 0.5, 0.5, 0, 2),
        ("human", 0, 0, 1, 2),
    ]
    whole = {r["weights of Q1 to Q4"]: r for r in table(found, "weights") if r["subject"] == "(all)"}
    assert whole["Q1 + Q2"]["pictures"] == 4
    assert whole["Q1 + Q2"]["Spearman with default"] == pytest.approx(1)  # 100 90 80 70 and 100 83 67 50
    alone = score([judged(item("a"), "AAAA")])
    assert not [r for name in ("options", "weights") for r in table(alone, name) if r["subject"].startswith("(all")]


def test_a_judge_with_few_valid_replies_is_told_of() -> None:
    said = {"a": "AAAB", "b": "ABCD", "c": "unparsed", "d": "ABBA"}
    told = score([judged(item(n), x) for n, x in said.items()]).warnings
    assert any("judge, call published: 3 of 4 pictures have a valid reply" in line for line in told)
    told = score([judged(item(n), "ABCD") for n in "abcd"]).warnings
    assert not any("have a valid reply" in line for line in told)


def test_a_detector_that_had_nothing_to_look_for_is_told_of() -> None:
    told = score([judged(item("a"), "AAAA")], judge="judge", ssd="detector").warnings
    assert any("ssd looked at nothing" in line for line in told)


def test_subjects_are_ranked_with_the_ranks_they_could_have() -> None:
    letters = {"best": ["AAAA", "AAAB"], "good": ["AAAB", "AAAA"], "poor": ["DDDD", "DDDC"]}
    cells = [judged(item(str(n)), said[n % 2], subject=who) for who, said in letters.items() for n in range(12)]
    cells.append(judged(item("extra"), "AAAA", subject="poor"))  # not in the common set
    rows = {r["subject"]: r for r in table(score(cells), "ranks")}
    assert [(who, rows[who]["rank"], rows[who]["possible ranks"]) for who in rows] == [
        ("best", 1.5, "1 to 2"), ("good", 1.5, "1 to 2"), ("poor", 3, "3"),
    ]  # fmt: skip
    assert rows["poor"]["V-Score, common set"] == pytest.approx((0 + 20 / 3) / 2)
    assert (rows["poor"]["pairs"], rows["poor"]["vehicles"]) == (12, 12)
    assert "ranks" not in names(score([c for c in cells if c.subject == "poor"]))
    none = [judged(item("a"), "unparsed", subject="x"), judged(item("a"), "AAAA", subject="y")]
    assert {r["note"] for r in table(score(none), "ranks")} == {"no complete rows"}


def test_letters_and_what_the_order_does() -> None:
    turned = dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), (3, 2, 1, 0))  # worst first
    cells = [
        cell(item(name), {"judge": {"published": value("AAAA"), "permuted-0": value("AAAA", turned)}}) for name in "ab"
    ]
    # the third judge's reply looks at the picture: best first it says A, worst first it says D
    cells.append(cell(item("c"), {"judge": {"published": value("AAAB"), "permuted-0": value("DDDC", turned)}}))
    found = score(cells, {"order": "both"})
    first, second = table(found, "letters")
    assert [first[x] for x in "ABCD"] == pytest.approx([11 / 12, 1 / 12, 0, 0])
    assert [second[x] for x in "ABCD"] == pytest.approx([8 / 12, 0, 1 / 12, 3 / 12])
    assert (first["all four A"], first["all four the same"], first["replies"]) == (pytest.approx(2 / 3),) * 2 + (3,)
    rows = {r["measure"]: r for r in table(found, "order")}
    seen = float(v_score((3, 3, 3, 2)))
    assert rows["V-Score"]["published"] == pytest.approx((200 + seen) / 3)
    assert rows["V-Score"]["permuted"] == pytest.approx(seen / 3)
    assert rows["V-Score"]["published minus permuted"] == pytest.approx(200 / 3)
    assert rows["V-Score"]["same value"] == pytest.approx(1 / 3)
    assert (rows["Q4 meaning"]["published"], rows["Q4 meaning"]["permuted"]) == (
        pytest.approx(8 / 3),
        pytest.approx(2 / 3),
    )
    assert any("67% of the replies give all four questions the same letter" in w for w in found.warnings)
    assert any("best first" in w for w in found.warnings)


def test_two_judges() -> None:
    one = ["AAAA", "ABAA", "ACAA", "ADAA"]
    two = ["AAAA", "ABAA", "ABAA", "AAAA"]  # the last two seen otherwise
    cells = [
        cell(item(n), {"one": {"published": value(x)}, "two": {"published": value(y)}})
        for n, x, y in zip("abcd", one, two, strict=True)
    ]
    cells.append(cell(item("e"), {"one": {"published": value("AAAA")}, "two": {"published": "unparsed"}}))
    rows = {r["measure"]: r for r in table(score(cells, one="judge", two="judge"), "judges")}
    whole, q2 = rows["V-Score"], rows["Q2 vehicle"]
    assert (whole["judge"], whole["other judge"], whole["pictures"]) == ("one", "two", 4)
    # one 100 90 80 70, two 100 90 90 100: ranks 4 3 2 1 and 3.5 1.5 1.5 3.5
    assert whole["Spearman"] == pytest.approx(0)
    assert (whole["same value"], whole["mean difference"]) == (0.5, pytest.approx(-10))
    assert q2["same value"] == 0.5
    # Q2: (3,3) (2,2) (1,2) (0,3), agreement 1 - (d/3)^2: observed (1 + 1 + 8/9 + 0) / 4 = 13/18
    # chance: one spread over 3 2 1 0, two half on 3, half on 2: each cell 1/8, agreements 1 8/9 5/9 0 and 8/9 1 8/9 5/9
    chance = (1 + 8 / 9 + 5 / 9 + 0 + 8 / 9 + 1 + 8 / 9 + 5 / 9) / 8
    assert q2["kappa (quadratic)"] == pytest.approx((13 / 18 - chance) / (1 - chance))
    assert rows["Q1 tenor"]["same value"] == 1
    assert whole["kappa (quadratic)"] is None
    several = [
        cell(item("a"), {"one": {"published": value(x)}, "two": {"published": value(y)}}, subject=s)
        for s, x, y in zip("xyz", one, two[:3], strict=False)
    ]
    last = table(score(several, one="judge", two="judge"), "judges")[-1]
    assert (last["measure"], last["pictures"]) == ("mean V-Scores, 3 of them", 3)


def test_presence_questions_beside_v_score() -> None:
    # C1..C5 of `item` have their answers at 1 2 3 0 1: B C D A B
    said = {"a": ("AAAA", "BCDAB"), "b": ("ABAA", "BCDAA"), "c": ("ADAA", "BCDAB"), "d": ("ACAA", "AAAAA")}
    cells = [
        cell(item(n, control=True), {"judge": {"published": value(x), "control": value(y, first="C1")}})
        for n, (x, y) in said.items()
    ]
    cells.append(judged(item("e"), "DDDD"))  # has no control questions, and no part in this table
    cells.append(cell(item("f", control=True), {"judge": {"published": value("AAAA"), "control": "unparsed"}}))
    found = score(cells)
    (row,) = table(found, "presence")
    assert (row["valid"], row["of"]) == (4, 5)
    assert row["presence score"] == pytest.approx((100 + 80 + 100 + 20) / 4)
    assert (row["share of 100"], row["pictures"]) == (0.5, 4)
    assert row["V-Score"] == pytest.approx((100 + 90 + 70 + 80) / 4)
    # ranks of presence 3.5 2 3.5 1, of V-Score 4 3 1 2: d = -.5 -1 2.5 -1
    x, y = np.array([3.5, 2, 3.5, 1]), np.array([4.0, 3, 1, 2])
    assert row["Spearman"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert len(table(found, "v_score")) == 1
    assert table(found, "v_score")[0]["of"] == 6
    assert any(p["name"] == "presence" and len(p["points"]) == 4 for p in found.plots)
    several = [
        cell(item("a", control=True), {j: {"published": value("AAAA"), "control": value("BCDAB", first="C1")} for j in "xy"},
             subject=s, strategy=f"s{n}")
        for s in ("one", "two") for n in range(4)
    ]  # fmt: skip
    plot = next(p for p in score(several, x="judge", y="judge").plots if p["name"] == "presence")
    assert {p["series"] for p in plot["points"]} == {"one", "two"} and len(plot["points"]) == 8


def test_score_without_a_picture_counts_an_item_once() -> None:
    said = {"a": "AAAA", "b": "ADAA"}
    cells = [
        cell(item(n, lang), {"judge": {"published": value("AAAA"), "blind-published": value(said[n])}}, subject=s)
        for n, lang in (("a", "en"), ("b", "ar"))
        for s in ("x", "y")
    ]
    cells.append(cell(item("c", "ar"), {"judge": {"published": value("AAAA"), "blind-published": "unparsed"}}))
    rows = {r["language"]: r for r in table(score(cells, PUBLISHED | {"blind": "on"}), "blind")}
    assert (rows["all"]["V-Score"], rows["all"]["of"]) == (85, 3)
    assert [(rows[lang]["valid"], rows[lang]["of"]) for lang in ("en", "ar")] == [(1, 1), (1, 2)]
    assert (rows["en"]["V-Score"], rows["ar"]["V-Score"]) == (100, 70)
    assert (rows["all"]["Q1 best"], rows["all"]["Q2 best"]) == (1, 0.5)


def found_or_not(*boxes):
    return {"detections": [{"label": label, "score": s, "box": [0, 0, 1, 1]} for label, s in boxes]}


def test_detectors_where_items_have_a_class() -> None:
    cat = {"figure": {"vehicle_class": "cat"}}
    cells = [
        cell(item("a", **cat), {"ssd": {"vehicle": found_or_not(("cat", 0.9))}, "judge": {"published": value("ADAA")}}),
        cell(item("b", **cat), {"ssd": {"vehicle": found_or_not(("cat", 0.2))}, "judge": {"published": value("AAAA")}}),
        cell(item("c", **cat), {"ssd": {"vehicle": found_or_not(("dog", 0.9))}, "judge": {"published": value("ABAA")}}),
        cell(item("d", **cat), {"ssd": {"vehicle": {**found_or_not(), "cannot_tell": ["cat"]}}}),
        cell(item("e", **cat), {"ssd": {"vehicle": found_or_not(("cat", 0.9))}}, status="blank"),
        cell(item("f"), {"judge": {"published": value("AAAA")}}),  # has no class
    ]
    found = score(cells, ssd="detector", judge="judge")
    (row,) = table(found, "vehicle_detected")
    assert (row["vehicle detected"], row["pictures"], row["of"]) == (pytest.approx(1 / 3), 3, 5)
    assert (row["worst"], row["best"]) == (pytest.approx(3 / 5), pytest.approx(1 / 5))
    (check,) = table(found, "vehicle_check")
    assert (check["Q2 where found"], check["pictures found"]) == (0, 1)
    assert (check["Q2 where not found"], check["pictures not found"]) == (2.5, 2)
    shown = protocol("vista", PUBLISHED).highlight(cells[0])
    assert shown["ssd"] == {"verdict": "present", "score": 0.9, "box": [0, 0, 1, 1], "label": "cat"}
    assert shown["judge"]["verdict"] == "Q2 vehicle 0 of 3"
    assert shown["judge V-Score"]["verdict"] == "70.0 (3 0 3 3)"


def test_a_similarity_beside_v_score() -> None:
    cells = [
        cell(item(n), {"clip": {"sentence": {"score": s, "truncated": False}}, "judge": {"published": value(x)}})
        for n, s, x in (("a", 0.3, "AAAA"), ("b", 0.2, "ABAA"), ("c", 0.1, "ACAA"))
    ]
    alone, beside = table(score(cells, clip="similarity", judge="judge"), "similarity")
    assert (alone["similarity"], alone["pictures"]) == (pytest.approx(0.2), 3)
    assert (beside["V-Score"], beside["Spearman"], beside["pictures"]) == (90, 1, 3)


def test_prompts_that_a_guard_changes() -> None:
    cells = []
    for of in (item("a"), item("b"), item("c"), literal("l"), literal("m")):
        same = of.id in "bl"  # the guard leaves these prompts alone: one key, one picture
        letters = {"judge": {"published": value("AAAA")}} if of.figures else {}
        cells.append(cell(of, letters, key=f"base {of.id}"))
        cells.append(cell(of, letters, strategy="guard:rewrite", key=f"{'base' if same else 'guard'} {of.id}"))
        cells.append(cell(of, letters, strategy="human", key=f"human {of.id}"))
    rows = {r["items"]: r for r in table(score(cells), "changed")}
    assert (rows["figurative"]["prompts changed"], rows["figurative"]["of"]) == (2, 3)
    assert (rows["literal"]["prompts changed"], rows["literal"]["of"]) == (1, 2)
    assert (rows["literal"]["share"], rows["literal"]["changed wrongly"]) == (0.5, "m")
    assert rows["figurative"]["changed wrongly"] == ""
    assert all(r["strategy"] == "guard:rewrite" for r in rows.values())
    guard = next(r for r in table(score(cells), "gains") if r["strategy"] == "guard:rewrite")
    assert (guard["pairs"], guard["prompts changed"]) == (3, 2)
    assert all(r["strategy"] == "guard:rewrite" for r in table(score(cells), "gains") if "changed" in r["measure"])
    assert not any("changed none" in line for line in score(cells).warnings)
    idle = [judged(item("a"), "AAAA", strategy=s, key="base a") for s in ("base", "guard:rewrite?by=llm")]
    assert any("guard:rewrite?by=llm changed none of the 1 figurative prompts" in w for w in score(idle).warnings)


def test_what_a_guard_gains_where_it_changes_the_prompt() -> None:
    cells = []
    for n, (before, after) in {"a": ("ADAA", "AABA"), "b": ("ACAA", "AABB"), "c": ("AAAA", "AAAA")}.items():
        cells.append(judged(item(n), before, key=f"base {n}"))
        cells.append(judged(item(n), after, strategy="guard:rewrite", key=f"{'base' if n == 'c' else 'guard'} {n}"))
    rows = {r["measure"]: r for r in table(score(cells), "gains")}
    assert rows["Q2 vehicle"]["gain"] == pytest.approx(5 / 3)
    part = rows["Q2 vehicle, changed prompts"]
    assert (part["gain"], part["worth in V-Score"], part["pairs"], part["of"]) == (2.5, 25, 2, 2)
    assert rows["Q1, Q3, Q4, changed prompts"]["gain"] == pytest.approx(-10)  # (-20/3 - 40/3) / 2
    assert rows["V-Score, changed prompts"]["gain"] == pytest.approx(15)
    assert part["p (Holm)"] is None and rows["Q2 vehicle"]["p (Holm)"] is not None


def test_pictures_made_elsewhere_do_not_say_what_was_asked() -> None:
    cells = []
    for strategy in ("base", "guard:rewrite"):
        cells.append(judged(item("a"), "AAAA", subject="folder:mine", strategy=strategy))
    assert "changed" not in names(score(cells))


def test_what_its_own_gate_chose_is_not_scored_by_it() -> None:
    cells = [judged(item(n), "AAAA") for n in "ab"]
    cells += [judged(item(n), "AAAA", strategy="search", gates=("judge",)) for n in "ab"]
    found = score(cells)
    view = next(t for t in found.tables if t.name == "v_score")
    assert view.rows[1][4]["mark"] == "optimized on"
    row = table(found, "gains")[0]
    assert (row["p"], row["p (Holm)"]) == ("optimized on", None)


def test_empty_and_stopped_studies() -> None:
    found = score([judged(item("a"), "unparsed")], planned=5)
    (row,) = table(found, "v_score")
    assert (row["V-Score"], row["worst"], row["best"], row["valid"]) == (None, 0, 100, 0)
    assert found.warnings[0] == "The run was stopped: 1 of 5 cells are finished."
    assert any("the common set is empty" in w for w in found.warnings)
    nothing = score([])
    assert nothing.tables == []
    assert score([cell(literal("l"))]).tables == []


def test_numbers_do_not_depend_on_what_else_is_computed() -> None:
    cells = [judged(item(n), x) for n, x in zip("abcdefghijkl", ["AAAA", "ADAA", "BBBB"] * 4, strict=True)]
    alone = score(cells).as_json()
    both = score([*cells, *(judged(c.item, "AAAA", subject="other") for c in cells)])
    first = next(t for t in both.tables if t.name == "v_score").rows[0][4]
    assert first == alone["tables"][0]["rows"][0][4]
    assert score(cells).as_json() == alone


def test_the_paper_stands_beside_its_own_items_only() -> None:
    vista = protocol("vista")
    mine = [judged(item(f"i{n}", split="vista-bench"), "AAAA") for n in range(193)]
    (paper,) = vista.reference(study(mine))
    assert paper.notes[0].startswith("Source: Presence Is Not Faithfulness")
    assert vista.reference(study(mine[:100])) == []
    assert vista.reference(study([judged(item(f"i{n}"), "AAAA") for n in range(193)])) == []


def test_a_highlight_says_how_a_cell_stands() -> None:
    vista = protocol("vista", {"order": "both"})
    of = item("a", control=True)
    said = {"judge": {"published": value("ABCD"), "permuted-0": "unparsed", "control-0": value("BCDAA", first="C1")}}
    assert vista.highlight(cell(of, said)) == {
        "judge": {"verdict": "unparsed"},
        "judge V-Score": {"verdict": "published 56.7 (3 2 1 0); permuted unparsed"},
        "judge presence": {"verdict": "4 of 5"},
    }
    told = value("ABCD") | {"reasoning": {"Q1": "a moon", "Q2": "a lantern " + "x" * 400, "Q3": "", "Q4": "calm"}}
    seen = vista.highlight(cell(of, {"judge": {"permuted-0": told}}))["judge"]
    assert seen["verdict"] == "Q2 vehicle 2 of 3"
    assert seen["told"] == {"Q1": "a moon", "Q2": ("a lantern " + "x" * 400)[:300], "Q4": "calm"}
    assert vista.highlight(cell(of, {}, status="blank")) == {}
    assert output("x").ok
    assert reply("A") == '{"answers":{"Q1":"A"},"reasoning":{"Q1":"seen"}}'
