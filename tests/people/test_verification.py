"""Verification: what a filled form comes to, and that nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import simile
from trope.nouns import Figure, Item
from trope.people.texts import LANGS, texts
from trope.people.verification import edited, leaves, verification_form, verification_prompt
from trope.requests import Unreadable


def _item():  # type: ignore[no-untyped-def]
    return simile("a", "cat")


def _filled(item, **changes: str) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {**leaves(item), "decision": "accept", "reason": "", **changes}


def test_every_decision_reads_back() -> None:
    item = _item()
    other = item.model_copy(update={"gloss": "it curls"})
    form, prompt = verification_form(item, [other], "ar"), verification_prompt(item, [other])
    for decision, gloss in (("accept", None), ("take-0", "it curls"), ("reject", "-")):
        said = prompt.read(form.reply(_filled(item, decision=decision)))
        assert (
            said["decision"] == decision
            and (said["item"] or {}).get("gloss", "-" if decision == "reject" else None) == gloss
        )
    raw = form.reply(_filled(item, decision="edit", **{"figures.0.tenor": "mist", "gloss": "soft"}))
    assert json.loads(raw)["edits"] == {"figures.0.tenor": "mist", "gloss": "soft"}
    said = prompt.read(raw)
    assert said["item"]["figures"][0]["tenor"] == "mist"
    assert form.answers(raw)["figures.0.tenor"] == "mist"


def test_a_change_with_another_decision_is_no_answer() -> None:
    item = _item()
    with pytest.raises(Unreadable, match="gloss was changed"):
        verification_form(item, [], "en").reply(_filled(item, gloss="soft"))


def test_spans_are_found_again_or_dropped() -> None:
    item = _item()
    text = "Over the hill the cloud curls like a small cat."
    moved = edited(item, {"text": text})
    assert moved.figures[0].spans.vehicle == (text.index("cat"), text.index("cat") + 3)
    assert edited(item, {"text": "A cat, a cloud like a cat."}).figures[0].spans.vehicle is None
    renamed = edited(item, {"figures.0.vehicle": "kitten", "text": item.text.replace("cat", "kitten")})
    start = renamed.text.index("kitten")
    assert renamed.figures[0].spans.vehicle == (start, start + 6)


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ({"id": "b"}, "no field"),
        ({"figures.9.tenor": "x"}, "no field"),
        ({"text": " "}, "text"),
        ({"figures.0.form": "haiku"}, "form"),
        ({"__class__": "x"}, "no field"),
    ],
)
def test_edits_that_leave_no_item(edits: dict[str, str], why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        edited(_item(), edits)


@pytest.mark.parametrize(
    "raw",
    [
        "{}", "[]", "accept", '{"decision":"accept","edits":{},"reason":1}', '{"decision":"take-7","edits":{},"reason":""}',
        '{"decision":"accept","edits":{"gloss":"x"},"reason":""}', '{"decision":["accept"],"edits":{},"reason":""}',
        '{"decision":"edit","edits":{"gloss":1},"reason":""}',
    ],
)  # fmt: skip
def test_replies_that_are_none(raw: str) -> None:
    with pytest.raises(Unreadable):
        verification_prompt(_item(), []).read(raw)


def _pair(metaphor: str = "", sentiment: str = "", source: str = "", **fields: Any) -> Item:
    figures = (Figure(tenor="time", vehicle=source, form="metaphor"),) if source else ()
    labels = {"metaphor": metaphor, "sentiment": sentiment, "origin": "commercial"}
    return Item(id="p", lang="en", text="It runs.", image="p.png", figures=figures, labels=labels, **fields)


BLANK, RIVER, NONE = _pair(), _pair("Yes", "Neutral", "river", references={"MC": "It flows."}), _pair("No", "Positive")


def test_every_decision_on_a_pair_reads_back() -> None:
    form, prompt = verification_form(BLANK, [RIVER, NONE], "en"), verification_prompt(BLANK, [RIVER, NONE])
    assert [o.value for o in form.fields[-2].options] == ["take-0", "take-1", "edit", "reject"]  # nothing to accept yet
    stands = {f.name: f.value for f in form.fields if f.beside}
    assert stands == {
        "text": "It runs.", "labels.metaphor": "", "figures.0.tenor": "", "figures.0.vehicle": "",
        "labels.sentiment": "", "references.ITE": "", "references.MC": "", "references.SJ": "",
    }  # fmt: skip
    filled = {**stands, "reason": ""}
    raw = form.reply({**filled, "decision": "take-0"})
    assert Item.model_validate(prompt.read(raw)["item"]) == RIVER
    assert form.answers(raw)["labels.metaphor"] == "Yes" and form.answers(raw)["figures.0.vehicle"] == "river"
    typed = {"labels.metaphor": "No", "figures.0.tenor": " none ", "labels.sentiment": "Negative", "references.MC": "x"}
    said = prompt.read(form.reply({**filled, **typed, "decision": "edit"}))["item"]
    labels = {"metaphor": "No", "sentiment": "Negative", "origin": "commercial"}
    assert said["labels"] == labels and not said.keys() & {"figures", "references"}  # None is no concept, nothing maps
    assert prompt.read(form.reply({**filled, "decision": "reject"}))["item"] is None


def test_a_pair_with_labels_is_accepted_and_a_metaphor_is_made_none() -> None:
    form, prompt = verification_form(RIVER, [], "zh"), verification_prompt(RIVER, [])
    filled = {f.name: f.value for f in form.fields if f.beside} | {"reason": ""}
    assert filled["references.SJ"] == "" and filled["figures.0.form"] == "metaphor" and "figures.0.ground" not in filled
    assert Item.model_validate(prompt.read(form.reply({**filled, "decision": "accept"}))["item"]) == RIVER
    no = {"labels.metaphor": "No", "figures.0.tenor": "", "figures.0.vehicle": ""}
    said = prompt.read(form.reply({**filled, **no, "decision": "edit"}))["item"]
    assert said["labels"]["metaphor"] == "No" and not said.keys() & {"figures", "references"}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({}, "pair_unlabeled"),
        ({"labels.metaphor": "Yes", "figures.0.tenor": "time", "figures.0.vehicle": "river"}, "pair_no_sentiment"),
        ({"labels.metaphor": "Yes", "labels.sentiment": "Neutral", "figures.0.tenor": "time"}, "pair_lacks"),
        ({"labels.metaphor": "Yes", "labels.sentiment": "Neutral", "figures.0.tenor": "time",
          "figures.0.vehicle": "None"}, "pair_lacks"),
        ({"labels.metaphor": "No", "labels.sentiment": "Neutral", "figures.0.vehicle": "river"}, "pair_has"),
        ({"labels.metaphor": "No", "figures.0.vehicle": "river", "decision": "take-0"}, "unsaved"),
        ({"decision": "take-0"}, "pair_no_sentiment"),
    ],
)  # fmt: skip
def test_a_pair_that_cannot_stand_is_refused_in_the_language_of_the_page(
    changes: dict[str, str], key: str, lang: str
) -> None:
    half = _pair("Yes", "", "river")  # what an annotator did not say whole
    form = verification_form(BLANK, [half], lang)
    filled = {f.name: f.value for f in form.fields if f.beside} | {"decision": "edit", "reason": ""} | changes
    say = texts(lang)
    with pytest.raises(Unreadable) as refused:
        form.reply(filled)
    assert str(refused.value) == say[key].format(field=say["pair_metaphor"])
    if key != "unsaved":
        edits = {path: text for path, text in changes.items() if path != "decision"}
        with pytest.raises(Unreadable):
            verification_prompt(BLANK, [half]).read(
                json.dumps({"decision": filled["decision"], "edits": edits, "reason": ""})
            )


def test_items_of_other_kinds_are_asked_as_before() -> None:
    item = _item()
    assert not [path for path in leaves(item) if path.startswith(("labels.", "references."))]
    assert verification_form(item, [], "en").intro == texts("en")["verify_intro"]
    # a proposal that has labels gives a bare item its places
    bare = BLANK.model_copy(update={"labels": {}})
    assert "labels.metaphor" in [f.name for f in verification_form(bare, [RIVER], "en").fields]
