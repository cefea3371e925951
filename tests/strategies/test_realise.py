"""Kinds of prompts, composites in words, and metaphors planned by a chat model that never sees the annotation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.test_vmetaphor import metaphor
from trope.errors import ItemError, UnknownName, UsageError
from trope.experiment import Experiment, execute, plan, score, verify
from trope.flow import Budget, forecast
from trope.items import dump_items, load_items
from trope.nouns import Item
from trope.protocols import protocol
from trope.records import Observation
from trope.requests import Ask, Generate, Unreadable
from trope.store import Store, write_bundle
from trope.strategies import Context, Strategy, strategies
from trope.strategies.realise import read_plan
from trope.testing import FakeServer

WORDINGS = protocol("vmetaphor").wordings
SHIPPED = load_items(["vmetaphor"])
DESCRIBED = "A rubber stamp as tall as a door stands on a desk, and its wooden handle is the trunk of a living tree."
PLAN: dict[str, Any] = {
    "subject": "bureaucracy", "likeness": "tree", "mappings": [{"likeness": "trunk", "subject": "handle of the stamp"}],
    "structure": "fusion", "visible": ["stamp", "trunk"], "absent": None, "context": [], "prompt": DESCRIBED,
}  # fmt: skip


def strategy(text: str, **context: Any) -> Strategy:
    (made,) = strategies(text, Context(WORDINGS, **context))
    return made


@pytest.mark.parametrize("kind", ["conceptual", "descriptive"])
def test_every_kind_is_its_prompt_and_the_style(kind: str) -> None:
    for item in SHIPPED:
        request = next(strategy(kind).start(item))
        assert isinstance(request, Generate) and request.variant == kind
        assert request.text == f"{item.prompts[kind]} Style: {item.prompts['style']}."


@pytest.mark.parametrize(("lang", "text"), [("zh", "债如沼泽。风格:水墨。"), ("ja", "债如沼泽。作風:水墨。")])
def test_style_is_joined_as_the_language_does(lang: str, text: str) -> None:
    item = Item(id="x", lang=lang, text="债如沼泽。", prompts={"style": "水墨。"})  # type: ignore[arg-type]
    assert next(strategy("conceptual").start(item)).text == text


def test_without_style_or_prompt() -> None:
    assert next(strategy("conceptual").start(metaphor())).text == metaphor().text
    with pytest.raises(ItemError, match="'m': prompts.descriptive is missing; leave the strategy 'descriptive' out"):
        next(strategy("descriptive").start(metaphor()))


def test_a_composite_is_said_in_the_words_of_collage() -> None:
    said = {i.id: next(strategy("composite").start(i)).text for i in SHIPPED if i.labels.get("collage")}
    assert said["vmetaphor-009"] == "fusion: book + refrigerator"
    assert said["vmetaphor-019"] == "juxtaposition: laptop + sink"
    assert said["vmetaphor-035"] == "replacement: bed instead of car"  # the vehicle is absent
    assert said["vmetaphor-107"] == "replacement: book instead of bench"  # the tenor is
    item = next(i for i in SHIPPED if i.id == "vmetaphor-107")
    assert next(strategy("composite?structure=fusion").start(item)).text == "fusion: bench + book"
    assert next(strategy("composite").start(SHIPPED[0])).text == "fusion: long-term memory + rock strata"


@pytest.mark.parametrize(
    ("text", "context", "error", "message"),
    [
        ("conceptual?style=no", {}, UsageError, "has no option 'style'"),
        ("composite?structure=collision", {}, UnknownName, "no structure 'collision'"),
        ("composite", {"subjects": {"openai-images:x": object()}}, UsageError, "not 'openai-images:x'"),
        ("realise", {}, UsageError, "asks a chat model, and the run has none"),
        ("realise?model=two", {"models": ("one",)}, UsageError, "asks a chat model, two"),
        ("realise?modell=one", {"models": ("one",)}, UsageError, "Did you mean 'model'"),
    ],
)  # fmt: skip
def test_wrong_names_and_options(text: str, context: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        strategy(text, **context)
    with pytest.raises(UsageError, match="no wording"):
        strategies("conceptual", Context(protocol("simile").wordings))


# --- realise ---


def test_the_planner_reads_the_conceptual_prompt_and_nothing_else() -> None:
    how = strategy("realise", models=("one", "two"))
    assert how.name == "realise?model=one" and how.gates == ()
    briefs = {}
    for item in SHIPPED:
        ask = next(how.start(item))
        assert isinstance(ask, Ask) and ask.output is None and ask.picture is None and ask.instrument == "one"
        briefs[item.id] = ask.prompt.user.replace(item.prompts["conceptual"], "…")
        bare = Item(id="other", lang="en", text=item.prompts["conceptual"])
        assert next(how.start(bare)).prompt == ask.prompt  # nothing but that text decides
    assert len(set(briefs.values())) == 1


def test_a_plan_is_described_and_styled() -> None:
    script = strategy("realise", models=("one",)).start(SHIPPED[0])
    next(script)
    request = script.send(Observation("k", "one", "ok", json.dumps(PLAN)))
    assert request == Generate(f"{DESCRIBED} Style: {SHIPPED[0].prompts['style']}.", variant="realise")


@pytest.mark.parametrize("status", ["unparsed", "refused", "failed"])
def test_without_a_plan_there_is_no_picture(status: Any) -> None:
    script = strategy("realise", models=("one",)).start(SHIPPED[0])
    next(script)
    said = Observation("k", "one", status, reason="no")
    with pytest.raises(StopIteration) as end:
        script.send(said)
    assert end.value.value is said


REPLACEMENT = PLAN | {"structure": "replacement", "absent": "likeness", "context": ["a row of tree stumps"]}


CHINESE = PLAN | {"prompt": "一枚和门一样高的橡皮印章立在书桌上，木柄是一棵活树的树干，根须伸进文件堆里。"}


@pytest.mark.parametrize("good", [PLAN, REPLACEMENT, CHINESE])
def test_whole_plans_are_read(good: dict[str, Any]) -> None:
    assert read_plan(json.dumps(good)) == good == read_plan(f"```json\n{json.dumps(good)}\n```")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subject": " "}, "subject: expected a text"),
        ({"visible": []}, "visible: expected a list"),
        ({"visible": "stamp"}, "visible: expected a list"),
        ({"context": [3]}, "context: expected a text"),
        ({"mappings": []}, "mappings: expected a list of 1 to 12"),
        ({"mappings": PLAN["mappings"] * 13}, "mappings: expected a list of 1 to 12"),
        ({"mappings": [{"likeness": "a"}]}, "mappings: expected objects"),
        ({"mappings": [{"likeness": "a", "subject": ""}]}, "mappings.subject"),
        ({"structure": "Fusion"}, "structure: 'Fusion' is none of"),
        ({"absent": "tree"}, "absent: 'tree'"),
        ({"absent": "subject"}, "a fusion shows both"),
        ({"structure": "replacement"}, "a replacement says which"),
        ({"structure": "replacement", "absent": "subject"}, "what around its place implies it"),
        ({"prompt": "A stamp."}, "prompt: 2 words"),
        ({"prompt": "stamp " * 500}, "prompt: 500 words"),
        ({"prompt": "一枚巨大的印章。"}, "prompt: 8 words"),
        ({"note": "x"}, "keys missing or unknown: note"),
    ],
)  # fmt: skip
def test_any_other_plan_is_unreadable(change: dict[str, Any], message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read_plan(json.dumps(PLAN | change))
    with pytest.raises(Unreadable):
        read_plan(DESCRIBED)


def test_a_run_with_three_columns(server: Callable[..., FakeServer], store: Store, tmp_path: Path) -> None:
    """Six items: four plans, one reply without a plan, one contradiction. Plans become pictures, the rest is counted."""
    items = SHIPPED[:6]
    replies = [
        {"contains": item.prompts["conceptual"], "reply": json.dumps(PLAN | {"prompt": f"{DESCRIBED} Number {n}."})}
        for n, item in enumerate(items[:4])
    ]
    replies.append({"contains": items[4].prompts["conceptual"], "reply": "I would paint a tree."})
    replies.append({"contains": items[5].prompts["conceptual"], "reply": json.dumps(PLAN | {"absent": "subject"})})
    replies.append(
        {"contains": "metaphoric_efficacy", "reply": "metaphoric_efficacy: 4\nmetaphor_logic: 3\nperceptual_harmony: 5"}
    )
    fake = server(replies=tuple(replies))
    (tmp_path / "six.jsonl").write_text(dump_items(items), "utf-8")
    asked = Experiment(
        protocol="vmetaphor", subjects=(f"openai-images:fake?base_url={fake.url}",), models=(f"vllm:planner?base_url={fake.url}",),
        strategies=("conceptual", "descriptive", "realise?model=vllm:planner"), instruments=(f"vllm:judge?base_url={fake.url}",),
        items=(str(tmp_path / "six.jsonl"),),
    )  # fmt: skip
    planned = plan(asked)
    expected = forecast(planned.cells, planned.backends, store, Budget(None, {}))
    assert (
        expected.most["openai-images:fake"] == 18
        and expected.most["vllm:planner"] == 6
        and expected.most["vllm:judge"] == 54
    )
    outcome = execute(planned, store)
    assert outcome.stopped is None and outcome.tally.asked == {
        "openai-images:fake": 16,
        "vllm:planner": 6,
        "vllm:judge": 48,
    }
    painted = [entry["body"]["prompt"] for entry in fake.log() if entry["path"].endswith("/images/generations")]
    assert sum(DESCRIBED in prompt for prompt in painted) == 4
    for entry in fake.log():  # on the wire: the planner is told nothing of the annotation
        body = entry.get("body", {})
        if body.get("model") == "planner":
            text = json.dumps(body, ensure_ascii=False)
            item = next(i for i in items if i.prompts["conceptual"] in body["messages"][-1]["content"][-1]["text"])
            secret = [
                item.figures[0].ground,
                item.prompts["descriptive"],
                item.prompts["style"],
                *(m.tenor for m in item.figures[0].mappings),
            ]
            assert not [word for word in secret if str(word) in text] and "image_url" not in text
    study, scores = score(outcome.run)
    rows = {row[1]: list(row) for row in next(t for t in scores.tables if t.name == "levels").rows}
    assert list(rows) == ["conceptual", "descriptive", "realise?model=vllm:planner"]
    assert rows["realise?model=vllm:planner"][11:] == [4, 6] and rows["conceptual"][11:] == [6, 6]
    statuses = [
        row[4:] for row in next(t for t in scores.tables if t.name == "statuses").rows if row[1].startswith("realise")
    ]
    assert statuses == [[4, 2, 0, 0, 0, 0, 6]] * 3  # ok, unparsed: never the conceptual picture instead
    kinds = next(t for t in scores.tables if t.name == "prompt_kinds").rows
    assert {(row[1], row[2]) for row in kinds} == {
        ("descriptive", "conceptual"),
        ("realise?model=vllm:planner", "conceptual"),
    }
    reasons = [c.output.reason for c in study.cells if not c.output.ok]
    assert len(reasons) == 2 and all("no plan that could be read" in str(reason) for reason in reasons)
    assert verify(write_bundle(outcome.run, scores.as_json(), tmp_path / "b.zip")) > 100
    assert execute(plan(asked), store).tally.asked.total() == 0
