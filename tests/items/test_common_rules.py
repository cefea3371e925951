"""Each common rule: a case it accepts, and cases it rejects with item, field, value and rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.items.helpers import TEXTS, broken, item
from trope.errors import UnknownName
from trope.items import check_items, check_rules
from trope.items.rules import KINDS, rules_for

Q = {"id": "Q1", "axis": "tenor", "stem": "What is there?", "options": ["Fog", "Smoke", "Wool"], "answer": 0}


@pytest.mark.parametrize("lang", list(TEXTS))
def test_a_sound_item_breaks_no_rule(lang: str) -> None:
    assert check_items([item(lang=lang)]) == []


def test_a_problem_says_item_field_value_and_rule() -> None:
    (problem,) = check_items([item(text="The fog lies like a  blanket.")])
    assert (problem.item, problem.field, problem.value, problem.rule) == (
        "a", "text", "The fog lies like a  blanket.", "white-space",
    )  # fmt: skip
    assert str(problem) == (
        "a: text: 'The fog lies like a  blanket.': holds two spaces in a row, or white space that is no plain space"
        " [white-space]"
    )


def test_counts_are_by_rule_and_zero_where_nothing_breaks_it() -> None:
    found = check_rules([item(text="The fog lies like a  blanket.")])
    assert list(found) == [rule.name for rule in rules_for("common")]
    assert {name: len(of) for name, of in found.items() if of} == {"white-space": 1}


@pytest.mark.parametrize("kind", list(KINDS))
def test_rules_have_names_of_their_own_and_say_what_they_ask(kind: str) -> None:
    rules = rules_for(kind)
    assert len({rule.name for rule in rules}) == len(rules)
    assert all(rule.what and rule.what == rule.what.strip(" .") for rule in rules)


def test_rules_nobody_keeps() -> None:
    with pytest.raises(UnknownName, match=r"no rules 'vistas'. Did you mean 'vista'"):
        rules_for("vistas")


REJECTED: list[tuple[str, dict[str, Any], str]] = [
    ("white-space", {"gloss": "Fog "}, "gloss: begins or ends with white space"),
    ("white-space", {"text": "The fog\u3000lies like a blanket."}, "text: holds two spaces in a row, or white space"),
    ("html-entity", {"text": "The fog &amp; rain lie like a blanket."}, "text: holds the HTML entity &amp;; write '&'"),
    ("html-entity", {"reason": "it&#39;s fog"}, "reason: holds the HTML entity &#39;; write \"'\""),
    ("missing-mark", {"gloss": "None"}, "gloss: is a mark for a missing value"),
    ("missing-mark", {"labels": {"kind": "-1"}}, "labels.kind: is a mark for a missing value"),
    ("one-vehicle", {"figure": {"vehicle": "blanket; sheet"}},
     "figures.0.vehicle: holds 2 vehicles ('blanket', 'sheet')"),
    ("label", {"labels": {"kind": "pun "}}, "labels.kind: a label neither begins nor ends with a space"),
    ("label", {"figure": {"vehicle_class": "bycicle"}},
     "figures.0.vehicle_class: is no COCO class; did you mean 'bicycle'?"),
    ("twin-is-new", {"twins": {"deleted": TEXTS["en"].upper()}}, "twins.deleted: is the text itself"),
    ("twin-is-new", {"twins": {"deleted": "Fog.", "literal": "Fog."}}, "twins.literal: is the deleted twin"),
    ("question", {"questions": [Q, Q]}, "questions.Q1: two questions have this id"),
    ("question", {"questions": [Q | {"options": ["Fog", "fog "]}]}, "questions.Q1.options.1: two options are the same"),
    ("question", {"questions": [Q | {"answer": 3}]}, "questions.Q1.answer: is no option (there are 3, from 0)"),
    ("question", {"questions": [Q | {"scores": [1, 0]}]}, "questions.Q1.scores: 2 scores for 3 options"),
    ("question", {"questions": [Q | {"answer": None}]}, "questions.Q1: has neither an answer nor scores"),
    ("script", {"text": "雾像 fog like a blanket."}, "text: holds '雾像', which is not the script of en"),
    ("script", {"gloss": "雾"}, "gloss: has no Latin letter"),
    ("readable", {"text": "The fog lies like a blanket, cafÃ©."},
     "text: holds 'Ã©': it was once read in a wrong encoding"),
    ("readable", {"text": "The fog lies like a blan\u200bket."}, "text: holds the invisible character U+200B"),
    ("readable", {"text": "The fog lies like a blanket, cafe\u0301."}, "text: is not in Unicode's normal form C"),
    ("bidi", {"gloss": "fog\u200f"}, "gloss: holds the bidi mark U+200F"),
    ("span-bounds", {"figure": {"spans": {"vehicle": [5, 500]}}},
     "figures.0.spans.vehicle: is not inside the text (0 to 49"),
    ("span-bounds", {"figure": {"spans": {"vehicle": [5, 5]}}}, "figures.0.spans.vehicle: is not inside the text"),
    ("span-words", {"figure": {"spans": {"vehicle": [0, 3], "marker": [29, 33]}}},
     "figures.0.spans.vehicle: is covered, but vehicle is 'blanket'"),
    ("span-words", {"figure": {"spans": {"tenor": [4, 8]}}},
     "figures.0.spans.tenor: a span begins and ends at its words"),
    ("span-marker", {"figure": {"spans": {"vehicle": [41, 48]}}}, "figures.0.spans.marker: a simile has a marker"),
    ("span-marker", {"figure": {"form": "metaphor"}}, "figures.0.spans.marker: a metaphor has no marker"),
    ("span-marker", {"figure": {"spans": {"marker": [4, 7]}}},
     "figures.0.spans.marker: is no marker of comparison of en"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "fields", "said"), REJECTED, ids=[f"{r[0]}-{n}" for n, r in enumerate(REJECTED)])
def test_what_a_rule_rejects(rule: str, fields: dict[str, Any], said: str) -> None:
    assert broken(rule, item()) == []
    found = broken(rule, item(**fields))
    assert len(found) == 1
    assert found[0].startswith(said)


def test_every_common_rule_has_a_case() -> None:
    cases = {rule for rule, _, _ in REJECTED} | {"exact-duplicate", "near-duplicate"}
    assert {rule.name for rule in rules_for("common")} == cases


@pytest.mark.parametrize(
    ("lang", "text"),
    [("zh", "The fog lies like a blanket."), ("ja", "The fog."), ("ar", "The fog."), ("zh", "霧の港。"), ("ar", "雾")],
)
def test_texts_in_another_script(lang: str, text: str) -> None:
    assert len(broken("script", item(lang=lang, text=text, figure={"spans": {}}))) == 1


def test_an_arabic_vehicle_inside_a_verb_needs_a_label() -> None:
    text = "أثلج الخبر صدر الأم."
    figure = {"tenor": "الخبر", "vehicle": "نار", "form": "idiom", "spans": {"vehicle": [0, 4], "tenor": [5, 10]}}
    bad = item(lang="ar", text=text, figure=figure)
    assert len(broken("span-words", bad)) == 1
    assert broken("span-words", item(lang="ar", text=text, figure=figure, labels={"vehicle_inside": "verb"})) == []
    assert broken("span-words", item(lang="ar", text=text, figure=figure | {"vehicle": "ثلج"})) == []


def test_duplicates_within_and_across_sets() -> None:
    first, again = item("a"), item("b", text=TEXTS["en"].replace("The fog", "THE FOG"))
    assert broken("exact-duplicate", first, again) == ["text: is also the text of a"]
    assert broken("near-duplicate", first, again) == []  # said once, by the other rule
    near = item("c", text="The fog over the harbor lies like a gray blanket, too.")
    assert broken("near-duplicate", first, near)[0].startswith("text: is nearly the text of a (cosine 0.")
    assert broken("near-duplicate", first, item("f", text="Rain drums on the roof of the shed.")) == []
    assert broken("exact-duplicate", first, item("d", "zh")) == []
    other = item("e", text=TEXTS["en"], context="At sea.")
    assert broken("exact-duplicate", first, other) == []  # the same words in another context are another item


def test_near_duplicates_in_chinese() -> None:
    first = item("a", "zh", text="清晨的码头上，雾像一条灰毯子，把船都盖住了。")
    near = item("b", "zh", text="傍晚的码头上，雾像一条灰毯子，把船都盖住了。")
    assert broken("near-duplicate", first, near)
    assert broken("near-duplicate", first, item("c", "zh")) == []
