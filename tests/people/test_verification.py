"""Verification: what a filled form comes to, and that nothing else does."""

from __future__ import annotations

import json

import pytest

from tests.conftest import simile
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
