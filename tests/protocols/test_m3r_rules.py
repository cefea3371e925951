"""The rules of m3r one by one: what is normalized, what is None, what is invalid, what each gate needs."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trope.errors import ItemError
from trope.nouns import Figure, Item
from trope.protocols.m3r.judging import read as read_judgment
from trope.protocols.m3r.judging import stages_to_judge
from trope.protocols.m3r.labels import NONE, NONE_SPELLINGS, Labels, categorical, gold, open_text
from trope.protocols.m3r.marks import both_right, field_scores, gates, stage_score, to_match
from trope.protocols.m3r.reading import NOTHING, Answer, answer_of, as_value, read_answer
from trope.requests import Unreadable

YES = Labels("Yes", "solar farm", "flowing river", "Positive")
NO = Labels("No", NONE, NONE, "Neutral")
FULL = {
    "metaphor": "Yes", "target": "Solar Farm", "source": " flowing river ", "sentiment": "POSITIVE",
    "evidence": "panels in a bend", "mapping": "the farm flows", "justification": "it praises",
}  # fmt: skip


def said(**fields: Any) -> Answer:
    return read_answer(json.dumps({**FULL, **fields}))


def without(*names: str) -> Answer:
    return read_answer(json.dumps({k: v for k, v in FULL.items() if k not in names}))


def pair(**fields: Any) -> Item:
    figure = Figure(tenor="Solar Farm", vehicle="flowing river")
    given: dict[str, Any] = {
        "id": "a", "lang": "en", "text": "Power flows.", "figures": (figure,), "image": "a.jpg",
        "labels": {"metaphor": "Yes", "sentiment": "Positive"},
        "references": {"ITE": "r1", "MC": "r2", "SJ": "r3"}, **fields,
    }  # fmt: skip
    return Item(**given)


def test_fields_are_trimmed_and_case_folded() -> None:
    answer = said(metaphor="  yEs\n", sentiment="positive ", target="\tSOLAR farm", source="Straße")
    assert (answer.metaphor, answer.sentiment) == ("Yes", "Positive")
    assert (answer.target, answer.source) == ("solar farm", "strasse")
    assert answer.problems == {}


@pytest.mark.parametrize("value", [True, 1, "Y", "yes.", "metaphor", "是", "", " ", None, ["Yes"], {"a": 1}, "Yes No"])
def test_what_is_no_label_is_invalid_and_not_guessed(value: Any) -> None:
    assert categorical("metaphor", value) is None
    answer = said(metaphor=value)
    assert answer.metaphor is None and answer.problems["metaphor"].startswith("invalid: ")
    assert answer.sentiment == "Positive" and answer.target == "solar farm"  # the other fields stand


@pytest.mark.parametrize(
    "value", ["None", "none", " NONE ", "null", "Nil", "N/A", "na", "无", "無", "没有", "沒有", None]
)
def test_spellings_of_none(value: Any) -> None:
    assert open_text(value) == NONE
    assert said(target=value).target == NONE and "target" not in said(target=value).problems


def test_the_spellings_are_these_and_no_others() -> None:
    assert NONE_SPELLINGS == {"n/a", "na", "nil", "none", "null", "无", "無", "没有", "沒有"}
    for other in ("-", "nothing", "no", "unknown", "?", "none of them", "无人机"):
        assert open_text(other) == other


@pytest.mark.parametrize("value", ["", "  ", 3, 0.5, False, ["solar farm"], {"name": "solar farm"}])
def test_an_open_field_that_holds_no_text_is_invalid(value: Any) -> None:
    assert said(source=value).source is None and "source" in said(source=value).problems


def test_half_a_character_makes_a_reply_unreadable() -> None:
    with pytest.raises(Unreadable, match="half a character"):
        read_answer('{"target": "\\ud83d"}')
    whole = read_answer('{"target": "\\ud83d\\ude00 smile"}')
    assert whole.target == "\U0001f600 smile"


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(
    st.sampled_from([*FULL, "other"]), x), max_leaves=12).map(lambda value: json.dumps(value)))  # fmt: skip
def test_any_reply_is_an_answer_or_unreadable_and_can_be_stored(reply: str) -> None:
    try:
        answer = read_answer(reply)
    except Unreadable as why:
        assert str(why)
        return
    assert answer_of(json.loads(json.dumps(as_value(answer), ensure_ascii=False).encode("utf-8"))) == answer
    assert set(answer.problems) == {name for name in FULL if getattr(answer, name) is None}


def test_no_text_can_equal_the_canonical_none() -> None:
    assert open_text("None") == NONE and NONE != NONE.casefold()


def test_a_missing_field_says_that_it_is_missing_and_spoils_nothing_else() -> None:
    answer = without("sentiment", "mapping")
    assert answer.problems == {"sentiment": "missing", "mapping": "missing"}
    assert answer.metaphor == "Yes" and answer.evidence == "panels in a bend"


def test_other_fields_are_ignored() -> None:
    assert said(confidence=0.9) == said()


@pytest.mark.parametrize(
    "reply",
    [
        "", "Yes", "The answer: " + json.dumps(FULL), json.dumps(FULL) + "\nI hope this helps", json.dumps([FULL]),
        json.dumps(FULL) * 2, '{"metaphor": "Yes", "metaphor": "No"}', '{"metaphor": NaN}', '{"metaphor": "Yes"',
        "```\n" + json.dumps(FULL) + "\n```\n```\n" + json.dumps(FULL) + "\n```", "null",
    ],
)  # fmt: skip
def test_what_is_not_one_object_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_answer(reply)


def test_one_code_fence_is_read() -> None:
    assert read_answer("```json\n" + json.dumps(FULL) + "\n```") == said()


def test_an_answer_survives_the_store() -> None:
    for answer in (said(), without("target"), said(target=None), NOTHING):
        assert answer_of(json.loads(json.dumps(as_value(answer)))) == answer
    assert answer_of(None) == NOTHING


def test_md_and_sc_are_exact() -> None:
    marks = field_scores(said(metaphor="No", sentiment="Neutral"), YES, {})
    assert (marks.metaphor, marks.sentiment) == (False, False)
    assert field_scores(said(), YES, {}).metaphor and field_scores(said(), YES, {}).sentiment
    assert not field_scores(without("metaphor"), NO, {}).metaphor  # a missing label is wrong on both sides
    assert not field_scores(NOTHING, NO, {}).sentiment


def test_tp_and_sp_of_a_found_metaphor_are_the_f1() -> None:
    marks = field_scores(said(), YES, {"target": 0.8, "source": 0.6})
    assert (marks.target, marks.source) == (0.8, 0.6)


def test_a_missed_metaphor_is_zero_and_stays_in_even_with_the_right_words() -> None:
    marks = field_scores(said(metaphor="No"), YES, {"target": 1.0, "source": 1.0})
    assert (marks.target, marks.source, marks.joint) == (0.0, 0.0, 0.0)
    assert to_match(said(metaphor="No"), YES) == {} == to_match(without("metaphor"), YES)


def test_an_unreadable_reply_is_zero_and_stays_in() -> None:
    marks = field_scores(NOTHING, YES, {"target": 1.0, "source": 1.0})
    assert (marks.metaphor, marks.sentiment, marks.target, marks.source, marks.joint) == (False, False, 0.0, 0.0, 0.0)


def test_an_invalid_or_none_field_of_a_found_metaphor_is_zero_and_the_other_counts() -> None:
    for broken in (said(target=3), without("target"), said(target="None"), said(target="")):
        marks = field_scores(broken, YES, {"target": 1.0, "source": 0.9})
        assert (marks.target, marks.source, marks.joint) == (0.0, 0.9, 0.0)
        assert list(to_match(broken, YES)) == ["source"]


def test_true_non_metaphors_are_not_in_the_set_of_tp_and_sp() -> None:
    for answer in (said(metaphor="No", target="None", source=None), said(), NOTHING):
        marks = field_scores(answer, NO, {"target": 1.0, "source": 1.0})
        assert marks.target is None and marks.source is None
    assert to_match(said(), NO) == {}


def test_jla_of_a_metaphor_needs_all_four() -> None:
    right = {"target": 0.75, "source": 0.75}
    assert field_scores(said(), YES, right).joint == 1.0  # the threshold itself is reached
    assert field_scores(said(), YES, {**right, "target": 0.7499}).joint == 0.0
    assert field_scores(said(), YES, {**right, "source": 0.7499}).joint == 0.0
    assert field_scores(said(sentiment="Neutral"), YES, right).joint == 0.0
    assert field_scores(without("sentiment"), YES, right).joint == 0.0
    assert field_scores(said(), YES, right, threshold=0.8).joint == 0.0


def test_jla_of_a_non_metaphor_needs_both_fields_none() -> None:
    none = {"metaphor": "No", "target": None, "source": "none", "sentiment": "neutral"}
    assert field_scores(said(**none), NO, {}).joint == 1.0
    for wrong in ({"target": "poster"}, {"source": ""}, {"metaphor": "Yes"}, {"sentiment": "Positive"}):
        assert field_scores(said(**{**none, **wrong}), NO, {}).joint == 0.0
    missing = read_answer(json.dumps({"metaphor": "No", "target": None, "sentiment": "Neutral"}))
    assert field_scores(missing, NO, {}).joint == 0.0


def test_what_was_not_measured_is_unknown_and_never_zero_or_one() -> None:
    marks = field_scores(said(), YES, {"target": 0.9, "source": None})
    assert marks.target == 0.9 and math.isnan(marks.source or 0) and math.isnan(marks.joint)
    assert field_scores(said(), YES, {"target": 0.1}).joint == 0.0  # wrong whatever the other is
    assert field_scores(said(sentiment="Neutral"), YES, {}).joint == 0.0
    assert math.isnan(both_right(float("nan"), 0.9)) and both_right(float("nan"), 0.2) == 0.0


def test_gates() -> None:
    def of(answer: Answer, truth: Labels, **matches: float) -> dict[str, float]:
        return gates(field_scores(answer, truth, matches), truth)

    assert of(said(), YES, target=0.8, source=0.8) == {"ITE": 1.0, "MC": 1.0, "SJ": 1.0}
    assert of(said(), YES, target=0.8, source=0.7) == {"ITE": 1.0, "MC": 0.0, "SJ": 1.0}
    assert of(said(sentiment="Neutral"), YES, target=0.8, source=0.8) == {"ITE": 1.0, "MC": 1.0, "SJ": 0.0}
    assert of(said(metaphor="No"), YES, target=1.0, source=1.0) == {"ITE": 0.0, "MC": 0.0, "SJ": 1.0}
    assert of(said(metaphor="No", sentiment="Neutral"), NO) == {"ITE": 1.0, "SJ": 1.0}  # no MC for a non-metaphor


def test_a_stage_behind_a_closed_gate_or_without_a_judgment_is_zero() -> None:
    assert stage_score(1.0, "text", 0.6) == 0.6
    assert stage_score(0.0, "text", 0.6) == 0.0
    assert stage_score(1.0, None, 0.6) == 0.0
    assert stage_score(1.0, "text", None) == 0.0
    assert math.isnan(stage_score(float("nan"), "text", 0.6))


def test_the_judge_is_asked_for_the_stages_that_can_score() -> None:
    assert stages_to_judge(pair(), said()) == ["ITE", "MC", "SJ"]
    assert stages_to_judge(pair(), said(sentiment="Neutral")) == ["ITE", "MC"]
    assert stages_to_judge(pair(), said(target=None)) == ["ITE", "SJ"]
    assert stages_to_judge(pair(), without("evidence")) == ["MC", "SJ"]
    assert stages_to_judge(pair(), said(metaphor="No", sentiment="Neutral")) == []
    bare = pair(figures=(), labels={"metaphor": "No", "sentiment": "Neutral"}, references={"ITE": "r", "SJ": "r"})
    assert stages_to_judge(bare, said(metaphor="No", sentiment="Neutral")) == ["ITE", "SJ"]


def test_a_judgment_is_a_number_from_0_to_1_a_stage() -> None:
    def scores(reply: str, *stages: str) -> Any:
        return read_judgment(reply, stages=stages)

    assert scores('{"ITE": 0.5, "SJ": 1}', "ITE", "SJ") == {"scores": {"ITE": 0.5, "SJ": 1.0}, "problems": {}}
    partly = scores('{"ITE": 0.5, "MC": "0.5", "X": 1}', "ITE", "MC", "SJ")
    assert partly["scores"] == {"ITE": 0.5} and set(partly["problems"]) == {"MC", "SJ"}
    for odd in ("1.5", "-0.1", "true", "null", '"high"', "[1]"):
        assert scores(f'{{"ITE": {odd}}}', "ITE")["scores"] == {}
    with pytest.raises(Unreadable):
        scores("ITE: 0.5", "ITE")


def test_the_truth_of_an_item() -> None:
    assert gold(pair()) == YES
    assert gold(pair(figures=(), labels={"metaphor": "no", "sentiment": " neutral"})) == NO


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"labels": {"metaphor": "Yes"}}, r"labels.sentiment is None. Expected: Positive, Neutral, Negative"),
        ({"labels": {"metaphor": "maybe", "sentiment": "Positive"}}, r"labels.metaphor is 'maybe'. Expected: Yes, No"),
        ({"figures": ()}, "labels.metaphor is Yes, and it has 0 figures"),
        ({"labels": {"metaphor": "No", "sentiment": "Neutral"}}, "labels.metaphor is No, and it has 1 figures"),
        ({"figures": (Figure(vehicle="river"),)}, r"figures\[0\].tenor is empty or spells None"),
        ({"figures": (Figure(tenor="farm", vehicle="None"),)}, r"figures\[0\].vehicle is empty or spells None"),
    ],
)
def test_a_truth_that_contradicts_itself_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ItemError, match=message):
        gold(pair(**fields))
